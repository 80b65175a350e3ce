//! Where the data of a run comes from: from a card to the tables of a unit.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use mteb_cache::FileHashes;
use mteb_card::{Layout, PartSource, TaskCard};
use mteb_data::{OpenRows, Table, may_hold_lists};
use mteb_hub::{NoReport, Report};
use mteb_registry::{TaskEntry, needs_training_split, text_form};
use mteb_tasks::{Part, Unit};
use mteb_workers::parsing::ParsingApart;
use mteb_workers::plugins::{Catalog, PackClient};
use mteb_workers::settings::Settings;

use super::columns::at_its_place;
use super::continued::Continued;
use super::datasets::{DatasetPlace, Datasets};
use super::lock::Locks;
use super::note::{About, Note};
use super::own_data::{one_file_note, own_places};
use super::places::{PartPlace, places};
use super::tables::Tables;
use super::{NeededFile, PartFiles, SourceError};

/// Where data comes from: dataset folders and task packs, opened when they are first needed.
pub struct DataSources {
    pub(super) packs: HashMap<String, PackClient>,
    pub(super) datasets: Datasets,
    pub(super) tables: Tables,
    pub(super) locks: Locks,
    pub(super) hashes: FileHashes,
    pub(super) notes: Vec<Note>,
    /// What the units of the task were made from that was asked for last.
    pub(super) continued: Option<Continued>,
    /// What there is to say of folders, and what was said, which is said once.
    folder_notes: Vec<String>,
    said: HashSet<String>,
}

impl DataSources {
    /// The sources of a run.
    pub fn new(settings: Settings, catalog: &Catalog) -> Self {
        let packs = catalog.plugins.iter().filter(|plugin| !plugin.cards.is_empty());
        let packs =
            packs.map(|plugin| (plugin.manifest.name.clone(), PackClient::new(plugin, &settings))).collect();
        let locks = Locks::new(settings.update_lock);
        let datasets = Datasets::new(settings, Arc::new(NoReport));
        let tables = Tables::new(Arc::new(ParsingApart::default()));
        Self {
            packs,
            datasets,
            tables,
            locks,
            hashes: FileHashes::default(),
            notes: Vec::new(),
            continued: None,
            folder_notes: Vec::new(),
            said: HashSet::new(),
        }
    }

