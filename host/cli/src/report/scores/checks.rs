//! What the engine knows of files that it wrote.

use std::path::Path;

use mteb_json::Json;
use mteb_report::outcomes::Items;
use mteb_report::reading::Checks;
use mteb_results::identity::{change_between, model_changes};
use mteb_results::{bounds, check_against_items, check_number, read_checked_of};
use serde_json::Value;

/// The engine's own checks.
pub struct EngineChecks;

impl Checks for EngineChecks {
    fn check_file(&self, path: &Path, task: &str) -> Result<(), String> {
        read_checked_of(path, task).map(drop).map_err(|fault| fault.to_string())
    }

    fn check_score(&self, name: &str, score: f64) -> Result<(), String> {
        check_number(name, score).map_err(|violation| violation.to_string())
    }

    fn bounds(&self, name: &str) -> (f64, f64) {
        bounds(name)
    }

    fn check_items(&self, options: &Value, items: &Items, main_score: f64) -> Result<(), String> {
        check_against_items(options, items, main_score).map_err(|fault| fault.to_string())
    }

    fn data_change(&self, before: &str, now: &str, unit: (&str, &str)) -> Option<String> {
        change_between(before, now, unit)
    }

    fn state_change(&self, before: &str, now: &str) -> Option<String> {
        let (Ok(before), Ok(now)) = (Json::parse(before), Json::parse(now)) else {
            return (before != now).then(|| "the model".to_owned());
        };
        let (Ok(change) | Err(change)) = model_changes(&before, &now);
        change
    }
}
