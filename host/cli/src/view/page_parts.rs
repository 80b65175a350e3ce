//! What a page has beside its scores: examples of the data of tasks, from what is on this machine
//! and where the licence lets anyone show them; languages, from the files `page/CODE.toml` beside
//! registries; what a folder of graded relevance holds.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mteb_card::is_quotable;
use mteb_graded::GradedError;
use mteb_graded::aggregate::{AggregateError, Measure, Pools, Standings, standings};
use mteb_graded::agreement::{agreement, distribution};
use mteb_graded::evaluate::{Board, DEPTH, Evaluated, Grades, SystemName};
use mteb_graded_run::{
    GradedFolder, JudgeError, JudgeStore, PoolingError, changed_since, evaluations, judge_stores, load_pools,
};
use mteb_inspect::samples::samples_of;
use mteb_registry::{Fault, Locator, Selected, data_path, embedded, read_page_language};
use mteb_report::page::{
    Graded, GradedPart, GradedSystem, JudgePair, LanguageFile, PageLanguages, TaskSamples, Withheld,
};
use mteb_source::{DataSources, SourceError};
use mteb_tasks::Corpus;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;

/// Texts of a dataset of the hub, and bytes of data of the user's own, above which no examples are read: a page is made in seconds.
const MOST_TEXTS: u64 = 200_000;
const MOST_BYTES: u64 = 256 << 20;

/// Folders within the folder of a dataset that are looked into for its size.
const DEEPEST: usize = 4;

/// Reads examples; downloads nothing. Each task is read once, however often its page is written.
pub struct SampleReader {
    sources: DataSources,
    count: usize,
    read: HashMap<String, TaskSamples>,
}

impl SampleReader {
    /// Reads `count` examples of each task.
    pub fn new(count: usize, settings: Settings, catalog: &Catalog) -> Self {
        let settings = Settings { offline: true, ..settings };
        Self { sources: DataSources::new(settings, catalog), count, read: HashMap::new() }
    }

    /// The examples of a task, of its first split and subset, or why there are none.
    pub fn read_samples(&mut self, task: &Selected) -> TaskSamples {
        let name = &task.entry.card.name;
        if let Some(read) = self.read.get(name) {
            return read.clone();
        }
        let found = match find_reason_to_withhold(task) {
            Some(why) => TaskSamples::Withheld(why),
            None => self.read_first_unit(task).unwrap_or(TaskSamples::Withheld(Withheld::Absent)),
        };
        self.read.insert(name.clone(), found.clone());
        found
    }

    fn read_first_unit(&mut self, task: &Selected) -> Option<TaskSamples> {
        // Of a mean of tasks the first of them.
        let task = task.with_data().into_iter().next()?;
        let unit = task.units().next()?;
        let (tables, corpus) = self.sources.stream(&task.entry, unit.0, unit.1).ok()?;
        let corpus =
            corpus.as_ref().map(|corpus| corpus.open().map(|chunk| chunk.map_err(SourceError::from)));
        let found = samples_of(&tables, corpus, self.count).ok()?;
        Some(TaskSamples::of(unit, &found))
    }
}

/// Why no examples of a task are shown, whatever its data is.
fn find_reason_to_withhold(task: &Selected) -> Option<Withheld> {
    let with_data = task.with_data();
    let cards = || std::iter::once(&task.entry).chain(with_data.iter().map(|task| &task.entry));
    if cards().any(|entry| entry.card.private) {
        return Some(Withheld::Private);
    }
    // A mean has no data of its own.
    let first = with_data.first().unwrap_or(task);
    let card = &first.entry.card;
    match card.license.as_deref() {
        None | Some("not specified") => return Some(Withheld::NoLicense),
        Some(license) if !is_quotable(license) => return Some(Withheld::License),
        Some(_) => {}
    }
    let is_large = match (&card.dataset.path, card.dataset.fetched()) {
        (Some(_), _) => data_path(&first.entry).is_ok_and(|path| bytes_of(&path, DEEPEST) > MOST_BYTES),
        (None, Some(_)) => embedded::size(&card.name).is_some_and(|size| size.texts > MOST_TEXTS),
        (None, None) => false,
    };
    is_large.then_some(Withheld::Large)
}

/// Bytes of a file, or of the files in a folder and below.
fn bytes_of(path: &Path, deepest: usize) -> u64 {
    let Ok(facts) = path.metadata() else { return 0 };
    if !facts.is_dir() {
        return facts.len();
    }
    let entries = path.read_dir().into_iter().flatten().flatten().filter(|_| deepest > 0);
    entries.map(|entry| bytes_of(&entry.path(), deepest - 1)).sum()
}

/// True if a page may show texts of the task.
pub fn may_show_texts(task: &Selected) -> bool {
    !matches!(
        find_reason_to_withhold(task),
        Some(Withheld::License | Withheld::NoLicense | Withheld::Private)
    )
}

