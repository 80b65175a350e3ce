//! Reads result folders, side by side, through the index of what was read before.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_results::reading::{Entry, Summary, read_meta, read_text};
use mteb_results::{META, ResultFault};
use rayon::prelude::*;

use super::checks::Checks;
use super::collection::{Collection, LeftOut, ResultsFolder, WhyLeftOut};
use super::index::{Content, Index, Outcome, Stamp};
use super::layout::{self, Found};

/// How to read.
pub struct Options<'a> {
    /// Folder of the index; without one every file is read.
    pub index: Option<PathBuf>,
    /// What of files of this host is checked.
    pub checks: Checks,
    /// Which tasks are wanted, by the name of their file.
    pub wanted: &'a (dyn Fn(&str) -> bool + Sync),
    /// The main score of a task, by its name, where that is known.
    pub main_score: &'a (dyn Fn(&str) -> Option<String> + Sync),
}

/// A folder that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("expected results in {}: {source}", path.display())]
pub struct ReadError {
    /// The folder.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// Reads all results below `roots`.
///
/// # Errors
/// If a folder cannot be read. A file that cannot be right is listed in the collection.
pub fn read(roots: &[PathBuf], options: &Options) -> Result<Collection, ReadError> {
    let mut collection = Collection::default();
    for root in roots {
        let fault = |source| ReadError { path: root.clone(), source };
        let found = layout::find(root).map_err(fault)?;
        let index = options.index.as_ref().map(|folder| Index::load(folder, root)).unwrap_or_default();
        let read: Vec<io::Result<FolderOutcome>> =
            found.par_iter().map(|found| read_folder(found, &index, options)).collect();
        let mut fresh = Index::default();
        for outcome in read {
            let outcome = outcome.map_err(fault)?;
            add(&mut collection, &mut fresh, outcome, options.checks);
        }
        if let Some(folder) = &options.index {
            // An index that cannot be written costs time, never a result.
            let _ = fresh.store(index, folder, root);
        }
    }
    Ok(collection)
}

/// A folder and the files in it.
struct FolderOutcome {
    found: Found,
    files: Vec<FileOutcome>,
    /// Of files as they were before scores in them were replaced.
    before: Vec<FileOutcome>,
}

/// A file, and true if the index does not have what it holds.
type FileOutcome = (PathBuf, Stamp, Outcome, bool);

fn read_folder(found: &Found, index: &Index, options: &Options) -> io::Result<FolderOutcome> {
    let mut files = Vec::new();
    for path in layout::files(&found.path)? {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.file_name() != Some(META.as_ref()) && !(options.wanted)(&stem) {
            continue;
        }
        files.extend(read_once(&path, &stem, index, options));
    }
    let is_there = |task: &str| {
        files.iter().any(|(path, _, outcome, _)| {
            outcome.is_ok() && path.file_stem().is_some_and(|stem| stem.to_string_lossy() == task)
        })
    };
    let before = layout::find_copies_of_before(&found.path).into_iter();
    let before = before.filter(|(task, _)| (options.wanted)(task) && is_there(task));
    let before = before.filter_map(|(task, path)| read_once(&path, &task, index, options)).collect();
    Ok(FolderOutcome { found: found.clone(), files, before })
}

/// What the file at `path` of the task `stem` holds, by the index where that is still so; `None` if
/// it is gone.
fn read_once(path: &Path, stem: &str, index: &Index, options: &Options) -> Option<FileOutcome> {
    let stamp = Stamp::of(path).ok()?;
    let main = (options.main_score)(stem);
    let kept = index.get(path, stamp).filter(|outcome| was_read_for(outcome, main.as_deref()));
    let (outcome, is_new) = match kept {
        Some(outcome) => (outcome.clone(), false),
        None => (read_file(path, (stem, main.as_deref()), options.checks).map_err(Into::into), true),
    };
    Some((path.to_owned(), stamp, outcome, is_new))
}

/// True unless a file was read for another main score than `main`, where that is known.
fn was_read_for(outcome: &Outcome, main: Option<&str>) -> bool {
    match outcome {
        Ok(Content::Result(file)) => main.is_none() || file.main_score.as_deref() == main,
        Ok(Content::Meta(_)) | Err(_) => true,
    }
}

fn read_file(
    path: &Path,
    (stem, main): (&str, Option<&str>),
    checks: Checks,
) -> Result<Content, ResultFault> {
    let text = read_text(path)?;
    Ok(match layout::last(path) == META {
        true => Content::Meta(read_meta(&text)?),
        false => Content::Result(Arc::new(checks.read_summary(&text, stem, main)?)),
    })
}

fn add(collection: &mut Collection, fresh: &mut Index, outcome: FolderOutcome, checks: Checks) {
    let FolderOutcome { found, files, before } = outcome;
    let mut folder = ResultsFolder {
        model: found.model.replace("__", "/"),
        revision: Some(found.revision),
        experiment: found.experiment,
        path: found.path,
        ..ResultsFolder::default()
    };
    let mut results: BTreeMap<String, Arc<Summary>> = BTreeMap::new();
    let mut left_out: Vec<(PathBuf, WhyLeftOut)> = Vec::new();
    for (path, stamp, outcome, is_new) in files {
        fresh.insert(path.clone(), stamp, outcome.clone(), is_new);
        match outcome {
            Ok(Content::Result(file)) if file.entries.is_empty() => {
                left_out.push((path, WhyLeftOut::NoScores));
            }
            Ok(Content::Result(file)) => {
                left_out.extend(faults(&file, checks).map(|(_, why)| (path.clone(), why)));
                results.insert(file.task.clone(), file);
            }
            Ok(Content::Meta(meta)) => {
                if meta.name.is_none() {
                    left_out.push((path, WhyLeftOut::MetaNameless));
                }
                folder.model = meta.name.clone().unwrap_or(folder.model);
                folder.meta = Some(meta);
            }
            Err(why) => {
                let is_meta = layout::last(&path) == META;
                let why = if is_meta { WhyLeftOut::MetaUnread(why) } else { WhyLeftOut::Unread(why) };
                left_out.push((path, why));
            }
        }
    }
    let given = folder.meta.as_ref().and_then(|meta| meta.name.clone());
    results.retain(|_, file| match (&file.model, &given) {
        (Some(own), Some(given)) if own != given => {
            let why = WhyLeftOut::OtherModel { expected: given.clone(), found: own.clone() };
            left_out.push((folder.path.join(format!("{}.json", file.stem)), why));
            false
        }
        _ => true,
    });
    for (path, stamp, outcome, is_new) in before {
        fresh.insert(path.clone(), stamp, outcome.clone(), is_new);
        match outcome {
            Ok(Content::Result(file)) => {
                let Some(now) = results.get(&file.task) else { continue };
                let unsaid = faults(&file, checks).filter(|(entry, _)| !has_sound(now, &file, entry));
                left_out.extend(unsaid.map(|(_, why)| (path.clone(), why)));
                if now.model == file.model || now.model.is_none() {
                    folder.before.entry(file.task.clone()).or_default().push(file);
                }
            }
            Ok(Content::Meta(_)) => {}
            Err(why) => left_out.push((path, WhyLeftOut::Unread(why))),
        }
    }
    let model = &folder.model;
    let left_out = left_out.into_iter().map(|(path, why)| LeftOut { path, model: model.clone(), why });
    collection.left_out.extend(left_out);
    folder.files = results.into_values().collect();
    if !folder.files.is_empty() {
        collection.folders.push(folder);
    }
}

/// The entries of a file of this host that cannot be right, each with why. Of files of others,
/// boards say it of the scores that they would count.
fn faults(file: &Summary, checks: Checks) -> impl Iterator<Item = (&Entry, WhyLeftOut)> {
    let entries = file.entries.iter().filter(move |_| checks == Checks::All && file.is_ours);
    let mut said = HashSet::new();
    entries.filter_map(move |entry| {
        let fault = entry.fault.clone()?;
        let is_new = said.insert((entry.split.as_str(), entry.subset.as_str(), fault.clone()));
        let (split, subset) = (entry.split.clone(), entry.subset.clone());
        is_new.then_some((entry, WhyLeftOut::Unit { split, subset, fault }))
    })
}

/// True if the file of `now` has a sound score for an entry of a `copy` that is of the same data:
/// nobody looks for the copy's then.
fn has_sound(now: &Summary, copy: &Summary, entry: &Entry) -> bool {
    now.dataset_revision == copy.dataset_revision
        && now.entries.iter().any(|other| {
            (&other.split, &other.subset) == (&entry.split, &entry.subset) && other.fault.is_none()
        })
}
