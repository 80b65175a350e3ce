//! Files that are none, and files of the user's: nothing waits for them, and none is lost. Judges that are not who they are asked as.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mteb_host_tests::{Run, host};
use serde_json::Value;

use super::provider::{Misdeed, Provider, STORE, judge, judgements, prepare_pool};
use super::{LAW, run_graded, succeed};

/// The card of a judge that nobody gets to ask.
const CARD: &str = r#"
schema = 1
name = "reader"
title = "a judge of the tests"
threshold = 6.0
[endpoint]
style = "openai"
url = "http://127.0.0.1:9/v1"
model = "m-1"
[prompt]
language = "en"
version = 1
"#;

#[test]
fn a_pipe_in_the_place_of_a_judges_card_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["rank", "hashing", "--task", LAW, "--quiet"]);
    succeed(folder.path(), &["pool", "--task", LAW, "--depth", "1"]);
    fs::write(folder.path().join("reader.toml"), CARD).unwrap();
    let judgements = folder.path().join("graded/judgements");
    fs::create_dir_all(&judgements).unwrap();
    assert!(Command::new("mkfifo").arg(judgements.join("reader.toml")).status().unwrap().success());
    let run = run_graded(folder.path(), &["judge", "--judge", "reader.toml", "--quiet"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let expected = "graded/judgements/reader.toml: cannot read it: expected a regular file, found a pipe";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    assert!(!judgements.join("reader.jsonl").exists(), "a store was left");
}

/// Exports to `file`, which is refused with these words; what is there stays.
fn refuse_export(folder: &Path, file: &str, said: &str, more: &[&str]) {
    let path = folder.join(file);
    let before = fs::read(&path).ok();
    let run = judge(folder, &[&["--export", file], more].concat());
    assert_eq!(run.code, Some(1), "{file}: {}", run.stdout);
    assert!(run.stderr.contains(said), "{file}: {}", run.stderr);
    assert_eq!(fs::read(&path).ok(), before, "{file}");
}

#[test]
fn an_export_replaces_no_file_but_an_export() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    let folder = folder.path();
    assert_eq!(judge(folder, &[]).code, Some(0));
    fs::remove_file(folder.join("graded/judgements/reader.toml")).unwrap();
    let pool = format!("graded/pools/{LAW}/test/default.jsonl");
    for (copy, of) in [("pool.jsonl", pool.as_str()), ("store.jsonl", STORE), ("other.toml", "reader.toml")] {
        fs::copy(folder.join(of), folder.join(copy)).unwrap();
    }
    fs::hard_link(folder.join("reader.toml"), folder.join("card")).unwrap();
    let others = "whose files are not exports";
    for more in [&[][..], &["--replace"]] {
        refuse_export(folder, "reader.toml", "found the judge's card; name another", more);
        refuse_export(folder, "card", "found the judge's card; name another", more);
        refuse_export(folder, "other.toml", "found the card of a judge; name another", more);
        refuse_export(folder, "pool.jsonl", "found a pool; name another", more);
        refuse_export(folder, "store.jsonl", "found a store of judgements; name another", more);
        refuse_export(folder, &pool, others, more);
        refuse_export(folder, STORE, others, more);
        refuse_export(folder, "graded/pools/new.jsonl", others, more);
    }
    fs::remove_file(folder.join(STORE)).unwrap();
    assert_eq!(judge(folder, &["--export", "batch.jsonl"]).code, Some(0));
    let batch = fs::read_to_string(folder.join("batch.jsonl")).unwrap();
    assert_eq!(judge(folder, &["--export", "batch.jsonl"]).code, Some(0), "an export of before");
    let said =
        "expected no file, or an earlier export, found something else; move it away, or add `--replace`";
    for text in
        ["my notes\n".to_owned(), format!("{batch}my notes\n"), batch.replacen("{", "{\"score\":7,", 1)]
    {
        fs::write(folder.join("notes.txt"), text).unwrap();
        refuse_export(folder, "notes.txt", said, &[]);
    }
    assert_eq!(judge(folder, &["--export", "notes.txt", "--replace"]).code, Some(0));
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), batch);
}