/// The languages of the host with those of `files`, and what is wrong with some of these, which are left out.
pub fn read_page_languages(files: &[PathBuf]) -> (PageLanguages, Vec<Fault>) {
    let mut languages = PageLanguages::default();
    let mut all = Vec::new();
    for file in files {
        match read_language_file(file) {
            Ok((code, language, found)) if found.iter().all(|(_, is_warning)| *is_warning) => {
                languages.add(&code, language);
            }
            Ok((_, _, found)) => {
                all.extend(found.into_iter().filter(|(_, odd)| !odd).map(|(fault, _)| fault))
            }
            Err(fault) => all.push(fault),
        }
    }
    (languages, all)
}

/// What is wrong with the files, and what is odd.
pub fn check_page_languages(files: &[PathBuf]) -> (Vec<Fault>, Vec<Fault>) {
    let (mut faults, mut oddities) = (Vec::new(), Vec::new());
    for file in files {
        match read_language_file(file) {
            Ok((_, _, found)) => {
                for (fault, is_warning) in found {
                    if is_warning { oddities.push(fault) } else { faults.push(fault) }
                }
            }
            Err(fault) => faults.push(fault),
        }
    }
    (faults, oddities)
}

/// The code of a language, its texts, and what is wrong (false) or odd (true) with them.
type Read = (String, LanguageFile, Vec<(Fault, bool)>);

fn read_language_file(file: &Path) -> Result<Read, Fault> {
    let text = read_page_language(file)?;
    let locator = Locator::new(&text.file, text.text());
    let language =
        LanguageFile::read(text.text()).map_err(|error| locator.fault_at(error.span(), error.message()))?;
    let code = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let found = language.faults(&code).into_iter().map(|fault| {
        let path: Vec<&str> = fault.path.iter().map(String::as_str).collect();
        let place = if path.is_empty() {
            Fault::of_file(&text.file, fault.message)
        } else {
            locator.fault(&path, fault.message)
        };
        (place, fault.is_warning)
    });
    let found = found.collect();
    Ok((code, language, found))
}

/// The evaluations and judgements of a folder, of these tasks or of all, and what is odd about them.
///
/// # Errors
/// If there is no evaluation, one cannot be read, or they rest on different pools or rules.
pub fn read_graded_view(folder: &Path, tasks: &[String]) -> Result<(Graded, Vec<String>), GradedViewError> {
    let folder = GradedFolder::new(folder);
    let (mut evaluated, faults) = evaluations(&folder)?;
    if evaluated.is_empty() && !faults.is_empty() {
        return Err(GradedViewError::Faults(faults));
    }
    // The page may be of tasks that nobody judged, too: then all that were judged are shown.
    if evaluated.iter().any(|file| tasks.contains(&file.task)) {
        evaluated.retain(|file| tasks.contains(&file.task));
    }
    if evaluated.is_empty() {
        return Err(GradedViewError::NoEvaluations(folder.path().to_owned()));
    }
    let mut warnings = faults;
    warnings.extend(changed_since(&folder, &evaluated));
    let (judges, faults) = judge_stores(&folder, &[])?;
    warnings.extend(faults);
    let (names, tasks, whole) = part(&folder, &evaluated, &judges, &mut warnings)?;
    let mut parts = vec![whole];
    if tasks.len() > 1 {
        for task in &tasks {
            let of_task: Vec<Evaluated> =
                evaluated.iter().filter(|file| file.task == *task).cloned().collect();
            let (own, _, mut part) = self::part(&folder, &of_task, &judges, &mut warnings)?;
            part.systems.iter_mut().for_each(|system| place_curves(system, &own, &names));
            parts.push(part);
        }
    }
    Ok((Graded { tasks, judges: names, parts }, warnings))
}

