//! Runs whose datasets come from a hub over HTTP, and a fetch of many datasets of which some are gone from it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, Server, compare_results, copy_made, host, shared, without_times};
use tempfile::TempDir;

/// Every task whose data the hub holds, with the subsets that it holds.
const TASKS: [&str; 10] = [
    "SemRel24STS:ind,eng",
    "STSBenchmark",
    "NusaXBitextMining",
    "SciFact",
    "Tatoeba:jav-eng,ceb-eng,ind-eng",
    "NTREXBitextMining:eng_Latn-ind_Latn,ind_Latn-eng_Latn",
    "SIB200ClusteringS2S:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
    "NusaX-senti",
    "Banking77Classification",
    "SIB200Classification:ind_Latn,jav_Latn",
];

/// Those of [`TASKS`] whose scores are the reference's to the last digit on every processor.
const EXACT: usize = 7;

fn name(task: &str) -> &str {
    task.split(':').next().unwrap_or(task)
}

/// Scores the random encoder on [`TASKS`] with the hub at `address`; the cache and the results lie in `folder`.
fn run_from(folder: &Path, address: &str, more: &[&str]) -> Run {
    let mut command = command(folder, address);
    command.arg("run").args(["--model", "random", "--quiet", "--draws", "selected"]).args(more);
    for task in TASKS {
        command.args(["--task", task]);
    }
    Run::of(&mut command).unwrap()
}

fn command(folder: &Path, address: &str) -> Command {
    let mut command = host(folder);
    command.env("HF_ENDPOINT", address).env("HF_HOME", folder.join("ecosystem"));
    command.env_remove("HF_TOKEN").env_remove("HF_HUB_OFFLINE").env_remove("HF_HUB_CACHE");
    command
}

/// The result files without what depends on the clock.
fn results(folder: &Path, output: &str) -> BTreeMap<&'static str, String> {
    let folder = folder.join(output).join("mteb__baseline-random-encoder/2");
    let read = |task| fs::read_to_string(folder.join(format!("{task}.json"))).unwrap();
    TASKS.into_iter().map(name).map(|task| (task, without_times(&read(task)).unwrap())).collect()
}

/// A folder in which [`TASKS`] were scored from an empty cache.
fn score_task(shared: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let score = |folder: &Path| {
        let server = Server::start(shared, &[]).unwrap();
        let online = run_from(folder, &server.address, &[]);
        assert_eq!((online.code, online.stderr.as_str()), (Some(0), ""));
    };
    copy_made("scored-from-the-hub", folder.path(), score).unwrap();
    folder
}

#[test]
fn tasks_run_from_an_empty_cache_and_again_without_the_hub() {
    let Some(shared) = shared() else { return };
    let folder = score_task(&shared);
    let results_folder = folder.path().join("results/mteb__baseline-random-encoder/2");
    for task in TASKS.into_iter().take(EXACT).map(name) {
        let expected = fs::read_to_string(shared.join(format!("golden/random/{task}.json"))).unwrap();
        let found = fs::read_to_string(results_folder.join(format!("{task}.json"))).unwrap();
        assert_eq!(compare_results(&expected, &found, 0.0).unwrap(), [], "{task}");
    }
    assert!(folder.path().join("ecosystem/hub/datasets--mteb--scifact/snapshots").is_dir());

    let hub = shared.join("hub");
    let folders = ["--hub-dir", hub.to_str().unwrap(), "--output-folder", "folders"];
    assert_eq!(run_from(folder.path(), "http://127.0.0.1:9", &folders).code, Some(0));
    assert_eq!(results(folder.path(), "results"), results(folder.path(), "folders"));

    let offline = run_from(folder.path(), "http://127.0.0.1:9", &["--offline", "--output-folder", "offline"]);
    assert_eq!((offline.code, offline.stderr.as_str()), (Some(0), ""));
    assert_eq!(results(folder.path(), "results"), results(folder.path(), "offline"));
}

#[test]
fn a_hub_that_fails_and_breaks_off_changes_no_byte() {
    let Some(shared) = shared() else { return };
    let (sound, faulty) = (score_task(&shared), tempfile::tempdir().unwrap());
    let server = Server::start(&shared, &["--fail-every", "3", "--truncate-every", "4"]).unwrap();
    let run = run_from(faulty.path(), &server.address, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(results(sound.path(), "results"), results(faulty.path(), "results"));
}

#[test]
fn a_hub_that_wants_a_token_is_named_in_one_line() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&shared, &["--token", "secret"]).unwrap();
    let mut fetch = command(folder.path(), &server.address);
    let run = Run::of(fetch.args(["fetch", "--quiet", "--task", "STSBenchmark"])).unwrap();
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("no token was given; accept its conditions on its page and set HF_TOKEN"));

    let mut fetch = command(folder.path(), &server.address);
    fetch.env("HF_TOKEN", "secret").args(["fetch", "--quiet", "--task", "STSBenchmark"]);
    let run = Run::of(&mut fetch).unwrap();
    let is_fetched = run.stdout.starts_with("STSBenchmark: 1 unit is available; downloaded 1 file, ");
    assert!(run.code == Some(0) && is_fetched, "{}", run.stdout);
    let mut again = command(folder.path(), "http://127.0.0.1:9");
    let run = Run::of(again.args(["fetch", "--quiet", "--task", "STSBenchmark"])).unwrap();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "STSBenchmark: 1 unit was already downloaded\n"));
}

