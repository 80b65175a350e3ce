//! Asks a judge for one pair per call, many at once, and keeps each judgement as it comes.

use std::cell::Cell;
use std::mem::take;
use std::sync::Arc;
use std::time::Duration;

use mteb_graded::judge::{
    JudgeCard, Prompt, Question, Reply, ReplyLimit, body, pair_tokens, path, read_reply_of, reply_tokens,
};
use mteb_graded::store::{StoreWriter, Tokens};
use mteb_remote::{Bounds, Budget, Call, Charge, Client, Endpoint, Policy, Prices, Read, Unfit, Usage};

use crate::judge_error::JudgeError;
use crate::judging::{AskOutcome, AskProgress, OpenPair, Recorder, Replies};
use crate::limit_key::LimitKey;

/// Most bytes of a reply.
const REPLY: usize = 4 << 20;

/// Most values of its JSON, at every depth: some dozen in the forms of the providers.
const VALUES: usize = 16_384;

/// Pause after a reply that is no judgement: another reply to the same question is drawn anew at once.
const UNFIT_PAUSE: Duration = Duration::from_millis(50);

/// Pairs of different queries by which a judge is tried, while it has given no score and after replies in a row that were none: one that
/// replies nothing but prose, or refuses each question, must not be paid for all of them.
const TRIED: usize = 5;

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

/// Asks for `pairs`, which are sorted by query, and adds what comes to `store`. A reply that is malformed, cut or refused is asked for
/// again as often as the card says, then kept as failed with its reason. A judge that has never given a score, and one whose last
/// replies were no judgements, is tried by a few pairs; where it judges none of them it is asked no more, and nothing is kept of what it
/// did not judge. Calls under way are waited for when it ends early, for some seconds where the user wants it to end.
///
/// # Errors
/// If connections cannot be had, or the store cannot be written.
pub fn ask(
    (card, prompt): (&JudgeCard, &Prompt),
    endpoint: Endpoint,
    pairs: &[OpenPair<'_>],
    store: &mut StoreWriter,
    limits: AskLimits,
    observer: &mut dyn FnMut(&AskProgress),
) -> Result<AskOutcome, JudgeError> {
    let budget = Budget { calls: limits.max_calls, cost: limits.max_cost };
    let policy = policy(card, limits.concurrency);
    let client = Client::new(endpoint, policy, prices(card), budget)?;
    let (replies, stopping) = (Arc::new(Replies::default()), Cell::new(false));
    let limit = LimitKey::of(card);
    let mut asking = Asking {
        card,
        prompt,
        client: &client,
        replies: Arc::clone(&replies),
        limit: &limit,
        stopping: &stopping,
        recorder: Recorder::new(store, (&client, &replies, &limit, &stopping), observer),
        cut_short: Vec::new(),
    };
    asking.ask_all(pairs);
    let mut asked = asking.recorder.finish()?;
    asked.progress.figures = client.figures();
    asked.limit = limit.found();
    Ok(asked)
}

/// A judge that is being asked.
struct Asking<'a> {
    card: &'a JudgeCard,
    prompt: &'a Prompt,
    client: &'a Client,
    replies: Arc<Replies>,
    limit: &'a LimitKey,
    stopping: &'a Cell<bool>,
    recorder: Recorder<'a>,
    /// Pairs that were not asked for as often as the card says.
    cut_short: Vec<OpenPair<'a>>,
}

