//! Retrieval, reranking and instruction tasks: queries, a corpus, and judgements of what is
//! relevant (protocol 7).
//!
//! A unit with lists of candidates reranks them, one without searches the whole corpus, whatever
//! its type is called. The corpus is read piece by piece in both cases, and need not fit into
//! memory.

mod any_search;
mod behind;
mod candidates;
mod changed_lists;
mod corpus;
mod corpus_ids;
mod cross_encoder;
mod excluded;
mod first_queries;
mod full_search;
mod given_lists;
mod given_rankings;
mod ids;
mod joined_search;
mod judged_queries;
mod measures;
mod pack_measures;
mod plan;
mod query_texts;
mod ranked;
mod ranked_search;
mod rerank;
mod results;
mod scoring;
mod texts;
mod unjudged_copies;

pub use behind::with_first_stage;
pub use first_queries::first_queries;
pub use ranked_search::RankedSearch;
pub use texts::{SearchTexts, own_grades, search_texts};
pub use unjudged_copies::unjudged_copies;

use mteb_card::PackMeasure;
use mteb_measures::ranking::{MEASURES, extra_range, is_at_a_cut, is_extra_score};

use crate::{
    Bounds, Corpus, EvaluateError, Evaluator, Facts, Gold, Items, Part, Plan, Protocol, Scores, TaskState,
    Unit,
};
use plan::{Needs, SearchPlan};

/// Finds the relevant documents of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Retrieval;

/// Orders given candidates by relevance.
#[derive(Clone, Copy, Debug)]
pub struct Reranking;

/// Finds the documents that are relevant under an instruction.
#[derive(Clone, Copy, Debug)]
pub struct InstructionRetrieval;

/// Orders given candidates under an instruction and under a changed one, and measures the
/// difference (p-MRR).
#[derive(Clone, Copy, Debug)]
pub struct InstructionReranking;

/// The facts of a search; `has_topics` if each topic is asked twice.
const fn facts(about: &'static str, hub_category: &'static str, has_topics: bool) -> Facts {
    Facts {
        about,
        hub_category,
        instruction: "Retrieve text based on user query.",
        options: &["k_values", "relevance_threshold", "ignore_identical_ids", "extra_measures"],
        gives: &is_score,
        bounds: &bounds,
        text_columns: &["text"],
        optional_columns: &[],
        other_columns: &[],
        gold: Gold::Judgements,
        label_tolerance: 0.25,
        learns: false,
        sides_have_languages: false,
        has_topics,
        has_levels: true,
    }
}

/// `ndcg_at_10` and its like, and what extra measures give (protocol 7.4).
fn is_score(name: &str) -> bool {
    ["p-MRR", "accuracy"].contains(&name)
        || is_at_a_cut(name, &MEASURES)
        || is_extra_score(name)
        || PackMeasure::declared_score(name).is_some()
}

/// Those of p-MRR, of nAUC, which has none where the metric is constant, and of what extra measures
/// give. Of the measure of a pack that is not here nobody knows them.
fn bounds(name: &str) -> Option<Bounds> {
    let usual = name.strip_prefix("max_over_subqueries_").unwrap_or(name);
    match usual {
        _ if usual.starts_with("nauc_") => {
            Some(Bounds::between(f64::NEG_INFINITY, f64::INFINITY).or_undefined())
        }
        "p-MRR" => Some(Bounds::between(-1.0, 1.0)),
        _ if usual.contains('/') => Some(match PackMeasure::declared_score(usual) {
            Some(declared) => Bounds::between(declared.declaration.low, declared.declaration.high),
            None => Bounds::between(f64::NEG_INFINITY, f64::INFINITY),
        }),
        _ => extra_range(name).map(|[low, high]| Bounds::between(low, high)),
    }
}

macro_rules! search_type {
    ($type:ident, $category:literal, $about:literal, candidates: $candidates:literal, changes: $changes:literal) => {
        impl Evaluator for $type {
            fn facts(&self) -> &'static Facts {
                const FACTS: Facts = facts($about, $category, $changes);
                &FACTS
            }

            fn plan(
                &self,
                mut unit: Unit,
                options: &Protocol,
                state: &mut TaskState,
            ) -> Result<Box<dyn Plan>, EvaluateError> {
                for part in [Part::Corpus, Part::Queries, Part::Qrels] {
                    unit.part(part)?;
                }
                let corpus = unit.parts.remove(&Part::Corpus).unwrap_or_default();
                self.plan_streamed(unit, Box::new(corpus), options, state)
            }

            fn plan_streamed(
                &self,
                unit: Unit,
                corpus: Box<dyn Corpus>,
                options: &Protocol,
                _state: &mut TaskState,
            ) -> Result<Box<dyn Plan>, EvaluateError> {
                let needs = Needs { candidates: $candidates, changes: $changes, depth: None };
                let plan = SearchPlan::new(&unit, corpus, options, needs)?;
                // What comes from the hub was searched by others before; of it one reading is
                // enough.
                if unit.is_own {
                    plan.check_ids()?;
                }
                Ok(Box::new(plan))
            }

            fn aggregate(&self, items: &Items, options: &Protocol) -> Result<Scores, EvaluateError> {
                measures::aggregate(items, options)
            }
        }
    };
}

search_type!(
    Retrieval,
    "text-retrieval",
    "Finds the documents that answer a query.",
    candidates: false,
    changes: false
);
search_type!(
    Reranking,
    "text-ranking",
    "Orders the candidates of a query by relevance.",
    candidates: true,
    changes: false
);
search_type!(
    InstructionRetrieval,
    "text-retrieval",
    "Finds the documents that answer a query and its instruction.",
    candidates: false,
    changes: false
);
search_type!(
    InstructionReranking,
    "text-ranking",
    "Orders candidates by a query and an instruction that changes.",
    candidates: true,
    changes: true
);
