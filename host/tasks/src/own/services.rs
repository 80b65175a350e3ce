//! What the host computes of embeddings for an evaluator: similarities of pairs, and the most similar texts of a set.

use mteb_card::{PairMeasure, Service};
use mteb_search::{Search, pairs};

use super::text_sets::{EncodedSet, MOST, fault};
use crate::{EvaluateError, Matrix, Session};

/// Most texts that are found for each.
const MOST_NEAREST: usize = 10_000;

/// The answer to a service.
pub enum Served {
    /// A similarity a pair.
    Pairs(Vec<f32>),
    /// For each query the places of what was found, and all similarities.
    Nearest { k: usize, places: Vec<u32>, similarities: Vec<f32> },
}

/// Checks that services ask for sets that are there.
///
/// # Errors
/// If one does not.
pub fn check(services: &[Service], sets: &[EncodedSet]) -> Result<(), EvaluateError> {
    if services.len() > MOST {
        return Err(fault(&format!("expected at most {MOST} services, found {}", services.len())));
    }
    for service in services {
        match service {
            Service::Pairs { left, right, .. } => {
                let [left_count, right_count] = [count(sets, left)?, count(sets, right)?];
                if left_count != right_count {
                    return Err(fault(&format!(
                        "expected pairs of as many texts on both sides, found {left_count} in `{left}` and {right_count} in `{right}`"
                    )));
                }
            }
            Service::Nearest { queries, documents, k } => {
                let (queries, _) = (count(sets, queries)?, count(sets, documents)?);
                if !(1..=MOST_NEAREST).contains(k) {
                    return Err(fault(&format!("expected 1 to {MOST_NEAREST} nearest texts, found {k}")));
                }
                check_count(queries.saturating_mul(*k))?;
            }
        }
    }
    Ok(())
}

/// Checks that so many numbers and places fit into 16 GB, the most that is believed of a plugin.
fn check_count(cells: usize) -> Result<(), EvaluateError> {
    const MOST_CELLS: usize = 2 << 30;
    if cells > MOST_CELLS {
        return Err(fault(&format!("expected at most {MOST_CELLS} texts found in all, found {cells}")));
    }
    Ok(())
}

fn count(sets: &[EncodedSet], name: &str) -> Result<usize, EvaluateError> {
    let found = sets.iter().find(|set| set.name == name);
    found.map(|set| set.column.texts.len()).ok_or_else(|| {
        let names: Vec<&str> = sets.iter().map(|set| set.name.as_str()).collect();
        fault(&format!("expected a set of its texts ({}), found: {name}", names.join(", ")))
    })
}

/// Answers a service; `embeddings` gives those of a set.
///
/// # Errors
/// If similarities are not numbers.
pub fn serve<'a>(
    service: &Service,
    embeddings: impl Fn(&str) -> Option<&'a Matrix>,
    session: &dyn Session,
) -> Result<Served, EvaluateError> {
    let of = |name: &str| embeddings(name).ok_or_else(|| fault(&format!("expected a set, found: {name}")));
    match service {
        Service::Pairs { left, right, measure } => {
            let (left, right) = (of(left)?, of(right)?);
            let (left, right, width) = (&left.values, &right.values, left.dimension);
            let negated = |mut distances: Vec<f32>| {
                distances.iter_mut().for_each(|distance| *distance = -*distance);
                distances
            };
            Ok(Served::Pairs(match measure {
                PairMeasure::Model => pairs::similarity(session.similarity(), left, right, width),
                PairMeasure::CosineDistance => pairs::paired_cosine_distance(left, right, width),
                PairMeasure::Manhattan => negated(pairs::manhattan(left, right, width)),
                PairMeasure::Euclidean => negated(pairs::euclidean(left, right, width)),
                PairMeasure::Dot => pairs::dot(left, right, width),
            }))
        }
        Service::Nearest { queries, documents, k } => {
            if session.compares_bits() {
                return Err(EvaluateError::Unscorable(
                    "expected embeddings of numbers, which this task type searches, found bits; leave out \
                     `--quantize ubinary`"
                        .to_owned(),
                ));
            }
            nearest(of(queries)?, of(documents)?, *k, session)
        }
    }
}

fn nearest(
    queries: &Matrix,
    documents: &Matrix,
    k: usize,
    session: &dyn Session,
) -> Result<Served, EvaluateError> {
    // A search gives ties to the larger id, so ids that fall let the first one win.
    let ids: Vec<String> = (0..documents.rows()).rev().map(|rank| format!("{rank:010}")).collect();
    let floors = vec![f32::NEG_INFINITY; queries.rows()];
    let search = Search::new(session.similarity(), queries.values.clone(), queries.dimension, k);
    let mut rows = documents.values.clone();
    let best = search
        .best(&mut rows, documents.dimension, 0, &ids, &floors)
        .map_err(|error| EvaluateError::Model(error.to_string()))?;
    let (mut places, mut similarities) = (Vec::new(), Vec::new());
    for found in &best {
        let padding = k.saturating_sub(found.len());
        places.extend(
            found.iter().map(|(document, _)| *document).chain(std::iter::repeat_n(u32::MAX, padding)),
        );
        similarities.extend(found.iter().map(|(_, score)| *score).chain(std::iter::repeat_n(0.0, padding)));
    }
    Ok(Served::Nearest { k, places, similarities })
}
