//! The real all-MiniLM-L6-v2: our vectors are sentence-transformers' vectors.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use golden::{encode, golden_folder, minilm, rows, texts, worst};

#[test]
fn five_hundred_varied_texts_have_the_vectors_of_sentence_transformers() {
    let Some(folder) = minilm() else { return };
    let golden = golden_folder("minilm");
    let expected: Vec<Vec<f32>> =
        (0..3).flat_map(|part| rows(&golden.join(format!("rows-{part}.safetensors")), "rows")).collect();
    let texts = texts(&golden.join("texts.json"));
    assert_eq!((texts.len(), expected.len()), (500, 500));
    let found = encode(&folder, &texts, "");
    let (difference, text) = worst(&found, &expected);
    eprintln!("largest difference {difference:e}");
    assert!(difference <= 1e-5, "{difference:e} for {:?}", texts[text]);
}