#[test]
fn what_is_not_here_is_said_offline() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_from(folder.path(), "http://127.0.0.1:9", &["--offline"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("run `mteb-host fetch` with a network first"), "{}", run.stderr);
}

#[test]
fn a_variable_that_forbids_downloads_is_named_where_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| {
        let mut command = command(folder.path(), "http://127.0.0.1:9");
        Run::of(command.env("HF_HUB_OFFLINE", "1").args(arguments)).unwrap()
    };
    let run = said(&["run", "--model", "random", "--quiet", "--task", "STSBenchmark"]);
    let expected = "this run is offline because `HF_HUB_OFFLINE` is set; unset it, or run `mteb-host fetch` without it first";
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    let doctor = said(&["doctor"]);
    assert!(
        doctor.stdout.contains("Hub: not contacted, because `HF_HUB_OFFLINE` is set"),
        "{}",
        doctor.stdout
    );
    let registry = format!("https://example.org/tasks@{}", "0".repeat(40));
    let absent = said(&["list", "tasks", "--registry", &registry]);
    assert!(absent.stderr.contains("run the command once without `HF_HUB_OFFLINE`"), "{}", absent.stderr);
}

/// Datasets of the registry.
const DATASETS: usize = 120;

/// Those that are gone, one of them the first and one the last.
const GONE: [usize; 5] = [0, 17, 64, 65, DATASETS - 1];

fn revision(number: usize) -> String {
    format!("{number:040x}")
}

/// A hub of small datasets, and a registry of a task for each.
fn write(folder: &Path) {
    fs::create_dir(folder.join("cards")).unwrap();
    fs::write(folder.join("many.toml"), "schema = 1\nname = \"many\"\ncards = [\"cards\"]\n").unwrap();
    for number in 0..DATASETS {
        let (name, revision) = (format!("d{number:03}"), revision(number));
        let data = folder.join("hub/datasets/lab").join(&name).join(&revision);
        fs::create_dir_all(&data).unwrap();
        fs::write(data.join("test.csv"), format!("sentence1,sentence2,score\na,b,1\nc,{name},2\n")).unwrap();
        let card = format!(
            "schema = 1\nname = \"T{number:03}\"\ntype = \"STS\"\ndescription = \"Pairs.\"\nlanguages = [\"ind-Latn\"]\n\n\
             [dataset]\nhub = \"lab/{name}\"\nrevision = \"{revision}\"\n"
        );
        fs::write(folder.join(format!("cards/T{number:03}.toml")), card).unwrap();
    }
}

/// The tasks that the lines of `text` begin with, behind `label`.
fn tasks<'a>(text: &'a str, label: &str) -> BTreeSet<&'a str> {
    let names = text.lines().filter_map(|line| line.strip_prefix(label)?.get(..4));
    names.collect()
}

#[test]
fn datasets_that_are_gone_are_named_and_all_others_fetched_once() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let place = |number: usize| folder.path().join(format!("hub/datasets/lab/d{number:03}"));
    for number in GONE {
        fs::rename(place(number), folder.path().join(format!("gone{number}"))).unwrap();
    }
    let server = Server::of(&shared, &folder.path().join("hub"), &[]).unwrap();
    let fetch = || {
        let mut fetch = command(folder.path(), &server.address);
        Run::of(fetch.args(["fetch", "--quiet", "--registry", "many.toml"])).unwrap()
    };
    let gone: BTreeSet<String> = GONE.iter().map(|number| format!("T{number:03}")).collect();

    let run = fetch();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), GONE.len(), "{}", run.stderr);
    assert!(run.stderr.lines().all(|line| line.contains("the hub has no such repository or revision")));
    assert!(tasks(&run.stderr, "error: ").into_iter().eq(gone.iter().map(String::as_str)));
    assert_eq!(run.stdout.matches("; downloaded 1 file").count(), DATASETS - GONE.len(), "{}", run.stdout);

    for number in GONE {
        fs::rename(folder.path().join(format!("gone{number}")), place(number)).unwrap();
    }
    let run = fetch();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let fetched: Vec<&str> = run.stdout.lines().filter(|line| line.contains("; downloaded ")).collect();
    assert!(tasks(&fetched.join("\n"), "").into_iter().eq(gone.iter().map(String::as_str)), "{fetched:?}");
    assert_eq!(run.stdout.matches("was already downloaded").count(), DATASETS - GONE.len(), "{}", run.stdout);
}
