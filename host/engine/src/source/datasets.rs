//! Finds datasets: at a local path, in a folder laid out like a hub, or on the hub, whose files come when asked for.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_data::{DataError, Folder};
use mteb_hub::{Hub, RemoteFile, Report, Repository};

use super::{NeededFile, SourceError};
use crate::registry::{Origin, TaskEntry, data_path, data_root};
use crate::settings::Settings;

/// Datasets, opened when they are first needed.
pub struct Datasets {
    settings: Settings,
    hub: Hub,
    report: Arc<dyn Report + Send + Sync>,
    open: HashMap<PathBuf, Arc<Dataset>>,
    /// Folders of registries, and dataset folders all of whose files were seen to lie in them.
    inside: HashSet<(PathBuf, PathBuf)>,
}

/// Where a task's data is.
pub enum Found {
    /// One file.
    File(PathBuf),
    /// A folder with configs and splits.
    Folder(Arc<Dataset>),
}

/// A dataset folder; if it is the hub's, its files may not be there yet.
pub struct Dataset {
    /// Configs, splits and the files of each.
    pub folder: Folder,
    remote: Option<Remote>,
}

struct Remote {
    repository: Repository,
    files: HashMap<String, RemoteFile>,
}

impl Datasets {
    /// The datasets that `settings` lead to; `report` is told of downloads.
    pub fn new(settings: Settings, report: Arc<dyn Report + Send + Sync>) -> Self {
        let hub = Hub::new(settings.hub_access());
        Self { settings, hub, report, open: HashMap::new(), inside: HashSet::new() }
    }

    /// The same datasets; `report` is told of downloads.
    pub fn with_report(self, report: Arc<dyn Report + Send + Sync>) -> Self {
        Self { report, ..self }
    }

    /// The data of a task.
    ///
    /// # Errors
    /// If it is nowhere, or the hub does not give its list of files.
    pub fn find(&mut self, entry: &TaskEntry) -> Result<Found, SourceError> {
        let card = &entry.card;
        if card.dataset.path.is_some() {
            let path = data_path(entry).map_err(SourceError::Card)?;
            let root = match &entry.origin {
                Origin::File(card) => data_root(entry, card),
                _ => path.clone(),
            };
            if path.is_file() {
                return Ok(Found::File(path));
            }
            let dataset = self.local(path, |path, settings| {
                Folder::open_local(path, std::slice::from_ref(&settings.cache_dir))
            })?;
            let key = (root, dataset.folder.path().to_owned());
            if !self.inside.contains(&key) {
                let (root, folder) = &key;
                dataset.folder.all_files().try_for_each(|file| within(root, &folder.join(file)))?;
                self.inside.insert(key);
            }
            return Ok(Found::Folder(dataset));
        }
        match self.settings.hub_dir.clone() {
            Some(root) => self.mirrored(&root, card).map(Found::Folder),
            None => self.remote(card).map(Found::Folder),
        }
    }

    /// The folder in which the files of a task's hub dataset lie or will lie; nothing is asked of the network. `None` if
    /// the card pins no commit, so that files could change without another revision.
    pub fn here(&self, card: &TaskCard) -> Option<PathBuf> {
        let dataset = card.dataset.hub.as_deref()?;
        if !Repository::dataset(dataset, card.revision()).is_pinned() {
            return None;
        }
        match &self.settings.hub_dir {
            Some(root) => Some(root.join("datasets").join(dataset).join(card.revision())),
            None => self.hub.snapshot(&Repository::dataset(dataset, card.revision())),
        }
    }

    /// Brings files of a dataset to this machine, if they are not here.
    ///
    /// # Errors
    /// If the hub does not give one of them.
    pub fn fetch<'a>(
        &self,
        dataset: &Dataset,
        files: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<(), SourceError> {
        let Some(remote) = &dataset.remote else { return Ok(()) };
        let named = files.filter_map(|file| {
            let name = file.strip_prefix(dataset.folder.path()).ok()?.to_str()?;
            remote.files.get(name).cloned()
        });
        self.hub.fetch(&remote.repository, &named.collect::<Vec<_>>(), &*self.report)?;
        Ok(())
    }

