//! The workers of a model take the batches of one plan: whichever is free takes the next one.

mod delivery;
mod member;
mod queue;

pub(super) use delivery::{Answers, BatchRequest};

pub use member::{WorkerSpeed, WorkerSpeeds};

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope};

use mteb_base::threads::stack;
use mteb_workers::plugins::ModelClient;

use super::EncodeError;
use delivery::{Answer, Delivery};
use member::Member;
use queue::Queue;

/// One worker at the least, and what a plan of batches is cut by.
pub(super) struct Pool {
    members: Vec<Member>,
    /// Tokens of a batch; halved when memory runs out.
    pub batch_tokens: usize,
    speeds: Arc<WorkerSpeeds>,
}

impl Pool {
    /// Workers of one model.
    pub fn new(first: ModelClient, batch_tokens: usize) -> Self {
        let speeds = Arc::new(WorkerSpeeds::of(&[device_of(&first)]));
        Self { members: vec![Member::new(first)], batch_tokens, speeds }
    }

    /// The same with more workers.
    #[must_use]
    pub fn with(mut self, others: Vec<ModelClient>) -> Self {
        self.members.extend(others.into_iter().map(Member::new));
        self.speeds = Arc::new(WorkerSpeeds::of(&self.devices()));
        self
    }

    /// The first worker, which speaks for all.
    pub fn first(&self) -> &ModelClient {
        &self.members[0].client
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.members.len()
    }

    /// Where each worker computes.
    pub fn devices(&self) -> Vec<String> {
        self.members.iter().map(|member| device_of(&member.client)).collect()
    }

    /// How fast each worker is.
    pub fn speeds(&self) -> &Arc<WorkerSpeeds> {
        &self.speeds
    }

    /// All workers.
    pub fn clients(&mut self) -> impl Iterator<Item = &mut ModelClient> {
        self.members.iter_mut().map(|member| &mut member.client)
    }

    /// The processes of the workers that run.
    pub fn processes(&self) -> Vec<u32> {
        self.members.iter().filter_map(|member| member.client.process()).collect()
    }

    /// Processor time of all workers so far.
    pub fn processor(&self) -> std::time::Duration {
        self.members.iter().map(|member| member.usage.processor()).sum()
    }

    /// The most memory of each worker that was resident at any time, summed; `None` where the system does not say.
    pub fn memory(&mut self) -> Option<u64> {
        self.members.iter_mut().map(|member| member.usage.memory(member.client.process())).sum()
    }

    /// How often each worker may be started again from now on.
    pub fn allow_restarts(&mut self, each: u32) {
        self.members.iter_mut().for_each(|member| member.restarts_left = each);
    }

    /// How often each worker may still be started again, which is none from now on.
    pub fn take_restarts(&mut self) -> Vec<u32> {
        self.members.iter_mut().map(|member| std::mem::take(&mut member.restarts_left)).collect()
    }

    /// Gives back what [`Self::take_restarts`] has taken.
    pub fn give_restarts(&mut self, before: &[u32]) {
        self.members.iter_mut().zip(before).for_each(|(member, before)| member.restarts_left = *before);
    }

    /// Asks for all batches of the plan. What is finished when a batch fails is delivered all the same; the failure is that of the
    /// first batch of the plan that fails, whoever met another one earlier.
    ///
    /// # Errors
    /// If a batch fails, or an answer is refused.
    pub fn ask<R: Send>(
        &mut self,
        request: &BatchRequest<R>,
        answers: &mut dyn Answers<R>,
    ) -> Result<(), EncodeError> {
        let queue = Queue::new(request.plan, request.may_split, self.members.len(), self.batch_tokens);
        let mut delivery = Delivery::new(request.plan, answers, &queue);
        let speeds = &self.speeds;
        if self.members.len() > 1 && request.plan.len() > 1 {
            let slots: Vec<_> = self.members.iter_mut().map(|member| Mutex::new(Some(member))).collect();
            std::thread::scope(|scope| {
                let (sender, receiver) = channel();
                for (number, slot) in slots.iter().enumerate() {
                    let work = (number, slot, request, &queue, &**speeds);
                    if !spawn_worker_thread(scope, work, sender.clone()) {
                        queue.leave();
                    }
                }
                drop(sender);
                receiver.iter().for_each(|answer| delivery.accept(answer));
            });
        }
        // One worker alone, one batch alone, or what is left where the system gave no thread.
        for (number, member) in self.members.iter_mut().enumerate() {
            member.process_batches((number, request, &queue, speeds), &mut |answer| delivery.accept(answer));
        }
        delivery.finish();
        self.batch_tokens = queue.batch_tokens.load(Ordering::Relaxed);
        queue.result()
    }
}

/// A worker that a thread may take.
type Slot<'a> = Mutex<Option<&'a mut Member>>;

/// Starts a thread on which a worker processes batches; false where the system gives none.
fn spawn_worker_thread<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    (number, slot, request, queue, speeds): (
        usize,
        &'scope Slot<'_>,
        &'scope BatchRequest<'_, R>,
        &'scope Queue,
        &'scope WorkerSpeeds,
    ),
    sender: Sender<Answer<R>>,
) -> bool {
    let work = move || {
        let member = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(member) = member else { return };
        member.process_batches((number, request, queue, speeds), &mut |answer| {
            // Whoever asked waits for it.
            let _ = sender.send(answer);
        });
    };
    Builder::new()
        .stack_size(stack())
        .name(format!("worker {}", number + 1))
        .spawn_scoped(scope, work)
        .is_ok()
}

/// Where a model says that it computes, else where it was asked to.
fn device_of(client: &ModelClient) -> String {
    client.info().device.clone().unwrap_or_else(|| client.config().device.clone())
}
