//! Every task type on embeddings that are given, beside whole results of mteb.
#![allow(clippy::expect_used, clippy::panic, reason = "a test stops at what it did not expect")]

mod classification;
mod clustering;
mod given_session;
mod graded_judgements;
mod multilabel;
mod pair_tasks;
mod random_baseline;
mod rankings;
mod regression;
mod rescoring;
mod search_pieces;
mod search_ranges;
mod search_session;
mod search_tasks;
mod search_tasks_refused;
