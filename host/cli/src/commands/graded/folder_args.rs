//! The options that say where rankings and the files of graded relevance lie.

use std::path::{Path, PathBuf};

use clap::Args;
use mteb_graded::pool::Pool;
use mteb_graded_run::{GivenRanking, GradedFolder, PoolingError, load_pools};

use crate::commands::arguments::ValueError;

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
