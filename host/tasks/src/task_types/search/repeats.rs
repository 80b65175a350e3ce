//! Ids that occur more than once, as messages say them.

use std::collections::HashMap;

use mteb_data::{CellFault, DataError, Location};

/// How many ids occur more than once, and the first place where one does.
#[derive(Debug, Default)]
pub(super) struct Repeated {
    count: usize,
    pub first: Option<Repeat>,
}

/// An id at its second place.
#[derive(Debug)]
pub(super) struct Repeat {
    id: String,
    column: &'static str,
    first: Location,
    second: Location,
    /// Rows of the same file that repeat an id, too.
    others: Vec<usize>,
}

/// The first place of each id that is suspected to occur more than once; `None` once it was counted.
pub(super) type Seen = HashMap<String, Option<Location>>;

impl Repeated {
    /// Takes in an id that is suspected to occur more than once; `seen` has the first place of those before.
    pub fn see(&mut self, seen: &mut Seen, id: &str, column: &'static str, at: impl Fn() -> Location) {
        let Some(first) = seen.get_mut(id) else {
            seen.insert(id.to_owned(), Some(at()));
            return;
        };
        let first = first.take();
        self.count += usize::from(first.is_some());
        match (&mut self.first, first) {
            (Some(repeat), _) => repeat.join(&at()),
            (none, Some(first)) => {
                *none = Some(Repeat { id: id.to_owned(), column, first, second: at(), others: Vec::new() });
            }
            (None, None) => {}
        }
    }

    /// What the reader of a result should know of the ids of `things`.
    pub fn note(&self, things: &str) -> String {
        let first = self.first.as_ref();
        let place = first.map(|first| format!(", first “{}” in {}", first.id, first.second));
        format!(
            "ids of {things} that occur more than once and are used as mteb uses them: {}{}",
            self.count,
            place.unwrap_or_default()
        )
    }
}

impl Repeat {
    fn join(&mut self, other: &Location) {
        if other.file == self.second.file {
            self.others.push(other.number);
        }
    }

    /// The fault of the second place.
    pub fn fault(&self) -> DataError {
        DataError::Cell(Box::new(CellFault {
            at: self.second.clone(),
            column: self.column.to_owned(),
            expected: "an id of its own".to_owned(),
            found: format!("“{}”, the id of {} too", self.id, self.first),
            advice: String::new(),
            others: self.others.clone(),
        }))
    }
}

/// The first of some ids, for messages.
pub(super) fn some<'a>(mut ids: impl Iterator<Item = &'a str>) -> String {
    let mut first: Vec<String> = ids.by_ref().take(3).map(|id| format!("“{id}”")).collect();
    if ids.next().is_some() {
        first.push("…".to_owned());
    }
    first.join(", ")
}
