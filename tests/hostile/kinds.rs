//! Files that are no regular files, and data folders without end.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};

use mteb_host_tests::{Run, faulty_plugin};

use super::memory::{limit_memory, run, states, task};

/// What is read, its file, the arguments of the host, and its exit code if it is the file's.
type Reader = (&'static str, &'static str, &'static [&'static str], Option<i32>);

/// What is odd, how it is made, and what is said of it.
type OddFolder<'a> = (&'a str, &'a dyn Fn(&Path), &'a str);

const RUN: &[&str] = &["run", "--registry", "task.toml", "--model", "random"];
const STATS: &[&str] = &["stats", "Pairs:jav", "--registry", "task.toml"];
const LIST: &[&str] = &["list", "tasks", "--registry", "other.toml"];
const PROMPTS: &[&str] =
    &["run", "--registry", "task.toml", "--model", "random", "--prompts", "prompts.json"];
const FETCH: &[&str] = &["fetch", "--registry", "task.toml", "--update-lock"];
const DOCTOR: &[&str] = &["doctor", "--plugin-dir", "plugins"];

const DATA: [Reader; 5] = [
    ("data", "data/jav/test.jsonl", RUN, Some(1)),
    ("data that is examined", "data/jav/test.csv", &["validate", "--data", "task.toml"], None),
    ("compressed data", "data/jav/test.jsonl.gz", STATS, Some(1)),
    ("Parquet", "data/jav/test.parquet", STATS, Some(1)),
    ("data under a lock", "data/jav/test.jsonl", FETCH, Some(1)),
];

const OTHERS: [Reader; 9] = [
    ("card", "other.toml", &["validate", "other.toml"], Some(2)),
    ("registry", "other.toml", LIST, Some(2)),
    ("model card", "models/random.toml", RUN, Some(2)),
    ("lock", "task.lock.toml", RUN, Some(2)),
    ("result", "results/mteb__baseline-random-encoder/2/Pairs.json", RUN, Some(1)),
    ("prompts", "prompts.json", PROMPTS, Some(2)),
    ("plugin", "plugins/libmteb_x.so", DOCTOR, None),
    ("plugins.lock", "plugins/plugins.lock", DOCTOR, None),
    ("trusted plugins", "own/plugins.lock", DOCTOR, None),
];

