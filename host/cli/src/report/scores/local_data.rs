//! Results of the user's own data that are not of this data as it is now.

use mteb_engine::cache::FileHashes;
use mteb_engine::plugins::Catalog;
use mteb_engine::registry::Selected;
use mteb_engine::settings::Settings;
use mteb_engine::source::DataSources;
use mteb_report::table::{Board, Column, Unit};

use crate::output;

/// A line for each of the `tasks` whose data is in files of the user's own, if scores that count on the board were made from
/// others, or by another card; they are marked on the board. Folders that are not there, and data of the hub, are not asked.
pub fn of_other_data(board: &mut Board, tasks: &[Selected], settings: &Settings) -> Vec<String> {
    let is_local = |task: &&Selected| task.entry.card.dataset.path.is_some();
    let column =
        |task: &Selected| board.columns.iter().find(|column| column.task.name == task.entry.card.name);
    let mut local = tasks.iter().filter(is_local).filter_map(|task| Some((task, column(task)?))).peekable();
    if local.peek().is_none() {
        return Vec::new();
    }
    let hashes = FileHashes::of_cache(&settings.cache_dir);
    let mut sources = DataSources::new(settings.clone(), &Catalog::default()).hashed(hashes);
    let found = local.filter_map(|(task, column)| line(task, column, &mut sources));
    let found: Vec<(String, String, String)> = found.collect();
    let numbers: Vec<Option<&String>> = board
        .columns
        .iter()
        .map(|column| found.iter().find(|(name, ..)| *name == column.task.name).map(|(_, change, _)| change))
        .collect();
    for row in &mut board.rows {
        for (cell, change) in row.cells.iter_mut().zip(&numbers) {
            if let Some(change) = change.filter(|_| cell.partial.is_some()) {
                cell.mark(format!("not of the data of now ({change})"));
            }
        }
    }
    found.into_iter().map(|(_, _, line)| line).collect()
}

/// The task, what changed, and what is to be said of it.
fn line(task: &Selected, column: &Column, sources: &mut DataSources) -> Option<(String, String, String)> {
    let change = |unit: &Unit| {
        let made_from = column.made_from(unit)?;
        sources.change_since(&task.entry, (&unit.0, &unit.1), made_from)
    };
    let changed: Vec<String> = column.units.iter().filter_map(change).collect();
    let (name, count) = (&column.task.name, changed.len());
    let of =
        if column.units.len() == 1 { String::new() } else { format!(" of {}", output::count(count, "unit")) };
    let first = changed.first()?;
    let line = format!(
        "{name}: results{of} are counted that are not of the data of now ({first}); `run` scores it anew"
    );
    Some((name.clone(), first.clone(), line))
}
