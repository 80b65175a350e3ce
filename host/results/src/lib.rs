//! Reads and writes result files in the layout of the reference's version 2 (protocol 9), so that
//! its own loader reads them, and reads those of all ages ([`reading`]); says what a score was made
//! from ([`identity`]) and what it cost ([`footprint`]).

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod aggregated;
mod bounds;
mod checked;
mod companion_files;
mod companion_outcomes;
mod copied_companions;
mod experiment_name;
mod experiments;
mod facts;
mod fault;
mod first_stage;
pub mod folder_layout;
pub mod footprint;
mod identities;
pub mod identity;
mod model_meta;
pub mod reading;
mod result_file;
mod schema;
mod store;

pub use aggregated::{check_against_items, check_all_against_items, check_items};
pub use bounds::{Violation, bounds, check_bounds, check_number, check_number_of};
pub use checked::{
    check_main_score, check_unit, contradicted_measures, doubt_of_unit, read_checked, read_units, unit_faults,
};
pub use companion_files::{CompanionFiles, KeepFiles, Standing, UnitName};
pub use experiment_name::{OPTIONS as EXPERIMENT_OPTIONS, experiment_name};
pub use facts::kept_facts;
pub use fault::{ItemsFault, PlaceFault, ResultFault};
pub use first_stage::{FirstStage, FirstStageError};
pub use folder_layout::META;
pub use model_meta::{model_meta, similarity_name, similarity_of};
pub use mteb_files::folder_name;
pub use reading::{PROTOCOL_VERSION, build_score_map, read_json, round_score};
pub use result_file::{OthersNotes, ResultFile, SubsetScores};
pub use schema::schema;
pub use store::{ResultStore, Updated, units};
