//! What a layout provides: the places of a unit's parts, and their contents. Tables that several
//! subsets share are read once.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_data::{DataError, Folder, OpenRows, Table};
use mteb_tasks::{Part, Unit};
use mteb_workers::plugins::PackClient;

use super::part_files::PartFiles;
use super::part_place::{PartPlace, UnitOf};
use crate::SourceError;

/// What rows are read from.
pub struct Readers {
    /// Opens data files.
    pub opener: Arc<dyn OpenRows>,
    /// The tables that were read last.
    pub tables: Tables,
    /// Task packs, by name.
    pub packs: HashMap<String, PackClient>,
}

/// The parts of a unit.
#[derive(Default)]
pub struct Parts {
    /// The table of each.
    pub tables: BTreeMap<Part, Table>,
    /// The rows of the corpus, if it is not among the tables and read piece by piece.
    pub corpus: Option<PartFiles>,
    /// The SHA-256 of the rows, if a task pack gave them.
    pub pack_rows: Option<String>,
}

/// How the parts of a unit lie in its dataset.
pub trait Layout: Sync {
    /// Which files of the dataset hold which part; none is opened.
    ///
    /// # Errors
    /// If a config, split or file that the unit needs is absent.
    fn locate(&self, folder: &Folder, unit: UnitOf) -> Result<Vec<PartPlace>, DataError>;

    /// True if one file can hold the unit by itself.
    fn fits_one_file(&self, unit: UnitOf, file: &Path) -> bool;

    /// The tables of a unit whose files are at these `places`.
    ///
    /// # Errors
    /// If a column is absent, a file is damaged, or a row does not fit what the card says.
    fn read(&self, from: &mut Readers, places: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError>;

    /// As [`Self::read`], but a corpus in files of its own is returned unread, to be read piece by
    /// piece.
    ///
    /// # Errors
    /// As [`Self::read`]; of the rows of the corpus when they are read.
    fn stream(&self, from: &mut Readers, places: &[PartPlace], unit: UnitOf) -> Result<Parts, SourceError> {
        self.read(from, places, unit)
    }

    /// The part whose rows belong to one split.
    fn part_of_splits(&self) -> Part;

    /// The parts that files without front matter may be named after.
    fn parts_by_name(&self) -> Vec<Part>;

    /// The subset whose data is in this config of a folder without front matter.
    fn subset_in<'a>(&self, folder: &Folder, card: &TaskCard, config: &'a str) -> Option<&'a str>;
}

impl Readers {
    /// The rows of `place`, or the first ones of each split, which several units may share and are then read once.
    ///
    /// # Errors
    /// As [`Tables::read`].
    pub fn read_shared(
        &mut self,
        place: &PartPlace,
        first_rows: Option<usize>,
    ) -> Result<Arc<Table>, DataError> {
        self.tables.read(place, first_rows, &self.opener)
    }
}

impl Parts {
    /// Tables that were read from files.
    pub fn of_files(tables: BTreeMap<Part, Table>) -> Self {
        Self { tables, ..Self::default() }
    }

    /// The unit, and the rows of its corpus that are not in it.
    pub fn into_unit(self, unit: UnitOf) -> (Unit, Option<PartFiles>) {
        (Unit::of(unit.card, unit.split, unit.subset, self.tables), self.corpus)
    }
}

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
