//! What a classifier of pairs reaches that sees one text of each pair.

use mteb_tasks::Unit;

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::examples::Examples;
use super::features::Features;
use super::folds::mean_auc;
use super::measured::{Artefact, on_one_side};

const CHECK: &str = "one side";

/// Measures it by logistic regression on the words and the looks of each side, cross-validated; the figure that is further from chance counts.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    examples: &Examples,
    most: Option<f64>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let (true, Some(answers)) = (examples.columns.len() == 2, examples.target.answers()) else {
        return Default::default();
    };
    let areas =
        examples.columns.iter().filter_map(|texts| mean_auc(&Features::words(texts), answers.first()?));
    let Some((side, area)) =
        areas.enumerate().max_by(|left, right| on_one_side(left.1).total_cmp(&on_one_side(right.1)))
    else {
        return Default::default();
    };
    let found = Artefact::new(unit, CHECK, "AUC", area).over(0.5).at_most_on_either_side(most);
    let of = format!("a classifier that sees only the {} text of each pair", ["first", "second"][side]);
    let advice = "write texts that do not reveal the label by themselves, or raise `max_one_side` in the card's \
                  `[quality.artefacts]` and say why";
    let faults = found.fault(data, unit, &of, advice).into_iter().collect();
    (vec![found], faults)
}
