//! Why the rankings of a unit, or the scores beside them, do not serve: they must be of different
//! systems, and those that others made as deep as a pool.

use std::collections::HashSet;
use std::io;
use std::path::PathBuf;

use mteb_graded::GradedError;
use mteb_items::rankings::{Rankings, RankingsError};
use mteb_results::{ResultFault, UnitName};

/// Rankings or scores that are absent, of something else, or cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RankingError {
    /// Nobody has ranked the unit.
    #[error(
        "{unit}: expected rankings in {}, found none; run `mteb-host graded rank MODEL` first", shown(.folders)
    )]
    None {
        /// The unit.
        unit: String,
        /// The folders of results that were looked in.
        folders: Vec<PathBuf>,
    },
    /// A ranking holds fewer documents than are asked for.
    #[error(
        "{}: expected the best {expected} documents of each query, found a ranking of {found}; `mteb-host graded rank` \
         makes a deeper one",
        .path.display()
    )]
    Shallow {
        /// The run file.
        path: PathBuf,
        /// Documents of each query that are needed.
        expected: usize,
        /// Documents of each query that were asked for when it was made.
        found: usize,
    },
    /// A ranking is of other data.
    #[error(
        "{}: expected a ranking of {expected}, found one of {found}; run `mteb-host graded rank` again{}",
        .path.display(),
        if .expected.starts_with("pack ") { ", with `--registry` if it is of an earlier edition" } else { "" }
    )]
    OtherData {
        /// The run file.
        path: PathBuf,
        /// The data of the pool.
        expected: String,
        /// The data that was searched.
        found: String,
    },
    /// Two rankings of a unit are of one system.
    #[error(
        "expected one ranking of {task} by {system}, found two: {} and {}", .paths[0].display(), .paths[1].display()
    )]
    Twice {
        /// The task.
        task: String,
        /// The system.
        system: String,
        /// Both run files.
        paths: Box<[PathBuf; 2]>,
    },
    /// A ranking that is given has the name of another one.
    #[error(
        "expected one ranking of {task} by {system}, found two; give one of them another name: `--rankings-file NAME=FILE`"
    )]
    GivenTwice {
        /// The task.
        task: String,
        /// The system.
        system: String,
    },
    /// A ranking that is given holds fewer documents than are asked of it.
    #[error(
        "{task}: expected the best {expected} documents of each query by {system}, found at most {found}; give a deeper \
         ranking, or a smaller `--depth`"
    )]
    GivenShallow {
        /// The task.
        task: String,
        /// The system.
        system: String,
        /// Documents of each query that are needed.
        expected: usize,
        /// Documents of the query that has most.
        found: usize,
    },
    /// A folder of results cannot be read.
    #[error("{}: cannot read the folder: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run file cannot be read.
    #[error("{}: cannot read it: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run file holds no rankings.
    #[error(transparent)]
    Rankings(#[from] RankingsError),
    /// The hash of a run file cannot be had.
    #[error(transparent)]
    Hash(#[from] GradedError),
    /// The results beside a ranking cannot be right.
    #[error("{}: {source}", .path.display())]
    Results {
        /// The result file.
        path: PathBuf,
        /// Why.
        source: ResultFault,
    },
    /// A folder of results is not there.
    #[error("{}: expected a folder of results, found none", .0.display())]
    NoFolder(PathBuf),
    /// No system has scores of all tasks.
    #[error(
        "{}: expected results of a system on all of the evaluated tasks, found none; run `mteb-host graded rank` first",
        shown(.0)
    )]
    NoScores(Vec<PathBuf>),
}

impl RankingError {
    /// No ranking of `unit` is in the folders `results`.
    pub(crate) fn none(unit: UnitName<'_>, results: &[PathBuf]) -> Self {
        Self::None { unit: unit.to_string(), folders: results.to_vec() }
    }
}

fn shown(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Checks the `systems` of a unit with their rankings and the depth that is asked of each; the first `own` are those of runs, which say
/// themselves how deep they are.
///
/// # Errors
/// If two have one name, or a ranking of others holds fewer documents than are asked of it, though more can be found.
pub fn check_given(
    unit: &UnitName<'_>,
    systems: &[(&str, &Rankings, usize)],
    own: usize,
) -> Result<(), RankingError> {
    let mut seen = HashSet::new();
    if let Some((twice, ..)) = systems.iter().find(|(system, ..)| !seen.insert(*system)) {
        return Err(RankingError::GivenTwice { task: unit.task.to_owned(), system: (*twice).to_owned() });
    }
    let deepest = systems.iter().map(|(_, rankings, _)| longest(rankings)).max().unwrap_or(0);
    let is_short = |rankings: &Rankings, depth: usize| longest(rankings) < depth.min(deepest.max(1));
    match systems.iter().skip(own).find(|(_, rankings, depth)| is_short(rankings, *depth)) {
        Some((system, rankings, depth)) => Err(RankingError::GivenShallow {
            task: unit.task.to_owned(),
            system: (*system).to_owned(),
            expected: *depth,
            found: longest(rankings),
        }),
        None => Ok(()),
    }
}

/// Documents of the query that has most.
fn longest(rankings: &Rankings) -> usize {
    rankings.found.iter().map(Vec::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use mteb_items::rankings::Ranked;

    use super::*;

    fn ranking(documents: usize) -> Rankings {
        let found = Ranked { line: 0, document: 0, score: 0.0 };
        Rankings { queries: vec!["q".to_owned()], found: vec![vec![found; documents]], ..Rankings::default() }
    }

    #[test]
    fn names_are_different_and_rankings_of_others_as_deep_as_the_pool() {
        let unit = UnitName { task: "T", split: "test", subset: "default" };
        let (deep, short, none) = (ranking(5), ranking(3), ranking(0));
        let check = |systems: &[(&str, &Rankings)], own| {
            let systems: Vec<_> = systems.iter().map(|(system, rankings)| (*system, *rankings, 5)).collect();
            check_given(&unit, &systems, own).map_err(|error| error.to_string())
        };
        assert_eq!(check(&[("a", &deep), ("b", &deep)], 1), Ok(()));
        assert_eq!(check(&[("a", &short), ("b", &deep)], 2), Ok(()), "runs say themselves how deep they are");
        assert_eq!(check(&[("a", &short), ("b", &short)], 0), Ok(()), "no more can be found");
        let twice = check(&[("a", &deep), ("a", &deep)], 1).unwrap_err();
        assert!(twice.starts_with("expected one ranking of T by a, found two"), "{twice}");
        let found = check(&[("a", &deep), ("b", &short)], 1).unwrap_err();
        assert!(
            found.starts_with("T: expected the best 5 documents of each query by b, found at most 3"),
            "{found}"
        );
        assert!(check(&[("b", &none)], 0).is_err());
        let control = [("a", &deep, 5), ("control", &short, 3)];
        check_given(&unit, &control, 0).expect("as deep as is asked of it");
    }
}
