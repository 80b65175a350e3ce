//! Many calls at once, each until it is answered or given up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::account::Account;
use crate::breaker::Breaker;
use crate::gate::Gate;
use crate::overload::Overload;
use crate::pace::Pace;
use crate::policy::pause;
use crate::transport::{NoReply, Reply, Transport};
use crate::verdict::{Verdict, said, values_up_to, verdict};
use crate::{Budget, Call, Charge, Endpoint, Failure, Figures, Policy, Prices, Read, Unfit};

/// Attempts at an endpoint that has never answered and cannot be reached.
const FIRST_ATTEMPTS: u32 = 3;

/// How often a watcher is heard while nothing ends.
const TICK: Duration = Duration::from_millis(100);

/// Threads that send and read; most of the time is spent waiting.
const THREADS: usize = 4;

/// Asks one endpoint.
pub struct Client {
    runtime: Runtime,
    shared: Arc<Shared>,
}

struct Shared {
    endpoint: Endpoint,
    policy: Policy,
    transport: Transport,
    gate: Gate,
    pace: Pace,
    breaker: Breaker,
    account: Account,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    On,
    /// Begin no more calls and drop those under way.
    End,
}

/// Hears what becomes of calls, on the thread that asked.
pub trait Watcher<T> {
    /// The call numbered `number` has ended.
    fn ended(&mut self, number: usize, result: Result<T, Failure>) -> Flow;

    /// A tenth of a second went by.
    fn tick(&mut self) -> Flow {
        Flow::On
    }
}

impl<T, F: FnMut(usize, Result<T, Failure>) -> Flow> Watcher<T> for F {
    fn ended(&mut self, number: usize, result: Result<T, Failure>) -> Flow {
        self(number, result)
    }
}

/// What an attempt came to.
enum Attempt<T> {
    Done(T),
    Failed(Failure),
    /// Ask again: after the time that the endpoint wants, and whether the attempt counts.
    Again {
        message: String,
        wait: Option<Duration>,
        counts: bool,
        said: Said,
    },
}

/// What came of an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// No whole reply.
    Nothing,
    /// That it failed, or was asked too much.
    Failure,
    /// What is no answer.
    Unfit,
}

impl Client {
    /// A client of `endpoint`.
    ///
    /// # Errors
    /// If threads or encrypted connections cannot be had.
    pub fn new(endpoint: Endpoint, policy: Policy, prices: Prices, budget: Budget) -> Result<Self, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build();
        let runtime =
            runtime.map_err(|error| Failure::Impossible(format!("cannot start threads: {error}")))?;
        let transport = Transport::new(&policy)
            .map_err(|error| Failure::Impossible(format!("cannot encrypt connections: {error}")))?;
        let shared = Shared {
            endpoint,
            policy,
            transport,
            gate: Gate::new(policy.concurrency),
            pace: Pace::new(policy.requests_per_minute, policy.tokens_per_minute),
            breaker: Breaker::new(policy.rest),
            account: Account::new(prices, budget),
        };
        Ok(Self { runtime, shared: Arc::new(shared) })
    }

    /// Makes all `calls`, as many at once as the policy allows; `read` reads the reply of each, `watcher` hears of each
    /// end, in any order. Calls are taken one by one, when they are about to begin.
    pub fn each<T: Send + 'static>(
        &self,
        calls: impl IntoIterator<Item = Call>,
        read: impl Fn(usize, &[u8]) -> Result<Read<T>, Unfit> + Send + Sync + 'static,
        watcher: &mut impl Watcher<T>,
    ) {
        let read = Arc::new(read);
        let mut calls = calls.into_iter().enumerate();
        let most = self.shared.policy.concurrency.max(1);
        self.runtime.block_on(async {
            let mut under_way = JoinSet::new();
            loop {
                while under_way.len() < most
                    && let Some((number, call)) = calls.next()
                {
                    let (shared, read) = (Arc::clone(&self.shared), Arc::clone(&read));
                    under_way
                        .spawn(async move { (number, shared.call(&call, |body| read(number, body)).await) });
                }
                let flow = match tokio::time::timeout(TICK, under_way.join_next()).await {
                    Ok(None) => return,
                    Ok(Some(Ok((number, result)))) => watcher.ended(number, result),
                    // Only `read` can panic, and only an abort cancels: the panic is the caller's.
                    Ok(Some(Err(error))) => match error.try_into_panic() {
                        Ok(panic) => std::panic::resume_unwind(panic),
                        Err(_) => Flow::End,
                    },
                    Err(_) => watcher.tick(),
                };
                if flow == Flow::End {
                    return under_way.shutdown().await;
                }
            }
        });
    }

    /// Makes one call.
    ///
    /// # Errors
    /// If it brings no answer.
    pub fn one<T: Send + 'static>(
        &self,
        call: &Call,
        read: impl Fn(&[u8]) -> Result<Read<T>, Unfit> + Send + Sync,
    ) -> Result<T, Failure> {
        self.runtime.block_on(self.shared.call(call, read))
    }

    /// `text` without the key of the endpoint, which may repeat it.
    pub fn clean(&self, text: &str) -> String {
        self.shared.endpoint.clean(text)
    }

    /// What was asked so far.
    pub fn figures(&self) -> Figures {
        self.shared.account.figures()
    }

    /// Calls that may be under way now; fewer than the policy says after the endpoint was asked too much.
    pub fn limit(&self) -> usize {
        self.shared.gate.limit()
    }
}