#[test]
fn an_export_replaces_no_pipe_no_device_and_no_link() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    let folder = folder.path();
    fs::write(folder.join("own"), "").unwrap();
    symlink("own", folder.join("link")).unwrap();
    symlink("nowhere", folder.join("dangling")).unwrap();
    symlink("/dev/null", folder.join("device")).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().unwrap().success());
    for (file, kind) in [
        ("link", "a link"),
        ("dangling", "a link"),
        ("device", "a link"),
        ("pipe", "a pipe"),
        ("graded", "a folder"),
    ] {
        for more in [&[][..], &["--replace"]] {
            let before = fs::symlink_metadata(folder.join(file)).unwrap().file_type();
            let run = judge(folder, &[&["--export", file], more].concat());
            let said = format!("{file}: expected a regular file, found {kind}; move it away");
            assert!(run.code == Some(1) && run.stderr.contains(&said), "{:?} {}", run.code, run.stderr);
            assert_eq!(fs::symlink_metadata(folder.join(file)).unwrap().file_type(), before);
        }
    }
    assert!(fs::symlink_metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_link_among_the_judgements_leads_nothing_to_where_others_want_it() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let folder = folder.path();
    let judgements = folder.join("graded/judgements");
    fs::create_dir_all(&judgements).unwrap();
    fs::write(folder.join("own"), "").unwrap();
    for target in ["../../nowhere", "../../own"] {
        symlink(target, judgements.join("reader.jsonl")).unwrap();
        let run = judge(folder, &[]);
        let said = "reader.jsonl: cannot write it: expected a regular file, found a link";
        assert!(run.code == Some(1) && run.stderr.contains(said), "{:?} {}", run.code, run.stderr);
        assert!(!folder.join("nowhere").exists() && fs::read(folder.join("own")).unwrap().is_empty());
        fs::remove_file(judgements.join("reader.jsonl")).unwrap();
    }
    fs::remove_file(judgements.join("reader.toml")).ok();
    symlink("../../nowhere", judgements.join("reader.toml")).unwrap();
    let run = judge(folder, &[]);
    assert!(run.code == Some(1) && run.stderr.contains("found a link"), "{:?} {}", run.code, run.stderr);
    fs::remove_file(judgements.join("reader.toml")).unwrap();
    fs::write(judgements.join("reader.toml"), "[net]\noffline = true\n").unwrap();
    let run = judge(folder, &[]);
    let said = "reader.toml: expected the card of a judge, or nothing, found something else; move it away";
    assert!(run.code == Some(1) && run.stderr.contains(said), "{:?} {}", run.code, run.stderr);
    fs::write(judgements.join("reader.toml"), format!("{CARD}# of others\n")).unwrap();
    symlink("../../nowhere", judgements.join("reader.toml.1")).unwrap();
    let run = judge(folder, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!folder.join("nowhere").exists(), "the copy went through a link");
    let kept = fs::read_to_string(judgements.join("reader.toml.2")).unwrap();
    assert!(kept.ends_with("# of others\n"), "{kept}");
}

#[test]
fn a_folder_of_graded_files_that_is_a_link_takes_nothing_to_where_others_want_it() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let folder = folder.path();
    assert_eq!(judge(folder, &[]).code, Some(0));
    succeed(folder, &["evaluate", "--task", LAW]);
    for (linked, command) in [
        ("judgements".to_owned(), &["judge", "--judge", "reader.toml", "--quiet"][..]),
        ("evaluations".to_owned(), &["evaluate", "--task", LAW]),
        (format!("evaluations/{LAW}"), &["evaluate", "--task", LAW]),
        (format!("pools/{LAW}"), &["pool", "--task", LAW, "--depth", "1"]),
    ] {
        let place = folder.join("graded").join(&linked);
        fs::rename(&place, folder.join("elsewhere")).unwrap();
        symlink(folder.join("elsewhere"), &place).unwrap();
        let run = run_graded(folder, command);
        let said = format!("graded/{linked}: expected a folder, found a link; move it away");
        assert!(run.code == Some(1) && run.stderr.contains(&said), "{linked}: {:?} {}", run.code, run.stderr);
        fs::remove_file(&place).unwrap();
        fs::rename(folder.join("elsewhere"), &place).unwrap();
        succeed(folder, command);
    }
}

#[test]
fn a_judge_without_a_card_keeps_no_other_from_an_evaluation() {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let folder = folder.path();
    assert_eq!(judge(folder, &[]).code, Some(0));
    let judgements = folder.join("graded/judgements");
    fs::copy(judgements.join("reader.jsonl"), judgements.join("other.jsonl")).unwrap();
    for card in [None, Some(""), Some("no card")] {
        if let Some(card) = card {
            fs::write(judgements.join("other.toml"), card).unwrap();
        }
        for command in [&["evaluate", "--task", LAW][..], &["agreement", "--samples", "10"]] {
            let run = run_graded(folder, command);
            assert_eq!(run.code, Some(0), "{card:?}: {}", run.stderr);
            let said = "the judge other is left out, because its judgements mean nothing without its card";
            assert!(run.stderr.contains(said), "{card:?}: {}", run.stderr);
        }
    }
    let named = run_graded(folder, &["evaluate", "--task", LAW, "--judge", "other"]);
    assert_ne!(named.code, Some(0), "who is asked for is missed: {}", named.stdout);
}

