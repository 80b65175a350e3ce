//! Registries and their task cards: found, read, checked and selected from.

mod embedded;
mod fault;
mod load;
mod locate;
mod meaning;
mod selection;
mod source;
mod validate;

pub use fault::Fault;
pub use load::{LoadedRegistry, Origin, Registries, TaskEntry};
pub use locate::Locator;
pub use meaning::{check_card, check_registry};
pub use selection::{Filter, Selected, select};
pub use validate::{Validation, validate};
