//! One worker of a pool: takes batches until none is left.

use std::time::Instant;

use mteb_workers::plugins::{ModelClient, WorkerError};
use tracing::trace;

use super::super::worker_use::WorkerUse;
use super::delivery::{Answer, BatchRequest};
use super::queue::{Next, Piece, Queue};
use super::speeds::WorkerSpeeds;

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
