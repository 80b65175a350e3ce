//! Texts that begin alike, such as those behind one instruction, have the vectors that each has by
//! itself: decoders compute the beginning once.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod golden;

use std::path::Path;

use golden::{config, copy, edit, encode_with, worst};
use mteb_plugin_torch::TorchEncoder;

/// What is before all texts.
const PROMPT: &str = "Cari bagian: ";
/// Two are equal, two are of one length, one is a single token behind the prompt.
const TEXTS: [&str; 7] =
    ["q", "awan panas pagi", "hujan", "hujan", "rupa", "sore ini hujan turun lebat", "sawah di lembah"];
/// Decoders that see nothing behind a token.
const DECODERS: [&str; 5] = ["qwen2", "qwen3", "llama", "mistral", "gemma3-causal"];

/// Compares the vectors of `texts` in one batch with those that each has in a batch of its own.
#[track_caller]
fn compare(folder: &Path, texts: &[&str], prompt: &str) {
    let mut model = TorchEncoder::open(&config(folder)).unwrap();
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let single = |text: &String| encode_with(&mut model, std::slice::from_ref(text), prompt).remove(0);
    let expected: Vec<Vec<f32>> = texts.iter().map(single).collect();
    let (difference, text) = worst(&encode_with(&mut model, &texts, prompt), &expected);
    let size = expected[text].iter().fold(1.0_f32, |largest, value| largest.max(value.abs()));
    assert!(difference <= 1e-5 * size, "{difference:e} for {:?} in {}", texts[text], folder.display());
}

/// Has the checkpoint pool by the mean, if it says how it pools.
fn pool_by_mean(folder: &Path, with_prompt: bool) {
    let path = folder.join("1_Pooling/config.json");
    if !path.exists() {
        return;
    }
    edit(&path, |values| {
        values["pooling_mode_lasttoken"] = false.into();
        values["pooling_mode_mean_tokens"] = true.into();
        values.insert("include_prompt".to_owned(), with_prompt.into());
    });
}

#[test]
fn the_prompt_is_long_enough_to_be_computed_once() {
    for name in DECODERS {
        let model = TorchEncoder::open(&config(copy(name).path())).unwrap();
        let count = |text: &str| model.count_exactly(&[text]).unwrap();
        assert!(count(PROMPT) >= 9, "{name}");
        assert_eq!(count(&format!("{PROMPT}q")), count(PROMPT) + 1, "{name}");
    }
}

#[test]
fn the_last_tokens_of_texts_behind_a_prompt_are_those_of_each_alone() {
    for name in DECODERS {
        compare(copy(name).path(), &TEXTS, PROMPT);
    }
}

#[test]
fn the_means_of_texts_behind_a_prompt_are_those_of_each_alone() {
    for name in DECODERS {
        for with_prompt in [true, false] {
            let folder = copy(name);
            pool_by_mean(folder.path(), with_prompt);
            compare(folder.path(), &TEXTS, PROMPT);
        }
    }
}

#[test]
fn a_text_that_is_the_prompt_alone_and_equal_texts_keep_a_token_of_their_own() {
    for name in DECODERS {
        let folder = copy(name);
        compare(folder.path(), &["", "hujan", "awan"], PROMPT);
        compare(folder.path(), &["sore ini hujan", "sore ini hujan"], "");
    }
}

#[test]
fn windows_shorter_and_longer_than_the_prompt_and_the_texts_are_obeyed() {
    for tokens in [2, 8, 14, 20, 30, 64] {
        let folder = copy("mistral");
        edit(&folder.path().join("config.json"), |values| values["sliding_window"] = tokens.into());
        compare(folder.path(), &TEXTS, PROMPT);
        pool_by_mean(folder.path(), true);
        compare(folder.path(), &TEXTS, PROMPT);
    }
}
