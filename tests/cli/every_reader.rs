//! Every command that reads results says which files it left out and why, and marks what may not be right.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, write_pair_card, write_pairs};
use serde_json::{Value, json};

const REGISTRY: &str = "both.toml";

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments)).unwrap()
}

/// Two tasks of pairs that two models have scored; the result of `hashing` on the second one.
fn score_pairs(folder: &Path) -> PathBuf {
    for (name, score) in [("One", 4.0), ("Two", 3.0)] {
        let own = folder.join(name);
        fs::create_dir_all(&own).unwrap();
        write_pair_card(&own, name, &["ind"]).unwrap();
        write_pairs(&own, "ind", [("a b", "b c", 1.0), ("d e f", "d e", score), ("b c", "b", 2.0)]).unwrap();
    }
    let registry = "schema = 1\nname = \"both\"\ncards = [\"One\", \"Two\"]\n";
    fs::write(folder.join(REGISTRY), registry).unwrap();
    for model in ["hashing", "random"] {
        let run = of(folder, &["run", "--quiet", "--model", model, "--registry", REGISTRY]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    folder.join("results/mteb-host__hashing/1/Two.json")
}

/// The commands that read results, each with what it prints.
fn run_readers(folder: &Path) -> Vec<(&'static str, Run)> {
    let registry = ["--registry", REGISTRY];
    let verify = ["results", "verify", "results"];
    let commands: [(&str, &[&str]); 10] = [
        ("leaderboard", &["leaderboard"]),
        ("report", &["report"]),
        ("compare", &["compare", "hashing", "random"]),
        ("compare, as JSON", &["compare", "hashing", "random", "--json"]),
        ("compare, as CSV", &["compare", "hashing", "random", "--format", "csv"]),
        ("compare, as LaTeX", &["compare", "hashing", "random", "--format", "latex"]),
        ("show results", &["show", "results", "hashing"]),
        ("show task", &["show", "task", "Two"]),
        ("figure", &["figure", "table1"]),
        ("results verify", &verify),
    ];
    commands.map(|(name, arguments)| (name, of(folder, &[arguments, &registry].concat()))).into()
}

#[test]
fn every_reader_names_a_file_that_it_left_out_and_why() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = score_pairs(folder);
    let whole = fs::read_to_string(&path).unwrap();
    let edited = |change: &dyn Fn(&mut Value)| {
        let mut file: Value = serde_json::from_str(&whole.replace("NaN", "null")).unwrap();
        change(&mut file);
        file.to_string().into_bytes()
    };
    let faults: [(Vec<u8>, &str); 6] = [
        (whole.as_bytes()[..whole.len() / 2].to_vec(), "expected JSON: "),
        (
            edited(&|file| file["scores"] = json!({})),
            "expected scores of a split and subset under `scores`, found none",
        ),
        (
            edited(&|file| file["scores"] = json!({"test": []})),
            "expected scores of a split and subset under `scores`",
        ),
        (
            edited(&|file| file["scores"]["test"][0]["main_score"] = 0.987.into()),
            "expected `main_score` to be ",
        ),
        (
            edited(&|file| file["task_name"] = "Other".into()),
            "expected results of the task Two, found: Other",
        ),
        (b"{\"\xff\": 1}".to_vec(), "expected UTF-8 text"),
    ];
    for (content, why) in faults {
        fs::write(&path, &content).unwrap();
        for (name, run) in run_readers(folder) {
            // Markdown and JSON put a mark before some letters.
            let said = format!("{}{}", run.stdout, run.stderr).replace('\\', "");
            let lines = said
                .lines()
                .filter(|line| line.contains("Two.json") && line.contains("results/mteb-host__hashing"));
            assert!(lines.clone().any(|line| line.contains(why)), "{name}: {why}: {said}");
            // As a leaderboard names it: a line on standard error.
            let is_warned =
                |line: &str| line.starts_with("warning: ") && line.contains("Two.json: left out: ");
            assert!(name == "results verify" || run.stderr.lines().any(is_warned), "{name}: {}", run.stderr);
            assert!(
                name != "results verify" || lines.filter(|line| line.contains(why)).count() == 1,
                "{said}"
            );
            assert!(!said.contains("98.70"), "{name}: {said}");
        }
    }
    // A model of which no file is left is not one without results.
    fs::write(folder.join("results/mteb-host__hashing/1/One.json"), "{").unwrap();
    for arguments in [&["compare", "hashing", "random"][..], &["show", "results", "mteb-host/hashing"]] {
        let run = of(folder, arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("One.json: left out: expected JSON"), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("found only ones that were skipped"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_result_of_a_split_that_the_task_does_not_have_is_named_by_compare_too() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = score_pairs(folder);
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, whole.replace("\"test\":", "\"tset\":")).unwrap();
    let expected =
        "not counted: 1 result of a split and subset that its task does not have: Two, split tset, subset ";
    for arguments in
        [&["leaderboard"][..], &["compare", "hashing", "random"], &["show", "results", "hashing"]]
    {
        let run = of(folder, &[arguments, &["--registry", REGISTRY]].concat());
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
    // Where neither has anything else, each file is named.
    let alone = of(folder, &["compare", "hashing", "random", "--registry", REGISTRY, "--task", "Two"]);
    assert_eq!(alone.code, Some(2), "{}", alone.stderr);
    assert!(
        alone.stderr.contains(expected) || alone.stderr.contains("Two.json: left out: "),
        "{}",
        alone.stderr
    );
}

/// Writes the result of a model of others on a task of mteb.
pub fn publish(folder: &Path, model: &str, task: &str, revision: &str, scores: &Value) {
    let place = folder.join(format!("results/{model}/1"));
    fs::create_dir_all(&place).unwrap();
    let name = model.replace("__", "/");
    fs::write(place.join("model_meta.json"), json!({"name": name, "revision": "1"}).to_string()).unwrap();
    let mut entry = scores.clone();
    entry["hf_subset"] = "default".into();
    entry["languages"] = json!(["eng-Latn"]);
    let file = json!({
        "dataset_revision": revision, "task_name": task, "mteb_version": "1.38.30", "evaluation_time": 1.0,
        "scores": {"test": [entry]},
    });
    fs::write(place.join(format!("{task}.json")), file.to_string()).unwrap();
}

#[test]
fn a_score_of_others_that_its_parts_do_not_give_counts_and_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pairs = |ap: f64, max: f64| {
        json!({
            "similarity_ap": 0.91, "cosine_ap": 0.92, "dot_ap": ap, "euclidean_ap": 0.9, "manhattan_ap": 0.91, "max_ap": max,
            "main_score": max,
        })
    };
    const TWITTER: &str = "70970daeab8776df92f5ea462b6173c0b46fd2d1";
    publish(folder, "a__right", "TwitterSemEval2015", TWITTER, &pairs(0.87, 0.92));
    publish(folder, "b__smaller", "TwitterSemEval2015", TWITTER, &pairs(0.87, 0.87));
    publish(folder, "c__larger", "TwitterSemEval2015", TWITTER, &pairs(0.87, 0.95));
    // As copied from a README: two of four similarities, of which another one may be the largest.
    let part = json!({"cos_sim_ap": 0.9, "dot_sim_ap": 0.9, "max_ap": 0.94, "main_score": 0.94});
    publish(folder, "d__part", "TwitterSemEval2015", TWITTER, &part);
    let board = of(folder, &["leaderboard", "--task", "TwitterSemEval2015"]);
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    let of_model = |model: &str| -> Vec<&str> {
        board.stderr.lines().filter(|line| line.contains(&format!("{model}, TwitterSemEval2015: "))).collect()
    };
    for (model, why) in [
        ("b/smaller", "marked: doubtful: `max_ap` is 0.87, and the largest beside it, `cosine_ap`, is 0.92"),
        ("c/larger", "marked: doubtful: `max_ap` is 0.95, and the largest beside it, "),
    ] {
        let lines = of_model(model);
        assert!(lines.len() == 1 && lines[0].contains(why), "{lines:?} {}", board.stderr);
    }
    assert!(of_model("a/right").is_empty() && of_model("d/part").is_empty(), "{}", board.stderr);
    // Markdown puts a mark before some letters.
    let shown = board.stdout.replace('\\', "");
    let note = "† doubtful: c/larger (TwitterSemEval2015, `max_ap` is 0.95, and the largest beside it, ";
    assert!(shown.contains(note) && !shown.contains("may be from different data"), "{shown}");
    for score in ["95.00", "94.00", "92.00", "87.00"] {
        assert!(board.stdout.contains(score), "{score}: {}", board.stdout);
    }
    let compared = of(folder, &["compare", "a/right", "c/larger", "--task", "TwitterSemEval2015"]);
    assert!(
        format!("{}{}", compared.stdout, compared.stderr)
            .replace('\\', "")
            .contains("doubtful: `max_ap` is 0.95"),
        "{}",
        compared.stdout
    );
}
