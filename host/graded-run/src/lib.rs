//! Graded relevance over the tasks of registries: brings rankings, texts and judges to what [`mteb_graded`] computes.
//!
//! Everything lies in one folder ([`GradedFolder`]): pools, judgements, evaluations, scores of rerankers. Each step reads what the one
//! before it left, so that each can be repeated, ended and continued by itself.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod ask;
mod evaluations;
mod folder;
mod found;
mod judge_error;
mod judges;
mod judging;
mod limit_key;
mod places;
mod pool;
mod ranking_error;
mod rerank;
mod stores;
mod systems;
mod tokens;

pub use ask::{AskLimits, ask};
pub use evaluations::{CurveSettings, changed_since, evaluate, evaluations};
pub use folder::{GradedFolder, PlaceError};
pub use found::{FoundRanking, binary_scores, data_name, find_rankings};
pub use judge_error::{AskedModel, BorrowedName, JudgeError};
pub use judges::{FoundJudge, endpoint, find_judge, judge_names};
pub use judging::{AskOutcome, AskProgress, Ended, OpenPair};
pub use mteb_remote::Endpoint;
pub use pool::{GivenRanking, PoolRequest, PoolingError, load_pools, make_pool, own_grades};
pub use ranking_error::RankingError;
pub use rerank::{RerankingError, kept_rerankers, score_pairs};
pub use stores::{JudgeStore, judge_stores, keep_card, unjudged};
pub use systems::{Embedder, Reranked, embedders, systems, unit_of};
pub use tokens::TokenCounter;
