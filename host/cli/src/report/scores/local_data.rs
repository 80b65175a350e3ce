//! Results of the user's own data that are not of this data as it is now.

use mteb_engine::cache::FileHashes;
use mteb_engine::plugins::Catalog;
use mteb_engine::registry::Selected;
use mteb_engine::settings::Settings;
use mteb_engine::source::DataSources;
use mteb_report::table::{Board, Column, Unit};

use crate::output;

/// A line for each of the `tasks` whose data is in files of the user's own, if scores that count on the board were made from
/// others, or by another card; they are marked on the board. A mean is of the data of its members, whose scores are on the board
/// `members`. Folders that are not there, and data of the hub, are not asked.
pub fn of_other_data(
    board: &mut Board,
    members: Option<&Board>,
    tasks: &[Selected],
    settings: &Settings,
) -> Vec<String> {
    let is_local = |task: &Selected| task.entry.card.dataset.path.is_some();
    if !tasks.iter().flat_map(Selected::with_data).any(|task| is_local(&task)) {
        return Vec::new();
    }
    let hashes = FileHashes::of_cache(&settings.cache_dir);
    let mut sources = DataSources::new(settings.clone(), &Catalog::default()).hashed(hashes);
    let mut found: Vec<(String, String, String)> = Vec::new();
    for task in tasks {
        let name = &task.entry.card.name;
        let Some(own) = column(board, name) else { continue };
        if is_local(task) {
            found.extend(line(task, own, &mut sources));
        }
        let of_mean = task.with_data().into_iter().filter(|member| is_local(member) && !is_local(task));
        found.extend(members.and_then(|members| {
            let mut changed = of_mean
                .filter_map(|member| line(&member, column(members, &member.entry.card.name)?, &mut sources));
            let (member, change, _) = changed.next()?;
            let change = format!("its member {member}: {change}");
            Some((name.clone(), change.clone(), said(name, "", &change)))
        }));
    }
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
    Some((name.clone(), first.clone(), said(name, &of, first)))
}

fn column<'a>(board: &'a Board, task: &str) -> Option<&'a Column> {
    board.columns.iter().find(|column| column.task.name == task)
}

fn said(task: &str, of: &str, change: &str) -> String {
    format!(
        "{task}: results{of} are counted that are not of the data of now ({change}); `run` scores it anew"
    )
}
