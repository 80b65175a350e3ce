//! A model that runs in a worker: started when it is needed, started again when it dies.

use std::error::Error;
use std::sync::Arc;

use mteb_plugin_api::ModelInfo;
use mteb_plugin_api::v1::code::OUT_OF_MEMORY;
use mteb_plugin_api::v1::{ENCODE_ROWS, EncodedRows, ModelConfig, PluginError, Role};
use mteb_tasks::Embeddings;

use super::frame::pack_texts;
use super::message::Written;
use super::rows;
use super::{FoundPlugin, Request, Start, Worker, WorkerError};
use crate::settings::Settings;

/// Largest dimension that is believed: a larger one would fill the memory.
const MAX_DIMENSION: u32 = 1 << 20;

/// Method of plugins that tell what they did to texts.
const NOTES: &str = "notes";

/// A model of a plugin, behind a worker process.
pub struct ModelClient {
    plugin: FoundPlugin,
    config: ModelConfig,
    settings: Settings,
    variables: Vec<String>,
    worker: Option<Worker>,
    info: ModelInfo,
    complete: Arc<Complete>,
}

/// Adds what others say of a model to what it says itself; an error says what the model does not obey.
pub type Complete = dyn Fn(&mut ModelInfo) -> Result<(), Box<dyn Error + Send + Sync>> + Send + Sync;

impl ModelClient {
    /// Starts a worker for `plugin` and makes the model; a worker that dies of it is started once more. The worker sees
    /// `variables` of the environment beside the usual ones. `complete` changes what the model says of itself, each time it is made.
    ///
    /// # Errors
    /// If the plugin is refused or cannot make the model.
    pub fn start(
        plugin: &FoundPlugin,
        config: ModelConfig,
        settings: &Settings,
        variables: Vec<String>,
        complete: Arc<Complete>,
    ) -> Result<Self, WorkerError> {
        let (plugin, settings) = (plugin.clone(), settings.clone());
        let mut client =
            Self { plugin, config, settings, variables, worker: None, info: ModelInfo::default(), complete };
        match client.worker() {
            Err(error) if error.is_death() => client.worker()?,
            worker => worker?,
        };
        Ok(client)
    }

    /// The same model in another worker, which computes on `device`.
    ///
    /// # Errors
    /// If it cannot be started there, or says other things of itself than this one.
    pub fn beside(&self, device: &str) -> Result<Self, WorkerError> {
        let config = ModelConfig { device: device.to_owned(), ..self.config.clone() };
        let complete = Arc::clone(&self.complete);
        let other = Self::start(&self.plugin, config, &self.settings, self.variables.clone(), complete)?;
        let here = ModelInfo { device: self.info.device.clone(), ..other.info.clone() };
        if here != self.info {
            return Err(WorkerError::OtherWorker(self.plugin.path.clone()));
        }
        Ok(other)
    }

    /// What the model says of itself.
    pub fn info(&self) -> &ModelInfo {
        &self.info
    }

    /// The plugin that brings the model.
    pub fn plugin(&self) -> &FoundPlugin {
        &self.plugin
    }

    /// What the model was made from.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The number of the worker's process, if one runs.
    pub fn process(&self) -> Option<u32> {
        self.worker.as_ref().map(Worker::id)
    }

    /// Number of tokens of each text.
    ///
    /// # Errors
    /// If the plugin fails or its process dies.
    pub fn count_tokens(&mut self, texts: &[&str]) -> Result<Vec<u32>, WorkerError> {
        let request = Request::CountTokens { texts: texts.len() };
        let payload = pack_texts(texts.iter().copied());
        let answer = self.ask(&request, &payload)?;
        let counts: Vec<u32> = serde_json::from_value(answer).unwrap_or_default();
        // A count only steers batching, so a plugin that gives too few costs no more than speed.
        Ok((0..texts.len()).map(|row| counts.get(row).copied().unwrap_or(1)).collect())
    }

    /// Embeddings of `texts`, row after row.
    ///
    /// # Errors
    /// If the plugin fails or its process dies.
    pub fn encode(&mut self, texts: &[&str], role: Role, instruction: &str) -> Result<Vec<f32>, WorkerError> {
        let dimension = self.info.dimension as usize;
        let numbers = texts.len().saturating_mul(dimension);
        self.check_room(numbers)?;
        let instruction = instruction.to_owned();
        let request = Request::Encode { texts: texts.len(), dimension, role: role.to_code(), instruction };
        let written = self.write(&request, &pack_texts(texts.iter().copied()))?;
        self.numbers(numbers, &written)
    }

