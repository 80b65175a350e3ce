//! Embeddings are kept from run to run, and only for the model, prompt and text that they are of.

mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times, write_pair_card, write_pairs};
use serde_json::{Value, json};
use tempfile::TempDir;

/// The task asks for 12 texts; 7 of them differ, one of which is in both subsets.
const ALL: u64 = 12;
const DISTINCT: u64 = 7;

#[test]
fn a_second_run_encodes_nothing_and_gives_the_same_file() {
    let folder = folder();
    let first = texts(&run(folder.path(), &[]));
    assert_eq!(first, json!({ "asked": ALL, "encoded": DISTINCT, "from_cache": 1 }));
    let result = result(folder.path());
    let second = texts(&run(folder.path(), &["--overwrite", "always"]));
    assert_eq!(second, json!({ "asked": ALL, "encoded": 0, "from_cache": DISTINCT + 1 }));
    assert_eq!(self::result(folder.path()), result);
    let without = texts(&run(folder.path(), &["--overwrite", "always", "--no-cache"]));
    assert_eq!(without, json!({ "asked": ALL, "encoded": DISTINCT, "from_cache": 1 }), "in memory");
    let alone = ["--overwrite", "always", "--no-cache", "--cache-memory", "0"];
    let alone = texts(&run(folder.path(), &alone));
    assert_eq!(alone, json!({ "asked": ALL, "encoded": DISTINCT + 1, "from_cache": 0 }));
    assert_eq!(self::result(folder.path()), result);
}

