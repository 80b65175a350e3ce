//! Types of tasks that packs declare: known as those of the host are, scored beside them, and kept from doing harm.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, faulty_plugin, host, shared, trust};
use serde_json::Value;

/// The library of the pack with the type `Likeness`.
const PACK: &str = "own_type_pack";

/// A folder whose user trusts the pack in `library`, and whose registry `r.toml` includes that pack;
/// the second value is its folder of plugins.
pub fn prepare_pack(library: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    faulty_plugin(library, &plugins).unwrap();
    trust(folder.path(), &plugins).unwrap();
    let pack = library.replace('_', "-");
    let registry = format!("schema = 1\nname = \"r\"\npacks = [\"{pack}\"]\n");
    fs::write(folder.path().join("r.toml"), registry).unwrap();
    (folder, plugins)
}

/// Runs the host with the plugins of a folder.
pub fn run(folder: &Path, plugins: &Path, args: &[&str]) -> Run {
    with_fault(folder, plugins, "", args)
}

/// The same, with this fault of a plugin that has some.
pub fn with_fault(folder: &Path, plugins: &Path, fault: &str, args: &[&str]) -> Run {
    let mut command = host(folder);
    command.args(args).arg("--plugin-dir").arg(plugins).env("MTEB_PLUGIN_FAULT", fault);
    Run::of(&mut command).unwrap()
}

/// Checks a plugin that has this fault.
pub fn check_with_fault(folder: &Path, file: &Path, fault: &str) -> Run {
    let mut command = host(folder);
    Run::of(command.args(["plugins", "check"]).arg(file).env("MTEB_PLUGIN_FAULT", fault)).unwrap()
}

fn scores(folder: &Path, task: &str, split: &str) -> Value {
    let model = folder.join("results/mteb__baseline-random-encoder");
    let revision = fs::read_dir(model).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(revision.join(format!("{task}.json"))).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["scores"][split][0].clone()
}

