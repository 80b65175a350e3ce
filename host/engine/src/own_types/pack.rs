//! The code of a type that a pack declares.

use mteb_tasks::{Block, EvaluateError, TypeRunner};
use mteb_workers::plugins::{FoundPlugin, Request, Start, Worker};
use mteb_workers::settings::Settings;
use serde_json::Value;

use super::conversation::Conversation;

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
