//! What a card calls a table and its columns, so that a message can speak in the words of the file and of the card.

/// What the card says of the names of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CardWording {
    /// The part of a ranking task that the table is: its columns are named under `[dataset.parts.<part>]`.
    pub part: Option<&'static str>,
    /// Columns that are called otherwise than in the file: name here, name there.
    pub renamed: Vec<(String, String)>,
}

impl CardWording {
    /// Columns are called by the first name of each pair from here on, all at once, and no longer by the second.
    pub fn rename(&mut self, names: &[(&str, &str)]) {
        let in_file = |(new, old): &(&str, &str)| ((*new).to_owned(), self.in_file(old).to_owned());
        let renamed: Vec<(String, String)> = names.iter().map(in_file).collect();
        self.renamed.retain(|(name, _)| !names.iter().any(|(new, old)| name == new || name == old));
        self.renamed.extend(renamed.into_iter().filter(|(new, in_file)| new != in_file));
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

#[cfg(test)]
mod tests {
    use super::CardWording;

    #[test]
    fn columns_that_swap_their_names_are_found_in_the_file() {
        let mut wording = CardWording::default();
        wording.rename(&[("text", "label"), ("label", "text")]);
        assert_eq!((wording.in_file("text"), wording.in_file("label")), ("label", "text"));
        wording.rename(&[("text", "label"), ("label", "text")]);
        assert_eq!(wording, CardWording::default(), "called as in the file again");
        wording.rename(&[("id", "nomor")]);
        wording.rename(&[("_id", "id")]);
        assert_eq!((wording.in_file("_id"), wording.here("nomor")), ("nomor", Some("_id")));
    }
}
