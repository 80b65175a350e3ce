//! Where datasets are kept: one kind of store a file, and here the one that a card means.

mod folder;
mod hub;
mod mirror;
mod store;

use std::path::PathBuf;
use std::sync::Arc;

use mteb_card::DataPlace;
use mteb_hub::{Hub, Repository};
use mteb_registry::{Origin, TaskEntry, data_path, data_root, fault_in};
use mteb_workers::settings::Settings;

use self::folder::FolderStore;
use self::hub::HubStore;
use self::mirror::MirrorStore;
use super::SourceError;
pub use store::{DatasetStore, ListedFile, Listing};

/// Where the data of a card is kept.
pub enum DataLocation {
    /// In one file.
    File(PathBuf),
    /// With a task pack, which gives rows and has no files.
    Pack,
    /// In files that a store lists.
    Files(Box<dyn DatasetStore>),
}

/// Where the data of `entry` is kept; nothing is listed yet.
///
/// # Errors
/// If the card's `path` leads nowhere, or out of the folder of its registry, or the card names no place with files.
pub fn locate_data(
    entry: &TaskEntry,
    settings: &Settings,
    hub: &Arc<Hub>,
) -> Result<DataLocation, SourceError> {
    let store: Box<dyn DatasetStore> = match entry.card.dataset.place() {
        Some(DataPlace::Hub(name)) => {
            let repository = Repository::dataset(name, entry.card.revision());
            match &settings.hub_dir {
                Some(root) => Box::new(MirrorStore::new(root, repository)),
                None => Box::new(HubStore::new(Arc::clone(hub), repository)),
            }
        }
        Some(DataPlace::Path(_)) => {
            let path = data_path(entry).map_err(SourceError::Card)?;
            if path.is_file() {
                return Ok(DataLocation::File(path));
            }
            let root = match &entry.origin {
                Origin::File(card) => data_root(entry, card),
                _ => path.clone(),
            };
            Box::new(FolderStore::new(path, root, settings.cache_dir.clone()))
        }
        Some(DataPlace::Plugin(_)) => return Ok(DataLocation::Pack),
        None => {
            let message = "expected a dataset stored in files, found none".to_owned();
            return Err(SourceError::Card(fault_in(&entry.origin, &["dataset"], message)));
        }
    };
    Ok(DataLocation::Files(store))
}
