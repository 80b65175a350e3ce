//! The leaderboard as the reference makes it: which models it shows, what it averages and how it ranks.
//!
//! Source: mteb 2.26.24, `_create_summary_table`. A task counts for a model where it has every unit that any model has;
//! partial results still earn points. Models that the reference's registry does not know earn points and are not shown.

use std::collections::{BTreeMap, BTreeSet};

use mteb_measures::aggregate::borda_ranks;
use mteb_measures::numeric::python_round;

use crate::benchmark::{Task, TaskSet};
use crate::facts::{KnownModels, SimilarTasks, zero_shot_share};
use crate::join::{Model, join};
use crate::reading::{Collection, Summary};

/// The reference's table of one benchmark.
#[derive(Clone, Debug, Default)]
pub struct ReferenceTable {
    /// Names of the types, in the order in which the benchmark lists them.
    pub types: Vec<String>,
    /// Names of the tasks that any model has, in the order of the benchmark.
    pub tasks: Vec<String>,
    /// The models, best first.
    pub rows: Vec<ReferenceRow>,
}

/// A model in the reference's table. Scores are shares.
#[derive(Clone, Debug, Default)]
pub struct ReferenceRow {
    /// Borda rank.
    pub rank: usize,
    /// Name of the model.
    pub model: String,
    /// Share of the tasks in percent that it was not trained on; -1 where nobody says.
    pub zero_shot: i64,
    /// Billions of parameters that take part in each step.
    pub active_parameters: Option<f64>,
    /// Billions of parameters.
    pub parameters: Option<f64>,
    /// Numbers an embedding.
    pub dimension: Option<u32>,
    /// Tokens after which a text is cut.
    pub max_tokens: Option<u32>,
    /// Mean over tasks; `None` if one is incomplete.
    pub mean_task: Option<f64>,
    /// Mean over types.
    pub mean_task_type: Option<f64>,
    /// Mean of each type; `None` if a task of that type is incomplete.
    pub types: Vec<Option<f64>>,
    /// Day of its release.
    pub release_date: Option<String>,
    /// Score of each task; `None` if it is incomplete.
    pub tasks: Vec<Option<f64>>,
}

/// Split and subset.
type Unit<'a> = (&'a str, &'a str);

/// Scores of the units of one model on one task.
type Units<'a> = Vec<(Unit<'a>, f64)>;

impl ReferenceTable {
    /// The table of `benchmark` over `collection`.
    pub fn new(
        benchmark: &TaskSet,
        collection: &Collection,
        facts: &KnownModels,
        similar: &SimilarTasks,
    ) -> Self {
        let models = models(collection, benchmark, facts);
        let numbers = benchmark.numbers();
        let scored: Vec<BTreeMap<usize, Units>> =
            models.iter().map(|model| collect_scores(model, benchmark, &numbers)).collect();
        let present: BTreeSet<usize> = scored.iter().flat_map(|tasks| tasks.keys().copied()).collect();
        let required: BTreeMap<usize, usize> = present
            .iter()
            .map(|task| (*task, count_required_units(scored.iter().filter_map(|tasks| tasks.get(task)))))
            .collect();
        let partial: Vec<Vec<Option<f64>>> =
            scored.iter().map(|tasks| means(tasks, &present, |_, _| true)).collect();
        let complete: Vec<Vec<Option<f64>>> = scored
            .iter()
            .map(|tasks| means(tasks, &present, |task, units| count_distinct_units(units) >= required[&task]))
            .collect();
        let shown = complete.iter().filter(|scores| scores.iter().any(Option::is_some)).count();
        let ranks = ranks(&partial, shown);
        let tasks: Vec<&Task> = present.iter().map(|number| &benchmark.tasks[*number]).collect();
        let types = types(&tasks);
        let rows = models.iter().zip(complete).zip(ranks);
        let rows = rows.filter(|((model, scores), _)| {
            scores.iter().any(Option::is_some)
                && facts.models.get(&model.name).is_some_and(|facts| facts.is_registered)
        });
        let mut rows: Vec<ReferenceRow> = rows
            .map(|((model, scores), rank)| row(model, scores, rank, &tasks, &types, facts, similar))
            .collect();
        rows.sort_by(|left, right| left.rank.cmp(&right.rank).then_with(|| left.model.cmp(&right.model)));
        let tasks = tasks.iter().map(|task| task.name.clone()).collect();
        Self { types: types.iter().map(|name| (*name).to_owned()).collect(), tasks, rows }
    }
}

/// Models that the reference loads: with a `model_meta.json` and a revision, and without experiments.
fn models(collection: &Collection, benchmark: &TaskSet, facts: &KnownModels) -> Vec<Model> {
    let folders = collection.folders.iter().filter(|folder| {
        let meta = folder.meta.as_ref();
        folder.experiment.is_none() && meta.is_some_and(|meta| !meta.is_experiment && meta.revision.is_some())
    });
    let folders: Vec<_> = folders
        .map(|folder| {
            let mut folder = folder.clone();
            folder.revision = folder.meta.as_ref().and_then(|meta| meta.revision.clone());
            folder.files.retain(|file| benchmark.task(&file.task).is_some());
            folder
        })
        .collect();
    join(&folders, facts)
}

