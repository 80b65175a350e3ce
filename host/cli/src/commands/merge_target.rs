//! Where merged results go: a folder, or an address of S3 by way of a temporary folder.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use mteb_shards::Mirror;
use tempfile::TempDir;

use super::objects::{Store, address, fault_at, open, units_of};
use crate::exit::Exit;
use crate::output;

/// Where merged results go.
pub struct Target {
    folder: PathBuf,
    sent_to: Option<SentTo>,
}

/// A store to which they are sent from a temporary folder.
struct SentTo {
    address: String,
    store: Store,
    _temporary: TempDir,
}

/// The folders of models in a store, each beside its copy here.
pub struct Mirrors<'a> {
    address: &'a str,
    models: Vec<Mirror<&'a Store>>,
}

impl Target {
    /// The folder or the address that is `named`.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be opened.
    pub fn open(named: &Path) -> Result<Self, Exit> {
        let Some(address) = address(named) else {
            return Ok(Self { folder: named.to_owned(), sent_to: None });
        };
        let store = open(address).map_err(|why| {
            output::error(why);
            Exit::Usage
        })?;
        let temporary =
            tempfile::tempdir().map_err(|error| failed(format!("cannot make a folder: {error}")))?;
        let folder = temporary.path().to_owned();
        let sent_to = SentTo { address: address.to_owned(), store, _temporary: temporary };
        Ok(Self { folder, sent_to: Some(sent_to) })
    }

    /// The folder into which results are merged.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How a folder of merged results is called.
    pub fn name_of(&self, folder: &Path) -> String {
        match (&self.sent_to, folder.strip_prefix(&self.folder)) {
            (Some(SentTo { address, .. }), Ok(name)) => format!("{address}/{}", name.display()),
            _ => folder.display().to_string(),
        }
    }

    /// Brings here what the store has of the models in these folders of `shards`: other tasks and units of theirs stay.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be asked.
    pub fn fetch<'a>(&'a self, shards: impl Iterator<Item = &'a Path>) -> Result<Option<Mirrors<'a>>, Exit> {
        let Some(SentTo { address, store, .. }) = &self.sent_to else { return Ok(None) };
        let models: BTreeSet<String> = shards.flat_map(models_in).collect();
        let mut mirrors = Mirrors { address, models: Vec::with_capacity(models.len()) };
        for model in models {
            let mut mirror = Mirror::new(store, &model, &self.folder.join(&model), units_of);
            mirror.fetch().map_err(|why| failed(fault_at(address, &why)))?;
            mirrors.models.push(mirror);
        }
        Ok(Some(mirrors))
    }
}

impl Mirrors<'_> {
    /// Sends what was merged.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be asked.
    pub fn send(self) -> Result<(), Exit> {
        for mut mirror in self.models {
            mirror.send().map_err(|why| {
                failed(format!("{}; merge again to send the rest", fault_at(self.address, &why)))
            })?;
        }
        Ok(())
    }
}

/// The folders of models in the `folder` of a shard, each the name of a model and its revision.
fn models_in(folder: &Path) -> Vec<String> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let of_model = |model: String| {
        let revisions = names(&folder.join(&model)).into_iter();
        revisions.map(|revision| format!("{model}/{revision}")).collect::<Vec<_>>()
    };
    names(folder).into_iter().flat_map(of_model).collect()
}

fn failed(message: impl Display) -> Exit {
    output::error(message);
    Exit::Failed
}
