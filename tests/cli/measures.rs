//! Measures beside those of the reference: they change none of its scores. Packs bring some, which cards name
//! and results hold; what misbehaves costs its unit.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, build_outside, faulty_plugin, host, python, root, trust};
use serde_json::Value;

use super::own_types::{check_with_fault, prepare_pack, run, with_fault};

const QRELS: &str =
    "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t1\nq1\td3\t0\nq2\td4\t1\nq2\td5\t0\nq3\td6\t3\n";

/// What was found: for q1 relevant ones at ranks 1 and 3, and one that nobody judged; for q2 one at rank 2; for q3 nothing of use.
const FOUND: &str = "q1 Q0 d1 1 0.9 r\nq1 Q0 d4 2 0.8 r\nq1 Q0 d2 3 0.7 r\nq1 Q0 d3 4 0.6 r\n\
                     q2 Q0 d5 1 0.9 r\nq2 Q0 d4 2 0.8 r\nq3 Q0 d1 1 0.5 r\n";

/// A folder whose user trusts the pack of measures, with a card `t.toml` that has `more` after its
/// head; the second value is its folder of plugins.
fn prepare_measures(more: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, plugins) = prepare_pack("measure_pack");
    write_task(folder.path(), more);
    (folder, plugins)
}

fn write_task(folder: &Path, more: &str) {
    fs::create_dir_all(folder.join("data")).unwrap();
    let line = |id: String, text: &str| format!("{{\"_id\": \"{id}\", \"text\": \"{text}\"}}\n");
    let corpus: String = ["nasi", "sate", "soto", "gudeg", "rendang", "rujak"]
        .iter()
        .zip(1..)
        .map(|(text, number)| line(format!("d{number}"), text))
        .collect();
    let queries: String = ["nasi sate soto", "gudeg", "rujak rendang"]
        .iter()
        .zip(1..)
        .map(|(text, number)| line(format!("q{number}"), text))
        .collect();
    fs::write(folder.join("data/corpus.jsonl"), corpus).unwrap();
    fs::write(folder.join("data/queries.jsonl"), queries).unwrap();
    fs::write(folder.join("data/qrels.tsv"), QRELS).unwrap();
    fs::write(folder.join("found.trec"), FOUND).unwrap();
    let head = "schema = 1\nname = \"Makan\"\ntype = \"Retrieval\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n";
    fs::write(folder.join("t.toml"), format!("{head}{more}[dataset]\npath = \"data\"\n")).unwrap();
}

/// Scores `found.trec` by the card.
fn score_registry(folder: &Path, plugins: &Path, registry: &str) -> Value {
    let args = ["score", "--rankings", "found.trec", "--task", "Makan", "--registry", registry, "--json"];
    let run = run(folder, plugins, &args);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run.json().unwrap()
}

/// The entry of the one result file below `folder`.
fn pack_entry(folder: &Path) -> Value {
    let model = folder.join("results/mteb-host__hashing/1/Makan.json");
    let text = fs::read_to_string(model).unwrap().replace("NaN", "null");
    serde_json::from_str::<Value>(&text).unwrap()["scores"]["test"][0].clone()
}

const MEASURES: &str = "main_score = \"measure-pack/rbp\"\n[protocol]\nk_values = [1, 3]\nextra_measures = [\"judged\", \
                        \"measure-pack/rbp\", \"measure-pack/rbp(p=0.5)\", \"measure-pack/judged\", \"measure-pack/ndcg\", \
                        \"measure-pack/bpref\", \"measure-pack/effort\"]\n";

