//! All that one score was made from, but the model, which the units of a file share.

use std::collections::BTreeMap;

use mteb_json::Json;

use super::{DataFacts, Measures};

/// What a unit was made from.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitFacts {
    /// Its data.
    pub data: DataFacts,
    /// Hash of what earlier units of the task were made from, if its draws continue theirs.
    pub earlier: Option<String>,
    /// What its card says of how it is made and scored.
    pub options: Json,
    /// Which measures the user asked for.
    pub measures: Measures,
    /// The prompt that went before texts, by their role; `text` stands for no role.
    pub prompts: BTreeMap<String, String>,
    /// What a search ranked, given `candidates` or the whole `corpus`; for whoever reads the result.
    pub ranked: Option<String>,
    /// SHA-256 of what a first stage has found, if that was ordered anew.
    pub first_stage: Option<String>,
    /// Address and commit of the registry, if it was fetched by git; for whoever reads the result.
    pub registry: Option<String>,
}

impl UnitFacts {
    /// As a result file holds it.
    pub fn to_json(&self) -> Json {
        let mut facts = vec![
            ("data", self.data.to_json()),
            ("options", self.options.clone()),
            ("prompts", Json::texts(&self.prompts)),
        ];
        if let Some(earlier) = &self.earlier {
            facts.insert(1, ("earlier", Json::from(earlier.as_str())));
        }
        if self.measures != Measures::default() {
            facts.push(("measures", self.measures.to_json()));
        }
        if let Some(ranked) = &self.ranked {
            facts.push(("ranked", Json::from(ranked.as_str())));
        }
        if let Some(first) = &self.first_stage {
            facts.push(("first_stage", Json::from(first.as_str())));
        }
        if let Some(registry) = &self.registry {
            facts.push(("registry", Json::from(registry.as_str())));
        }
        Json::object(facts)
    }

    /// From a result file; `None` if it does not say everything.
    pub fn from_json(json: &Json) -> Option<Self> {
        let prompts = json.get("prompts")?.as_map()?.iter();
        let prompts = prompts.map(|(role, prompt)| Some((role.clone(), prompt.as_text()?.to_owned())));
        Some(Self {
            data: DataFacts::from_json(json.get("data")?)?,
            earlier: json.get("earlier").and_then(Json::as_text).map(str::to_owned),
            options: json.get("options")?.clone(),
            measures: Measures::from_json(json.get("measures")),
            prompts: prompts.collect::<Option<_>>()?,
            ranked: json.get("ranked").and_then(Json::as_text).map(str::to_owned),
            first_stage: json.get("first_stage").and_then(Json::as_text).map(str::to_owned),
            registry: json.get("registry").and_then(Json::as_text).map(str::to_owned),
        })
    }
}
