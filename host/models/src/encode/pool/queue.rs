//! The batches that wait, and what becomes of one that fails: it goes to another worker, in halves where memory is short, or is
//! to blame.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use mteb_workers::plugins::WorkerError;

use super::super::EncodeError;

/// A batch of the plan, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Number of the batch.
    pub batch: usize,
    /// Numbers of its texts.
    pub members: Vec<usize>,
    /// Workers that have died of it.
    pub deaths: u32,
}

/// What a worker does after a batch has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Takes another one.
    GoOn,
    /// Is ended, as its memory is full, and then takes another one.
    EndWorker,
    /// Takes none any more.
    Leave,
}

/// What the workers share.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    may_split: bool,
    /// Tokens of a batch of the next plan.
    pub batch_tokens: AtomicUsize,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Piece>,
    /// Pieces of which an answer is awaited.
    running: usize,
    /// Workers that take pieces.
    present: usize,
    /// The first batch of the plan that has failed.
    failure: Option<(usize, EncodeError)>,
    is_stopped: bool,
}

impl State {
    /// True if another worker than the one that asks still takes pieces.
    fn has_others(&self) -> bool {
        self.present > 1
    }

    fn fail(&mut self, batch: usize, error: EncodeError) {
        if self.failure.as_ref().is_none_or(|(first, _)| batch < *first) {
            self.failure = Some((batch, error));
        }
    }

    /// The next piece. After a failure those before it are still asked for, as one worker alone would have done.
    fn next(&mut self) -> Option<Piece> {
        if self.is_stopped {
            return None;
        }
        let last = self.failure.as_ref().map_or(usize::MAX, |(batch, _)| *batch);
        let place = self.waiting.iter().position(|piece| piece.batch < last)?;
        self.waiting.remove(place)
    }
}

impl Queue {
    /// The batches of a plan, for so many workers.
    pub fn new(plan: &[Vec<usize>], may_split: bool, workers: usize, batch_tokens: usize) -> Self {
        let piece =
            |(batch, members): (usize, &Vec<usize>)| Piece { batch, members: members.clone(), deaths: 0 };
        let waiting = plan.iter().enumerate().map(piece).collect();
        Self {
            state: Mutex::new(State { waiting, present: workers, ..State::default() }),
            changed: Condvar::new(),
            may_split,
            batch_tokens: AtomicUsize::new(batch_tokens),
        }
    }

