//! What a judge is asked for, and what becomes of the pairs: judgements are kept as they come,
//! failures once it is known that the judge judges.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mteb_base::interrupt;
use mteb_graded::judge::{OtherModel, Reply, ReplyLimit};
use mteb_graded::pool::{Pool, PoolPair};
use mteb_graded::store::{Judgement, StoreWriter, Tokens, Verdict};
use mteb_graded::{GradedError, PairId};
use mteb_remote::{Client, Failure, Figures, Flow, Watcher};

use crate::limit_key::LimitKey;

/// Replies in a row that are no judgements, after which nobody is asked for more before the judge was tried.
const USELESS: usize = 8;

/// Judgements after which those so far are brought to the disk.
const FLUSH: usize = 256;

/// How long calls under way are waited for once the user wants to end: most replies that are paid for already still come.
const LAST_REPLIES: Duration = Duration::from_secs(3);

/// What the replies are worth, for whoever reads them and whoever asks.
#[derive(Debug, Default)]
pub struct Replies {
    /// Those without a judgement since the last one with one.
    useless: AtomicUsize,
    /// True if nobody is asked for more after too many of them.
    is_watched: AtomicBool,
    of_pairs: Mutex<OfPairs>,
}

/// By the number of their pair.
#[derive(Debug, Default)]
struct OfPairs {
    /// What replies that were no judgements took.
    spent: HashMap<usize, Tokens>,
    /// Pairs that were not asked for as often as the card says.
    cut_short: HashSet<usize>,
}

impl Replies {
    /// Whether too many useless replies end the asking.
    pub fn watch(&self, is_watched: bool) {
        self.is_watched.store(is_watched, Ordering::SeqCst);
    }

    /// One was no judgement; true if there are too many of them now.
    pub fn add_useless(&self) -> bool {
        self.useless.fetch_add(1, Ordering::SeqCst);
        self.are_useless()
    }

    /// One was a judgement.
    pub fn add_judgement(&self) {
        self.useless.store(0, Ordering::SeqCst);
    }

    /// True if the last ones were no judgements, and that is watched.
    pub fn are_useless(&self) -> bool {
        self.is_watched.load(Ordering::SeqCst) && self.useless.load(Ordering::SeqCst) >= USELESS
    }

    /// The pair of this number is asked for no more, although the card would have it so.
    pub fn cut_short(&self, number: usize) {
        self.of_pairs().cut_short.insert(number);
    }

    /// A reply to the pair of this number took tokens and was no judgement.
    pub fn spend(&self, number: usize, tokens: Tokens) {
        let mut of_pairs = self.of_pairs();
        let spent = of_pairs.spent.entry(number).or_default();
        *spent = spent.plus(tokens);
    }

    fn take_spent(&self, number: usize) -> Tokens {
        self.of_pairs().spent.remove(&number).unwrap_or_default()
    }

    fn is_cut_short(&self, number: usize) -> bool {
        self.of_pairs().cut_short.contains(&number)
    }

    fn of_pairs(&self) -> MutexGuard<'_, OfPairs> {
        self.of_pairs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pair without a judgement.
struct Failed<'a> {
    pair: &'a PoolPair,
    reason: String,
    tokens: Tokens,
}

/// Keeps judgements as they come.
pub struct Recorder<'a> {
    pairs: Vec<OpenPair<'a>>,
    /// Failures since the last score: what is at fault may be the judge.
    withheld: Vec<Failed<'a>>,
    /// What replies took of pairs that were not asked for as often as the card says, and are asked for again.
    spent_before: HashMap<PairId, Tokens>,
    /// Failures that a trial found withheld.
    before_trial: usize,
    store: &'a mut StoreWriter,
    client: &'a Client,
    replies: &'a Replies,
    limit: &'a LimitKey,
    stopping: &'a Cell<bool>,
    /// When the user was heard.
    interrupted: Option<Instant>,
    observer: &'a mut dyn FnMut(&AskProgress),
    asked: AskOutcome,
    /// True if the judge has given a score before the trial.
    had_scores: bool,
    /// Judgements of before the trial.
    judged_before: usize,
    unflushed: usize,
    error: Option<GradedError>,
}

impl<'a> Recorder<'a> {
    /// One that adds to `store`.
    pub fn new(
        store: &'a mut StoreWriter,
        (client, replies, limit, stopping): (&'a Client, &'a Replies, &'a LimitKey, &'a Cell<bool>),
        observer: &'a mut dyn FnMut(&AskProgress),
    ) -> Self {
        Self {
            pairs: Vec::new(),
            withheld: Vec::new(),
            spent_before: HashMap::new(),
            before_trial: 0,
            store,
            client,
            replies,
            limit,
            stopping,
            interrupted: None,
            observer,
            asked: AskOutcome::default(),
            had_scores: false,
            judged_before: 0,
            unflushed: 0,
            error: None,
        }
    }

    /// True if the judge has given a score, now or before.
    pub fn has_scores(&self) -> bool {
        self.store.has_scores()
    }

