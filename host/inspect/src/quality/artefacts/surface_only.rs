//! What a classifier reaches that sees how texts look and not what they say, or one text of each
//! pair.

use mteb_tasks::Unit;

use super::examples::{Examples, Target};
use super::features::{Features, accuracy, mean_auc};
use super::measured::{Artefact, on_one_side};
use crate::quality::data::SubsetData;
use crate::quality::fault::DataFault;

const CHECK: &str = "surface only";

/// Measures it by logistic regression on lengths, digits, punctuation, capitals and first words, cross-validated.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    examples: &Examples,
    most: Option<f64>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let features = match examples.columns.as_slice() {
        [left, right] => Features::surface_of_pairs(left, right),
        [texts] => Features::surface(texts),
        _ => return Default::default(),
    };
    let found = match &examples.target {
        Target::Label(names, places) => accuracy(&features, places).map(|accuracy| {
            let share =
                |label| places.iter().filter(|place| **place == label).count() as f64 / places.len() as f64;
            let chance = (0..names.len()).map(share).fold(0.0, f64::max);
            Artefact::new(unit, CHECK, "accuracy", accuracy).over(chance)
        }),
        target => {
            let answers = target.answers().unwrap_or_default();
            let areas: Vec<f64> = answers.iter().filter_map(|answers| mean_auc(&features, answers)).collect();
            // Of several labels one cue must not hide another that points the other way.
            let of_label = |area: &f64| if areas.len() > 1 { on_one_side(*area) } else { *area };
            let mean = areas.iter().map(of_label).sum::<f64>() / areas.len() as f64;
            (!areas.is_empty()).then(|| Artefact::new(unit, CHECK, "AUC", mean).over(0.5))
        }
    };
    let limited = |found: Artefact| match found.measure {
        "AUC" => found.at_most_on_either_side(most),
        _ => found.at_most(most),
    };
    let Some(found) = found.map(limited) else { return Default::default() };
    let of = "a classifier that sees only lengths, digits, punctuation, capitals and first words";
    let advice = "balance these over the labels or scores, or raise `max_surface` in the card's `[quality.artefacts]` and say why";
    let faults = found.fault(data, unit, of, advice).into_iter().collect();
    (vec![found], faults)
}

const ONE_SIDE: &str = "one side";

/// Measures it by logistic regression on the words and the looks of each side, cross-validated; the figure that is further from chance counts.
pub fn check_one_side(
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
    let found = Artefact::new(unit, ONE_SIDE, "AUC", area).over(0.5).at_most_on_either_side(most);
    let of = format!("a classifier that sees only the {} text of each pair", ["first", "second"][side]);
    let advice = "write texts that do not reveal the label by themselves, or raise `max_one_side` in the card's \
                  `[quality.artefacts]` and say why";
    let faults = found.fault(data, unit, &of, advice).into_iter().collect();
    (vec![found], faults)
}
