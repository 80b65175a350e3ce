//! Checks cards and registries as a run reads them, and where their data is.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::{Packs, Registry};

use super::form::{Kind, kind_of, text_faults};
use super::same_name::{
    first_of_each, pack_cards, same_benchmarks, same_names, same_registries, taken_names,
};
use super::successors::unknown_successors;
use crate::reading::folder::{is_page_language, page_languages_beside, toml_files, toml_files_below};
use crate::reading::lock::{lock_faults, unused_entries};
use crate::reading::named::find_registry;
use crate::reading::place::data_path;
use crate::reading::reader::RegistryReader;
use crate::reading::source::RegistrySource;
use crate::reading::text::{MODELS, read_text};
use crate::{Fault, FoundCard, LoadedRegistry, TaskEntry};

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Number of files and cards.
    pub checked: usize,
    /// Cards and registries of the host and of packs that the files include, which were checked too.
    pub included: usize,
    /// Faults in the order of files.
    pub faults: Vec<Fault>,
    /// What is odd but no fault.
    pub warnings: Vec<Fault>,
    /// The model cards without a fault of their own.
    pub models: Vec<FoundCard>,
    /// The tasks of the registries and cards, each with its members.
    pub tasks: Vec<Arc<TaskEntry>>,
    /// Files with the texts of pages in a language, which are checked by who makes pages.
    pub page_languages: Vec<PathBuf>,
}

/// The cards and registries of a folder and of the folders in it.
#[derive(Clone, Debug, Default)]
pub struct Below {
    /// Registries, then cards that stand for themselves, then cards of models and judges.
    pub files: Vec<(PathBuf, Kind)>,
    /// TOML files that are neither.
    pub others: Vec<PathBuf>,
    /// Files with the texts of pages in a language.
    pub page_languages: Vec<PathBuf>,
    /// Files that cannot be read.
    pub faults: Vec<Fault>,
}

impl Below {
    /// The registries and the cards of tasks.
    pub fn of_tasks(&self) -> impl Iterator<Item = &PathBuf> {
        self.files
            .iter()
            .filter(|(_, kind)| matches!(kind, Kind::Registry | Kind::Card))
            .map(|(path, _)| path)
    }
}

/// Checks what is named: each a card, a registry with all its cards or, where the second is true, every card and registry of a
/// folder. Tasks of one name are told of across all of them, as where a run is given several registries.
pub fn validate(named: &[(&str, bool)], packs: &dyn Packs) -> Validation {
    let mut sources: Vec<RegistrySource> = Vec::new();
    let mut below = Below::default();
    let mut unread: Vec<Fault> = Vec::new();
    for (what, is_folder) in named {
        let found = if *is_folder { in_folder(what) } else { in_file(what) };
        match found {
            Ok((found, beside)) => {
                sources.extend(found);
                below.files.extend(beside.files);
                below.others.extend(beside.others);
                below.page_languages.extend(beside.page_languages);
                below.faults.extend(beside.faults);
            }
            Err(fault) => unread.push(fault),
        }
    }
    let mut seen = HashSet::new();
    below.files.retain(|(path, _)| seen.insert(path.clone()));
    let mut seen = HashSet::new();
    below.page_languages.retain(|path| seen.insert(path.clone()));
    let mut validation = validate_files(&sources, below, packs);
    validation.checked += unread.len();
    validation.faults.extend(unread);
    validation
}

/// What `what` stands for: a card or a registry, with the cards of models beside it.
fn in_file(what: &str) -> Result<(Vec<RegistrySource>, Below), Fault> {
    let path = match find_registry(what)? {
        RegistrySource::File(path) => path,
        source @ RegistrySource::Embedded(_) => return Ok((vec![source], Below::default())),
    };
    match read_text(&path).map(|text| kind_of(&text)) {
        // Its keys may be those of a card that is not finished, or of a registry.
        Ok(Kind::Registry) if read_text(&path).is_ok_and(|text| text.holds_nothing()) => {
            let message = "expected a card with `type`, or a registry with `cards`, `packs`, `include`, `tasks` or \
                           `benchmark`, found neither";
            Err(Fault::of_file(path.display().to_string(), message))
        }
        Ok(kind @ (Kind::ModelCard | Kind::JudgeCard)) => {
            Ok((Vec::new(), Below { files: vec![(path, kind)], ..Below::default() }))
        }
        _ => {
            let beside = path.parent().unwrap_or(Path::new("")).join(MODELS);
            let beside = models(toml_files(&beside).unwrap_or_default());
            let page_languages = page_languages_beside(&path);
            Ok((vec![RegistrySource::File(path)], Below { page_languages, ..beside }))
        }
    }
}

/// The cards and registries in `folder` and below. A TOML file that names neither a type nor what registries hold is
/// neither.
///
/// # Errors
/// If a folder cannot be read.
pub fn cards_below(folder: &Path) -> io::Result<Below> {
    let mut below = Below::default();
    for path in toml_files_below(folder)? {
        match read_text(&path) {
            Err(fault) => below.faults.push(fault),
            Ok(text) if is_page_language(&text) => below.page_languages.push(path),
            Ok(text) => match kind_of(&text) {
                Kind::Registry if !text.may_be_registry() => below.others.push(path),
                kind => below.files.push((path, kind)),
            },
        }
    }
    below.files.sort_by_key(|(_, kind)| match kind {
        Kind::Registry => 0,
        Kind::Card => 1,
        Kind::ModelCard => 2,
        Kind::JudgeCard => 3,
    });
    Ok(below)
}

