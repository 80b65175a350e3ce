//! Graded relevance over the tasks of registries: brings rankings, texts and judges to what [`mteb_graded`] computes.
//!
//! Everything lies in one folder ([`GradedFolder`]): pools, judgements, evaluations, scores of rerankers. Each step reads what the one
//! before it left, so that each can be repeated, ended and continued by itself.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod ask;
mod binary;
mod changed;
mod data_name;
mod endpoint;
mod evaluate;
mod evaluations;
mod folder;
mod found;
mod given;
mod judges;
mod own_grades;
mod places;
mod pool;
mod pools;
mod rerank;
mod stores;
mod systems;
mod tokens;
mod unjudged;

pub use ask::{AskLimits, AskOutcome, AskProgress, Ended, OpenPair, ask};
pub use binary::binary_scores;
pub use changed::changed_since;
pub use data_name::data_name;
pub use endpoint::endpoint;
pub use evaluate::{CurveSettings, evaluate};
pub use evaluations::evaluations;
pub use folder::GradedFolder;
pub use found::{FoundRanking, find_rankings};
pub use judges::{FoundJudge, find_judge, judge_names};
pub use mteb_remote::Endpoint;
pub use own_grades::own_grades;
pub use pool::{GivenRanking, PoolRequest, make_pool};
pub use pools::load_pools;
pub use rerank::{kept_rerankers, score_pairs};
pub use stores::{JudgeStore, judge_stores, keep_card};
pub use systems::{Embedder, Reranked, embedders, systems, unit_of};
pub use tokens::TokenCounter;
pub use unjudged::unjudged;
