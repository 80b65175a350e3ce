//! Asks a judge for one pair per call, many at once, and keeps each judgement as it comes.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use mteb_base::interrupt;
use mteb_graded::GradedError;
use mteb_graded::judge::{
    JudgeCard, OtherModel, Prompt, Question, Reply, body, pair_tokens, path, read_reply_of, reply_tokens,
};
use mteb_graded::pool::{Pool, PoolPair};
use mteb_graded::store::{Judgement, StoreWriter, Tokens, Verdict};
use mteb_remote::{
    Bounds, Budget, Call, Charge, Client, Endpoint, Failure, Figures, Flow, Policy, Prices, Read, Unfit,
    Usage, Watcher,
};

/// Most bytes of a reply.
const REPLY: usize = 4 << 20;

/// Most values of its JSON, at every depth: some dozen in the forms of the providers.
const VALUES: usize = 16_384;

/// Pairs of different queries that a judge is asked for first, as long as it has given no score: one that replies nothing but prose, or
/// refuses each question, must not be paid for all of them.
const FIRST: usize = 5;

/// Judgements after which those so far are brought to the disk.
const FLUSH: usize = 256;

/// How long calls under way are waited for once the user wants to end: most replies that are paid for already still come.
const LAST_REPLIES: Duration = Duration::from_secs(3);

/// A pair that is to be asked, with the pool that has its texts.
#[derive(Clone, Copy, Debug)]
pub struct OpenPair<'a> {
    /// The pool.
    pub pool: &'a Pool,
    /// The pair.
    pub pair: &'a PoolPair,
}

/// What the user allows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AskLimits {
    /// Most calls, repeated ones included.
    pub max_calls: Option<u64>,
    /// Most money, in the currency of the card.
    pub max_cost: Option<f64>,
    /// Most calls at once, if not as many as the card says.
    pub concurrency: Option<usize>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskProgress {
    /// Pairs that have a judgement now.
    pub judged: usize,
    /// Pairs that were given up.
    pub failed: usize,
    /// What was asked so far.
    pub figures: Figures,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct AskOutcome {
    /// What was done.
    pub progress: AskProgress,
    /// Why it ended before all pairs were asked.
    pub ended: Option<Ended>,
}

/// Why pairs are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The budget is spent.
    Budget(String),
    /// The user asked for it.
    Interrupted,
    /// The endpoint gives no answers.
    Endpoint(String),
}

