//! The kept list of a repository's files: a shortcut, which no fault of a hub outlives.

use std::fs;
use std::path::PathBuf;

use mteb_host_tests::{COMMIT, HASH, Lie, LyingHub, Run};
use serde_json::Value;

use super::hub::User;

/// A hub of two files, and the same hub while its list leaves one out.
fn whole() -> Lie {
    Lie::Names(vec!["test.csv".to_owned(), "more-test.csv".to_owned()])
}

fn partial() -> Lie {
    Lie::Names(vec!["test.csv".to_owned()])
}

/// Runs the task, and gives its main score.
fn score(user: &User, address: &str, more: &[&str]) -> f64 {
    let run = Run::of(
        user.command(address, &["run", "--json", "--model", "random", "--registry", "Lies.toml"]).args(more),
    )
    .unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.json().unwrap()["tasks"][0]["units"][0]["main_score"].as_f64().unwrap()
}

/// The kept list, of the only hub that was asked.
fn find_list(user: &User) -> PathBuf {
    let hubs = fs::read_dir(user.path().join("cache/hub-listings/v2")).unwrap();
    let hubs: Vec<PathBuf> = hubs.map(|hub| hub.unwrap().path()).collect();
    assert_eq!(hubs.len(), 1);
    hubs[0].join("datasets--lab--lies").join(format!("{COMMIT}.json"))
}

/// The score over both files.
fn expected_score() -> f64 {
    let hub = LyingHub::start(whole()).unwrap();
    score(&User::new(), &hub.address, &[])
}

/// What is changed in a list, and how.
type Edit<'a> = (&'a str, &'a dyn Fn(&mut Value));

#[test]
fn a_list_that_left_out_a_file_is_no_list_of_another_hub() {
    let (faulty, sound) = (LyingHub::start(partial()).unwrap(), LyingHub::start(whole()).unwrap());
    let user = User::new();
    let expected = expected_score();
    assert_ne!(score(&user, &faulty.address, &[]), expected);
    assert_eq!(score(&user, &sound.address, &["--output-folder", "other"]), expected);
    // A result says which files it was made from, and these are unchanged: it stays unless it is asked for again.
    assert_eq!(score(&user, &sound.address, &["--overwrite", "always"]), expected);
}

#[test]
fn the_same_hub_is_asked_again_by_what_the_user_does_about_a_wrong_score() {
    let expected = expected_score();
    let done: [(&str, &[&str], &[&str]); 3] = [
        ("fetch", &["fetch", "--quiet", "--registry", "Lies.toml"], &["--output-folder", "other"]),
        ("--overwrite always", &["doctor"], &["--overwrite", "always"]),
        ("cache clear", &["cache", "clear"], &["--output-folder", "other"]),
    ];
    for (name, command, arguments) in done {
        let hub = LyingHub::start(partial()).unwrap();
        let user = User::new();
        assert_ne!(score(&user, &hub.address, &[]), expected, "{name}");
        hub.tell(whole());
        let run = Run::of(&mut user.command(&hub.address, command)).unwrap();
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        assert_eq!(score(&user, &hub.address, arguments), expected, "{name}");
    }
}

#[test]
fn a_list_is_believed_only_beside_files_that_it_led_to() {
    let hub = LyingHub::start(partial()).unwrap();
    let user = User::new();
    score(&user, &hub.address, &[]);
    hub.tell(whole());
    fs::remove_dir_all(user.path().join("ecosystem")).unwrap();
    assert_eq!(score(&user, &hub.address, &["--output-folder", "other"]), expected_score());
}

#[test]
fn a_sound_list_is_not_asked_for_twice() {
    let hub = LyingHub::start(whole()).unwrap();
    let user = User::new();
    let first = score(&user, &hub.address, &[]);
    let asked = hub.asked();
    assert_eq!(score(&user, &hub.address, &["--output-folder", "other"]), first);
    assert_eq!(hub.asked(), asked);
}

#[test]
fn a_kept_list_that_what_the_hub_says_of_a_file_contradicts_is_asked_for_anew() {
    let wrong: [Edit; 4] = [
        ("another size", &|list| list["files"][1]["size"] = 1.into()),
        ("another hash", &|list| list["files"][1]["hash"] = "0".repeat(64).into()),
        ("a file that is not there", &|list| list["files"][1]["path"] = "test-absent.csv".into()),
        ("none of the files of the split", &|list| {
            list["files"] = serde_json::json!([{ "path": "validation.csv", "size": 1 }]);
        }),
    ];
    for (name, change) in wrong {
        let hub = LyingHub::start(whole()).unwrap();
        let user = User::new();
        let first = score(&user, &hub.address, &[]);
        let kept = find_list(&user);
        let mut list: Value = serde_json::from_slice(&fs::read(&kept).unwrap()).unwrap();
        change(&mut list);
        fs::write(&kept, list.to_string()).unwrap();
        fs::remove_file(user.file()).unwrap();
        if name.contains("not there") {
            hub.tell(Lie::Truth);
        }
        let again = Run::of(&mut user.command(
            &hub.address,
            &["run", "--json", "--model", "random", "--registry", "Lies.toml", "--output-folder", "other"],
        ));
        let again = again.unwrap();
        assert_eq!(again.code, Some(0), "{name}: {}", again.stderr);
        if !name.contains("not there") {
            assert_eq!(again.json().unwrap()["tasks"][0]["units"][0]["main_score"], first, "{name}");
        }
    }
}

