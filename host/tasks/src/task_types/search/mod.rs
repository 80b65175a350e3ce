//! Retrieval, reranking and instruction tasks: queries, a corpus, and judgements of what is relevant (protocol 7).
//!
//! A unit with lists of candidates reranks them, one without searches the whole corpus, whatever its type is called.
//! The corpus is read piece by piece in both cases, and need not fit into memory.

mod candidates;
mod corpus;
mod corpus_ids;
mod cross_encoder;
mod documents;
mod full_search;
mod given_lists;
mod given_rankings;
mod ids;
mod instructions;
mod items;
mod judged_queries;
mod kept_ids;
mod measures;
mod plan;
mod query_texts;
mod ranked;
mod repeats;
mod rerank;
mod results;
mod strip;

use plan::SearchPlan;

use crate::{Corpus, EvaluateError, Options, Part, Plan, TaskState, TaskType, Unit};

/// Finds the relevant documents of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Retrieval;

/// Orders given candidates by relevance.
#[derive(Clone, Copy, Debug)]
pub struct Reranking;

/// Finds the documents that are relevant under an instruction.
#[derive(Clone, Copy, Debug)]
pub struct InstructionRetrieval;

/// Orders given candidates under an instruction and under a changed one, and measures the difference (p-MRR).
#[derive(Clone, Copy, Debug)]
pub struct InstructionReranking;

macro_rules! search_type {
    ($type:ident, changed_instructions: $changed:literal) => {
        impl TaskType for $type {
            fn name(&self) -> &'static str {
                stringify!($type)
            }

            fn plan(
                &self,
                mut unit: Unit,
                options: &Options,
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
                options: &Options,
                _state: &mut TaskState,
            ) -> Result<Box<dyn Plan>, EvaluateError> {
                Ok(Box::new(SearchPlan::new(&unit, corpus, options, $changed)?))
            }
        }
    };
}

search_type!(Retrieval, changed_instructions: false);
search_type!(Reranking, changed_instructions: false);
search_type!(InstructionRetrieval, changed_instructions: false);
search_type!(InstructionReranking, changed_instructions: true);
