//! The folder of results: `results/<model>/<revision>/<Task>.json` (protocol 9.1).

use std::io;
use std::path::{Path, PathBuf};

use mteb_base::suggest::first_of;
use mteb_files::{LockedFolder, copies_of, folder_name};
use mteb_json::Json;
use mteb_plugin_api::{Identity, ModelInfo};

use crate::checked::read_file_of_any_age;
use crate::experiment_name::experiment_name;
use crate::fault::PlaceFault;
use crate::folder_layout::{EXPERIMENTS, META, NO_REVISION, SUPERSEDED, copy_aside, spare};
use crate::{ResultFile, SubsetScores, read_json};

/// What happened to the previous file.
#[derive(Clone, Debug, Default)]
pub struct Updated {
    /// True if a copy of it was made in `superseded/`.
    pub is_set_aside: bool,
    /// One line for everything that was moved away, or that the new file no longer has.
    pub notes: Vec<String>,
}

/// Results of one model and revision.
#[derive(Clone, Debug)]
pub struct ResultStore {
    folder: PathBuf,
    /// True if nothing is read or kept.
    is_empty: bool,
}

impl ResultStore {
    /// The results of a model below `root`; of one with options of the user's, in a folder of its
    /// own.
    pub fn new(root: &Path, info: &ModelInfo) -> Self {
        let Identity { name, revision, .. } = &info.identity;
        let revision = if revision.is_empty() { NO_REVISION } else { revision };
        let folder = root.join(folder_name(name)).join(folder_name(revision));
        Self {
            folder: match experiment_name(info) {
                Some(name) => folder.join(EXPERIMENTS).join(name),
                None => folder,
            },
            is_empty: false,
        }
    }

