//! A plan of batches as a request to the workers, whose answers are brought into the order of the
//! plan.

use mteb_workers::plugins::{ModelClient, WorkerError};

use super::queue::Queue;
use crate::encode::EncodeError;

/// The answer for a batch, or for a part of it.
pub struct Answer<R> {
    /// Number of the batch.
    pub batch: usize,
    /// Numbers of its texts.
    pub members: Vec<usize>,
    /// What the worker has said.
    pub answer: R,
}

/// What has come so far. Whoever takes answers is asked for nothing but by the thread that has this.
pub struct Delivery<'a, R> {
    answers: &'a mut dyn Answers<R>,
    queue: &'a Queue,
    /// Texts of each batch that are awaited.
    awaited: Vec<usize>,
    /// The first batch that was not told.
    next: usize,
}

impl<'a, R> Delivery<'a, R> {
    pub fn new(plan: &[Vec<usize>], answers: &'a mut dyn Answers<R>, queue: &'a Queue) -> Self {
        Self { answers, queue, awaited: plan.iter().map(Vec::len).collect(), next: 0 }
    }

    /// Takes an answer, and tells the batches that are whole now and before which nothing is missing.
    pub fn accept(&mut self, Answer { batch, members, answer }: Answer<R>) {
        if let Err(error) = self.answers.take(batch, &members, answer) {
            return self.queue.refuse(batch, error);
        }
        self.awaited[batch] -= members.len();
        while self.awaited.get(self.next) == Some(&0) {
            self.next += 1;
            if !self.answers.done(self.next - 1) {
                self.queue.stop();
            }
        }
    }

    /// Tells the batches that are whole though one before them has failed or was not asked for.
    pub fn finish(self) {
        let Self { answers, awaited, next, .. } = self;
        let whole = (next..awaited.len()).filter(|batch| awaited[*batch] == 0);
        whole.for_each(|batch| {
            answers.done(batch);
        });
    }
}

/// Asks a worker for texts of a batch, by the number of the batch and the numbers of the texts.
type CallWorker<'a, R> = dyn Fn(&mut ModelClient, usize, &[usize]) -> Result<R, WorkerError> + Sync + 'a;

/// A plan of batches, and how one of them is asked of a worker.
pub struct BatchRequest<'a, R> {
    /// The batches, each the numbers of its texts.
    pub plan: &'a [Vec<usize>],
    /// True if half a batch may be asked for.
    pub may_split: bool,
    /// True if texts are encoded, not looked at alone.
    pub is_counted: bool,
    /// Asks one worker for the texts of a batch.
    pub call_worker: &'a CallWorker<'a, R>,
}

/// What becomes of the answers, all on the thread that asks.
pub trait Answers<R> {
    /// Takes the answer for the texts of these numbers, all or a part of the batch of this number, as soon as it is there.
    fn take(&mut self, batch: usize, members: &[usize], answer: R) -> Result<(), EncodeError>;

    /// Hears of every finished batch, in the order of the plan whoever was first, and says whether to go on.
    fn done(&mut self, batch: usize) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The batches in the order in which they were told.
    struct Told(Vec<usize>);

    impl Answers<()> for Told {
        fn take(&mut self, _: usize, _: &[usize], (): ()) -> Result<(), crate::encode::EncodeError> {
            Ok(())
        }

        fn done(&mut self, batch: usize) -> bool {
            self.0.push(batch);
            true
        }
    }

    /// What is told of a plan whose answers come for these batches and texts.
    fn told(coming: &[(usize, &[usize])]) -> Vec<usize> {
        let plan = [vec![0, 1], vec![2], vec![3]];
        let queue = Queue::new(&plan, true, 2, 1);
        let mut told = Told(Vec::new());
        let mut delivery = Delivery::new(&plan, &mut told, &queue);
        for (batch, members) in coming {
            delivery.accept(Answer { batch: *batch, members: members.to_vec(), answer: () });
        }
        delivery.finish();
        told.0
    }

    #[test]
    fn batches_are_told_in_the_order_of_the_plan_whoever_is_first() {
        assert_eq!(told(&[(2, &[3]), (0, &[1]), (1, &[2]), (0, &[0])]), [0, 1, 2]);
    }

    #[test]
    fn what_is_whole_is_told_though_a_batch_before_it_is_not() {
        assert_eq!(told(&[(2, &[3]), (0, &[0])]), [2]);
    }
}
