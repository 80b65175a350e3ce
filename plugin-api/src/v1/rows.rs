//! Rows that have no fixed width, sparse ones and several vectors a text: what crosses by the method `encode_rows` of `call`.
//!
//! A model whose description says `rows` other than dense, of a plugin whose manifest lists [`ENCODE_ROWS`] among its features,
//! is asked [`EncodeRows`] as JSON in place of `encode`, and answers [`EncodedRows`]. The numbers go to the file
//! [`EncodeRows::memory`], from its start, in the machine's order of bytes:
//!
//! - several vectors a text: all vectors, text after text, `dimension` 32-bit numbers each; a length counts vectors;
//! - sparse rows: first all numbers that are not zero, 32 bits each, row after row; then, for each of them, its place in the row
//!   as an unsigned 32-bit number, ascending within a row and less than the dimension; a length counts numbers.

use std::fs::OpenOptions;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{PluginError, Role};

/// Name of the method, and of the feature.
pub const ENCODE_ROWS: &str = "encode_rows";

/// The question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodeRows {
    /// The texts.
    pub texts: Vec<String>,
    /// What they are for.
    pub role: Role,
    /// The prompt to put before each text, often empty.
    pub instruction: String,
    /// The file in memory that takes the numbers.
    pub memory: String,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodedRows {
    /// For each text how many vectors, or numbers that are not zero, it has.
    pub lengths: Vec<u32>,
}

impl EncodeRows {
    /// Reads the question.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(json: &str) -> Result<Self, PluginError> {
        serde_json::from_str(json)
            .map_err(|error| PluginError::invalid_input(format!("the request `{ENCODE_ROWS}`: {error}")))
    }

    /// Opens the file that takes the numbers.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(&self) -> Result<impl Write + use<>, PluginError> {
        OpenOptions::new().write(true).open(&self.memory).map_err(|error| self.cannot_write(&error))
    }

    /// Writes `parts` one after the other, and answers with `lengths`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn answer(&self, lengths: Vec<u32>, parts: &[&[u8]]) -> Result<String, PluginError> {
        let mut file = self.open()?;
        parts.iter().try_for_each(|part| file.write_all(part)).map_err(|error| self.cannot_write(&error))?;
        EncodedRows { lengths }.to_json()
    }

    /// What to say where the file cannot be written.
    pub fn cannot_write(&self, error: &io::Error) -> PluginError {
        PluginError::failed(format!("{}: cannot write rows to the memory: {error}", self.memory))
    }
}

impl EncodedRows {
    /// The answer as it crosses.
    ///
    /// # Errors
    /// Never, but by a fault of the serializer.
    pub fn to_json(&self) -> Result<String, PluginError> {
        serde_json::to_string(self).map_err(|error| PluginError::failed(error.to_string()))
    }
}
