//! Results of the user's own data that are not of this data as it is now.

use std::collections::{BTreeSet, HashMap};

use mteb_base::suggest::some;
use mteb_cache::FileHashes;
use mteb_registry::Selected;
use mteb_report::reading::Collection;
use mteb_report::table::{Board, Column, Row, Unit};
use mteb_source::{DataChange, DataSources};
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

use crate::output;

/// A line for each of the `tasks` whose data is in files of the user's own, if scores that count on the board were made from
/// others, or by another card; they are marked on the board. A mean is of the data of its members, whose scores are on the board
/// `members`, and of the tasks that its card names. Folders that are not there, and data of the hub, are not asked.
pub fn mark_other_data(
    board: &mut Board,
    members: Option<&Board>,
    tasks: &[Selected],
    settings: &Settings,
) -> Vec<String> {
    let is_mean = |task: &Selected| !task.entry.members.is_empty();
    if !tasks.iter().any(|task| is_mean(task) || is_local(task)) {
        return Vec::new();
    }
    let hashes = FileHashes::of_cache(&settings.cache_dir);
    let mut sources = DataSources::new(settings.clone(), &Catalog::default()).with_hashes(hashes);
    let mut found: Vec<(String, DataChange, String)> = Vec::new();
    for task in tasks.iter().filter(|task| is_mean(task) || is_local(task)) {
        let name = &task.entry.card.name;
        let Some(own) = column(board, name) else { continue };
        let own = line(task, own, &mut sources);
        if own.is_some() || !is_mean(task) {
            found.extend(own);
            continue;
        }
        let of_mean = task.with_data().into_iter().filter(is_local);
        found.extend(members.and_then(|members| {
            let changed = of_mean
                .filter_map(|member| line(&member, column(members, &member.entry.card.name)?, &mut sources));
            let (member, change, _) = pick_worst(changed.collect(), |(_, change, _)| change)?;
            let change = change.within(|what| format!("its member {member}: {what}"));
            Some((name.clone(), change.clone(), describe_change(name, "", &change)))
        }));
    }
    let numbers: Vec<Option<&DataChange>> = board
        .columns
        .iter()
        .map(|column| found.iter().find(|(name, ..)| *name == column.task.name).map(|(_, change, _)| change))
        .collect();
    for row in &mut board.rows {
        for (cell, change) in row.cells.iter_mut().zip(&numbers) {
            let change = change.filter(|change| cell.partial.is_some() && change.is_of_other_data());
            if let Some(change) = change {
                cell.mark(format!("not from the current data ({})", change.what()));
            }
        }
    }
    found.into_iter().map(|(_, _, line)| line).collect()
}

/// Of each of the `tasks` whose data is in files of the user's own, and of each of its units of which results differ in what they
/// were made from, what those were made from that are of the data as it is now, where that is so of one kind of them alone.
pub fn find_current(
    collection: &Collection,
    tasks: &[Selected],
    settings: &Settings,
) -> HashMap<String, HashMap<Unit, String>> {
    let mut found: HashMap<String, HashMap<Unit, String>> = HashMap::new();
    let mut sources = None;
    for task in tasks.iter().filter(|task| is_local(task)) {
        let name = &task.entry.card.name;
        let mut kinds: HashMap<Unit, BTreeSet<&str>> = HashMap::new();
        for entry in collection.files_of(name).flat_map(|file| &file.entries) {
            let unit = (entry.split.clone(), entry.subset.clone());
            kinds.entry(unit).or_default().extend(entry.made_from());
        }
        for (split, subset) in task.units() {
            let unit = (split.to_owned(), subset.to_owned());
            let Some(kinds) = kinds.get(&unit).filter(|kinds| kinds.len() > 1) else { continue };
            let sources = sources.get_or_insert_with(|| {
                let hashes = FileHashes::of_cache(&settings.cache_dir);
                DataSources::new(settings.clone(), &Catalog::default()).with_hashes(hashes)
            });
            let mut same = kinds.iter().filter(|kind| {
                let change = sources.change_since(&task.entry, (split, subset), kind);
                change.is_none_or(|change| !change.is_of_other_data())
            });
            if let (Some(only), None) = (same.next(), same.next()) {
                found.entry(name.clone()).or_default().insert(unit, (*only).to_owned());
            }
        }
    }
    found
}

