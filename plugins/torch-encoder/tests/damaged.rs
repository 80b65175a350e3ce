//! Hundreds of damaged folders: where sentence-transformers refuses one, so do we; where it runs one, our vectors are its own, or we
//! refuse it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::path::Path;
use std::process::Command;

use golden::{config, golden_folder, worst};
use mteb_plugin_api::v1::{Model, Role};
use mteb_plugin_torch::TorchEncoder;
use serde::Deserialize;

#[derive(Deserialize)]
struct Verdicts {
    texts: Vec<String>,
    verdicts: Vec<Verdict>,
}

#[derive(Deserialize)]
struct Verdict {
    folder: String,
    name: String,
    /// What sentence-transformers gives, if it gives anything.
    rows: Option<Vec<Vec<f32>>>,
}

#[test]
fn what_runs_is_what_sentence_transformers_runs() {
    let Some(python) = mteb_host_tests::python() else { return };
    let folder = tempfile::tempdir().unwrap();
    // The libraries of libtorch that this test is linked with are not those of the interpreter.
    let run = Command::new(python)
        .arg(golden_folder("damaged.py"))
        .arg(folder.path())
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = std::fs::read_to_string(folder.path().join("verdicts.json")).unwrap();
    let Verdicts { texts, verdicts } = serde_json::from_str(&text).unwrap();
    let (mut wrong, mut equal, mut refused) = (Vec::new(), 0, 0);
    for Verdict { folder: name, name: case, rows } in &verdicts {
        match (ours(&folder.path().join(name), &texts), rows) {
            (Err(_), None) => refused += 1,
            (Err(message), Some(_)) => {
                refused += 1;
                if case.ends_with(": whole") {
                    wrong.push(format!("{case}: {message}"));
                }
            }
            (Ok(_), None) => wrong.push(format!("{case}: runs here and not there")),
            (Ok(found), Some(rows)) => {
                let (difference, _) = worst(&found, rows);
                let size = rows.iter().flatten().fold(1.0_f32, |largest, value| largest.max(value.abs()));
                if difference <= 1e-5 * size {
                    equal += 1;
                } else {
                    wrong.push(format!("{case}: differs by {difference:e}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), verdicts.len(), wrong.join("\n"));
    assert!(
        verdicts.len() >= 200 && equal >= 30 && refused >= 100,
        "{} folders, {equal} equal, {refused} refused",
        verdicts.len()
    );
}

/// Our vectors, or the line with which the folder is refused.
fn ours(folder: &Path, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
    let mut model = TorchEncoder::open(&config(folder)).map_err(|error| error.to_string())?;
    let info = model.info();
    // The host puts the default prompt before texts.
    let prompts = info.prompts;
    let prompt = prompts.default.and_then(|name| prompts.named.get(&name).cloned()).unwrap_or_default();
    let width = info.dimension as usize;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut out = vec![f32::NAN; texts.len() * width];
    model.encode(&texts, Role::None, &prompt, &mut out).map_err(|error| error.message)?;
    Ok(out.chunks(width).map(<[f32]>::to_vec).collect())
}