impl Shared {
    /// Makes a call until it is answered, refused, or given up.
    async fn call<T>(
        &self,
        call: &Call,
        read: impl Fn(&[u8]) -> Result<Read<T>, Unfit>,
    ) -> Result<T, Failure> {
        let uri = self.endpoint.address.below(&call.path);
        let uri = uri.map_err(|error| Failure::Impossible(error.to_string()))?;
        let body = Bytes::copy_from_slice(&call.body);
        let (begin, mut attempts, mut counted, mut unfit) = (Instant::now(), 0, 0, 0);
        let mut overload = Overload::default();
        loop {
            let place = || uri.to_string();
            let resting = |resting: crate::breaker::Resting| Failure::Resting {
                place: place(),
                seconds: resting.seconds,
                message: resting.last,
            };
            self.breaker.may_ask(Instant::now()).map_err(resting)?;
            attempts += 1;
            let (message, wait, said) = match self.attempt(&uri, &body, call, attempts > 1, &read).await {
                Attempt::Done(value) => return Ok(value),
                Attempt::Failed(failure) => return Err(failure),
                Attempt::Again { message, wait, counts, said } => {
                    counted += u32::from(counts);
                    unfit += u32::from(said == Said::Unfit);
                    if !counts {
                        overload.add(self.account.figures().answered);
                    }
                    (message, wait, said)
                }
            };
            let is_unknown = !self.breaker.has_answered() && said == Said::Nothing;
            let most =
                if is_unknown { FIRST_ATTEMPTS.min(self.policy.attempts) } else { self.policy.attempts };
            let rest = self.policy.call_time.saturating_sub(begin.elapsed());
            let first = if said == Said::Unfit { self.policy.unfit_pause } else { self.policy.first_pause };
            let pause = wait.unwrap_or_default().max(pause(&self.policy, first, attempts, fastrand::f64()));
            let seconds = begin.elapsed().as_secs();
            if overload.is_lasting() {
                return Err(Failure::Overloaded { place: place(), attempts, seconds, message });
            }
            if said == Said::Unfit && (unfit >= self.policy.unfit_attempts || counted >= most || pause > rest)
            {
                return Err(Failure::Unfit { place: place(), attempts: unfit, message });
            }
            if counted >= most || pause > rest {
                // Those that count, as the policy allows so many; of others alone all.
                let attempts = if counted > 0 { counted } else { attempts };
                return Err(Failure::Unanswered { place: place(), attempts, seconds, message });
            }
            tokio::time::sleep(pause).await;
        }
    }

    async fn attempt<T>(
        &self,
        uri: &hyper::Uri,
        body: &Bytes,
        call: &Call,
        is_repeated: bool,
        read: &impl Fn(&[u8]) -> Result<Read<T>, Unfit>,
    ) -> Attempt<T> {
        let expected = call.expected();
        let passed = self.gate.pass().await;
        tokio::time::sleep(self.pace.admit(expected.input, Instant::now())).await;
        if let Err(limit) = self.account.begin(expected, is_repeated) {
            // What the calls were spent on.
            let last = self.breaker.last_failure().map(|last| format!("; the last call failed: {last}"));
            return Attempt::Failed(Failure::Spent { limit, last: last.unwrap_or_default() });
        }
        let begin = Instant::now();
        let reply = self.transport.post(&self.endpoint, uri, body.clone(), call.bounds.bytes).await;
        let took = begin.elapsed();
        drop(passed);
        let (attempt, charge) = match reply {
            Ok(reply) => self.judge(uri, &reply, took, &|body: &[u8]| {
                within(body, call.bounds.values).and_then(|()| read(body))
            }),
            Err(NoReply::TooLarge(message)) => {
                self.breaker.failed(&message, Instant::now());
                let attempt = Attempt::Again { message, wait: None, counts: true, said: Said::Unfit };
                (attempt, Charge::Estimate)
            }
            Err(NoReply::Missing(message)) => {
                if took >= self.policy.attempt_time {
                    self.gate.too_much(None, Instant::now());
                }
                let message = self.endpoint.clean(&message);
                self.breaker.failed(&message, Instant::now());
                (Attempt::Again { message, wait: None, counts: true, said: Said::Nothing }, Charge::Nothing)
            }
        };
        self.account.end(expected, charge, matches!(attempt, Attempt::Done(_)));
        attempt
    }