    /// The next piece; waits while another worker has one that it may give back. `None` once there is nothing more to do.
    pub fn take(&self) -> Option<Piece> {
        let mut state = self.lock();
        loop {
            if let Some(piece) = state.next() {
                state.running += 1;
                return Some(piece);
            }
            if state.running == 0 || state.is_stopped {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A piece that was taken has its answer.
    pub fn note_answer(&self) {
        self.lock().running -= 1;
        self.changed.notify_all();
    }

    /// True if another worker than the one that asks still takes pieces.
    pub fn has_others(&self) -> bool {
        self.lock().has_others()
    }

    /// What becomes of a piece that has failed, and of its worker, which may be started again `restarts_left` times. `is_absent`
    /// says that the worker could not even be started.
    pub fn note_failure(
        &self,
        mut piece: Piece,
        error: WorkerError,
        is_absent: bool,
        restarts_left: &mut u32,
    ) -> Next {
        let mut state = self.lock();
        state.running -= 1;
        let (is_death, is_memory) = (error.is_death(), error.is_memory());
        let can_split = self.may_split && piece.members.len() > 1;
        let may_restart = *restarts_left > 0;
        let next = if is_absent && state.has_others() && !error.is_final() && !error.is_interruption() {
            state.waiting.push_front(piece);
            Next::Leave
        } else if is_death && piece.deaths == 0 && state.has_others() {
            // Whatever has ended the worker may have nothing to do with the texts.
            piece.deaths = 1;
            state.waiting.push_front(piece);
            *restarts_left = restarts_left.saturating_sub(1);
            if may_restart { Next::GoOn } else { Next::Leave }
        } else if is_memory && can_split && (may_restart || !is_death) {
            if is_death {
                *restarts_left -= 1;
                self.halve_batches();
            }
            self.halve_batches();
            let right = piece.members.split_off(piece.members.len() / 2);
            state.waiting.push_front(Piece { members: right, ..piece.clone() });
            state.waiting.push_front(piece);
            Next::GoOn
        } else if (is_death || is_memory) && piece.deaths == 0 && may_restart {
            *restarts_left -= 1;
            if is_memory {
                self.halve_batches();
            }
            piece.deaths = 1;
            state.waiting.push_front(piece);
            // A new worker holds nothing.
            if is_death { Next::GoOn } else { Next::EndWorker }
        } else {
            state.fail(piece.batch, error.into());
            match (is_death || is_absent, may_restart) {
                (true, false) => Next::Leave,
                (false, _) if is_memory && !can_split => Next::EndWorker,
                _ => Next::GoOn,
            }
        };
        if next == Next::Leave {
            state.present = state.present.saturating_sub(1);
        }
        drop(state);
        self.changed.notify_all();
        next
    }

    /// An answer for this batch is refused.
    pub fn refuse(&self, batch: usize, error: EncodeError) {
        self.lock().fail(batch, error);
        self.changed.notify_all();
    }

    /// Nothing more is to be asked.
    pub fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }

    /// A worker takes no pieces any more.
    pub fn leave(&self) {
        let mut state = self.lock();
        state.present = state.present.saturating_sub(1);
        drop(state);
        self.changed.notify_all();
    }

    /// The place of a worker: should its thread panic, nobody waits for what it had.
    pub fn take_place(&self) -> Place<'_> {
        Place(Some(self))
    }

    /// What has failed.
    ///
    /// # Errors
    /// If something has.
    pub fn result(self) -> Result<(), EncodeError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.failure.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn halve_batches(&self) {
        let tokens = self.batch_tokens.load(Ordering::Relaxed);
        self.batch_tokens.store((tokens / 2).max(1), Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a worker among the others.
pub struct Place<'a>(Option<&'a Queue>);

impl Place<'_> {
    /// The worker has left in order.
    pub fn left(mut self) {
        self.0 = None;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(queue) = self.0 {
            queue.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(workers: usize) -> Queue {
        Queue::new(&[vec![0, 1], vec![2, 3], vec![4]], true, workers, 64)
    }

    fn died(is_memory: bool) -> WorkerError {
        let (plugin, how, last_words) = ("/a.so".into(), "ended".to_owned(), String::new());
        WorkerError::Died { plugin, how, last_words, is_memory, is_late: false }
    }

    fn cannot_start() -> WorkerError {
        WorkerError::Io { plugin: "/a.so".into(), source: std::io::ErrorKind::OutOfMemory.into() }
    }

    fn first(queue: &Queue) -> Piece {
        queue.take().unwrap()
    }

    #[test]
    fn a_worker_that_dies_gives_its_batch_back_whole() {
        for is_memory in [false, true] {
            let queue = queue(2);
            let mut restarts = 0;
            let piece = first(&queue);
            assert_eq!(queue.note_failure(piece, died(is_memory), false, &mut restarts), Next::Leave);
            assert_eq!(first(&queue), Piece { batch: 0, members: vec![0, 1], deaths: 1 });
            assert!(!queue.has_others());
        }
    }

    #[test]
    fn a_batch_that_ends_two_workers_is_to_blame() {
        let queue = queue(3);
        for _ in 0..2 {
            let piece = first(&queue);
            assert_eq!(piece.batch, 0);
            queue.note_failure(piece, died(false), false, &mut 0);
        }
        assert_eq!(queue.take(), None, "nothing before the batch that failed is left");
        assert!(queue.result().unwrap_err().is_death());
    }

    #[test]
    fn a_worker_alone_is_started_again_once() {
        let queue = queue(1);
        let mut restarts = 1;
        let piece = first(&queue);
        assert_eq!(queue.note_failure(piece, died(false), false, &mut restarts), Next::GoOn);
        assert_eq!(restarts, 0);
        let again = first(&queue);
        assert_eq!(again.batch, 0);
        assert_eq!(queue.note_failure(again, died(false), false, &mut restarts), Next::Leave);
        assert!(queue.result().is_err());
    }

    #[test]
    fn a_worker_alone_that_runs_out_of_memory_is_asked_for_halves() {
        let queue = queue(1);
        let mut restarts = 1;
        let piece = first(&queue);
        assert_eq!(queue.note_failure(piece, died(true), false, &mut restarts), Next::GoOn);
        assert_eq!([first(&queue).members, first(&queue).members], [[0], [1]]);
        assert_eq!((restarts, queue.batch_tokens.load(Ordering::Relaxed)), (0, 16));
    }

    #[test]
    fn of_two_failures_the_first_of_the_plan_counts_whoever_comes_first() {
        let queue = queue(2);
        let (early, late) = (first(&queue), first(&queue));
        assert_eq!(queue.note_failure(late, cannot_start(), false, &mut 0), Next::GoOn);
        queue.refuse(early.batch, died(false).into());
        queue.note_answer();
        assert_eq!(queue.take(), None);
        assert!(queue.result().unwrap_err().is_death());
    }

    #[test]
    fn what_is_given_back_before_a_failure_is_still_asked_for() {
        let queue = queue(3);
        let (early, late) = (first(&queue), first(&queue));
        queue.refuse(late.batch, cannot_start().into());
        queue.note_answer();
        queue.note_failure(early.clone(), died(false), false, &mut 0);
        assert_eq!(first(&queue), Piece { deaths: 1, ..early });
    }

    #[test]
    fn a_worker_that_cannot_be_started_leaves_its_batches_to_the_others() {
        let queue = queue(2);
        let piece = first(&queue);
        assert_eq!(queue.note_failure(piece.clone(), cannot_start(), true, &mut 1), Next::Leave);
        assert_eq!(first(&queue), piece);
        assert_eq!(queue.note_failure(piece, cannot_start(), true, &mut 1), Next::GoOn);
        assert!(queue.result().is_err());
    }

    #[test]
    fn a_thread_that_panics_keeps_nobody_waiting() {
        let queue = queue(2);
        let panicked = std::thread::scope(|scope| {
            let work = || {
                let _place = queue.take_place();
                first(&queue);
                panic!("on purpose");
            };
            scope.spawn(work).join().is_err()
        });
        assert!(panicked);
        assert_eq!(queue.take(), None);
    }
}
