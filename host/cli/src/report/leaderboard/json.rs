//! The table as JSON, with the score of every task.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Leaderboard;
use super::rank::Ranked;

impl Leaderboard {
    /// A list of rows, best model first.
    pub fn json(&self) -> Value {
        let common: Vec<&str> =
            self.common().into_iter().map(|number| self.columns[number].task.as_str()).collect();
        Value::Array(self.ranked().iter().map(|ranked| self.row_json(ranked, &common)).collect())
    }

    fn row_json(&self, ranked: &Ranked, common: &[&str]) -> Value {
        let cells = || ranked.row.cells.iter().zip(&self.columns);
        let tasks: BTreeMap<&str, Option<f64>> =
            cells().map(|(cell, column)| (column.task.as_str(), cell.complete)).collect();
        let types: BTreeMap<&str, Option<f64>> =
            ranked.types.types.iter().map(|(name, mean)| (name.as_str(), *mean)).collect();
        let missing: Vec<Value> = cells()
            .filter(|(cell, _)| cell.complete.is_none())
            .map(
                |(cell, column)| json!({ "task": column.task, "units": cell.units, "missing": cell.missing }),
            )
            .collect();
        let notes: Vec<Value> = cells()
            .filter(|(cell, _)| !cell.notes.is_empty())
            .map(|(cell, column)| json!({ "task": column.task, "counted": cell.is_marked, "notes": cell.notes }))
            .collect();
        json!({
            "rank": ranked.rank,
            "reference_rank": ranked.reference_rank,
            "model": ranked.row.model,
            "revision": ranked.row.revision,
            "experiment": ranked.row.experiment,
            "mean_task": ranked.mean,
            "mean_task_type": ranked.types.mean,
            "mean_common": ranked.common_mean,
            "common_tasks": common,
            "task_types": types,
            "tasks": tasks,
            "missing": missing,
            "other_data": notes,
        })
    }
}
