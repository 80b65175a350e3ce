//! Smaller embeddings: fewer numbers, and numbers of fewer bits.

/// 1 for every number above 0, else 0: the `BINARY` of the reference's `CompressionWrapper`, and the bits of
/// sentence-transformers' `quantize_embeddings`.
pub fn binary(rows: &mut [f32]) {
    rows.iter_mut().for_each(|number| *number = f32::from(u8::from(*number > 0.0)));
}

// The first numbers of embeddings (Kusupati et al. 2022, "Matryoshka Representation Learning").

/// The first `keep` numbers of each row of `rows` (row-major, `dimension` numbers per row); all of them if there are no more.
pub fn cut(rows: Vec<f32>, dimension: usize, keep: usize) -> Vec<f32> {
    if keep >= dimension {
        return rows;
    }
    rows.chunks_exact(dimension).flat_map(|row| &row[..keep]).copied().collect()
}

/// Divides each row by its length, at least 10⁻¹², as torch's `normalize`.
pub fn normalize(rows: &mut [f32], dimension: usize) {
    for row in rows.chunks_exact_mut(dimension.max(1)) {
        let squares: f64 = row.iter().map(|&number| f64::from(number) * f64::from(number)).sum();
        let length = (squares.sqrt() as f32).max(1e-12);
        row.iter_mut().for_each(|number| *number /= length);
    }
}

/// Steps between the smallest and the largest number of a dimension.
const STEPS: f32 = 255.0;

/// Which whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// -128 to 127.
    Int8,
    /// 0 to 255.
    Uint8,
}

/// A dimension in which all rows are equal: it has no range, and the reference divides by 0 there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected embeddings that differ in each dimension, from which the range of 8-bit numbers is computed, \
     found the same number in dimension {dimension} of all {rows}; use more texts, or numbers without a range \
     (`--quantize binary`)"
)]
pub struct ConstantDimension {
    /// The dimension, from 0.
    pub dimension: usize,
    /// Number of rows.
    pub rows: usize,
}

