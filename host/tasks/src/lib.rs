//! Scores a model's embeddings: one file per task type, by the protocol of the Python package
//! `mteb` 2.26.24.
//!
//! The way of one unit (task, split, subset): [`Evaluator::plan`] reads the unit's tables and makes
//! every random draw; [`Plan::evaluate`] asks a [`Session`] for embeddings and gives [`Evaluated`]:
//! [`Scores`] and per-item results. A [`Corpus`] larger than memory is read piece by piece while it
//! is scored. A unit that is already scored is still planned, because later units continue its
//! random state (protocol 1.1).

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod embeddings;
mod empty_texts;
mod facts;
mod found_in_ranges;
mod invisible;
mod odd_rows;
mod own;
mod plan;
mod scores;
mod session;
pub mod task_types;
mod training_texts;
mod unicode_forms;
mod unit;

pub use embeddings::{Embeddings, Matrix, Queries};
pub use empty_texts::{empty_texts, is_of_empty_texts};
pub use facts::{Bounds, Facts, Gold, needs_training, needs_training_split};
pub use found_in_ranges::{
    FoundInRange, FoundInRanges, OtherSearch, RANGE_DOCUMENTS, RANGE_PAIRS, Ranges, SearchSize,
};
pub use invisible::{is_blank, is_only_invisible, seen_text};
pub use mteb_card::{Part, Protocol, Role, Similarity, TaskType};
pub use mteb_items::outcomes::{ItemColumn, Items};
pub use mteb_search::{MultiVectors, SparseRows};
pub use odd_rows::{swallowed_rows, unjudged_rows};
pub use own::{Block, Code, Declaration, OWN_OUTCOME, TypeRunner, offsets, provide_runners, runner};
pub use plan::{Evaluator, Plan, TaskState};
pub use scores::{EvaluateError, Evaluated, Keep, Score, Scores};
pub use session::{DocumentIndex, IndexBuilder, Ranker, Session, TextColumn};
pub use task_types::{
    bounds_in, bounds_of, evaluator, facts, first_items, unjudged_copies, with_first_stage,
};
pub use training_texts::{beginning, composed, normalised, training_texts};
pub use unicode_forms::{unicode_forms, without_marks};
pub use unit::{Corpus, Unit, part_names, rows_of_a_piece, text_columns};
