//! What others have noted in a result file: it stays when the file is written again.

use mteb_json::Json;

use crate::footprint::Phase;

/// The reference's key that this host never fills: what a tool beside the evaluation has measured.
const EMISSIONS: &str = "kg_co2_emissions";

/// The keys at the top of a result file that this host fills; `footprint` only where it has one.
const KEYS: [&str; 8] = [
    "dataset_revision",
    "task_name",
    "mteb_version",
    "scores",
    "evaluation_time",
    "date",
    "evaluation_phases",
    "mteb_host",
];

/// Keys at the top of a result file and phases that this host does not write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OthersNotes {
    entries: Vec<(String, Json)>,
    /// Phases of another form than this host's.
    pub phases: Vec<Json>,
}

impl OthersNotes {
    /// Those of a file.
    pub fn of(json: &Json) -> Self {
        let entries = json.as_map().unwrap_or_default().iter();
        let entries = entries.filter(|(key, value)| {
            !KEYS.contains(&key.as_str()) && (key != EMISSIONS || *value != Json::Null)
        });
        let phases = json.get("evaluation_phases").and_then(Json::as_list).unwrap_or_default();
        let phases = phases.iter().filter(|phase| Phase::from_json(phase).is_none());
        Self { entries: entries.cloned().collect(), phases: phases.cloned().collect() }
    }

    /// Adds them to a file, behind what this host writes; what it fills itself is not touched.
    pub fn add_to(&self, json: &mut Json) {
        for (key, value) in &self.entries {
            if key == EMISSIONS || json.get(key).is_none() {
                json.set(key, value.clone());
            }
        }
    }
}
