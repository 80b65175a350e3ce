//! Texts that are there several times are encoded once.

use std::collections::HashMap;

use mteb_tasks::Matrix;

/// Distinct texts in the order of their first appearance, and for each text the number of its distinct one.
pub(super) fn unique<'a>(texts: &[&'a str]) -> (Vec<&'a str>, Vec<usize>) {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(texts.len());
    let mut unique = Vec::with_capacity(texts.len());
    let rows = texts
        .iter()
        .map(|&text| {
            *seen.entry(text).or_insert_with(|| {
                unique.push(text);
                unique.len() - 1
            })
        })
        .collect();
    (unique, rows)
}

/// Gives every text the row of its distinct one.
pub(super) fn spread(encoded: Vec<f32>, rows: &[usize], unique: usize, dimension: usize) -> Matrix {
    let encoded = Matrix { values: encoded, dimension };
    if rows.len() == unique { encoded } else { encoded.select(rows) }
}
