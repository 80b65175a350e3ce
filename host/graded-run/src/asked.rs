//! What a judge is asked for, how far that is, and what came of it.

use mteb_graded::judge::ReplyLimit;
use mteb_graded::pool::{Pool, PoolPair};
use mteb_remote::Figures;

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
