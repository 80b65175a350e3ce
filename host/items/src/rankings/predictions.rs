//! The prediction files of the reference: `{"mteb_model_meta": {…}, subset: {split: {query: {document: score}}}}`.

use serde_json::{Map, Value, json};

use super::ranked::Builder;
use super::trec::best_first;
use super::{Rankings, RankingsError};

/// The key under which the model stands.
const MODEL: &str = "mteb_model_meta";

/// The prediction file of one task: `<Task>_predictions.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predictions(Map<String, Value>);

impl Predictions {
    /// No predictions of this model yet.
    pub fn new(model: &str, revision: &str) -> Self {
        Self(Map::from_iter([(MODEL.to_owned(), json!({"model_name": model, "revision": revision}))]))
    }

    /// From the text of the file that is called `source`.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn parse(source: &str, text: &str) -> Result<Self, RankingsError> {
        const TWICE: &str = "expected each key once, found ";
        match mteb_data::each_key_once(text.as_bytes()) {
            Ok(Value::Object(file)) => Ok(Self(file)),
            Ok(_) => Err(fault(source, "an object of subsets", "another JSON")),
            Err(error) if error.is_data() => {
                let found = error.to_string().replacen(TWICE, "", 1);
                Err(fault(source, "each subset, split, query and document once", &found))
            }
            Err(error) => Err(fault(source, "JSON", &error.to_string())),
        }
    }

    /// True if the file is of this model.
    pub fn is_of(&self, model: &str, revision: &str) -> bool {
        Self::new(model, revision).0.get(MODEL) == self.0.get(MODEL)
    }

    /// Takes in the rankings of a unit, best documents first; those that were there are replaced.
    pub fn insert(&mut self, split: &str, subset: &str, rankings: &Rankings) {
        let of_query = |found: &Vec<_>| -> Value {
            let best = best_first(rankings, found).into_iter();
            best.map(|ranked| (rankings.documents[ranked.document as usize].to_owned(), ranked.score.into()))
                .collect::<Map<String, Value>>()
                .into()
        };
        let queries = rankings.queries.iter().zip(&rankings.found);
        let queries: Map<String, Value> = queries.map(|(id, found)| (id.clone(), of_query(found))).collect();
        let splits = self.0.entry(subset).or_insert_with(|| Value::Object(Map::new()));
        match splits.as_object_mut() {
            Some(splits) => drop(splits.insert(split.to_owned(), queries.into())),
            None => *splits = json!({split: queries}),
        }
    }

    /// Takes the rankings of a unit from `other` as they are there; those that were here are replaced.
    pub fn take(&mut self, other: &Self, split: &str, subset: &str) {
        let Some(found) = other.0.get(subset).and_then(|splits| splits.get(split)) else { return };
        let splits = self.0.entry(subset).or_insert_with(|| Value::Object(Map::new()));
        match splits.as_object_mut() {
            Some(splits) => drop(splits.insert(split.to_owned(), found.clone())),
            None => *splits = json!({split: found.clone()}),
        }
    }

    /// Puts subsets and their splits into these orders, whatever the order in which they came; others stay behind them as they were.
    pub fn arrange(&mut self, splits: &[String], subsets: &[&str]) {
        let of_subset =
            |name: &str| if name == MODEL { Some(0) } else { place(subsets, name).map(|place| place + 1) };
        sort(&mut self.0, of_subset);
        for entry in self.0.values_mut().filter_map(Value::as_object_mut) {
            sort(entry, |name| place(splits, name));
        }
    }

    /// True if it has the rankings of a unit.
    pub fn has(&self, split: &str, subset: &str) -> bool {
        self.0.get(subset).is_some_and(|splits| splits.get(split).is_some())
    }

    /// Leaves out the rankings of a unit; false if it has none.
    pub fn remove(&mut self, split: &str, subset: &str) -> bool {
        let splits = self.0.get_mut(subset).and_then(Value::as_object_mut);
        splits.is_some_and(|splits| splits.remove(split).is_some())
    }

    /// True if something other than predictions is lost once `new` rankings replace those of a unit, or nothing does: what cannot be
    /// read as predictions, or queries that `new` does not have.
    pub fn loses(&self, split: &str, subset: &str, new: Option<&Rankings>) -> bool {
        let has_each = |old: Rankings| {
            let known = new.map(Rankings::places);
            known.is_none_or(|known| old.queries.iter().all(|query| known.contains_key(query.as_str())))
        };
        match self.0.get(subset) {
            None => false,
            Some(Value::Object(splits)) if !splits.contains_key(split) => false,
            Some(_) => !self.rankings("", split, subset).is_ok_and(has_each),
        }
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The rankings of a unit; `source` is the file, for messages.
    ///
    /// # Errors
    /// If it has none of this split and subset, or a score is no finite number.
    pub fn rankings(&self, source: &str, split: &str, subset: &str) -> Result<Rankings, RankingsError> {
        let known = || self.0.keys().filter(|key| *key != MODEL).cloned().collect::<Vec<_>>().join(", ");
        let splits = self.0.get(subset).and_then(Value::as_object);
        let splits =
            splits.ok_or_else(|| fault(source, &format!("predictions of subset {subset}"), &known()))?;
        let queries = splits.get(split).and_then(Value::as_object).ok_or_else(|| {
            let found = splits.keys().cloned().collect::<Vec<_>>().join(", ");
            fault(source, &format!("predictions of split {split} of subset {subset}"), &found)
        })?;
        let mut builder = Builder::new(source, false);
        for (query, found) in queries {
            let place = builder.query(query);
            let found = found.as_object().ok_or_else(|| {
                fault(&format!("{source}, query {query}"), "an object of documents", &found.to_string())
            })?;
            for (document, score) in found {
                let score = score.as_f64().filter(|score| score.is_finite()).ok_or_else(|| {
                    let place = format!("{source}, query {query}, document {document}");
                    fault(&place, "a finite number as score", &score.to_string())
                })?;
                builder.found(place, document, score, 0);
            }
        }
        Ok(Rankings { is_in_order: true, ..builder.finish()? })
    }
}

