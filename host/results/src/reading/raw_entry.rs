//! Scores of one subset in a file of today's form: its main score, and whether that is one of the scores.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use mteb_json::Json;
use mteb_measures::numeric::{is_among, is_mean_over};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::doubt::Parts;
use super::number::add_numbers;
use crate::experiments::measures_of;
use crate::fault::EXPERIMENTS;

/// What is needed of the scores of a subset.
#[derive(Debug)]
pub struct RawEntry<'a> {
    /// Name of the subset.
    pub subset: String,
    /// Languages as the file says them.
    pub languages: Vec<String>,
    /// The score that stands for the subset.
    pub main_score: Option<f64>,
    /// True unless there are other scores and the main score is none of them.
    pub is_among_scores: bool,
    /// The measures of its experiments.
    experiments: Vec<BTreeMap<String, f64>>,
    /// What a doubt may come from.
    parts: Parts,
    /// The other scores that are one number each, by name.
    pub named: Vec<(Cow<'a, str>, f64)>,
}

impl RawEntry<'_> {
    /// True unless there are experiments and `score` is the mean of none of their measures.
    pub fn is_mean_over_experiments(&self, score: f64) -> bool {
        is_mean_over(score, &self.experiments)
    }

    /// Why the `score` that counts may not be right, by parts of it that may not be all.
    pub fn doubt(&self, score: f64) -> Option<String> {
        self.parts.doubt(score)
    }
}

impl<'de> Deserialize<'de> for RawEntry<'de> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_map(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = RawEntry<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("the scores of a subset")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawEntry<'de>, A::Error> {
        let (mut subset, mut languages, mut main_score) = (None, None, None);
        let mut named = Vec::new();
        let (mut scores, mut experiments, mut parts) = (Vec::new(), Vec::new(), Parts::default());
        while let Some(Key(key)) = map.next_key::<Key>()? {
            match &*key {
                "hf_subset" => once(&mut subset, map.next_value()?, "hf_subset")?,
                "languages" => once(&mut languages, map.next_value()?, "languages")?,
                "main_score" => once(&mut main_score, map.next_value::<Option<f64>>()?, "main_score")?,
                EXPERIMENTS => {
                    let found = Json::from(map.next_value::<Value>()?);
                    add_numbers(&found, &mut scores);
                    experiments = measures_of(&found);
                }
                name => {
                    let before = scores.len();
                    map.next_value_seed(Numbers(&mut scores))?;
                    if Parts::is_wanted(name) {
                        parts.add(name, &scores[before..]);
                    }
                    if let [score] = scores[before..] {
                        named.push((key, score));
                    }
                }
            }
        }
        let main_score = main_score.ok_or_else(|| A::Error::missing_field("main_score"))?;
        Ok(RawEntry {
            subset: subset.ok_or_else(|| A::Error::missing_field("hf_subset"))?,
            languages: languages.ok_or_else(|| A::Error::missing_field("languages"))?,
            main_score,
            is_among_scores: main_score.is_none_or(|main| is_among(main, &scores)),
            experiments,
            parts,
            named,
        })
    }
}

fn once<T, E: Error>(place: &mut Option<T>, value: T, key: &'static str) -> Result<(), E> {
    match place.replace(value) {
        Some(_) => Err(E::duplicate_field(key)),
        None => Ok(()),
    }
}

/// The name of a score, or of what else is in an entry.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Takes in every number of a value, however deep.
struct Numbers<'a>(&'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for Numbers<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Numbers<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a score")
    }

    fn visit_f64<E>(self, score: f64) -> Result<(), E> {
        self.0.push(score);
        Ok(())
    }

    fn visit_i64<E: Error>(self, score: i64) -> Result<(), E> {
        self.visit_f64(score as f64)
    }

    fn visit_u64<E: Error>(self, score: u64) -> Result<(), E> {
        self.visit_f64(score as f64)
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> Result<(), A::Error> {
        while cells.next_element_seed(Numbers(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Numbers(self.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_score_is_the_mean_of_a_measure_over_the_experiments() {
        let read = |scores: &str| {
            let text = format!(r#"{{"hf_subset": "default", "languages": [], {scores}}}"#);
            let entry = serde_json::from_str::<RawEntry>(&text).unwrap();
            entry.is_mean_over_experiments(entry.main_score.unwrap())
        };
        let experiments =
            r#""scores_per_experiment": [{"accuracy": 0.2, "ap": null}, {"accuracy": 0.4, "ap": null}]"#;
        assert!(read(&format!(r#""accuracy": 0.3, "main_score": 0.3, {experiments}"#)));
        assert!(!read(&format!(r#""accuracy": 0.99, "main_score": 0.99, {experiments}"#)));
        assert!(read(r#""main_score": 0.99, "accuracy": 0.99"#));
    }

    fn is_among_scores(scores: &str) -> bool {
        let text = format!(r#"{{"hf_subset": "default", "languages": ["eng-Latn"], {scores}}}"#);
        serde_json::from_str::<RawEntry>(&text).unwrap().is_among_scores
    }

    #[test]
    fn the_main_score_is_one_of_the_scores_wherever_they_stand() {
        assert!(is_among_scores(r#""main_score": 0.6, "ap": 0.6"#));
        assert!(is_among_scores(r#""v_measures": {"Level 0": [0.1, 0.6]}, "main_score": 0.6, "note": "x""#));
        assert!(is_among_scores(r#""main_score": 0.123456, "ap": 0.12346"#), "rounded");
        assert!(is_among_scores(r#""main_score": null, "ap": 0.6"#) && is_among_scores(r#""main_score": 1"#));
        assert!(!is_among_scores(r#""main_score": 0.999, "ap": 0.6, "evaluated": true"#));
    }

    #[test]
    fn what_is_no_number_or_stands_twice_is_refused() {
        for (scores, expected) in [
            (r#""main_score": "0.6""#, "invalid type: string \"0.6\", expected f64"),
            (r#""main_score": true"#, "invalid type: boolean `true`, expected f64"),
            (r#""main_score": 1, "main_score": 1"#, "duplicate field `main_score`"),
            (r#""ap": 1"#, "missing field `main_score`"),
        ] {
            let text = format!(r#"{{"hf_subset": "default", "languages": [], {scores}}}"#);
            let error = serde_json::from_str::<RawEntry>(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
