//! Registries and their task cards: found, read, checked and selected from.

mod dataset_meaning;
mod embedded;
mod fault;
mod load;
mod locate;
mod lock;
mod meaning;
mod model_cards;
mod pattern;
mod quality_meaning;
mod reader;
mod selection;
mod source;
mod validate;

pub use fault::Fault;
pub use load::{LoadedRegistry, Origin, Registries, TaskEntry};
pub use locate::Locator;
pub use lock::{LockedFile, RegistryLock, lock_name};
pub use meaning::{check_card, check_registry};
pub use model_cards::{FoundCard, model_card, model_cards};
#[cfg(test)]
pub use pattern::TaskPattern;
pub use selection::{Filter, Selected, select};
pub use source::{RegistrySource, known_registries};
pub use validate::{Validation, validate};
