//! One JSON configuration file, read value by value with errors that name the file and the key.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::TorchError;
use crate::files::{optional, read_required};

/// The values of a configuration file.
#[derive(Clone, Debug, Default)]
pub struct Config {
    path: PathBuf,
    values: Map<String, Value>,
}

impl Config {
    /// Reads a file that must be there.
    ///
    /// # Errors
    /// If it is absent or no JSON object.
    pub fn read(path: &Path) -> Result<Self, TorchError> {
        Ok(Self { path: path.to_owned(), values: read_required(path)? })
    }

    /// Reads a file; an absent one has no values.
    ///
    /// # Errors
    /// If it is there but no JSON object.
    pub fn read_if_there(path: &Path) -> Result<Self, TorchError> {
        Ok(Self { path: path.to_owned(), values: optional(path)?.unwrap_or_default() })
    }

    /// Values that come from no file.
    pub fn of<const N: usize>(values: [(String, Value); N]) -> Self {
        Self { path: PathBuf::new(), values: values.into_iter().collect() }
    }

    /// Puts a value in the place of the file's.
    pub fn set(&mut self, key: &str, value: Value) {
        self.values.insert(key.to_owned(), value);
    }

    /// The object under `key` as a configuration of its own; empty if there is none.
    pub fn part(&self, key: &str) -> Self {
        let values = self.get(key).and_then(Value::as_object).cloned().unwrap_or_default();
        Self { path: self.path.clone(), values }
    }

    /// The value under `key`; a null counts as absent.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.get(key).filter(|value| !value.is_null())
    }

    /// The value under `key`, null too.
    pub fn raw(&self, key: &str) -> Option<&Value> {
        self.values.get(key)
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// True if there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A whole number under the first of `keys` that is there.
    ///
    /// # Errors
    /// If none is there.
    pub fn whole(&self, keys: &[&'static str]) -> Result<i64, TorchError> {
        let found = keys.iter().find_map(|key| self.get(key).and_then(Value::as_i64));
        found.ok_or_else(|| {
            self.wrong(format!("expected a whole number `{}`, found none", keys.join("` or `")))
        })
    }

    /// A whole number, or `otherwise`.
    pub fn whole_or(&self, key: &str, otherwise: i64) -> i64 {
        self.get(key).and_then(Value::as_i64).unwrap_or(otherwise)
    }

    /// A number, or `otherwise`.
    pub fn float_or(&self, key: &str, otherwise: f64) -> f64 {
        self.get(key).and_then(Value::as_f64).unwrap_or(otherwise)
    }

    /// A flag, or `otherwise`.
    pub fn flag_or(&self, key: &str, otherwise: bool) -> bool {
        self.get(key).and_then(Value::as_bool).unwrap_or(otherwise)
    }

    /// A text, or `otherwise`.
    pub fn text_or<'a>(&'a self, key: &str, otherwise: &'a str) -> &'a str {
        self.get(key).and_then(Value::as_str).unwrap_or(otherwise)
    }

    /// The texts of a list; empty if there is none.
    pub fn texts(&self, key: &str) -> Vec<&str> {
        self.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// The name of the first of `architectures`.
    pub fn class(&self) -> &str {
        self.texts("architectures").first().copied().unwrap_or_default()
    }

    /// An error about this file.
    pub fn wrong(&self, message: String) -> TorchError {
        TorchError::Malformed { path: self.path.clone(), message }
    }

    /// An error about what this file asks for and this plugin does not have.
    pub fn unsupported(&self, message: String) -> TorchError {
        TorchError::Unsupported { path: self.path.clone(), message }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
