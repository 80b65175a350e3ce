//! Copies what lies beside the scores of a unit from one folder of results to another, byte for
//! byte.

use std::io;
use std::path::Path;

use mteb_card::TaskCard;
use mteb_files::LockedFolder;
use mteb_items::outcomes::outcomes_file;
use mteb_items::rankings::Predictions;
use mteb_plugin_api::Identity;

use super::{CompanionFiles, KeepFiles, UnitName};

impl CompanionFiles {
    /// Copies the files that are to be kept of a unit from `other`, in place of those that are
    /// here; gives lines about what was moved away, or the name of what is not there.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn copy_from(
        &self,
        other: &Self,
        unit: UnitName<'_>,
        (model, keep, card): (&Identity, KeepFiles, &TaskCard),
    ) -> io::Result<Result<Vec<String>, &'static str>> {
        let is_ranking = card.task_type.is_ranking();
        if keep.outcomes && !other.outcomes(unit).is_file() {
            return Ok(Err("outcomes"));
        }
        if keep.rankings && is_ranking && !other.rankings(unit).is_file() {
            return Ok(Err("rankings"));
        }
        let predictions = if keep.predictions && is_ranking {
            match other.read_predictions(unit.task, model).filter(|found| found.has(unit.split, unit.subset))
            {
                Some(found) => Some(found),
                None => return Ok(Err("predictions")),
            }
        } else {
            None
        };
        let mut notes = self.forget(unit, model, keep)?;
        if keep.outcomes {
            let here = outcomes_file(self.folder(), unit.task, unit.split, unit.subset);
            copy(&other.outcomes(unit), &here)?;
        }
        if keep.rankings && is_ranking {
            copy(&other.rankings(unit), &self.own_rankings(unit))?;
        }
        if let Some(found) = predictions {
            let folder = self.predictions(unit.task);
            let folder = folder.parent().unwrap_or(Path::new("."));
            notes.extend(LockedFolder::change(folder, |folder| {
                self.bring_predictions(folder, unit, (&found, model, card))
            })?);
        }
        Ok(Ok(notes))
    }

    fn bring_predictions(
        &self,
        folder: LockedFolder,
        unit: UnitName<'_>,
        (found, model, card): (&Predictions, &Identity, &TaskCard),
    ) -> io::Result<Option<String>> {
        let path = self.predictions(unit.task);
        let here = self.read_predictions(unit.task, model);
        let notes =
            self.clear((&path, false), &format!("predictions of {} by this model", unit.task), |path| {
                here.is_some() && !path.is_symlink()
            })?;
        let mut all = here.unwrap_or_else(|| Predictions::new(&model.name, &model.revision));
        all.take(found, unit.split, unit.subset);
        all.arrange(&card.eval_splits, &card.subset_names());
        folder.write(path.file_name().unwrap_or_default().as_ref(), all.to_text().as_bytes())?;
        Ok(notes)
    }
}

/// Copies a file whole, unless it is there already.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let bytes = mteb_files::read(from, u64::MAX)?;
    if mteb_files::read(to, u64::MAX).is_ok_and(|found| found == bytes) {
        return Ok(());
    }
    mteb_files::write(to, &bytes)
}
