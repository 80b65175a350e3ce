//! Paths of generated files that are rewritten on request; a file that somebody else has put there
//! is kept.

use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use mteb_items::rankings::read_facts;
use mteb_results::UnitName;
use serde_json::Value;

use super::GradedFolder;
use super::found::head_of;
use crate::folder::PlaceError;

impl GradedFolder {
    /// Checks that no folder on the way from this one to `path`, where something is to be written, is a link: others may have chosen where
    /// it leads.
    ///
    /// # Errors
    /// As [`Self::check_evaluation`].
    pub fn check_way(&self, path: &Path) -> Result<(), PlaceError> {
        let below = |folder: &&Path| folder.starts_with(self.path()) && *folder != self.path();
        match path.ancestors().skip(1).take_while(below).find(|folder| folder.is_symlink()) {
            None => Ok(()),
            Some(link) => Err(PlaceError::Link(link.to_owned())),
        }
    }

    /// Checks that the place of the evaluation of a unit has an evaluation, or nothing.
    ///
    /// # Errors
    /// If something else is there.
    pub fn check_evaluation(&self, unit: UnitName<'_>) -> Result<(), PlaceError> {
        self.check_way(&self.evaluation(unit))?;
        check(&self.evaluation(unit), "an evaluation", |path| {
            let found: Value =
                serde_json::from_slice(&mteb_files::read(path, mteb_files::TEXT).ok()?).ok()?;
            Some(found["graded"].is_u64() && found["systems"].is_array())
        })
    }

    /// Checks that the place of the new pairs of a unit has pairs, or nothing.
    ///
    /// # Errors
    /// As [`Self::check_evaluation`].
    pub fn check_new_pairs(&self, unit: UnitName<'_>) -> Result<(), PlaceError> {
        self.check_way(&self.new_pairs(unit))?;
        check(&self.new_pairs(unit), "pairs of a pool", |path| {
            let file = mteb_files::open(path).ok()?;
            let mut lines = BufReader::new(file).lines();
            // A pool that only lost pairs has no new ones.
            let Some(first) = lines.next() else { return Some(true) };
            let first: Value = serde_json::from_str(&first.ok()?).ok()?;
            Some(first["pair"].is_string() && first["query"].is_string())
        })
    }
}

/// Checks that `path` has scores of pairs by a reranker, or nothing.
///
/// # Errors
/// As [`GradedFolder::check_evaluation`].
pub(super) fn check_reranked(path: &Path) -> Result<(), PlaceError> {
    check(path, "scores of a reranker", |path| Some(read_facts(&head_of(path).ok()?).is_some()))
}

fn check(
    path: &Path,
    expected: &'static str,
    is_one: impl FnOnce(&Path) -> Option<bool>,
) -> Result<(), PlaceError> {
    let fault = |found| PlaceError::Other { path: path.to_owned(), expected, found };
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(source) => Err(PlaceError::Unreadable { path: path.to_owned(), source }),
        Ok(found) if !found.is_file() => Err(fault("a link, a folder or a device")),
        Ok(_) if is_one(path) == Some(true) => Ok(()),
        Ok(_) => Err(fault("something else")),
    }
}
