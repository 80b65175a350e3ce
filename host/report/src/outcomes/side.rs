//! What one model came to on the items of a unit, and how it is read where one measure is of all
//! items together: pairs and clusterings.

use std::collections::{BTreeMap, HashMap};

use mteb_items::outcomes::{ItemColumn, Items, OutcomesError};
use mteb_measures::cluster::Contingency;
use mteb_measures::pair::average_precision;

use crate::compare::{Statistic, Texts};

/// The items of a unit for one model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    /// What an item is, in the plural.
    pub kind: &'static str,
    /// Where their texts are found.
    pub texts: Texts,
    /// The measure of the unit.
    pub measure: String,
    /// The measure of an item.
    pub item_measure: &'static str,
    /// Their ids, each once.
    pub ids: Vec<String>,
    /// What each came to.
    pub values: Values,
}

/// What items came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// A score each, whose mean is that of the unit.
    Scores(Vec<f64>),
    /// Gold and a number each, of whose order the score of the unit is made.
    Ranked { statistic: Statistic, gold: Vec<f64>, numbers: Vec<f64> },
}

impl Side {
    /// What the items come to together: their mean, or the statistic of all.
    pub fn whole(&self) -> f64 {
        match &self.values {
            Values::Scores(scores) => scores.iter().sum::<f64>() / scores.len() as f64,
            Values::Ranked { statistic, gold, numbers } => statistic.of(gold, numbers),
        }
    }
}

/// Rows as ids.
pub(super) fn ids(rows: &[i64]) -> Vec<String> {
    rows.iter().map(i64::to_string).collect()
}

/// Columns of what pairs are compared by.
const MEASURES: [&str; 5] = ["similarity", "cosine", "manhattan", "euclidean", "dot"];

/// The pairs; the score of the unit is `main_score` where it is a correlation or an average
/// precision, else the nearest to it.
///
/// # Errors
/// If a column is absent.
pub(super) fn read_pairs(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (are_kinds, gold) = match items.get("gold") {
        Some(ItemColumn::Int(kinds)) => (true, kinds.iter().map(|&kind| kind as f64).collect()),
        _ => (false, items.floats("gold")?.to_vec()),
    };
    let (column, statistic, name) = match are_kinds {
        true => {
            let column = best_column(items, main_score, &gold)?;
            (column, Statistic::AveragePrecision, "ap")
        }
        false if main_score.ends_with("pearson") => {
            (find_column_of_score(main_score), Statistic::Pearson, "pearson")
        }
        false => (find_column_of_score(main_score), Statistic::Spearman, "spearman"),
    };
    Ok(Side {
        kind: "pairs",
        texts: Texts::Rows,
        measure: if are_kinds && main_score.starts_with("max_") {
            "max_ap".to_owned()
        } else {
            format!("{column}_{name}")
        },
        item_measure: if are_kinds { SIDES } else { NEARNESS },
        ids: ids(items.ints("row")?),
        values: Values::Ranked { statistic, gold, numbers: items.floats(column)?.to_vec() },
    })
}

const SIDES: &str = "share of the pairs of the other kind that are on their side of it";
/// The measure of an item of a correlation.
pub(super) const NEARNESS: &str = "1 minus the difference of its ranks by gold and by the model, as a share";

/// The column that a score is of: `cosine_spearman` is of `cosine`; a score without a prefix is of
/// the model's own similarity.
pub(super) fn find_column_of_score(score: &str) -> &'static str {
    MEASURES.into_iter().find(|measure| score.starts_with(measure)).unwrap_or(MEASURES[0])
}

/// The column of a score of pairs with labels; of the best of all columns, that which has the best
/// average precision.
fn best_column(items: &Items, main_score: &str, gold: &[f64]) -> Result<&'static str, OutcomesError> {
    if !main_score.starts_with("max_") {
        return Ok(find_column_of_score(main_score));
    }
    let kinds: Vec<bool> = gold.iter().map(|&gold| gold > 0.0).collect();
    let mut best = (MEASURES[0], f64::NEG_INFINITY);
    for column in MEASURES {
        let precision = average_precision(items.floats(column)?, &kinds);
        if precision > best.1 {
            best = (column, precision);
        }
    }
    Ok(best.0)
}

/// The clusterings with their V-measure: the experiments of each level, or the sets.
///
/// # Errors
/// If a column is absent.
pub(super) fn read_clusterings(items: &Items) -> Result<Side, OutcomesError> {
    let (gold, clusters) = (items.texts("gold")?, items.ints("cluster")?);
    let are_sets = items.get("set").is_some();
    let numbers = items.ints(if are_sets { "set" } else { "experiment" })?;
    let levels = if are_sets { None } else { Some(items.ints("level")?) };
    let mut draws: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
    for (row, &number) in numbers.iter().enumerate() {
        draws.entry((levels.map_or(0, |levels| levels[row]), number)).or_default().push(row);
    }
    let name = |(level, number): &(i64, i64)| match are_sets {
        true => format!("set {number}"),
        false => format!("level {level}, experiment {number}"),
    };
    let measured = |rows: &Vec<usize>| {
        let labels: Vec<&str> = rows.iter().map(|&row| &gold[row]).collect();
        let found: Vec<i64> = rows.iter().map(|&row| clusters[row]).collect();
        let classes = number_equal_cells(&labels);
        match are_sets && classes.iter().all(|&class| class == 0) {
            // A set of one label needs no clustering.
            true => 1.0,
            false => Contingency::new(&classes, &number_equal_cells(&found)).v_measure(),
        }
    };
    Ok(Side {
        kind: if are_sets { "sets" } else { "experiments" },
        texts: Texts::Nowhere,
        measure: "v_measure".to_owned(),
        item_measure: "the same measure",
        ids: draws.keys().map(name).collect(),
        values: Values::Scores(draws.values().map(measured).collect()),
    })
}

/// Equal cells get equal numbers, from 0.
fn number_equal_cells<T: std::hash::Hash + Eq + Copy>(cells: &[T]) -> Vec<u32> {
    let mut numbers: HashMap<T, u32> = HashMap::new();
    let mut number = |cell: &T| {
        let next = numbers.len() as u32;
        *numbers.entry(*cell).or_insert(next)
    };
    cells.iter().map(&mut number).collect()
}
