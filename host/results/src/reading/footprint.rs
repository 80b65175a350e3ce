//! What the scores of a result file of this host have cost, as the file states it.

use mteb_json::Json;
use serde::{Deserialize, Serialize};

/// What the units of a file that its last run scored have cost. `None` is what nobody measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Footprint {
    /// Units that it is of.
    pub units: u64,
    /// Texts that were encoded; others were in the cache.
    pub texts_encoded: f64,
    /// Texts a second while they were encoded.
    pub texts_per_second: Option<f64>,
    /// Peak resident memory in MB: of the model's worker, else of the host.
    pub memory_mb: Option<f64>,
    /// Most memory on the graphics card in MB.
    pub gpu_memory_mb: Option<f64>,
    /// Joules of all processors.
    pub joules: Option<f64>,
    /// Joules of the graphics card.
    pub gpu_joules: Option<f64>,
    /// What the model computed on.
    pub device: Option<String>,
    /// Threads of the host.
    pub threads: Option<u64>,
}

/// The footprint under `mteb_host`; `None` where there is none.
pub(super) fn footprint(host: &Json) -> Option<Footprint> {
    let said = host.get("footprint").filter(|said| said.as_map().is_some())?;
    let number = |key: &str| {
        said.get(key).and_then(Json::as_number).filter(|number| number.is_finite() && *number >= 0.0)
    };
    let whole = |key: &str| match said.get(key) {
        Some(Json::Int(number)) => u64::try_from(*number).ok(),
        Some(Json::Whole(digits)) => digits.parse().ok(),
        _ => None,
    };
    let text = |key: &str| said.get(key).and_then(Json::as_text);
    Some(Footprint {
        units: whole("units").unwrap_or(0),
        texts_encoded: number("texts_encoded").unwrap_or(0.0),
        texts_per_second: number("texts_per_second").filter(|speed| *speed > 0.0),
        memory_mb: number("memory_mb"),
        gpu_memory_mb: number("gpu_memory_mb"),
        joules: number("joules"),
        gpu_joules: number("gpu_joules"),
        device: text("device_name").or_else(|| text("device")).map(str::to_owned),
        threads: whole("threads"),
    })
}

#[cfg(test)]
mod tests {
    use mteb_json::Json;
    use serde_json::json;

    use super::footprint;

    #[test]
    fn what_was_not_measured_or_cannot_be_is_not_there() {
        let host = json!({"footprint": {"units": 2, "texts_encoded": 10, "texts_per_second": 5.5, "memory_mb": -1, "joules": null, "device": "cpu"}});
        let found = footprint(&Json::from(host)).unwrap();
        assert_eq!((found.units, found.texts_encoded, found.texts_per_second), (2, 10.0, Some(5.5)));
        assert_eq!((found.memory_mb, found.joules, found.device.as_deref()), (None, None, Some("cpu")));
        assert_eq!(footprint(&Json::from(json!({"footprint": null}))), None);
    }
}