    /// The results in `folder` itself, whichever model they are of.
    pub fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), is_empty: false }
    }

    /// A store that has no results and writes none: for a run that only tries tasks.
    pub fn of_nothing(root: &Path, info: &ModelInfo) -> Self {
        Self { is_empty: true, ..Self::new(root, info) }
    }

    /// The folder below `root` with the results of a model, if it has some.
    pub fn holding(root: &Path, info: &ModelInfo) -> Option<PathBuf> {
        let folder = Self::new(root, info).folder;
        let mut names = folder.read_dir().ok()?.flatten().map(|entry| entry.file_name());
        let is_result =
            |name: &std::ffi::OsStr| name != META && Path::new(name).extension() == Some("json".as_ref());
        names.any(|name| is_result(&name)).then_some(folder)
    }

    /// True if nothing is read or kept.
    pub fn keeps_nothing(&self) -> bool {
        self.is_empty
    }

    /// The folder with the files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a task.
    pub fn file(&self, task: &str) -> PathBuf {
        self.folder.join(format!("{task}.json"))
    }

    /// The results of a task; `None` if there is no file. Single units may have scores that cannot
    /// be right, as [`check_unit`](crate::check_unit) tells.
    ///
    /// # Errors
    /// One line if the file is there and cannot be read, or cannot be right as a whole; it is never
    /// overwritten unasked.
    pub fn read(&self, task: &str) -> Result<Option<ResultFile>, PlaceFault> {
        if self.is_empty {
            return Ok(None);
        }
        let path = self.file(task);
        // A broken link was also made by somebody on purpose.
        if path.symlink_metadata().is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        self.check_place(task)?;
        read_file_of_any_age(&path, task).map(Some).map_err(|fault| PlaceFault::Wrong { path, fault })
    }

    /// The copies of the file of a task as it was before scores in it were replaced, each with its
    /// place, the newest first. Copies that cannot be read hold no results.
    pub fn superseded(&self, task: &str) -> Vec<(PathBuf, ResultFile)> {
        let copies = copies_of(&self.folder.join(SUPERSEDED), task);
        copies
            .into_iter()
            .filter_map(|path| Some((path.clone(), read_file_of_any_age(&path, task).ok()?)))
            .collect()
    }

    /// Checks that a result of the task can be written: that its place holds a regular file or
    /// nothing.
    ///
    /// # Errors
    /// One line with the kind of what is there.
    pub fn check_place(&self, task: &str) -> Result<(), PlaceFault> {
        if self.is_empty {
            return Ok(());
        }
        let path = self.file(task);
        match mteb_files::check(&path) {
            Err(fault) if fault.kind() == io::ErrorKind::InvalidInput => {
                Err(PlaceFault::NotAFile { path, fault })
            }
            _ => Ok(()),
        }
    }

    /// Lets `next` change the results that are on disk now, and writes them; no other process
    /// writes in between. A file that cannot be read counts as missing. With `sets_aside`, the
    /// previous file is copied to `superseded/` if it has scores or unreadable content that the new
    /// file lacks. A link is always moved there.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn update(
        &self,
        task: &str,
        sets_aside: bool,
        next: impl Fn(Option<ResultFile>) -> ResultFile,
    ) -> io::Result<Updated> {
        if self.is_empty {
            return Ok(Updated::default());
        }
        LockedFolder::change(&self.folder, |folder| self.update_in(folder, task, sets_aside, &next))
    }

    fn update_in(
        &self,
        folder: LockedFolder,
        task: &str,
        sets_aside: bool,
        next: impl Fn(Option<ResultFile>) -> ResultFile,
    ) -> io::Result<Updated> {
        let found = self.read(task);
        let result = next(found.as_ref().ok().cloned().flatten());
        let is_lost = match &found {
            Ok(found) => found.as_ref().is_some_and(|found| loses(found, &result)),
            Err(_) => true,
        };
        let is_kept = || match &found {
            Ok(Some(found)) => is_kept_in(&self.superseded(task), found, &result),
            _ => false,
        };
        let sets_aside = sets_aside && is_lost && !is_kept();
        let kept = if sets_aside { self.set_aside(task)? } else { None };
        let path = self.file(task);
        let mut notes = Vec::from_iter(kept.and_then(|kept| what_went(&path, &found, &result, &kept)));
        // Writing through the link would change a file in another place.
        notes.extend(spare(&self.folder, &path, "a regular file", |path| !path.is_symlink())?);
        folder.write(Path::new(&format!("{task}.json")), result.to_json().to_python(2).as_bytes())?;
        Ok(Updated { is_set_aside: sets_aside, notes })
    }

    /// Copies the file of a task into the folder of what was superseded, named by the time of its
    /// last change; gives the copy.
    fn set_aside(&self, task: &str) -> io::Result<Option<PathBuf>> {
        let path = self.file(task);
        if !path.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        copy_aside(&self.folder, &path).map(Some).map_err(|error| at(&path, &error))
    }

    /// Writes `model_meta.json`. What is there and is no JSON object, or one about another model or
    /// revision, is moved away; a line says so.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_meta(&self, meta: &Json) -> io::Result<Option<String>> {
        if self.is_empty {
            return Ok(None);
        }
        let path = self.folder.join(META);
        let is_named = |error: &io::Error| error.to_string().contains(&*path.to_string_lossy());
        LockedFolder::change(&self.folder, |folder| self.write_meta_in(folder, meta))
            .map_err(|error| if is_named(&error) { error } else { at(&path, &error) })
    }

    fn write_meta_in(&self, folder: LockedFolder, meta: &Json) -> io::Result<Option<String>> {
        let path = self.folder.join(META);
        let mut all = meta.clone();
        let found = read_json(&path).ok();
        let found = found.as_ref().filter(|found| is_about(found, meta)).and_then(Json::as_map);
        let is_ours = |path: &Path| found.is_some() && !path.is_symlink();
        let text = |key: &str| meta.get(key).and_then(Json::as_text).unwrap_or_default();
        let what = format!("a JSON object about the model {}, revision {}", text("name"), text("revision"));
        let notes = spare(&self.folder, &path, &what, is_ours);
        let notes = notes.map_err(|error| at(&path, &error))?;
        // Keys from other programs stay, after those that this host writes.
        for (key, value) in found.unwrap_or_default() {
            if all.get(key).is_none() {
                all.set(key, value.clone());
            }
        }
        folder.write(META.as_ref(), all.to_python(4).as_bytes()).map_err(|error| at(&path, &error))?;
        Ok(notes)
    }
}

