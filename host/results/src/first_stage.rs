//! What a first stage has found for each query, of which a reranker orders the best anew, or why it
//! cannot be had.

use std::io;
use std::path::{Path, PathBuf};

use mteb_items::rankings::{Rankings, RankingsError, read_rankings};
use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use serde_json::{Map, Value};

use crate::folder_layout::{PREDICTIONS, RANKINGS};
use crate::{CompanionFiles, EXPERIMENT_OPTIONS, META, UnitName};

/// Rankings of a first stage.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstStage {
    source: Source,
    /// Whose they are.
    name: String,
    revision: String,
    /// Documents of each query that are ordered anew.
    depth: usize,
}

#[derive(Clone, Debug, PartialEq)]
enum Source {
    /// The results of a model, with rankings beside them.
    Results(PathBuf),
    /// A run file or a prediction file.
    File(PathBuf),
}

impl FirstStage {
    /// The rankings beside the results in `folder`, or below it where one model alone has some.
    ///
    /// # Errors
    /// If there are none, or those of several models.
    pub fn of_results(folder: &Path, depth: usize) -> Result<Self, FirstStageError> {
        let mut found = Vec::new();
        find(folder, 3, &mut found)
            .map_err(|source| FirstStageError::Unreadable { path: folder.to_owned(), source })?;
        found.sort();
        let folder = match found.as_slice() {
            [one] => one.clone(),
            [] => return Err(FirstStageError::NoRankings(folder.to_owned())),
            [first, second, ..] => {
                return Err(FirstStageError::Several {
                    folder: folder.to_owned(),
                    count: found.len(),
                    first: first.clone(),
                    second: second.clone(),
                });
            }
        };
        let meta = mteb_files::read(&folder.join(META), mteb_files::TEXT).ok();
        let meta: Value = meta.and_then(|meta| serde_json::from_slice(&meta).ok()).unwrap_or_default();
        let said = |key: &str| meta[key].as_str().unwrap_or_default().to_owned();
        let name = Some(said("name")).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| folder.display().to_string());
        Ok(Self { source: Source::Results(folder), name, revision: said("revision"), depth })
    }

    /// The rankings in a TREC run file or a prediction file, which are called by the file's name.
    pub fn of_file(file: &Path, depth: usize) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        Self { source: Source::File(file.to_owned()), name, revision: String::new(), depth }
    }

    /// Documents of each query that are ordered anew.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// What was found for the queries of a unit.
    ///
    /// # Errors
    /// If there is nothing of this unit, or it cannot be read.
    pub fn rankings(&self, unit: UnitName<'_>) -> Result<Rankings, FirstStageError> {
        Ok(read_rankings(&self.file(unit)?, unit.split, unit.subset)?)
    }

    /// SHA-256 of the file with the rankings of a unit.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn hash(&self, unit: UnitName<'_>) -> Result<String, FirstStageError> {
        let path = self.file(unit)?;
        let hash = mteb_files::open(&path).and_then(mteb_files::sha256);
        hash.map_err(|source| FirstStageError::Unreadable { path, source })
    }

    /// What of it is a part of the identity of a model.
    pub fn facts(&self) -> Json {
        Json::object([
            ("name", Json::from(self.name.as_str())),
            ("revision", Json::from(self.revision.as_str())),
            ("depth", Json::Int(i64::try_from(self.depth).unwrap_or(i64::MAX))),
        ])
    }

    /// The model as it is behind this first stage: its results are kept apart from those behind
    /// others.
    #[must_use]
    pub fn of(&self, mut info: ModelInfo) -> ModelInfo {
        let options =
            info.meta.entry(EXPERIMENT_OPTIONS.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        if !options.is_object() {
            *options = Value::Object(Map::new());
        }
        options["rerank_from"] = self.name.as_str().into();
        options["rerank_depth"] = self.depth.into();
        info
    }

    /// The file with the rankings of a unit: of results the run file, else the prediction file.
    fn file(&self, unit: UnitName<'_>) -> Result<PathBuf, FirstStageError> {
        let folder = match &self.source {
            Source::File(file) => return Ok(file.clone()),
            Source::Results(folder) => folder,
        };
        let kept = CompanionFiles::new(folder);
        let files = [kept.rankings(unit), kept.predictions(unit.task)];
        files
            .into_iter()
            .find(|file| file.is_file())
            .ok_or_else(|| FirstStageError::NotRanked { folder: folder.clone(), unit: unit.to_string() })
    }
}

/// The folders with rankings at `folder` and up to so many below.
fn find(folder: &Path, below: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if [RANKINGS, PREDICTIONS].iter().any(|name| folder.join(name).is_dir()) {
        found.push(folder.to_owned());
        return Ok(());
    }
    if below == 0 {
        return Ok(());
    }
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, below - 1, found)?;
        }
    }
    Ok(())
}

/// Rankings that are not there, are those of several models, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FirstStageError {
    /// A folder of results, or a file with rankings, cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// No results there have rankings.
    #[error("{}: expected results with rankings (`run --rankings` or `--predictions`), found none", .0.display())]
    NoRankings(PathBuf),
    /// Several models there have rankings.
    #[error(
        "{}: expected the results of one model with rankings, found those of {count}, as {} and {}; name the folder of one",
        .folder.display(), .first.display(), .second.display()
    )]
    Several {
        /// The folder that was named.
        folder: PathBuf,
        /// How many models.
        count: usize,
        /// The results of the first one.
        first: PathBuf,
        /// Those of the second one.
        second: PathBuf,
    },
    /// The unit has no rankings.
    #[error(
        "{}: expected rankings of {unit}, found none; score that first, with `run --rankings`", .folder.display()
    )]
    NotRanked {
        /// The results.
        folder: PathBuf,
        /// The unit.
        unit: String,
    },
    /// The file with the rankings cannot be right.
    #[error(transparent)]
    Rankings(#[from] RankingsError),
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn results_with_rankings_are_found_where_they_are_those_of_one_model() {
        let root = tempfile::tempdir().unwrap();
        let refused = || FirstStage::of_results(root.path(), 10).unwrap_err().to_string();
        assert!(refused().ends_with("(`run --rankings` or `--predictions`), found none"), "{}", refused());
        let one = root.path().join("maker__model/r1");
        fs::create_dir_all(one.join("rankings")).unwrap();
        fs::write(one.join("model_meta.json"), r#"{"name": "maker/model", "revision": "r1"}"#).unwrap();
        let found = FirstStage::of_results(root.path(), 10).unwrap();
        assert_eq!(found, FirstStage::of_results(&one, 10).unwrap());
        assert_eq!((found.name.as_str(), found.revision.as_str()), ("maker/model", "r1"));
        fs::create_dir_all(root.path().join("other/r2/predictions")).unwrap();
        assert!(refused().contains("found those of 2, as "), "{}", refused());
    }

    #[test]
    fn results_behind_a_first_stage_are_kept_apart() {
        let stage = FirstStage::of_file(Path::new("/runs/splade.v3.trec.gz"), 100);
        let info = stage.of(ModelInfo::default());
        assert_eq!(crate::experiment_name(&info).as_deref(), Some("rerank_depth_100__rerank_from_splade"));
        assert_eq!(stage.facts().get("depth"), Some(&Json::Int(100)));
    }
}
