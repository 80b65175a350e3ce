//! What the engine knows of files that it wrote.

use std::path::Path;

use mteb_engine::results::{check_number, read_checked};
use mteb_report::reading::Checks;

/// The engine's own checks.
pub struct EngineChecks;

impl Checks for EngineChecks {
    fn check_file(&self, path: &Path, _: &str) -> Result<(), String> {
        read_checked(path).map(drop)
    }

    fn check_score(&self, name: &str, score: f64) -> Result<(), String> {
        check_number(name, score).map_err(|violation| violation.to_string())
    }
}