#[test]
fn what_is_no_regular_file_is_refused_at_once_with_its_kind() {
    let kinds = ["a pipe", "a socket", "a device", "a folder"];
    let readers = kinds.iter().flat_map(|kind| OTHERS.map(|reader| (*kind, reader)));
    // A link to a device leads out of the registry, which is refused for that; a folder may be a part of the data.
    let data = kinds[..2].iter().flat_map(|kind| DATA.map(|reader| (*kind, reader)));
    let mut wrong = Vec::new();
    for (kind, (what, file, args, code)) in readers.chain(data) {
        let folder = task();
        let path = folder.path().join(file);
        if file.starts_with("data/jav") {
            fs::remove_file(folder.path().join("data/jav/test.jsonl")).unwrap();
        }
        if what == "trusted plugins" {
            faulty_plugin("random_encoder", &folder.path().join("plugins")).unwrap();
        }
        if (what, kind) == ("card", "a folder") {
            // That checks the cards in it.
            continue;
        }
        let _socket = make(kind, &path);
        let run = Run::of(
            limit_memory(folder.path(), 1900).env("MTEB_HOST_DATA", folder.path().join("own")).args(args),
        )
        .unwrap();
        let said = format!("{what} is {kind}: {:?} {}{}", run.code, run.stdout, run.stderr);
        // A device that everybody may write to is refused for that before its kind is looked at.
        let is_refused = said.contains(&format!("expected a regular file, found {kind}"))
            || said.contains("expected a registry or card file, found a folder")
            || (what == "trusted plugins" && said.contains("everyone may write to"));
        let is_named = is_refused && said.contains(path.file_name().unwrap().to_str().unwrap());
        if !is_named || code.is_some_and(|code| run.code != Some(code)) {
            wrong.push(said);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_card_whose_whole_data_is_no_file_says_what_it_is() {
    for kind in ["a pipe", "a socket"] {
        let folder = task();
        let path = folder.path().join("pairs.csv");
        let _socket = make(kind, &path);
        let card = fs::read_to_string(folder.path().join("task.toml")).unwrap();
        let card: String =
            card.lines().filter(|line| !line.starts_with("path")).map(|line| format!("{line}\n")).collect();
        let card = card.replace("[dataset]\n", "[dataset]\npath = \"pairs.csv\"\n");
        fs::write(folder.path().join("task.toml"), card).unwrap();
        let found = run(folder.path(), RUN);
        assert!(found.stderr.contains(&format!("expected a regular file, found {kind}")), "{}", found.stderr);
    }
}

#[test]
fn a_folder_in_the_place_of_a_result_is_named_before_anything_is_encoded() {
    let folder = task();
    let place = folder.path().join("results/mteb__baseline-random-encoder/2/Pairs.json");
    fs::create_dir_all(&place).unwrap();
    for more in [&[][..], &["--overwrite", "always"]] {
        let found = run(folder.path(), [RUN, more].concat());
        assert_eq!(found.code, Some(1));
        let expected = "Pairs.json: expected a regular file, found a folder; move it away";
        assert!(found.stderr.contains(expected), "{}", found.stderr);
        assert!(!found.stderr.contains("or run with"), "{}", found.stderr);
    }
}

#[test]
fn a_substituted_process_is_a_pipe() {
    let folder = task();
    let mut command = limit_memory(folder.path(), 1900);
    let mut child = command
        .args(["validate", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _open = child.stdin.take();
    let said = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    assert!(
        said.contains("/dev/stdin: cannot read the file: expected a regular file, found a pipe"),
        "{said}"
    );
}

#[test]
fn one_file_that_is_none_costs_one_unit() {
    let folder = task();
    fs::remove_file(folder.path().join("data/jav/test.jsonl")).unwrap();
    make("a pipe", &folder.path().join("data/jav/test.jsonl"));
    let run = run(folder.path(), RUN.iter().chain(&["--json"]));
    assert_eq!(states(&run), ["scored", "failed", "scored"]);
}

#[test]
fn a_data_folder_without_end_is_refused() {
    let loops = |folder: &Path| {
        symlink(".", folder.join("data/one")).unwrap();
        symlink(".", folder.join("data/two")).unwrap();
    };
    let entries = |folder: &Path| {
        for number in 0..40 {
            fs::create_dir_all(folder.join(format!("data/{number}/{}", "d/".repeat(40)))).unwrap();
        }
    };
    let name = |folder: &Path| {
        fs::write(folder.join("data").join(OsStr::from_bytes(b"a\xff.jsonl")), "{}").unwrap();
    };
    let cases: [OddFolder; 3] = [
        (
            "links to the folder itself",
            &loops,
            "expected folders without cycles, found a link to a parent folder",
        ),
        ("folders in folders", &entries, "expected folders at most 32 deep, found more"),
        ("a name of other bytes", &name, "expected names in UTF-8, found: a\u{fffd}.jsonl; rename it"),
    ];
    for (what, make, expected) in cases {
        let folder = task();
        make(folder.path());
        let run = run(folder.path(), STATS);
        assert!(run.stderr.contains(expected), "{what}: {:?} {}", run.code, run.stderr);
        assert_eq!(run.code, Some(1), "{what}");
    }
}

/// Something of this `kind` at `path`; a socket goes with what is given back.
fn make(kind: &str, path: &Path) -> Option<UnixListener> {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match kind {
        "a pipe" => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        "a socket" => return Some(UnixListener::bind(path).unwrap()),
        "a device" => symlink("/dev/zero", path).unwrap(),
        _ => fs::create_dir(path).unwrap(),
    }
    None
}
