//! The `model-index` with which a model's README shows its scores on the hub.
//!
//! Source: the hub's model card metadata; the MTEB paper describes it as the way to its leaderboard.

use std::fmt::Write;

use crate::table::{Board, Row};

/// The front matter of a README: one result a split and subset, scores in percent.
pub fn model_index(board: &Board, row: &Row) -> String {
    let mut out = format!("---\ntags:\n- mteb\nmodel-index:\n- name: {}\n  results:\n", quoted(&row.model));
    for (column, cell) in board.columns.iter().zip(&row.cells) {
        for ((split, subset), score) in column.units.iter().zip(&cell.units) {
            let (Some(score), task) = (score, &column.task) else { continue };
            let _ = write!(
                out,
                "  - task:\n      type: {}\n    dataset:\n      type: {}\n      name: {}\n      config: {}\n      split: {}\n      \
                 revision: {}\n    metrics:\n    - type: {}\n      value: {:.5}\n    - type: main_score\n      value: {:.5}\n",
                quoted(&task.task_type),
                quoted(task.dataset.as_deref().unwrap_or(&task.name)),
                quoted(&format!("MTEB {} ({subset})", task.name)),
                quoted(subset),
                quoted(split),
                quoted(task.revision.as_deref().unwrap_or("1")),
                quoted(&task.main_score),
                100.0 * score,
                100.0 * score,
            );
        }
    }
    out + "---\n"
}

/// A text as YAML: the double quotes of JSON, whose escapes YAML knows.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