/// The error with the path that it is about.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// True if what `found` says of name and revision, where it says so, is what `meta` says. A model
/// without a revision has none, or the name that the reference gives to it.
fn is_about(found: &Json, meta: &Json) -> bool {
    let is_none = |json: &Json| {
        matches!(json, Json::Null)
            || json.as_text().is_some_and(|text| text.is_empty() || text == NO_REVISION)
    };
    let agrees = |key: &str| match (found.get(key), meta.get(key)) {
        (Some(found), Some(now)) => found == now || (key == "revision" && is_none(found) && is_none(now)),
        _ => true,
    };
    agrees("name") && agrees("revision")
}

/// A line about the file at `path`, of which `kept` is a copy: it could not be read, had
/// third-party scores, or had units that only the copy has now. `None` if only scores of this host
/// were scored again.
fn what_went(
    path: &Path,
    found: &Result<Option<ResultFile>, PlaceFault>,
    next: &ResultFile,
    kept: &Path,
) -> Option<String> {
    let (path, kept) = (path.display(), kept.display());
    let found = match found {
        Ok(found) => found.as_ref()?,
        Err(_) => return Some(format!("{path}: the earlier file could not be read; it is kept as {kept}")),
    };
    let gone: Vec<String> = units(found)
        .filter(|(split, subset)| next.entry(split, subset).is_none())
        .map(|(split, subset)| format!("split {split}, subset {subset}"))
        .collect();
    if !gone.is_empty() {
        let gone = first_of(&gone, 3, "; ", " and ");
        return Some(format!(
            "{path}: results of {gone} are of another data revision or task type; they are kept in {kept}, and \
             count for a card of that data"
        ));
    }
    let is_of_other_data =
        |(split, subset): &(&str, &str)| found.revision_of(split, subset) != next.revision_of(split, subset);
    if let Some((split, subset)) = units(found).find(is_of_other_data) {
        let revision = found.revision_of(split, subset);
        return Some(format!(
            "{path}: results of the data revision {revision} are kept in {kept}, and count where that revision \
             is selected"
        ));
    }
    let of_others = units(found).any(|(split, subset)| found.is_of_others(split, subset));
    of_others
        .then(|| format!("{path}: it held scores from another source; the earlier file is kept as {kept}"))
}

/// True if `next` does not hold all that `found` holds of units.
fn loses(found: &ResultFile, next: &ResultFile) -> bool {
    found.splits.iter().any(|split| {
        let is_kept = |entry: &SubsetScores| {
            let place = (split.split.as_str(), entry.subset.as_str());
            next.entry(place.0, place.1).is_some_and(|next| is_same(next, entry))
                && next.facts(place.0, place.1).and_then(|facts| facts.get("data"))
                    == found.facts(place.0, place.1).and_then(|facts| facts.get("data"))
        };
        !split.entries.iter().all(is_kept)
    })
}

/// True if two entries are written alike: a score that is not a number equals none, not even
/// itself.
fn is_same(left: &SubsetScores, right: &SubsetScores) -> bool {
    left.json == right.json || left.json.to_python(0) == right.json.to_python(0)
}

/// True if a copy among `copies` holds each unit of `found` that `next` no longer has as it was,
/// with what it was made from.
fn is_kept_in(copies: &[(PathBuf, ResultFile)], found: &ResultFile, next: &ResultFile) -> bool {
    let mut lost = units(found).filter(|unit| !has_same_unit(found, next, *unit)).peekable();
    lost.peek().is_some() && lost.all(|unit| copies.iter().any(|(_, copy)| has_same_unit(found, copy, unit)))
}

/// The units of a file, as split and subset.
pub fn units(file: &ResultFile) -> impl Iterator<Item = (&str, &str)> {
    file.splits
        .iter()
        .flat_map(|split| split.entries.iter().map(|entry| (split.split.as_str(), entry.subset.as_str())))
}

/// True if both files have the same scores of a unit, made from the same by the same model.
fn has_same_unit(one: &ResultFile, other: &ResultFile, (split, subset): (&str, &str)) -> bool {
    // As text, for a score that is no number equals none, not even itself.
    let entry = |file: &ResultFile| file.entry(split, subset).map(|entry| entry.json.to_python(0));
    entry(one) == entry(other)
        && one.model(split, subset) == other.model(split, subset)
        && one.made_from(split, subset) == other.made_from(split, subset)
        && one.revision_of(split, subset) == other.revision_of(split, subset)
}
