//! Rows of a task pack, read through its worker.

use super::{FoundPlugin, Request, Start, Worker, WorkerError};
use crate::settings::Settings;

/// A task pack whose worker is started on the first question.
pub struct PackClient {
    plugin: FoundPlugin,
    settings: Settings,
    worker: Option<Worker>,
}

impl PackClient {
    /// A client of `plugin`; nothing is started yet.
    pub fn new(plugin: &FoundPlugin, settings: &Settings) -> Self {
        Self { plugin: plugin.clone(), settings: settings.clone(), worker: None }
    }

    /// The pack.
    pub fn plugin(&self) -> &FoundPlugin {
        &self.plugin
    }

    /// Rows of a part as JSON lines. A worker that dies is started once more.
    ///
    /// # Errors
    /// If the pack has no such rows, or dies again.
    pub fn rows(
        &mut self,
        task: &str,
        subset: &str,
        part: &str,
        split: &str,
    ) -> Result<Vec<u8>, WorkerError> {
        let request = Request::Rows {
            task: task.to_owned(),
            subset: subset.to_owned(),
            part: part.to_owned(),
            split: split.to_owned(),
        };
        match self.ask(&request) {
            Err(error) if error.is_death() => self.ask(&request),
            answer => answer,
        }
    }

    fn ask(&mut self, request: &Request) -> Result<Vec<u8>, WorkerError> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(Start::of(&self.plugin, &self.settings))?,
        };
        let answer = worker.ask(request, &[]);
        if !matches!(&answer, Err(error) if error.is_death()) {
            self.worker = Some(worker);
        }
        answer.map(|(_, rows)| rows)
    }
}
