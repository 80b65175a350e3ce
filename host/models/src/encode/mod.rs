//! From texts to embeddings: the prompt, batches by length, the worker, and what an evaluator sees of it.

mod ahead;
mod compression;
mod empty_texts;
mod encoder;
mod error;
mod pool;
mod prompt;
mod prompt_file;
mod ragged;

mod batch_flow;
#[cfg(test)]
mod reference_prompts;
mod session;
mod worker_use;

pub use ahead::{RequestedTexts, RowsAhead, Watch, encode_ahead};
pub use compression::{Compression, CompressionError, Quantize};
pub use empty_texts::EmptyTexts;
pub use encoder::Encoder;
pub use error::EncodeError;
pub use pool::{WorkerSpeed, WorkerSpeeds};
pub use prompt::{prompt_for, role_name};
pub use prompt_file::{PromptFile, PromptFileError, near_subject};
pub use session::{UnitSession, lock};
pub use worker_use::Occupation;
