//! What the parts of a task are known by: the names of their files, their columns of texts.

use mteb_card::{Part, TaskType};
use mteb_data::PartNames;

use crate::facts;

/// What files that are a part of a ranking task are called.
pub fn part_names() -> PartNames {
    PartNames {
        all: Part::of_rankings().flat_map(Part::file_names).collect(),
        // A stray file beside them would be taken for judgements.
        without_rows: [Part::Corpus, Part::Qrels].map(Part::as_str).to_vec(),
    }
}

/// The columns of a part that hold texts (protocol 2.1, 2.2).
pub fn text_columns(task_type: TaskType, part: Part) -> &'static [&'static str] {
    if part.is_of_rankings() { part.text_columns() } else { facts(task_type).text_columns }
}
