//! What the steps start from: the options that say where rankings and the files of graded relevance
//! lie, and the tasks that search, among those that a filter picks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mteb_graded::pool::Pool;
use mteb_graded_run::{GivenRanking, GradedFolder, PoolingError, load_pools};
use mteb_registry::{Registries, Selected, TaskEntry};
use mteb_workers::plugins::Catalog;

use crate::commands::arguments::{FilterArgs, ValueError};
use crate::commands::selected::leave_out_unsupported;
use crate::exit::Exit;
use crate::output;

/// The folder of pools, judgements and evaluations.
#[derive(Args, Clone, Debug)]
pub struct FolderArgs {
    /// Folder of pools, judgements and evaluations.
    #[arg(long, value_name = "DIR", default_value = "graded")]
    folder: PathBuf,
}

impl FolderArgs {
    /// The same for the engine.
    pub fn folder(&self) -> GradedFolder {
        GradedFolder::new(&self.folder)
    }
}

/// Whose rankings are taken.
#[derive(Args, Clone, Debug)]
pub struct RankingArgs {
    /// Folder of results with rankings; may be repeated.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: Vec<PathBuf>,
    /// Only the rankings of this model; may be repeated [default: all].
    #[arg(long, value_name = "NAME")]
    pub model: Vec<String>,
}

/// Which pools.
#[derive(Args, Clone, Debug)]
pub struct PoolChoiceArgs {
    /// Pool file; may be repeated [default: all pools in the folder].
    #[arg(long, value_name = "FILE")]
    pool: Vec<PathBuf>,
    /// Only the pools of this task; may be repeated.
    #[arg(long, value_name = "NAME")]
    task: Vec<String>,
}

impl PoolChoiceArgs {
    /// The files that were named.
    pub fn files(&self) -> &[PathBuf] {
        &self.pool
    }

    /// The pools.
    ///
    /// # Errors
    /// One line: there is none, or one cannot be read.
    pub fn load(&self, folder: &GradedFolder) -> Result<Vec<Pool>, PoolingError> {
        load_pools(folder, &self.pool, &self.task)
    }
}

/// A ranking of others as `FILE`, whose name up to the first full stop its system has, or `NAME=FILE`.
///
/// # Errors
/// If it is neither.
pub fn given_ranking(text: &str) -> Result<GivenRanking, ValueError> {
    let (system, path) = match text.split_once('=') {
        Some((system, path)) => (system.to_owned(), PathBuf::from(path)),
        None => {
            let name = Path::new(text).file_name().unwrap_or_default().to_string_lossy();
            (name.split('.').next().unwrap_or_default().to_owned(), PathBuf::from(text))
        }
    };
    if system.is_empty() || path.as_os_str().is_empty() {
        return Err(ValueError::Ranking);
    }
    Ok(GivenRanking { system, path })
}

/// The tasks with data that the filter picks and that search.
///
/// # Errors
/// The exit code, after it was said what is wrong.
pub fn searching_tasks(filter: &FilterArgs, catalog: &Catalog) -> Result<Vec<Selected>, Exit> {
    let registries = filter.registries(catalog)?;
    let mut tasks = filter.select(&registries)?;
    if filter.task.is_empty() {
        leave_out_unsupported(&mut tasks);
    }
    let mut tasks: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
    let found = tasks.len();
    tasks.retain(|task| task.entry.card.task_type.is_ranking());
    if tasks.is_empty() {
        let found = output::count(found, "task");
        return Err(output::usage(format!(
            "expected retrieval or reranking tasks, found none among {found}; select some with `--task` or \
             `--benchmark`"
        )));
    }
    if tasks.len() < found {
        let left = output::count(found - tasks.len(), "task");
        output::warn(format!("skipped tasks that are not retrieval or reranking: {left}"));
    }
    Ok(tasks)
}

/// The tasks called `name`, of one of which a pool is: the one that counts, then those of earlier editions.
pub fn tasks_called(catalog: &Catalog, name: &str) -> Vec<Arc<TaskEntry>> {
    Registries::load_only(&[], catalog, &HashSet::from([name.to_owned()])).tasks_called(name)
}
