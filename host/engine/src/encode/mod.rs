//! From texts to embeddings: the prompt, batches by length, the worker, and what an evaluator sees of it.

mod ahead;
mod batch;
mod compression;
mod distinct;
mod encoder;
mod error;
mod experiment;
mod figures;
mod halving;
mod memoized_embeddings;
mod occupation;
mod phase;
mod phases;
mod prompt;
mod prompt_file;
mod ragged;
#[cfg(test)]
mod reference_prompts;
mod role;
mod session;
mod worker_use;

pub use ahead::{RequestedTexts, RowsAhead, Watch, encode_ahead};
pub use compression::{Compression, Quantize};
pub use encoder::Encoder;
pub use error::EncodeError;
pub use experiment::{OPTIONS as EXPERIMENT_OPTIONS, experiment_name};
pub use figures::Figures;
pub use occupation::Occupation;
pub use phase::Phase;
pub use phases::PhaseLog;
pub use prompt::{prompt_for, role_name};
pub use prompt_file::{PromptFile, near_subject};
pub use session::{UnitSession, lock};
