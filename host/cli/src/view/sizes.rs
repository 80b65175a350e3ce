//! Scores by the size of embeddings: a column a size.

use mteb_engine::run::{RunReport, TaskReport};

use super::table::{cell, right, table, text};

/// A run with embeddings of one size.
pub struct Size {
    /// Numbers an embedding.
    pub dimension: u32,
    /// Bytes an embedding.
    pub bytes: u32,
    /// What became of it.
    pub report: RunReport,
}

/// A row a task, a column a size, main scores in per cent.
pub fn size_table(sizes: &[Size]) -> String {
    let heads = sizes.iter().map(|size| format!("{} ({} B)", size.dimension, size.bytes));
    let mut table = table(["Task".to_owned()].into_iter().chain(heads));
    let tasks = sizes.first().map(|size| size.report.tasks.as_slice()).unwrap_or_default();
    for (place, task) in tasks.iter().enumerate() {
        let score = |size: &Size| {
            let found = size.report.tasks.get(place).and_then(TaskReport::score);
            right(found.map_or_else(|| "–".to_owned(), |score| format!("{:.2}", 100.0 * score)))
        };
        table.add_row([cell(&task.task)].into_iter().chain(sizes.iter().map(score)));
    }
    text(table)
}
