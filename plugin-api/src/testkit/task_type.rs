//! What a type of task that a pack declares must be, before it is run on rows.

use crate::v1::TaskHandle;
use mteb_card::{TASK_TYPE, TypeDeclaration};

/// What the task declares of its type, called `name`.
///
/// # Errors
/// Its faults.
pub fn declared(task: &TaskHandle, name: &str) -> Result<TypeDeclaration, Vec<String>> {
    let asked = || task.call(TASK_TYPE, "");
    let (first, again) = match (asked(), asked()) {
        (Ok(first), Ok(again)) => (first, again),
        (Err(error), _) | (_, Err(error)) => {
            return Err(vec![format!(
                "expected a declaration of the type {name}, which is not one of the host's, found: {error}; list `{TASK_TYPE}` among the \
                 features and answer it"
            )]);
        }
    };
    if first != again {
        return Err(vec![format!("expected one declaration of the type {name}, found two")]);
    }
    let declaration: TypeDeclaration =
        serde_json::from_str(&first).map_err(|error| vec![format!("type {name}: {error}")])?;
    let faults = declaration.faults().into_iter();
    let faults: Vec<String> =
        faults.map(|(path, message)| format!("type {name}, {}: {message}", path.join("."))).collect();
    if faults.is_empty() { Ok(declaration) } else { Err(faults) }
}