#[test]
fn a_type_of_a_pack_is_listed_shown_checked_scored_and_ranked_as_one_of_the_host() {
    let (folder, plugins) = prepare_pack(PACK);
    let folder = folder.path();
    let listed = run(
        folder,
        &plugins,
        &["list", "tasks", "--registry", "r.toml", "--task-type", "Likeness", "--json"],
    );
    assert_eq!(listed.code, Some(0), "{}", listed.stderr);
    let listed = listed.json().unwrap();
    assert_eq!(
        (&listed[0]["type"], &listed[0]["main_score"]),
        (&"Likeness".into(), &"cosine_spearman".into())
    );
    let shown = run(folder, &plugins, &["show", "task", "PackLikeness", "--registry", "r.toml"]);
    assert!(shown.code == Some(0) && shown.stdout.contains("Likeness"), "{}{}", shown.stdout, shown.stderr);
    let stats = run(folder, &plugins, &["stats", "PackLikeness", "--registry", "r.toml", "--json"]);
    assert_eq!(stats.code, Some(0), "{}", stats.stderr);
    assert!(stats.stdout.contains("sentence1"), "{}", stats.stdout);
    let schema = run(folder, &plugins, &["schema", "task-card"]);
    assert!(schema.stdout.contains("\"Likeness\""), "{}", schema.stderr);
    let validate = run(folder, &plugins, &["validate", "--data", "r.toml"]);
    assert_eq!((validate.code, validate.stderr.as_str()), (Some(0), ""), "{}", validate.stdout);

    let scored = run(folder, &plugins, &["run", "--registry", "r.toml", "--model", "random", "--quiet"]);
    assert_eq!((scored.code, scored.stderr.as_str()), (Some(0), ""), "{}", scored.stdout);
    let again = run(folder, &plugins, &["run", "--registry", "r.toml", "--model", "random", "--json"]);
    assert_eq!(again.json().unwrap()["tasks"][0]["units"][0]["state"], "found", "{}", again.stdout);
    // Outcomes that the type does not have are not missing.
    let args = ["run", "--registry", "r.toml", "--model", "random", "--json", "--outcomes"];
    let with_outcomes = run(folder, &plugins, &args);
    assert_eq!(
        with_outcomes.json().unwrap()["tasks"][0]["units"][0]["state"],
        "found",
        "{}",
        with_outcomes.stderr
    );
    let board = run(folder, &plugins, &["leaderboard", "--json"]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(board.stdout.contains("PackLikeness"), "{}", board.stdout);
    // The results stand where nobody has the pack.
    let without = Run::of(host(folder).args(["leaderboard", "--json"])).unwrap();
    assert_eq!((without.code, without.stdout), (Some(0), board.stdout), "{}", without.stderr);
}

#[test]
fn what_a_card_says_against_its_type_is_a_fault_with_its_place() {
    let (folder, plugins) = prepare_pack(PACK);
    let card = |name: &str, rest: &str| {
        let text = format!(
            "schema = 1\nname = \"T\"\ntype = \"Likeness\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{rest}"
        );
        fs::write(folder.path().join(name), text).unwrap();
        let run = run(folder.path(), &plugins, &["validate", name]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        run.stdout + &run.stderr
    };
    let said = card("score.toml", "main_score = \"map\"\n[dataset]\npath = \"d\"\n");
    assert!(said.contains("score.toml:6:") && said.contains("expected a score of Likeness"), "{said}");
    let said = card("option.toml", "[dataset]\npath = \"d\"\n[protocol.own]\nhighes = 4\n");
    assert!(said.contains("option.toml:9:1: ") || said.contains("option.toml:9:"), "{said}");
    assert!(said.contains("has no option `highes` (near it: highest)"), "{said}");
    let said = card("kind.toml", "[dataset]\npath = \"d\"\n[protocol.own]\nhighest = \"4\"\n");
    assert!(said.contains("kind.toml:9:") && said.contains("expected a number, found a text"), "{said}");
    let said = card("protocol.toml", "[dataset]\npath = \"d\"\n[protocol]\nrounds = 3\n");
    assert!(said.contains("a task of type Likeness has no option `rounds`"), "{said}");
    let said = card("column.toml", "[dataset]\npath = \"d\"\ncolumns = { sentence3 = \"s\" }\n");
    assert!(
        said.contains("expected a column of a task of type Likeness (sentence1, sentence2, score)"),
        "{said}"
    );
    let text = fs::read_to_string(folder.path().join("score.toml")).unwrap();
    fs::write(folder.path().join("near.toml"), text.replace("Likeness", "Likenes")).unwrap();
    let near = run(folder.path(), &plugins, &["validate", "near.toml"]);
    let said = near.stdout + &near.stderr;
    assert!(said.contains("found: \"Likenes\" (near it: Likeness)"), "{said}");
    let unknown = Run::of(host(folder.path()).args(["validate", "score.toml"])).unwrap();
    assert!(
        (unknown.stdout + &unknown.stderr).contains("expected one of BitextMining"),
        "nobody declares it here"
    );
}

#[test]
fn an_evaluator_that_misbehaves_costs_its_unit_and_says_why() {
    let (folder, plugins) = prepare_pack(PACK);
    let folder = folder.path();
    for (fault, why) in [
        ("other-names", "expected the scores that the type declares"),
        ("twice", "expected each score once, found twice: pearson"),
        ("fewer", "found no euclidean_spearman"),
        ("bounds", "expected the score `pearson` from -1 to 1, found 1.5"),
        ("outcomes", "expected no outcomes, as the type declares none"),
        ("many-outcomes", "own_type_pack.so: the worker process"),
        ("die", "was killed by signal 6 (abort)"),
        ("die-plan", "was killed by signal 6 (abort)"),
        ("panic", "no scores today"),
        ("hang", "gave no answer for 3 s, and was ended; a slow evaluator needs a longer `--batch-timeout`"),
        ("hang-plan", "gave no answer for 3 s, and was ended"),
        (
            "absent-column",
            "expected a column of texts that the type declares for the set `sentence1`, found: sentence3",
        ),
        ("absent-rows", "expected rows from 0 to 2 in the set `sentence1`, found 1000000"),
        ("no-texts", "expected texts in the set `sentence1`, found none"),
        ("no-set", "expected a set of its texts (sentence1, sentence2), found: x"),
        ("other-plan", "expected a set of texts that was planned, found: of-"),
    ] {
        let mut args =
            vec!["run", "--registry", "r.toml", "--model", "random", "--json", "--overwrite", "always"];
        if fault.starts_with("hang") {
            args.extend(["--batch-timeout", "3"]);
        }
        let run = with_fault(folder, &plugins, fault, &args);
        assert_eq!(run.code, Some(1), "{fault}: {}", run.stderr);
        let unit = run.json().unwrap()["tasks"][0]["units"][0].clone();
        let reason = unit["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(why), "{fault}: {unit}");
        assert!(reason.lines().count() == 1 && reason.len() < 1000, "{fault}: {reason}");
    }
    let warned =
        with_fault(folder, &plugins, "warn", &["run", "--registry", "r.toml", "--model", "random", "--json"]);
    assert_eq!(warned.code, Some(0), "{}", warned.stderr);
    assert!(warned.stdout.contains("said in two lines"), "{}", warned.stdout);
}

#[test]
fn a_pack_whose_declaration_cannot_be_is_refused() {
    let (folder, plugins) = prepare_pack(PACK);
    let file = plugins.join("libown_type_pack.so");
    let listed = with_fault(folder.path(), &plugins, "main-score", &["plugins", "list"]);
    assert!(
        listed.stderr.contains("the type Likeness, main_score: expected one of the scores"),
        "{}",
        listed.stderr
    );
    let check = |fault: &str| check_with_fault(folder.path(), &file, fault);
    let checked = check("");
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""));
    // The kit runs the type on the pack's own rows.
    for (fault, why) in [
        ("remembers", "expected the same scores again, in another order of units"),
        ("draws", "expected the same scores of another process"),
        ("single", "split test, subset default, a single item: "),
        ("bounds", "expected the score `pearson` from -1 to 1, found 1.5"),
        ("die", "was killed by signal 6 (abort)"),
        ("leaks", "expected the memory of the worker to stay the same, found"),
    ] {
        let checked = check(fault);
        assert_eq!(checked.code, Some(1), "{fault}: {}", checked.stdout);
        assert!(checked.stderr.contains(why), "{fault}: {}", checked.stderr);
        assert!(!checked.stderr.contains("Number("), "{fault}: {}", checked.stderr);
    }
    // What it says to do, this command takes.
    let mut late = host(folder.path());
    late.args(["plugins", "check", "--plugin-timeout", "2"]).arg(&file).env("MTEB_PLUGIN_FAULT", "hang");
    let late = Run::of(&mut late).unwrap();
    assert!(late.stderr.contains("a slow evaluator needs a longer `--plugin-timeout`"), "{}", late.stderr);
}

#[test]
fn sts_as_a_type_of_a_pack_gives_the_scores_of_the_host() {
    let Some(shared) = shared() else { return };
    let (folder, plugins) = prepare_pack(PACK);
    let folder = folder.path();
    let data = "[dataset]\nhub = \"mteb/stsbenchmark-sts\"\nrevision = \"b0fddb56ed78048fa8b90373c8a3cfc37b684831\"\n";
    let card = |task: &str, kind: &str| {
        let head = "schema = 1\ndescription = \"d\"\nlanguages = [\"eng-Latn\"]\n";
        let text = format!("{head}name = \"{task}\"\ntype = \"{kind}\"\n{data}");
        fs::write(folder.join(format!("{task}.toml")), text).unwrap();
        let hub = shared.join("hub");
        let (file, hub) = (format!("{task}.toml"), hub.to_string_lossy().into_owned());
        let args = ["run", "--registry", &file, "--model", "random", "--quiet", "--hub-dir", &hub];
        let run = run(folder, &plugins, &args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        scores(folder, task, "test")
    };
    let (own, of_host) = (card("OwnSTS", "Likeness"), card("HostSTS", "STS"));
    for prefix in ["", "cosine_", "manhattan_", "euclidean_"] {
        for name in ["pearson", "spearman"] {
            let key = format!("{prefix}{name}");
            let (own, of_host) = (own[&key].as_f64().unwrap(), of_host[&key].as_f64().unwrap());
            assert!((own - of_host).abs() <= 1e-12, "{key}: {own} and {of_host}");
        }
    }
}
