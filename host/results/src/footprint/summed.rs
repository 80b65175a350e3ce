//! The footprint of work that several machines have shared: seconds and energy are added, of memory the most counts.

use mteb_json::Json;

use super::record::rounded;

/// What is added.
const ADDED: [&str; 7] =
    ["units", "texts", "texts_encoded", "texts_from_cache", "tokens_encoded", "joules", "gpu_joules"];

/// Of which the most counts: each machine has needed it by itself.
const MOST: [&str; 4] = ["memory_mb", "host_memory_mb", "worker_memory_mb", "gpu_memory_mb"];

/// What is named together where machines differ.
const NAMED: [&str; 2] = ["device", "device_name"];

/// The footprint of all `shards`, which says of how many it is; that of one shard is left as it is.
pub fn summed(shards: &[&Json]) -> Json {
    let Some((first, others)) = shards.split_first() else { return Json::Null };
    if others.is_empty() {
        return (*first).clone();
    }
    let mut all = (*first).clone();
    let numbers =
        |key: &str| -> Option<Vec<f64>> { shards.iter().map(|shard| counted(shard.get(key))).collect() };
    for key in ADDED {
        let sum = numbers(key).map(|numbers| numbers.iter().sum::<f64>());
        all.set(key, sum.map_or(Json::Null, |sum| like(first.get(key), sum)));
    }
    for key in MOST {
        let found = shards.iter().filter_map(|shard| counted(shard.get(key)));
        let most =
            found.fold(None, |most: Option<f64>, number| Some(most.map_or(number, |most| most.max(number))));
        all.set(key, most.map_or(Json::Null, Json::Float));
    }
    for key in NAMED {
        let mut names: Vec<&str> = shards.iter().filter_map(|shard| shard.get(key)?.as_text()).collect();
        names.sort_unstable();
        names.dedup();
        all.set(key, if names.is_empty() { Json::Null } else { Json::from(&*names.join(", ")) });
    }
    all.set("seconds", seconds(shards));
    let encoding = all.get("seconds").and_then(|seconds| seconds.get("encoding")?.get("wall")?.as_number());
    for (key, count) in [("texts_per_second", "texts_encoded"), ("tokens_per_second", "tokens_encoded")] {
        let count = all.get(count).and_then(Json::as_number).filter(|count| *count > 0.0);
        let speed = encoding.filter(|seconds| *seconds > 0.0).zip(count);
        all.set(key, speed.map_or(Json::Null, |(seconds, count)| rounded(count / seconds)));
    }
    all.set("shards", Json::Int(shards.len() as i64));
    all
}

fn seconds(shards: &[&Json]) -> Json {
    let stretches = ["reading", "encoding", "searching", "scoring"].map(|stretch| {
        let sum = |key: &str| {
            let found: Option<Vec<f64>> =
                shards.iter().map(|shard| counted(shard.get("seconds")?.get(stretch)?.get(key))).collect();
            found.map_or(Json::Null, |found| rounded(found.iter().sum()))
        };
        (stretch, Json::object([("wall", sum("wall")), ("processor", sum("processor"))]))
    });
    Json::object(stretches)
}

/// What a shard has counted; `null` is no number.
fn counted(value: Option<&Json>) -> Option<f64> {
    value?.as_number().filter(|number| number.is_finite())
}

/// A number in the form of another: whole where that is.
fn like(other: Option<&Json>, number: f64) -> Json {
    match other {
        Some(Json::Int(_)) => Json::Int(number as i64),
        _ => rounded(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_added_and_of_memory_the_most_counts() {
        let shard = |texts: i64, memory: f64, wall: f64, device: &str| {
            let text = format!(
                "{{\"memory_mb\": {memory}, \"texts_encoded\": {texts}, \"device\": \"{device}\", \"joules\": null, \
                 \"seconds\": {{\"encoding\": {{\"wall\": {wall}, \"processor\": null}}}}, \"model_parameters\": 7}}"
            );
            Json::parse(&text).unwrap()
        };
        let (one, two) = (shard(10, 5.0, 1.0, "cpu"), shard(20, 4.0, 2.0, "cuda:0"));
        let all = summed(&[&one, &two]);
        let number = |key: &str| all.get(key).and_then(Json::as_number);
        assert_eq!(number("texts_encoded"), Some(30.0));
        assert_eq!(number("memory_mb"), Some(5.0));
        assert_eq!(number("texts_per_second"), Some(10.0));
        assert_eq!(number("model_parameters"), Some(7.0));
        assert_eq!(number("shards"), Some(2.0));
        assert_eq!(all.get("joules"), Some(&Json::Null), "what one machine does not count nobody knows");
        assert_eq!(all.get("device").and_then(Json::as_text), Some("cpu, cuda:0"));
        assert_eq!(summed(&[&one]), one);
    }
}
