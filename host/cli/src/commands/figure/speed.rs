//! Figure 4: joins what `efficiency --json` measured with the scores of the same models.

use std::path::{Path, PathBuf};
use std::{fs, io};

use mteb_report::figure::{Speed, figure_4};
use mteb_report::table::{Board, Row};
use serde_json::Value;

use super::arguments::FigureArgs;
use crate::exit::Exit;
use crate::output;

impl FigureArgs {
    pub(super) fn speed(&self, board: &Board) -> Exit {
        if self.speed.measured.is_empty() {
            return output::usage(
                "expected measurements of models: run `mteb-host efficiency MODEL… --json > speed.json`, then \
                 pass `--measured speed.json`",
            );
        }
        let mut found = Vec::new();
        for file in &self.speed.measured {
            match read_measured(file) {
                Ok(models) => found.extend(models),
                Err(error) => return output::usage(error),
            }
        }
        let mut models = Vec::new();
        for Measured { model, revision, texts_per_second, embedding_kb } in found {
            let is_it = |row: &&Row| row.model == model && row.revisions.contains(&revision);
            let mut rows = board.rows.iter().filter(is_it);
            let Some((row, mean)) = rows.find_map(|row| Some((row, row.mean?))) else {
                output::warn(format!(
                    "{model}: left out: revision {revision} has no mean over all tasks; run the tasks it lacks, \
                     or select with `--task` those it has"
                ));
                continue;
            };
            let architecture = row.facts.architecture.clone().unwrap_or_else(|| "unknown".to_owned());
            models.push(Speed {
                model: row.name.clone(),
                architecture,
                texts_per_second,
                embedding_kb,
                mean,
            });
        }
        if models.is_empty() {
            return output::usage("expected a model that was both measured and scored, found none");
        }
        self.write("speed", figure_4(&models))
    }
}

struct Measured {
    model: String,
    revision: String,
    texts_per_second: f64,
    embedding_kb: f64,
}

/// Kilobytes of an embedding, of 1,000 bytes each; files of before `embedding_bytes` had such of 1,024.
fn kilobytes(model: &Value) -> Option<f64> {
    let of_bytes = model["embedding_bytes"].as_f64().map(|bytes| bytes / 1_000.0);
    of_bytes.or_else(|| Some(model["embedding_kb"].as_f64()? * 1.024)).filter(|size| *size > 0.0)
}

/// The models of a file that `efficiency --json` wrote.
fn read_measured(file: &Path) -> Result<Vec<Measured>, MeasuredError> {
    let path = || file.to_owned();
    let bytes = fs::read(file).map_err(|source| MeasuredError::Unreadable { path: path(), source })?;
    let answer: Value =
        serde_json::from_slice(&bytes).map_err(|source| MeasuredError::NoJson { path: path(), source })?;
    let measured = |model: &Value| {
        Some(Measured {
            model: model["model"].as_str()?.to_owned(),
            revision: model["revision"].as_str()?.to_owned(),
            texts_per_second: model["texts_per_second"]["median"].as_f64().filter(|speed| *speed > 0.0)?,
            embedding_kb: kilobytes(model)?,
        })
    };
    let models = answer["models"].as_array().and_then(|models| models.iter().map(measured).collect());
    models.ok_or_else(|| MeasuredError::OtherFile { path: path() })
}

/// Why a file has no measurements of models.
#[derive(Debug, thiserror::Error)]
enum MeasuredError {
    /// It cannot be read.
    #[error("{}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no JSON.
    #[error("{}: {source}", .path.display())]
    NoJson {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: serde_json::Error,
    },
    /// It is no output of `efficiency`.
    #[error(
        "{}: expected the output of `efficiency --json`: `models`, each with `model`, `revision`, `texts_per_second.median` \
         and `embedding_kb`",
        .path.display()
    )]
    OtherFile {
        /// The file.
        path: PathBuf,
    },
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::kilobytes;

    #[test]
    fn a_kilobyte_has_1000_bytes_in_files_of_any_age() {
        assert_eq!(kilobytes(&json!({ "embedding_kb": 1.5, "embedding_bytes": 1_500 })), Some(1.5));
        // 1,536 bytes, as they were written once.
        assert_eq!(kilobytes(&json!({ "embedding_kb": 1.5 })), Some(1.536));
        assert_eq!(kilobytes(&json!({ "embedding_kb": 0.0 })), None);
    }
}
