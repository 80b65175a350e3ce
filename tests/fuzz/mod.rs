//! Readers of what others wrote, given damaged input: each answers with rows or with an error, never with a panic.
//!
//! Without further ado the corpus is replayed and every file of it is damaged a few hundred times, the same way each
//! time. `cargo xtask fuzz TARGET SECONDS` goes on for as long as it is told to.

mod mutate;
mod said;
mod segments;
mod tables;
mod targets;

use std::collections::HashSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mteb_measures::random::SplitMix64;

use mutate::mutate;
use targets::{TARGETS, Target};

/// Damaged variants of each corpus file in a usual test run.
const VARIANTS: usize = 400;
/// Inputs that showed something new are kept as starting points, up to this many.
const MAX_POOL: usize = 4000;

#[test]
fn the_corpus_and_damaged_variants_of_it_are_read_or_refused() {
    for target in &TARGETS {
        let corpus = corpus(target);
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        let mut random = SplitMix64::new(7);
        for input in &corpus {
            feed(target, input);
            for _ in 0..VARIANTS {
                feed(target, &mutate(input, &corpus, target.words, &mut random));
            }
        }
    }
}

/// What `cargo xtask fuzz TARGET SECONDS` runs; its variables say on what and how long.
#[test]
#[ignore = "goes on for as long as `cargo xtask fuzz` says"]
fn long() {
    let [name, seconds] =
        ["MTEB_FUZZ_TARGET", "MTEB_FUZZ_SECONDS"].map(|name| std::env::var(name).expect(name));
    let names = TARGETS.each_ref().map(|target| target.name).join(", ");
    let target = TARGETS.iter().find(|target| target.name == name);
    let target = target.unwrap_or_else(|| panic!("expected a target ({names}), found: {name}"));
    let seconds: u64 = seconds.parse().unwrap_or_else(|_| panic!("expected seconds, found: {seconds}"));
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut pool = corpus(target);
    let mut seen: HashSet<String> = pool.iter().map(|input| feed(target, input)).collect();
    #[allow(clippy::disallowed_methods, reason = "any number will do")]
    let seed = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64;
    let mut random = SplitMix64::new(seed);
    let (mut inputs, mut slowest) = (0_u64, Duration::ZERO);
    while Instant::now() < end {
        let start = random.below(pool.len());
        let input = mutate(&pool[start], &pool, target.words, &mut random);
        let begin = Instant::now();
        let answer = feed(target, &input);
        slowest = slowest.max(begin.elapsed());
        inputs += 1;
        if seen.insert(answer) && pool.len() < MAX_POOL {
            pool.push(input);
        }
    }
    println!(
        "fuzz {name}: {inputs} inputs in {seconds} s, seed {seed}, {} kinds of answer, slowest {} ms, no panic",
        seen.len(),
        slowest.as_millis()
    );
}

/// Gives `input` to the target; a panic is reported with the input, which is kept in the corpus.
fn feed(target: &Target, input: &[u8]) -> String {
    match catch_unwind(AssertUnwindSafe(|| (target.run)(input))) {
        Ok(answer) => answer,
        Err(payload) => {
            let file = folder(target).join(format!("found-{:016x}", hash(input)));
            fs::write(&file, input).unwrap();
            println!("{}: {} fails, see the message above", target.name, file.display());
            std::panic::resume_unwind(payload)
        }
    }
}

fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder(target)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name)
}

fn hash(input: &[u8]) -> u64 {
    input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
