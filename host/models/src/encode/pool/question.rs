//! A plan of batches as a question to the workers, and who takes their answers.

use mteb_workers::plugins::{ModelClient, WorkerError};

use super::super::EncodeError;

/// Asks a worker for texts of a batch, by the number of the batch and the numbers of the texts.
pub type Ask<'a, R> = dyn Fn(&mut ModelClient, usize, &[usize]) -> Result<R, WorkerError> + Sync + 'a;

/// What the workers are asked.
pub struct Question<'a, R> {
    /// The batches, each the numbers of its texts.
    pub plan: &'a [Vec<usize>],
    /// True if half a batch may be asked for.
    pub may_split: bool,
    /// True if texts are encoded, not looked at alone.
    pub is_counted: bool,
    /// Asks one worker.
    pub ask: &'a Ask<'a, R>,
}

/// What becomes of the answers, all on the thread that asks.
pub trait Answers<R> {
    /// Takes the answer for the texts of these numbers, all or a part of the batch of this number, as soon as it is there.
    fn take(&mut self, batch: usize, members: &[usize], answer: R) -> Result<(), EncodeError>;

    /// Hears of every finished batch, in the order of the plan whoever was first, and says whether to go on.
    fn done(&mut self, batch: usize) -> bool;
}