/// Asks for `pairs`, which are sorted by query, and adds what comes to `store`. A reply that is malformed, cut or refused is asked for
/// again as often as the card says, then kept as failed with its reason. A judge that has never given a score is asked for a few pairs
/// first; where it judges none of them it is asked no more, and nothing is kept. Calls under way are waited for when it ends early, for
/// [`LAST_REPLIES`] where the user wants it to end.
///
/// # Errors
/// One line: connections cannot be had, or the store cannot be written.
pub fn ask(
    (card, prompt): (&JudgeCard, &Prompt),
    endpoint: Endpoint,
    pairs: &[OpenPair<'_>],
    store: &mut StoreWriter,
    limits: AskLimits,
    observer: &mut dyn FnMut(&AskProgress),
) -> Result<AskOutcome, String> {
    let budget = Budget { calls: limits.max_calls, cost: limits.max_cost };
    let policy = policy(card, limits.concurrency);
    let client = Client::new(endpoint, policy, prices(card), budget).map_err(|error| error.to_string())?;
    let stopping = Cell::new(false);
    let of_judge = card.endpoint.clone();
    let style = of_judge.style;
    let spent = Arc::new(Spent::default());
    let of_failures = Arc::clone(&spent);
    let read = move |number: usize, reply: &[u8]| {
        let counted = |tokens| Some(usage(tokens)).filter(|usage| usage.input > 0);
        // What is no judgement was paid for all the same.
        let charge = || {
            let tokens = reply_tokens(style, reply);
            of_failures.add(number, tokens.unwrap_or_default());
            let charge = tokens.map(|tokens| counted(tokens).map_or(Charge::Estimate, Charge::Tokens));
            charge.unwrap_or_default()
        };
        let read = read_reply_of(&of_judge, reply)
            .map_err(|other| Unfit::lasting(other.to_string()).charged(charge()))?
            .map_err(|fault| Unfit::passing(fault.to_string()).charged(charge()))?;
        let usage = counted(read.tokens);
        Ok(Read { value: read, usage })
    };
    let (first, rest) = if store.has_scores() { (Vec::new(), pairs.to_vec()) } else { spread(pairs, FIRST) };
    let mut recorder = Recorder {
        pairs: &first,
        withheld: Vec::new(),
        store,
        client: &client,
        stopping: &stopping,
        spent: &spent,
        interrupted: None,
        observer,
        asked: AskOutcome::default(),
        unflushed: 0,
        error: None,
    };
    let open = |pair: &OpenPair<'_>| (!stopping.get()).then(|| call(card, prompt, pair));
    client.each(first.iter().map_while(open), read.clone(), &mut recorder);
    recorder.end_unless_judged();
    recorder.pairs = &rest;
    client.each(rest.iter().map_while(open), read, &mut recorder);
    let Recorder { store, mut asked, error, .. } = recorder;
    asked.progress.figures = client.figures();
    let flushed = store.flush();
    match error.or(flushed.err()) {
        Some(error) => Err(error.to_string()),
        None => Ok(asked),
    }
}

fn policy(card: &JudgeCard, concurrency: Option<usize>) -> Policy {
    let limits = &card.limits;
    let attempt_time = Duration::from_secs(limits.seconds.max(1));
    let usual = Policy::default();
    Policy {
        concurrency: concurrency.unwrap_or(limits.concurrency),
        attempts: limits.attempts,
        unfit_attempts: limits.attempts,
        attempt_time,
        late: "; a slow endpoint needs more `seconds` under `[limits]` of the judge's card, or a smaller `concurrency`",
        call_time: usual.call_time + attempt_time.saturating_mul(limits.attempts),
        requests_per_minute: limits.requests_per_minute,
        tokens_per_minute: limits.tokens_per_minute,
        reply_bytes: REPLY,
        ..usual
    }
}

fn prices(card: &JudgeCard) -> Prices {
    card.prices.as_ref().map_or_else(Prices::default, |prices| Prices {
        input: prices.input,
        cached: prices.cached,
        output: prices.output,
    })
}

fn call(card: &JudgeCard, prompt: &Prompt, open: &OpenPair<'_>) -> Call {
    let (query, document) = open.pool.texts(open.pair);
    let question = Question { query, document };
    let tokens = pair_tokens(card, prompt, question);
    Call {
        path: path(card.endpoint.style).to_owned(),
        body: body(card, prompt, question).to_string().into_bytes(),
        tokens: tokens.shared + tokens.own,
        reply_tokens: tokens.reply,
        bounds: Bounds { bytes: REPLY, values: VALUES },
    }
}

fn usage(tokens: Tokens) -> Usage {
    Usage { input: tokens.input, cached: tokens.cached, output: tokens.output }
}

/// What replies that were no judgements took, by the number of their pair.
#[derive(Debug, Default)]
struct Spent(Mutex<HashMap<usize, Tokens>>);

impl Spent {
    fn add(&self, number: usize, tokens: Tokens) {
        let mut spent = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_pair = spent.entry(number).or_default();
        *of_pair = of_pair.plus(tokens);
    }

    fn take(&self, number: usize) -> Tokens {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&number).unwrap_or_default()
    }
}

/// `count` of `pairs`, far from one another, and the others.
fn spread<'a>(pairs: &[OpenPair<'a>], count: usize) -> (Vec<OpenPair<'a>>, Vec<OpenPair<'a>>) {
    let count = count.min(pairs.len());
    let is_first = |place: usize| place * count / pairs.len() != (place + 1) * count / pairs.len();
    let (first, rest): (Vec<_>, Vec<_>) = pairs.iter().enumerate().partition(|(place, _)| is_first(*place));
    let plain = |pairs: Vec<(usize, &OpenPair<'a>)>| pairs.into_iter().map(|(_, pair)| *pair).collect();
    (plain(first), plain(rest))
}

/// Keeps judgements as they come.
struct Recorder<'a> {
    pairs: &'a [OpenPair<'a>],
    /// Failures of a judge that has given no score yet: what is at fault may be the judge.
    withheld: Vec<(usize, String)>,
    store: &'a mut StoreWriter,
    client: &'a Client,
    stopping: &'a Cell<bool>,
    spent: &'a Spent,
    /// When the user was heard.
    interrupted: Option<Instant>,
    observer: &'a mut dyn FnMut(&AskProgress),
    asked: AskOutcome,
    unflushed: usize,
    error: Option<GradedError>,
}

