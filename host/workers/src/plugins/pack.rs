//! Task packs: their rows, read through a worker, and the task types and measures that they declare
//! to this process.

use std::path::PathBuf;

use mteb_card::{DeclareError, MEASURES, PLAN, TypeEvaluator, declare_measure, declare_type};

use super::{FoundPlugin, PackType, Request, Start, Worker, WorkerError};
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

impl FoundPlugin {
    /// Declares the types and measures that the pack provides, for this process.
    ///
    /// # Errors
    /// If one is declared otherwise, or cannot be what is declared of it.
    pub fn declare_types(&self) -> Result<(), DeclareFault> {
        let plugin = || self.path.clone();
        for (name, PackType { task, declaration }) in &self.types {
            if let Some((path, message)) = declaration.faults().into_iter().next() {
                let (name, field) = (name.clone(), path.join("."));
                return Err(DeclareFault::Type { plugin: plugin(), name, field, message });
            }
            let plans = self.manifest.features.iter().any(|feature| feature == PLAN);
            declare_type(name, declaration.clone(), self.evaluator(task, plans))
                .map_err(|source| DeclareFault::Name { plugin: plugin(), source })?;
        }
        for (measure, declaration) in &self.measures {
            let name = format!("{}/{measure}", self.manifest.name);
            if let Some((path, message)) = declaration.faults().into_iter().next() {
                return Err(DeclareFault::Measure { plugin: plugin(), name, field: path.join("."), message });
            }
            if declaration.evaluator.is_some() {
                return Err(DeclareFault::Evaluator { plugin: plugin(), name });
            }
            declare_measure(&name, declaration.clone(), self.evaluator(MEASURES, false))
                .map_err(|source| DeclareFault::Name { plugin: plugin(), source })?;
        }
        Ok(())
    }

    /// What evaluates for a `task` of the pack.
    fn evaluator(&self, task: &str, plans: bool) -> TypeEvaluator {
        TypeEvaluator::Pack {
            plugin: self.manifest.name.clone(),
            task: task.to_owned(),
            plans,
            code: self.code(),
        }
    }
}

/// A declaration of a pack that cannot be right, or stands against another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareFault {
    /// A type cannot be what is declared of it.
    #[error("{}: the type {name}, {field}: {message}", .plugin.display())]
    Type {
        /// The plugin's file.
        plugin: PathBuf,
        /// Name of the type.
        name: String,
        /// The field, with a point between the parts of its path.
        field: String,
        /// What was expected and found there.
        message: String,
    },
    /// A measure cannot be what is declared of it.
    #[error("{}: the measure {name}, {field}: {message}", .plugin.display())]
    Measure {
        /// The plugin's file.
        plugin: PathBuf,
        /// `pack/name`.
        name: String,
        /// The field, with a point between the parts of its path.
        field: String,
        /// What was expected and found there.
        message: String,
    },
    /// A measure of a pack names a file that computes it.
    #[error("{}: the measure {name}: expected no `evaluator` of a pack, found one", .plugin.display())]
    Evaluator {
        /// The plugin's file.
        plugin: PathBuf,
        /// `pack/name`.
        name: String,
    },
    /// Nothing can be called so, or another has the name.
    #[error("{}: {source}; rename one of them", .plugin.display())]
    Name {
        /// The plugin's file.
        plugin: PathBuf,
        /// Why not.
        source: DeclareError,
    },
}