    /// Embeddings of `texts` in the form that the model says, if that has no fixed width.
    ///
    /// # Errors
    /// If the plugin fails, gives what is no such row, or its process dies.
    pub fn encode_rows(
        &mut self,
        texts: &[&str],
        role: Role,
        instruction: &str,
    ) -> Result<Embeddings, WorkerError> {
        let (form, dimension) = (self.info.rows, self.info.dimension as usize);
        let request = Request::EncodeRows {
            texts: texts.len(),
            width: rows::width(form, dimension),
            role: role.to_code(),
            instruction: instruction.to_owned(),
        };
        let written = self.write(&request, &pack_texts(texts.iter().copied()))?;
        let plugin = self.plugin.path.clone();
        let failed = |message: String| WorkerError::Plugin {
            plugin: plugin.clone(),
            error: PluginError::failed(message),
        };
        let fault = |fault: rows::RowsFault| failed(fault.to_string());
        let EncodedRows { lengths } = serde_json::from_str(&written.said)
            .map_err(|error| failed(format!("the answer to `{ENCODE_ROWS}`: {error}")))?;
        if lengths.len() != texts.len() {
            return Err(failed(format!("expected rows for {} texts, found {}", texts.len(), lengths.len())));
        }
        let numbers = rows::numbers(form, dimension, &lengths, texts).map_err(fault)?;
        self.check_room(numbers)?;
        let found = self.numbers(numbers, &written)?;
        rows::read(form, dimension, &lengths, &found).map_err(fault)
    }

    /// Relevance of each pair `(queries[i], documents[i])`.
    ///
    /// # Errors
    /// If the plugin fails or its process dies.
    pub fn predict(
        &mut self,
        queries: &[&str],
        documents: &[&str],
        instruction: &str,
    ) -> Result<Vec<f32>, WorkerError> {
        let request = Request::Predict { pairs: queries.len(), instruction: instruction.to_owned() };
        let mut payload = pack_texts(queries.iter().copied());
        payload.extend(pack_texts(documents.iter().copied()));
        let written = self.write(&request, &payload)?;
        self.numbers(queries.len(), &written)
    }

    /// What was done to texts since the last call that results should say, one line each; nothing if the plugin has no such
    /// notes.
    pub fn take_notes(&mut self) -> Vec<String> {
        if self.worker.is_none() || !self.plugin.manifest.features.iter().any(|feature| feature == NOTES) {
            return Vec::new();
        }
        let request = Request::Call { name: NOTES.to_owned(), json: String::new() };
        let notes = self.ask(&request, &[]).ok().and_then(|answer| answer.as_str().map(str::to_owned));
        notes.and_then(|notes| serde_json::from_str(&notes).ok()).unwrap_or_default()
    }

