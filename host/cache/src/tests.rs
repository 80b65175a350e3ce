//! Whatever happens to the files, a row comes back as it was put in, or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use mteb_base::byte_size::ByteSize;
use mteb_base::calendar;
use proptest::prelude::*;
use serde_json::json;
use tempfile::TempDir;

use super::*;

const DIMENSION: usize = 3;
const PLENTY: ByteSize = ByteSize(1 << 30);

fn identity(name: &str) -> ModelIdentity {
    let hash = *blake3::hash(name.as_bytes()).as_bytes();
    ModelIdentity { description: json!({ "name": name }), hash, dimension: DIMENSION, lasts: true }
}

fn open(root: &Path) -> EmbeddingCache {
    EmbeddingCache::open(root, identity("model"), PLENTY)
}

fn row(number: usize) -> [f32; DIMENSION] {
    [number as f32, -0.0, f32::MIN_POSITIVE * (number + 1) as f32]
}

/// Puts the rows of `numbers` into a cache of their own opening, which writes one segment.
fn fill(root: &Path, numbers: std::ops::Range<usize>) {
    let mut cache = open(root);
    for (key, number) in keys(&cache, numbers.clone()).into_iter().zip(numbers) {
        cache.insert(key, &row(number));
    }
    cache.flush();
    assert!(cache.take_warnings().is_empty());
}

fn keys(cache: &EmbeddingCache, numbers: std::ops::Range<usize>) -> Vec<Key> {
    let texts: Vec<String> = numbers.map(|number| format!("text {number}")).collect();
    cache.keys(0, "", &texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The numbers that are missing; every row that is there is as it was put in, to the bit.
fn missing(cache: &mut EmbeddingCache, numbers: std::ops::Range<usize>) -> Vec<usize> {
    let keys = keys(cache, numbers.clone());
    let mut out = vec![f32::NAN; keys.len() * DIMENSION];
    let missing = cache.read(&keys, &mut out);
    for (place, number) in numbers.enumerate().filter(|(place, _)| !missing.contains(place)) {
        let found = &out[place * DIMENSION..(place + 1) * DIMENSION];
        assert_eq!(
            found.iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
            row(number).map(f32::to_bits)
        );
    }
    missing
}

fn segments(root: &Path) -> Vec<PathBuf> {
    folder::model_folders(root).iter().flat_map(|folder| folder::segments(folder).unwrap()).collect()
}

fn only_segment(root: &Path) -> PathBuf {
    let segments = segments(root);
    assert_eq!(segments.len(), 1);
    segments[0].clone()
}

/// More rows than fit into one block.
const MANY: usize = 20_000;

#[test]
fn rows_are_there_at_once_and_in_the_next_run() {
    let root = TempDir::new().unwrap();
    let mut cache = open(root.path());
    assert_eq!(missing(&mut cache, 0..2), [0, 1]);
    let key = keys(&cache, 1..2)[0];
    cache.insert(key, &row(1));
    assert_eq!(missing(&mut cache, 0..2), [0], "a row that waits for writing");
    cache.flush();
    assert_eq!(missing(&mut cache, 0..2), [0], "a row that was written in this run");
    drop(cache);
    assert_eq!(missing(&mut open(root.path()), 0..2), [0], "a row that another run has written");
}

#[test]
fn many_rows_span_blocks() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..MANY);
    let mut cache = open(root.path());
    assert!(missing(&mut cache, 0..MANY).is_empty());
    assert_eq!(missing(&mut cache, MANY - 1..MANY + 2), [1, 2]);
    assert!(cache.take_warnings().is_empty());
}

#[test]
fn another_model_sees_nothing() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..3);
    let mut other = EmbeddingCache::open(root.path(), identity("other"), PLENTY);
    assert_eq!(missing(&mut other, 0..3), [0, 1, 2]);
}

