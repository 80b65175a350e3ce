//! Models beside each other: means, means by task type, Borda rank (protocol 8).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mteb_measures::aggregate::{borda_ranks, mean_of_tasks, task_type_means};
use serde_json::{Value, json};

use crate::registry::Selected;
use crate::results::{Json, ResultFile};

/// The scores of every model on the selected tasks.
#[derive(Clone, Debug, Default)]
pub struct Leaderboard {
    /// Task name and type, in order.
    tasks: Vec<(String, String)>,
    models: Vec<ModelScores>,
    /// Files that could not be read.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug)]
struct ModelScores {
    name: String,
    /// One a task; absent if a unit is missing.
    complete: Vec<Option<f64>>,
    /// One a task; the mean of what is there, as the Borda count uses it.
    partial: Vec<Option<f64>>,
}

struct Ranked<'a> {
    rank: usize,
    model: &'a ModelScores,
    mean: Option<f64>,
    mean_of_types: Option<f64>,
    types: Vec<(String, Option<f64>)>,
}

impl Leaderboard {
    /// Reads the results below `folders` for the selected tasks.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn read(folders: &[PathBuf], selected: &[Selected]) -> io::Result<Self> {
        let tasks: Vec<(String, String)> = selected
            .iter()
            .map(|task| (task.entry.card.name.clone(), task.entry.card.task_type.to_string()))
            .collect();
        let mut board = Self { tasks, ..Self::default() };
        for folder in folders {
            for model in subfolders(folder)? {
                for revision in subfolders(&model)? {
                    board.add(&revision, selected);
                }
            }
        }
        Ok(board)
    }

    /// The Markdown table, best model first.
    pub fn markdown(&self) -> String {
        let ranked = self.ranked();
        let types: Vec<&str> = ranked
            .first()
            .map_or_else(Vec::new, |first| first.types.iter().map(|(name, _)| name.as_str()).collect());
        let mut out = String::from("| Rank (Borda) | Model | Mean (Task) | Mean (TaskType) |");
        for name in &types {
            let _ = write!(out, " {name} |");
        }
        out.push_str("\n|---:|---|---:|---:|");
        out.push_str(&"---:|".repeat(types.len()));
        out.push('\n');
        for row in &ranked {
            let _ = write!(
                out,
                "| {} | {} | {} | {} |",
                row.rank,
                row.model.name,
                percent(row.mean),
                percent(row.mean_of_types)
            );
            for (_, mean) in &row.types {
                let _ = write!(out, " {} |", percent(*mean));
            }
            out.push('\n');
        }
        out
    }

    /// The same as JSON, with the score of every task.
    pub fn json(&self) -> Value {
        let rows = self.ranked().into_iter().map(|row| {
            let names = self.tasks.iter().map(|(name, _)| name.clone());
            let tasks: BTreeMap<String, Option<f64>> =
                names.zip(row.model.complete.iter().copied()).collect();
            let types: BTreeMap<String, Option<f64>> = row.types.iter().cloned().collect();
            json!({
                "rank": row.rank,
                "model": row.model.name,
                "mean_task": row.mean,
                "mean_task_type": row.mean_of_types,
                "task_types": types,
                "tasks": tasks,
            })
        });
        Value::Array(rows.collect())
    }

    fn add(&mut self, revision: &Path, selected: &[Selected]) {
        let mut complete = Vec::new();
        let mut partial = Vec::new();
        for task in selected {
            let scores = self.scores(revision, task);
            let whole = scores.iter().copied().collect::<Option<Vec<f64>>>();
            let there: Vec<f64> = scores.into_iter().flatten().collect();
            complete.push(whole.map(|scores| mean(&scores)));
            partial.push((!there.is_empty()).then(|| mean(&there)));
        }
        if partial.iter().any(Option::is_some) {
            self.models.push(ModelScores { name: model_name(revision), complete, partial });
        }
    }

    /// Main scores of the units of `task`; `None` where a unit is missing.
    fn scores(&mut self, revision: &Path, task: &Selected) -> Vec<Option<f64>> {
        let card = &task.entry.card;
        let path = revision.join(format!("{}.json", card.name));
        let file = mteb_files::read_to_string(&path, mteb_files::TEXT).ok().and_then(|text| {
            let json = Json::parse(&text).map_err(|error| error.to_string());
            match json.and_then(|json| ResultFile::from_json(&json).ok_or("no result file".to_owned())) {
                Ok(file) => Some(file),
                Err(reason) => {
                    self.warnings.push(format!("{}: left out: {reason}", path.display()));
                    None
                }
            }
        });
        task.units()
            .map(|(split, subset)| {
                let entry = file.as_ref()?.entry(split, subset)?;
                Some(entry.main_score()).filter(|score| score.is_finite())
            })
            .collect()
    }

    fn ranked(&self) -> Vec<Ranked<'_>> {
        let partial: Vec<Vec<Option<f64>>> = self.models.iter().map(|model| model.partial.clone()).collect();
        let ranks = borda_ranks(&partial);
        let mut rows: Vec<Ranked> =
            self.models.iter().zip(ranks).map(|(model, rank)| self.row(model, rank)).collect();
        rows.sort_by(|left, right| left.rank.cmp(&right.rank).then(left.model.name.cmp(&right.model.name)));
        rows
    }

    fn row<'a>(&'a self, model: &'a ModelScores, rank: usize) -> Ranked<'a> {
        let typed: Vec<(&str, Option<f64>)> =
            self.tasks.iter().map(|(_, name)| name.as_str()).zip(model.complete.iter().copied()).collect();
        let means = task_type_means(&typed);
        Ranked {
            rank,
            model,
            mean: mean_of_tasks(&model.complete),
            mean_of_types: means.mean,
            types: means.types,
        }
    }
}

fn mean(scores: &[f64]) -> f64 {
    mteb_measures::aggregate::task_score(scores)
}

fn percent(score: Option<f64>) -> String {
    score.map_or_else(|| "–".to_owned(), |score| format!("{:.2}", 100.0 * score))
}

/// The model's name as its `model_meta.json` gives it, else as its folder is called.
fn model_name(revision: &Path) -> String {
    let meta = mteb_files::read_to_string(&revision.join("model_meta.json"), mteb_files::TEXT).ok();
    let name = meta.and_then(|text| Json::parse(&text).ok()?.get("name")?.as_text().map(str::to_owned));
    name.unwrap_or_else(|| {
        let folder = revision.parent().and_then(Path::file_name).unwrap_or_default();
        folder.to_string_lossy().replace("__", "/")
    })
}

fn subfolders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}