/// Files with model cards.
fn models(files: Vec<PathBuf>) -> Below {
    Below { files: files.into_iter().map(|path| (path, Kind::ModelCard)).collect(), ..Below::default() }
}

/// The registries and cards of the folder `what`.
fn in_folder(what: &str) -> Result<(Vec<RegistrySource>, Below), Fault> {
    let below = cards_below(Path::new(what))
        .map_err(|error| Fault::of_file(what, format!("cannot read the folder: {error}")))?;
    if below.files.is_empty() && below.faults.is_empty() && below.page_languages.is_empty() {
        let found = if below.others.is_empty() { "no TOML file" } else { "only TOML files that are neither" };
        return Err(Fault::of_file(
            what,
            format!("expected a card or a registry in the folder or below, found {found}"),
        ));
    }
    Ok((below.of_tasks().map(|path| RegistrySource::File(path.clone())).collect(), below))
}

/// Reads registries and cards as a run does; a card that a registry among them brings is not read again on its own, since
/// its data may lie anywhere below that registry.
fn validate_files(sources: &[RegistrySource], below: Below, packs: &dyn Packs) -> Validation {
    let mut reader = RegistryReader::new(packs).thorough();
    let mut loaded: Vec<LoadedRegistry> = Vec::new();
    let mut unsound: Vec<&RegistrySource> = Vec::new();
    for source in sources {
        if matches!(source, RegistrySource::File(path) if reader.has_card(path)) {
            continue;
        }
        let before = reader.faults.len();
        match unsound.iter().find(|registry| is_below(source, registry)) {
            Some(home) if is_of_kind(source, &below, Kind::Card) => {
                loaded.extend(reader.card_below(source, home));
            }
            _ => loaded.extend(reader.registry(source)),
        }
        let is_at_fault = reader.faults[before..].iter().any(|fault| fault.file == source.label());
        if is_at_fault && is_of_kind(source, &below, Kind::Registry) {
            unsound.push(source);
        }
    }
    let mut faults: BTreeSet<Fault> = below.faults.into_iter().collect();
    let (mut checked, mut included) = reader.count_checked();
    if sources.iter().all(|source| matches!(source, RegistrySource::Embedded(_))) {
        // What is named is the host's own.
        checked += std::mem::take(&mut included);
    }
    faults.extend(std::mem::take(&mut reader.faults));
    let mut models = Vec::new();
    for (path, _) in below.files.iter().filter(|(_, kind)| *kind == Kind::ModelCard) {
        checked += 1;
        let found = read_text(path).map_err(|fault| vec![fault]).and_then(|text| {
            let faults = text_faults(&text, Kind::ModelCard);
            if faults.is_empty() { FoundCard::read(text).map_err(|fault| vec![fault]) } else { Err(faults) }
        });
        match found {
            Ok(card) => models.push(card),
            Err(found) => faults.extend(found),
        }
    }
    for (path, _) in below.files.iter().filter(|(_, kind)| *kind == Kind::JudgeCard) {
        checked += 1;
        match read_text(path) {
            Ok(text) => faults.extend(text_faults(&text, Kind::JudgeCard)),
            Err(fault) => faults.extend([fault]),
        }
    }
    let tasks = || loaded.iter().flat_map(|registry| &registry.tasks);
    faults.extend(tasks().flat_map(place_faults));
    faults.extend(lock_faults(tasks()).into_iter().map(|found| found.fault));
    let mut warnings: Vec<Fault> = std::mem::take(&mut reader.warnings).into_iter().collect();
    warnings.extend(same_names(&loaded, &pack_cards(packs), &first_of_each(&loaded)));
    warnings.extend(taken_names(&loaded, None));
    warnings.extend(same_registries(&loaded));
    warnings.extend(same_benchmarks(&loaded, None));
    if faults.is_empty() {
        // A card at fault is not read, and so its data is not.
        warnings.extend(unused_entries(&loaded));
    }
    let read: Vec<&Registry> = reader.read_registries().collect();
    warnings.extend(unknown_successors(&loaded, &read, &models, &pack_cards(packs)));
    warnings.extend(below.others.iter().map(|path| {
        let message = "left out because it is neither a card (no `type`) nor a registry (no `cards`, `packs` or \
                       `include`)";
        Fault::of_file(path.display().to_string(), message)
    }));
    let tasks = tasks().cloned().collect();
    let page_languages = below.page_languages;
    checked += page_languages.len();
    let faults = faults.into_iter().collect();
    Validation { checked, included, faults, warnings, models, tasks, page_languages }
}

fn is_of_kind(source: &RegistrySource, below: &Below, kind: Kind) -> bool {
    let RegistrySource::File(file) = source else { return false };
    below.files.iter().any(|(path, of)| path == file && *of == kind)
}

/// True if the file `source` lies in the folder of `registry` or below: if that registry were sound, it might bring it.
fn is_below(source: &RegistrySource, registry: &RegistrySource) -> bool {
    let (RegistrySource::File(file), RegistrySource::File(registry)) = (source, registry) else {
        return false;
    };
    registry.parent().is_some_and(|folder| file.starts_with(folder))
}

fn place_faults(task: &Arc<TaskEntry>) -> Vec<Fault> {
    let all = task.members.iter().chain([task]);
    all.filter(|task| task.card.dataset.path.is_some()).filter_map(|task| data_path(task).err()).collect()
}
