//! Sentences of bitext mining: whether their translation was found.

use std::collections::HashMap;

use mteb_items::outcomes::{Items, OutcomesError};

use super::side::{Side, Values, ids};
use crate::compare::Texts;

/// The sentences that were sought for. The F1 of a task is the mean of the F1 of their translations, each as a class.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (gold, found) = (items.ints("gold")?, items.ints("found")?);
    let is_f1 = main_score == "f1";
    let (measure, item_measure) = match is_f1 {
        true => (
            "f1",
            "F1 of its translation: 0 if it was not found, less than 1 if other sentences found it, too",
        ),
        false => ("accuracy", "1 if its translation was found, else 0"),
    };
    let scores = if is_f1 { f1_of_gold(gold, found) } else { is_found(gold, found).collect() };
    Ok(Side {
        kind: "sentences",
        texts: Texts::Rows,
        measure: measure.to_owned(),
        item_measure,
        ids: ids(items.ints("source")?),
        values: Values::Scores(scores),
    })
}

fn is_found<'a>(gold: &'a [i64], found: &'a [i64]) -> impl Iterator<Item = f64> + 'a {
    gold.iter().zip(found).map(|(gold, found)| f64::from(u8::from(gold == found)))
}

/// For each sentence the F1 of its gold as a class: twice its hits over the sentences that have it and those that found it.
fn f1_of_gold(gold: &[i64], found: &[i64]) -> Vec<f64> {
    let (mut hits, mut both): (HashMap<i64, f64>, HashMap<i64, f64>) = (HashMap::new(), HashMap::new());
    for (class, hit) in gold.iter().zip(is_found(gold, found)) {
        *hits.entry(*class).or_default() += hit;
    }
    for class in gold.iter().chain(found) {
        *both.entry(*class).or_default() += 1.0;
    }
    gold.iter().map(|class| 2.0 * hits[class] / both[class]).collect()
}

#[cfg(test)]
mod tests {
    use super::f1_of_gold;

    #[test]
    fn the_mean_over_sentences_is_the_weighted_f1_of_scikit_learn() {
        // f1_score([0, 1, 2, 3], [0, 0, 2, 2], average="weighted") = 0.333…
        let scores = f1_of_gold(&[0, 1, 2, 3], &[0, 0, 2, 2]);
        assert!((scores.iter().sum::<f64>() / 4.0 - 1.0 / 3.0).abs() < 1e-12, "{scores:?}");
    }
}