fn place<T: AsRef<str>>(names: &[T], name: &str) -> Option<usize> {
    names.iter().position(|known| known.as_ref() == name)
}

/// Sorts entries by the place of their key; those that have none go behind, in their own order.
fn sort(entries: &mut Map<String, Value>, place: impl Fn(&str) -> Option<usize>) {
    let mut sorted: Vec<(usize, String, Value)> = std::mem::take(entries)
        .into_iter()
        .map(|(key, value)| (place(&key).unwrap_or(usize::MAX), key, value))
        .collect();
    sorted.sort_by_key(|(place, ..)| *place);
    *entries = sorted.into_iter().map(|(_, key, value)| (key, value)).collect();
}

fn fault(place: &str, expected: &str, found: &str) -> RankingsError {
    let found: String = if found.is_empty() { "none".to_owned() } else { found.chars().take(80).collect() };
    RankingsError::Fault { place: place.to_owned(), expected: expected.to_owned(), found }
}

#[cfg(test)]
mod tests {
    use super::super::Ranked;
    use super::*;

    #[test]
    fn units_of_a_task_stand_in_one_file() {
        let rankings = Rankings {
            queries: vec!["q".to_owned()],
            found: vec![vec![
                Ranked { document: 0, score: 0.5, line: 0 },
                Ranked { document: 1, score: 1.0, line: 0 },
            ]],
            documents: ["a", "b"].into_iter().collect(),
            ..Rankings::default()
        };
        let mut file = Predictions::new("m", "r");
        file.insert("test", "ind", &rankings);
        file.insert("dev", "ind", &Rankings::default());
        assert_eq!(
            file.to_text(),
            r#"{"mteb_model_meta":{"model_name":"m","revision":"r"},"ind":{"test":{"q":{"b":1.0,"a":0.5}},"dev":{}}}"#
        );
        let read = Predictions::parse("T_predictions.json", &file.to_text()).unwrap();
        assert!(read.is_of("m", "r") && !read.is_of("m", "other"));
        assert_eq!(read.rankings("f", "test", "ind").unwrap().found[0][0].score, 1.0);
        assert_eq!(
            read.rankings("f.json", "test", "jav").unwrap_err().to_string(),
            "f.json: expected predictions of subset jav, found: ind"
        );
    }

    #[test]
    fn units_stand_in_the_order_of_the_card_whatever_the_order_in_which_they_came() {
        let mut file = Predictions::new("m", "r");
        for (split, subset) in [("test", "other"), ("test", "jav"), ("test", "ind"), ("dev", "ind")] {
            file.insert(split, subset, &Rankings::default());
        }
        file.arrange(&["dev", "test"].map(str::to_owned), &["ind", "jav"]);
        assert_eq!(
            file.to_text(),
            r#"{"mteb_model_meta":{"model_name":"m","revision":"r"},"ind":{"dev":{},"test":{}},"jav":{"test":{}},"other":{"test":{}}}"#
        );
    }

    #[test]
    fn what_stands_twice_is_refused_with_its_name() {
        for (text, name) in [
            (r#"{"default": {"test": {"q": {"d0": 1, "d1": 2, "d0": 3}}}}"#, "d0"),
            (r#"{"default": {"test": {"q": {"d0": 1}, "q": {"d1": 2}}}}"#, "q"),
            (r#"{"default": {"test": {}, "test": {}}}"#, "test"),
            (r#"{"default": {"test": {}}, "default": {}}"#, "default"),
        ] {
            let error = Predictions::parse("p.json", text).unwrap_err().to_string();
            let expected = format!(
                "p.json: expected each subset, split, query and document once, found: `{name}` twice at line 1"
            );
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn a_score_that_is_no_number_is_named() {
        let text = r#"{"default": {"test": {"q1": {"d1": null}}}}"#;
        let file = Predictions::parse("p.json", text).unwrap();
        assert_eq!(
            file.rankings("p.json", "test", "default").unwrap_err().to_string(),
            "p.json, query q1, document d1: expected a finite number as score, found: null"
        );
    }
}
