//! Two stages in one run: a first stage finds, a cross-encoder orders the best anew, and the scores are the reference's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use mteb_host_tests::{Run, host, host_binary, python, root};
use serde_json::Value;

const LAW: &str = "IndonesianLawRetrieval";

/// The cross-encoder of `two_stages.py`, and a model that only encodes.
const PAIRS: &str = "
class Pairs:
    def predict(self, pairs):
        return [score(query, document) for query, document in pairs]

class Letters:
    def encode(self, texts):
        return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]

def score(query, document):
    words = set(query.lower().split())
    return float(sum(3 for word in document.lower().split() if word in words)) - len(document) / 512.0
";

fn run(folder: &Path, arguments: &[&str]) -> Run {
    host_binary();
    fs::write(folder.join("pairs.py"), PAIRS).unwrap();
    let mut command = host(folder);
    command.args(["run", "--quiet", "--task", LAW]).args(arguments);
    Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

fn done(folder: &Path, arguments: &[&str]) -> Run {
    let run = run(folder, arguments);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

/// Reranks with so many documents from `first`; gives the result file.
fn rerank(folder: &Path, first: &str, depth: &str) -> Value {
    let model = "python:pairs.py:Pairs";
    done(folder, &["--model", model, "--rerank-from", first, "--rerank-depth", depth]);
    let results = fs::read_dir(folder.join("results")).unwrap().map(|entry| entry.unwrap().path());
    let own: Vec<PathBuf> = results.filter(|path| path.to_string_lossy().contains("Pairs")).collect();
    assert_eq!(own.len(), 1, "{own:?}");
    let file = below(&own[0], &format!("rerank_depth_{depth}__")).expect("results behind the first stage");
    serde_json::from_str(&fs::read_to_string(file).unwrap().replace("NaN", "null")).unwrap()
}

/// The result of the task in a folder below `folder` whose path has `part` in it.
fn below(folder: &Path, part: &str) -> Option<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).ok()?.map(|entry| entry.unwrap().path()) {
            let is_result = path.ends_with(format!("{LAW}.json")) && path.to_string_lossy().contains(part);
            match path.is_dir() {
                true => folders.push(path),
                false if is_result && !path.to_string_lossy().contains("superseded") => return Some(path),
                false => {}
            }
        }
    }
    None
}

fn scores(result: &Value) -> &Value {
    &result["scores"]["test"][0]
}

#[test]
fn two_stages_score_as_the_references_do() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["--model", "bm25", "--rankings", "--predictions"]);
    let bm25 = folder.path().join("results/mteb__baseline-bm25s/0_3_0");
    let predictions = bm25.join(format!("predictions/{LAW}_predictions.json"));
    // With as many documents as the corpus has, nothing is behind those that are ordered anew.
    let depths = [("20", &[1, 3, 5, 10, 20][..]), ("600", &[1, 10, 100, 1000])];
    let mut reference = Command::new(&python);
    reference.arg(root().join("tests/cli/two_stages.py")).arg(root().join("indonesia/data").join(LAW));
    reference.arg(&predictions).args(depths.map(|(depth, _)| depth)).env("HF_HUB_OFFLINE", "1");
    let reference = Run::of(&mut reference).unwrap();
    assert_eq!(reference.code, Some(0), "{}", reference.stderr);
    assert_eq!(reference.stdout.lines().count(), depths.len(), "{}", reference.stdout);
    for ((depth, cuts), expected) in depths.into_iter().zip(reference.stdout.lines()) {
        let expected: Value = serde_json::from_str(expected).unwrap();
        let result = rerank(folder.path(), bm25.to_str().unwrap(), depth);
        let mut compared = 0;
        for (name, expected) in expected.as_object().unwrap() {
            if !cuts.iter().any(|cut| name.contains(&format!("_at_{cut}")) && is_cut(name, *cut)) {
                continue;
            }
            let found = scores(&result)[name].as_f64().unwrap_or_else(|| panic!("no number {name}"));
            assert!(
                (found - expected.as_f64().unwrap()).abs() < 1.1e-6,
                "{depth}, {name}: {found}, {expected}"
            );
            compared += 1;
        }
        assert!(compared > 40, "{compared}");
    }
}

