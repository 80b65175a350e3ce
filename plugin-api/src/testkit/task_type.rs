//! What a type of task that a pack declares must be, before it is run on rows.

use crate::card::{TASK_TYPE, TypeDeclaration};
use crate::v1::TaskHandle;

/// Faults of what the task says of its type, called `name`.
pub fn faults(task: &TaskHandle, name: &str) -> Vec<String> {
    let asked = || task.call(TASK_TYPE, "");
    let (first, again) = match (asked(), asked()) {
        (Ok(first), Ok(again)) => (first, again),
        (Err(error), _) | (_, Err(error)) => {
            return vec![format!(
                "expected a declaration of the type {name}, which is none of the host's, found: {error}; list `{TASK_TYPE}` among the \
                 features and answer it"
            )];
        }
    };
    if first != again {
        return vec![format!("expected one declaration of the type {name}, found two")];
    }
    match serde_json::from_str::<TypeDeclaration>(&first) {
        Ok(declaration) => {
            let faults = declaration.faults().into_iter();
            faults.map(|(path, message)| format!("type {name}, {}: {message}", path.join("."))).collect()
        }
        Err(error) => vec![format!("type {name}: {error}")],
    }
}
