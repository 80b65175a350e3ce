//! Reads the data of a run: from a card to the tables of a unit, and to the units whose draws it
//! continues.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_cache::FileHashes;
use mteb_card::TaskCard;
use mteb_data::OpenRows;
use mteb_hub::{NoReport, Report};
use mteb_registry::{TaskEntry, options_of_unit};
use mteb_results::identity::{Chain, DataFacts};
use mteb_tasks::Unit;
use mteb_workers::parsing::WorkerParser;
use mteb_workers::plugins::{Catalog, PackClient};
use mteb_workers::settings::Settings;
use tracing::{debug, debug_span};

use crate::datasets::{Dataset, DatasetPlace, Datasets};
use crate::layout::{PartPlace, Parts, Readers, Tables, UnitOf, layout_of, place_in_file, places_in_folder};
use crate::lock::Locks;
use crate::own_data::{one_file_note, own_places};
use crate::transform::at_its_place;
use crate::unit_source::{About, Located, Note, UnitSource};
use crate::{NeededFile, PartFiles, SourceError};

/// A unit, the files of its corpus if that is streamed, and the source of both.
pub type Read = (Unit, Option<PartFiles>, UnitSource);

/// The sources of data: dataset folders and task packs, opened when they are first needed.
pub struct DataSources {
    pub(super) datasets: Datasets,
    pub(super) readers: Readers,
    pub(super) locks: Locks,
    pub(super) hashes: FileHashes,
    pub(super) notes: Vec<Note>,
    /// The inputs of the units of the task that was read last.
    pub(super) continued: Option<Continued>,
    /// Notes on folders, and the notes that were already returned: each is returned once.
    folder_notes: Vec<String>,
    given_notes: HashSet<String>,
}

impl DataSources {
    /// The sources of a run.
    pub fn new(settings: Settings, catalog: &Catalog) -> Self {
        let packs = catalog.plugins.iter().filter(|plugin| !plugin.cards.is_empty());
        let packs =
            packs.map(|plugin| (plugin.manifest.name.clone(), PackClient::new(plugin, &settings))).collect();
        let locks = Locks::new(settings.update_lock);
        let datasets = Datasets::new(settings, Arc::new(NoReport));
        let opener = Arc::new(WorkerParser::default());
        Self {
            datasets,
            readers: Readers { opener, tables: Tables::default(), packs },
            locks,
            hashes: FileHashes::default(),
            notes: Vec::new(),
            continued: None,
            folder_notes: Vec::new(),
            given_notes: HashSet::new(),
        }
    }

