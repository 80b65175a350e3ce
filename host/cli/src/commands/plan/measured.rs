//! How fast a model is, as its results in a folder say.

use std::collections::HashMap;
use std::path::Path;

use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use mteb_results::{ResultStore, read_json};
use mteb_shards::Cost;

/// What results of a model say of its speed.
#[derive(Debug, Default)]
pub struct Measured {
    /// Tokens a second of the newest result that encoded some.
    pub cost: Option<Cost>,
    /// Seconds of a unit, by task, where most of its texts were encoded.
    pub seconds: HashMap<String, f64>,
}

impl Measured {
    /// Of the results of the model in `folder`.
    pub fn of(folder: &Path, info: &ModelInfo) -> Self {
        let mut measured = Self::default();
        let folder = ResultStore::new(folder, info).folder().to_owned();
        let mut newest = f64::MIN;
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let is_result = path.extension().is_some_and(|ending| ending == "json");
            let Some(json) = is_result.then(|| read_json(&path).ok()).flatten() else { continue };
            let Some(footprint) = json.get("mteb_host").and_then(|host| host.get("footprint")) else {
                continue;
            };
            let number = |json: &Json, key: &str| json.get(key).and_then(Json::as_number);
            let encoded = number(footprint, "texts_encoded").unwrap_or(0.0);
            if encoded <= 0.0 {
                continue;
            }
            let date = number(&json, "date").unwrap_or(0.0);
            if let Some(speed) = number(footprint, "tokens_per_second").filter(|speed| *speed > 0.0)
                && date > newest
            {
                newest = date;
                let from = format!("{}: {speed:.0} tokens per second", path.display());
                measured.cost = Some(Cost { tokens_per_second: speed, from });
            }
            let splits = json.get("scores").and_then(Json::as_map).unwrap_or_default();
            let units: usize =
                splits.iter().map(|(_, entries)| entries.as_list().unwrap_or_default().len()).sum();
            let task = json.get("task_name").and_then(Json::as_text).unwrap_or_default();
            let from_cache = number(footprint, "texts_from_cache").unwrap_or(0.0);
            if let Some(seconds) =
                number(&json, "evaluation_time").filter(|_| units > 0 && encoded > from_cache)
            {
                measured.seconds.insert(task.to_owned(), seconds / units as f64);
            }
        }
        measured
    }
}
