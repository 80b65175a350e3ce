//! Tables that several subsets share, read once.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_data::{DataError, OpenRows, Table};

use super::part_place::PartPlace;

/// Bytes of memory that tables may take while nothing is done with them.
const LIMIT: usize = 256 << 20;

/// The tables that were read last.
pub struct Tables {
    way: Arc<dyn OpenRows>,
    kept: Vec<(Key, Arc<Table>)>,
}

type Key = (Vec<Vec<PathBuf>>, Option<usize>);

impl Tables {
    /// No tables yet; files will be opened in this `way`.
    pub fn new(way: Arc<dyn OpenRows>) -> Self {
        Self { way, kept: Vec::new() }
    }

    /// How files are opened.
    pub fn way(&self) -> &Arc<dyn OpenRows> {
        &self.way
    }

    /// The rows of `place`, or the first ones of each split.
    ///
    /// # Errors
    /// If a file is damaged, or files differ in their columns.
    pub fn read(&mut self, place: &PartPlace, first_rows: Option<usize>) -> Result<Arc<Table>, DataError> {
        let key = (place.splits.clone(), first_rows);
        let found = self.kept.iter().position(|(kept, _)| *kept == key);
        let (key, table) = match found {
            Some(index) => self.kept.remove(index),
            None => (key, Arc::new(place.read(first_rows, &self.way)?)),
        };
        self.kept.push((key, Arc::clone(&table)));
        self.forget();
        Ok(table)
    }

    /// Forgets the oldest tables beyond the limit.
    fn forget(&mut self) {
        let mut bytes: usize = self.kept.iter().map(|(_, table)| table.memory()).sum();
        while bytes > LIMIT {
            bytes -= self.kept.remove(0).1.memory();
        }
    }
}