    fn local(
        &mut self,
        path: PathBuf,
        open: impl FnOnce(&Path, &Settings) -> Result<Folder, DataError>,
    ) -> Result<Arc<Dataset>, SourceError> {
        if let Some(dataset) = self.open.get(&path) {
            return Ok(Arc::clone(dataset));
        }
        let dataset = Dataset { folder: open(&path, &self.settings)?, remote: None };
        Ok(self.keep(path, dataset))
    }

    fn mirrored(&mut self, root: &Path, card: &TaskCard) -> Result<Arc<Dataset>, SourceError> {
        let dataset = card.dataset.hub.clone().unwrap_or_default();
        let path = root.join("datasets").join(&dataset).join(card.revision());
        if path.is_dir() {
            self.local(path, |path, _| Folder::open(path))
        } else {
            Err(SourceError::NotInHubFolder { dataset, path })
        }
    }

    /// Opens the dataset of a card anew if the list of its files was kept by an earlier run: what failed for `error` may be
    /// there in the list that the hub gives now. True if so.
    pub fn reopens(&mut self, card: &TaskCard, error: &SourceError) -> bool {
        let is_about_files = match error {
            SourceError::Data(_) => true,
            SourceError::Hub(error) => error.contradicts_list(),
            _ => false,
        };
        let Some(dataset) = card.dataset.hub.as_deref() else { return false };
        if !is_about_files || self.settings.hub_dir.is_some() || card.dataset.path.is_some() {
            return false;
        }
        let repository = Repository::dataset(dataset, card.revision());
        let is_old = self.hub.doubts_list(&repository);
        if is_old {
            self.open.remove(&key(&repository));
        }
        is_old
    }

    /// Asks the hub for the list of files, and fetches the README alone, which says what the files are.
    fn remote(&mut self, card: &TaskCard) -> Result<Arc<Dataset>, SourceError> {
        let repository =
            Repository::dataset(card.dataset.hub.as_deref().unwrap_or_default(), card.revision());
        let key = key(&repository);
        if let Some(dataset) = self.open.get(&key) {
            return Ok(Arc::clone(dataset));
        }
        let files = self.hub.files(&repository)?;
        let readme: Vec<RemoteFile> = files.iter().filter(|file| file.path == "README.md").cloned().collect();
        let path = self.hub.fetch(&repository, &readme, &*self.report)?;
        let text = match readme.first() {
            Some(_) => Some(read(&path.join("README.md"))?),
            None => None,
        };
        let names = files.iter().map(|file| file.path.clone()).collect();
        let folder = Folder::listed(&path, names, text.as_deref())?;
        let files = files.into_iter().map(|file| (file.path.clone(), file)).collect();
        Ok(self.keep(key, Dataset { folder, remote: Some(Remote { repository, files }) }))
    }

    fn keep(&mut self, key: PathBuf, dataset: Dataset) -> Arc<Dataset> {
        let dataset = Arc::new(dataset);
        self.open.insert(key, Arc::clone(&dataset));
        dataset
    }
}

impl Dataset {
    /// What the hub says of `files`, and whether they are here.
    pub fn needed<'a>(&self, card: &TaskCard, files: impl Iterator<Item = &'a PathBuf>) -> Vec<NeededFile> {
        let needed = files.filter_map(|file| {
            let name = file.strip_prefix(self.folder.path()).ok()?.to_str()?;
            let here = fs::metadata(file).ok();
            let listed = self.remote.as_ref().and_then(|remote| remote.files.get(name)).map(|file| file.size);
            Some(NeededFile {
                dataset: card.dataset.hub.clone().unwrap_or_default(),
                revision: card.revision().to_owned(),
                path: name.to_owned(),
                bytes: listed.or_else(|| here.as_ref().map(fs::Metadata::len))?,
                is_here: here.is_some(),
            })
        });
        needed.collect()
    }
}

fn key(repository: &Repository) -> PathBuf {
    Path::new(&repository.id).join(&repository.revision)
}

/// Checks that `path`, links followed, lies below `root`.
fn within(root: &Path, path: &Path) -> Result<(), SourceError> {
    match path.canonicalize() {
        Ok(found) if found.starts_with(root) => Ok(()),
        Ok(found) => Err(SourceError::Outside { root: root.to_owned(), path: found }),
        Err(_) => Err(SourceError::NoPath(path.to_owned())),
    }
}

fn read(path: &Path) -> Result<String, SourceError> {
    mteb_files::read_to_string(path, mteb_files::TEXT)
        .map_err(|source| SourceError::Data(DataError::Io { path: path.to_owned(), source }))
}
