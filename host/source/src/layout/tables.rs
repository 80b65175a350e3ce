//! Tables that several subsets share, read once.

use std::path::PathBuf;
use std::sync::Arc;

use mteb_data::{DataError, OpenRows, Table};

use super::part_place::PartPlace;

/// Bytes of memory that tables may take while nothing is done with them.
const LIMIT: usize = 256 << 20;

/// The tables that were read last.
#[derive(Default)]
pub struct Tables(Vec<(Key, Arc<Table>)>);

type Key = (Vec<Vec<PathBuf>>, Option<usize>);

impl Tables {
    /// The rows of `place`, or the first ones of each split; files are opened by `opener` if they were not read lately.
    ///
    /// # Errors
    /// If a file is damaged, or files differ in their columns.
    pub fn read(
        &mut self,
        place: &PartPlace,
        first_rows: Option<usize>,
        opener: &Arc<dyn OpenRows>,
    ) -> Result<Arc<Table>, DataError> {
        let key = (place.splits.clone(), first_rows);
        let found = self.0.iter().position(|(kept, _)| *kept == key);
        let (key, table) = match found {
            Some(index) => self.0.remove(index),
            None => (key, Arc::new(place.read(first_rows, opener)?)),
        };
        self.0.push((key, Arc::clone(&table)));
        self.forget();
        Ok(table)
    }

    /// Forgets the oldest tables beyond the limit.
    fn forget(&mut self) {
        let mut bytes: usize = self.0.iter().map(|(_, table)| table.memory()).sum();
        while bytes > LIMIT {
            bytes -= self.0.remove(0).1.memory();
        }
    }
}
