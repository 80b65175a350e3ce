//! Shows that STS and retrieval as types of packs, and in Python, give the host's scores with a real model: on STSBenchmark and SciFact.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use serde_json::Value;
use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, status, target_folder};

use super::data::{Kind, PYTHON, write_cards};
use super::{SIDES, plugins};
use crate::bench::environment::{hub_folder, variable};
use crate::bench::letters;

/// The model, unless `MTEB_MODEL` names another.
const MODEL: &str = "st:sentence-transformers/all-MiniLM-L6-v2";

/// The tasks, and where their data are.
const TASKS: [(&str, Kind, &str); 2] = [
    (
        "STSBenchmark",
        Kind::Pairs,
        "hub = \"mteb/stsbenchmark-sts\"\nrevision = \"b0fddb56ed78048fa8b90373c8a3cfc37b684831\"",
    ),
    (
        "SciFact",
        Kind::Documents,
        "hub = \"mteb/scifact\"\nrevision = \"d56462d0e63a25450459c4f213e49ffdb866f7f9\"",
    ),
];

/// Largest difference of a pack in Rust, which computes in the same order.
const RUST: f64 = 1e-12;

/// Largest difference of a class in Python, whose sums numpy makes in an order of its own, of 32-bit rows.
const IN_PYTHON: f64 = 1e-5;

/// Runs both tasks by all three sides, each text encoded once, and compares every score that the host has, too.
pub fn own_types_proof() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/own-types-proof");
    let plugins = plugins(&folder.join("plugins"))?;
    let model = variable("MTEB_MODEL").unwrap_or_else(|| MODEL.into());
    let mut text = format!(
        "Machine: {}. Model: {}.\n\n| task | what scores | scores compared | largest difference | at most |\n|---|---|---:|---:|---:|\n",
        machine(),
        // A folder of one's own is named by its last part.
        model.file_name().unwrap_or(model.as_os_str()).to_string_lossy()
    );
    let mut is_equal = true;
    for (task, kind, data) in TASKS {
        let folder = folder.join(task);
        let sha256 = fs::create_dir_all(&folder)
            .and_then(|()| write_cards(&folder, kind, task, &format!("[dataset]\n{data}\n")))
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut of_host = BTreeMap::new();
        for ((name, card, _), most) in SIDES.iter().zip([0.0, RUST, IN_PYTHON]) {
            let mut command = letters::host();
            command.args(["run", "--quiet", "--overwrite", "always", "--trust-plugin", &sha256, "--model"]);
            command.arg(&model).arg("--hub-dir").arg(hub_folder()).arg("--plugin-dir").arg(&plugins);
            command.arg("--registry").arg(folder.join(card));
            let results = folder.join(format!("results-{card}"));
            command.arg("--output-folder").arg(&results);
            if let Some(python) = variable("MTEB_PYTHON") {
                command.arg("--python").arg(python);
            }
            if !status(&mut command)?.success() {
                return Err(format!("failed: {command:?}"));
            }
            let found = scores(&results)?;
            if of_host.is_empty() {
                of_host = found;
                continue;
            }
            let differences: Vec<f64> =
                found.iter().filter_map(|(key, score)| Some((score - of_host.get(key)?).abs())).collect();
            let largest = differences.iter().copied().fold(0.0, f64::max);
            is_equal &= largest <= most
                && differences.len() >= 8
                && (*card == PYTHON || differences.len() + 1 >= of_host.len());
            text += &format!("| {task} | {name} | {} | {largest:.1e} | {most:.0e} |\n", differences.len());
        }
    }
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "own-types-proof", &text)?;
    Ok(if is_equal { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All numbers of the one result below `folder`, by their keys.
fn scores(folder: &Path) -> Result<BTreeMap<String, f64>, String> {
    let mut folders = vec![folder.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        let cannot = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let is_result = path.extension().is_some_and(|end| end == "json")
                && path.file_name().is_some_and(|name| name != "model_meta.json");
            if path.is_dir() {
                folders.push(path);
            } else if is_result {
                let text = fs::read_to_string(&path).map_err(cannot)?.replace("NaN", "null");
                let value: Value =
                    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                let entries = value["scores"]["test"][0].as_object().into_iter().flatten();
                found.extend(entries.filter_map(|(key, score)| Some((key.clone(), score.as_f64()?))));
            }
        }
    }
    found.remove("evaluation_time");
    if found.is_empty() {
        Err(format!("{}: expected scores, found none", folder.display()))
    } else {
        Ok(found)
    }
}