    /// Starts a worker if none runs.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn revive(&mut self) -> Result<(), WorkerError> {
        self.worker().map(drop)
    }

    /// Ends the worker, which may hold what it has no use for; the next question starts another one.
    pub fn end(&mut self) {
        self.worker = None;
    }

    /// Asks for numbers in the shared memory.
    fn write(&mut self, request: &Request, payload: &[u8]) -> Result<Written, WorkerError> {
        let answer = self.ask(request, payload)?;
        serde_json::from_value(answer).map_err(|error| WorkerError::Plugin {
            plugin: self.plugin.path.clone(),
            error: PluginError::failed(format!("the answer of the worker: {error}")),
        })
    }

    /// Checks that there is memory for so many numbers; where there is none, a smaller batch may have it.
    fn check_room(&self, numbers: usize) -> Result<(), WorkerError> {
        rows::check_room(numbers).map_err(|fault| WorkerError::Plugin {
            plugin: self.plugin.path.clone(),
            error: PluginError::new(OUT_OF_MEMORY, fault.to_string()),
        })
    }

    /// A copy of the numbers of which the worker has said `written`.
    fn numbers(&mut self, length: usize, written: &Written) -> Result<Vec<f32>, WorkerError> {
        let found = self.worker()?.numbers(length, written);
        if matches!(&found, Err(error) if error.is_death()) {
            self.worker = None;
        }
        found
    }

    fn ask(&mut self, request: &Request, payload: &[u8]) -> Result<serde_json::Value, WorkerError> {
        let answer = self.worker()?.ask(request, payload);
        if matches!(&answer, Err(error) if error.is_death() || error.is_interruption()) {
            self.worker = None;
        }
        answer.map(|(value, _)| value)
    }

    /// The running worker; a new one if the last one died.
    fn worker(&mut self) -> Result<&mut Worker, WorkerError> {
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => {
                let (worker, info) = self.start_worker()?;
                self.info = info;
                worker
            }
        };
        Ok(self.worker.insert(worker))
    }

    /// Starts a worker. One that takes the place of another must be the same model: its rows go beside the other's.
    fn start_worker(&self) -> Result<(Worker, ModelInfo), WorkerError> {
        let path = &self.plugin.path;
        let (variables, threads) = (self.variables.as_slice(), self.config.threads);
        let mut worker =
            Worker::start(Start { variables, threads, ..Start::of(&self.plugin, &self.settings) })?;
        let (info, _) = worker.ask(&Request::NewModel { config: self.config.clone() }, &[])?;
        let plugin = || path.clone();
        let mut info: ModelInfo = serde_json::from_value(info)
            .map_err(|source| WorkerError::Description { plugin: plugin(), source })?;
        let least = if info.cross_encoder { 0 } else { 1 };
        if !(least..=MAX_DIMENSION).contains(&info.dimension) {
            let found = info.dimension;
            let message = format!("expected a dimension from {least} to {MAX_DIMENSION}, found: {found}");
            let error = PluginError::failed(message);
            return Err(WorkerError::Plugin { plugin: plugin(), error });
        }
        check_name(&info.identity.name).map_err(|error| WorkerError::Plugin {
            plugin: plugin(),
            error: PluginError::failed(error.to_string()),
        })?;
        if !info.rows.is_dense()
            && !self.plugin.manifest.features.iter().any(|feature| feature == ENCODE_ROWS)
        {
            return Err(WorkerError::NoRows { plugin: plugin(), rows: info.rows });
        }
        (self.complete)(&mut info).map_err(|source| WorkerError::Unfit { plugin: plugin(), source })?;
        let is_first = self.info == ModelInfo::default();
        // The worker has loaded nothing but the file of the plugin's checksum.
        if !is_first && info != self.info {
            return Err(WorkerError::ChangedModel(plugin()));
        }
        Ok((worker, info))
    }
}

/// Checks what a model calls itself, by which its results are found: no two names are to look the same.
fn check_name(name: &str) -> Result<(), ModelNameError> {
    if name.trim().is_empty() {
        return Err(ModelNameError::Empty);
    }
    let shown = mteb_files::visible_line(name);
    if shown != name {
        return Err(ModelNameError::Unseen { shown: shown.into_owned() });
    }
    if name.ends_with('/') {
        return Err(ModelNameError::Open { name: name.to_owned() });
    }
    Ok(())
}

/// What a model cannot call itself.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum ModelNameError {
    /// It says nothing.
    #[error("{EXPECTED_NAME}, found none")]
    Empty,
    /// Some of it is not seen.
    #[error("{EXPECTED_NAME}, without characters that steer a terminal or are not seen, found: {shown}")]
    Unseen {
        /// The name as it can be seen.
        shown: String,
    },
    /// Something should follow.
    #[error("{EXPECTED_NAME}, without a separator at its end, found: {name}")]
    Open {
        /// The name.
        name: String,
    },
}

const EXPECTED_NAME: &str = "expected a name of the model, by which its results are found";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_others_are_refused_and_those_of_models_are_not() {
        for name in ["mteb-host/hashing", "a/b/c", "python:../x/mine.py:M", "模型 é", "st:/models/e5", "a b"]
        {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for (name, found) in [
            ("  ", "found none"),
            ("hashing/", "at its end, found: hashing/"),
            ("hash\ting", "found: hash\\ting"),
            ("a\nb", "found: a\\nb"),
            ("hashing\u{200b}", "found: hashing\\u200b"),
            ("a\u{202e}b\u{1b}[31m", "found: a\\u202eb\\u001b[31m"),
        ] {
            assert!(check_name(name).unwrap_err().to_string().ends_with(found), "{name:?}");
        }
    }
}
