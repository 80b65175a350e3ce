//! The tensors of an unpickled value, by name.

use super::error::PickleError;
use super::value::{TensorValue, Value};

/// The tensors of an unpickled value: a dictionary, or one under `state_dict` or `model`.
pub fn named(value: Value) -> Result<Vec<(String, TensorValue)>, PickleError> {
    let Value::Dict(mut entries) = value else {
        return Err(PickleError::Content("expected tensors by name, found something else".to_owned()));
    };
    let inner = |key: &Value| matches!(key, Value::Text(name) if name == "state_dict" || name == "model");
    if let Some(place) = entries.iter().position(|(key, value)| inner(key) && matches!(value, Value::Dict(_)))
    {
        return named(entries.swap_remove(place).1);
    }
    let tensors = entries.into_iter().filter_map(|(key, value)| match (key, value) {
        (Value::Text(name), Value::Tensor(tensor)) => Some((name, tensor)),
        _ => None,
    });
    Ok(tensors.collect())
}
