//! The rankings that runs left beside their scores, each with the system that made it, and the main
//! scores of embedders by the tasks' own qrels.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use mteb_files::hex;
use mteb_graded::evaluate::Evaluated;
use mteb_graded::sha256_of_file;
use mteb_items::rankings::{Rankings, read_facts, read_rankings};
use mteb_json::Json;
use mteb_results::folder_layout::{EXPERIMENTS, RANKINGS};
use mteb_results::identity::DataFacts;
use mteb_results::{CompanionFiles, UnitName, read_checked};
use sha2::{Digest, Sha256};

use super::ranking_error::RankingError;

/// Bytes at the head of a run file in which its facts stand.
const HEAD: u64 = 1 << 20;

/// What a model found in a unit.
#[derive(Clone, Debug)]
pub struct FoundRanking {
    /// The model; with its revision or experiment where the folder has several of one name.
    pub system: String,
    /// The run file.
    pub path: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
    /// The data that was searched, as [`data_name`] has it; `None` if the file does not say so.
    pub data: Option<String>,
    /// Documents of each query that were asked for; `None` if the file does not say so.
    pub depth: Option<usize>,
    /// The rankings.
    pub rankings: Rankings,
}

impl FoundRanking {
    /// Checks that the ranking is deep enough, and of this data as far as it says so.
    ///
    /// # Errors
    /// If not.
    pub fn check(&self, depth: usize, data: &str) -> Result<(), RankingError> {
        let path = || self.path.clone();
        match (self.depth, &self.data) {
            (Some(found), _) if found < depth => {
                Err(RankingError::Shallow { path: path(), expected: depth, found })
            }
            (_, Some(found)) if found != data => {
                let (expected, found) = (data.to_owned(), found.clone());
                Err(RankingError::OtherData { path: path(), expected, found })
            }
            _ => Ok(()),
        }
    }
}

