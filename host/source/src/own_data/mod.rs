//! Data of the user's own: whether its files exist, what is asked of it beyond that of the hub, and
//! what is said of it. Nobody else has seen it.

mod absent;
mod numbered;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::suggest::{near, some};
use mteb_card::TaskCard;
use mteb_data::{DataError, Folder, is_readable};
use mteb_hub::NoReport;
use mteb_registry::{Fault, TaskEntry, data_path, fault_in, faults_in};
use mteb_tasks::Part;
use mteb_workers::settings::Settings;

use self::absent::{in_words_of_files, unread_arrow};
use self::numbered::missing_files;
use super::SourceError;
use super::datasets::{DatasetPlace, Datasets};
use super::layout::{PartPlace, UnitOf, layout_of, of_split, place_in_file, places_in_folder};
use super::unit_source::Note;

/// Where the parts of a unit are in a folder of the user's own, and what its reader should know of
/// the choice.
///
/// # Errors
/// If something that the unit needs is absent, or nobody can tell which of several files is meant.
pub fn own_places(folder: &Folder, unit: UnitOf) -> Result<(Vec<PartPlace>, Vec<Note>), DataError> {
    let places = found_places(folder, unit)?;
    let several = places.iter().filter_map(|place| several_files(folder, place));
    let mut notes: Vec<Note> = several.map(Note::of_unit).collect();
    notes.extend(training_rows(folder, unit, &places).map(Note::of_training));
    notes.extend(same_as_another_split(folder, unit, &places).map(Note::of_unit));
    let of_folder = mistyped_parts(folder, unit.card).into_iter().chain(unnamed_subsets(folder, unit.card));
    let unread = unread_arrow(folder).map(|line| format!("{}: {line}", folder.path().display()));
    notes.extend(of_folder.chain(unread).map(Note::of_folder));
    Ok((places, notes))
}

/// Where the parts of a unit are; nothing is read.
///
/// # Errors
/// As [`own_places`].
pub fn found_places(folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError> {
    let places = places_in_folder(folder, unit).map_err(|error| in_words_of_files(error, folder, unit))?;
    places.iter().try_for_each(|place| one_meaning(folder, place))?;
    Ok(places)
}

/// What there is to say of one file that serves several splits; `None` for the first of them.
pub fn one_file_note(unit: UnitOf, file: &Path) -> Option<String> {
    let first = earlier_splits(unit).next()?;
    Some(same_rows(unit.split, first, &file.display().to_string()))
}

/// Refuses files of which one must be meant and nothing says which.
fn one_meaning(folder: &Folder, place: &PartPlace) -> Result<(), DataError> {
    for (config, split) in &place.from {
        let rivals = folder.rivals(config, split)?;
        let [.., last] = rivals.as_slice() else { continue };
        let part = place.part.as_str();
        let is_part = place.part.is_of_rankings();
        let what = if is_part { format!("the part `{part}`") } else { format!("the split `{split}`") };
        return Err(DataError::Malformed {
            place: folder.path().display().to_string(),
            message: format!(
                "expected {what} in files of one format and place, found {}; remove those not meant, or name \
                 the one that is: `file = \"{last}\"` under `[dataset.parts.{part}]`",
                rivals.join(", ")
            ),
        });
    }
    Ok(())
}

/// Several files of a split whose names differ in more than a number, of which one may be a copy,
/// or in numbers of which one is left out.
fn several_files(folder: &Folder, place: &PartPlace) -> Option<String> {
    // What stands for a number is told from no number at all. How many files there are is the same
    // in all of them: two exports have two such numbers.
    let form = |file: &str| {
        let total =
            file.rfind("-of-").filter(|at| file[..*at].ends_with(|letter: char| letter.is_ascii_digit()));
        let (numbered, total) = file.split_at(total.unwrap_or(file.len()));
        let mut form: Vec<char> =
            numbered.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
        form.dedup_by(|next, before| *next == '0' && *before == '0');
        form.into_iter().chain(total.chars()).collect::<Vec<char>>()
    };
    let [(config, split)] = place.from.as_slice() else { return None };
    let files = folder.file_names(config, split).ok().filter(|_| folder.is_by_name())?;
    let is_numbered = files.iter().all(|file| form(file) == form(&files[0]));
    let together = || match files.as_slice() {
        [only] => format!("the split {split} is only {only}"),
        several => format!(
            "the split {split} is all of these files together: {}",
            some(several.iter().map(String::as_str))
        ),
    };
    match missing_files(&files).as_slice() {
        _ if !is_numbered => Some(together()),
        [] => None,
        [one] => Some(format!("{}; {one} does not exist", together())),
        several => {
            Some(format!("{}; these do not exist: {}", together(), some(several.iter().map(String::as_str))))
        }
    }
}

/// Rows to learn from that are those to predict.
fn training_rows(folder: &Folder, unit: UnitOf, places: &[PartPlace]) -> Option<String> {
    // Of one file each part may have other rows; their texts are compared once they are read.
    let chosen = |part: Part| {
        let source = unit.card.dataset.parts.get(part.as_str());
        let source = source.map(|source| of_split(source, unit.split));
        source.map(|source| (source.keep, source.drop)).unwrap_or_default()
    };
    if chosen(Part::Rows) != chosen(Part::Train) {
        return None;
    }
    let files = |part| places.iter().find(|place| place.part == part).map(|place| &place.splits);
    let (rows, train) = (files(Part::Rows)?, files(Part::Train)?);
    if rows == train {
        let file = shown(folder, places, Part::Rows);
        return Some(format!("the training rows are the rows to predict: both are those of {file}"));
    }
    let [file, other] = first_copy(rows.iter().flatten(), train.iter().flatten())?.map(|file| file.display());
    Some(format!("the training rows are the rows to predict: {other} is a copy of {file}"))
}

/// The first of `files` that holds the bytes of one of `others`, and that one. Only what is of one
/// length is read, and once.
fn first_copy<'a>(
    files: impl Iterator<Item = &'a PathBuf>,
    others: impl Iterator<Item = &'a PathBuf>,
) -> Option<[&'a Path; 2]> {
    let length = |path: &Path| path.metadata().map(|found| found.len()).ok().filter(|bytes| *bytes > 0);
    let measured = |file: &'a PathBuf| Some((file.as_path(), length(file)?));
    let hash = |path: &Path| mteb_files::sha256(mteb_files::open(path).ok()?).ok();
    let files: Vec<(&Path, u64)> = files.filter_map(measured).collect();
    let lengths: HashSet<u64> = files.iter().map(|(_, length)| *length).collect();
    let others = others.filter_map(measured).filter(|(_, length)| lengths.contains(length));
    let mut by_length: HashMap<u64, HashMap<String, &Path>> = HashMap::new();
    for (other, length) in others {
        let Some(hash) = hash(other) else { continue };
        by_length.entry(length).or_default().entry(hash).or_insert(other);
    }
    files.into_iter().find_map(|(file, length)| Some([file, by_length.get(&length)?.get(&hash(file)?)?]))
}

