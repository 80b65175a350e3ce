//! The values that options have where a card says nothing (protocol 6 and 7), which shape a score as if they were written out.

use serde_json::{Map, Value};

use super::part_defaults::{TRAIN_SPLIT, UsualPlaces};
use super::{KMeans, Protocol};

/// Classification, multilabel: training rows drawn per label.
pub const SAMPLES_PER_LABEL: usize = 8;
/// Classification, multilabel: experiments.
pub const EXPERIMENTS: usize = 10;
/// Multilabel: most evaluation rows.
pub const MAX_EVAL_SAMPLES: usize = 3000;
/// Clustering: share of the documents that is embedded.
pub const MAX_FRACTION_OF_DOCUMENTS: f64 = 0.04;
/// Clustering: documents drawn per round.
pub const MAX_DOCUMENTS_PER_CLUSTER: usize = 16_384;
/// Clustering: rounds.
pub const ROUNDS: usize = 10;
/// Clustering: generation of the mini-batch draws.
pub const KMEANS: KMeans = KMeans::Sklearn19;
/// STS, summarization: lowest gold score.
pub const MIN_SCORE: f64 = 0.0;
/// STS, summarization: highest gold score.
pub const MAX_SCORE: f64 = 5.0;
/// Ranking: cuts, those of the reference (protocol 7.4).
pub const K_VALUES: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];
/// Ranking: the grade from which on a document is relevant.
pub const RELEVANCE_THRESHOLD: f64 = 1.0;

/// Clustering: rows of a mini-batch, of the older form or today's.
pub const fn batch_size(legacy: bool) -> usize {
    if legacy { 500 } else { 512 }
}

/// Takes out of the options of the unit (split, subset), as a result holds them (`protocol`, `dataset`, `subset` and others), those
/// that are written out and are so without it. What is left is equal for cards that ask for the same of the same files.
pub fn leave_out_defaults(options: &mut Value, (split, subset): (&str, &str)) {
    leave_out_plain_defaults(options, subset);
    let Some(options) = options.as_object_mut() else { return };
    let own = options.get("subset").cloned();
    if let Some(Value::Object(dataset)) = options.get_mut("dataset") {
        if let Some(places) = UsualPlaces::new((split, subset), dataset, own.as_ref())
            && let Some(Value::Object(parts)) = dataset.get_mut("parts")
        {
            for (name, source) in parts.iter_mut() {
                source.as_object_mut().into_iter().for_each(|source| places.leave_out(name, source));
            }
        }
        if let Some(Value::Object(parts)) = dataset.get_mut("parts") {
            parts.retain(|_, source| source.as_object().is_none_or(|source| !source.is_empty()));
            if parts.is_empty() {
                dataset.remove("parts");
            }
        }
        leave_out_sampled_splits(dataset, split);
    }
    options.retain(|_, value| value.as_object().is_none_or(|inner| !inner.is_empty()));
}

/// Takes out the splits that a subsample names, where those of this unit are subsampled without it: the rows to predict, and the
/// training rows if they are the same split.
fn leave_out_sampled_splits(dataset: &mut Map<String, Value>, split: &str) {
    let train = dataset.get("train_split").and_then(Value::as_str).unwrap_or(TRAIN_SPLIT).to_owned();
    let Some(Value::Object(subsample)) = dataset.get_mut("subsample") else { return };
    let Some(Value::Array(splits)) = subsample.get("splits") else { return };
    let names = |name: &str| splits.iter().any(|found| found == name);
    if names(split) && names(&train) == (train == split) {
        subsample.remove("splits");
    }
}

/// As [`leave_out_defaults`] was before it knew of places of parts and of splits of subsamples, as the hashes of older results
/// have it.
pub fn leave_out_plain_defaults(options: &mut Value, subset: &str) {
    let Some(options) = options.as_object_mut() else { return };
    if let Some(Value::Object(protocol)) = options.get_mut("protocol") {
        let is_legacy = protocol.get("legacy") == Some(&Value::Bool(true));
        let defaults = serde_json::to_value(defaults(is_legacy)).unwrap_or_default();
        protocol.retain(|name, value| defaults.get(name) != Some(value));
    }
    if let Some(Value::Object(dataset)) = options.get_mut("dataset") {
        dataset.retain(|name, value| name != "train_split" || value != TRAIN_SPLIT);
        leave_out_entries(dataset, "merge_splits", |split, of| of == &Value::from([split]));
        leave_out_same_names(dataset);
        if let Some(Value::Object(parts)) = dataset.get_mut("parts") {
            parts.values_mut().filter_map(Value::as_object_mut).for_each(leave_out_same_names);
        }
    }
    if let Some(Value::Object(own)) = options.get_mut("subset") {
        own.retain(|name, value| name != "config" || value != subset);
        leave_out_same_names(own);
    }
    options.retain(|_, value| value.as_object().is_none_or(|inner| !Map::is_empty(inner)));
}

