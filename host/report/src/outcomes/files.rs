//! The files of outcomes of two rows of a table, each held to the result that it lies beside, and
//! their items beside each other.

use std::collections::HashMap;
use std::sync::Arc;

use mteb_items::outcomes::OutcomesError;
use serde_json::Value;

use super::origin::{list_differences, list_model_differences};
use super::side::{Side, Values};
use super::unit_outcomes::{Heads, OutcomesFault, UnitOutcomes, read_unit_outcomes};
use crate::compare::{Found, ItemSource, PairedItem, PairedUnit, Ranked, Unlike, Whole};
use crate::table::Row;

/// The outcomes that lie beside the results of two rows.
pub struct OutcomeFiles<'a> {
    rows: [&'a Row; 2],
    heads: Heads,
}

impl<'a> OutcomeFiles<'a> {
    /// The outcomes of `first` and `second`.
    pub fn new(first: &'a Row, second: &'a Row) -> Self {
        Self { rows: [first, second], heads: Heads::default() }
    }

    fn read_outcomes(
        &self,
        place: usize,
        task: &str,
        split: &str,
        subset: &str,
    ) -> Result<Option<UnitOutcomes>, OutcomesFault> {
        read_unit_outcomes(&self.heads, &self.rows[place].places, (task, split, subset))
    }

    /// What the results of both say of themselves, of those folders that have the task.
    fn both_heads(&self, task: &str) -> Option<[Arc<Option<Value>>; 2]> {
        let head = |row: &Row| {
            let mut heads = row.places.iter().map(|folder| self.heads.of(folder, task));
            heads.find(|head| head.is_some())
        };
        Some([head(self.rows[0])?, head(self.rows[1])?])
    }
}

impl ItemSource for OutcomeFiles<'_> {
    fn items(&self, task: &str, split: &str, subset: &str, main_score: &str) -> Found {
        let place = format!("{task}, split {split}, subset {subset}");
        let (first, second) = match [0, 1].map(|row| self.read_outcomes(row, task, split, subset)) {
            [Ok(first), Ok(second)] => (first, second),
            faults => {
                let faults = faults.into_iter().filter_map(Result::err);
                return Found::LeftOut(faults.map(|fault| fault.to_string()).collect());
            }
        };
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (None, None) => return Found::Neither,
            (first, _) => return Found::Without(usize::from(first.is_some())),
        };
        let other = list_differences(&first.unit, &second.unit, (split, subset));
        if !other.is_empty() {
            return Found::LeftOut(vec![format!("{place}: outcomes left out: {}", other.join(", "))]);
        }
        match pair_sides([&first, &second], main_score) {
            Ok(unit) => Found::Paired(unit),
            Err(why) => Found::LeftOut(vec![format!("{place}: outcomes left out: {why}")]),
        }
    }

    fn unlike(&self, task: &str) -> Unlike {
        let Some(heads) = self.both_heads(task) else { return Unlike::default() };
        let [Some(first), Some(second)] = heads.each_ref().map(|head| (**head).as_ref()) else {
            return Unlike::default();
        };
        let mut data: Vec<String> = Vec::new();
        for (split, subsets) in first["units"].as_object().into_iter().flatten() {
            for (subset, one) in subsets.as_object().into_iter().flatten() {
                let Some(other) = second["units"][split].get(subset) else { continue };
                let new: Vec<String> = list_differences(one, other, (split, subset))
                    .into_iter()
                    .filter(|line| !data.contains(line))
                    .collect();
                data.extend(new);
            }
        }
        let model = match self.rows[0].model == self.rows[1].model {
            true => list_model_differences(&first["model"], &second["model"]),
            false => Vec::new(),
        };
        Unlike { data, model }
    }
}

/// The items of both sides beside each other.
fn pair_sides([first, second]: [&UnitOutcomes; 2], main_score: &str) -> Result<PairedUnit, PairFault> {
    pair_items(first.side(main_score)?, second.side(main_score)?)
}

/// The items that both have, in the order of the first.
///
/// # Errors
/// If there is none, or their gold differs.
fn pair_items(first: Side, second: Side) -> Result<PairedUnit, PairFault> {
    let places: HashMap<&str, usize> = second.ids.iter().map(String::as_str).zip(0..).collect();
    let both: Vec<(usize, usize)> =
        (0..).zip(&first.ids).filter_map(|(place, id)| Some((place, *places.get(id.as_str())?))).collect();
    if both.is_empty() {
        return Err(PairFault::NoneInCommon);
    }
    let unmatched = first.ids.len() + second.ids.len() - 2 * both.len();
    let pick = |values: &[f64], which: fn(&(usize, usize)) -> usize| -> Vec<f64> {
        both.iter().map(|pair| values[which(pair)]).collect()
    };
    let one = |pair: &(usize, usize)| pair.0;
    let other = |pair: &(usize, usize)| pair.1;
    let (whole, scores): (Whole, Vec<[f64; 2]>) = match (&first.values, &second.values) {
        (Values::Scores(left), Values::Scores(right)) => {
            let scores = pick(left, one).into_iter().zip(pick(right, other));
            (Whole::Mean, scores.map(|(left, right)| [left, right]).collect())
        }
        (
            Values::Ranked { statistic, gold, numbers },
            Values::Ranked { statistic: same, gold: other_gold, numbers: others },
        ) if statistic == same => {
            let gold = pick(gold, one);
            if gold != pick(other_gold, other) {
                return Err(PairFault::OtherGold);
            }
            let ranked = Ranked::new(*statistic, gold, [pick(numbers, one), pick(others, other)]);
            let placed = ranked.place_items();
            (Whole::Ranked(ranked), placed)
        }
        _ => return Err(PairFault::TwoKinds),
    };
    let items = both.iter().zip(scores).map(|(pair, scores)| PairedItem {
        id: first.ids[pair.0].clone(),
        text: None,
        scores,
    });
    Ok(PairedUnit {
        kind: first.kind,
        texts: first.texts,
        measure: first.measure,
        item_measure: first.item_measure,
        whole,
        items: items.collect(),
        unmatched,
    })
}

/// Why the items of two models cannot stand beside each other.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
enum PairFault {
    /// The outcomes of one lack a column.
    #[error(transparent)]
    Columns(#[from] OutcomesError),
    /// They have no item in common.
    #[error("expected outcomes of the same items, found none in common")]
    NoneInCommon,
    /// Their gold differs.
    #[error("expected outcomes with the same gold, found others")]
    OtherGold,
    /// Their items came to different kinds of things.
    #[error("expected outcomes of one kind, found two")]
    TwoKinds,
}
