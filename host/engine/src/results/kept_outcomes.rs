//! The files of outcomes that a run leaves beside its scores: one a unit, with what it was made from in its footer.

use std::io;
use std::path::PathBuf;

use mteb_outcomes::{OutcomesError, outcomes_file, read_parquet, write_parquet};
use mteb_tasks::Items;

use super::kept::Standing;
use super::{Json, Kept, UnitName};
use crate::atomic_file;

impl Kept {
    /// The file of outcomes of a unit.
    pub fn outcomes(&self, unit: UnitName<'_>) -> PathBuf {
        outcomes_file(self.folder(), unit.task, unit.split, unit.subset)
    }

    /// Writes the outcomes of a unit, with what they were made from.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_outcomes(&self, unit: UnitName<'_>, items: &Items, facts: &Json) -> io::Result<()> {
        let packed = write_parquet(items, &said(unit, facts).to_python(0)).map_err(io::Error::other)?;
        atomic_file::write(&self.outcomes(unit), &packed)
    }

    /// How the file of outcomes of a unit stands to `facts`; all of it is read.
    pub fn standing_of_outcomes(&self, unit: UnitName<'_>, facts: &Json) -> Standing {
        let path = self.outcomes(unit);
        match read_parquet(&path) {
            Ok(found) if found.facts == said(unit, facts).to_python(0) => Standing::Fits,
            Ok(_) => Standing::Other(path),
            Err(OutcomesError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Standing::Absent,
            Err(_) => Standing::Damaged(path),
        }
    }
}

/// What the footer says: the unit, before what it was made from.
fn said(unit: UnitName<'_>, facts: &Json) -> Json {
    let mut said = Json::object([
        ("task", Json::from(unit.task)),
        ("split", Json::from(unit.split)),
        ("subset", Json::from(unit.subset)),
    ]);
    for (key, value) in facts.as_map().unwrap_or_default() {
        said.set(key, value.clone());
    }
    said
}
