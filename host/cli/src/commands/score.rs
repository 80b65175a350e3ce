//! `mteb-host score`: scores rankings that somebody made: a search engine, a paper's run file, an earlier run.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_engine::run::{GivenModel, GivenScores, keep_scores, score_rankings};
use mteb_items::rankings::read_rankings;
use mteb_json::Json;
use mteb_registry::{Selected, TaskEntry};
use mteb_report::output::fields_grid;
use mteb_results::round_score;
use mteb_source::DataSources;
use mteb_tasks::Score;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};

use super::arguments::{FilterArgs, FormatArgs, MeasureArgs, PlaceArgs, ValueError};
use super::discover::discover;
use crate::exit::Exit;
use crate::output::{self, failed};

/// Arguments of `score`.
#[derive(Args, Debug)]
pub struct ScoreArgs {
    /// TREC run file or mteb prediction file; may be gzipped.
    #[arg(long, value_name = "FILE")]
    rankings: PathBuf,
    /// Ranking task; with a subset if it has several.
    #[arg(long, value_name = "NAME[:subset]")]
    task: String,
    /// Split, if the task has several.
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Registry name, registry file or task card [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Result folder in which to save the scores, under `--name`, so that leaderboards include
    /// them.
    #[arg(long, value_name = "DIR", requires = "name")]
    output_folder: Option<PathBuf>,
    /// Name in results of the system that made the rankings.
    #[arg(long, value_name = "ORGANISATION/MODEL", requires = "output_folder", value_parser = name)]
    name: Option<String>,
    /// Revision of that system [default: the hash of the file].
    #[arg(long, value_name = "REVISION", requires = "output_folder", value_parser = name)]
    revision: Option<String>,
    /// Python interpreter or virtual environment for measures and evaluators in Python [default: as
    /// for `run`].
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    #[command(flatten)]
    measures: MeasureArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl ScoreArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings = Settings { python: self.python.clone(), ..self.place.settings() };
        let catalog = discover(&settings);
        let (registry, task) = (self.registry.clone(), vec![self.task.clone()]);
        let filter = FilterArgs { registry, task, ..FilterArgs::default() };
        let registries = filter.registries(&catalog)?;
        let tasks = filter.select(&registries)?;
        let tasks: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
        let (task, split, subset) = self.unit(&tasks)?;
        let name = &task.entry.card.name;
        let rankings = read_rankings(&self.rankings, split, subset).map_err(failed)?;
        let mut sources = DataSources::new(settings, &catalog);
        let measures = self.measures.measures();
        let scored = score_rankings(&task.entry, (split, subset), rankings, &measures, &mut sources);
        let given = scored.map_err(failed)?;
        let kept = self.keep(&given, &task.entry, (split, subset)).map_err(failed)?;
        let GivenScores { scores, warnings, .. } = given;
        warnings.iter().for_each(|warning| output::warn(format!("{name}: {warning}")));
        let main_score = task.entry.card.main_score();
        let answer = || {
            let mut answer = json!({
                "task": name,
                "split": split,
                "subset": subset,
                "main_score": {main_score: scores.number(main_score)},
                "scores": plain_json(&Score::Map(scores.clone())),
            });
            if let Some(folder) = &kept {
                answer["results_folder"] = folder.display().to_string().into();
            }
            answer
        };
        if let Some(exit) = self.format.print(answer, |answer| fields_grid(&answer["scores"])) {
            return Ok(exit);
        }
        let lines: Vec<String> = scores
            .0
            .iter()
            .filter(|(name, _)| !name.starts_with("nauc_"))
            .filter_map(|(name, score)| match score {
                Score::Number(number) | Score::Numpy(number) => Some(format!("{name:<24} {number:.5}")),
                _ => None,
            })
            .collect();
        let printed = output::print(&format!("{name}, split {split}, subset {subset}\n{}", lines.join("\n")));
        kept.iter().for_each(|folder| output::say(format!("Results are in {}", folder.display())));
        Ok(printed)
    }

    /// Keeps the scores as results, if they are to be kept; gives the folder.
    fn keep(
        &self,
        given: &GivenScores,
        entry: &TaskEntry,
        unit: (&str, &str),
    ) -> Result<Option<PathBuf>, KeepError> {
        let (Some(folder), Some(name)) = (&self.output_folder, &self.name) else { return Ok(None) };
        let cannot = |path: &Path, source| KeepError { path: path.to_owned(), source };
        let hash = mteb_files::open(&self.rankings).and_then(mteb_files::sha256);
        let hash = hash.map_err(|error| cannot(&self.rankings, error))?;
        let short = || format!("sha256-{}", hash.get(..16).unwrap_or(&hash));
        let revision = self.revision.clone().unwrap_or_else(short);
        let model = GivenModel { name: name.clone(), revision, rankings: hash.clone() };
        let kept = keep_scores(given, entry, unit, &model, &self.measures.measures(), folder);
        let (folder, notes) = kept.map_err(|error| cannot(folder, error))?;
        notes.iter().for_each(output::warn);
        Ok(Some(folder))
    }

    /// The one unit that was asked for.
    fn unit<'a>(&self, tasks: &'a [Selected]) -> Result<(&'a Selected, &'a str, &'a str), Exit> {
        let units: Vec<(&Selected, &str, &str)> = tasks
            .iter()
            .flat_map(|task| task.units().map(move |(split, subset)| (task, split, subset)))
            .filter(|(_, split, _)| self.split.as_deref().is_none_or(|wanted| wanted == *split))
            .collect();
        if let [unit] = units.as_slice() {
            return Ok(*unit);
        }
        let names: Vec<String> =
            units.iter().take(5).map(|(_, split, subset)| format!("{subset} of {split}")).collect();
        let found = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        Err(output::usage(format!(
            "expected one subset and split of {} (`--task NAME:subset --split NAME`), found {}: {found}{}",
            self.task,
            units.len(),
            if units.len() > names.len() { ", …" } else { "" }
        )))
    }
}

/// Why scores are not kept as results.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", .path.display())]
struct KeepError {
    /// The file of rankings, or the folder of results.
    path: PathBuf,
    source: io::Error,
}

/// What results are called.
fn name(text: &str) -> Result<String, ValueError> {
    let is_name = !text.trim().is_empty() && !text.ends_with('/') && mteb_files::visible_line(text) == text;
    if is_name { Ok(text.to_owned()) } else { Err(ValueError::Name) }
}

/// A score as plain JSON, rounded as result files are; what is no number is null.
fn plain_json(score: &Score) -> Value {
    match score {
        Score::Number(_) | Score::Numpy(_) | Score::Int(_) | Score::Null => match round_score(score) {
            Json::Float(number) => number.into(),
            Json::Int(number) => number.into(),
            _ => Value::Null,
        },
        Score::List(scores) => scores.iter().map(plain_json).collect(),
        Score::Map(scores) => scores
            .0
            .iter()
            .map(|(name, score)| (name.clone(), plain_json(score)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}
