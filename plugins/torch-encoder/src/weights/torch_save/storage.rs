//! The tensors of an unpickled value by name, from the bytes of their storages.

use std::collections::HashMap;

use tch::Tensor;

use super::value::{PickleError, TensorValue, Value};

/// Builds tensors; those that share a storage share its memory.
#[derive(Default)]
pub struct Storages {
    flat: HashMap<String, Tensor>,
}

impl Storages {
    /// The tensor that `value` describes; `read` gives the bytes of its storage.
    ///
    /// # Errors
    /// If the bytes cannot be read or are too few.
    pub fn tensor(
        &mut self,
        value: &TensorValue,
        read: impl FnOnce(&str) -> Result<Vec<u8>, PickleError>,
    ) -> Result<Tensor, PickleError> {
        let storage = &value.storage;
        if !self.flat.contains_key(&storage.key) {
            let bytes = read(&storage.key)?;
            let count = bytes.len() / storage.kind.elt_size_in_bytes();
            let flat = Tensor::f_from_data_size(&bytes, &[count as i64], storage.kind)?;
            self.flat.insert(storage.key.clone(), flat);
        }
        let flat = &self.flat[&storage.key];
        let end = end(value);
        if value.size.len() != value.stride.len() || value.offset < 0 || end > flat.numel() as i64 {
            let width = storage.kind.elt_size_in_bytes();
            return Err(PickleError::Short {
                name: storage.key.clone(),
                expected: usize::try_from(end).unwrap_or(usize::MAX).saturating_mul(width),
                found: flat.numel() * width,
            });
        }
        Ok(flat.f_as_strided(&value.size, &value.stride, value.offset)?.f_contiguous()?)
    }
}

/// The number behind the last one that a tensor uses.
fn end(value: &TensorValue) -> i64 {
    if value.size.contains(&0) {
        return value.offset;
    }
    let steps = value.size.iter().zip(&value.stride);
    let last =
        steps.fold(0_i64, |last, (size, stride)| last.saturating_add((size - 1).saturating_mul(*stride)));
    value.offset.saturating_add(last).saturating_add(1)
}

/// The tensors of an unpickled value: a dictionary, or one under `model` where the file is `nested`, as LASER's is.
///
/// # Errors
/// If there is no such dictionary, or tensors lie where no loader looks for them.
pub fn name_tensors(value: Value, nested: bool) -> Result<Vec<(String, TensorValue)>, PickleError> {
    let Value::Dict(mut entries) = value else {
        return Err(PickleError::Content("expected tensors by name, found something else".to_owned()));
    };
    let inner = |(key, value): &(Value, Value)| match (key, value) {
        (Value::Text(name), Value::Dict(_)) if ["state_dict", "model"].contains(&name.as_str()) => {
            Some(name.clone())
        }
        _ => None,
    };
    if let Some((place, key)) =
        entries.iter().enumerate().find_map(|(place, entry)| Some((place, inner(entry)?)))
    {
        if nested {
            return name_tensors(entries.swap_remove(place).1, nested);
        }
        return Err(PickleError::Form(format!(
            "tensors under `{key}`, where transformers finds none: it looks for them at the top of the file; save that dictionary alone"
        )));
    }
    let tensors = entries.into_iter().filter_map(|(key, value)| match (key, value) {
        (Value::Text(name), Value::Tensor(tensor)) => Some((name, tensor)),
        _ => None,
    });
    Ok(tensors.collect())
}
