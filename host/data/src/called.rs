//! What a card calls a table and its columns, so that a message can speak in the words of the file and of the card.

/// What the card says of the names of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Called {
    /// The part of a ranking task that the table is: its columns are named under `[dataset.parts.<part>]`.
    pub part: Option<&'static str>,
    /// Columns that are called otherwise than in the file: name here, name there.
    pub renamed: Vec<(String, String)>,
}

impl Called {
    /// The column `old` is called `new` from here on.
    pub fn rename(&mut self, new: &str, old: &str) {
        let first = self.renamed.iter().position(|(name, _)| name == old);
        let in_file = first.map_or_else(|| old.to_owned(), |at| self.renamed.remove(at).1);
        self.renamed.retain(|(name, _)| name != new);
        if new != in_file {
            self.renamed.push((new.to_owned(), in_file));
        }
    }

    /// The name in the file of the column `name`.
    pub fn in_file<'a>(&'a self, name: &'a str) -> &'a str {
        self.renamed.iter().find(|(new, _)| new == name).map_or(name, |(_, old)| old)
    }

    /// What the column of the file `name` is called here, if otherwise.
    pub fn here(&self, name: &str) -> Option<&str> {
        self.renamed.iter().find(|(_, old)| old == name).map(|(new, _)| new.as_str())
    }

    /// Where in the card the names of columns stand, before a colon.
    pub fn place(&self) -> String {
        self.part.map_or_else(
            || "in the card".to_owned(),
            |part| format!("in the card under `[dataset.parts.{part}]`"),
        )
    }
}
