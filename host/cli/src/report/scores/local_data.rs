//! Results of the user's own data that are not of this data as it is now.

use mteb_engine::cache::FileHashes;
use mteb_engine::plugins::Catalog;
use mteb_engine::registry::Selected;
use mteb_engine::settings::Settings;
use mteb_engine::source::DataSources;
use mteb_report::table::{Board, Column, Unit};

use crate::output;

/// A line for each of the `tasks` whose data is in files of the user's own, if scores that count on the board were made from
/// others, or by another card. Folders that are not there, and data of the hub, are not asked.
pub fn of_other_data(board: &Board, tasks: &[Selected], settings: &Settings) -> Vec<String> {
    let is_local = |task: &&Selected| task.entry.card.dataset.path.is_some();
    let column =
        |task: &Selected| board.columns.iter().find(|column| column.task.name == task.entry.card.name);
    let mut local = tasks.iter().filter(is_local).filter_map(|task| Some((task, column(task)?))).peekable();
    if local.peek().is_none() {
        return Vec::new();
    }
    let hashes = FileHashes::of_cache(&settings.cache_dir);
    let mut sources = DataSources::new(settings.clone(), &Catalog::default()).hashed(hashes);
    local.filter_map(|(task, column)| line(task, column, &mut sources)).collect()
}

fn line(task: &Selected, column: &Column, sources: &mut DataSources) -> Option<String> {
    let change = |unit: &Unit| {
        let made_from = column.made_from(unit)?;
        sources.change_since(&task.entry, (&unit.0, &unit.1), made_from)
    };
    let changed: Vec<String> = column.units.iter().filter_map(change).collect();
    let (name, count) = (&column.task.name, changed.len());
    let of =
        if column.units.len() == 1 { String::new() } else { format!(" of {}", output::count(count, "unit")) };
    let first = changed.first()?;
    Some(format!(
        "{name}: results{of} are counted that are not of the data of now ({first}); `run` scores it anew"
    ))
}