#[test]
fn what_a_hub_said_wrongly_once_is_forgotten() {
    let lies = [
        (
            Lie::ListedSize(7),
            "test.csv: expected the 7 bytes of the list of files, found 73 bytes announced; run again",
        ),
        (Lie::ListedHash("0".repeat(64)), "test.csv: expected the hash 000000000000"),
        (Lie::Names(Vec::new()), "list of files: expected files, found none"),
    ];
    for (lie, said) in lies {
        let hub = LyingHub::start(lie).unwrap();
        let user = User::new();
        let fetch = ["fetch", "--quiet", "--registry", "Lies.toml"];
        let run = Run::of(&mut user.command(&hub.address, &fetch)).unwrap();
        assert_eq!(run.code, Some(1));
        assert!(run.stderr.contains(said), "{}", run.stderr);
        hub.tell(Lie::Truth);
        // As the message says.
        score(&user, &hub.address, &[]);
    }
}

#[test]
fn offline_a_file_that_any_list_names_is_missed() {
    let (faulty, sound) = (LyingHub::start(partial()).unwrap(), LyingHub::start(whole()).unwrap());
    let user = User::new();
    let first = score(&user, &sound.address, &[]);
    fs::remove_dir_all(user.path().join("ecosystem")).unwrap();
    score(&user, &faulty.address, &["--output-folder", "other"]);
    let offline =
        ["run", "--offline", "--model", "random", "--registry", "Lies.toml", "--output-folder", "third"];
    let run = Run::of(&mut user.command("http://127.0.0.1:9", &offline)).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(run.stderr.contains("more-test.csv is not in the cache"), "{}", run.stderr);
    assert_eq!(score(&user, &sound.address, &["--output-folder", "fourth"]), first);
}

#[test]
fn what_is_kept_is_shown_and_cleared() {
    let hub = LyingHub::start(whole()).unwrap();
    let user = User::new();
    score(&user, &hub.address, &[]);
    let own = user.path().join("cache/hub-listings/notes.txt");
    fs::write(&own, "mine").unwrap();
    let info =
        Run::of(&mut user.command(&hub.address, &["cache", "info", "--json"])).unwrap().json().unwrap();
    assert_eq!(info["lists"]["lists"], 1);
    let bytes = fs::metadata(find_list(&user)).unwrap().len();
    assert_eq!(info["lists"]["bytes"], bytes);
    let run = Run::of(&mut user.command(&hub.address, &["cache", "clear"])).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("hub-listings"), "{}", run.stdout);
    assert!(own.exists() && !user.path().join("cache/hub-listings/v2").exists());
}

#[test]
fn clearing_the_cache_removes_lists_and_nothing_that_only_looks_like_one() {
    let hub = LyingHub::start(whole()).unwrap();
    let user = User::new();
    score(&user, &hub.address, &[]);
    let list = find_list(&user);
    let lists = user.path().join("cache/hub-listings");
    let own = [
        lists.join(format!("org/name/{COMMIT}.json")),
        lists.join(format!("v2/mine/datasets--a--b/{COMMIT}.json")),
        lists.join(format!("datasets--a--b/{COMMIT}.json")),
    ];
    for file in &own {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "mine").unwrap();
    }
    let clear = || Run::of(&mut user.command(&hub.address, &["cache", "clear"])).unwrap();
    let moved = user.path().join("moved");
    fs::rename(&lists, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &lists).unwrap();
    assert_eq!(clear().code, Some(0));
    assert!(list.exists(), "a list behind a link of the user's is removed");
    fs::remove_file(&lists).unwrap();
    fs::rename(&moved, &lists).unwrap();
    assert_eq!(clear().code, Some(0));
    assert!(!list.exists() && own.iter().all(|file| file.exists()));
}

#[test]
fn other_bytes_under_the_name_of_fetched_ones_are_kept_and_named() {
    let hub = LyingHub::start(Lie::Truth).unwrap();
    let user = User::new();
    let blobs = user.path().join("ecosystem/hub/datasets--lab--lies/blobs");
    fs::create_dir_all(&blobs).unwrap();
    fs::write(blobs.join(HASH), "mine").unwrap();
    let fetch = || {
        Run::of(&mut user.command(&hub.address, &["fetch", "--quiet", "--registry", "Lies.toml"])).unwrap()
    };
    let run = fetch();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let kept = blobs.join(format!("{HASH}.other-1"));
    assert_eq!(fs::read_to_string(&kept).unwrap(), "mine");
    let said =
        format!("a file in the place of a download had other content and was moved to {}", kept.display());
    assert!(run.stderr.contains(&said), "{}", run.stderr);
    assert_eq!((fetch().stderr.as_str(), fs::read_dir(&blobs).unwrap().count()), ("", 2));
}