#[test]
fn a_change_of_any_part_of_the_identity_encodes_again() {
    let folder = folder();
    run(folder.path(), &[]);
    let changes = [
        ("WEIGHTS", "b"),
        ("DTYPE", "bf16"),
        ("MAX_TOKENS", "256"),
        ("PROMPT", "q: "),
        ("DEVICE", "cuda:0"),
        ("VERSION", "1.0.1"),
    ];
    for (part, value) in changes {
        if part == "VERSION" {
            // What a plugin declares is remembered by its content.
            forget_declarations(folder.path());
        }
        let mut command = command(folder.path(), &["--overwrite", "always"]);
        let run = Run::of(command.env(format!("MTEB_PLUGIN_{part}"), value)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(texts(&run)["encoded"], DISTINCT, "{part}");
    }
    forget_declarations(folder.path());
    assert_eq!(texts(&run(folder.path(), &["--overwrite", "always"]))["encoded"], 0, "all as before");
}

#[test]
fn the_device_that_computes_tells_embeddings_apart_and_not_the_one_asked_for() {
    let folder = folder();
    run(folder.path(), &["--device", "auto"]);
    let again = run(folder.path(), &["--device", "cpu", "--overwrite", "always"]);
    assert_eq!(texts(&again)["encoded"], 0, "`auto` was the processor");
    let mut elsewhere = command(folder.path(), &["--device", "auto", "--overwrite", "always"]);
    let elsewhere = Run::of(elsewhere.env("MTEB_PLUGIN_DEVICE", "cuda:0")).unwrap();
    assert_eq!(
        (elsewhere.code, &texts(&elsewhere)["encoded"]),
        (Some(0), &json!(DISTINCT)),
        "{}",
        elsewhere.stderr
    );
    let info = cache(folder.path(), "info").json().unwrap();
    let devices: Vec<&Value> =
        info["models"].as_array().unwrap().iter().map(|of| &of["model"]["device"]).collect();
    assert!(devices.contains(&&json!("cpu")) && devices.contains(&&json!("cuda:0")), "{devices:?}");
}

#[test]
fn a_damaged_cache_is_said_and_encoded_again() {
    let folder = folder();
    run(folder.path(), &[]);
    let result = result(folder.path());
    let last = fs::metadata(&segments(folder.path())[0]).unwrap().len() as usize - 1;
    let flips = [0, 60, 200, last].map(Damage::Flip);
    let cuts = [0, 100, last].map(Damage::Cut);
    for damage in [&flips[..], &cuts, &[Damage::Add]].concat() {
        let segment = segments(folder.path()).pop().unwrap();
        let mut bytes = fs::read(&segment).unwrap();
        match damage {
            Damage::Flip(place) => bytes[place] ^= 0x40,
            Damage::Cut(length) => bytes.truncate(length),
            Damage::Add => bytes.extend(b"more"),
        }
        fs::write(&segment, bytes).unwrap();
        let again = run(folder.path(), &["--overwrite", "always"]);
        assert!(again.stderr.contains("its texts are encoded again"), "{damage:?}: {}", again.stderr);
        assert_eq!(texts(&again)["encoded"], DISTINCT, "{damage:?}");
        assert_eq!(self::result(folder.path()), result, "{damage:?}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Damage {
    /// A bit of the byte at this place.
    Flip(usize),
    /// All after this length.
    Cut(usize),
    /// Bytes at the end.
    Add,
}

#[test]
fn a_run_that_is_killed_at_any_moment_leaves_nothing_that_is_wrong() {
    let undisturbed = folder();
    run(undisturbed.path(), &[]);
    let folder = folder();
    for wait in (0..120).step_by(8) {
        let mut command = command(folder.path(), &["--overwrite", "always"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        let again = run(folder.path(), &[]);
        assert_eq!(again.stderr, "", "killed after {wait} ms");
        assert_eq!(result(folder.path()), result(undisturbed.path()), "killed after {wait} ms");
    }
    assert_eq!(cache(folder.path(), "verify").code, Some(0));
    let left = files_of_the_cache(folder.path()).into_iter().filter(|file| is_temporary(file));
    assert_eq!(left.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

#[test]
fn runs_share_a_cache_and_an_output_folder() {
    let folder = folder();
    run(folder.path(), &[]);
    let result = result(folder.path());
    fs::remove_dir_all(folder.path().join("results")).unwrap();
    assert_eq!(cache(folder.path(), "clear").code, Some(0));
    let outputs = ["results", "results", "other"];
    let children: Vec<_> = outputs
        .iter()
        .map(|output| {
            let mut command = command(folder.path(), &["--output-folder", output]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for output in outputs {
        assert_eq!(result_in(&folder.path().join(output)), result);
    }
    assert_eq!(cache(folder.path(), "verify").code, Some(0));
}

#[test]
fn the_oldest_embeddings_go_when_the_cache_is_full() {
    let folder = folder();
    run(folder.path(), &[]);
    let limit = 2 * fs::metadata(&segments(folder.path())[0]).unwrap().len() - 1;
    let mut other = command(folder.path(), &["--overwrite", "always", "--cache-size", &limit.to_string()]);
    let other = Run::of(other.env("MTEB_PLUGIN_WEIGHTS", "b")).unwrap();
    assert_eq!((other.code, &texts(&other)["encoded"]), (Some(0), &json!(DISTINCT)), "{}", other.stderr);
    let info = cache(folder.path(), "info").json().unwrap();
    assert!(info["bytes"].as_u64().unwrap() <= limit, "{info}");
    assert_eq!(info["models"].as_array().unwrap().len(), 1, "{info}");
    assert_eq!(info["models"][0]["model"]["weights"], "b");
}

#[test]
fn the_cache_can_be_looked_at_checked_and_emptied() {
    let folder = folder();
    run(folder.path(), &[]);
    let info = cache(folder.path(), "info").json().unwrap();
    assert_eq!(info["models"][0]["model"]["name"], "tests/changing");
    assert_eq!(info["bytes"], info["models"][0]["bytes"]);
    let sound = cache(folder.path(), "verify");
    assert_eq!((sound.code, &sound.json().unwrap()["rows"]), (Some(0), &json!(DISTINCT)));
    let segment = segments(folder.path()).pop().unwrap();
    let mut bytes = fs::read(&segment).unwrap();
    *bytes.last_mut().unwrap() ^= 0x40;
    fs::write(&segment, bytes).unwrap();
    let damaged = cache(folder.path(), "verify");
    assert_eq!(damaged.code, Some(1));
    assert!(damaged.stderr.contains("removed because it is damaged"), "{}", damaged.stderr);
    assert_eq!(cache(folder.path(), "verify").code, Some(0));
    run(folder.path(), &["--overwrite", "always"]);
    assert!(cache(folder.path(), "clear").json().unwrap()["removed_bytes"].as_u64().unwrap() > 0);
    assert_eq!(cache(folder.path(), "info").json().unwrap()["bytes"], 0);
}

#[test]
fn a_model_that_costs_nothing_is_not_kept() {
    let folder = folder();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "task.toml", "--model", "hashing", "--json"]);
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(texts(&run)["from_cache"], 0);
    assert!(!folder.path().join("cache/embeddings").exists());
}

/// A folder with a task of two subsets and the plugin.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Letters", &["ind", "jav"]).unwrap();
    let subsets = [
        ("ind", [("aab", "shared", 0.0), ("bcc", "shared", 1.0), ("abc", "ccd", 2.0)]),
        ("jav", [("dde", "shared", 0.0), ("dde", "eff", 1.0), ("dde", "shared", 2.0)]),
    ];
    for (subset, pairs) in subsets {
        write_pairs(folder.path(), subset, pairs).unwrap();
    }
    faulty_plugin("changing_model", &folder.path().join("plugins")).unwrap();
    trust(folder.path(), &folder.path().join("plugins")).unwrap();
    folder
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--model", "changing", "--json"]);
    command.arg("--plugin-dir").arg(folder.join("plugins")).args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Run {
    let run = Run::of(&mut command(folder, arguments)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn cache(folder: &Path, action: &str) -> Run {
    Run::of(host(folder).args(["cache", action, "--json"])).unwrap()
}

fn texts(run: &Run) -> Value {
    run.json().unwrap()["texts"].clone()
}

fn result(folder: &Path) -> String {
    result_in(&folder.join("results"))
}

fn result_in(results: &Path) -> String {
    let text = fs::read_to_string(results.join("tests__changing/1/Letters.json")).unwrap();
    without_times(&text).unwrap().to_string()
}

fn forget_declarations(folder: &Path) {
    fs::remove_dir_all(folder.join("cache/plugins")).unwrap();
}

/// The segment files, the oldest first.
fn segments(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_of_the_cache(folder);
    files.retain(|file| file.extension().is_some_and(|ending| ending == "rows"));
    files.sort_by_key(|file| fs::metadata(file).unwrap().modified().unwrap());
    files
}

fn files_of_the_cache(folder: &Path) -> Vec<PathBuf> {
    let models = fs::read_dir(folder.join("cache/embeddings/v1")).unwrap().flatten();
    let files = models.flat_map(|model| fs::read_dir(model.path()).unwrap().flatten());
    files.map(|file| file.path()).collect()
}

fn is_temporary(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".mteb-host-cache-"))
}
