//! Rows and numbers in the memory that the host names: mapped once, not copied.
#![allow(unsafe_code)] // Mapping a file in memory; see the block.

use std::fs::File;

use memmap2::Mmap;
use mteb_plugin_types::Place;
use serde::de::DeserializeOwned;

use super::PluginError;

/// The memory of one question.
pub(super) struct Mapped(Mmap);

impl Mapped {
    /// Maps the file in memory at `path`.
    pub fn open(path: &str) -> Result<Self, PluginError> {
        let cannot =
            |error: std::io::Error| PluginError::failed(format!("{path}: cannot map the memory: {error}"));
        let file = File::open(path).map_err(cannot)?;
        // SAFETY: the host keeps the file at its length by a seal, and writes to it only between a plugin's answer and its next
        // question, while no `Mapped` lives: it ends with the question.
        unsafe { Mmap::map(&file) }.map(Self).map_err(cannot)
    }

    fn bytes(&self, place: Place) -> Result<&[u8], PluginError> {
        let range = usize::try_from(place.offset).ok().zip(usize::try_from(place.bytes).ok());
        let bytes = range.and_then(|(begin, length)| self.0.get(begin..begin.checked_add(length)?));
        bytes.ok_or_else(|| {
            let Place { offset, bytes, .. } = place;
            let length = self.0.len();
            PluginError::invalid_input(format!(
                "expected a range in the {length} bytes of the memory, found {bytes} bytes from {offset} on"
            ))
        })
    }

    /// Rows, one JSON object a line.
    pub fn lines<T: DeserializeOwned>(&self, place: Place) -> Result<Vec<T>, PluginError> {
        let lines = serde_json::Deserializer::from_slice(self.bytes(place)?).into_iter();
        lines
            .collect::<Result<_, _>>()
            .map_err(|error| PluginError::invalid_input(format!("the rows of the unit: {error}")))
    }

    /// 32-bit floating-point numbers.
    pub fn floats(&self, place: Place) -> Result<&[f32], PluginError> {
        bytemuck::try_cast_slice(self.bytes(place)?).map_err(|error| no_numbers(&error))
    }

    /// 64-bit floating-point numbers.
    pub fn doubles(&self, place: Place) -> Result<&[f64], PluginError> {
        bytemuck::try_cast_slice(self.bytes(place)?).map_err(|error| no_numbers(&error))
    }

    /// 32-bit unsigned numbers.
    pub fn places(&self, place: Place) -> Result<&[u32], PluginError> {
        bytemuck::try_cast_slice(self.bytes(place)?).map_err(|error| no_numbers(&error))
    }
}

fn no_numbers(error: &bytemuck::PodCastError) -> PluginError {
    PluginError::invalid_input(format!("expected numbers in the memory: {error}"))
}
