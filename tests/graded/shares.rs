//! Pairs that several machines judge, by ranges of queries.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::done;
use super::judge::{STORE, card, judge, judgements, pairs, prepared};
use super::provider::{Misdeed, Provider};

/// The pool of `from` and the judge in a folder of their own.
fn copied(from: &Path, provider: &Provider) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pool = Path::new("graded/pools").join(super::LAW).join("test/default.jsonl");
    fs::create_dir_all(folder.path().join(&pool).parent().unwrap()).unwrap();
    fs::copy(from.join(&pool), folder.path().join(&pool)).unwrap();
    card(folder.path(), &provider.address, 3);
    folder
}

fn store(folder: &Path) -> String {
    fs::read_to_string(folder.join(STORE)).unwrap()
}

fn shard(folder: &Path, of: &str, shard: &str) {
    let run = judge(folder, &["--shards", of, "--shard", shard]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn shards_judge_each_pair_once_and_merge_to_the_same_bytes_whatever_their_number() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let single = prepared(&provider, 10);
    assert_eq!(judge(single.path(), &[]).code, Some(0));
    let asked = provider.asked().len();
    let three = copied(single.path(), &provider);
    for number in ["2", "0"] {
        shard(three.path(), "3", number);
    }
    let merge = ["merge", "--judge", "reader.toml"];
    let half = super::graded(three.path(), &merge);
    assert_eq!(half.code, Some(1), "{}", half.stdout);
    assert!(half.stderr.contains("error: shard 1: "), "{}", half.stderr);
    assert!(
        half.stderr.contains("run: mteb-host graded judge --judge reader.toml --shards 3 --shard 1"),
        "{}",
        half.stderr
    );
    // What is merged is not asked for again.
    shard(three.path(), "3", "1");
    shard(three.path(), "3", "1");
    assert_eq!(provider.asked().len(), 2 * asked, "each pair once");
    done(three.path(), &merge);
    let merged = store(three.path());
    done(three.path(), &merge);
    assert_eq!(store(three.path()), merged, "to merge again changes nothing");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!(lines(&merged), lines(&store(single.path())));
    assert_eq!(judgements(three.path()).len(), pairs(three.path()).len());
    // In any number, all at once or one part before the other: the bytes are the same.
    let stores = ["1", "4"].map(|of| {
        let folder = copied(single.path(), &provider);
        let numbers = (0..of.parse::<usize>().unwrap()).rev();
        numbers.for_each(|number| shard(folder.path(), of, &number.to_string()));
        done(folder.path(), &merge);
        store(folder.path())
    });
    assert_eq!(stores[0], stores[1]);
    assert_eq!(stores[0], merged);
}

#[test]
fn a_shard_has_a_number_and_pairs_of_whole_queries() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 5);
    let none = judge(folder.path(), &["--shards", "2"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    assert!(
        none.stderr.contains("expected the number of a shard from 0 to 1, found none"),
        "{}",
        none.stderr
    );
    let beyond = judge(folder.path(), &["--shards", "2", "--shard", "2"]);
    assert!(beyond.stderr.contains("from 0 to 1, found 2"), "{}", beyond.stderr);
    let none = super::graded(folder.path(), &["merge", "--judge", "reader.toml"]);
    assert!(none.stderr.contains("run `mteb-host graded judge --shards N` first"), "{}", none.stderr);
    let queries = ["0", "1"].map(|number| {
        shard(folder.path(), "2", number);
        let file = folder.path().join(format!("graded/shards/reader/{number}-of-2.jsonl"));
        let lines = super::lines(&file).split_off(1);
        lines.iter().map(|line| line["query"].as_str().unwrap().to_owned()).collect::<BTreeSet<String>>()
    });
    assert!(queries.iter().all(|queries| !queries.is_empty()) && queries[0].is_disjoint(&queries[1]));
}