    /// What the reader of a result should know of the data that was read since this was asked last.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    /// What there is to say of the folders that were looked into since this was asked last, whether their data was read or only
    /// compared: files there that belong to no data. Each is said once.
    pub fn take_folder_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.folder_notes)
    }

    /// Notes what there is to say of data.
    fn note(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            if note.about != About::Folder {
                self.notes.push(note);
            } else if self.said.insert(note.text.clone()) {
                self.folder_notes.push(note.text);
            }
        }
    }

    /// A line for each lock that does not name all files that were read since this was asked last.
    pub fn take_lock_warnings(&mut self) -> Vec<String> {
        self.locks.take_warnings()
    }

    /// The same sources; `report` is told of downloads.
    #[must_use]
    pub fn with_report(self, report: Arc<dyn Report + Send + Sync>) -> Self {
        Self { datasets: self.datasets.with_report(report), ..self }
    }

    /// The same sources; data files are opened in this `way`.
    #[must_use]
    pub fn opened(self, way: Arc<dyn OpenRows>) -> Self {
        Self { tables: Tables::new(way), ..self }
    }

    /// The same sources, which remember the hashes of files as `hashes` does.
    #[must_use]
    pub fn hashed(self, hashes: FileHashes) -> Self {
        Self { hashes, ..self }
    }

    /// Brings the files of one unit to this machine and checks them against the lock; reads none.
    ///
    /// # Errors
    /// If a file is nowhere, or is not the locked one.
    pub fn fetch(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<(), SourceError> {
        if entry.card.dataset.plugin.is_none() {
            self.locate(entry, split, subset)?;
        }
        Ok(())
    }

    /// The files that one unit needs, and whether they are here; fetches none but the README of the dataset. Empty for data
    /// that is fetched from nowhere.
    ///
    /// # Errors
    /// If the dataset cannot be had, or a part of the unit is not in it.
    pub fn needed(
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
                let places = places(&dataset.folder, card, split, subset)?;
                Ok(dataset.needed(card, places.iter().flat_map(PartPlace::files)))
            }
            DatasetPlace::File(_) => Ok(Vec::new()),
        }
    }

    /// The tables of one unit, with the protocol's column names.
    ///
    /// # Errors
    /// If the dataset, a part or a column is absent or damaged.
    pub fn unit(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Unit, SourceError> {
        if entry.card.dataset.plugin.is_some() {
            return Ok(self.packed(entry, split, subset)?.0);
        }
        let located = self.locate(entry, split, subset)?;
        let parts = self.parts(&entry.card, &located.places, split, subset);
        let parts = parts.map_err(|error| at_its_place(error, entry))?;
        Ok(Unit::of(&entry.card, split, subset, parts))
    }

    /// The tables that a pack gives, and the SHA-256 of their rows.
    pub(super) fn packed(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<(Unit, String), SourceError> {
        let card = &entry.card;
        let pack = card.dataset.plugin.clone().unwrap_or_default();
        let client = self.packs.get_mut(&pack).ok_or(SourceError::NoPack(pack))?;
        let (parts, rows) = super::pack_rows::parts(client, card, split, subset)?;
        Ok((Unit::of(card, split, subset, parts), rows))
    }

    /// The tables of one unit, but of a corpus its files, whose rows are read piece by piece and need not fit into
    /// memory. A corpus that a task pack gives or that is made of other rows is in the unit.
    ///
    /// # Errors
    /// As [`Self::unit`]; of the rows of the corpus when they are read.
    pub fn streamed(
        &mut self,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<(Unit, Option<PartFiles>), SourceError> {
        if entry.card.dataset.plugin.is_some() {
            return Ok((self.unit(entry, split, subset)?, None));
        }
        let located = self.locate(entry, split, subset)?;
        self.streamed_from(located, entry, split, subset)
    }

    pub(super) fn streamed_from(
        &mut self,
        located: Located,
        entry: &TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<(Unit, Option<PartFiles>), SourceError> {
        let card = &entry.card;
        let corpus = card.dataset.parts.get(Part::Corpus.as_str());
        let is_made = card.dataset.layout == Layout::Belebele
            || located.places.iter().any(|place| place.part == Part::Rows)
            || card.dataset.first_rows.is_some()
            || corpus.is_some_and(PartSource::needs_all_rows);
        if is_made || !card.task_type.is_ranking() {
            let parts = self.parts(card, &located.places, split, subset);
            let parts = parts.map_err(|error| at_its_place(error, entry))?;
            return Ok((Unit::of(card, split, subset, parts), None));
        }
        let (corpus, places): (Vec<PartPlace>, Vec<PartPlace>) =
            located.places.into_iter().partition(|place| place.part == Part::Corpus);
        let way = self.tables.way();
        let parts = super::ranking::parts(&places, card, way);
        let parts = parts.map_err(|error| at_its_place(error.into(), entry))?;
        let corpus = corpus.first().map(|place| PartFiles::new(place, card, Arc::clone(way)));
        Ok((Unit::of(card, split, subset, parts), corpus))
    }

    fn parts(
        &mut self,
        card: &TaskCard,
        places: &[PartPlace],
        split: &str,
        subset: &str,
    ) -> Result<BTreeMap<Part, Table>, SourceError> {
        if card.dataset.layout == Layout::Belebele {
            let [passages, questions] = [Part::Corpus, Part::Queries].map(|part| {
                let place = places.iter().find(|place| place.part == part);
                place.map_or_else(|| Ok(Arc::default()), |place| self.tables.read(place, None))
            });
            return Ok(super::belebele::parts(&*passages?, &*questions?)?);
        }
        if card.task_type.is_ranking() {
            let way = Arc::clone(self.tables.way());
            let Some(rows) = places.iter().find(|place| place.part == Part::Rows) else {
                return Ok(super::ranking::parts(places, card, &way)?);
            };
            let corpus: Vec<PartPlace> =
                places.iter().filter(|place| place.part == Part::Corpus).cloned().collect();
            let corpus = super::ranking::parts(&corpus, card, &way)?.remove(&Part::Corpus);
            let rows = self.tables.read(rows, card.dataset.first_rows)?;
            return Ok(super::query_rows::parts(&rows, corpus, card.task_type)?);
        }
        super::rows::parts(&mut self.tables, places, card, split, subset)
    }

    /// Where the parts of a unit are, in files that are here and are those of the registry's lock. What a kept list of files
    /// does not lead to is looked for once more in the list that the hub gives now.
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
        let card = &entry.card;
        let path = match self.datasets.find(entry)? {
            DatasetPlace::Folder(dataset) => {
                let places = match &card.dataset.path {
                    Some(_) => {
                        let (places, notes) = own_places(&dataset.folder, card, split, subset)?;
                        self.note(notes);
                        places
                    }
                    None => places(&dataset.folder, card, split, subset)?,
                };
                self.datasets.fetch(&dataset, places.iter().flat_map(PartPlace::files))?;
                let files: Vec<PathBuf> = places.iter().flat_map(PartPlace::files).cloned().collect();
                self.locks.check(entry, dataset.folder.path(), &files, &mut self.hashes)?;
                self.note(places.iter().filter_map(|place| place.note.clone()).map(Note::of_unit));
                let is_by_name = dataset.folder.is_by_name();
                return Ok(Located { root: dataset.folder.path().to_owned(), places, is_by_name });
            }
            DatasetPlace::File(path) => path,
        };
        let holds_lists = card.dataset.parts.is_empty() && may_hold_lists(&path.to_string_lossy());
        let is_one = !card.task_type.is_ranking() || holds_lists;
        if !is_one || needs_training_split(card, subset) {
            return Err(SourceError::Transform(format!(
                "a task of type {} needs several files; name a folder as the card's `path`",
                card.task_type
            )));
        }
        self.locks.check(entry, &path, std::slice::from_ref(&path), &mut self.hashes)?;
        self.note(one_file_note(card, split, subset, &path).map(Note::of_unit));
        let form = text_form(&card.dataset).map(Arc::new);
        let places = vec![PartPlace { form, ..PartPlace::of_file(Part::Rows, path.clone()) }];
        Ok(Located { root: path, places, is_by_name: true })
    }
}

/// The files of a unit.
pub(super) struct Located {
    /// The dataset's folder, or its only file.
    pub root: PathBuf,
    /// Where each part is.
    pub places: Vec<PartPlace>,
    /// True if the names of files say what they are, and no README.
    pub is_by_name: bool,
}
