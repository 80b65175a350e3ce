//! What a step does, and what goes from step to step.

use tch::Tensor;

use crate::error::TorchError;
use crate::packed::Packed;

/// One step behind the first module.
pub trait Step: Send {
    /// Applies the step.
    ///
    /// # Errors
    /// If libtorch fails.
    fn apply(&self, packed: &Packed, state: State) -> Result<State, TorchError>;

    /// Numbers in a row behind the step.
    fn width(&self) -> i64;
}

/// What goes from step to step.
pub struct State {
    /// Rows of tokens, `[tokens, width]`; behind the pooling rows of texts, `[texts, width]`.
    pub rows: Tensor,
    /// Weights of tokens, `[tokens]`, where a step has given some.
    pub weights: Option<Tensor>,
}
