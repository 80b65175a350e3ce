//! Where datasets are kept: one kind of store a file, and here the one that a card means.

mod folder;
mod hub;
mod mirror;
mod store;

use std::path::PathBuf;
use std::sync::Arc;

use mteb_hub::{Hub, Repository};

use self::folder::FolderStore;
use self::hub::HubStore;
use self::mirror::MirrorStore;
use super::SourceError;
use crate::registry::{Origin, TaskEntry, data_path, data_root};
use crate::settings::Settings;
pub use store::{ListedFile, Listing, Store};

/// Where the data of a card is kept.
pub enum Kept {
    /// In one file.
    File(PathBuf),
    /// In files that a store lists.
    Files(Box<dyn Store>),
}

/// Where the data of `entry` is kept; nothing is listed yet.
///
/// # Errors
/// If the card's `path` leads nowhere, or out of the folder of its registry.
pub fn kept(entry: &TaskEntry, settings: &Settings, hub: &Arc<Hub>) -> Result<Kept, SourceError> {
    let dataset = &entry.card.dataset;
    if dataset.path.is_some() {
        let path = data_path(entry).map_err(SourceError::Card)?;
        if path.is_file() {
            return Ok(Kept::File(path));
        }
        let root = match &entry.origin {
            Origin::File(card) => data_root(entry, card),
            _ => path.clone(),
        };
        return Ok(Kept::Files(Box::new(FolderStore::new(path, root, settings.cache_dir.clone()))));
    }
    let repository = Repository::dataset(dataset.hub.as_deref().unwrap_or_default(), entry.card.revision());
    Ok(Kept::Files(match &settings.hub_dir {
        Some(root) => Box::new(MirrorStore::new(root, repository)),
        None => Box::new(HubStore::new(Arc::clone(hub), repository)),
    }))
}