fn is_local(task: &Selected) -> bool {
    task.entry.card.dataset.path.is_some()
}

/// The task, what changed, and what is to be said of it.
fn line(task: &Selected, column: &Column, sources: &mut DataSources) -> Option<(String, DataChange, String)> {
    let change = |unit: &Unit| {
        let made_from = column.made_from(unit)?;
        sources.change_since(&task.entry, (&unit.0, &unit.1), made_from)
    };
    let all: Vec<DataChange> = column.units.iter().filter_map(change).collect();
    let (name, first) = (&column.task.name, pick_worst(all.clone(), |change| change)?);
    let count = all.iter().filter(|change| change.is_of_other_data() == first.is_of_other_data()).count();
    let of =
        if column.units.len() == 1 { String::new() } else { format!(" of {}", output::count(count, "unit")) };
    Some((name.clone(), first.clone(), describe_change(name, &of, &first)))
}

/// The first by which results are of other data; the first of all where there is none.
fn pick_worst<T>(mut all: Vec<T>, change: impl Fn(&T) -> &DataChange) -> Option<T> {
    let place = all.iter().position(|one| change(one).is_of_other_data()).unwrap_or(0);
    (!all.is_empty()).then(|| all.swap_remove(place))
}

fn column<'a>(board: &'a Board, task: &str) -> Option<&'a Column> {
    board.columns.iter().find(|column| column.task.name == task)
}

fn describe_change(task: &str, of: &str, change: &DataChange) -> String {
    let remedy = match change {
        DataChange::Changed(_) => "`run` scores it again",
        DataChange::Locked(_) => {
            "restore the earlier file, or accept the current one with `run --update-lock`, which scores it again"
        }
        DataChange::OtherLock(what) => {
            return format!(
                "{task}: results{of} are from the current data, which is not in the lock: {what}; `run` refuses \
                 it until it is accepted with `run --update-lock` or the earlier file is restored"
            );
        }
        DataChange::Unreadable(_) => "`run` cannot score it again before that is fixed",
    };
    format!(
        "{task}: results{of} are counted that are not from the current data ({}); {remedy}",
        change.what()
    )
}

/// A line on the tasks of the rows that `are_meant` whose scores were made from files of the user's own, or whose members' were, if
/// none of the cards of the tasks `known` says where these are.
pub fn name_unchecked(board: &Board, known: &[Selected], are_meant: impl Fn(&Row) -> bool) -> Option<String> {
    let is_called = |task: &Selected, name: &str| task.entry.card.name == name;
    let has_card = |name: &str| {
        known.iter().any(|task| {
            let data = task.with_data();
            let own = is_called(task, name) && data.iter().any(is_local);
            own || data.iter().any(|member| is_called(member, name) && is_local(member))
        })
    };
    let rows: Vec<&Row> = board.rows.iter().filter(|row| are_meant(row)).collect();
    let counts = |number: usize| rows.iter().any(|row| row.cells[number].partial.is_some());
    let columns = board.columns.iter().enumerate();
    let names: Vec<&str> = columns
        .filter(|(number, column)| column.is_of_own_data() && counts(*number) && !has_card(&column.task.name))
        .map(|(_, column)| column.task.name.as_str())
        .collect();
    let said = match names.len() {
        0 => return None,
        1 => ["its current data", "because its card was not named; name it"],
        _ => ["their current data", "because their cards were not named; name them"],
    };
    let [data, remedy] = said;
    Some(format!(
        "{}: results are not checked against {data}, and every split and subset that any of them has counts, \
         {remedy} with `--registry FILE`",
        some(names)
    ))
}
