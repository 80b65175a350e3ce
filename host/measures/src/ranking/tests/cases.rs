//! The random rankings of `tests/golden/ranking/cases.py`, made again from the same seeds.

use serde_json::Value;

use crate::golden::fixture;
use crate::ranking::{Evaluation, Found, Judgements, Outcome, evaluate};

const GRADES: [f64; 7] = [0.0, 0.0, 1.0, 2.0, -1.0, 3.0, 1.0];

/// Results and judgements of several queries over documents `d0`, `d1`, …
pub struct Case {
    pub ids: Vec<String>,
    pub found: Vec<Vec<Found>>,
    pub judgements: Vec<Judgements>,
    pub cuts: Vec<usize>,
}

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % bound
    }
}

impl Case {
    pub fn new(row: &Value) -> Self {
        let number = |key: &str| row[key].as_u64().unwrap();
        let (documents, steps) = (number("documents"), number("steps"));
        let grades: Vec<f64> = match row["grades"].as_array() {
            Some(grades) => grades.iter().map(|grade| grade.as_f64().unwrap()).collect(),
            None => GRADES.to_vec(),
        };
        let mut random = Random::new(number("seed"));
        let (mut found, mut judgements) = (Vec::new(), Vec::new());
        for _ in 0..number("queries") {
            let judged = 1 + random.below(8);
            judgements.push(Judgements::new(
                (0..judged)
                    .map(|_| {
                        let document = random.below(documents) as u32;
                        (document, grades[random.below(grades.len() as u64) as usize])
                    })
                    .collect(),
            ));
            let count = random.below(documents) + u64::from(!row["empty"].as_bool().unwrap());
            let mut results: Vec<Found> = Vec::new();
            for _ in 0..count {
                let document = random.below(documents) as u32;
                let score = match steps {
                    0 => 0.5 + random.below(4) as f64 * 1e-12,
                    steps => random.below(steps) as f64 / steps as f64,
                };
                if results.iter().all(|&(other, _)| other != document) {
                    results.push((document, score));
                }
            }
            found.push(results);
        }
        let ids = (0..documents + 10).map(|document| format!("d{document}")).collect();
        let cuts = row["cuts"].as_array().unwrap().iter().map(|cut| cut.as_u64().unwrap() as usize).collect();
        Self { ids, found, judgements, cuts }
    }

    pub fn outcomes(&self) -> Vec<Outcome<'_>> {
        self.found
            .iter()
            .zip(&self.judgements)
            .map(|(found, judgements)| Outcome { found, judgements })
            .collect()
    }

    pub fn evaluate(&self) -> Evaluation {
        evaluate(&self.outcomes(), &self.ids, &self.cuts)
    }
}

/// The rows of a fixture.
pub fn golden(name: &str) -> Vec<Value> {
    fixture(&format!("ranking/{name}"))
}

/// Numbers written one after the other, `-` for none.
pub fn floats(text: &Value) -> Vec<Option<f64>> {
    let text = text.as_str().unwrap();
    text.split(' ').map(|word| if word == "-" { None } else { Some(word.parse().unwrap()) }).collect()
}

/// Asserts that every number has the same bits; any NaN equals any other.
pub fn assert_same(found: impl IntoIterator<Item = f64>, expected: &Value, what: &str) {
    let found: Vec<f64> = found.into_iter().collect();
    let expected: Vec<f64> = floats(expected).into_iter().flatten().collect();
    assert_eq!(found.len(), expected.len(), "{what}: number of values");
    for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let same = found == expected || (found.is_nan() && expected.is_nan());
        assert!(same, "{what}, value {index}: expected {expected:?}, found {found:?}");
    }
}