#[test]
fn a_measure_of_a_pack_stands_in_results_as_those_of_the_host_do_and_may_be_the_main_score() {
    let (folder, plugins) = prepare_measures(MEASURES);
    let folder = folder.path();
    let checked = run(folder, &plugins, &["validate", "--data", "t.toml"]);
    assert_eq!((checked.code, checked.stderr.as_str()), (Some(0), ""), "{}", checked.stdout);
    let shown = run(folder, &plugins, &["show", "task", "Makan", "--registry", "t.toml"]);
    assert!(shown.stdout.contains("# measure-pack/rbp(p=0.5): Rank-biased precision."), "{}", shown.stdout);
    let listed = run(folder, &plugins, &["plugins", "list"]);
    assert!(listed.stdout.contains("measure-pack/bpref"), "{}", listed.stdout);

    let scored = run(
        folder,
        &plugins,
        &["run", "--registry", "t.toml", "--model", "hashing", "--outcomes", "--quiet"],
    );
    assert_eq!((scored.code, scored.stderr.as_str()), (Some(0), ""), "{}", scored.stdout);
    let entry = pack_entry(folder);
    assert_eq!(entry["main_score"], entry["measure-pack/rbp"]);
    // What the host measures, too, is the same number.
    for cut in [1, 3] {
        for (own, of_host) in [("measure-pack/judged", "judged"), ("measure-pack/ndcg", "ndcg")] {
            let (own, of_host) = (&entry[format!("{own}_at_{cut}")], &entry[format!("{of_host}_at_{cut}")]);
            let (own, of_host) = (own.as_f64().unwrap(), of_host.as_f64().unwrap());
            assert!((own - of_host).abs() < 1e-5, "at {cut}: {own} and {of_host}");
        }
    }
    let again =
        run(folder, &plugins, &["run", "--registry", "t.toml", "--model", "hashing", "--json", "--outcomes"]);
    assert_eq!(again.json().unwrap()["tasks"][0]["units"][0]["state"], "found", "{}", again.stdout);
    // Cuts of the user's own change no measure of the card.
    let cuts = ["--k-values", "5", "--overwrite", "always", "--outcomes", "--quiet"];
    run(folder, &plugins, &[&["run", "--registry", "t.toml", "--model", "hashing"], &cuts[..]].concat());
    let deeper = pack_entry(folder);
    assert!(deeper["measure-pack/judged_at_5"].is_number(), "{deeper}");
    assert_eq!(deeper["measure-pack/rbp"], entry["measure-pack/rbp"]);
    let random =
        run(folder, &plugins, &["run", "--registry", "t.toml", "--model", "random", "--outcomes", "--quiet"]);
    assert_eq!((random.code, random.stderr.as_str()), (Some(0), ""));
    // The results stand where nobody has the pack.
    let board = run(folder, &plugins, &["leaderboard", "--json"]);
    let without = Run::of(host(folder).args(["leaderboard", "--json"])).unwrap();
    assert_eq!((board.code, &board.stdout), (Some(0), &without.stdout), "{}{}", board.stderr, without.stderr);
    let compared =
        run(folder, &plugins, &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder", "--json"]);
    assert!(compared.stdout.contains("measure-pack/rbp"), "{}", compared.stdout);
}

/// The values by hand, from `FOUND` and `QRELS`.
#[test]
fn formulas_get_the_grades_of_what_was_found_and_of_all_that_is_judged() {
    let (folder, plugins) = prepare_measures(MEASURES);
    let scores = score_registry(folder.path(), &plugins, "t.toml");
    let text = scores.to_string();
    let found = |name: &str| {
        let key = format!("\"{name}\":");
        let (_, rest) = text.split_once(&key).unwrap_or_else(|| panic!("no {name}: {scores:#}"));
        rest.split([',', '}']).next().unwrap().parse::<f64>().unwrap()
    };
    // Rank-biased precision down to the largest cut, 3: ranks 1 and 3; rank 2; none.
    let rbp = |p: f64| ((1.0 - p) * (1.0 + p * p) + (1.0 - p) * p + 0.0) / 3.0;
    for (name, expected) in [
        ("measure-pack/rbp", rbp(0.8)),
        ("measure-pack/rbp(p=0.5)", rbp(0.5)),
        ("measure-pack/judged_at_3", (2.0 / 3.0 + 1.0 + 0.0) / 3.0),
        // 1, 0 and 0, of which this measure takes the median.
        ("measure-pack/bpref", 0.0),
        ("measure-pack/effort", (0.0 + 1.0 + 1.0) / 3.0),
    ] {
        assert!((found(name) - expected).abs() < 1e-6, "{name}: {} for {expected}", found(name));
    }
}

#[test]
fn what_a_card_says_against_its_measures_is_a_fault_with_its_place() {
    let (folder, plugins) = prepare_measures("");
    let said = |more: &str| {
        write_task(folder.path(), more);
        let run = run(folder.path(), &plugins, &["validate", "t.toml"]);
        assert_eq!(run.code, Some(2), "{more}: {}", run.stdout);
        run.stdout + &run.stderr
    };
    let of = |measure: &str| said(&format!("[protocol]\nextra_measures = [\"{measure}\"]\n"));
    for (measure, why) in [
        (
            "measure-pack/rpb",
            "expected a measure that a plugin provides, found: measure-pack/rpb (near it: measure-pack/rbp",
        ),
        ("other/rbp", "expected a measure that a plugin provides, found: other/rbp"),
        ("measure-pack/rbp(q=0.5)", "the measure measure-pack/rbp has no parameter `q`"),
        ("measure-pack/rbp(p=1.5)", "expected `p` of measure-pack/rbp from 0 to 1, found: 1.5"),
        ("measure-pack/rbp(p=0.50)", "expected `measure-pack/rbp(p=0.5)`"),
        (
            "judgd",
            "or `pack/measure` or `pack/measure(parameter=number)`; found: \"judgd\" (near it: judged)",
        ),
        ("measure-pack/rbp(p=)", "found: \"measure-pack/rbp(p=)\""),
    ] {
        let said = of(measure);
        assert!(said.contains("t.toml:7:") && said.contains(why), "{measure}: {said}");
    }
    for (main, why) in [
        ("measure-pack/ndcg_at_5", "expected a cut-off of `k_values` (1, 3)"),
        ("measure-pack/rbp(p=0.9)", "expected the measure of the main score among `extra_measures`"),
        ("measure-pack/bpref", "expected a mean over queries, from -1 to 1"),
        ("measure-pack/effort", "expected a mean over queries, from -1 to 1"),
        ("measure-pack/rbp_at_3", "expected a score of Retrieval"),
    ] {
        let said =
            said(&MEASURES.replace("main_score = \"measure-pack/rbp\"", &format!("main_score = \"{main}\"")));
        assert!(said.contains("t.toml:6:") && said.contains(why), "{main}: {said}");
    }
    let sts = said("[protocol]\nextra_measures = [\"measure-pack/rbp\", \"measure-pack/rbp\"]\n");
    assert!(sts.contains("expected each measure once, found again: measure-pack/rbp"), "{sts}");
}

#[test]
fn a_measure_that_misbehaves_costs_its_unit_and_says_why() {
    let (folder, plugins) = prepare_measures(MEASURES);
    let folder = folder.path();
    for (fault, why) in [
        ("nan", "the measure measure-pack/rbp: expected a value from 0 to 1, found none for query 0"),
        ("bounds", "the measure measure-pack/rbp: expected a value from 0 to 1, found 2 for query 0"),
        ("fewer", "expected 3 values, one a query, found 1"),
        ("cuts", "expected values at 1 cuts, found 2"),
        ("nonsense", "expected values of queries, found something else"),
        ("many", "measure_pack.so: the worker process"),
        ("panic", "no values today"),
        ("die", "was killed by signal 6 (abort)"),
        ("hang", "gave no answer for 3 s, and was ended"),
    ] {
        let mut args =
            vec!["run", "--registry", "t.toml", "--model", "hashing", "--json", "--overwrite", "always"];
        if fault == "hang" {
            args.extend(["--batch-timeout", "3"]);
        }
        let run = with_fault(folder, &plugins, fault, &args);
        assert_eq!(run.code, Some(1), "{fault}: {}", run.stderr);
        let unit = run.json().unwrap()["tasks"][0]["units"][0].clone();
        let reason = unit["reason"].as_str().unwrap_or_default();
        assert!(reason.contains(why), "{fault}: {unit}");
        assert!(reason.lines().count() == 1 && reason.len() < 1000, "{fault}: {reason}");
    }
}

#[test]
fn the_example_of_measures_builds_outside_the_workspace_conforms_and_scores() {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    fs::create_dir(&plugins).unwrap();
    let library = plugins.join("librank_measures.so");
    fs::copy(build_outside(&root().join("examples/measures"), "rank_measures"), &library).unwrap();
    let check = Run::of(host(folder.path()).args(["plugins", "check"]).arg(&library)).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    trust(folder.path(), &plugins).unwrap();
    write_task(
        folder.path(),
        "[protocol]\nextra_measures = [\"rank-measures/rbp\", \"rank-measures/err(max=3)\"]\n",
    );
    let scores = score_registry(folder.path(), &plugins, "t.toml").to_string();
    // q1: grades 2 and 1 at ranks 1 and 3; q2: grade 1 at rank 2; q3: none.
    let stops = |grade: i32| (2_f64.powi(grade) - 1.0) / 8.0;
    let expected = (stops(2) + (1.0 - stops(2)) * stops(1) / 3.0 + stops(1) / 2.0) / 3.0;
    let (_, rest) = scores.split_once("\"rank-measures/err(max=3)_at_10\":").unwrap();
    let found: f64 = rest.split([',', '}']).next().unwrap().parse().unwrap();
    assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
}

#[test]
fn the_kit_tries_measures_on_made_rankings() {
    let folder = tempfile::tempdir().unwrap();
    let file = faulty_plugin("measure_pack", &folder.path().join("plugins")).unwrap();
    let check = |fault: &str| check_with_fault(folder.path(), &file, fault);
    let sound = check("");
    assert_eq!((sound.code, sound.stderr.as_str()), (Some(0), ""));
    for (fault, why) in [
        ("nan", "expected a value from 0 to 1, found none for found grades"),
        ("bounds", "expected a value from 0 to 1, found 2 for found grades"),
        ("fewer", "expected 8 values at each of 1 cut-offs"),
        ("range", "the default between them"),
        ("panic", "no values today"),
    ] {
        let run = check(fault);
        assert_eq!(run.code, Some(1), "{fault}: {}", run.stdout);
        assert!(run.stderr.contains(why), "{fault}: {}", run.stderr);
    }
}

const PYTHON: &str = "import numpy\n\nclass RBP:\n    def value(self, found, judged, cut, threshold, p):\n        \
                      relevant = (found > 0) & (found >= threshold)\n        \
                      return (1 - p) * numpy.sum(relevant * p ** numpy.arange(len(found)))\n";

#[test]
fn a_measure_in_a_python_file_beside_a_card_gives_the_values_of_one_in_rust_once_it_is_trusted() {
    let Some(python) = python() else { return };
    let declared = "[measures.rbp]\nevaluator = \"python:measures.py:RBP\"\nabout = \"Rank-biased precision.\"\n\
                    parameters.p = { default = 0.8, low = 0.0, high = 1.0 }\n";
    let (folder, plugins) = prepare_measures("");
    let folder = folder.path();
    let names = "[protocol]\nk_values = [1, 3]\nextra_measures = [\"python/rbp(p=0.5)\", \"measure-pack/rbp(p=0.5)\"]\n";
    write_task(folder, &format!("main_score = \"python/rbp(p=0.5)\"\n{declared}{names}"));
    fs::write(folder.join("measures.py"), PYTHON).unwrap();
    let run = |trust: &[&str]| {
        let mut command = host(folder);
        command.args([
            "run",
            "--registry",
            "t.toml",
            "--model",
            "hashing",
            "--json",
            "--overwrite",
            "always",
        ]);
        Run::of(command.args(trust).arg("--python").arg(&python).arg("--plugin-dir").arg(&plugins)).unwrap()
    };
    let refused = run(&[]);
    let reason =
        refused.json().unwrap()["tasks"][0]["units"][0]["reason"].as_str().unwrap_or_default().to_owned();
    let (_, sha256) = reason.split_once("--trust-plugin ").unwrap_or_else(|| panic!("{reason}"));
    let scored = run(&["--trust-plugin", sha256.trim_end_matches('`')]);
    assert_eq!((scored.code, scored.stderr.as_str()), (Some(0), ""), "{}", scored.stdout);
    let found = pack_entry(folder);
    let (python, rust) = (&found["python/rbp(p=0.5)"], &found["measure-pack/rbp(p=0.5)"]);
    assert!(python.is_number() && python == rust && found["main_score"] == *python, "{python} and {rust}");

    for (from, to, why) in [
        (
            "return (1 - p)",
            "return 5 + (1 - p)",
            "the measure python/rbp: expected a value from 0 to 1, found 5",
        ),
        ("return (1 - p)", "return (1 / 0) * (1 - p)", "ZeroDivisionError"),
        (
            "class RBP",
            "class Other",
            "expected a class `RBP` with `value(self, found, judged, cut, threshold, p)`",
        ),
    ] {
        assert!(PYTHON.contains(from));
        fs::write(folder.join("measures.py"), PYTHON.replace(from, to)).unwrap();
        let of = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0]["reason"].to_string();
        let reason = of(&run(&[]));
        let (_, sha256) = reason.split_once("--trust-plugin ").unwrap_or_else(|| panic!("{reason}"));
        let reason = of(&run(&["--trust-plugin", sha256.trim_end_matches(['`', '"'])]));
        assert!(reason.contains(why), "{to}: {reason}");
    }
}

