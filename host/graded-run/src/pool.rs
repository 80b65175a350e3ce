//! The pool of a unit: from the rankings of models and the data of its task, with the grades that
//! the task itself has; the pools that a step works on; and why a unit has none.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use mteb_base::suggest::hint;
use mteb_graded::evaluate::best;
use mteb_graded::pool::{Pool, PoolError, Provenance, Source, pooled, read_pool};
use mteb_graded::{GradedError, sha256_of_file};
use mteb_items::rankings::{Rankings, read_rankings, unescape};
use mteb_registry::TaskEntry;
use mteb_results::UnitName;
use mteb_results::identity::DataFacts;
use mteb_source::{DataSources, SourceError};
use mteb_tasks::task_types::{SearchTexts, search_texts};
use mteb_tasks::{Corpus, EvaluateError, task_types};

use crate::folder::unreadable;
use crate::ranking_error::{RankingError, check_given};
use crate::{GradedFolder, data_name, find_rankings};

/// A ranking that somebody else made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenRanking {
    /// What its system is called.
    pub system: String,
    /// A run file, or a prediction file of the reference.
    pub path: PathBuf,
}

/// What goes into a pool.
#[derive(Clone, Copy, Debug)]
pub struct PoolRequest<'a> {
    /// The task, which searches.
    pub entry: &'a TaskEntry,
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
    /// Documents that are taken of each ranking.
    pub depth: usize,
    /// Systems of whose rankings another number of documents is taken.
    pub depths: &'a [(String, usize)],
    /// Queries that are drawn; all if it is absent.
    pub sample: Option<usize>,
    /// Folders of results.
    pub results: &'a [PathBuf],
    /// Models whose rankings are taken; all if none is named.
    pub models: &'a [String],
    /// Rankings of others.
    pub given: &'a [GivenRanking],
}

/// The pool of a unit.
///
/// # Errors
/// If no ranking is there, one is too short or of other data, or the data cannot be read.
pub fn make_pool(request: PoolRequest<'_>, sources: &mut DataSources) -> Result<Pool, PoolingError> {
    let PoolRequest { entry, split, subset, depth, .. } = request;
    let unit = UnitName { task: &entry.card.name, split, subset };
    let found = find_rankings(request.results, unit, request.models)?;
    let given: Vec<Given> =
        request.given.iter().map(|given| read_given(given, unit)).collect::<Result<_, _>>()?;
    if found.is_empty() && given.is_empty() {
        return Err(RankingError::none(unit, request.results).into());
    }
    let systems = found.iter().map(|found| (found.system.as_str(), found.sha256.as_str(), &found.rankings));
    let others = given.iter().map(|given| (given.system, given.sha256.as_str(), &given.rankings));
    let own = |system: &str| request.depths.iter().find(|(name, _)| name == system).map(|(_, depth)| *depth);
    let systems: Vec<Source<'_>> = systems
        .chain(others)
        .map(|(system, sha256, rankings)| Source { system, sha256, rankings, depth: own(system) })
        .collect();
    check_depths(request, &systems)?;
    let depth_of = |system: &str| own(system).unwrap_or(depth);
    let shown = systems.iter().map(|source| (source.system, source.rankings, depth_of(source.system)));
    check_given(&unit, &shown.collect::<Vec<_>>(), found.len())?;
    let wanted =
        systems.iter().flat_map(|system| best_documents(system.rankings, depth_of(system.system))).collect();
    let (texts, data) = texts(request, &wanted, sources)?;
    let data = data_name(&data);
    found.iter().try_for_each(|found| found.check(depth_of(&found.system), &data))?;
    let provenance = Provenance {
        task: unit.task.to_owned(),
        split: split.to_owned(),
        subset: subset.to_owned(),
        data,
        depth,
        sample: request.sample,
        rankings: Vec::new(),
    };
    let query = |id: &str| texts.queries.get(id).cloned();
    let document = |id: &str| texts.documents.get(id).cloned();
    let pool = pooled(provenance, &systems, &query, &document)?;
    if pool.pairs.is_empty() {
        return Err(PoolingError::NoQueries { task: unit.task.to_owned() });
    }
    Ok(pool)
}

/// A system whose depth is its own is one of those that ranked.
fn check_depths(request: PoolRequest<'_>, systems: &[Source<'_>]) -> Result<(), PoolingError> {
    let is_there = |name: &str| systems.iter().any(|source| source.system == name);
    match request.depths.iter().find(|(name, _)| !is_there(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let names: Vec<&str> = systems.iter().map(|source| source.system).collect();
            Err(PoolingError::NoSystem {
                task: request.entry.card.name.clone(),
                hint: hint(name, names.iter().copied(), ""),
                systems: names.into_iter().map(str::to_owned).collect(),
                found: name.clone(),
            })
        }
    }
}

struct Given<'a> {
    system: &'a str,
    sha256: String,
    rankings: Rankings,
}

fn read_given<'a>(given: &'a GivenRanking, unit: UnitName<'_>) -> Result<Given<'a>, RankingError> {
    let rankings = read_rankings(&given.path, unit.split, unit.subset)?;
    let sha256 = sha256_of_file(&given.path)?;
    Ok(Given { system: &given.system, sha256, rankings })
}

