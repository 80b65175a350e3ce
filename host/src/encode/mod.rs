//! From texts to embeddings: the prompt, batches by length, the worker, and what an evaluator sees of it.

mod batch;
mod encoder;
mod figures;
mod phases;
mod prompt;
mod session;

pub use encoder::Encoder;
pub use figures::Figures;
pub use phases::PhaseLog;
pub use prompt::prompt_for;
pub use session::UnitSession;
