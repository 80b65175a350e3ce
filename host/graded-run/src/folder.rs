//! Where the files of graded relevance lie.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use mteb_files::{folder_name, own_name};
use mteb_graded::GradedError;
use mteb_results::UnitName;

/// Most bytes of the head of a pool.
const HEAD: u64 = 1 << 24;

/// The folder of pools, judgements and evaluations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GradedFolder(PathBuf);

impl GradedFolder {
    /// The folder at `path`, which need not be there.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The pool of a unit.
    pub fn pool(&self, unit: UnitName<'_>) -> PathBuf {
        self.of_unit("pools", unit, "jsonl")
    }

    /// The pairs that the newest pool of a unit has beyond the one before it.
    pub fn new_pairs(&self, unit: UnitName<'_>) -> PathBuf {
        self.of_unit("new", unit, "jsonl")
    }

    /// The files of all pools, sorted; none if the folder is not there.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn pools(&self) -> io::Result<Vec<PathBuf>> {
        files(&self.0.join("pools"), "jsonl")
    }

    /// The judgements of a judge.
    pub fn judgements(&self, judge: &str) -> PathBuf {
        self.0.join("judgements").join(format!("{judge}.jsonl"))
    }

    /// The judgements of a judge in one shard of so many, which `graded merge` adds to those of all.
    pub fn judgements_of_shard(&self, judge: &str, (shard, of): (usize, usize)) -> PathBuf {
        self.shards_of(judge).join(format!("{shard}-of-{of}.jsonl"))
    }

    /// The files of all shards of a judge, sorted; none if nobody has begun one.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn judged_in_shards(&self, judge: &str) -> io::Result<Vec<PathBuf>> {
        files(&self.shards_of(judge), "jsonl")
    }

    fn shards_of(&self, judge: &str) -> PathBuf {
        self.0.join("shards").join(judge)
    }

    /// The card of a judge, beside its judgements.
    pub fn judge_card(&self, judge: &str) -> PathBuf {
        self.judgements(judge).with_file_name(format!("{judge}.toml"))
    }

    /// Checks that the place of a judge's card has such a card, or nothing, and that the folder of the judgements is no link.
    ///
    /// # Errors
    /// If something else is there.
    pub fn check_judge_card(&self, judge: &str) -> Result<(), PlaceError> {
        let path = self.judge_card(judge);
        self.check_way(&path)?;
        match mteb_files::check(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(PlaceError::Unreadable { path, source })
            }
            Err(_) => Ok(()),
            Ok(()) => match mteb_files::read_to_string(&path, mteb_files::TEXT) {
                Ok(found) if found.is_empty() || is_card(&found) => Ok(()),
                _ => {
                    let (expected, found) = ("the card of a judge", "something else");
                    Err(PlaceError::Other { path, expected, found })
                }
            },
        }
    }

    /// The files of all judgements, sorted.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn judged(&self) -> io::Result<Vec<PathBuf>> {
        files(&self.0.join("judgements"), "jsonl")
    }

    /// The evaluation of a unit.
    pub fn evaluation(&self, unit: UnitName<'_>) -> PathBuf {
        self.of_unit("evaluations", unit, "json")
    }

    /// The evaluation of a unit under the name that earlier versions gave it, which others can have.
    pub fn earlier_evaluation(&self, unit: UnitName<'_>) -> PathBuf {
        let file = format!("{}.json", folder_name(unit.subset));
        self.0.join("evaluations").join(folder_name(unit.task)).join(folder_name(unit.split)).join(file)
    }

    /// The files of all evaluations, sorted.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn evaluations(&self) -> io::Result<Vec<PathBuf>> {
        files(&self.0.join("evaluations"), "json")
    }

    /// The scores that a reranker gave to pairs of a unit.
    pub fn reranked(&self, model: &str, revision: &str, unit: UnitName<'_>) -> PathBuf {
        self.0
            .join("reranked")
            .join(folder_name(model))
            .join(folder_name(revision))
            .join(self.below(unit, "trec.gz"))
    }

    /// The scores that rerankers gave to pairs of a unit, sorted.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn reranked_of(&self, unit: UnitName<'_>) -> io::Result<Vec<PathBuf>> {
        let end = self.below(unit, "trec.gz");
        let files = files(&self.0.join("reranked"), "gz")?;
        Ok(files.into_iter().filter(|file| file.ends_with(&end)).collect())
    }

    fn of_unit(&self, kind: &str, unit: UnitName<'_>, extension: &str) -> PathBuf {
        self.0.join(kind).join(self.below(unit, extension))
    }

    /// The place of a unit's files in the folder of their kind, by names that no other unit has; where an earlier version left a pool of
    /// this unit under a name that others can have, that name.
    fn below(&self, unit: UnitName<'_>, extension: &str) -> PathBuf {
        let by = |name: &dyn Fn(&str) -> String, extension: &str| {
            let file = format!("{}.{extension}", name(unit.subset));
            Path::new(&name(unit.task)).join(name(unit.split)).join(file)
        };
        let pool = |name: &dyn Fn(&str) -> String| self.0.join("pools").join(by(name, "jsonl"));
        let (own, earlier) = (pool(&own_name), pool(&folder_name));
        let is_earlier = || own.symlink_metadata().is_err() && is_pool_of(&earlier, unit);
        if earlier != own && is_earlier() { by(&folder_name, extension) } else { by(&own_name, extension) }
    }
}

/// Why what is in the graded folder at `path` cannot be read.
pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> GradedError {
    let file = path.display().to_string();
    |error| GradedError::File { file, what: "read", error }
}

/// True if the head of the pool at `path` says that it is of `unit`.
fn is_pool_of(path: &Path, unit: UnitName<'_>) -> bool {
    let mut head = String::new();
    let read = mteb_files::open(path).and_then(|file| BufReader::new(file.take(HEAD)).read_line(&mut head));
    let head: serde_json::Value =
        read.ok().and_then(|_| serde_json::from_str(&head).ok()).unwrap_or_default();
    let from = &head["from"];
    from["task"] == unit.task && from["split"] == unit.split && from["subset"] == unit.subset
}

/// True if a text is meant for the card of a judge, whether or not it is sound.
fn is_card(text: &str) -> bool {
    let table = text.parse::<toml::Table>();
    table.is_ok_and(|table| table.contains_key("endpoint") && table.contains_key("prompt"))
}

/// The files with this extension in `folder` and the folders in it, sorted.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            entries => entries?,
        };
        for entry in entries {
            let path = entry?.path();
            let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
            if path.is_dir() && !is_hidden {
                folders.push(path);
            } else if !is_hidden && path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Something that somebody else has put where a generated file is to be.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// A folder on the way is a link.
    #[error("{}: expected a folder, found a link; move it away", .0.display())]
    Link(PathBuf),
    /// Something else is there.
    #[error("{}: expected {expected}, or nothing, found {found}; move it away", .path.display())]
    Other {
        /// The place.
        path: PathBuf,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// Nobody can tell what is there.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
