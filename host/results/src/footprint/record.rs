//! What the units of a result file have cost, as the file says it.

use mteb_json::Json;
use mteb_system::machine::{graphics_cards, processor};

use super::counters::Counters;
use super::weights::Weights;
use super::work::{Stretch, Work, Works};

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
