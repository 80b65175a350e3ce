//! A program that has the pack holds each text once, however many parts of it look at the datasets.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use std::fs;

use mteb_plugin_api::v1::TaskPack;
use mteb_plugin_indonesia::{DATASETS, IndonesiaPack, Packed};

#[test]
fn a_program_holds_each_text_of_the_pack_once() {
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    let texts = DATASETS.iter().flat_map(|dataset| dataset.files);
    let longest: &Packed = &texts.max_by_key(|(_, text)| text.bytes.len()).unwrap().1;
    // The pack itself is a part of this program, too.
    let card = IndonesiaPack.task(DATASETS[0].name).unwrap().card().unwrap();
    assert_eq!(card, DATASETS[0].card.text().unwrap());
    let found = program.windows(longest.bytes.len()).filter(|window| *window == longest.bytes).count();
    assert_eq!(found, 1, "{} bytes", longest.bytes.len());
}
