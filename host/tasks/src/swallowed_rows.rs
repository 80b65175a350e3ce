//! Rows of CSV and TSV files that a quote at the begin of a text may have swallowed: RFC 4180 lets a quoted cell go on over lines, and
//! nobody can tell a text of several lines from rows that were never meant to be one.

use std::collections::BTreeMap;

use mteb_card::Dataset;
use mteb_data::{RowsInCell, Table};

use crate::{Corpus, Part, Unit};

/// A note on each file of `unit` some of whose rows are lines that read as rows themselves, all or some of them, unless the card says that they are
/// meant; of a `corpus` that is not in the unit all of its pieces are read.
pub fn swallowed_rows(dataset: &Dataset, unit: &Unit, corpus: Option<&dyn Corpus>) -> Vec<String> {
    if dataset.multiline_cells {
        return Vec::new();
    }
    let mut files: BTreeMap<String, Vec<[usize; 3]>> = BTreeMap::new();
    let mut add = |table: &Table| {
        for RowsInCell { file, first_line, last_line, other_lines } in table.rows_in_cells() {
            files.entry(file.to_string()).or_default().push([*first_line, *last_line, *other_lines]);
        }
    };
    unit.parts.values().for_each(&mut add);
    if let Some(corpus) = corpus.filter(|_| unit.get(Part::Corpus).is_none()) {
        // Others say what cannot be read.
        corpus.open().map_while(Result::ok).take_while(Table::is_untyped).for_each(|table| add(&table));
    }
    files.into_iter().map(|(file, lines)| note(&file, lines)).collect()
}

fn note(file: &str, mut lines: Vec<[usize; 3]>) -> String {
    lines.sort_unstable();
    // Two parts may be read from one file.
    lines.dedup();
    let [first, last, others] = lines.first().copied().unwrap_or_default();
    let more = match lines.len() {
        0 | 1 => String::new(),
        2 => "; 1 more cell is like it".to_owned(),
        many => format!("; {} more cells are like it", many - 1),
    };
    let which = match others {
        0 => "each of which looks like a row".to_owned(),
        1 => "all but 1 of which look like rows".to_owned(),
        many => format!("some of which look like rows ({many} do not)"),
    };
    format!(
        "{file}, lines {first} to {last}: a quoted cell spans these lines, {which}, and all are \
         scored as one row{more}; if they are rows, put the text that begins with a quote into double quotes and double its own \
         (`\"\"\"Yes\"\", she said\"`); if the cell is meant, write `multiline_cells = true` under `[dataset]` of the card"
    )
}
