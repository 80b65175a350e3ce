//! The files of outcomes that a run leaves beside its scores: one a unit, with what it was made from in its footer.

use std::io;
use std::path::{Path, PathBuf};

use mteb_items::outcomes::{
    OutcomesError, find_outcomes, is_outcomes_of, outcomes_file, read_parquet, write_parquet,
};
use mteb_json::Json;
use mteb_tasks::Items;

use super::companion_files::{Standing, companion_facts};
use super::{CompanionFiles, UnitName, check_against_items};

impl CompanionFiles {
    /// The file of outcomes of a unit: what is there, else where they are written.
    pub fn outcomes(&self, unit: UnitName<'_>) -> PathBuf {
        find_outcomes(self.folder(), unit.task, unit.split, unit.subset)
    }

    /// Makes room for the outcomes of a unit: those of an earlier score go if they are `unwanted`, what is damaged or something else is
    /// moved away, and a line says so.
    ///
    /// # Errors
    /// If it cannot be removed or moved.
    pub(super) fn clear_outcomes(&self, unit: UnitName<'_>, unwanted: bool) -> io::Result<Option<String>> {
        let is_ours = |path: &Path| {
            is_outcomes_of(path, unit.task, unit.split, unit.subset) && read_parquet(path).is_ok()
        };
        self.clear((&self.outcomes(unit), unwanted), &format!("whole outcomes of {unit}"), is_ours)
    }

    /// Writes the outcomes of a unit, with what they were made from.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_outcomes(&self, unit: UnitName<'_>, items: &Items, facts: &Json) -> io::Result<()> {
        let packed =
            write_parquet(items, &companion_facts(unit, facts).to_python(0)).map_err(io::Error::other)?;
        mteb_files::write(&outcomes_file(self.folder(), unit.task, unit.split, unit.subset), &packed)
    }

    /// Why the main score of a unit cannot be right, by its outcomes, where there are some that were made from `facts`; `None` where
    /// nothing contradicts it.
    pub fn contradiction(&self, unit: UnitName<'_>, facts: &Json, main_score: f64) -> Option<String> {
        let found = read_parquet(&self.outcomes(unit)).ok()?;
        if found.facts != companion_facts(unit, facts).to_python(0) {
            return None;
        }
        let options = serde_json::from_str(&facts.get("unit")?.get("options")?.to_python(0)).ok()?;
        check_against_items(&options, &found.items, main_score).err().map(|fault| fault.to_string())
    }

    /// How the file of outcomes of a unit stands to `facts`; all of it is read.
    pub fn standing_of_outcomes(&self, unit: UnitName<'_>, facts: &Json) -> Standing {
        self.outcomes_and_standing(unit, facts).0
    }

    /// The same, with the outcomes where they can be read.
    pub fn outcomes_and_standing(&self, unit: UnitName<'_>, facts: &Json) -> (Standing, Option<Items>) {
        let path = self.outcomes(unit);
        match read_parquet(&path) {
            Ok(found) if found.facts == companion_facts(unit, facts).to_python(0) => {
                (Standing::Fits, Some(found.items))
            }
            Ok(found) => (Standing::Other(path), Some(found.items)),
            Err(OutcomesError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                (Standing::Absent, None)
            }
            Err(_) => (Standing::Damaged(path), None),
        }
    }
}