/// The rankings of a unit in folders of results, by system; of the `models` alone if some are
/// named.
///
/// # Errors
/// What is wrong with a folder or a file.
pub fn find_rankings(
    results: &[PathBuf],
    unit: UnitName<'_>,
    models: &[String],
) -> Result<Vec<FoundRanking>, RankingError> {
    let mut found = Vec::new();
    for folder in results.iter().map(|folder| systems(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
        let path = CompanionFiles::new(&folder.path).rankings(unit);
        if !path.is_file() {
            continue;
        }
        let facts = facts_of(&path)?;
        let system = folder.name(facts.as_ref());
        let is_wanted = |model: &String| *model == system || Some(model.as_str()) == name_in(facts.as_ref());
        if models.is_empty() || models.iter().any(is_wanted) {
            found.push(read(system, path, facts.as_ref(), unit)?);
        }
    }
    found.sort_by(|a, b| a.system.cmp(&b.system));
    match found.windows(2).find(|pair| pair[0].system == pair[1].system) {
        Some(pair) => Err(RankingError::Twice {
            task: unit.task.to_owned(),
            system: pair[0].system.clone(),
            paths: Box::new([pair[0].path.clone(), pair[1].path.clone()]),
        }),
        None => Ok(found),
    }
}

/// The main scores of a unit in folders of results, of the systems that have ranked it.
///
/// # Errors
/// What is wrong with a folder or a file.
fn main_scores(results: &[PathBuf], unit: UnitName<'_>) -> Result<Vec<(String, f64)>, RankingError> {
    let mut scores = Vec::new();
    for folder in results.iter().map(|folder| systems(folder)).collect::<Result<Vec<_>, _>>()?.concat() {
        let (rankings, file) = (
            CompanionFiles::new(&folder.path).rankings(unit),
            folder.path.join(format!("{}.json", unit.task)),
        );
        if rankings.is_file() && file.is_file() {
            let system = folder.name(facts_of(&rankings)?.as_ref());
            let read =
                read_checked(&file).map_err(|source| RankingError::Results { path: file.clone(), source })?;
            let score = read.entry(unit.split, unit.subset).map(|entry| entry.main_score());
            scores.extend(score.filter(|score| score.is_finite()).map(|score| (system, score)));
        }
    }
    Ok(scores)
}

/// A folder with rankings of one model, revision and set of options.
#[derive(Clone, Debug)]
struct SystemFolder {
    path: PathBuf,
    model: String,
    revision: String,
    experiment: Option<String>,
    /// True if the model has other such folders.
    has_others: bool,
}

impl SystemFolder {
    fn name(&self, facts: Option<&Json>) -> String {
        let name = name_in(facts).unwrap_or(&self.model);
        match (&self.experiment, self.has_others) {
            (Some(experiment), _) => format!("{name} ({}, {experiment})", self.revision),
            (None, true) => format!("{name} ({})", self.revision),
            (None, false) => name.to_owned(),
        }
    }
}

/// The folders with rankings below `results`: `<model>/<revision>` and
/// `<model>/<revision>/experiments/<name>`.
fn systems(results: &Path) -> Result<Vec<SystemFolder>, RankingError> {
    let mut found = Vec::new();
    for model in folders(results)? {
        let mut of_model = Vec::new();
        for revision in folders(&model)? {
            let experiments = revision.join(EXPERIMENTS);
            let experiments = if experiments.is_dir() { folders(&experiments)? } else { Vec::new() };
            let experiments = experiments.into_iter().map(|path| (path.clone(), Some(name_of(&path))));
            for (path, experiment) in [(revision.clone(), None)].into_iter().chain(experiments) {
                if path.join(RANKINGS).is_dir() {
                    let (model, revision) = (name_of(&model), name_of(&revision));
                    of_model.push(SystemFolder { path, model, revision, experiment, has_others: false });
                }
            }
        }
        let has_others = of_model.len() > 1;
        found.extend(of_model.into_iter().map(|folder| SystemFolder { has_others, ..folder }));
    }
    Ok(found)
}

/// The folders in `folder`, sorted; none if it is not there.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, RankingError> {
    let unreadable = |source| RankingError::Folder { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(unreadable)?,
    };
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_, _>>().map_err(unreadable)?;
    paths.retain(|path| path.is_dir());
    paths.sort_unstable();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The head of a run file, in which its facts stand.
///
/// # Errors
/// If it is no regular file, or cannot be read.
pub(super) fn head_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    mteb_files::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// The facts in the head of a run file; `None` if it has none.
fn facts_of(path: &Path) -> Result<Option<Json>, RankingError> {
    let head = head_of(path).map_err(|source| RankingError::Unreadable { path: path.to_owned(), source })?;
    Ok(read_facts(&head).and_then(|facts| Json::parse(&facts).ok()))
}

fn name_in(facts: Option<&Json>) -> Option<&str> {
    facts?.get("model")?.get("name")?.as_text()
}

fn read(
    system: String,
    path: PathBuf,
    facts: Option<&Json>,
    unit: UnitName<'_>,
) -> Result<FoundRanking, RankingError> {
    let rankings = read_rankings(&path, unit.split, unit.subset)?;
    let data = facts.and_then(|facts| DataFacts::from_json(facts.get("unit")?.get("data")?));
    let depth = facts.and_then(|facts| facts.get("depth")?.as_number()).map(|depth| depth as usize);
    let sha256 = sha256_of_file(&path)?;
    Ok(FoundRanking { system, path, sha256, data: data.as_ref().map(data_name), depth, rankings })
}

/// The name of the data: dataset and revision of what is fetched, a hash of rows or files
/// elsewhere.
pub fn data_name(data: &DataFacts) -> String {
    match data {
        DataFacts::Fetched { dataset, revision, .. } => format!("{dataset}@{revision}"),
        DataFacts::Pack { pack, rows, .. } => format!("pack {pack}, rows {rows}"),
        DataFacts::Local(_) => {
            let hash = Sha256::digest(data.to_json().to_python(0));
            format!("files {}", hex(&hash))
        }
    }
}

/// The mean main score of each system over tasks (of a task with several units, first the mean of
/// these); those that lack a unit are skipped.
///
/// # Errors
/// If a folder is not there or has no score of these units, or a result file cannot be read.
pub fn binary_scores(
    results: &[PathBuf],
    evaluated: &[Evaluated],
) -> Result<Vec<(String, f64)>, RankingError> {
    if let Some(absent) = results.iter().find(|folder| !folder.is_dir()) {
        return Err(RankingError::NoFolder(absent.clone()));
    }
    let mut scores: BTreeMap<String, BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    let mut units: BTreeMap<&str, usize> = BTreeMap::new();
    for Evaluated { task, split, subset, .. } in evaluated {
        *units.entry(task).or_default() += 1;
        for (system, score) in main_scores(results, UnitName { task, split, subset })? {
            scores.entry(system).or_default().entry(task).or_default().push(score);
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let of_system = |(system, tasks): (String, BTreeMap<&str, Vec<f64>>)| {
        let is_whole =
            units.iter().all(|(task, count)| tasks.get(task).is_some_and(|found| found.len() == *count));
        let means: Vec<f64> = tasks.values().map(|found| mean(found)).collect();
        is_whole.then(|| (system, mean(&means)))
    };
    let scores: Vec<(String, f64)> = scores.into_iter().filter_map(of_system).collect();
    if scores.is_empty() {
        return Err(RankingError::NoScores(results.to_vec()));
    }
    Ok(scores)
}
