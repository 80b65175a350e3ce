//! The interface of an extra measure, why one cannot be computed, and groups of queries by the
//! shape of their ids.

use std::collections::HashMap;

use crate::numeric::sequential_mean;
use crate::ranking::{DocumentIds, Evaluation, Outcome, PerQuery};

/// A measure of a whole run beside the usual ones.
pub trait ExtraMeasure: Sync {
    /// True if a number that it gives is called so.
    fn gives(&self, name: &str) -> bool;

    /// The least and the greatest number that it can give: those of a share, unless it says otherwise.
    fn range(&self) -> [f64; 2] {
        [0.0, 1.0]
    }

    /// What a run comes to.
    ///
    /// # Errors
    /// If the ids of queries, or the cuts, are not those that it needs.
    fn measure(&self, run: &JudgedRun<'_>) -> Result<ExtraScores, RankingError>;

    /// The numbers of [`Self::measure`] again, from per-query results.
    ///
    /// # Errors
    /// As [`Self::measure`], and if a column is absent.
    fn aggregate(&self, queries: &QueryColumns<'_>) -> Result<Vec<(String, f64)>, RankingError>;
}

/// A run that the usual measures have judged.
#[derive(Clone, Copy)]
pub struct JudgedRun<'a> {
    /// The ids of the queries.
    pub query_ids: &'a [&'a str],
    /// What was found for each query, and what is relevant.
    pub outcomes: &'a [Outcome<'a>],
    /// The ids of the documents.
    pub ids: &'a dyn DocumentIds,
    /// The usual measures of each query, and the cuts.
    pub evaluation: &'a Evaluation,
}

impl JudgedRun<'_> {
    /// The values of `measure` at `cut`, one a query.
    ///
    /// # Errors
    /// If `cut` is none of the cuts.
    pub fn at<'a>(&self, measure: &'a PerQuery, cut: usize) -> Result<&'a [f64], RankingError> {
        self.evaluation.at(measure, cut).ok_or(RankingError::NoCut { cut })
    }
}

/// The result of a run by one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtraScores {
    /// Named values of the run.
    pub scores: Vec<(String, ExtraValue)>,
    /// Named values of each query; NaN where there is none.
    pub queries: Vec<(String, Vec<f64>)>,
}

impl ExtraScores {
    /// The values of `measure` at each of `cuts`, `values[cut][query]`, with their means over queries.
    pub fn at_cuts(measure: &str, cuts: &[usize], values: PerQuery) -> Self {
        let names = cuts.iter().map(|cut| format!("{measure}_at_{cut}"));
        let queries: Vec<(String, Vec<f64>)> = names.zip(values).collect();
        let means = queries.iter().map(|(name, values)| (name.clone(), sequential_mean(values)));
        let scores = means.map(|(name, mean)| (name, ExtraValue::Number(mean))).collect();
        Self { scores, queries }
    }

    /// One number of the run alone.
    pub fn number(name: &str, value: f64) -> Self {
        Self { scores: vec![(name.to_owned(), ExtraValue::Number(value))], queries: Vec::new() }
    }
}

/// A value of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtraValue {
    /// A number, also NaN.
    Number(f64),
    /// Nothing, where the measure is not defined.
    Undefined,
    /// Several numbers by name.
    Numbers(Vec<(String, f64)>),
}

/// Per-query results of a run by all measures.
#[derive(Clone, Copy)]
pub struct QueryColumns<'a> {
    /// The ids of the queries.
    pub ids: &'a [&'a str],
    /// Named values, one a query; NaN where there is none.
    pub columns: &'a [(&'a str, &'a [f64])],
}

impl<'a> QueryColumns<'a> {
    /// The values called `name`.
    ///
    /// # Errors
    /// If there are none.
    pub fn column(&self, name: &str) -> Result<&'a [f64], RankingError> {
        let found = self.columns.iter().find(|(found, _)| *found == name);
        found.map(|(_, values)| *values).ok_or_else(|| RankingError::NoColumn {
            column: name.to_owned(),
            found: self.columns.iter().map(|(name, _)| *name).take(12).collect::<Vec<_>>().join(", "),
        })
    }

    /// The means over queries of `measure` at each cut.
    pub fn means_at_cuts(&self, measure: &str) -> Vec<(String, f64)> {
        let prefix = format!("{measure}_at_");
        self.columns(&prefix).map(|(name, values)| (name.to_owned(), sequential_mean(values))).collect()
    }

    /// The values whose names begin with `prefix`.
    pub fn columns<'b>(&self, prefix: &'b str) -> impl Iterator<Item = (&'a str, &'a [f64])> + use<'a, 'b> {
        self.columns.iter().copied().filter(move |(name, _)| name.starts_with(prefix))
    }
}

/// True for `measure_at_10` and its like, of one of `measures`.
pub fn is_at_a_cut(name: &str, measures: &[&str]) -> bool {
    name.rsplit_once("_at_").is_some_and(|(measure, cut)| {
        measures.contains(&measure) && cut.parse().is_ok_and(|cut: usize| cut > 0)
    })
}

/// The places of `ids` by `key`, groups in order of first appearance.
pub(super) fn group_by<'a, K>(ids: &[&'a str], key: impl Fn(&'a str) -> K) -> Vec<(K, Vec<usize>)>
where
    K: Copy + Eq + std::hash::Hash,
{
    let mut places: HashMap<K, usize> = HashMap::new();
    let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
    for (query, id) in ids.iter().enumerate() {
        let key = key(id);
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(query);
    }
    groups
}

/// The part of `id` before its first underscore, the whole id if there is none.
pub(super) fn before_first_underscore(id: &str) -> &str {
    id.split_once('_').map_or(id, |(before, _)| before)
}

/// The part of `id` before its last underscore, nothing if there is none.
pub(super) fn before_last_underscore(id: &str) -> &str {
    id.rsplit_once('_').map_or("", |(before, _)| before)
}

/// Why an extra measure cannot be computed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RankingError {
    /// A pair of queries is incomplete.
    #[error(
        "paired accuracy: expected a query `{expected}`, found none; the queries of a pair end in _q1 and _q2"
    )]
    MissingPartner {
        /// The query id that is absent.
        expected: String,
    },
    /// No query belongs to an instruction level.
    #[error(
        "level scores: no query id contains `{mark}`; ids name their instruction level with v1, v2 or v3"
    )]
    EmptyLevel {
        /// The mark that no id contains.
        mark: &'static str,
    },
    /// A measure needs a cut that is none of the run's.
    #[error("option `k_values`: expected {cut} among them, which an extra measure needs")]
    NoCut {
        /// The cut.
        cut: usize,
    },
    /// Per-query results lack a measure.
    #[error("expected a column `{column}` of numbers, found: {found}")]
    NoColumn {
        /// Its name.
        column: String,
        /// The columns that there are.
        found: String,
    },
    /// No topic can be compared.
    #[error("p-MRR: no changed document belongs to a topic that has both an -og and a -changed query")]
    NoTopic,
}