#[test]
fn a_judge_that_answers_as_another_model_judges_nothing() {
    let provider = Provider::start(Misdeed::OtherModel, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let run = judge(folder.path(), &["--concurrency", "1"]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("expected replies of the model m-1, found: other"), "{}", run.stderr);
    assert_eq!((provider.asked().len(), judgements(folder.path()).len()), (1, 0));
}

#[test]
fn a_limit_of_calls_does_not_hide_what_they_were_spent_on() {
    let provider = Provider::start(Misdeed::Page, 1, Duration::ZERO);
    let folder = prepare_pool(&provider, 1);
    let run = judge(folder.path(), &["--max-calls", "2", "--concurrency", "1"]);
    let said = "the budget is spent: `--max-calls` allows 2 calls; the replies so far are kept; the last call \
                failed: expected a reply as JSON, found: <html>";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn what_others_put_into_the_places_of_evaluations_and_new_pairs_stays() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    let folder = folder.path();
    assert_eq!(judge(folder, &[]).code, Some(0));
    succeed(folder, &["evaluate", "--task", LAW]);
    let evaluation = folder.join(format!("graded/evaluations/{LAW}/test/default.json"));
    let new = folder.join(format!("graded/new/{LAW}/test/default.jsonl"));
    fs::create_dir_all(new.parent().unwrap()).unwrap();
    for (place, command, expected) in [
        (&evaluation, &["evaluate", "--task", LAW][..], "expected an evaluation, or nothing, found"),
        (&new, &["pool", "--task", LAW, "--depth", "3"], "expected pairs of a pool, or nothing, found"),
    ] {
        fs::write(place, "my notes\n").unwrap();
        let run = run_graded(folder, command);
        assert_eq!(run.code, Some(1), "{}", run.stdout);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
        assert_eq!(fs::read_to_string(place).unwrap(), "my notes\n");
        fs::rename(place, folder.join("notes")).unwrap();
        symlink(folder.join("notes"), place).unwrap();
        let run = run_graded(folder, command);
        assert!(run.stderr.contains("found a link"), "{}", run.stderr);
        assert!(place.symlink_metadata().unwrap().is_symlink());
        fs::remove_file(place).unwrap();
        succeed(folder, command);
    }
}

#[test]
fn an_evaluation_that_cannot_be_right_or_lies_elsewhere_is_named_and_left_out() {
    const OTHER: &str = "IndonesianHealthRetrieval";
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    let folder = folder.path();
    succeed(folder, &["rank", "hashing", "bm25", "--task", OTHER, "--quiet"]);
    succeed(folder, &["pool", "--task", OTHER, "--depth", "1"]);
    assert_eq!(judge(folder, &[]).code, Some(0));
    succeed(folder, &["evaluate"]);
    let file = folder.join(format!("graded/evaluations/{OTHER}/test/default.json"));
    let text = fs::read_to_string(&file).unwrap();
    let sound: Value = serde_json::from_str(&text).unwrap();
    let alone = succeed(folder, &["aggregate", "--task", LAW]).stdout;
    assert_ne!(succeed(folder, &["aggregate"]).stdout, alone);
    let curves = "/systems/0/curves/0";
    type Edit = fn(&mut Vec<Value>);
    let edits: [(&str, &str, Edit); 4] = [
        ("ndcg", "expected a number from 0 to 1 as `ndcg` at 1, found: 9.9", |numbers| {
            numbers[0] = 9.9.into()
        }),
        ("recall", "expected a number from 0 to 1 as `recall` at 1, found: -1", |numbers| {
            numbers[0] = (-1.0).into()
        }),
        ("ndcg", "expected 100 numbers of `ndcg`, one a rank, found: 99 numbers", |numbers| {
            numbers.truncate(99)
        }),
        ("judged", "left out", |numbers| numbers[3] = "1".into()),
    ];
    for (measure, said, edit) in edits {
        let mut edited = sound.clone();
        edit(edited.pointer_mut(&format!("{curves}/{measure}")).unwrap().as_array_mut().unwrap());
        fs::write(&file, edited.to_string()).unwrap();
        let run = succeed(folder, &["aggregate"]);
        assert_eq!(run.stdout, alone, "{said}");
        let is_named =
            run.stderr.contains(&format!("{OTHER}/test/default.json")) && run.stderr.contains(said);
        assert!(is_named && run.stderr.contains("left out"), "{said}: {}", run.stderr);
        let page = Run::of(host(folder).args(["report", "--graded", "graded"])).unwrap();
        assert!(page.stderr.contains(said), "{said}: {}", page.stderr);
    }
    fs::write(&file, &text).unwrap();
    let both = succeed(folder, &["aggregate"]).stdout;
    fs::copy(&file, file.with_file_name("backup.json")).unwrap();
    let run = succeed(folder, &["aggregate"]);
    assert_eq!(run.stdout, both);
    assert!(run.stderr.contains("backup.json: expected the evaluation of this place"), "{}", run.stderr);
}

#[test]
fn scores_of_a_reranker_that_cannot_be_read_are_named() {
    let nobody = Provider::start(Misdeed::None, 1, Duration::ZERO);
    let folder = prepare_pool(&nobody, 1);
    let folder = folder.path();
    assert_eq!(judge(folder, &[]).code, Some(0));
    let file = folder.join(format!("graded/reranked/x/1/{LAW}/test/default.trec.gz"));
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "my notes").unwrap();
    let run = run_graded(folder, &["agreement", "--samples", "10"]);
    let said = format!(
        "reranked/x/1/{LAW}/test/default.trec.gz: expected scores of a reranker, found something else; left out"
    );
    assert!(run.code == Some(0) && run.stderr.contains(&said), "{:?} {}", run.code, run.stderr);
}