/// Rows or judgements that an earlier split of the card has, too.
fn same_as_another_split(folder: &Folder, unit: UnitOf, own: &[PartPlace]) -> Option<String> {
    let part = layout_of(unit.card).part_of_splits();
    let files = |places: &[PartPlace]| {
        places.iter().find(|place| place.part == part).map(|place| place.splits.clone())
    };
    let own_files = files(own)?;
    let is_same = |other: &&str| {
        let other = UnitOf { split: other, ..unit };
        places_in_folder(folder, other).is_ok_and(|places| files(&places).as_ref() == Some(&own_files))
    };
    let other = earlier_splits(unit).find(is_same)?;
    Some(same_rows(unit.split, other, &shown(folder, own, part)))
}

fn same_rows(split: &str, other: &str, files: &str) -> String {
    format!("the split {split} is read from the same file as the split {other}, and scored like it: {files}")
}

/// The splits of a subset that the card names before `split`.
fn earlier_splits(unit: UnitOf<'_>) -> impl Iterator<Item = &str> {
    let splits = unit.card.units().filter(move |(_, of)| *of == unit.subset).map(|(split, _)| split);
    splits.take_while(move |found| *found != unit.split)
}

/// Files called nearly as a part that there is not, or as a piece of one that there is.
fn mistyped_parts(folder: &Folder, card: &TaskCard) -> Vec<String> {
    let parts: Vec<&str> = layout_of(card).parts_by_name().into_iter().map(Part::as_str).collect();
    if parts.is_empty() || !folder.is_by_name() {
        return Vec::new();
    }
    let is_named = |file: &str| card.dataset.parts.values().any(|part| part.file.as_deref() == Some(file));
    let stem = |file: &str| file.split('.').next().unwrap_or(file).to_owned();
    let is_read = |file: &str| is_named(file) || (is_readable(file) && folder.has_config(&stem(file)));
    let stray = folder.all_files().filter(|file| !file.contains('/') && !is_read(file));
    let note = |file: &str| {
        let stem = stem(file);
        if let Some(part) = parts.iter().find(|part| folder.has_config(part) && is_piece(&stem, part)) {
            let file = folder.path().join(file).display().to_string();
            return Some(format!(
                "{file} is not read: `{part}` is a file of its own; put its rows there if they belong to it"
            ));
        }
        let meant = near(&stem, parts.iter().copied().filter(|part| !folder.has_config(part)));
        let meant = *meant.first()?;
        let file = folder.path().join(file).display().to_string();
        let parts = parts.join(", ");
        Some(if meant == stem {
            format!("{file} is not read because its format is not supported: write its rows as JSON lines")
        } else {
            format!(
                "{file} is not read because it is not named like one of the parts ({parts}): if it is \
                 `{meant}`, rename it"
            )
        })
    };
    stray.filter_map(note).collect()
}

