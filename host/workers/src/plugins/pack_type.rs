//! The types of tasks that a pack brings.

use mteb_card::{TASK_TYPE, TaskCard, TaskType, TypeDeclaration};
use serde::{Deserialize, Serialize};

/// A type that a pack declares, by one of its tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackType {
    /// The task that answers for the type.
    pub task: String,
    /// What is declared of it.
    pub declaration: TypeDeclaration,
}

/// True if a plugin with these features declares types.
pub fn declares_types(features: &[String]) -> bool {
    features.iter().any(|feature| feature == TASK_TYPE)
}

/// The type of a card that the host does not bring.
pub fn own_type_of(card: &str) -> Option<&'static str> {
    match TaskCard::from_toml(card).ok()?.task_type {
        TaskType::Own(own) => Some(own.name()),
        _ => None,
    }
}