/// Takes out columns that are called as the protocol calls them.
fn leave_out_same_names(table: &mut Map<String, Value>) {
    leave_out_entries(table, "columns", |name, column| column == name);
}

/// Takes out the entries of the map `key` that say what is so anyway, and the map if nothing is left of it.
fn leave_out_entries(table: &mut Map<String, Value>, key: &str, is_so_anyway: impl Fn(&str, &Value) -> bool) {
    let Some(Value::Object(entries)) = table.get_mut(key) else { return };
    entries.retain(|name, value| !is_so_anyway(name, value));
    if entries.is_empty() {
        table.remove(key);
    }
}

/// The options that have a default, with it.
fn defaults(is_legacy: bool) -> Protocol {
    Protocol {
        samples_per_label: Some(SAMPLES_PER_LABEL),
        experiments: Some(EXPERIMENTS),
        max_eval_samples: Some(MAX_EVAL_SAMPLES),
        max_fraction_of_documents: Some(MAX_FRACTION_OF_DOCUMENTS),
        max_documents_per_cluster: Some(MAX_DOCUMENTS_PER_CLUSTER),
        rounds: Some(ROUNDS),
        batch_size: Some(batch_size(is_legacy)),
        kmeans: Some(KMEANS),
        min_score: Some(MIN_SCORE),
        max_score: Some(MAX_SCORE),
        k_values: Some(K_VALUES.to_vec()),
        relevance_threshold: Some(RELEVANCE_THRESHOLD),
        ..Protocol::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn left(mut options: Value) -> Value {
        leave_out_defaults(&mut options, ("test", "ind"));
        options
    }

    #[test]
    fn an_option_at_its_default_says_nothing() {
        let card = "[protocol]\nsamples_per_label = 8\nmax_score = 5\nbatch_size = 500\nk_values = [1, 3, 5, 10, 20, 100, 1000]\n";
        let card = format!("schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\n{card}");
        let protocol =
            serde_json::to_value(super::super::TaskCard::from_toml(&card).unwrap().protocol).unwrap();
        assert_eq!(
            left(json!({"type": "STS", "protocol": protocol})),
            json!({"type": "STS", "protocol": {"batch_size": 500}})
        );
        let legacy = json!({"protocol": {"legacy": true, "batch_size": 500}});
        assert_eq!(left(legacy), json!({"protocol": {"legacy": true}}));
    }

    #[test]
    fn the_usual_training_split_is_one_that_nobody_names() {
        assert_eq!(left(json!({"dataset": {"train_split": "train"}})), json!({}));
        let other = json!({"dataset": {"train_split": "dev", "first_rows": 3}});
        assert_eq!(left(other.clone()), other);
    }

    #[test]
    fn splits_that_are_subsampled_anyway_say_nothing() {
        let sampled = |splits: Value, more: Value| {
            let mut dataset = json!({"subsample": {"rows": 9, "splits": splits}});
            dataset.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            left(json!({"dataset": dataset}))["dataset"]["subsample"].get("splits").is_none()
        };
        assert!(sampled(json!(["test"]), json!({})) && sampled(json!(["dev", "test"]), json!({})));
        assert!(!sampled(json!(["train"]), json!({})) && !sampled(json!(["train", "test"]), json!({})));
        assert!(sampled(json!(["test"]), json!({"train_split": "test"})));
    }

    #[test]
    fn a_part_of_which_nothing_is_said_is_not_named() {
        let parts = json!({"dataset": {"parts": {"corpus": {"columns": {"text": "text"}}, "queries": {}}}});
        assert_eq!(left(parts), json!({}));
    }

    #[test]
    fn names_that_are_the_usual_ones_say_nothing() {
        let written = json!({
            "dataset": {
                "columns": {"text": "text"},
                "merge_splits": {"test": ["test"]},
                "parts": {"corpus": {"columns": {"text": "text", "id": "nomor"}}},
            },
            "subset": {"config": "ind", "columns": {"label": "label"}},
        });
        assert_eq!(left(written), json!({"dataset": {"parts": {"corpus": {"columns": {"id": "nomor"}}}}}));
        let other = json!({
            "dataset": {"columns": {"text": "kalimat"}, "merge_splits": {"test": ["test", "dev"]}},
            "subset": {"config": "jav"},
        });
        assert_eq!(left(other.clone()), other);
    }
}
