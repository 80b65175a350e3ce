//! How well the clusters of each draw agree with labels, by the reference's measures and those
//! beside them, and the scores that follow from per-draw results.

use std::collections::{BTreeSet, HashMap};

use mteb_data::Texts;
use mteb_measures::cluster::{Contingency, MiniBatchKMeans, Rows};
use mteb_measures::numeric::{mean, standard_deviation};
use rayon::prelude::*;

use super::settings::Settings;
use crate::{EvaluateError, ItemColumn, Items, Scores};

/// Column of the clusters that are made with mini-batches of 32 rows.
const OF_PAPER: &str = "cluster_batch_32";

/// Clusterings while they are written down, one row per draw.
#[derive(Default)]
pub(super) struct Draws {
    sets: Vec<i64>,
    levels: Vec<i64>,
    rows: Vec<i64>,
    gold: Texts,
    clusters: Vec<i64>,
    of_paper: Vec<i64>,
}

impl Draws {
    /// Adds a clustering: its number, its level, and the place and the label of each row.
    pub fn add<'a>(
        &mut self,
        (set, level): (usize, usize),
        rows: impl Iterator<Item = (usize, &'a str)>,
        found: &Agreement,
    ) {
        let before = self.rows.len();
        for (place, (row, gold)) in rows.enumerate() {
            self.rows.push(row as i64);
            self.gold.push(gold);
            // What needs no clustering is one cluster.
            let cluster = |clusters: &[u32]| clusters.get(place).copied().unwrap_or(0).into();
            self.clusters.push(cluster(&found.clusters));
            self.of_paper.extend(found.extra.is_some().then(|| cluster(&found.clusters_of_paper)));
        }
        if self.rows.len() == before {
            // A set without rows counts, too.
            self.rows.push(-1);
            self.gold.push("");
            self.clusters.push(0);
            self.of_paper.extend(found.extra.map(|_| 0));
        }
        self.sets.resize(self.rows.len(), set as i64);
        self.levels.resize(self.rows.len(), level as i64);
    }

    /// The draws as a table; the number of a clustering is that of a set, or of an experiment on a level.
    pub fn items(self, are_sets: bool) -> Items {
        let mut items = Items::default();
        if are_sets {
            items.push("set", ItemColumn::Int(self.sets));
        } else {
            items.push("experiment", ItemColumn::Int(self.sets));
            items.push("level", ItemColumn::Int(self.levels));
        }
        let has_paper = !self.of_paper.is_empty();
        items.push("row", ItemColumn::Int(self.rows));
        items.push("gold", ItemColumn::Text(self.gold));
        items.push("cluster", ItemColumn::Int(self.clusters));
        if has_paper {
            items.push(OF_PAPER, ItemColumn::Int(self.of_paper));
        }
        items
    }
}

/// The means over all clusterings, and their deviations.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let (gold, clusters) = (items.texts("gold")?, items.ints("cluster")?);
    let of_paper = items.get(OF_PAPER).map(|_| items.ints(OF_PAPER)).transpose()?;
    let are_sets = items.get("set").is_some();
    let numbers = items.ints(if are_sets { "set" } else { "experiment" })?;
    let levels = if are_sets { None } else { Some(items.ints("level")?) };
    let key = |row: usize| (levels.map_or(0, |levels| levels[row]), numbers[row]);
    let starts: Vec<usize> = (0..items.rows()).filter(|&row| row == 0 || key(row) != key(row - 1)).collect();
    let ends = starts.iter().skip(1).copied().chain([items.rows()]);
    let ranges: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
    let small = |cells: &[i64]| cells.iter().map(|&cell| u32::try_from(cell).unwrap_or(0)).collect();
    let agreements: Vec<Agreement> = ranges
        .into_par_iter()
        .map(|(start, end)| {
            let distinct: BTreeSet<&str> = gold.range(start..end).collect();
            if are_sets && distinct.len() <= 1 {
                return Agreement::perfect(of_paper.is_some());
            }
            let codes: HashMap<&str, u32> = distinct.into_iter().zip(0..).collect();
            let classes: Vec<u32> = gold.range(start..end).map(|label| codes[label]).collect();
            let of_paper = of_paper.map(|cells| small(&cells[start..end]));
            Agreement::measure(&classes, small(&clusters[start..end]), of_paper)
        })
        .collect();
    let mut named = vec![("v_measure", values(&agreements, |agreement| agreement.v_measure))];
    if !are_sets {
        named.push(("ami", values(&agreements, |agreement| agreement.adjusted_information)));
    }
    named.extend(extra_values(&agreements));
    let mut scores = Scores::new();
    for (name, values) in named {
        scores.insert(name, mean(&values));
        scores.insert(format!("{name}_std"), standard_deviation(&values));
    }
    Ok(scores)
}