/// True of the name of a measure at `cut`, as `nauc_ndcg_at_10_std`.
fn is_cut(name: &str, cut: u32) -> bool {
    name.split("_at_").nth(1).is_some_and(|rest| rest.split('_').next() == Some(&cut.to_string()))
}

#[test]
fn a_first_stage_that_is_a_model_is_run_first_and_named_in_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let result = rerank(folder.path(), "bm25", "20");
    let first = &result["mteb_host"]["model"]["first_stage"];
    assert_eq!(
        (&first["name"], &first["revision"], &first["depth"]),
        (&"mteb/baseline-bm25s".into(), &"0_3_0".into(), &20.into())
    );
    let bm25 = folder.path().join("results/mteb__baseline-bm25s/0_3_0");
    let alone: Value = serde_json::from_str(
        &fs::read_to_string(bm25.join(format!("{LAW}.json"))).unwrap().replace("NaN", "null"),
    )
    .unwrap();
    for name in ["recall_at_20", "recall_at_100", "recall_at_1000"] {
        assert_eq!(
            scores(&result)[name],
            scores(&alone)[name],
            "{name}: documents below stay in the order of BM25"
        );
    }
    assert_ne!(scores(&result)["ndcg_at_10"], scores(&alone)["ndcg_at_10"]);
    // The run file of the first stage gives the same scores; so does a second run, which scores nothing.
    let file = bm25.join(format!("rankings/{LAW}/test/default.trec.gz"));
    let again = rerank(folder.path(), file.to_str().unwrap(), "20");
    assert_eq!(scores(&again)["ndcg_at_10"], scores(&result)["ndcg_at_10"]);
    // Its card names no revision, so the second run is told to keep what it cannot compare.
    let arguments = ["--model", "python:pairs.py:Pairs", "--rerank-from", "bm25", "--rerank-depth", "20"];
    let found = done(folder.path(), &[&arguments[..], &["--keep-unknown"]].concat());
    assert!(!found.stderr.contains("will be scored again"), "{}", found.stderr);
}

#[test]
fn what_cannot_be_a_stage_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, code, said) in [
        (
            &["--model", "hashing", "--rerank-from", "bm25"][..],
            2,
            "`--rerank-from`: expected a cross-encoder or reranker, found a model that encodes: mteb-host/hashing",
        ),
        (
            &["--model", "python:pairs.py:Pairs", "--rerank-from", "python:pairs.py:Pairs"],
            2,
            "expected a model that embeds or ranks, found a cross-encoder",
        ),
        (&["--model", "python:pairs.py:Pairs", "--rerank-from", "."], 1, "expected results with rankings"),
        (&["--model", "python:pairs.py:Pairs", "--rerank-depth", "5"], 2, "--rerank-from"),
    ] {
        let run = run(folder.path(), arguments);
        assert_eq!(run.code, Some(code), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn scored_rankings_enter_the_leaderboard_under_their_name() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["--model", "bm25", "--rankings"]);
    let file = format!("results/mteb__baseline-bm25s/0_3_0/rankings/{LAW}/test/default.trec.gz");
    let mut score = host(folder.path());
    score.args([
        "score",
        "--rankings",
        &file,
        "--task",
        LAW,
        "--output-folder",
        "results",
        "--name",
        "me/search",
    ]);
    let scored = Run::of(&mut score).unwrap();
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let board = Run::of(host(folder.path()).args(["leaderboard", "--task", LAW, "--json"])).unwrap();
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(
        board.stdout.contains("me/search") && board.stdout.contains("mteb/baseline-bm25s"),
        "{}",
        board.stdout
    );
    let result = |folder: &Path| -> Value {
        let file = below(folder, "results").unwrap();
        serde_json::from_str(&fs::read_to_string(file).unwrap().replace("NaN", "null")).unwrap()
    };
    let own = result(&folder.path().join("results/me__search"));
    let bm25 = result(&folder.path().join("results/mteb__baseline-bm25s"));
    assert_eq!(scores(&own)["main_score"], scores(&bm25)["main_score"]);
    let mut without = host(folder.path());
    without.args(["score", "--rankings", &file, "--task", LAW, "--output-folder", "results"]);
    assert_eq!(Run::of(&mut without).unwrap().code, Some(2), "a result needs a name");
}