impl<'a> Asking<'a> {
    /// Asks for all pairs in their order, and tries the judge first and whenever its replies are no judgements.
    fn ask_all(&mut self, pairs: &[OpenPair<'a>]) {
        let mut left = pairs.to_vec();
        if !self.recorder.has_scores() {
            left = self.try_by_some(left);
        }
        while !left.is_empty() && !self.stopping.get() {
            self.replies.watch(true);
            left.drain(..self.ask_for(&left));
            let again = take(&mut self.cut_short);
            // Where no others are left, a few replies at the very end say nothing of the judge.
            if self.replies.are_useless() && !left.is_empty() && !self.stopping.get() {
                left = self.try_by_some(left);
            }
            // The judge judges others: what it was not asked for as often as the card says is asked for so.
            if !again.is_empty() && !self.stopping.get() {
                self.replies.watch(false);
                self.ask_for(&again);
            }
        }
    }

    /// Tries the judge by some of `pairs`, and ends the asking if it judges none of them; gives the others.
    fn try_by_some(&mut self, pairs: Vec<OpenPair<'a>>) -> Vec<OpenPair<'a>> {
        let (tried, others) = spread(&pairs, TRIED);
        self.replies.watch(false);
        self.recorder.begin_trial();
        self.ask_for(&tried);
        self.recorder.end_unless_judged();
        others
    }

    /// Asks for `pairs` until none is left or the asking stops, and once more for those that were refused for the key of their limit;
    /// gives how many were begun.
    fn ask_for(&mut self, pairs: &[OpenPair<'a>]) -> usize {
        let begun = self.ask_once(pairs);
        let again: Vec<OpenPair<'a>> =
            self.limit.take_refused().into_iter().filter_map(|number| pairs.get(number).copied()).collect();
        if !again.is_empty() && !self.stopping.get() {
            self.ask_once(&again);
        }
        begun
    }

    fn ask_once(&mut self, pairs: &[OpenPair<'a>]) -> usize {
        let begun = Cell::new(0);
        let (card, prompt, stopping, limit) = (self.card, self.prompt, self.stopping, self.limit);
        let replies = Arc::clone(&self.replies);
        limit.begin();
        let calls = std::iter::from_fn(|| {
            let number = begun.get();
            let pair = pairs.get(number).filter(|_| !stopping.get() && !replies.are_useless())?;
            begun.set(number + 1);
            Some(call((card, limit.key_of(number)), prompt, pair))
        });
        self.recorder.begin(pairs);
        self.client.each(calls, reader(card, &self.replies), &mut self.recorder);
        self.cut_short.extend(self.recorder.take_cut_short(&self.replies));
        begun.get()
    }
}

/// What reads the reply to the pair of a number.
fn reader(
    card: &JudgeCard,
    replies: &Arc<Replies>,
) -> impl Fn(usize, &[u8]) -> Result<Read<Reply>, Unfit> + Send + Sync + use<> {
    let (of_judge, replies) = (card.endpoint.clone(), Arc::clone(replies));
    move |number: usize, reply: &[u8]| {
        let counted = |tokens| Some(usage(tokens)).filter(|usage| usage.input > 0);
        // What is no judgement was paid for all the same.
        let charge = || {
            let tokens = reply_tokens(of_judge.style, reply);
            replies.spend(number, tokens.unwrap_or_default());
            let charge = tokens.map(|tokens| counted(tokens).map_or(Charge::Estimate, Charge::Tokens));
            charge.unwrap_or_default()
        };
        let read = match read_reply_of(&of_judge, reply) {
            Err(other) => {
                replies.add_useless();
                return Err(Unfit::lasting(other.to_string()).charged(charge()));
            }
            Ok(Err(fault)) => {
                let unfit = if replies.add_useless() {
                    // Nobody pays for more of them before it is known whether the judge judges at all.
                    replies.cut_short(number);
                    Unfit::lasting(fault.to_string())
                } else {
                    Unfit::passing(fault.to_string())
                };
                return Err(unfit.charged(charge()));
            }
            Ok(Ok(read)) => read,
        };
        replies.add_judgement();
        let usage = counted(read.tokens);
        Ok(Read { value: read, usage })
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
        unfit_pause: UNFIT_PAUSE,
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

fn call((card, limit): (&JudgeCard, ReplyLimit), prompt: &Prompt, open: &OpenPair<'_>) -> Call {
    let (query, document) = open.pool.texts(open.pair);
    let question = Question { query, document };
    let tokens = pair_tokens(card, prompt, question);
    Call {
        path: path(card.endpoint.style).to_owned(),
        body: body(card, prompt, question, limit).to_string().into_bytes(),
        tokens: tokens.shared + tokens.own,
        reply_tokens: tokens.reply,
        bounds: Bounds { bytes: REPLY, values: VALUES },
    }
}

fn usage(tokens: Tokens) -> Usage {
    Usage { input: tokens.input, cached: tokens.cached, output: tokens.output }
}

/// `count` of `pairs`, far from one another, and the others.
fn spread<'a>(pairs: &[OpenPair<'a>], count: usize) -> (Vec<OpenPair<'a>>, Vec<OpenPair<'a>>) {
    let count = count.min(pairs.len());
    let is_first = |place: usize| place * count / pairs.len() != (place + 1) * count / pairs.len();
    let (first, rest): (Vec<_>, Vec<_>) = pairs.iter().enumerate().partition(|(place, _)| is_first(*place));
    let plain = |pairs: Vec<(usize, &OpenPair<'a>)>| pairs.into_iter().map(|(_, pair)| *pair).collect();
    (plain(first), plain(rest))
}