#[test]
fn a_segment_of_another_model_is_not_believed() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..3);
    let segment = only_segment(root.path());
    let foreign = root.path().join(identity("other").folder_name());
    fs::create_dir(&foreign).unwrap();
    fs::copy(&segment, foreign.join(segment.file_name().unwrap())).unwrap();
    let mut other = EmbeddingCache::open(root.path(), identity("other"), PLENTY);
    let warnings = other.take_warnings();
    assert!(warnings[0].contains("expected rows of this model, found rows of another one"), "{warnings:?}");
    assert_eq!(missing(&mut other, 0..3), [0, 1, 2]);
    assert_eq!(verify(root.path()).damaged.len(), 0, "it was removed");
}

#[test]
fn a_damaged_segment_is_removed_and_its_rows_are_put_in_again() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..MANY);
    let path = only_segment(root.path());
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let mut cache = open(root.path());
    let redone = missing(&mut cache, 0..MANY);
    assert!(redone.contains(&(MANY - 1)) && !redone.contains(&0), "the blocks before the damage are sound");
    assert!(cache.take_warnings()[0].ends_with("found another one; its texts are encoded again"));
    assert!(!path.exists());
    fill(root.path(), 0..MANY);
    assert!(missing(&mut open(root.path()), 0..MANY).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_flipped_bit_anywhere_is_found(place in 0.0..1.0_f64, bit in 0..8_u32) {
        let root = TempDir::new().unwrap();
        fill(root.path(), 0..50);
        let path = only_segment(root.path());
        let mut bytes = fs::read(&path).unwrap();
        let place = (place * bytes.len() as f64) as usize;
        bytes[place] ^= 1_u8 << bit;
        fs::write(&path, bytes).unwrap();
        prop_assert_eq!(missing(&mut open(root.path()), 0..50).len(), 50);
        prop_assert!(!path.exists());
    }

    #[test]
    fn a_torn_segment_is_found(share in 0.0..1.0_f64) {
        let root = TempDir::new().unwrap();
        fill(root.path(), 0..50);
        let path = only_segment(root.path());
        let length = fs::metadata(&path).unwrap().len();
        File::options().write(true).open(&path).unwrap().set_len((share * length as f64) as u64).unwrap();
        prop_assert_eq!(missing(&mut open(root.path()), 0..50).len(), 50);
        prop_assert_eq!(segments(root.path()).len(), 0);
    }

    #[test]
    fn any_bytes_are_no_segment(bytes in proptest::collection::vec(any::<u8>(), 0..400), with_magic: bool) {
        let magic: &[u8] = if with_magic { b"MTEBROWS\x01\0\0\0" } else { b"" };
        let bytes = [magic, &bytes].concat();
        let read = segment_head::SegmentHead::read(&mut bytes.as_slice(), bytes.len() as u64);
        prop_assert!(read.is_err());
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_in_use_is_found() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..MANY);
    let mut cache = open(root.path());
    File::options().write(true).open(only_segment(root.path())).unwrap().set_len(400_000).unwrap();
    assert!(!missing(&mut cache, 0..MANY).is_empty());
    assert_eq!(segments(root.path()).len(), 0);
}

#[test]
fn two_runs_share_a_cache() {
    let root = TempDir::new().unwrap();
    let runs: Vec<_> = (0..4)
        .map(|run| {
            let root = root.path().to_owned();
            std::thread::spawn(move || {
                for round in 0..20 {
                    let begin = (run % 2) * 100 + round;
                    fill(&root, begin..begin + 100);
                    let mut cache = open(&root);
                    assert!(missing(&mut cache, begin..begin + 100).is_empty());
                    assert!(cache.take_warnings().is_empty());
                }
            })
        })
        .collect();
    runs.into_iter().for_each(|run| run.join().unwrap());
    assert!(missing(&mut open(root.path()), 0..219).is_empty());
    let verified = verify(root.path());
    assert!(verified.damaged.is_empty() && verified.unreadable.is_empty());
}

#[test]
fn what_another_run_has_evicted_is_missing_without_a_word() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..3);
    let mut cache = open(root.path());
    assert!(clear(root.path()).unwrap() > 0);
    assert_eq!(missing(&mut cache, 0..3), [0, 1, 2]);
    assert!(cache.take_warnings().is_empty());
    let key = keys(&cache, 0..1)[0];
    cache.insert(key, &row(0));
    cache.flush();
    assert_eq!(missing(&mut open(root.path()), 0..3), [1, 2], "the folder is made again");
}