    /// Takes the notes for readers of a result on the data that was read since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// Takes the notes on the folders that were inspected since the last call, to read or only to
    /// compare their data: they name files that belong to no data. Each note is returned once.
    pub fn take_folder_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.folder_notes)
    }

    /// Stores notes on data.
    fn note(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            if note.about != About::Folder {
                self.notes.push(note);
            } else if self.given_notes.insert(note.text.clone()) {
                self.folder_notes.push(note.text);
            }
        }
    }

    /// Takes a line for each lock that lacks some of the files that were read since the last call.
    pub fn take_lock_warnings(&mut self) -> Vec<String> {
        self.locks.take_warnings()
    }

    /// These sources, with a `report` that is told about downloads.
    #[must_use]
    pub fn with_report(self, report: Arc<dyn Report + Send + Sync>) -> Self {
        Self { datasets: self.datasets.with_report(report), ..self }
    }

    /// These sources, with an `opener` that opens the data files.
    #[must_use]
    pub fn with_opener(self, opener: Arc<dyn OpenRows>) -> Self {
        let tables = Tables::default();
        Self { readers: Readers { opener, tables, ..self.readers }, ..self }
    }

    /// These sources, with `hashes` to remember the hashes of files.
    #[must_use]
    pub fn with_hashes(self, hashes: FileHashes) -> Self {
        Self { hashes, ..self }
    }

    /// Downloads the files of one unit and checks them against the lock, without reading them.
    ///
    /// # Errors
    /// If a file is nowhere, or is not the locked one.
    pub fn fetch(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<(), SourceError> {
        self.locate(entry, split, subset).map(drop)
    }

    /// The files that one unit needs, and whether they are on this machine. Downloads nothing but
    /// the README of the dataset. Empty for data that is never downloaded.
    ///
    /// # Errors
    /// If the dataset cannot be had, or a part of the unit is not in it.
    pub fn needed_files(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<Vec<NeededFile>, SourceError> {
        let card = &entry.card;
        if card.dataset.is_own() {
            return Ok(Vec::new());
        }
        match self.datasets.find(entry)? {
            DatasetPlace::Folder(dataset) => {
                let places = places_in_folder(&dataset.folder, UnitOf { card, split, subset })?;
                Ok(dataset.needed_files(card, places.iter().flat_map(PartPlace::files)))
            }
            DatasetPlace::File(_) | DatasetPlace::Pack => Ok(Vec::new()),
        }
    }

    /// Reads a unit, with its corpus as files to stream where [`Self::stream`] does so, and returns
    /// the hashes of the bytes that both are read from. A run starts to read here.
    ///
    /// # Errors
    /// As [`Self::stream`].
    pub fn read(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Read, SourceError> {
        let _span = debug_span!("read data", task = entry.card.name, split, subset).entered();
        let located = self.locate(entry, split, subset)?;
        let files = UnitSource::of_files(&mut self.hashes, &entry.card, &located)?;
        let unit = UnitOf { card: &entry.card, split, subset };
        let mut parts = self.stream_from(&located, entry, unit)?;
        let source = match parts.pack_rows.take() {
            Some(rows) => UnitSource::of_pack(&self.readers, &entry.card, rows),
            None => files,
        };
        let (unit, corpus) = parts.into_unit(unit);
        Ok((unit, corpus, source))
    }

    /// The tables of one unit with its corpus, with the protocol's column names.
    ///
    /// # Errors
    /// If the dataset, a part or a column is absent or damaged.
    pub fn read_whole(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Unit, SourceError> {
        let located = self.locate(entry, split, subset)?;
        let unit = UnitOf { card: &entry.card, split, subset };
        let parts = layout_of(unit.card).read(&mut self.readers, &located.places, unit);
        Ok(parts.map_err(|error| at_its_place(error, entry))?.into_unit(unit).0)
    }

    /// The tables of one unit, even if its files differ from those in the lock: for checks of data
    /// that is not scored yet.
    ///
    /// # Errors
    /// As [`Self::read_whole`].
    pub fn read_whole_despite_lock(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<Unit, SourceError> {
        let locks = std::mem::replace(&mut self.locks, Locks::none());
        let unit = self.read_whole(entry, split, subset);
        self.locks = locks;
        unit
    }

    /// The tables of one unit. A corpus is returned as files, whose rows are read piece by piece
    /// and need not fit into memory. If a task pack provides the corpus, or it is made of other
    /// rows, it is part of the unit instead.
    ///
    /// # Errors
    /// As [`Self::read_whole`]; of the rows of the corpus when they are read.
    pub fn stream(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<(Unit, Option<PartFiles>), SourceError> {
        let located = self.locate(entry, split, subset)?;
        let unit = UnitOf { card: &entry.card, split, subset };
        Ok(self.stream_from(&located, entry, unit)?.into_unit(unit))
    }

    fn stream_from(
        &mut self,
        located: &Located,
        entry: &TaskEntry,
        unit: UnitOf,
    ) -> Result<Parts, SourceError> {
        let parts = layout_of(unit.card).stream(&mut self.readers, &located.places, unit);
        parts.map_err(|error| at_its_place(error, entry))
    }

    /// The places of a unit's parts, in files that are on this machine and match the registry's
    /// lock. What is missing from a stored list of files is looked up once more in a new list from
    /// the hub.
    pub(super) fn locate(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<Located, SourceError> {
        match self.locate_listed(entry, split, subset) {
            Err(error) if self.datasets.reopens(entry, &error) => self.locate_listed(entry, split, subset),
            located => located,
        }
    }

    fn locate_listed(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<Located, SourceError> {
        let unit = UnitOf { card: &entry.card, split, subset };
        match self.datasets.find(entry)? {
            DatasetPlace::Folder(dataset) => self.locate_in_folder(entry, &dataset, unit),
            DatasetPlace::File(path) => self.locate_in_file(entry, path, unit),
            DatasetPlace::Pack => Ok(Located::default()),
        }
    }

    fn locate_in_folder(
        &mut self,
        entry: &TaskEntry,
        dataset: &Dataset,
        unit: UnitOf,
    ) -> Result<Located, SourceError> {
        let folder = &dataset.folder;
        let (places, notes) = match &unit.card.dataset.path {
            Some(_) => own_places(folder, unit)?,
            None => (places_in_folder(folder, unit)?, Vec::new()),
        };
        let dataset_folder = folder.path().display();
        debug!(task = unit.card.name, folder = %dataset_folder, parts = places.len(), "located");
        self.note(notes);
        self.datasets.fetch(dataset, places.iter().flat_map(PartPlace::files))?;
        let files: Vec<PathBuf> = places.iter().flat_map(PartPlace::files).cloned().collect();
        self.locks.check(entry, folder.path(), &files, &mut self.hashes)?;
        self.note(places.iter().filter_map(|place| place.note.clone()).map(Note::of_unit));
        Ok(Located { root: folder.path().to_owned(), places, is_by_name: folder.is_by_name() })
    }

    fn locate_in_file(
        &mut self,
        entry: &TaskEntry,
        path: PathBuf,
        unit: UnitOf,
    ) -> Result<Located, SourceError> {
        let place = place_in_file(entry, &path, unit).map_err(SourceError::Card)?;
        self.locks.check(entry, &path, std::slice::from_ref(&path), &mut self.hashes)?;
        self.note(one_file_note(unit, &path).map(Note::of_unit));
        Ok(Located { root: path, places: vec![place], is_by_name: true })
    }
}

/// The first units of a task. The task is walked once, however many of its units are requested.
pub struct Continued {
    card: Arc<TaskCard>,
    units: usize,
    chain: Chain,
}

impl Continued {
    /// Starts before the first unit of a task.
    pub fn new(card: &Arc<TaskCard>) -> Self {
        Self { card: Arc::clone(card), units: 0, chain: Chain::default() }
    }

    /// True if these are units of the task, and none comes after its first `units`.
    pub fn is_within(&self, card: &Arc<TaskCard>, units: usize) -> bool {
        Arc::ptr_eq(&self.card, card) && self.units <= units
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.units
    }

    /// Adds a unit and what it is currently read from.
    pub fn push(&mut self, unit: (&str, &str), data: &DataFacts) {
        self.chain.push(unit, &options_of_unit(&self.card, unit.1), data);
        self.units += 1;
    }

    /// True if `earlier` is the hash over these units.
    pub fn is(&self, earlier: &str) -> bool {
        self.chain.is(Some(earlier))
    }
}
