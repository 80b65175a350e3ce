//! Registries and their task cards: found, read, checked and selected from.

mod benchmark;
mod cards;
mod columns_meaning;
mod dataset_meaning;
mod embedded;
mod fault;
mod folder;
mod form;
mod form_keys;
mod form_message;
mod language;
mod language_code;
mod load;
mod locate;
mod lock;
mod macrolanguages;
mod meaning;
mod model_cards;
mod pattern;
mod place;
mod protocol_meaning;
mod quality_meaning;
mod reader;
mod same_name;
mod same_task;
mod selection;
mod source;
mod text;
mod validate;

pub use fault::Fault;
pub use load::{LoadedRegistry, Origin, Registries, TaskEntry};
pub use locate::Locator;
pub use lock::{LockFault, LockedFile, RegistryLock, lock_faults, lock_name};
pub use meaning::{check_card, check_registry};
pub use model_cards::{FoundCard, ModelCards};
#[cfg(test)]
pub use pattern::TaskPattern;
pub use place::{data_path, data_root, needs_training};
pub use selection::{Filter, Selected, select};
pub use source::{RegistrySource, known_registries};
pub use validate::{Validation, cards_below, validate};