/// Rounds `rows` (row-major, `dimension` numbers per row) down to 256 steps between the smallest and the largest number of each
/// dimension among these very rows, as the reference's `CompressionWrapper` does; all arithmetic is `f32`.
///
/// # Errors
/// If a dimension has no range.
pub fn integers(rows: &mut [f32], dimension: usize, kind: Integers) -> Result<(), ConstantDimension> {
    let count = rows.len().checked_div(dimension).unwrap_or(0);
    let mut ranges = vec![(f32::INFINITY, f32::NEG_INFINITY); dimension];
    for row in rows.chunks_exact(dimension.max(1)) {
        for (range, &number) in ranges.iter_mut().zip(row) {
            *range = (range.0.min(number), range.1.max(number));
        }
    }
    if let Some(dimension) = ranges.iter().position(|(low, high)| low == high) {
        return Err(ConstantDimension { dimension, rows: count });
    }
    let below = if kind == Integers::Int8 { 128.0 } else { 0.0 };
    let steps: Vec<(f32, f32)> = ranges.iter().map(|&(low, high)| (low, (high - low) / STEPS)).collect();
    for row in rows.chunks_exact_mut(dimension.max(1)) {
        for (number, &(low, step)) in row.iter_mut().zip(&steps) {
            *number = ((*number - low) / step).floor() - below;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    //! Compressed embeddings beside the reference and sentence-transformers (fixture from `tests/golden/compression/make.py`).

    use serde_json::Value;

    use super::*;
    use crate::hamming::{Bits, HammingSearch};

    fn golden() -> Value {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/compression/minilm.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// The embeddings of a real model, of queries or of documents: `f32` as whole numbers of their bits.
    fn rows(golden: &Value, name: &str) -> Vec<f32> {
        let bits = golden[name].as_array().unwrap().iter();
        bits.map(|bits| f32::from_bits(u32::try_from(bits.as_u64().unwrap()).unwrap())).collect()
    }

    fn floats(value: &Value) -> Vec<f32> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
    }

    #[test]
    fn embeddings_of_a_real_model_are_compressed_as_the_reference_does() {
        let golden = golden();
        let dimension = golden["dimension"].as_u64().unwrap() as usize;
        let all = rows(&golden, "documents");
        for (name, kind) in [("int8", Integers::Int8), ("uint8", Integers::Uint8)] {
            let mut found = all.clone();
            integers(&mut found, dimension, kind).unwrap();
            assert_eq!(found, floats(&golden[name]), "{name}");
        }
        let mut found = all.clone();
        binary(&mut found);
        assert_eq!(found, floats(&golden["binary"]));
        let short = cut(all, dimension, 16);
        assert_eq!(short, rows(&golden, "cut_16"));
    }

    #[test]
    fn cut_embeddings_are_normalized_as_torch_does() {
        let golden = golden();
        let mut found = rows(&golden, "cut_16");
        normalize(&mut found, 16);
        for (found, expected) in found.iter().zip(rows(&golden, "normalized_16")) {
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
    }

    #[test]
    fn bits_are_those_that_sentence_transformers_packs_and_faiss_finds_the_same_distances() {
        let golden = golden();
        let dimension = golden["dimension"].as_u64().unwrap() as usize;
        let documents = Bits::new(&rows(&golden, "documents"), dimension);
        let packed: Vec<u8> =
            golden["ubinary"].as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8).collect();
        for (row, expected) in packed.chunks(dimension / 8).enumerate() {
            let bytes: Vec<u8> =
                documents.row(row).iter().flat_map(|word| word.to_le_bytes()).map(u8::reverse_bits).collect();
            assert_eq!(bytes[..dimension / 8], *expected, "row {row}");
        }
        let search = HammingSearch::new(Bits::new(&rows(&golden, "queries"), dimension), 5);
        let ids: Vec<String> = (0..documents.rows()).map(|row| format!("{row:03}")).collect();
        let floors = vec![f32::NEG_INFINITY; search.queries()];
        let found = search.best(&documents, 0, &ids, &floors).unwrap();
        for (found, expected) in found.iter().zip(golden["distances"].as_array().unwrap()) {
            let distances: Vec<f32> = found.iter().map(|&(_, score)| -score).collect();
            assert_eq!(distances, floats(expected));
        }
    }

    #[test]
    fn what_bits_found_is_rescored_as_sentence_transformers_does() {
        let golden = golden();
        let dimension = golden["dimension"].as_u64().unwrap() as usize;
        let documents = Bits::new(&rows(&golden, "documents"), dimension);
        let queries = rows(&golden, "queries");
        let search = HammingSearch::new(Bits::new(&queries, dimension), 2 * 5);
        let ids: Vec<String> = (0..documents.rows()).map(|row| format!("{row:03}")).collect();
        let nearest = search.best(&documents, 0, &ids, &vec![f32::NEG_INFINITY; search.queries()]).unwrap();
        let expected = golden["rescored"].as_array().unwrap();
        let mut clear = 0;
        for ((query, nearest), expected) in queries.chunks(dimension).zip(nearest).zip(expected) {
            let Some(expected) = expected.as_array() else { continue };
            let mut found: Vec<(u32, f32)> =
                nearest.iter().map(|&(row, _)| (row, documents.dot(row as usize, query))).collect();
            found.sort_by(|left, right| right.1.total_cmp(&left.1));
            assert_eq!(expected.len(), 5);
            for ((row, score), expected) in found.iter().zip(expected) {
                assert_eq!(u64::from(*row), expected[0].as_u64().unwrap());
                assert!(
                    (f64::from(*score) - expected[1].as_f64().unwrap()).abs() < 1e-6,
                    "{score} for {expected}"
                );
            }
            clear += 1;
        }
        assert!(clear >= 3, "queries whose documents are told apart: {clear}");
    }

    #[test]
    fn a_dimension_without_range_is_named() {
        let mut rows = vec![0.5, 1.0, 0.5, 2.0];
        let error = integers(&mut rows, 2, Integers::Int8).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected embeddings that differ in each dimension, from which the range of 8-bit numbers is computed, \
         found the same number in dimension 0 of all 2; use more texts, or numbers without a range \
         (`--quantize binary`)"
        );
    }
}
