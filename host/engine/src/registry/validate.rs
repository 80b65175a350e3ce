//! Checks cards and registries as a run reads them, and where their data is.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_plugin_api::Registry;

use super::folder::{toml_files, toml_files_below};
use super::form::{Kind, kind_of, text_faults};
use super::lock::lock_faults;
use super::place::data_path;
use super::reader::RegistryReader;
use super::same_name::{first_of_each, pack_cards, same_names};
use super::source::{RegistrySource, registry_named};
use super::successors::unknown_successors;
use super::taken_names::taken_names;
use super::text::{MODELS, read_text};
use super::{Fault, FoundCard, LoadedRegistry, TaskEntry};
use crate::plugins::Catalog;

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Number of files and cards.
    pub checked: usize,
    /// Cards and registries of the host and of packs that the files take in, which were checked too.
    pub included: usize,
    /// Faults in the order of files.
    pub faults: Vec<Fault>,
    /// What is odd but no fault.
    pub warnings: Vec<Fault>,
    /// The model cards without a fault of their own.
    pub models: Vec<FoundCard>,
}

impl Validation {
    /// Takes in another validation.
    pub fn add(&mut self, other: Self) {
        self.checked += other.checked;
        self.included += other.included;
        self.faults.extend(other.faults);
        self.warnings.extend(other.warnings);
        self.models.extend(other.models);
    }
}

/// The cards and registries of a folder and of the folders in it.
#[derive(Clone, Debug, Default)]
pub struct Below {
    /// Registries, then cards that stand for themselves, then cards of models and judges.
    pub files: Vec<(PathBuf, Kind)>,
    /// TOML files that are neither.
    pub others: Vec<PathBuf>,
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

/// Checks a card, a registry with all its cards, or every card and registry of a folder.
pub fn validate(what: &str, is_folder: bool, catalog: &Catalog) -> Validation {
    if is_folder {
        return match cards_below(Path::new(what)) {
            Ok(below) => validate_below(what, below, catalog),
            Err(error) => at_fault(Fault::of_file(what, format!("cannot read the folder: {error}"))),
        };
    }
    match registry_named(what) {
        Ok(RegistrySource::File(path)) => match read_text(&path).map(|text| kind_of(&text)) {
            Ok(kind @ (Kind::ModelCard | Kind::JudgeCard)) => {
                let file = Below { files: vec![(path, kind)], ..Below::default() };
                validate_files(Vec::new(), file, catalog)
            }
            _ => {
                let beside = path.parent().unwrap_or(Path::new("")).join(MODELS);
                let beside = models(toml_files(&beside).unwrap_or_default());
                validate_files(vec![RegistrySource::File(path)], beside, catalog)
            }
        },
        Ok(source) => validate_files(vec![source], Below::default(), catalog),
        Err(fault) => at_fault(fault),
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

fn validate_below(what: &str, below: Below, catalog: &Catalog) -> Validation {
    if below.files.is_empty() && below.faults.is_empty() {
        let found = if below.others.is_empty() { "no TOML file" } else { "only TOML files that are neither" };
        return at_fault(Fault::of_file(
            what,
            format!("expected a card or a registry in the folder or below, found {found}"),
        ));
    }
    let sources = below.of_tasks().map(|path| RegistrySource::File(path.clone())).collect();
    validate_files(sources, below, catalog)
}

/// Reads registries and cards as a run does; a card that a registry among them brings is not read again on its own, since
/// its data may lie anywhere below that registry.
fn validate_files(sources: Vec<RegistrySource>, below: Below, catalog: &Catalog) -> Validation {
    let mut reader = RegistryReader::new(catalog).thorough();
    let mut loaded: Vec<LoadedRegistry> = Vec::new();
    let mut unsound: Vec<&RegistrySource> = Vec::new();
    for source in &sources {
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
        let is_at_fault = reader.faults[before..].iter().any(|fault| fault.file == source.shown());
        if is_at_fault && is_of_kind(source, &below, Kind::Registry) {
            unsound.push(source);
        }
    }
    let mut faults: BTreeSet<Fault> = below.faults.into_iter().collect();
    let (mut checked, mut included) = reader.checked();
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
    warnings.extend(same_names(&loaded, &pack_cards(catalog), &first_of_each(&loaded)));
    warnings.extend(taken_names(&loaded, None));
    let read: Vec<&Registry> = reader.read_registries().collect();
    warnings.extend(unknown_successors(&loaded, &read, &models, &pack_cards(catalog)));
    warnings.extend(below.others.iter().map(|path| {
        let message = "left out, for it is neither a card (no `type`) nor a registry (no `cards`, `packs` or `include`)";
        Fault::of_file(path.display().to_string(), message)
    }));
    Validation { checked, included, faults: faults.into_iter().collect(), warnings, models }
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

fn at_fault(fault: Fault) -> Validation {
    Validation { checked: 1, faults: vec![fault], ..Validation::default() }
}
