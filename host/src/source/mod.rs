//! From a task card to the tables of a unit: finds the dataset, reads the parts, renames columns.

mod columns;
mod error;
mod files;
mod options;
mod pack_rows;
mod ranking;
mod rows;
mod transform;

pub use error::SourceError;
pub use options::options_of;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mteb_data::Folder;
use mteb_evaluators::Unit;
use mteb_plugin_api::card::TaskCard;

use crate::plugins::{Catalog, PackClient};
use crate::registry::{Origin, TaskEntry};
use crate::settings::Settings;

/// Where data comes from: dataset folders and task packs, opened when they are first needed.
pub struct DataSources {
    settings: Settings,
    packs: HashMap<String, PackClient>,
    folders: HashMap<PathBuf, Rc<Folder>>,
}

impl DataSources {
    /// The sources of a run.
    pub fn new(settings: Settings, catalog: &Catalog) -> Self {
        let packs = catalog.plugins.iter().filter(|plugin| !plugin.cards.is_empty());
        let packs = packs.map(|plugin| (plugin.manifest.name.clone(), PackClient::new(plugin))).collect();
        Self { settings, packs, folders: HashMap::new() }
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
            let path = self.dataset_path(entry)?;
            if path.is_file() {
                files::parts_of_file(card, &path)?
            } else {
                let folder = self.folder(&path)?;
                if card.task_type.is_ranking() {
                    ranking::parts(&folder, card, split, subset)?
                } else {
                    rows::parts(&folder, card, split, subset)?
                }
            }
        };
        Ok(Unit { task: card.name.clone(), split: split.to_owned(), subset: subset.to_owned(), parts })
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
