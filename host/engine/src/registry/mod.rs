//! Registries and their task cards: found, read, checked and selected from.

mod benchmark;
mod cards;
mod columns_meaning;
mod dataset_meaning;
mod entry;
mod fault;
mod folder;
mod form;
mod form_check;
mod form_keys;
mod form_message;
mod language;
mod language_code;
mod lines;
mod load;
mod loaded;
mod locate;
mod lock;
mod macrolanguages;
mod meaning;
mod model_cards;
mod model_meaning;
mod narrowing;
#[cfg(test)]
mod old_message;
mod pack_edition;
mod pack_entries;
mod part_meaning;
mod pattern;
mod place;
mod protocol_meaning;
mod quality_meaning;
mod reader;
mod registry_meaning;
mod same_name;
mod same_task;
#[cfg(test)]
mod scratch;
mod selected;
mod selection;
mod selection_error;
mod source;
mod text;
mod validate;

pub use benchmark::benchmark_tasks;
pub use entry::{Origin, TaskEntry};
pub use fault::Fault;
pub use load::Registries;
pub use loaded::LoadedRegistry;
pub use locate::Locator;
pub use lock::{LockFault, LockedFile, RegistryLock, lock_faults, lock_name};
pub use meaning::{check_card, check_registry};
pub use model_cards::{FoundCard, ModelCards};
pub use pack_entries::pack_entries;
#[cfg(test)]
pub use pattern::TaskPattern;
pub use place::{data_path, data_root, needs_training};
pub use selected::Selected;
pub use selection::{Filter, select};
pub use source::{RegistrySource, folder_warnings, known_registries};
pub use validate::{Validation, cards_below, validate};