/// Subsets that lie in the folder and are not read, for the card does not name them.
fn unnamed_subsets(folder: &Folder, card: &TaskCard) -> Option<String> {
    if card.subsets.is_empty() || !card.dataset.layout.is_config_per_subset() || !folder.is_by_name() {
        return None;
    }
    let is_named = |found: &str| {
        card.subsets.iter().any(|(name, subset)| subset.config.as_deref().unwrap_or(name) == found)
    };
    let subsets = folder.configs().filter_map(|config| layout_of(card).subset_in(folder, card, config));
    let unnamed: Vec<&str> = subsets.filter(|name| !is_named(name)).collect();
    let names = some(unnamed.iter().copied());
    let folder = folder.path().display();
    match unnamed.as_slice() {
        [] => None,
        [_] => Some(format!(
            "{folder}: a subset that the card does not name is not read: {names}; name it under `[subsets]`, or move it away"
        )),
        _ => Some(format!(
            "{folder}: subsets that the card does not name are not read: {names}; name them under `[subsets]`, or move them away"
        )),
    }
}

/// True of names as `corpus-2` and `corpus_old`.
fn is_piece(stem: &str, part: &str) -> bool {
    let rest = stem.strip_prefix(part).unwrap_or_default();
    rest.starts_with(['-', '_']) || rest.starts_with(|first: char| first.is_ascii_digit())
}

fn shown(folder: &Folder, places: &[PartPlace], part: Part) -> String {
    let files = places.iter().filter(|place| place.part == part).flat_map(PartPlace::files);
    let names: Vec<String> = files.take(3).map(|file| file.display().to_string()).collect();
    if names.is_empty() { folder.path().display().to_string() } else { names.join(", ") }
}

/// A fault for each split and subset of the `tasks`, and of their members, whose files are not
/// there: at the subset in its card, in the words of a run that misses them. A card whose `path`
/// leads nowhere has that fault alone, which its check tells of.
pub fn absent_files(tasks: &[Arc<TaskEntry>], settings: &Settings) -> Vec<Fault> {
    let mut datasets = Datasets::new(settings.clone(), Arc::new(NoReport));
    let all = tasks.iter().flat_map(|task| task.members.iter().chain([task]));
    let own = all.filter(|task| task.card.dataset.path.is_some() && task.card.unsupported.is_none());
    let mut faults = BTreeSet::new();
    for task in own.filter(|task| data_path(task).is_ok()) {
        let dataset = match datasets.find(task) {
            Ok(DatasetPlace::Folder(dataset)) => dataset,
            Ok(DatasetPlace::File(path)) => {
                let units =
                    task.card.units().map(|(split, subset)| UnitOf { card: &task.card, split, subset });
                faults.extend(units.filter_map(|unit| place_in_file(task, &path, unit).err()));
                continue;
            }
            Ok(DatasetPlace::Pack) => continue,
            Err(error) => {
                faults.insert(fault_in(&task.origin, &["dataset", "path"], error.to_string()).of_data());
                continue;
            }
        };
        let absent = task.card.units().filter_map(|(split, subset)| {
            let error = found_places(&dataset.folder, UnitOf { card: &task.card, split, subset }).err()?;
            let is_named = task.card.subset(subset).is_some();
            let place = if is_named { ["subsets", subset] } else { ["dataset", "path"] };
            Some((place, format!("split {split}, subset {subset}: {}", SourceError::from(error))))
        });
        faults.extend(faults_in(&task.origin, absent).into_iter().map(Fault::of_data));
    }
    faults.into_iter().collect()
}
