//! The code of a type that a pack declares, and questions to the worker of a type: started when it
//! is needed, and once more where it dies.

use std::sync::{Mutex, PoisonError, TryLockError};

use mteb_tasks::{Block, EvaluateError, TypeRunner};
use mteb_workers::plugins::{FoundPlugin, Request, Start, Worker, WorkerError};
use mteb_workers::settings::Settings;
use serde_json::Value;

/// A worker that answers for one type.
#[derive(Default)]
pub struct Conversation(Mutex<Option<Worker>>);

impl Conversation {
    /// Starts the worker, if none is there; one that is asked just now is.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn begin(&self, start: &dyn Fn() -> Result<Worker, WorkerError>) -> Result<(), EvaluateError> {
        let mut kept = match self.0.try_lock() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(()),
        };
        if kept.is_none() {
            let worker = start().map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
            *kept = Some(worker);
        }
        Ok(())
    }

    /// Bytes of memory of the worker that is there, and of what it started; `None` where none is, or the system does not say.
    pub fn memory(&self) -> Option<u64> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        mteb_system::process::resident_memory(kept.as_ref()?.id())
    }

    /// The text that answers the request, for which `blocks` lie in the memory; `start` gives a worker that can be asked.
    ///
    /// # Errors
    /// If the worker cannot be started, refuses, dies twice, or gives no answer in time.
    pub fn ask(
        &self,
        request: &Request,
        blocks: &[Block<'_>],
        start: &dyn Fn() -> Result<Worker, WorkerError>,
    ) -> Result<String, EvaluateError> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut once = || -> Result<Value, WorkerError> {
            let mut worker = match kept.take() {
                Some(worker) => worker,
                None => start()?,
            };
            let answer = worker.lay(blocks).and_then(|()| worker.ask(request, &[]));
            if !matches!(&answer, Err(error) if error.is_death() || error.is_interruption()) {
                *kept = Some(worker);
            }
            answer.map(|(value, _)| value)
        };
        let answer = match once() {
            Err(error) if error.is_death() && !error.is_late() => once(),
            answer => answer,
        };
        match answer {
            Ok(Value::String(text)) => Ok(text),
            Ok(_) => Err(EvaluateError::Unscorable(
                "expected a text as the answer of a plugin, found none".to_owned(),
            )),
            Err(error) => Err(EvaluateError::Unscorable(error.to_string())),
        }
    }
}

/// Asks a task of a pack.
pub struct PackRunner {
    plugin: FoundPlugin,
    task: String,
    settings: Settings,
    conversation: Conversation,
}

impl PackRunner {
    /// Asks the task called `task` of `plugin`.
    pub fn new(plugin: &FoundPlugin, task: &str, settings: &Settings) -> Self {
        let (plugin, task, settings) = (plugin.clone(), task.to_owned(), settings.clone());
        Self { plugin, task, settings, conversation: Conversation::default() }
    }
}

impl TypeRunner for PackRunner {
    fn check(&self) -> Result<(), EvaluateError> {
        Ok(())
    }

    fn ask(&self, method: &str, question: Value, blocks: &[Block<'_>]) -> Result<String, EvaluateError> {
        let call = Some(method).filter(|method| *method != SCORE).map(str::to_owned);
        let request = Request::AskType { task: Some(self.task.clone()), call, question };
        let late = self.settings.waits.for_evaluator();
        let start = || Worker::start(Start { late, ..Start::of(&self.plugin, &self.settings) });
        self.conversation.ask(&request, blocks, &start)
    }

    fn memory(&self) -> Option<u64> {
        self.conversation.memory()
    }
}

/// The method that is a function of its own in the plugin interface.
const SCORE: &str = "score";
