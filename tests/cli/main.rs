//! The command line as its users type it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod absent_files;
mod all_faults;
mod artefacts;
mod author;
mod benchmark_view;
mod benchmarks;
mod checked_data;
mod choosing;
mod columns;
mod compare_items;
mod continued_draws;
mod data;
mod editions;
mod efficiency;
mod examples;
mod expected;
mod extra_measures;
mod figures;
mod footprint;
mod formats;
mod held_out;
mod hints;
mod identity;
mod imported;
mod item_intervals;
mod known_registries;
mod labels;
mod layout;
mod leaderboard;
mod limit;
mod listed_cards;
mod listing;
mod local_data;
mod locks;
mod members;
mod model_cards;
mod models;
mod new_task;
mod nothing_kept;
mod outcomes;
mod parts;
mod plugin_check;
mod plugin_names;
mod prediction_order;
mod published;
mod quality;
mod rankings;
mod registry_faults;
mod regression;
mod report;
mod shared_results;
mod smaller;
mod stale;
mod task;
mod terminal;
mod two_formats;
mod unheld;
mod validation;
mod widths;
