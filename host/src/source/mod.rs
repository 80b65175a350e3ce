//! From a task card to the tables of a unit: finds the dataset, reads the parts, renames columns.

mod belebele;
mod columns;
mod error;
mod lock;
mod options;
mod pack_rows;
mod places;
mod ranking;
mod rows;
mod tables;
mod transform;

pub use error::SourceError;
pub use options::options_of;
pub use ranking::PartRows;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mteb_data::{Folder, Table};
use mteb_evaluators::{Part, Unit};
use mteb_plugin_api::card::{Layout, TaskCard};

use crate::plugins::{Catalog, PackClient};
use crate::registry::{Origin, TaskEntry};
use crate::settings::Settings;
use lock::Locks;
use places::{Place, needs_training, places};
use tables::Tables;

/// Where data comes from: dataset folders and task packs, opened when they are first needed.
pub struct DataSources {
    settings: Settings,
    packs: HashMap<String, PackClient>,
    folders: HashMap<PathBuf, Rc<Folder>>,
    tables: Tables,
    locks: Locks,
}

impl DataSources {
    /// The sources of a run.
    pub fn new(settings: Settings, catalog: &Catalog) -> Self {
        let packs = catalog.plugins.iter().filter(|plugin| !plugin.cards.is_empty());
        let packs = packs.map(|plugin| (plugin.manifest.name.clone(), PackClient::new(plugin))).collect();
        let locks = Locks::new(settings.update_lock);
        Self { settings, packs, folders: HashMap::new(), tables: Tables::default(), locks }
    }

    /// The tables of one unit, with the protocol's column names.
    ///
    /// # Errors
    /// If the dataset, a part or a column is absent or damaged.
    pub fn unit(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Unit, SourceError> {
        let card = &entry.card;
        let parts = if let Some(pack) = &card.dataset.plugin {
            let client = self.packs.get_mut(pack).ok_or_else(|| SourceError::NoPack(pack.clone()))?;
            pack_rows::parts(client, card, split, subset)?
        } else {
            let places = self.places(entry, split, subset)?;
            self.parts(card, &places, split, subset)?
        };
        Ok(Unit { task: card.name.clone(), split: split.to_owned(), subset: subset.to_owned(), parts })
    }

    /// The tables of one unit, but of a corpus its rows chunk by chunk, which need not fit into memory. A corpus that a
    /// task pack gives or that is made of other rows is in the unit.
    ///
    /// # Errors
    /// As [`Self::unit`]; of the rows of the corpus when they are read.
    pub fn streamed<'a>(
        &mut self,
        entry: &'a TaskEntry,
        split: &str,
        subset: &str,
    ) -> Result<(Unit, Option<PartRows<'a>>), SourceError> {
        let card = &entry.card;
        let is_made = card.dataset.plugin.is_some() || card.dataset.layout == Layout::Belebele;
        if is_made || !card.task_type.is_ranking() {
            return Ok((self.unit(entry, split, subset)?, None));
        }
        let (corpus, places): (Vec<Place>, Vec<Place>) =
            self.places(entry, split, subset)?.into_iter().partition(|place| place.part == Part::Corpus);
        let parts = ranking::parts(&places, card)?;
        let unit =
            Unit { task: card.name.clone(), split: split.to_owned(), subset: subset.to_owned(), parts };
        Ok((unit, corpus.first().map(|place| PartRows::new(place, card))))
    }

    fn parts(
        &mut self,
        card: &TaskCard,
        places: &[Place],
        split: &str,
        subset: &str,
    ) -> Result<BTreeMap<Part, Table>, SourceError> {
        if card.dataset.layout == Layout::Belebele {
            let [passages, questions] = [Part::Corpus, Part::Queries].map(|part| {
                let place = places.iter().find(|place| place.part == part);
                place.map_or_else(|| Ok(Rc::default()), |place| self.tables.read(place, None))
            });
            return Ok(belebele::parts(&*passages?, &*questions?)?);
        }
        if card.task_type.is_ranking() {
            return Ok(ranking::parts(places, card)?);
        }
        rows::parts(&mut self.tables, places, card, split, subset)
    }

    /// Where the parts of a unit are, in files that are those of the registry's lock.
    fn places(&mut self, entry: &TaskEntry, split: &str, subset: &str) -> Result<Vec<Place>, SourceError> {
        let card = &entry.card;
        let path = self.dataset_path(entry)?;
        if !path.is_file() {
            let places = places(&*self.folder(&path)?, card, split, subset)?;
            let files: Vec<PathBuf> = places.iter().flat_map(Place::files).cloned().collect();
            self.locks.check(entry, &path, &files)?;
            return Ok(places);
        }
        if card.task_type.is_ranking() || needs_training(card) {
            return Err(SourceError::Transform(format!(
                "a task of type {} needs several files; let the card's `path` name a folder",
                card.task_type
            )));
        }
        self.locks.check(entry, &path, std::slice::from_ref(&path))?;
        Ok(vec![Place { part: Part::Rows, splits: vec![vec![path]] }])
    }

    /// The folder or file that holds the dataset.
    fn dataset_path(&self, entry: &TaskEntry) -> Result<PathBuf, SourceError> {
        let card = &entry.card;
        if let Some(path) = &card.dataset.path {
            let base = match &entry.origin {
                Origin::File(card) => card.parent().unwrap_or(Path::new("")),
                Origin::Pack(_) | Origin::Embedded(_) => Path::new(""),
            };
            let path = base.join(path);
            return if path.exists() { Ok(path) } else { Err(SourceError::NoPath(path)) };
        }
        self.hub_path(card)
    }

    fn hub_path(&self, card: &TaskCard) -> Result<PathBuf, SourceError> {
        let dataset = card.dataset.hub.clone().unwrap_or_default();
        let Some(root) = &self.settings.hub_dir else {
            return Err(SourceError::NoHub { dataset, offline: self.settings.offline });
        };
        let path = root.join("datasets").join(&dataset).join(card.revision());
        if path.is_dir() { Ok(path) } else { Err(SourceError::NotInHubFolder { dataset, path }) }
    }

    fn folder(&mut self, path: &Path) -> Result<Rc<Folder>, SourceError> {
        if let Some(folder) = self.folders.get(path) {
            return Ok(Rc::clone(folder));
        }
        let folder = Rc::new(Folder::open(path)?);
        self.folders.insert(path.to_owned(), Rc::clone(&folder));
        Ok(folder)
    }
}

#[cfg(test)]
mod tests;
