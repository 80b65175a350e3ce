//! Speed and size of models: a row a model.

use mteb_engine::efficiency::Efficiency;

use super::table::{cell, right, table, text};

/// A model that was measured.
pub struct EfficiencyRow {
    /// Its name.
    pub model: String,
    /// Its revision.
    pub revision: String,
    /// Seconds until it was ready.
    pub load_seconds: f64,
    /// What it came to.
    pub found: Efficiency,
}

/// A row a model; the spread of speeds is that of the passes.
pub fn efficiency_table(rows: &[EfficiencyRow]) -> String {
    let mut table = table([
        "Model",
        "Texts per second (lowest – highest)",
        "Latency p50, ms",
        "p95, ms",
        "kB per embedding",
        "Load, s",
        "Peak memory, MB",
        "Device",
    ]);
    for EfficiencyRow { model, load_seconds, found, .. } in rows {
        let [median, low, high] = found.speed().unwrap_or_default();
        let latency = |share| {
            Efficiency::quantile(&found.latencies, share)
                .map_or_else(|| "–".to_owned(), |found| format!("{found:.2}"))
        };
        let memory =
            found.memory.map_or_else(|| "–".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1_048_576.0));
        let device = found.device_name.as_deref().or(found.device.as_deref()).unwrap_or("–");
        table.add_row([
            cell(model),
            right(format!("{median:.1} ({low:.1} – {high:.1})")),
            right(latency(0.5)),
            right(latency(0.95)),
            right(format!("{:.2}", f64::from(found.embedding_bytes) / 1000.0)),
            right(format!("{load_seconds:.2}")),
            right(memory),
            cell(device),
        ]);
    }
    text(table)
}
