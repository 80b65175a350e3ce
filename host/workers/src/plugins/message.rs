//! What the host asks a worker, and what the worker answers.

use mteb_plugin_api::v1::{ModelConfig, PluginError};
use serde::{Deserialize, Serialize};

/// A question to a worker. Texts travel in the payload, embedding rows in shared memory.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum Request {
    /// Open the plugin; answers with its manifest.
    Open,
    /// Say what the kernel keeps this process from.
    Confined,
    /// Say which files this process has mapped, its libraries among them.
    Libraries,
    /// Run the conformance kit; answers with the list of faults.
    Check,
    /// Run the conformance kit on one model; answers with the list of faults.
    CheckModel {
        /// What model, on what device.
        config: ModelConfig,
    },
    /// Make a model; answers with its description.
    NewModel {
        /// What model, on what device.
        config: ModelConfig,
    },
    /// Count the tokens of the payload's texts; answers with the list of counts.
    CountTokens {
        /// Number of texts.
        texts: usize,
    },
    /// Encode the payload's texts into the shared memory, from its start; answers with [`Written`], as do the next two.
    Encode {
        /// Number of texts.
        texts: usize,
        /// Numbers a row.
        dimension: usize,
        /// What the texts are for, as the interface counts roles.
        role: u32,
        /// Prompt before each text.
        instruction: String,
    },
    /// Encode the payload's texts into rows without a fixed width, in the shared memory from its start.
    EncodeRows {
        /// Number of texts.
        texts: usize,
        /// Numbers in the memory for each one that the plugin says of a length.
        width: usize,
        /// What the texts are for, as the interface counts roles.
        role: u32,
        /// Prompt before each text.
        instruction: String,
    },
    /// Score the payload's pairs (all queries, then all documents) into the shared memory.
    Predict {
        /// Number of pairs.
        pairs: usize,
        /// Prompt.
        instruction: String,
    },
    /// Call a method that the manifest names; answers with its JSON text.
    Call {
        /// Name of the method.
        name: String,
        /// What it is given.
        json: String,
    },
    /// Call a method of a task that the manifest names; answers with its JSON text.
    CallTask {
        /// Name of the task.
        task: String,
        /// Name of the method.
        name: String,
        /// What it is given.
        json: String,
    },
    /// Ask the evaluator of a type of task about a unit whose rows and numbers lie in the shared memory; answers with its JSON text.
    AskType {
        /// The task that answers for the type; absent: the model, which is an interpreter with an evaluator.
        task: Option<String>,
        /// The method of a task that is called; absent: it is to score.
        call: Option<String>,
        /// The question, to whose `unit` the worker adds the memory.
        question: serde_json::Value,
    },
    /// Card of a task; answers with its TOML text.
    Card {
        /// Name of the task.
        task: String,
    },
    /// Rows of a task; they come in the answer's payload.
    Rows {
        /// Name of the task.
        task: String,
        /// Subset.
        subset: String,
        /// Part.
        part: String,
        /// Split.
        split: String,
    },
}

/// What a worker says of the numbers that it wrote to the shared memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    /// CRC-32 of the numbers, so that nobody else changes them unseen once they are an answer.
    pub checksum: u32,
    /// The JSON text that the plugin gave, where it gives one.
    pub said: String,
}

impl Written {
    /// What is to be said of `numbers`.
    pub fn of(numbers: &[f32], said: String) -> Self {
        Self { checksum: crc32fast::hash(bytemuck::cast_slice(numbers)), said }
    }
}

/// A worker's answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkerAnswer {
    /// It worked.
    Done(serde_json::Value),
    /// The plugin failed.
    Failed {
        /// A code of the plugin interface.
        code: u32,
        /// One line.
        message: String,
    },
    /// The plugin was refused.
    Refused {
        /// One line.
        message: String,
    },
    /// There was no room for the plugin's file.
    Shortage {
        /// One line.
        message: String,
    },
}

impl From<PluginError> for WorkerAnswer {
    fn from(error: PluginError) -> Self {
        Self::Failed { code: error.code, message: error.message }
    }
}
