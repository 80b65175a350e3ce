//! What judging leaves: nothing of it is lost, whatever is damaged or killed, and several machines judge pairs
//! by ranges of queries.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use mteb_host_tests::host;

use super::provider::{
    Misdeed, Provider, STORE, assert_all_judged, card, judge, judgements, pairs, prepare_pool,
};
use super::{LAW, succeed};

#[test]
fn a_store_of_no_bytes_is_one_that_was_just_begun() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    fs::create_dir_all(folder.path().join("graded/judgements")).unwrap();
    fs::write(folder.path().join(STORE), "").unwrap();
    assert_eq!(judge(folder.path(), &["--dry-run"]).code, Some(0));
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
}

#[test]
fn a_store_whose_head_was_cut_is_one_that_was_just_begun_and_keeps_no_other_from_anything() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    let store = folder.path().join(STORE);
    let text = fs::read_to_string(&store).unwrap();
    // Another judge, whose disk was full within the first line of its store.
    let other = store.with_file_name("other.jsonl");
    let card = fs::read_to_string(store.with_extension("toml")).unwrap();
    fs::write(other.with_extension("toml"), card.replace("\"reader\"", "\"other\"")).unwrap();
    for (length, said) in
        [(1, "has judged nothing yet"), (40, "move the file away"), (0, "has judged nothing yet")]
    {
        fs::write(&other, &text[..length]).unwrap();
        let run = succeed(folder.path(), &["evaluate", "--task", LAW]);
        assert!(run.stderr.contains(said), "{length}: {}", run.stderr);
    }
    for length in [1, 40, text.lines().next().unwrap().len()] {
        fs::write(&store, &text[..length]).unwrap();
        assert_eq!(judge(folder.path(), &["--dry-run"]).code, Some(0));
        let run = judge(folder.path(), &[]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{length}");
        assert_eq!(judgements(folder.path()).len(), pairs(folder.path()).len());
    }
}

#[test]
fn another_card_of_a_judge_takes_the_place_of_the_one_before_which_is_kept() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    assert_eq!(judge(folder.path(), &[]).stderr, "");
    let card = fs::read_to_string(folder.path().join("reader.toml")).unwrap();
    fs::write(folder.path().join("reader.toml"), card.replace("threshold = 6.0", "threshold = 7.0")).unwrap();
    let kept = folder.path().join("graded/judgements/reader.toml");
    let run = judge(folder.path(), &[]);
    assert_eq!(
        run.stderr,
        "warning: graded/judgements/reader.toml: now the card reader.toml, which differs from the earlier one; \
         that one is kept as graded/judgements/reader.toml.1\n"
    );
    assert!(fs::read_to_string(&kept).unwrap().contains("threshold = 7.0"));
    assert_eq!(fs::read_to_string(kept.with_extension("toml.1")).unwrap(), card);
    assert_eq!(judge(folder.path(), &[]).stderr, "", "the same card again is no news");
}

#[test]
fn torn_and_damaged_lines_are_named_and_a_foreign_file_is_left_as_it_is() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    judge(folder.path(), &[]);
    let store: PathBuf = folder.path().join(STORE);
    let text = fs::read_to_string(&store).unwrap();
    let count = pairs(folder.path()).len();
    let damaged = text.replacen("\"pair\":", "\"pair\u{1}:", 1);
    fs::write(&store, &damaged[..damaged.len() - 9]).unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("{STORE}, line 2: damaged")), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("{STORE}, line {}: incomplete", count + 1)), "{}", run.stderr);
    assert_eq!(provider.asked().len(), count + 2, "the two that were lost are asked for again");
    fs::write(&store, "{\"note\": 1}\n").unwrap();
    let run = judge(folder.path(), &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("line 1: expected the head of a store of judgements"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&store).unwrap(), "{\"note\": 1}\n");
}

/// Calls under way at once while the host is killed.
const AT_ONCE: usize = 8;

#[test]
fn a_host_that_is_killed_50_times_asks_again_at_most_what_was_under_way() {
    const KILLS: usize = 50;
    let provider = Provider::start(Misdeed::None, 1, Duration::from_millis(20));
    let folder = prepare_pool(&provider, 5);
    let count = pairs(folder.path()).len();
    for _ in 0..KILLS {
        let before = provider.answered();
        let mut command = host(folder.path());
        command.args(["graded", "judge", "--judge", "reader.toml", "--quiet"]);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        while provider.answered() < before + 3 {
            assert!(child.try_wait().unwrap().is_none(), "it is in the midst of judging");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let left = count - judgements(folder.path()).len();
    assert!(left > 0, "work was left to the end");
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
    let again = provider.answers().values().map(|times| times - 1).sum::<usize>();
    assert!(again <= KILLS * AT_ONCE, "{again} of {count}");
}

/// The pool of `from` and the judge in a folder of their own.
fn copy_pool(from: &Path, provider: &Provider) -> tempfile::TempDir {
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
    let single = prepare_pool(&provider, 10);
    assert_eq!(judge(single.path(), &[]).code, Some(0));
    let asked = provider.asked().len();
    let three = copy_pool(single.path(), &provider);
    for number in ["2", "0"] {
        shard(three.path(), "3", number);
    }
    let merge = ["merge", "--judge", "reader.toml"];
    let half = super::run_graded(three.path(), &merge);
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
    succeed(three.path(), &merge);
    let merged = store(three.path());
    succeed(three.path(), &merge);
    assert_eq!(store(three.path()), merged, "to merge again changes nothing");
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    assert_eq!(lines(&merged), lines(&store(single.path())));
    assert_eq!(judgements(three.path()).len(), pairs(three.path()).len());
    // In any number, all at once or one part before the other: the bytes are the same.
    let stores = ["1", "4"].map(|of| {
        let folder = copy_pool(single.path(), &provider);
        let numbers = (0..of.parse::<usize>().unwrap()).rev();
        numbers.for_each(|number| shard(folder.path(), of, &number.to_string()));
        succeed(folder.path(), &merge);
        store(folder.path())
    });
    assert_eq!(stores[0], stores[1]);
    assert_eq!(stores[0], merged);
}

#[test]
fn a_shard_has_a_number_and_pairs_of_whole_queries() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 5);
    let none = judge(folder.path(), &["--shards", "2"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
    assert!(
        none.stderr.contains("expected the number of a shard from 0 to 1, found none"),
        "{}",
        none.stderr
    );
    let beyond = judge(folder.path(), &["--shards", "2", "--shard", "2"]);
    assert!(beyond.stderr.contains("from 0 to 1, found 2"), "{}", beyond.stderr);
    let none = super::run_graded(folder.path(), &["merge", "--judge", "reader.toml"]);
    assert!(none.stderr.contains("run `mteb-host graded judge --shards N` first"), "{}", none.stderr);
    let queries = ["0", "1"].map(|number| {
        shard(folder.path(), "2", number);
        let file = folder.path().join(format!("graded/shards/reader/{number}-of-2.jsonl"));
        let lines = super::lines(&file).split_off(1);
        lines.iter().map(|line| line["query"].as_str().unwrap().to_owned()).collect::<BTreeSet<String>>()
    });
    assert!(queries.iter().all(|queries| !queries.is_empty()) && queries[0].is_disjoint(&queries[1]));
}