#[test]
fn the_least_recently_used_segments_are_evicted() {
    let root = TempDir::new().unwrap();
    let hours_ago = |path: &Path, hours: u64| {
        let time = calendar::now() - Duration::from_secs(3600 * hours);
        File::open(path).unwrap().set_modified(time).unwrap();
    };
    let mut known = Vec::new();
    for (number, age) in [(0, 4), (1, 3), (2, 2)] {
        fill(root.path(), number * 10..number * 10 + 10);
        let new = segments(root.path()).into_iter().find(|path| !known.contains(path)).unwrap();
        hours_ago(&new, age);
        known.push(new);
    }
    assert!(missing(&mut open(root.path()), 0..10).is_empty(), "this makes the oldest segment the newest");
    let size = fs::metadata(&known[0]).unwrap().len();
    let mut cache = EmbeddingCache::open(root.path(), identity("other"), ByteSize(2 * size));
    assert!(known[0].exists() && !known[1].exists() && known[2].exists());
    let key = keys(&cache, 0..1)[0];
    cache.insert(key, &row(0));
    cache.flush();
    assert!(known[0].exists() && !known[2].exists(), "another model's rows need the room");
    let total: u64 = info(root.path()).iter().map(|cached| cached.bytes).sum();
    assert!(total <= 2 * size);
}

#[test]
fn what_a_killed_run_has_left_is_removed_and_what_a_living_one_writes_stays() {
    let root = TempDir::new().unwrap();
    fill(root.path(), 0..1);
    let folder = root.path().join(identity("model").folder_name());
    let (left, living) = [b'l', b'm']
        .map(|letter| folder.join(format!(".mteb-host-cache-{}", char::from(letter).to_string().repeat(16))))
        .into();
    fs::write(&left, "half a segment").unwrap();
    let file = File::create(&living).unwrap();
    file.lock().unwrap();
    assert!(missing(&mut open(root.path()), 0..1).is_empty());
    assert!(!left.exists() && living.exists());
}

#[test]
fn a_cache_that_cannot_be_written_is_said_once() {
    let root = TempDir::new().unwrap();
    let file = root.path().join("file");
    fs::write(&file, "in the way").unwrap();
    let mut cache = EmbeddingCache::open(&file, identity("model"), PLENTY);
    cache.take_warnings();
    for number in 0..3 {
        let key = keys(&cache, number..number + 1)[0];
        cache.insert(key, &row(number));
        cache.flush();
    }
    let warnings = cache.take_warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("cannot write embeddings to the cache"), "{warnings:?}");
    assert_eq!(missing(&mut cache, 0..4), [3], "the rows of this run are kept in memory");
}

#[test]
fn a_cache_without_a_folder_keeps_the_newest_rows() {
    let limit = ByteSize(80 * 4 * DIMENSION as u64);
    let mut cache = EmbeddingCache::in_memory(identity("model"), limit);
    for (number, key) in keys(&cache, 0..500).into_iter().enumerate() {
        cache.insert(key, &row(number));
        cache.flush_if_due();
    }
    let missing = missing(&mut cache, 0..500);
    assert_eq!(missing, (0..missing.len()).collect::<Vec<_>>(), "the oldest ones");
    assert!((410..=430).contains(&missing.len()), "{}", missing.len());
    assert!(cache.take_warnings().is_empty());
}

#[test]
fn the_inventory_says_whose_rows_there_are() {
    let root = TempDir::new().unwrap();
    assert!(info(root.path()).is_empty());
    fill(root.path(), 0..5);
    let found = info(root.path());
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].model["name"].as_str(), found[0].segments), (Some("model"), 1));
    let verified = verify(root.path());
    assert_eq!((verified.sound, verified.rows), (1, 5));
    assert_eq!(clear(root.path()).unwrap(), found[0].bytes);
    assert_eq!(clear(root.path()).unwrap(), 0);
}