/// The ids of the best `depth` documents of each query, as they stand and without escapes.
fn best_documents(rankings: &Rankings, depth: usize) -> HashSet<String> {
    let mut wanted = HashSet::new();
    for found in &rankings.found {
        for place in best(rankings, found, depth) {
            let id = &rankings.documents[place as usize];
            wanted.extend(unescape(id).filter(|_| rankings.may_be_escaped));
            wanted.insert(id.to_owned());
        }
    }
    wanted
}

/// The texts of a unit, and what they are read from.
fn texts(
    request: PoolRequest<'_>,
    wanted: &HashSet<String>,
    sources: &mut DataSources,
) -> Result<(SearchTexts, DataFacts), PoolingError> {
    let PoolRequest { entry, split, subset, .. } = request;
    let (unit, corpus, facts) = sources.read(entry, split, subset).map_err(Box::new)?;
    let corpus = corpus.map(|corpus| Box::new(corpus) as Box<dyn Corpus>);
    let texts = search_texts(unit, corpus, &entry.card.protocol, wanted);
    Ok((texts?, facts.data))
}

/// The pools in `files`, or where none is named all of the folder; of `tasks` alone if some are named.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn load_pools(
    folder: &GradedFolder,
    files: &[PathBuf],
    tasks: &[String],
) -> Result<Vec<Pool>, PoolingError> {
    let files =
        if files.is_empty() { folder.pools().map_err(unreadable(folder.path()))? } else { files.to_vec() };
    let mut pools = Vec::new();
    for file in files {
        let pool = read_pool(&file)?;
        if tasks.is_empty() || tasks.contains(&pool.provenance.task) {
            pools.push(pool);
        }
    }
    if pools.is_empty() {
        return Err(PoolingError::NoPools { folder: folder.path().to_owned(), tasks: tasks.to_vec() });
    }
    Ok(pools)
}

/// The grade of each pair of `pool`; NaN for pairs that the task does not judge. Of the `tasks` of its name that one is taken whose data
/// was pooled: a pool stays that of an earlier edition.
///
/// # Errors
/// If there is no task, the data cannot be read, or none of it is that of the pool.
pub fn own_grades(
    pool: &Pool,
    tasks: &[Arc<TaskEntry>],
    sources: &mut DataSources,
) -> Result<Vec<f64>, PoolingError> {
    let mut first = None;
    for task in tasks {
        match grades_of(pool, task, sources) {
            Ok(grades) => return Ok(grades),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_else(|| PoolingError::UnknownTask(pool.provenance.task.clone())))
}

fn grades_of(pool: &Pool, entry: &TaskEntry, sources: &mut DataSources) -> Result<Vec<f64>, PoolingError> {
    let from = &pool.provenance;
    let (unit, _, facts) = sources.read(entry, &from.split, &from.subset).map_err(Box::new)?;
    let found = data_name(&facts.data);
    if found != from.data {
        let (task, expected) = (from.task.clone(), from.data.clone());
        return Err(PoolingError::OtherData { task, expected, found });
    }
    let grades = task_types::own_grades(&unit)?;
    let of_pair = |query: &String, document: &String| grades.get(&(query.clone(), document.clone())).copied();
    Ok(pool.pairs.iter().map(|pair| of_pair(&pair.query, &pair.document).unwrap_or(f64::NAN)).collect())
}

/// A pool that cannot be made, or that is not there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoolingError {
    /// A ranking does not serve.
    #[error(transparent)]
    Ranking(#[from] RankingError),
    /// The data of the unit cannot be had.
    #[error(transparent)]
    Source(#[from] Box<SourceError>),
    /// The data has not what a search needs.
    #[error(transparent)]
    Data(#[from] EvaluateError),
    /// The rankings name a text that the data does not have.
    #[error(transparent)]
    Text(#[from] PoolError),
    /// No query of the task was ranked.
    #[error("{task}: expected queries of the task in the rankings, found none")]
    NoQueries {
        /// The task.
        task: String,
    },
    /// A depth is asked for a system that has not ranked.
    #[error("{task}: expected one of the systems {} for `--depth-of`, found: {found}{hint}", .systems.join(", "))]
    NoSystem {
        /// The task.
        task: String,
        /// The systems that have ranked.
        systems: Vec<String>,
        /// The name that was given.
        found: String,
        /// Which of them may be meant.
        hint: String,
    },
    /// A pool cannot be read.
    #[error(transparent)]
    Read(#[from] GradedError),
    /// There is none.
    #[error(
        "{}: expected pools{}, found none; run `mteb-host graded pool` first",
        .folder.display(),
        if .tasks.is_empty() { String::new() } else { format!(" of {}", .tasks.join(", ")) }
    )]
    NoPools {
        /// The graded folder.
        folder: PathBuf,
        /// The tasks whose pools were asked for; all if none is named.
        tasks: Vec<String>,
    },
    /// Nobody knows the task of the pool.
    #[error("expected a known task, found: {0}")]
    UnknownTask(String),
    /// The task has other data now.
    #[error("{task}: expected {expected}, the data of the pool, found: {found}")]
    OtherData {
        /// The task.
        task: String,
        /// The data of the pool.
        expected: String,
        /// The data of the task.
        found: String,
    },
}
