//! Curves of systems over the judgements of several judges.
//!
//! Ids become numbers first: a [`Board`] numbers the pool of each query, [`Grades`] hold what a judge said of each pair, [`Ranks`] what a
//! system found. [`curves`] measures all systems by all judges; no id is looked at any more.

mod board;
mod curves;
mod rerank;
mod result;
mod threshold;

pub use board::{Board, Grades, OUTSIDE, Ranks, best};
pub use curves::{Curves, DEPTH, Unjudged, curves, ndcg_of_queries};
pub use rerank::{RerankError, rerank};
pub use result::{Evaluated, JudgeFacts, SystemCurves, SystemName, read_evaluated, write_evaluated};
pub use threshold::{ThresholdRule, ThresholdRuleError, percentile, quantile_normalised};
