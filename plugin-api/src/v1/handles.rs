//! The objects a plugin has made, by number.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::PluginError;

/// Objects of one kind; numbers start at 1 and are never used again.
pub struct Handles<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    last: u64,
    /// Made on the first use, as a map cannot be made in a constant.
    objects: Option<HashMap<u64, Arc<T>>>,
}

impl<T> Handles<T> {
    /// No objects.
    pub const fn new() -> Self {
        Self { state: Mutex::new(State { last: 0, objects: None }) }
    }

    /// Takes in `object` and gives its number.
    pub fn add(&self, object: T) -> u64 {
        let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        guard.last += 1;
        let number = guard.last;
        guard.objects.get_or_insert_default().insert(number, Arc::new(object));
        number
    }

    /// The object with `number`.
    pub fn get(&self, number: u64) -> Result<Arc<T>, PluginError> {
        let guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let object = guard.objects.as_ref().and_then(|objects| objects.get(&number));
        object.cloned().ok_or_else(|| PluginError::not_found(format!("there is no object number {number}")))
    }

    /// Drops the object with `number`; an unknown number is no error.
    pub fn remove(&self, number: u64) {
        let removed = {
            let mut guard = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            guard.objects.as_mut().and_then(|objects| objects.remove(&number))
        };
        drop(removed);
    }
}

impl<T> Default for Handles<T> {
    fn default() -> Self {
        Self::new()
    }
}
