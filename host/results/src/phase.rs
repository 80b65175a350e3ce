//! The phases of a run in a result file: when each stretch of its work began and ended.

use mteb_json::Json;

use crate::footprint::Phase;

impl Phase {
    /// A phase as this host writes them; `None` if it is anything else.
    pub fn from_json(json: &Json) -> Option<Self> {
        let text = |key: &str| json.get(key).and_then(Json::as_text).map(str::to_owned);
        let number = |key: &str| json.get(key).and_then(Json::as_number);
        let phase = Self {
            name: text("name")?,
            start: number("start")?,
            end: number("end")?,
            split: text("split")?,
            subset: text("subset")?,
        };
        let has_more = json.as_map().is_some_and(|entries| entries.len() > 5);
        Some(phase).filter(|_| !has_more)
    }

    /// The phase as a result file has it.
    pub fn to_json(&self) -> Json {
        Json::object([
            ("name", Json::from(self.name.as_str())),
            ("start", Json::Float(self.start)),
            ("end", Json::Float(self.end)),
            ("split", Json::from(self.split.as_str())),
            ("subset", Json::from(self.subset.as_str())),
        ])
    }
}