    /// What a reply means for its call.
    fn judge<T>(
        &self,
        uri: &hyper::Uri,
        reply: &Reply,
        took: Duration,
        read: &impl Fn(&[u8]) -> Result<Read<T>, Unfit>,
    ) -> (Attempt<T>, Charge) {
        let (place, status) = (uri.to_string(), reply.status);
        let message = || self.endpoint.clean(&said(&reply.body));
        let verdict = verdict(status, &reply.body);
        let mut charged = Charge::Nothing;
        let attempt = match verdict {
            Verdict::Answered => match read(&reply.body) {
                Ok(Read { value, usage }) => {
                    self.breaker.answered();
                    self.gate.answered(took, self.policy.attempt_time, Instant::now());
                    return (Attempt::Done(value), usage.map_or(Charge::Estimate, Charge::Tokens));
                }
                Err(Unfit { message, may_pass, charge }) => {
                    charged = charge;
                    let message = self.endpoint.clean(&message);
                    if may_pass {
                        self.again(message, reply, Said::Unfit)
                    } else {
                        Attempt::Failed(Failure::Unfit { place, attempts: 1, message })
                    }
                }
            },
            Verdict::TooMuch => {
                self.gate.too_much(reply.retry_after, Instant::now());
                self.breaker.answered();
                let message = format!("status {status}: {}", message());
                Attempt::Again { message, wait: reply.retry_after, counts: false, said: Said::Failure }
            }
            Verdict::Passing => self.again(format!("status {status}: {}", message()), reply, Said::Failure),
            Verdict::Refused => Attempt::Failed(Failure::Refused { place, status, message: message() }),
            Verdict::Denied(hint) => {
                Attempt::Failed(Failure::Denied { place, status, message: message(), hint })
            }
        };
        (attempt, charged)
    }

    fn again<T>(&self, message: String, reply: &Reply, said: Said) -> Attempt<T> {
        self.breaker.failed(&message, Instant::now());
        Attempt::Again { message, wait: reply.retry_after, counts: true, said }
    }
}

/// An error if a reply has more values than were asked for.
fn within(body: &[u8], most: usize) -> Result<(), Unfit> {
    match values_up_to(body, most) > most {
        true => Err(Unfit::passing(format!(
            "expected a reply of at most {most} values, because no more were requested, found more"
        ))),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::served::endpoint;

    /// What comes of a call to an endpoint that answers with this head, and whose answers are none.
    fn failure(head: &'static str) -> Failure {
        let pause = Duration::from_millis(1);
        let policy = Policy { first_pause: pause, longest_pause: pause, ..Policy::default() };
        let client = Client::new(endpoint(head), policy, Prices::default(), Budget::default()).unwrap();
        let call = Call { path: "embeddings".to_owned(), body: b"{}".to_vec(), ..Call::default() };
        client.one(&call, |_| Err::<Read<()>, _>(Unfit::passing("expected rows, found none"))).unwrap_err()
    }

    #[test]
    fn an_endpoint_that_is_asked_too_much_for_ever_is_given_up() {
        let failure = failure("429 Too Many Requests\r\nretry-after: 0");
        let Failure::Overloaded { attempts, message, .. } = &failure else { panic!("{failure:?}") };
        assert_eq!((*attempts, message.as_str()), (10, "status 429: nothing"));
    }

    #[test]
    fn what_is_no_answer_is_asked_for_less_often_than_what_fails() {
        let unfit = failure("200 OK");
        let Failure::Unfit { attempts, message, .. } = &unfit else { panic!("{unfit:?}") };
        assert_eq!((*attempts, message.as_str()), (3, "expected rows, found none"));
        let fails = failure("500 Internal Server Error");
        let Failure::Unanswered { attempts, message, .. } = &fails else { panic!("{fails:?}") };
        assert_eq!((*attempts, message.as_str()), (8, "status 500: nothing"));
    }
}
