//! Datasets, opened when they are first needed: the files of each, and their configs and splits.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_data::{DataError, Folder};
use mteb_hub::{Hub, Report};
use mteb_registry::TaskEntry;
use mteb_tasks::part_names;
use mteb_workers::settings::Settings;

use super::SourceError;
use super::stores::{DataLocation, DatasetStore, ListedFile, Listing, locate_data};

/// The file whose front matter assigns the other files to configs and splits.
const README: &str = "README.md";

/// Datasets, opened when they are first needed.
pub struct Datasets {
    settings: Settings,
    hub: Arc<Hub>,
    report: Arc<dyn Report + Send + Sync>,
    open: HashMap<[PathBuf; 2], Arc<Dataset>>,
}

/// Where a task's data is.
pub enum DatasetPlace {
    /// One file.
    File(PathBuf),
    /// No files: a task pack provides the rows.
    Pack,
    /// A folder with configs and splits.
    Folder(Arc<Dataset>),
}

/// A dataset folder; its files may not be there yet.
pub struct Dataset {
    /// Configs, splits and the files of each.
    pub folder: Folder,
    files: HashMap<String, ListedFile>,
    store: Box<dyn DatasetStore>,
}

/// A file of a dataset that is fetched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NeededFile {
    /// The dataset, of the hub as `organisation/name`.
    pub dataset: String,
    /// Its revision.
    pub revision: String,
    /// Path in the dataset.
    pub path: String,
    /// Bytes.
    pub bytes: u64,
    /// True if it is on this machine.
    pub is_here: bool,
}

impl Datasets {
    /// The datasets that `settings` lead to; `report` is told of downloads.
    pub fn new(settings: Settings, report: Arc<dyn Report + Send + Sync>) -> Self {
        let hub = Arc::new(Hub::new(settings.hub_access()));
        Self { settings, hub, report, open: HashMap::new() }
    }

    /// The same datasets; `report` is told of downloads.
    pub fn with_report(self, report: Arc<dyn Report + Send + Sync>) -> Self {
        Self { report, ..self }
    }

    /// The data of a task.
    ///
    /// # Errors
    /// If it is nowhere, or its store does not give the list of files.
    pub fn find(&mut self, entry: &TaskEntry) -> Result<DatasetPlace, SourceError> {
        let store = match locate_data(entry, &self.settings, &self.hub)? {
            DataLocation::File(path) => return Ok(DatasetPlace::File(path)),
            DataLocation::Pack => return Ok(DatasetPlace::Pack),
            DataLocation::Files(store) => store,
        };
        let key = store.key();
        if let Some(dataset) = self.open.get(&key) {
            return Ok(DatasetPlace::Folder(Arc::clone(dataset)));
        }
        let dataset = Arc::new(Dataset::open(store, &*self.report)?);
        self.open.insert(key, Arc::clone(&dataset));
        Ok(DatasetPlace::Folder(dataset))
    }

    /// The folder of a task's dataset files, even before they are downloaded; the network is not
    /// used. `None` if files could change while the revision stays the same.
    pub fn pinned_folder(&self, entry: &TaskEntry) -> Option<PathBuf> {
        self.store(entry)?.pinned_folder()
    }

    /// True if the files of a task's dataset may have changed at the same revision, although it is
    /// pinned.
    pub fn may_change(&self, entry: &TaskEntry) -> bool {
        self.store(entry).is_some_and(|store| store.may_change())
    }

    /// Downloads those files of a dataset that are not on this machine.
    ///
    /// # Errors
    /// If the store does not give one of them.
    pub fn fetch<'a>(
        &self,
        dataset: &Dataset,
        files: impl Iterator<Item = &'a PathBuf>,
    ) -> Result<(), SourceError> {
        let listed: Vec<&ListedFile> = files.filter_map(|file| dataset.find_listed(file)).collect();
        dataset.store.fetch(&listed, &*self.report)
    }

    /// Opens the dataset of a task again if an earlier run stored the list of its files: a new list
    /// from the store may have the file whose absence caused `error`. True if the dataset was
    /// opened again.
    pub fn reopens(&mut self, entry: &TaskEntry, error: &SourceError) -> bool {
        let is_about_files = match error {
            SourceError::Data(_) => true,
            SourceError::Hub(error) => error.contradicts_list(),
            _ => false,
        };
        let Some(store) = self.store(entry).filter(|_| is_about_files) else { return false };
        let is_old = store.doubts_list();
        if is_old {
            self.open.remove(&store.key());
        }
        is_old
    }

    fn store(&self, entry: &TaskEntry) -> Option<Box<dyn DatasetStore>> {
        match locate_data(entry, &self.settings, &self.hub) {
            Ok(DataLocation::Files(store)) => Some(store),
            _ => None,
        }
    }
}

impl Dataset {
    /// Lists the files, and downloads only the README, which says what they are.
    fn open(store: Box<dyn DatasetStore>, report: &dyn Report) -> Result<Self, SourceError> {
        let Listing { folder, files } = store.list()?;
        let readme = match files.iter().find(|file| file.name == README) {
            Some(file) => {
                store.fetch(&[file], report)?;
                text(&folder.join(README))?
            }
            None => None,
        };
        let names = files.iter().map(|file| file.name.clone()).collect();
        let folder = Folder::from_list(&folder, names, readme.as_deref(), &part_names())?;
        let files = files.into_iter().map(|file| (file.name.clone(), file)).collect();
        Ok(Self { folder, files, store })
    }

    /// What is known of `files`, and whether they are here.
    pub fn needed_files<'a>(
        &self,
        card: &TaskCard,
        files: impl Iterator<Item = &'a PathBuf>,
    ) -> Vec<NeededFile> {
        let needed = files.filter_map(|file| {
            let listed = self.find_listed(file)?;
            let here = fs::metadata(file).ok();
            Some(NeededFile {
                dataset: card.dataset.fetched().unwrap_or_default().to_owned(),
                revision: card.revision().to_owned(),
                path: listed.name.clone(),
                bytes: listed.bytes.or_else(|| here.as_ref().map(fs::Metadata::len))?,
                is_here: here.is_some(),
            })
        });
        needed.collect()
    }

    fn find_listed(&self, file: &Path) -> Option<&ListedFile> {
        self.files.get(file.strip_prefix(self.folder.path()).ok()?.to_str()?)
    }
}

/// The text of a README; `None` of what is called so and is no file.
fn text(path: &Path) -> Result<Option<String>, SourceError> {
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    let text = mteb_files::read_to_string(path, mteb_files::TEXT);
    Ok(Some(text.map_err(|source| DataError::Io { path: path.to_owned(), source })?))
}
