//! Texts that are empty.

use mteb_data::{DataError, Table};
use mteb_tasks::Part;

use super::data::SubsetData;
use super::fault::DataFault;
use crate::stats::for_each_of_row;

/// Finds empty texts; a document needs a title or a text.
///
/// # Errors
/// If the titles cannot be read.
pub fn check(data: &SubsetData) -> Result<Vec<DataFault>, DataError> {
    let mut faults = Vec::new();
    for column in &data.columns {
        let mut rows = Vec::new();
        // A cell that holds no text is a fault of its type, which a run names.
        for at in column.texts.iter().filter(|at| at.is_text && at.text.trim().is_empty()) {
            let corpus = column.unit.get(Part::Corpus).filter(|_| column.part == Part::Corpus);
            if corpus.is_none_or(|corpus| !has_title(corpus, at.row)) {
                rows.push(data.place(column.unit, column.part, at.row));
            }
        }
        rows.dedup();
        if !rows.is_empty() {
            let message = format!("expected a text in `{}`, found an empty one", column.name);
            faults.push(data.fault(
                column.unit,
                "empty texts",
                rows,
                message,
                "write the text or remove the row",
            ));
        }
    }
    Ok(faults)
}

fn has_title(corpus: &Table, row: usize) -> bool {
    let mut has = false;
    if let Some(titles) = corpus.get("title") {
        for_each_of_row(titles, row, |title| has |= title.is_some_and(|title| !title.trim().is_empty()));
    }
    has
}
