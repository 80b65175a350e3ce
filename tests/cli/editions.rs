//! A task pack in a new edition: the one before it is still scored as it was, and the scores of both never stand in one column.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust};
use serde_json::Value;

/// A folder with the pack and a registry for each of its editions.
pub fn pack() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin("two_editions", &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    for (file, edition) in [("now.toml", "two-editions"), ("first.toml", "two-editions@1")] {
        let text = format!("schema = 1\nname = \"{edition}\"\npacks = [\"{edition}\"]\n");
        fs::write(folder.path().join(file), text).unwrap();
    }
    folder
}

/// Runs the host with the plugins of that folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(arguments).arg("--plugin-dir").arg(folder.join("plugins"));
    Run::of(&mut command).unwrap()
}

/// Scores an edition with the model `hashing`; gives what of each task is told.
fn score(folder: &Path, registry: &str, results: &str) -> Vec<(String, String)> {
    let run = run(
        folder,
        &["run", "--json", "--model", "hashing", "--registry", registry, "--output-folder", results],
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let told = run.json().unwrap();
    // A result that stands has six decimals.
    let score = |task: &Value| format!("{:.5}", task["main_score"].as_f64().unwrap());
    let tasks = told["tasks"].as_array().unwrap();
    tasks.iter().map(|task| (task["task"].as_str().unwrap().to_owned(), score(task))).collect()
}

/// The tasks of the only model of a leaderboard that have a score, and what is said beside it.
fn board(folder: &Path, registry: &str, results: &str) -> (Vec<String>, String) {
    let board = run(folder, &["leaderboard", "--json", "--registry", registry, "--results", results]);
    let json = board.json().unwrap_or_default();
    let tasks = json[0]["tasks"].as_object().cloned().unwrap_or_default();
    (tasks.into_iter().filter(|(_, score)| score.is_number()).map(|(task, _)| task).collect(), board.stderr)
}

#[test]
fn an_earlier_edition_has_its_own_tasks_data_and_protocol() {
    let folder = pack();
    let (now, first) = (score(folder.path(), "now.toml", "now"), score(folder.path(), "first.toml", "first"));
    let names = |scores: &[(String, String)]| scores.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&now), ["Fresh", "Kept", "Rescored", "Rewritten"]);
    assert_eq!(names(&first), ["Kept", "Rescored", "Rewritten"]);
    let same: Vec<bool> = now[1..].iter().zip(&first).map(|(now, first)| now.1 == first.1).collect();
    assert_eq!(same, [true, false, false], "{now:?} {first:?}");
}

#[test]
fn scores_of_two_editions_never_stand_in_one_column() {
    let folder = pack();
    score(folder.path(), "first.toml", "first");
    let (own, said) = board(folder.path(), "first.toml", "first");
    assert_eq!((own.join(" "), said.as_str()), ("Kept Rescored Rewritten".to_owned(), ""));
    let (other, said) = board(folder.path(), "now.toml", "first");
    assert_eq!(other, ["Kept"], "what was left as it was is one task: {said}");
    assert!(said.contains("Rewritten: not counted: data of revision 1 instead of 2"), "{said}");
    let rescored = "Rescored: not counted: made with other options: its main score is cosine_spearman, that of \
                    the task is now cosine_pearson";
    assert!(said.contains(rescored), "{said}");
}

#[test]
fn a_result_of_another_edition_is_not_taken_for_a_finished_one() {
    let folder = pack();
    let (first, both) =
        (score(folder.path(), "first.toml", "first"), score(folder.path(), "first.toml", "both"));
    assert_eq!(first, both);
    let now = score(folder.path(), "now.toml", "both");
    assert_eq!(
        now,
        score(folder.path(), "now.toml", "now"),
        "scored anew where another edition was scored before"
    );
    assert_eq!(score(folder.path(), "first.toml", "both"), first);
}

