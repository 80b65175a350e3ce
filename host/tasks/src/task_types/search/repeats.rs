//! Ids that occur more than once, as messages say them.

use std::collections::HashMap;

use mteb_data::DataError;

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
    first: String,
    second: String,
}

impl Repeated {
    /// Takes in an id that is suspected to occur more than once; `seen` has the first place of those before.
    pub fn see(
        &mut self,
        seen: &mut HashMap<String, String>,
        id: &str,
        column: &'static str,
        location: impl Fn() -> String,
    ) {
        let Some(first) = seen.get_mut(id) else {
            seen.insert(id.to_owned(), location());
            return;
        };
        if first.is_empty() {
            // It has been counted.
            return;
        }
        self.count += 1;
        let first = std::mem::take(first);
        self.first.get_or_insert_with(|| Repeat { id: id.to_owned(), column, first, second: location() });
    }

    /// What the reader of a result should know of the ids of `things`.
    pub fn note(&self, things: &str) -> String {
        let first = self.first.as_ref();
        let place = first.map(|first| format!(", first {} in {}", first.id, first.second));
        format!(
            "ids of {things} that occur more than once and are taken as the reference takes them: {}{}",
            self.count,
            place.unwrap_or_default()
        )
    }
}

impl Repeat {
    /// The fault of the second place.
    pub fn fault(&self) -> DataError {
        DataError::Cell {
            place: self.second.clone(),
            column: self.column.to_owned(),
            expected: "an id of its own".to_owned(),
            found: format!("{}, the id of {} too", self.id, self.first),
        }
    }
}

/// The first of some ids, for messages.
pub(super) fn some<'a>(mut ids: impl Iterator<Item = &'a str>) -> String {
    let mut first: Vec<&str> = ids.by_ref().take(3).collect();
    if ids.next().is_some() {
        first.push("…");
    }
    first.join(", ")
}
