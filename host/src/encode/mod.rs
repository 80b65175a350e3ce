//! From texts to embeddings: the prompt, batches by length, the worker, and what an evaluator sees of it.

mod batch;
mod encoder;
mod figures;
mod phases;
mod prompt;
mod prompt_file;
mod session;

pub use encoder::Encoder;
pub use figures::Figures;
pub use phases::PhaseLog;
pub use prompt::{prompt_for, role_name};
pub use prompt_file::PromptFile;
pub use session::UnitSession;
