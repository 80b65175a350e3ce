//! The evaluations that are at hand: those that cannot be right are named and left out.

use std::path::Path;

use mteb_graded::evaluate::{Evaluated, read_evaluated};
use mteb_results::UnitName;

use super::GradedFolder;

/// The evaluations in `folder`, and a line for each that is left out.
///
/// # Errors
/// One line, if a folder cannot be read.
pub fn evaluations(folder: &GradedFolder) -> Result<(Vec<Evaluated>, Vec<String>), String> {
    let unreadable = |error: std::io::Error| format!("{}: cannot read it: {error}", folder.path().display());
    let files = folder.evaluations().map_err(unreadable)?;
    let (mut evaluated, mut faults) = (Vec::new(), Vec::new());
    for file in &files {
        match read(folder, file) {
            Ok(read) => evaluated.push(read),
            Err(fault) => faults.push(format!("{fault}; left out, run `mteb-host graded evaluate` again")),
        }
    }
    Ok((evaluated, faults))
}

/// The evaluation in `file`, which is to be that of the unit whose place this is.
fn read(folder: &GradedFolder, file: &Path) -> Result<Evaluated, String> {
    let read = read_evaluated(file).map_err(|error| error.to_string())?;
    let Evaluated { task, split, subset, .. } = &read;
    let unit = UnitName { task, split, subset };
    let own = folder.evaluation(unit);
    // One of an earlier version may lie under its earlier name.
    let is_there =
        file == own || (file == folder.earlier_evaluation(unit) && own.symlink_metadata().is_err());
    if is_there {
        return Ok(read);
    }
    Err(format!(
        "{}: expected the evaluation of this place, found that of {unit}, which is {}",
        file.display(),
        own.display()
    ))
}
