//! Registries and their task cards: found, read, checked and selected from.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod checking;
mod declaring;
pub mod embedded;
mod entry;
mod git;
mod languages;
mod locate;
mod reading;
mod selecting;
mod unit_options;

pub use checking::dataset_meaning::text_form;
pub use checking::meaning::{check_card, check_registry};
pub use checking::validate::{Validation, cards_below, validate};
pub use entry::{LoadedRegistry, Origin, TaskEntry};
pub use git::{fetched_from, is_fetched, keep_fetched_registries};
pub use languages::language::language_fault;
pub use locate::{Fault, Locator};
pub use reading::beside::tasks_beside;
pub use reading::cards::read_ahead;
pub use reading::folder::{page_languages_beside, read_page_language};
pub use reading::load::Registries;
pub use reading::lock::{
    LockError, LockFault, LockedFile, RegistryLock, drop_unused_entries, lock_faults, lock_name, locked_names,
};
pub use reading::model_cards::{FoundCard, ModelCards};
pub use reading::named::{folder_warnings, known_registries};
pub use reading::pack_entries::pack_entries;
pub use reading::place::{data_path, data_root, fault_in, faults_in};
pub use reading::source::{RegistrySource, embedded_card};
pub use selecting::benchmark::{BenchmarkPart, benchmark_tasks};
pub use selecting::benchmark_view::{BenchmarkView, SelectedGroup, benchmark_view};
pub use selecting::pattern::TaskPattern;
pub use selecting::selected::{Selected, TakenSubsets};
pub use selecting::selection::{Filter, select, unknown_task};
pub use selecting::selection_error::SelectionError;
pub use unit_options::{effective, option_changes, option_difference, options_of_unit, plainly_effective};
