//! Ranking measures over graded judgements, as trec_eval defines them, and nAUC and p-MRR.
//!
//! Documents are integers; their ids are looked at only where two scores tie. [`evaluate`] measures every query in
//! parallel, [`Evaluation::summary`] gives the named scores in the reference's order (protocol 7.4). The measures of
//! one query, a file each, take grades or relevance in rank order and give one value a cut.

mod average_precision;
mod capped_recall;
mod confidence;
mod error;
mod evaluation;
mod exponential_gain;
mod groups;
mod hit_rate;
mod judged_share;
mod judgements;
mod level_scores;
mod max_over_subqueries;
mod nauc;
mod ndcg;
mod order;
mod p_mrr;
mod paired_accuracy;
mod precision;
mod recall;
mod reciprocal_rank;
mod robustness;
mod summary;

pub use average_precision::average_precision;
pub use capped_recall::{capped_recall, mean_capped_recall};
pub use confidence::{Confidence, Confidences};
pub use error::RankingError;
pub use evaluation::{Evaluation, Outcome, PerQuery, evaluate};
pub use exponential_gain::{exponential_gain, exponential_ndcg};
pub use hit_rate::hit_rate;
pub use judged_share::judged_share;
pub use judgements::{Judgements, RELEVANT};
pub use level_scores::level_scores;
pub use max_over_subqueries::{first_subqueries, max_over_subqueries};
pub use nauc::Abstention;
pub use ndcg::{Discounts, ndcg};
pub use order::{DocumentIds, Found, best_first, compare, rank_of};
pub use p_mrr::{Topic, p_mrr, p_mrr_of_topics};
pub use paired_accuracy::paired_accuracy;
pub use precision::precision;
pub use recall::recall;
pub use reciprocal_rank::reciprocal_rank;
pub use robustness::robustness;

/// The cuts of the reference, where a task sets none (protocol 7.4).
pub const CUTS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

#[cfg(test)]
mod tests;
