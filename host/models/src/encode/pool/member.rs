//! One worker of a pool: takes batches until none is left; how much each worker has encoded, for
//! whoever watches.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mteb_workers::plugins::{ModelClient, WorkerError};
use tracing::trace;

use super::super::worker_use::WorkerUse;
use super::delivery::{Answer, BatchRequest};
use super::queue::{Next, Piece, Queue};

/// A worker, and how often it may still be started again.
pub struct Member {
    pub client: ModelClient,
    pub usage: WorkerUse,
    pub restarts_left: u32,
}

impl Member {
    pub fn new(client: ModelClient) -> Self {
        Self { client, usage: WorkerUse::default(), restarts_left: 1 }
    }

    /// Takes batches of the queue while there are some, and gives away each answer.
    pub fn process_batches<R>(
        &mut self,
        (number, request, queue, speeds): (usize, &BatchRequest<R>, &Queue, &WorkerSpeeds),
        give: &mut dyn FnMut(Answer<R>),
    ) {
        let place = queue.take_place();
        while let Some(piece) = queue.take() {
            let begin = Instant::now();
            let (result, is_absent) = self.answer(request, &piece, queue);
            self.usage.note(self.client.process());
            trace!(worker = number, batch = piece.batch, texts = piece.members.len(), took = ?begin.elapsed(), "batch");
            match result {
                Ok(answer) => {
                    if request.is_counted {
                        speeds.note(number, piece.members.len(), begin.elapsed());
                    }
                    let (batch, members) = (piece.batch, piece.members);
                    give(Answer { batch, members, answer });
                    queue.note_answer();
                }
                Err(error) => match queue.note_failure(piece, error, is_absent, &mut self.restarts_left) {
                    Next::GoOn => {}
                    Next::EndWorker => self.client.end(),
                    Next::Leave => return place.left(),
                },
            }
        }
        queue.leave();
        place.left();
    }

    /// The answer for a piece; true beside it if there was no worker and none could be started, so that nothing was asked.
    fn answer<R>(
        &mut self,
        request: &BatchRequest<R>,
        piece: &Piece,
        queue: &Queue,
    ) -> (Result<R, WorkerError>, bool) {
        if queue.has_others()
            && let Err(error) = self.client.revive()
        {
            return (Err(error), true);
        }
        ((request.call_worker)(&mut self.client, piece.batch, &piece.members), false)
    }
}

/// What the workers of a model have encoded so far; it grows while others look.
#[derive(Debug, Default)]
pub struct WorkerSpeeds(Vec<Count>);

#[derive(Debug)]
struct Count {
    device: String,
    texts: AtomicU64,
    microseconds: AtomicU64,
}

/// What one worker has encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerSpeed {
    /// Where it computes.
    pub device: String,
    /// Texts, or pairs of a cross-encoder.
    pub texts: u64,
    /// Time in which it was busy with them.
    pub busy: Duration,
}

impl WorkerSpeed {
    /// Texts a second while it was busy; none if it never was.
    pub fn texts_per_second(&self) -> Option<f64> {
        let seconds = self.busy.as_secs_f64();
        (seconds > 0.0).then(|| self.texts as f64 / seconds)
    }
}

impl WorkerSpeeds {
    pub(super) fn of(devices: &[String]) -> Self {
        let count = |device: &String| Count {
            device: device.clone(),
            texts: AtomicU64::new(0),
            microseconds: AtomicU64::new(0),
        };
        Self(devices.iter().map(count).collect())
    }

    pub(super) fn note(&self, worker: usize, texts: usize, busy: Duration) {
        let Some(count) = self.0.get(worker) else { return };
        count.texts.fetch_add(texts as u64, Ordering::Relaxed);
        count.microseconds.fetch_add(u64::try_from(busy.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    /// Each worker, in the order of their devices.
    pub fn now(&self) -> Vec<WorkerSpeed> {
        let speed = |count: &Count| WorkerSpeed {
            device: count.device.clone(),
            texts: count.texts.load(Ordering::Relaxed),
            busy: Duration::from_micros(count.microseconds.load(Ordering::Relaxed)),
        };
        self.0.iter().map(speed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_of_the_time_in_which_a_worker_was_busy() {
        let speeds = WorkerSpeeds::of(&["cuda:0".to_owned(), "cuda:1".to_owned()]);
        speeds.note(1, 30, Duration::from_secs(2));
        speeds.note(1, 10, Duration::from_secs(2));
        let found: Vec<_> =
            speeds.now().iter().map(|worker| (worker.texts, worker.texts_per_second())).collect();
        assert_eq!(found, [(0, None), (40, Some(10.0))]);
    }
}
