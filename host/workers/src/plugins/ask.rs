//! Asks a plugin what it provides, in a worker of its own.

use std::collections::BTreeMap;

use mteb_card::{MEASURES, MeasureDeclaration, TASK_TYPE};
use mteb_plugin_api::Manifest;
use serde_json::Value;

use super::memory::Declaration;
use super::plugin::{declares_types, own_type_of};
use super::{FoundPlugin, LibraryFile, PackType, Request, Start, Worker, WorkerError};
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
