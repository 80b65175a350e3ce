//! Ranking measures over graded judgements, as trec_eval defines them, and nAUC and p-MRR.
//!
//! Documents are integers; their ids are looked at only where two scores tie. [`evaluate`] measures every query in
//! parallel, [`Evaluation::summary`] gives the named scores in the reference's order (protocol 7.4). The measures of
//! one query take grades or relevance in rank order and give one value for each cut-off. Measures that
//! single tasks add, or that a user asks for, are an [`ExtraMeasure`] each.

mod evaluation;
mod extra;
mod judgements;
mod nauc;
mod p_mrr;
mod summary;

pub use evaluation::{Evaluation, MEASURES, Outcome, PerQuery, evaluate};
pub use extra::{
    ExtraMeasure, ExtraScores, ExtraValue, JudgedRun, ON_REQUEST, QueryColumns, RankingError, capped_recall,
    exponential_gain, exponential_ndcg, extra_measure, extra_range, first_subqueries, is_at_a_cut,
    is_extra_score, judged_share, level_scores, max_over_subqueries, mean_capped_recall, paired_accuracy,
    robustness,
};
pub use judgements::{DocumentIds, Found, Judgements, RELEVANT, best_first, compare, rank_of};
pub use nauc::{Abstention, Confidence, Confidences};
pub use p_mrr::{Topic, p_mrr, p_mrr_of_topics};
pub use per_query::{Discounts, average_precision, hit_rate, ndcg, precision, recall, reciprocal_rank};

mod per_query;
#[cfg(test)]
mod tests;
