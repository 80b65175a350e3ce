//! What a model may reach without reading the texts as they are meant: by their looks, by one text of two, by shared words. Each
//! figure is held to the limit that the card declares. Nearly every check has a file; cross-validations are drawn with a fixed seed.

mod character_tfidf;
mod examples;
mod features;
mod measured;
mod query_blind;
mod rankings;
mod surface_only;
mod tfidf;

pub use measured::Artefact;

use mteb_card::Artefacts;
use mteb_data::DataError;
use mteb_tasks::Unit;

use super::data::SubsetData;
use super::fault::DataFault;
use examples::examples;
use rankings::Rankings;

/// Measures a set whose card has a table `quality.artefacts`; gives the figures and what breaks their limits.
///
/// # Errors
/// If a column is absent or of another type.
pub fn check(data: &SubsetData) -> Result<(Vec<Artefact>, Vec<DataFault>), DataError> {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    let limits = data.limits.as_ref().and_then(|limits| limits.artefacts.as_ref());
    for (unit, limits) in
        limits.into_iter().flat_map(|limits| data.units.iter().map(move |unit| (unit, limits)))
    {
        for (figures, broken) in of_unit(data, unit, limits)? {
            found.extend(figures);
            faults.extend(broken);
        }
    }
    Ok((found, faults))
}

type Checked = (Vec<Artefact>, Vec<DataFault>);

fn of_unit(data: &SubsetData, unit: &Unit, limits: &Artefacts) -> Result<Vec<Checked>, DataError> {
    if data.card.task_type.is_ranking() {
        let rankings = Rankings::of(unit)?;
        return Ok(vec![
            query_blind::check(data, unit, &rankings, limits.max_query_blind),
            rankings::check_bm25(data, unit, &rankings, limits.bm25, limits.max_unjudged),
            tfidf::check_grade_order(data, unit, &rankings, limits.tfidf, limits.grades_rise),
        ]);
    }
    let Some(examples) = examples(data, unit)? else {
        return Ok(vec![tfidf::check_translations(data, unit, limits.tfidf)?]);
    };
    Ok(vec![
        surface_only::check(data, unit, &examples, limits.max_surface),
        surface_only::check_one_side(data, unit, &examples, limits.max_one_side),
        examples::check_label_words(data, unit, &examples, limits.max_label_words),
        tfidf::check(data, unit, &examples, limits.tfidf),
    ])
}
