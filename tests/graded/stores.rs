//! What judging leaves: nothing of it is lost, whatever is damaged or killed.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use mteb_host_tests::host;

use super::judge::{STORE, assert_all_judged, judge, judgements, pairs, prepared};
use super::provider::{Misdeed, Provider};
use super::{LAW, done};

#[test]
fn a_store_of_no_bytes_is_one_that_was_just_begun() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
    fs::create_dir_all(folder.path().join("graded/judgements")).unwrap();
    fs::write(folder.path().join(STORE), "").unwrap();
    assert_eq!(judge(folder.path(), &["--dry-run"]).code, Some(0));
    assert_eq!(judge(folder.path(), &[]).code, Some(0));
    assert_all_judged(folder.path(), &provider);
}

#[test]
fn a_store_whose_head_was_cut_is_one_that_was_just_begun_and_keeps_no_other_from_anything() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepared(&provider, 1);
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
        let run = done(folder.path(), &["evaluate", "--task", LAW]);
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
    let folder = prepared(&provider, 1);
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
    let folder = prepared(&provider, 1);
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
    let folder = prepared(&provider, 5);
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
