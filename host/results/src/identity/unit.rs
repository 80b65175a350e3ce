//! All that one score was made from, but the model, which the units of a file share; the measures
//! beside those that its card asks for; and one hash over the units of a split.

use std::collections::BTreeMap;

use mteb_files::hex;
use mteb_json::Json;
use sha2::{Digest, Sha256};

use super::DataFacts;

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

/// The deepest cut by default: one beyond it finds more documents for every measure.
const DEEPEST: usize = 1000;

/// Measures that a user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// Those of protocol 7.6.
    pub extra: bool,
    /// Cuts of ranking tasks beside those of the card, ascending.
    pub k_values: Vec<usize>,
}

impl Measures {
    /// As a result file holds it; null where nothing was asked for.
    pub fn to_json(&self) -> Json {
        if *self == Self::default() {
            return Json::Null;
        }
        let cuts = self.k_values.iter().map(|&cut| Json::Int(cut as i64)).collect();
        Json::object([("extra", Json::Bool(self.extra)), ("k_values", Json::List(cuts))])
    }

    /// From a result file; what it does not say was not asked for.
    pub fn from_json(json: Option<&Json>) -> Self {
        let cut = |cut: &Json| match cut {
            Json::Int(cut) => usize::try_from(*cut).ok(),
            _ => None,
        };
        let cuts = json.and_then(|json| json.get("k_values")?.as_list());
        Self {
            extra: json.and_then(|json| json.get("extra")) == Some(&Json::Bool(true)),
            k_values: cuts.unwrap_or_default().iter().filter_map(cut).collect(),
        }
    }

    /// True if a result with these measures has all that `asked` asks for, in the same digits.
    pub fn cover(&self, asked: &Self) -> bool {
        let is_there = |cut: &usize| self.k_values.contains(cut);
        // Who looks deeper finds more, and how sure a ranking looks depends on all that was found.
        let is_harmless = |cut: &usize| *cut <= DEEPEST || asked.k_values.contains(cut);
        (self.extra || !asked.extra)
            && asked.k_values.iter().all(is_there)
            && self.k_values.iter().all(is_harmless)
    }
}

/// Hash over subsets and what they were made from; `None` if that is not known of one of them.
pub(crate) fn hash_of_units<'a, T: AsRef<str>>(
    units: impl Iterator<Item = Option<(&'a str, T)>>,
) -> Option<String> {
    let mut hasher = Sha256::new();
    for unit in units {
        let (subset, made_from) = unit?;
        for part in [subset, made_from.as_ref()] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Some(hex(&hasher.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measures(extra: bool, k_values: &[usize]) -> Measures {
        Measures { extra, k_values: k_values.to_vec() }
    }

    #[test]
    fn more_measures_cover_fewer_unless_they_look_deeper() {
        let more = measures(true, &[7, 50]);
        assert!(more.cover(&measures(false, &[7])) && more.cover(&Measures::default()));
        assert!(!measures(false, &[7]).cover(&more) && !measures(true, &[7]).cover(&more));
        assert!(!measures(false, &[2000]).cover(&Measures::default()));
    }

    #[test]
    fn measures_outlast_their_way_through_a_file() {
        let all = measures(true, &[7, 50]);
        assert_eq!(Measures::from_json(Some(&all.to_json())), all);
        assert_eq!(
            (Measures::default().to_json(), Measures::from_json(None)),
            (Json::Null, Measures::default())
        );
    }
}
