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
