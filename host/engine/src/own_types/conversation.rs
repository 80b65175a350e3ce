//! Questions to the worker of a type: started when it is needed, and once more where it dies.

use std::sync::{Mutex, PoisonError, TryLockError};

use mteb_tasks::{Block, EvaluateError};
use mteb_workers::plugins::{Request, Worker, WorkerError};
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
