//! Asks a plugin what it provides, in a worker of its own, and keeps the answer in the cache folder
//! by the hash of the plugin's content. That says nothing of where a plugin is, nor whether it is
//! trusted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use mteb_card::{MEASURES, MeasureDeclaration, TASK_TYPE};
use mteb_files::hex;
use mteb_plugin_api::Manifest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::plugin::{declares_types, own_type_of};
use super::{FoundPlugin, LibraryFile, PackType, Request, Start, Worker, WorkerError, private};
use crate::settings::Settings;

/// What to do about a plugin that does not say in time what it brings.
pub const TOO_LATE: &str = "one that takes long to load needs a longer `--plugin-timeout`";

/// The manifest and the cards of the plugin in `file`.
///
/// # Errors
/// If the plugin cannot be asked, or says what it may not.
pub fn ask(file: &LibraryFile, settings: &Settings) -> Result<Declaration, WorkerError> {
    let invalid = |what: String, source| WorkerError::Invalid { plugin: file.path.clone(), what, source };
    let start = Start { time_limit: settings.introduction, late: TOO_LATE, ..Start::with(file, settings) };
    let mut worker = Worker::start(start)?;
    let (manifest, _) = worker.ask(&Request::Open, &[])?;
    let manifest: Manifest =
        serde_json::from_value(manifest).map_err(|error| invalid("the manifest".to_owned(), error))?;
    let (mut cards, mut types) = (BTreeMap::new(), BTreeMap::new());
    for task in &manifest.tasks {
        let (card, _) = worker.ask(&Request::Card { task: task.clone() }, &[])?;
        match card {
            Value::String(card) => {
                let own = own_type_of(&card).filter(|_| declares_types(&manifest.features));
                if let Some(name) = own.filter(|name| !types.contains_key(*name)) {
                    types.insert(name.to_owned(), declared_type(&mut worker, task, &invalid)?);
                }
                cards.insert(task.clone(), card)
            }
            found => return Err(WorkerError::NoCard { plugin: file.path.clone(), found }),
        };
    }
    let measures = match manifest.features.iter().any(|feature| feature == MEASURES) {
        true => declared_measures(&mut worker, &invalid)?,
        false => BTreeMap::new(),
    };
    Ok(Declaration { manifest, cards, types, measures })
}

/// What is wrong with something that the plugin declares, which is named in words.
type Invalid<'a> = dyn Fn(String, serde_json::Error) -> WorkerError + 'a;

/// What a pack declares of its measures.
fn declared_measures(
    worker: &mut Worker,
    invalid: &Invalid<'_>,
) -> Result<BTreeMap<String, MeasureDeclaration>, WorkerError> {
    let name = || MEASURES.to_owned();
    let (answer, _) =
        worker.ask(&Request::CallTask { task: name(), name: name(), json: String::new() }, &[])?;
    serde_json::from_str(answer.as_str().unwrap_or_default())
        .map_err(|error| invalid("what it declares of its measures".to_owned(), error))
}

/// What a task of a pack declares of its type.
fn declared_type(worker: &mut Worker, task: &str, invalid: &Invalid<'_>) -> Result<PackType, WorkerError> {
    let request =
        Request::CallTask { task: task.to_owned(), name: TASK_TYPE.to_owned(), json: String::new() };
    let (answer, _) = worker.ask(&request, &[])?;
    let declaration = serde_json::from_str(answer.as_str().unwrap_or_default())
        .map_err(|error| invalid(format!("task {task}: what it declares of its type"), error))?;
    Ok(PackType { task: task.to_owned(), declaration })
}

impl FoundPlugin {
    /// The plugin in `file`, whose code runs for it, whether anybody trusts it or not.
    ///
    /// # Errors
    /// If the plugin cannot be asked, or says what it may not.
    pub fn unlisted(file: &LibraryFile, settings: &Settings) -> Result<Self, WorkerError> {
        let Declaration { manifest, cards, types, measures } = ask(file, settings)?;
        let LibraryFile { path, checksum, folders, .. } = file.clone();
        Ok(Self {
            path,
            checksum,
            library_folders: folders,
            manifest,
            cards,
            types,
            measures,
            installed: false,
        })
    }
}

/// What a plugin declares.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Declaration {
    /// Its manifest.
    pub manifest: Manifest,
    /// Cards of a task pack: task name = TOML text.
    pub cards: BTreeMap<String, String>,
    /// Types of tasks that it declares, by name.
    #[serde(default)]
    pub types: BTreeMap<String, PackType>,
    /// Measures that it declares, by name.
    #[serde(default)]
    pub measures: BTreeMap<String, MeasureDeclaration>,
}

/// The place where the declaration of one file is kept.
#[derive(Debug)]
pub struct Memory {
    file: PathBuf,
    checksum: String,
}

#[derive(Serialize, Deserialize)]
struct Remembered {
    host: String,
    checksum: String,
    declaration: Declaration,
}

impl Memory {
    /// The place for the file with this checksum; `None` where others can write to the cache folder.
    pub fn of(checksum: &str, settings: &Settings) -> Option<Self> {
        let folder = settings.cache_dir.join("plugins");
        private::create_folder(&folder).ok()?;
        private::check_way(&folder).ok()?;
        let digest = Sha256::digest(format!("{} {checksum}", env!("CARGO_PKG_VERSION")));
        let name = hex(&digest);
        Some(Self { file: folder.join(format!("{name}.json")), checksum: checksum.to_owned() })
    }

    /// What the file has declared to this version of the host.
    pub fn recall(&self) -> Option<Declaration> {
        private::check_way(&self.file).ok()?;
        let remembered: Remembered =
            serde_json::from_slice(&mteb_files::read(&self.file, mteb_files::TEXT).ok()?).ok()?;
        let is_same = remembered.host == env!("CARGO_PKG_VERSION") && remembered.checksum == self.checksum;
        is_same.then_some(remembered.declaration)
    }

    /// Keeps it. A cache that cannot be written costs time, never correctness.
    pub fn keep(&self, declaration: &Declaration) {
        let (host, checksum) = (env!("CARGO_PKG_VERSION").to_owned(), self.checksum.clone());
        let remembered = Remembered { host, checksum, declaration: declaration.clone() };
        if let Ok(bytes) = serde_json::to_vec(&remembered) {
            let _ = mteb_files::write(&self.file, &bytes);
        }
    }
}
