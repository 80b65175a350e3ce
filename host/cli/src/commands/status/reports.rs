//! Where the reports of shards are: in folders beside their plan, or in a store to which they are sent.

use std::path::{Path, PathBuf};

use mteb_base::calendar;
use mteb_shards::{ShardPlan, fetch_states};
use tempfile::TempDir;

use super::shards::{ShardView, views};
use crate::commands::objects::{Store, fault_at, open};

/// The reports of all shards of a plan.
pub struct Reports {
    folder: PathBuf,
    fetched_from: Option<FetchedFrom>,
}

/// A store from which they are brought into a temporary folder.
struct FetchedFrom {
    address: String,
    store: Store,
    _temporary: TempDir,
}

impl Reports {
    /// The reports beside the plan at `path`, or at this address of a store.
    ///
    /// # Errors
    /// One line, if the store cannot be opened.
    pub fn of(path: &Path, address: Option<&str>) -> Result<Self, String> {
        let Some(address) = address else {
            return Ok(Self { folder: ShardPlan::shards_folder(path), fetched_from: None });
        };
        let store = open(address)?;
        let temporary =
            tempfile::tempdir().map_err(|error| format!("cannot make a folder for reports: {error}"))?;
        let folder = temporary.path().to_owned();
        let fetched_from = FetchedFrom { address: address.to_owned(), store, _temporary: temporary };
        Ok(Self { folder, fetched_from: Some(fetched_from) })
    }

    /// The shards of the plan whose hash is `hash`, as their reports are now.
    ///
    /// # Errors
    /// One line, if the store cannot be asked.
    pub fn views(&self, plan: &ShardPlan, hash: &str) -> Result<Vec<ShardView>, String> {
        let address = self.fetched_from.as_ref().map(|from| from.address.as_str());
        if let Some(FetchedFrom { address, store, .. }) = &self.fetched_from {
            fetch_states(store, plan.shards.len(), &self.folder).map_err(|why| fault_at(address, &why))?;
        }
        let mut found = views(plan, hash, &self.folder, calendar::seconds());
        if let Some(address) = address {
            found.iter_mut().for_each(|view| view.folder = format!("{address}/{}", view.shard).into());
        }
        Ok(found)
    }
}
