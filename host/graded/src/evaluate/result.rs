//! The file of an evaluation: the curves of all systems on one unit, checked, with the version of
//! the pool they rest on.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::curves::DEPTH;
use super::{Curves, Unjudged};
use crate::GradedError;
use crate::files::write;

/// The schema that is written and read.
const SCHEMA: u32 = 1;

/// All systems on one unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluated {
    /// Schema of the file.
    pub graded: u32,
    /// The task.
    pub task: String,
    /// Its split.
    pub split: String,
    /// Its subset.
    pub subset: String,
    /// Version of the pool.
    pub pool: String,
    /// Documents of each ranking in the pool.
    pub pool_depth: usize,
    /// Documents that rerankers reranked; absent if there is no reranker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rerank_depth: Option<usize>,
    /// What unjudged documents count.
    pub unjudged: Unjudged,
    /// How thresholds were found, as `own` or `p90`.
    pub threshold: String,
    /// The judges, in the order of the curves.
    pub judges: Vec<JudgeFacts>,
    /// The systems.
    pub systems: Vec<SystemCurves>,
}

/// A judge of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgeFacts {
    /// Its name.
    pub name: String,
    /// Its model.
    pub model: String,
    /// Its prompt and version.
    pub prompt: String,
    /// The score from which on a document is relevant; absent if no score reaches it.
    pub threshold: Option<f64>,
    /// Pairs of the pool.
    pub pairs: usize,
    /// Pairs that it judged.
    pub judged: usize,
    /// Hash of its scores of the pool, as [`super::Grades::hash`] gives it; absent in files of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<String>,
}

/// The curves of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemCurves {
    /// The system.
    pub system: SystemName,
    /// One curve a judge.
    pub curves: Vec<Curves>,
}

/// A system: an embedder, alone or with a reranker behind it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemName {
    /// The embedder.
    pub embedder: String,
    /// The reranker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reranker: Option<String>,
}

impl fmt::Display for SystemName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reranker {
            Some(reranker) => write!(out, "{} + {reranker}", self.embedder),
            None => out.write_str(&self.embedder),
        }
    }
}

impl Evaluated {
    /// The schema of new files.
    pub const SCHEMA: u32 = SCHEMA;
}

/// Writes an evaluation.
///
/// # Errors
/// If it cannot be written; what was there before is then still there.
pub fn write_evaluated(path: &Path, evaluated: &Evaluated) -> Result<(), GradedError> {
    let text = serde_json::to_string(evaluated);
    let text = text.map_err(|error| GradedError::file(path, "write", error.into()))?;
    write(path, (text + "\n").as_bytes())
}

/// Reads an evaluation.
///
/// # Errors
/// If it cannot be read, is none, or has what no evaluation can come to.
pub fn read_evaluated(path: &Path) -> Result<Evaluated, GradedError> {
    let text = mteb_files::read_to_string(path, mteb_files::TEXT);
    let text = text.map_err(|error| GradedError::file(path, "read", error))?;
    let expected = || format!("an evaluation of schema {SCHEMA}");
    let read: Evaluated =
        serde_json::from_str(&text).map_err(|error| GradedError::fault(path.display(), expected(), error))?;
    if read.graded != SCHEMA {
        return Err(GradedError::fault(path.display(), expected(), read.graded));
    }
    for system in &read.systems {
        let place = || format!("{}, system {}", path.display(), system.system);
        if system.curves.len() != read.judges.len() {
            let found = system.curves.len();
            return Err(GradedError::fault(
                place(),
                format!("curves of {} judges", read.judges.len()),
                found,
            ));
        }
        for ((curves, judge), first) in system.curves.iter().zip(&read.judges).zip(&read.systems[0].curves) {
            let place = || format!("{}, judge {}", place(), judge.name);
            check_curves(curves).map_err(|(expected, found)| GradedError::fault(place(), expected, found))?;
            // All systems are measured over the same queries.
            let counts = |curves: &Curves| (curves.queries, curves.without_gain, curves.without_relevant);
            if counts(curves) != counts(first) {
                let expected = format!("the counts of queries of {}", read.systems[0].system);
                return Err(GradedError::fault(place(), expected, "others"));
            }
        }
    }
    match read.judges.iter().find(|judge| judge.judged > judge.pairs) {
        Some(judge) => {
            let place = format!("{}, judge {}", path.display(), judge.name);
            let expected = format!("at most {} judged pairs", judge.pairs);
            Err(GradedError::fault(place, expected, judge.judged))
        }
        None => Ok(read),
    }
}

/// Room for rounding.
const ROUNDING: f64 = 1e-9;

/// Checks the curves of one system by one judge.
///
/// # Errors
/// What was expected, and what was found instead.
fn check_curves(curves: &Curves) -> Result<(), (String, String)> {
    for (name, numbers) in [("ndcg", &curves.ndcg), ("recall", &curves.recall), ("judged", &curves.judged)] {
        if numbers.len() != DEPTH {
            return Err((
                format!("{DEPTH} numbers of `{name}`, one a rank"),
                format!("{} numbers", numbers.len()),
            ));
        }
        let is_share = |number: &f64| (-ROUNDING..=1.0 + ROUNDING).contains(number);
        if let Some(place) = numbers.iter().position(|number| !is_share(number)) {
            let expected = format!("a number from 0 to 1 as `{name}` at {}", place + 1);
            return Err((expected, numbers[place].to_string()));
        }
    }
    match curves.recall.windows(2).position(|pair| pair[1] < pair[0] - ROUNDING) {
        Some(place) => {
            let (before, after) = (curves.recall[place], curves.recall[place + 1]);
            let expected = format!("`recall` at {} of at least {before}, that at {}", place + 2, place + 1);
            Err((expected, after.to_string()))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(change: impl FnOnce(&mut Curves)) -> String {
        let shares = || vec![0.5; DEPTH];
        let mut curves = Curves { ndcg: shares(), recall: shares(), judged: shares(), ..Curves::default() };
        change(&mut curves);
        check_curves(&curves)
            .map_or_else(|(expected, found)| format!("{expected}, {found}"), |()| String::new())
    }

    #[test]
    fn curves_are_shares_at_every_rank() {
        assert_eq!(fault(|_| ()), "");
        assert_eq!(fault(|curves| curves.ndcg[0] = 9.9), "a number from 0 to 1 as `ndcg` at 1, 9.9");
        assert_eq!(fault(|curves| curves.judged[99] = -1.0), "a number from 0 to 1 as `judged` at 100, -1");
        assert_eq!(fault(|curves| curves.ndcg.truncate(99)), "100 numbers of `ndcg`, one a rank, 99 numbers");
        assert_eq!(fault(|curves| curves.recall[7] = 0.25), "`recall` at 8 of at least 0.5, that at 7, 0.25");
    }
}
