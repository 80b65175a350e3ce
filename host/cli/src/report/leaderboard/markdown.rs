//! The table as Markdown.

use std::fmt::Write;

use super::super::escape::markdown;
use super::Leaderboard;
use super::rank::Ranked;
use super::row::Row;

/// Missing tasks that a row names; JSON has all.
const NAMED: usize = 5;

impl Leaderboard {
    /// The Markdown table, best model first, and below it what one must know to read it.
    pub fn markdown(&self) -> String {
        let ranked = self.ranked();
        let first = ranked.first();
        let types: Vec<&str> = first
            .map_or_else(Vec::new, |first| first.types.types.iter().map(|(name, _)| name.as_str()).collect());
        let is_uneven = ranked.iter().any(|row| row.rank.is_none());
        let mut titles = vec!["Rank (Borda)", "Model", "Mean (Task)", "Mean (TaskType)"];
        titles.extend(types);
        let shared = self.shared_title();
        if is_uneven {
            titles.extend(shared.as_deref());
            titles.push("Missing");
        }
        let titles: Vec<String> = titles.into_iter().map(markdown).collect();
        let is_text = |title: &String| matches!(title.as_str(), "Model" | "Missing");
        let rules: Vec<&str> =
            titles.iter().map(|title| if is_text(title) { "---" } else { "---:" }).collect();
        let mut out = format!("| {} |\n|{}|\n", titles.join(" | "), rules.join("|"));
        for row in &ranked {
            let _ = writeln!(out, "| {} |", self.cells(row, is_uneven).join(" | "));
        }
        for note in self.notes(&ranked) {
            let _ = write!(out, "\n{note}\n");
        }
        out
    }

    fn shared_title(&self) -> Option<String> {
        let common = self.common().len();
        (common > 0).then(|| format!("Mean ({common} in common)"))
    }

    fn cells(&self, ranked: &Ranked, is_uneven: bool) -> Vec<String> {
        let Ranked { row, rank, mean, types, common_mean, .. } = ranked;
        let mark = if row.cells.iter().any(|cell| cell.is_marked) { " †" } else { "" };
        let mut cells = vec![
            rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
            format!("{}{mark}", markdown(&row.model)),
            percent(*mean),
            percent(types.mean),
        ];
        cells.extend(types.types.iter().map(|(_, mean)| percent(*mean)));
        if is_uneven {
            cells.extend((!self.common().is_empty()).then(|| percent(*common_mean)));
            cells.push(self.missing(row));
        }
        cells
    }

    /// The tasks that a row lacks, by name.
    fn missing(&self, row: &Row) -> String {
        let cells = row.cells.iter().zip(&self.columns).filter(|(cell, _)| cell.complete.is_none());
        let names: Vec<String> = cells
            .map(|(cell, column)| {
                let part = if cell.missing < cell.units {
                    format!(" ({} of {} units)", cell.missing, cell.units)
                } else {
                    String::new()
                };
                format!("{}{part}", markdown(&column.task))
            })
            .collect();
        let more = names.len().saturating_sub(NAMED);
        let shown = names[..names.len() - more].join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    }

    fn notes(&self, ranked: &[Ranked]) -> Vec<String> {
        let mut notes = Vec::new();
        let complete = ranked.iter().filter(|row| row.rank.is_some()).count();
        if complete < ranked.len() {
            notes.push(format!(
                "{complete} of {} models have all {} tasks; ranks and means are theirs alone, and the others follow \
                 without one.",
                ranked.len(),
                self.columns.len()
            ));
        }
        let marked: Vec<String> = self
            .rows
            .iter()
            .flat_map(|row| {
                row.cells.iter().zip(&self.columns).map(move |(cell, column)| (row, cell, column))
            })
            .filter(|(_, cell, _)| cell.is_marked)
            .map(|(row, cell, column)| {
                let why = markdown(&cell.notes.join("; "));
                format!("{} ({}, {why})", markdown(&row.model), markdown(&column.task))
            })
            .collect();
        if !marked.is_empty() {
            notes.push(format!("† may be of other data: {}", marked.join(", ")));
        }
        notes
    }
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.2}", 100.0 * score))
}
