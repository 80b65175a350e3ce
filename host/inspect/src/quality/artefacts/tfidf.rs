//! What similarity by character TF-IDF reaches, and whether by it documents of a higher grade are
//! more like their query.

use std::collections::BTreeMap;

use mteb_data::DataError;
use mteb_measures::correlation::spearman;
use mteb_tasks::{Gold, Part, Unit, facts};
use rayon::prelude::*;

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::character_tfidf::{CharacterTfidf, Vector, similarity};
use super::examples::{Examples, Target};
use super::features::auc;
use super::measured::Artefact;
use super::rankings::{Query, Rankings};

const CHECK: &str = "TF-IDF";

/// Of pairs it measures the AUC of their similarity, or its correlation with their score; of texts with one label, the accuracy of
/// the label of the nearest other text.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    examples: &Examples,
    range: Option<[f64; 2]>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let tfidf = CharacterTfidf::of(examples.columns.iter().flatten().copied());
    let vectors: Vec<Vec<Vector>> = examples.columns.iter().map(|texts| tfidf.vectors(texts)).collect();
    let found = match (vectors.as_slice(), &examples.target) {
        ([left, right], target) => of_pairs(unit, &similarities(left, right), target),
        ([texts], Target::Label(names, places)) => {
            let index = tfidf.index(texts);
            let right = (0..texts.len()).into_par_iter().filter(|&row| {
                let mut others = index.similarities(&texts[row]);
                others[row] = f64::NEG_INFINITY;
                places[nearest(&others)] == places[row]
            });
            let share =
                |label| places.iter().filter(|place| **place == label).count() as f64 / places.len() as f64;
            let chance = (0..names.len()).map(|label| share(label).powi(2)).sum();
            Some(
                Artefact::new(unit, CHECK, "accuracy", right.count() as f64 / texts.len() as f64)
                    .over(chance),
            )
        }
        _ => None,
    };
    checked(data, unit, found, range)
}

/// Of translations it measures the share of the texts whose nearest text of the other language is their own.
///
/// # Errors
/// If a column cannot be read.
pub fn check_translations(
    data: &SubsetData,
    unit: &Unit,
    range: Option<[f64; 2]>,
) -> Result<(Vec<Artefact>, Vec<DataFault>), DataError> {
    if facts(data.card.task_type).gold != Gold::Pairs {
        return Ok(Default::default());
    }
    let rows = unit.part(Part::Rows)?;
    let columns = [rows.texts("sentence1")?, rows.texts("sentence2")?];
    let [left, right] = columns.each_ref().map(|texts| texts.iter().collect::<Vec<&str>>());
    let tfidf = CharacterTfidf::of(left.iter().chain(&right).copied());
    let (left, index) = (tfidf.vectors(&left), tfidf.index(&tfidf.vectors(&right)));
    let is_own = |(row, vector): &(usize, &Vector)| nearest(&index.similarities(vector)) == *row;
    let own = left.par_iter().enumerate().filter(is_own);
    let found = Artefact::new(unit, CHECK, "accuracy", own.count() as f64 / rows.rows().max(1) as f64);
    Ok(checked(data, unit, Some(found), range))
}

fn of_pairs(unit: &Unit, similarities: &[f64], target: &Target) -> Option<Artefact> {
    match target {
        Target::Score(scores) => {
            Some(Artefact::new(unit, CHECK, "Spearman's correlation", spearman(similarities, scores)))
        }
        Target::Answers(answers) => {
            let area = auc(similarities, &answers.first()?.1)?;
            Some(Artefact::new(unit, CHECK, "AUC", area).over(0.5))
        }
        Target::Label(..) => None,
    }
}

/// The figure and its fault, if it is a number.
pub fn checked(
    data: &SubsetData,
    unit: &Unit,
    found: Option<Artefact>,
    range: Option<[f64; 2]>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let Some(found) = found.filter(|found| found.value.is_finite()) else { return Default::default() };
    let found = found.within(range);
    let advice = "make related texts share fewer or more letters, or correct `tfidf` in the card's \
                  `[quality.artefacts]` and say why";
    let faults = found.fault(data, unit, "similarity by character TF-IDF", advice).into_iter().collect();
    (vec![found], faults)
}

fn similarities(left: &[Vector], right: &[Vector]) -> Vec<f64> {
    left.iter().zip(right).map(|(left, right)| similarity(left, right)).collect()
}

/// The place of the highest of `similarities`; of several the first.
fn nearest(similarities: &[f64]) -> usize {
    let mut best = 0;
    for (place, similarity) in similarities.iter().enumerate() {
        if *similarity > similarities[best] {
            best = place;
        }
    }
    best
}

/// By how much the documents of a grade may fall behind those of the grade below.
const SLACK: f64 = 0.005;

/// Measures nDCG@10 by character TF-IDF and the mean similarity of the documents of each grade with their query, which rises if the
/// card says so.
pub fn check_grade_order(
    data: &SubsetData,
    unit: &Unit,
    rankings: &Rankings,
    range: Option<[f64; 2]>,
    rises: bool,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let texts = rankings.documents.iter().chain(rankings.queries.iter().map(|query| &query.text));
    let tfidf = CharacterTfidf::of(texts.map(String::as_str));
    let documents: Vec<&str> = rankings.documents.iter().map(String::as_str).collect();
    let documents = tfidf.vectors(&documents);
    let index = tfidf.index(&documents);
    let measure = |query: &Query| {
        let vector = tfidf.vector(&query.text);
        let of_grade =
            |(&document, &grade): (&usize, &f64)| (grade as i64, similarity(&vector, &documents[document]));
        let grades: Vec<(i64, f64)> = query.grades.iter().map(of_grade).collect();
        (query.ndcg(&query.best(&index.similarities(&vector))), grades)
    };
    let measured: Vec<(f64, Vec<(i64, f64)>)> = rankings.queries.par_iter().map(measure).collect();
    if measured.is_empty() {
        return Default::default();
    }
    let mut grades: BTreeMap<i64, (f64, usize)> = BTreeMap::new();
    for &(grade, similarity) in measured.iter().flat_map(|(_, grades)| grades) {
        let of_grade = grades.entry(grade).or_default();
        *of_grade = (of_grade.0 + similarity, of_grade.1 + 1);
    }
    let mean = measured.iter().map(|(ndcg, _)| ndcg).sum::<f64>() / measured.len() as f64;
    let score = Artefact::new(unit, "TF-IDF", "nDCG@10", mean);
    let (found, mut faults) = checked(data, unit, Some(score), range);
    let means: Vec<(i64, f64)> =
        grades.into_iter().map(|(grade, (sum, count))| (grade, sum / count as f64)).collect();
    if rises {
        faults.extend(order_fault(data, unit, &means));
    }
    (found, faults)
}

fn order_fault(data: &SubsetData, unit: &Unit, means: &[(i64, f64)]) -> Option<DataFault> {
    let fallen = means.windows(2).find(|pair| pair[1].1 + SLACK < pair[0].1)?;
    let [(lower, below), (higher, above)] = [fallen[0], fallen[1]];
    let message = format!(
        "expected documents of grade {higher} to be at least as similar to their query as those of grade \
         {lower}, found a mean similarity of {above:.3} and {below:.3}"
    );
    let advice = "read the judgements again, or take `grades_rise` out of the card's `[quality.artefacts]` and say why";
    Some(data.fault(unit, "grade order", Vec::new(), message, advice))
}
