//! A fetch of many datasets of which some are gone from the hub.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, Server, shared};

use super::command;

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