    /// These pairs are asked for now.
    pub fn begin(&mut self, pairs: &[OpenPair<'a>]) {
        self.pairs = pairs.to_vec();
    }

    /// A trial of the judge begins.
    pub fn begin_trial(&mut self) {
        self.had_scores = self.store.has_scores();
        (self.before_trial, self.judged_before) = (self.withheld.len(), self.asked.progress.judged);
    }

    /// Ends the asking of a judge that has judged none of the pairs of the trial.
    pub fn end_unless_judged(&mut self) {
        let count = self.withheld.len();
        if self.asked.progress.judged > self.judged_before || count == 0 {
            return;
        }
        let tried = count.saturating_sub(self.before_trial);
        let Some(Failed { reason, .. }) = take(&mut self.withheld).pop() else { return };
        let reason = reason.replace('\n', " ");
        // A budget that ended it has left the reason untold.
        self.asked.ended = self.asked.ended.take().filter(|ended| !matches!(ended, Ended::Budget(_)));
        self.stop(Ended::Endpoint(if self.had_scores {
            let others = if tried > 0 { format!(", nor of {tried} other pairs") } else { String::new() };
            format!(
                "expected judgements, found none in {USELESS} replies in a row{others}, and nothing is recorded of them; the \
                 same command continues with the pairs that are left; the last one: {reason}"
            )
        } else {
            format!(
                "expected a judgement of one of the first {count} pairs, found none, and nothing is recorded; the last one: {reason}"
            )
        }));
    }

    /// The pairs that were not asked for as often as the card says.
    pub fn take_cut_short(&mut self, replies: &Replies) -> Vec<OpenPair<'a>> {
        let mut numbers: Vec<usize> = take(&mut replies.of_pairs().cut_short).into_iter().collect();
        numbers.sort_unstable();
        numbers.iter().filter_map(|number| self.pairs.get(*number).copied()).collect()
    }

    /// What came of it, once all that was kept is on the disk.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn finish(mut self) -> Result<AskOutcome, GradedError> {
        // A few at the very end say nothing of the judge. Where it ended early they are asked for again.
        if self.asked.ended.is_none() && self.error.is_none() && self.store.has_scores() {
            self.keep_withheld();
        }
        let flushed = self.store.flush();
        match self.error.or(flushed.err()) {
            Some(error) => Err(error),
            None => Ok(self.asked),
        }
    }

    /// Begins no more calls; the first reason counts.
    fn stop(&mut self, ended: Ended) {
        self.stopping.set(true);
        self.asked.ended.get_or_insert(ended);
    }

    fn keep(&mut self, pair: &PoolPair, verdict: Verdict, tokens: Tokens) -> Flow {
        let PoolPair { pair, query, document } = pair.clone();
        let tokens = self.spent_before.remove(&pair).unwrap_or_default().plus(tokens);
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
    fn failed(&mut self, number: usize, failure: Failure) {
        let reason = match failure {
            // It is asked again, and nothing is known of the pair.
            Failure::Refused { status, ref message, .. }
                if self.limit.is_refused(number, status, message) =>
            {
                return;
            }
            // An endpoint that only answers as another model is the wrong one.
            Failure::Unfit { ref message, .. }
                if self.asked.progress.judged == 0 && message.starts_with(OtherModel::BEGIN) =>
            {
                return self.stop(Ended::Endpoint(failure.to_string()));
            }
            Failure::Unfit { message, attempts, .. } => format!("{message} ({attempts} attempts)"),
            Failure::Refused { status, message, .. } => {
                self.replies.add_useless();
                format!("refused with status {status}: {message}")
            }
            Failure::Unanswered { message, attempts, .. } if self.asked.progress.judged > 0 => {
                self.replies.add_useless();
                format!("no answer after {attempts} attempts; the last one: {message}")
            }
            Failure::Spent { .. } => return self.stop(Ended::Budget(failure.to_string())),
            failure => return self.stop(Ended::Endpoint(failure.to_string())),
        };
        let (pair, tokens) = (self.pairs[number].pair, self.replies.take_spent(number));
        if self.replies.is_cut_short(number) {
            let spent = self.spent_before.entry(pair.pair).or_default();
            *spent = spent.plus(tokens);
        } else {
            self.withheld.push(Failed { pair, reason, tokens });
        }
    }

    /// Keeps the failures that were withheld, now that the judge has given a score.
    fn keep_withheld(&mut self) -> Flow {
        for Failed { pair, reason, tokens } in take(&mut self.withheld) {
            self.asked.progress.failed += 1;
            if self.keep(pair, Verdict::Failed { reason }, tokens) == Flow::End {
                return Flow::End;
            }
        }
        Flow::On
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
                let tokens = self.replies.take_spent(number).plus(tokens);
                match self.keep(self.pairs[number].pair, Verdict::Score { score, reasoning }, tokens) {
                    Flow::On => self.keep_withheld(),
                    Flow::End => Flow::End,
                }
            }
            Err(failure) => {
                self.failed(number, failure);
                Flow::On
            }
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

/// A pair that is to be asked, with the pool that has its texts.
#[derive(Clone, Copy, Debug)]
pub struct OpenPair<'a> {
    /// The pool.
    pub pool: &'a Pool,
    /// The pair.
    pub pair: &'a PoolPair,
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
    /// What the endpoint calls the limit of a reply, where it has refused another key for it.
    pub limit: Option<ReplyLimit>,
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
