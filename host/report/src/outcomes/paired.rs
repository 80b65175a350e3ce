//! The items of two models beside each other.

use std::collections::HashMap;

use super::outcomes_fault::PairFault;
use super::side::{Side, Values};
use crate::compare::{PairedItem, PairedUnit, Ranked, Whole};

/// The items that both have, in the order of the first.
///
/// # Errors
/// If there is none, or their gold differs.
pub(super) fn paired(first: Side, second: Side) -> Result<PairedUnit, PairFault> {
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
            let placed = ranked.placed();
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