/// Why a page cannot show a folder of graded relevance.
#[derive(Debug, thiserror::Error)]
pub enum GradedViewError {
    /// The evaluations cannot be read.
    #[error(transparent)]
    Evaluations(#[from] GradedError),
    /// There are some, and each of them is left out.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
    /// There is none.
    #[error("{}: expected evaluations, found none; run `mteb-host graded evaluate` first", .0.display())]
    NoEvaluations(PathBuf),
    /// The judgements cannot be read.
    #[error(transparent)]
    Judges(#[from] JudgeError),
    /// The evaluations do not belong into one table.
    #[error(transparent)]
    Standings(#[from] AggregateError),
    /// The evaluations have no curves.
    #[error("expected curves, found none")]
    NoCurves,
}

/// What is shown of some evaluations, with the names of their judges and tasks.
fn part(
    folder: &GradedFolder,
    evaluated: &[Evaluated],
    judges: &[JudgeStore],
    warnings: &mut Vec<String>,
) -> Result<(Vec<String>, Vec<String>, GradedPart), GradedViewError> {
    let ndcg = compute_standings(evaluated, Measure::Ndcg)?;
    let recall = compute_standings(evaluated, Measure::Recall).unwrap_or_else(|error| {
        warnings.push(format!("recall is left out of the page: {error}"));
        Vec::new()
    });
    let last = ndcg.last().ok_or(GradedViewError::NoCurves)?;
    let systems = last.systems.iter().map(|row| system(&row.system, &ndcg, &recall)).collect();
    let tasks: Vec<String> = last.datasets.keys().cloned().collect();
    let scores = scores(folder, &tasks, judges).unwrap_or_else(|fault| {
        warnings.push(format!("scores of judges are left out of the page: {fault}"));
        Vec::new()
    });
    let bins = |(name, scores): &(String, Vec<f64>)| Some((name.clone(), distribution(scores)?.bins));
    let distributions = scores.iter().filter_map(bins).collect();
    let part = GradedPart { systems, distributions, agreement: pairs(&scores) };
    Ok((last.judges.clone(), tasks, part))
}

/// Puts the curves of a system, which are those of the judges `own` and their average, at the places of all judges.
fn place_curves(system: &mut GradedSystem, own: &[String], all: &[String]) {
    let ordered = |curves: &Vec<Vec<Option<f64>>>| -> Vec<Vec<Option<f64>>> {
        let of =
            |name: &String| own.iter().position(|judge| judge == name).and_then(|place| curves.get(place));
        if curves.is_empty() {
            return Vec::new();
        }
        all.iter().map(|name| of(name).cloned().unwrap_or_default()).chain(curves.last().cloned()).collect()
    };
    (system.ndcg, system.recall) = (ordered(&system.ndcg), ordered(&system.recall));
}

/// The table at each rank that every curve has, from 1 on.
fn compute_standings(evaluated: &[Evaluated], measure: Measure) -> Result<Vec<Standings>, AggregateError> {
    let curves = evaluated.iter().flat_map(|file| &file.systems).flat_map(|system| &system.curves);
    let ranks = curves.map(|curves| curves.ndcg.len()).min().unwrap_or(0).min(DEPTH);
    (1..=ranks).map(|k| standings(evaluated, measure, k, Pools::Same)).collect()
}

fn system(name: &SystemName, ndcg: &[Standings], recall: &[Standings]) -> GradedSystem {
    GradedSystem {
        name: name.to_string(),
        is_reranked: name.reranker.is_some(),
        ndcg: curves(name, ndcg),
        recall: curves(name, recall),
        judged: ndcg
            .iter()
            .map(|table| table.systems.iter().find(|row| row.system == *name).and_then(|row| row.judged))
            .collect(),
    }
}

/// The curve of each judge, at last of their average; none where there is no table.
fn curves(name: &SystemName, tables: &[Standings]) -> Vec<Vec<Option<f64>>> {
    let Some(first) = tables.first() else { return Vec::new() };
    let rows = || tables.iter().map(|table| table.systems.iter().find(|row| row.system == *name));
    let mut curves: Vec<Vec<Option<f64>>> = (0..first.judges.len())
        .map(|judge| rows().map(|row| row.and_then(|row| row.judges[judge])).collect())
        .collect();
    curves.push(rows().map(|row| row.and_then(|row| row.average)).collect());
    curves
}

/// The scores that each judge gave to the pairs of the pools of these tasks; not a number for what was not judged.
fn scores(
    folder: &GradedFolder,
    tasks: &[String],
    judges: &[JudgeStore],
) -> Result<Vec<(String, Vec<f64>)>, PoolingError> {
    let pools = load_pools(folder, &[], tasks)?;
    let boards: Vec<Board> = pools.iter().map(Board::new).collect();
    let of_judge = |judge: &JudgeStore| {
        let grades = boards.iter().map(|board| Grades::of(board, &judge.judgements));
        (judge.card.name.clone(), grades.flat_map(|grades| grades.values().to_vec()).collect())
    };
    Ok(judges.iter().map(of_judge).collect())
}

/// How far each two judges agree who scored the same pairs.
fn pairs(scores: &[(String, Vec<f64>)]) -> Vec<JudgePair> {
    let values: Vec<Vec<f64>> = scores.iter().map(|(_, scores)| scores.clone()).collect();
    let pairs = agreement(&values).pairs.into_iter().filter(|pair| pair.common > 0);
    let pair = |pair: mteb_graded::agreement::PairAgreement| JudgePair {
        judges: [pair.judges.0, pair.judges.1].map(|number| scores[number].0.clone()),
        common: pair.common,
        pearson: pair.pearson,
        spearman: pair.spearman,
    };
    pairs.map(pair).collect()
}
