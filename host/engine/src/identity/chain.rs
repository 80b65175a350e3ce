//! What the draws of a unit continue: everything that earlier units of its task were made from.

use sha2::{Digest, Sha256};

use super::DataFacts;
use crate::results::Json;

/// A hash over units in their order.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    hasher: Sha256,
    units: usize,
}

impl Chain {
    /// The hash over the units so far; `None` before the first.
    pub fn hash(&self) -> Option<String> {
        (self.units > 0).then(|| hex(&self.hasher.clone().finalize()))
    }

    /// One more unit.
    pub fn push(&mut self, (split, subset): (&str, &str), options: &Json, data: &DataFacts) {
        let data = match data {
            // A commit does not change; its files may not be here when the hash is compared.
            DataFacts::Hub { dataset, revision, .. } => format!("{dataset}@{revision}"),
            DataFacts::Local(_) => data.to_json().to_python(0),
            DataFacts::Pack { rows, .. } => rows.clone(),
        };
        for part in [split, subset, &options.to_python(0), &data] {
            self.hasher.update((part.len() as u64).to_le_bytes());
            self.hasher.update(part);
        }
        self.units += 1;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
