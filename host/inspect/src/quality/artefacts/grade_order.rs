//! Whether documents of a higher grade are more like their query.

use std::collections::BTreeMap;

use mteb_tasks::Unit;

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::character_tfidf::{CharacterTfidf, Vector, similarity};
use super::measured::Artefact;
use super::rankings::Rankings;
use super::tfidf::checked;

/// By how much the documents of a grade may fall behind those of the grade below.
const SLACK: f64 = 0.005;

/// Measures nDCG@10 by character TF-IDF and the mean similarity of the documents of each grade with their query, which rises if the
/// card says so.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    rankings: &Rankings,
    range: Option<[f64; 2]>,
    rises: bool,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let texts = rankings.documents.iter().chain(rankings.queries.iter().map(|query| &query.text));
    let tfidf = CharacterTfidf::of(texts.map(String::as_str));
    let documents: Vec<Vector> = rankings.documents.iter().map(|document| tfidf.vector(document)).collect();
    let index = tfidf.index(&documents);
    let mut grades: BTreeMap<i64, (f64, usize)> = BTreeMap::new();
    let mut sum = 0.0;
    for query in &rankings.queries {
        let vector = tfidf.vector(&query.text);
        sum += query.ndcg(&query.best(&index.similarities(&vector)));
        for (document, grade) in &query.grades {
            let of_grade = grades.entry(*grade as i64).or_default();
            *of_grade = (of_grade.0 + similarity(&vector, &documents[*document]), of_grade.1 + 1);
        }
    }
    if rankings.queries.is_empty() {
        return Default::default();
    }
    let score = Artefact::new(unit, "TF-IDF", "nDCG@10", sum / rankings.queries.len() as f64);
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
