//! What the units of a result file have cost, as the file says it. Of work that several machines
//! have shared, seconds and energy are added; of memory the most counts.

use mteb_json::Json;
use mteb_system::machine::{graphics_cards, processor};

use super::counters::Counters;
use super::phases::{Stretch, Work, Works};
use super::weights::Weights;

/// Bytes in what the reference calls a megabyte.
const MEGABYTE: f64 = (1u64 << 20) as f64;

/// What the units of a result file that one run has scored have cost.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// Work of the host.
    pub works: Works,
    /// What was asked of the model, and its time.
    pub counters: Counters,
    /// Peak resident memory of the workers in bytes, summed, if it is known.
    pub worker_memory: Option<u64>,
    /// Energy since the task began, in joules, where the kernel counts it.
    pub joules: Option<f64>,
    /// Most memory on the graphics cards in bytes, if the model computes on one whose driver tells.
    pub gpu_memory: Option<u64>,
    /// Energy of the graphics card since the task began, in joules.
    pub gpu_joules: Option<f64>,
    /// Number of units.
    pub units: usize,
}

/// What of a footprint is the model's and the machine's, the same for all results of a run.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Its weights, if it has files.
    pub weights: Option<Weights>,
    /// Parameters as the plugin says, where no file does.
    pub parameters: Option<u64>,
    /// Bytes of an embedding.
    pub embedding_bytes: u32,
    /// Where it computes, as it says.
    pub device: Option<String>,
    /// Where each worker computes.
    pub workers: Vec<String>,
    /// What computes: names and versions.
    pub libraries: Vec<(String, String)>,
}

impl Footprint {
    /// As a result file holds it under `mteb_host.footprint`; null where nothing is known.
    pub fn to_json(&self, setting: &Setting) -> Json {
        let Counters { texts, encoded, from_cache, busy, tokens, processor, .. } = self.counters;
        let encoding = Work { wall: busy.as_secs_f64(), processor: processor.as_secs_f64() };
        let is_counted = mteb_system::process::processor_time(None).is_some();
        let seconds = [Stretch::Reading, Stretch::Searching, Stretch::Scoring]
            .map(|stretch| (stretch.name(), self.works.of(stretch).to_json(is_counted)));
        let [reading, searching, scoring] = seconds;
        let a_second = |count: u64| match busy.as_secs_f64() {
            seconds if seconds > 0.0 && encoded > 0 => rounded(count as f64 / seconds),
            _ => Json::Null,
        };
        let count = |count: u64| Json::Int(i64::try_from(count).unwrap_or(i64::MAX));
        let host_memory = mteb_system::process::peak_memory(None);
        let parameters = setting.weights.as_ref().map(|weights| weights.parameters).or(setting.parameters);
        let libraries = setting.libraries.iter().map(|(name, version)| (&**name, Json::from(&**version)));
        let mut footprint = Json::object([
            ("memory_mb", megabytes(self.worker_memory.or(host_memory))),
            ("model_parameters", parameters.map_or(Json::Null, count)),
            ("weight_bytes", setting.weights.as_ref().map_or(Json::Null, |weights| count(weights.bytes))),
            ("embedding_bytes", count(u64::from(setting.embedding_bytes))),
            (
                "seconds",
                Json::object([reading, ("encoding", encoding.to_json(is_counted)), searching, scoring]),
            ),
            ("units", count(self.units as u64)),
            ("texts", count(texts)),
            ("texts_encoded", count(encoded)),
            ("texts_from_cache", count(from_cache)),
            ("tokens_encoded", count(tokens)),
            ("texts_per_second", a_second(encoded)),
            ("tokens_per_second", a_second(tokens)),
            ("host_memory_mb", megabytes(host_memory)),
            ("worker_memory_mb", megabytes(self.worker_memory)),
            ("gpu_memory_mb", megabytes(self.gpu_memory)),
            ("joules", self.joules.map_or(Json::Null, rounded)),
            ("gpu_joules", self.gpu_joules.map_or(Json::Null, rounded)),
            ("device", setting.device.as_deref().map_or(Json::Null, Json::from)),
            (
                "device_name",
                device_name(setting.device.as_deref()).map_or(Json::Null, |name| Json::from(&*name)),
            ),
            ("threads", count(rayon::current_num_threads() as u64)),
            ("libraries", Json::object(libraries)),
        ]);
        // Files of one worker are what they were before there were several.
        if setting.workers.len() > 1 {
            let devices = setting.workers.iter().map(|device| Json::from(&**device)).collect();
            footprint.set("workers", count(setting.workers.len() as u64));
            footprint.set("worker_devices", Json::List(devices));
        }
        footprint
    }
}

/// What regional benchmarks ask of a result file, from its whole footprint: peak memory and parameters.
pub fn in_short(footprint: &Json) -> Json {
    let part = |key| (key, footprint.get(key).cloned().unwrap_or(Json::Null));
    Json::object(["memory_mb", "model_parameters"].map(part))
}

fn megabytes(bytes: Option<u64>) -> Json {
    bytes.map_or(Json::Null, |bytes| Json::Float((bytes as f64 / MEGABYTE * 10.0).round() / 10.0))
}

/// A number as people read it: three decimals.
pub(super) fn rounded(number: f64) -> Json {
    Json::Float((number * 1000.0).round() / 1000.0)
}

impl Work {
    /// `is_counted` says whether the system counts the time of processors.
    fn to_json(self, is_counted: bool) -> Json {
        let processor = if is_counted { rounded(self.processor) } else { Json::Null };
        Json::object([("wall", rounded(self.wall)), ("processor", processor)])
    }
}

/// The name of the processor, or of the graphics card where `device` is one.
pub fn device_name(device: Option<&str>) -> Option<String> {
    match device {
        Some(device) if device.starts_with("cuda") => {
            let number = device.split_once(':').and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
            graphics_cards().into_iter().nth(number).flatten()
        }
        _ => processor(),
    }
}

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