#[test]
fn a_card_of_the_users_own_gets_the_data_of_the_revision_that_it_pins() {
    let folder = pack();
    score(folder.path(), "first.toml", "first");
    let card = "schema = 1\nname = \"Rewritten\"\ntype = \"STS\"\ndescription = \"Pinned.\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\nplugin = \"two-editions\"\nrevision = \"1\"\n";
    fs::write(folder.path().join("card.toml"), card).unwrap();
    let (counted, said) = board(folder.path(), "card.toml", "first");
    assert_eq!(counted, ["Rewritten"], "{said}");
    let pinned = score(folder.path(), "card.toml", "pinned");
    assert_eq!(pinned, score(folder.path(), "first.toml", "first")[2..]);
}

#[test]
fn an_edition_that_a_pack_does_not_have_is_named() {
    let folder = pack();
    fs::write(folder.path().join("old.toml"), "schema = 1\nname = \"old\"\npacks = [\"two-editions@7\"]\n")
        .unwrap();
    let run = run(folder.path(), &["list", "tasks", "--registry", "old.toml"]);
    assert!(
        run.stderr.contains(
            "old.toml:3:10: expected the edition 7 of the task pack `two-editions`, found no task of that edition"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn a_pack_with_earlier_editions_conforms() {
    let folder = pack();
    let file = folder.path().join("plugins/libtwo_editions.so");
    let run = Run::of(host(folder.path()).args(["plugins", "check"]).arg(file)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

/// The tasks that `list` tells.
fn list_tasks(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let run = Run::of(host(folder).args(["list", "tasks", "--json"]).args(arguments)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    run.json().unwrap().as_array().unwrap().clone()
}

#[test]
fn the_first_edition_of_the_bundled_pack_is_a_registry_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let first = list_tasks(folder.path(), &["--registry", "indonesia@1"]);
    assert_eq!(first.len(), 21);
    assert!(first.iter().all(|task| task["revision"] == "1"), "{first:?}");
    let check = Run::of(host(folder.path()).args(["validate", "indonesia@1"])).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_second_edition_of_the_bundled_pack_keeps_its_tasks_and_takes_no_text_that_was_only_judged() {
    let folder = tempfile::tempdir().unwrap();
    let revisions = |registry: &str| -> std::collections::BTreeMap<String, String> {
        let own = |task: &Value, key: &str| task[key].as_str().unwrap().to_owned();
        let tasks = list_tasks(folder.path(), &["--registry", registry]);
        tasks.iter().map(|task| (own(task, "name"), own(task, "revision"))).collect()
    };
    let (second, now) = (revisions("indonesia@2"), revisions("indonesia"));
    assert_eq!(second.len(), 27);
    assert_eq!(
        second["IndonesianHealthRetrieval"], "4",
        "the text of version 2.3, not that of its judgements"
    );
    for mended in ["IndonesianEncyclopediaRetrieval", "IndonesianNewsReranking", "IndonesianNewsSummary"] {
        assert_ne!(second[mended], now[mended], "{mended}");
    }
    let check = Run::of(host(folder.path()).args(["validate", "indonesia@2"])).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_texts_that_were_judged_are_a_registry_of_their_own_and_no_task_of_the_graded_benchmark() {
    let folder = tempfile::tempdir().unwrap();
    let names = |tasks: &[Value]| -> Vec<String> {
        tasks.iter().map(|task| task["name"].as_str().unwrap().to_owned()).collect()
    };
    let judged = list_tasks(folder.path(), &["--registry", "indonesia@judged-1"]);
    assert!(judged.iter().all(|task| task["revision"] == "judged-1"), "{judged:?}");
    let judged = names(&judged);
    assert_eq!(
        judged,
        ["IndonesianEncyclopediaRetrieval", "IndonesianHealthRetrieval", "IndonesianLawRetrieval"]
    );
    let graded = names(&list_tasks(folder.path(), &["--benchmark", "Indonesia-MTEB(graded)"]));
    assert_eq!(graded, judged.iter().map(|name| format!("{name}Graded")).collect::<Vec<_>>());
    // Without a registry the present edition counts.
    for name in &judged {
        let task = Run::of(host(folder.path()).args(["show", "task", name, "--json"])).unwrap();
        assert_eq!((task.code, task.stderr.as_str()), (Some(0), ""));
        assert_ne!(task.json().unwrap()["card"]["dataset"]["revision"], "judged-1", "{name}");
    }
    let check = Run::of(host(folder.path()).args(["validate", "indonesia@judged-1"])).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
}