fn values(agreements: &[Agreement], value: fn(&Agreement) -> f64) -> Vec<f64> {
    agreements.iter().map(value).collect()
}

/// Agreement of one clustering with the labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Agreement {
    pub v_measure: f64,
    pub adjusted_information: f64,
    /// Measures beside those of the reference, if they are wanted.
    pub extra: Option<ExtraAgreement>,
    /// The cluster of each row; empty for rows that need no clustering.
    pub clusters: Vec<u32>,
    /// Their clusters as the paper makes them, if measures beside those of the reference are wanted.
    pub clusters_of_paper: Vec<u32>,
}

/// Measures beside those of the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ExtraAgreement {
    pub normalized_information: f64,
    pub rand_index: f64,
    /// V-measure of clusters that were made with mini-batches of 32 rows.
    pub v_measure_of_paper: f64,
}

impl Agreement {
    /// Of things that need no clustering, as they have one label.
    pub fn perfect(extra: bool) -> Self {
        let all = ExtraAgreement { normalized_information: 1.0, rand_index: 1.0, v_measure_of_paper: 1.0 };
        let extra = extra.then_some(all);
        Self { v_measure: 1.0, adjusted_information: 1.0, extra, ..Self::default() }
    }

    /// Clusters `drawn` of `rows` into `count` clusters and compares them with `classes`, one a drawn row.
    pub fn of(settings: &Settings, rows: Rows<'_>, drawn: &[u32], classes: &[u32], count: usize) -> Self {
        let clusters = |learner: MiniBatchKMeans| learner.fit(rows, drawn).labels;
        let of_paper = settings.extra.then(|| clusters(settings.k_means_of_paper(count)));
        Self::measure(classes, clusters(settings.k_means(count)), of_paper)
    }

    /// Compares clusters with `classes`; if there are some made as the paper makes them, by all measures.
    pub fn measure(classes: &[u32], clusters: Vec<u32>, of_paper: Option<Vec<u32>>) -> Self {
        let found = Contingency::new(classes, &clusters);
        Self {
            v_measure: found.v_measure(),
            adjusted_information: found.adjusted_mutual_information(),
            extra: of_paper.as_ref().map(|of_paper| ExtraAgreement {
                normalized_information: found.normalized_mutual_information(),
                rand_index: found.adjusted_rand_index(),
                v_measure_of_paper: Contingency::new(classes, of_paper).v_measure(),
            }),
            clusters,
            clusters_of_paper: of_paper.unwrap_or_default(),
        }
    }
}

/// Names and values of the measures beside those of the reference, over all clusterings; empty if they are not wanted.
pub(super) fn extra_values(agreements: &[Agreement]) -> Vec<(&'static str, Vec<f64>)> {
    let values = |value: fn(&ExtraAgreement) -> f64| -> Vec<f64> {
        agreements.iter().filter_map(|agreement| agreement.extra.as_ref().map(value)).collect()
    };
    let named = [
        ("nmi", values(|extra| extra.normalized_information)),
        ("ari", values(|extra| extra.rand_index)),
        ("v_measure_batch_32", values(|extra| extra.v_measure_of_paper)),
    ];
    named.into_iter().filter(|(_, values)| !values.is_empty()).collect()
}
