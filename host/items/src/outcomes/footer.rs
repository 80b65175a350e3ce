//! What the footer of a file of outcomes holds: its facts, and a hash of the cells, because pages of Parquet have no checksum of their own.

use super::{ItemColumn, Items};

/// The BLAKE3 hash of all names and cells, as hexadecimal digits.
pub(crate) fn checksum(items: &Items) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(bytes);
    };
    for (name, cells) in &items.columns {
        text(name, &mut add);
        add(&(cells.len() as u64).to_le_bytes());
        match cells {
            ItemColumn::Text(cells) => cells.iter().for_each(|cell| text(cell, &mut add)),
            ItemColumn::Int(cells) => cells.iter().for_each(|cell| add(&cell.to_le_bytes())),
            ItemColumn::Float(cells) => cells.iter().for_each(|cell| {
                // One of many bit patterns stands for no number.
                let cell = if cell.is_nan() { f64::NAN } else { *cell };
                add(&cell.to_bits().to_le_bytes());
            }),
            ItemColumn::Lists(cells) => {
                for list in cells {
                    add(&(list.len() as u64).to_le_bytes());
                    list.iter().for_each(|cell| text(cell, &mut add));
                }
            }
        }
    }
    hasher.finalize().to_hex().to_string()
}

fn text(text: &str, add: &mut impl FnMut(&[u8])) {
    add(&(text.len() as u64).to_le_bytes());
    add(text.as_bytes());
}

/// Under it stands what a file was made from, as JSON.
pub(crate) const FACTS: &str = "mteb_host";

/// Under it stands the checksum of the cells.
pub(crate) const CHECKSUM: &str = "mteb_host.checksum";