impl Recorder<'_> {
    /// Begins no more calls; the first reason counts.
    fn stop(&mut self, ended: Ended) {
        self.stopping.set(true);
        self.asked.ended.get_or_insert(ended);
    }

    fn keep(&mut self, number: usize, verdict: Verdict, tokens: Tokens) -> Flow {
        let tokens = self.spent.take(number).plus(tokens);
        let PoolPair { pair, query, document } = self.pairs[number].pair.clone();
        let kept = self.store.append(&Judgement { pair, query, document, verdict, tokens });
        self.unflushed += 1;
        let flushed = if self.unflushed < FLUSH {
            Ok(())
        } else {
            self.unflushed = 0;
            self.store.flush()
        };
        match kept.and(flushed) {
            Ok(()) => Flow::On,
            Err(error) => {
                self.error = Some(error);
                self.stopping.set(true);
                Flow::End
            }
        }
    }

    /// What becomes of a call without an answer. An endpoint that has never answered says nothing about a pair.
    fn failed(&mut self, number: usize, failure: Failure) -> Flow {
        let reason = match failure {
            // An endpoint that only answers as another model is the wrong one.
            Failure::Unfit { ref message, .. }
                if self.asked.progress.judged == 0 && message.starts_with(OtherModel::BEGIN) =>
            {
                self.stop(Ended::Endpoint(failure.to_string()));
                return Flow::On;
            }
            Failure::Unfit { message, attempts, .. } => format!("{message} ({attempts} attempts)"),
            Failure::Refused { status, message, .. } => format!("refused with status {status}: {message}"),
            Failure::Unanswered { message, attempts, .. } if self.asked.progress.judged > 0 => {
                format!("no answer after {attempts} attempts; the last one: {message}")
            }
            Failure::Spent(message) => {
                self.stop(Ended::Budget(message));
                return Flow::On;
            }
            failure => {
                self.stop(Ended::Endpoint(failure.to_string()));
                return Flow::On;
            }
        };
        if self.store.has_scores() {
            return self.keep_failed(number, reason);
        }
        self.withheld.push((number, reason));
        Flow::On
    }

    fn keep_failed(&mut self, number: usize, reason: String) -> Flow {
        self.asked.progress.failed += 1;
        self.keep(number, Verdict::Failed { reason }, Tokens::default())
    }

    /// Keeps the failures that were withheld, now that the judge has given a score.
    fn keep_withheld(&mut self) -> Flow {
        for (number, reason) in std::mem::take(&mut self.withheld) {
            if self.keep_failed(number, reason) == Flow::End {
                return Flow::End;
            }
        }
        Flow::On
    }

    /// Ends the asking of a judge that has judged none of the first pairs.
    fn end_unless_judged(&mut self) {
        let count = self.withheld.len();
        let Some((_, reason)) = self.withheld.pop().filter(|_| !self.store.has_scores()) else { return };
        let reason = reason.replace('\n', " ");
        // A budget that ended it has left the reason untold.
        self.asked.ended = self.asked.ended.take().filter(|ended| !matches!(ended, Ended::Budget(_)));
        self.stop(Ended::Endpoint(format!(
            "expected a judgement of one of the first {count} pairs, found none, and nothing is recorded; the last one: {reason}"
        )));
    }

    /// Whether to go on, as far as the user is concerned.
    fn heed(&mut self) -> Flow {
        if !interrupt::requested() {
            return Flow::On;
        }
        self.stop(Ended::Interrupted);
        let since = *self.interrupted.get_or_insert_with(Instant::now);
        if since.elapsed() < LAST_REPLIES { Flow::On } else { Flow::End }
    }

    fn tell(&mut self) {
        self.asked.progress.figures = self.client.figures();
        (self.observer)(&self.asked.progress);
    }
}

impl Watcher<Reply> for Recorder<'_> {
    fn ended(&mut self, number: usize, result: Result<Reply, Failure>) -> Flow {
        let flow = match result {
            Ok(Reply { score, reasoning, tokens }) => {
                self.asked.progress.judged += 1;
                let reasoning = self.client.clean(&reasoning);
                match self.keep(number, Verdict::Score { score, reasoning }, tokens) {
                    Flow::On => self.keep_withheld(),
                    Flow::End => Flow::End,
                }
            }
            Err(failure) => self.failed(number, failure),
        };
        self.tell();
        match flow {
            Flow::On => self.heed(),
            Flow::End => flow,
        }
    }

    fn tick(&mut self) -> Flow {
        self.tell();
        self.heed()
    }
}