/// A task of each type, and what is measured there besides.
const TASKS: [(&str, &[&str]); 5] = [
    ("IndonesianNewsTopic", &["f1_micro"]),
    ("IndonesianEmotions", &["f1_micro"]),
    ("IndonesianNewsClustering", &["nmi", "ari", "v_measure_batch_32"]),
    ("IndonesianNewsSummary", &["rouge1", "rouge2", "rougeL"]),
    ("IndonesianLawRetrieval", &["ndcg_exp_at_10"]),
];

fn run_extra(folder: &Path, more: &[&str]) -> Run {
    let tasks: Vec<&str> = TASKS.iter().flat_map(|(task, _)| ["--task", task]).collect();
    let run = Run::of(host(folder).args(["run", "--quiet"]).args(tasks).args(more)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn extra_entry(folder: &Path, task: &str) -> Value {
    let path = folder.join("results/mteb-host__hashing/1").join(format!("{task}.json"));
    let file: Value =
        serde_json::from_str(&fs::read_to_string(path).unwrap().replace("NaN", "null")).unwrap();
    file["scores"].as_object().unwrap().values().next().unwrap()[0].clone()
}

#[test]
fn they_change_no_score_of_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    run_extra(folder.path(), &[]);
    let before: Vec<Value> = TASKS.iter().map(|(task, _)| extra_entry(folder.path(), task)).collect();
    let said = run_extra(folder.path(), &["--extra-measures", "--k-values", "7"]).stderr;
    assert_eq!(said.matches("its measures differ from those selected").count(), TASKS.len(), "{said}");
    for ((task, extra), before) in TASKS.iter().zip(&before) {
        let now = extra_entry(folder.path(), task);
        for name in *extra {
            assert!(before[name].is_null() && now[name].is_number(), "{task}, {name}: {}", now[name]);
        }
        for (name, value) in before.as_object().unwrap().iter().filter(|(_, value)| value.is_number()) {
            assert_eq!(now[name], *value, "{task}, {name}");
        }
    }
    let law = extra_entry(folder.path(), "IndonesianLawRetrieval");
    assert!(law["ndcg_at_7"].is_number() && law["ndcg_exp_at_7"].is_number(), "the cut that was asked for");
    assert_eq!(run_extra(folder.path(), &[]).stderr, "", "a result with more measures stands");
}