/// The scores of a model by the number of the task.
fn collect_scores<'a>(
    model: &'a Model,
    benchmark: &'a TaskSet,
    numbers: &BTreeMap<&str, usize>,
) -> BTreeMap<usize, Units<'a>> {
    let files = model.files.values().filter_map(|file| Some((*numbers.get(file.task.as_str())?, file)));
    files.map(|(number, file)| (number, units(file, &benchmark.tasks[number]))).collect()
}

/// The units of a file that count for the task and have a score.
fn units<'a>(file: &'a Summary, task: &Task) -> Units<'a> {
    let subsets: BTreeSet<&str> = task.subset_names().into_iter().collect();
    let entries = file
        .entries
        .iter()
        .filter(|entry| task.splits.contains(&entry.split) && subsets.contains(entry.subset.as_str()));
    entries
        .filter_map(|entry| {
            Some(((entry.split.as_str(), entry.subset.as_str()), entry.main(&task.main_score)?))
        })
        .collect()
}

/// Every subset that any model has, on every split that any model has.
fn count_required_units<'a>(all: impl Iterator<Item = &'a Units<'a>>) -> usize {
    let (mut splits, mut subsets) = (BTreeSet::new(), BTreeSet::new());
    for ((split, subset), _) in all.flatten() {
        splits.insert(*split);
        subsets.insert(*subset);
    }
    splits.len() * subsets.len()
}

fn count_distinct_units(units: &Units) -> usize {
    units.iter().map(|(unit, _)| *unit).collect::<BTreeSet<_>>().len()
}

/// The mean of each present task whose units `count`.
fn means(
    tasks: &BTreeMap<usize, Units>,
    present: &BTreeSet<usize>,
    count: impl Fn(usize, &Units) -> bool,
) -> Vec<Option<f64>> {
    let mean = |units: &Units| units.iter().map(|(_, score)| score).sum::<f64>() / units.len() as f64;
    let score =
        |task: &usize| tasks.get(task).filter(|units| !units.is_empty() && count(*task, units)).map(mean);
    present.iter().map(score).collect()
}

/// Borda ranks of all models, where points are counted from the number of models that are shown.
fn ranks(scores: &[Vec<Option<f64>>], shown: usize) -> Vec<usize> {
    if shown == scores.len() {
        return borda_ranks(scores);
    }
    // Each task of a model then brings so many points less than counted from all models.
    let surplus = (scores.len() - shown) as f64;
    let points: Vec<f64> = points(scores)
        .into_iter()
        .zip(scores)
        .map(|(points, scores)| points - surplus * scores.iter().flatten().count() as f64)
        .collect();
    points.iter().map(|own| 1 + points.iter().filter(|other| *other > own).count()).collect()
}

fn points(scores: &[Vec<Option<f64>>]) -> Vec<f64> {
    let tasks = scores.first().map_or(0, Vec::len);
    let mut points = vec![0.0; scores.len()];
    for task in 0..tasks {
        let has: Vec<(usize, f64)> =
            scores.iter().enumerate().filter_map(|(model, scores)| Some((model, -scores[task]?))).collect();
        let negated: Vec<f64> = has.iter().map(|(_, score)| *score).collect();
        for ((model, _), rank) in has.iter().zip(mteb_measures::correlation::average_ranks(&negated)) {
            points[*model] += scores.len() as f64 - rank;
        }
    }
    points
}

fn types<'a>(tasks: &[&'a Task]) -> Vec<&'a str> {
    let mut types: Vec<&str> = Vec::new();
    for task in tasks {
        if !types.contains(&task.task_type.as_str()) {
            types.push(&task.task_type);
        }
    }
    types
}

fn row(
    model: &Model,
    scores: Vec<Option<f64>>,
    rank: usize,
    tasks: &[&Task],
    types: &[&str],
    facts: &KnownModels,
    similar: &SimilarTasks,
) -> ReferenceRow {
    let own = facts.of(&model.name, None);
    let of_type = |name: &&str| {
        let scores = tasks.iter().zip(&scores).filter(|(task, _)| task.task_type == **name);
        mean(scores.map(|(_, score)| *score))
    };
    let type_means: Vec<Option<f64>> = types.iter().map(of_type).collect();
    let trained_on = similar.find_training_tasks(facts, &model.name);
    let names = || tasks.iter().map(|task| task.name.as_str());
    let billions = |number: Option<u64>| number.map(|number| python_round(number as f64 / 1e9, 3));
    ReferenceRow {
        rank,
        model: model.name.clone(),
        zero_shot: trained_on.and_then(|trained_on| zero_shot_share(&trained_on, names())).unwrap_or(-1),
        active_parameters: billions(own.active_parameters),
        parameters: billions(own.parameters),
        dimension: own.dimension,
        max_tokens: own.max_tokens,
        mean_task: mean(scores.iter().copied()),
        mean_task_type: mean(type_means.iter().copied()),
        types: type_means,
        release_date: own.release_date,
        tasks: scores,
    }
}

/// The mean, unless one is missing.
fn mean(scores: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let scores: Vec<f64> = scores.collect::<Option<_>>()?;
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}
