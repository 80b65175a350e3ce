//! Types of tasks over corpus, queries and qrels: the host searches, and the pack's evaluator scores what was found.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, python, shared};
use serde_json::Value;

use super::own_types::{prepare_pack, run};

/// The library of the pack with the type `Finding`.
const PACK: &str = "own_ranking_pack";

fn entry(folder: &Path, model: &str, task: &str) -> Value {
    let revision = fs::read_dir(folder.join("results").join(model)).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(revision.join(format!("{task}.json"))).unwrap().replace("NaN", "null");
    serde_json::from_str::<Value>(&text).unwrap()["scores"]["test"][0].clone()
}

#[test]
fn a_type_over_rankings_is_checked_searched_scored_and_compared_as_retrieval_is() {
    let (folder, plugins) = prepare_pack(PACK);
    let folder = folder.path();
    let check =
        Run::of(host(folder).args(["plugins", "check"]).arg(plugins.join("libown_ranking_pack.so"))).unwrap();
    assert_eq!((check.code, check.stderr.as_str()), (Some(0), ""));
    for args in [
        &["validate", "--data", "r.toml"][..],
        &["stats", "PackFinding", "--registry", "r.toml"],
        &["show", "task", "PackFinding", "--registry", "r.toml"],
    ] {
        let run = run(folder, &plugins, args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}: {}", run.stdout);
    }
    for model in ["random", "hashing", "bm25"] {
        let args = ["run", "--registry", "r.toml", "--model", model, "--outcomes", "--rankings", "--quiet"];
        let scored = run(folder, &plugins, &args);
        assert_eq!((scored.code, scored.stderr.as_str()), (Some(0), ""), "{model}: {}", scored.stdout);
    }
    let again =
        run(folder, &plugins, &["run", "--registry", "r.toml", "--model", "hashing", "--outcomes", "--json"]);
    assert_eq!(again.json().unwrap()["tasks"][0]["units"][0]["state"], "found", "{}", again.stdout);
    let compared =
        run(folder, &plugins, &["compare", "mteb-host/hashing", "mteb/baseline-random-encoder", "--json"]);
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("queries"), "items are paired: {}", compared.stdout);
    // Words in common rank the right document first, and the host keeps what it found.
    assert_eq!(entry(folder, "mteb__baseline-bm25s", "PackFinding")["ndcg_at_10"], 1.0);
    let kept = folder.join("results/mteb__baseline-bm25s");
    let files: Vec<String> = walk(&kept);
    assert!(files.iter().any(|name| name.contains("PackFinding") && name.ends_with(".trec.gz")), "{files:?}");

    let mut command = host(folder);
    command.args([
        "run",
        "--registry",
        "r.toml",
        "--model",
        "hashing",
        "--json",
        "--overwrite",
        "always",
        "--plugin-dir",
    ]);
    let faulty = Run::of(command.arg(&plugins).env("MTEB_PLUGIN_FAULT", "outcomes")).unwrap();
    let reason = faulty.json().unwrap()["tasks"][0]["units"][0]["reason"].to_string();
    assert!(reason.contains("expected 3 outcomes, one per row, found 2"), "{reason}");
}

fn walk(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path.display().to_string()] })
        .collect()
}

#[test]
fn retrieval_as_a_type_of_a_pack_gives_the_scores_of_the_host_on_scifact() {
    let Some(shared) = shared() else { return };
    let (folder, plugins) = prepare_pack(PACK);
    let folder = folder.path();
    let data = "[dataset]\nhub = \"mteb/scifact\"\nrevision = \"d56462d0e63a25450459c4f213e49ffdb866f7f9\"\n";
    let hub = shared.join("hub").to_string_lossy().into_owned();
    let card = |task: &str, kind: &str| {
        let head =
            "schema = 1\ndescription = \"d\"\nlanguages = [\"eng-Latn\"]\nmain_score = \"mrr_at_10\"\n";
        fs::write(
            folder.join(format!("{task}.toml")),
            format!("{head}name = \"{task}\"\ntype = \"{kind}\"\n{data}"),
        )
        .unwrap();
        let file = format!("{task}.toml");
        let args = ["run", "--registry", &file, "--model", "random", "--quiet", "--hub-dir", &hub];
        let run = run(folder, &plugins, &args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        entry(folder, "mteb__baseline-random-encoder", task)
    };
    let (own, of_host) = (card("OwnSciFact", "Finding"), card("HostSciFact", "Retrieval"));
    let of_host = of_host.as_object().unwrap();
    let mut compared = 0;
    for (key, expected) in
        of_host.iter().filter(|(key, value)| value.is_number() && *key != "evaluation_time")
    {
        let found = own[key].as_f64().unwrap_or_else(|| panic!("no {key}: {own}"));
        assert!((found - expected.as_f64().unwrap()).abs() <= 1e-12, "{key}: {found} and {expected}");
        compared += 1;
    }
    assert!(compared > 60, "all measures at all cuts, and what of nAUC is defined: {compared}");
}

#[test]
fn a_type_over_rankings_in_python_gets_what_the_host_found_for_each_query() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("data")).unwrap();
    let line = |id: String, text: &str| format!("{{\"_id\": \"{id}\", \"text\": \"{text}\"}}\n");
    let texts = ["nasi goreng", "sate ayam", "soto ayam", "gudeg", "nasi uduk"];
    let corpus: String =
        texts.iter().zip(1..).map(|(text, number)| line(format!("d{number}"), text)).collect();
    let queries: String = ["nasi", "ayam", "gudeg"]
        .iter()
        .zip(1..)
        .map(|(text, number)| line(format!("q{number}"), text))
        .collect();
    fs::write(folder.join("data/corpus.jsonl"), corpus).unwrap();
    fs::write(folder.join("data/queries.jsonl"), queries).unwrap();
    fs::write(
        folder.join("data/qrels.tsv"),
        "query-id\tcorpus-id\tscore\nq1\td5\t1\nq2\td3\t2\nq2\td2\t0\nq3\td1\t1\n",
    )
    .unwrap();
    let head = |name: &str, kind: &str| {
        format!(
            "schema = 1\nname = \"{name}\"\ntype = \"{kind}\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n"
        )
    };
    let declared = "evaluator = \"python:first.py:First\"\n[task_type]\nabout = \"Asks how soon a reader finds something.\"\n\
                    main_score = \"mrr\"\noutcomes = \"mrr\"\nranking = { depth = 10 }\n[task_type.scores]\nmrr = {}\n";
    let data = "[dataset]\npath = \"data\"\n";
    fs::write(folder.join("own.toml"), head("Own", "First") + declared + data).unwrap();
    fs::write(folder.join("host.toml"), head("Host", "Retrieval") + "main_score = \"mrr_at_10\"\n" + data)
        .unwrap();
    let evaluator = "class First:\n    def score(self, rows, embeddings, rng, rankings):\n        \
                     assert [row['id'] for row in rows] == ['q1', 'q2', 'q3'] and rows[0]['text'] == 'nasi'\n        \
                     assert rankings[1].judged == {'d3': 2.0, 'd2': 0.0} and len(set(rankings[0].documents)) == 5\n        \
                     assert all(of.scores[0] >= of.scores[-1] for of in rankings)\n        \
                     found = [next((1 / rank for rank, grade in enumerate(of.grades, 1) if grade >= 1), 0) for of in rankings]\n        \
                     return {'mrr': sum(found) / len(found), 'outcomes': found}\n";
    fs::write(folder.join("first.py"), evaluator).unwrap();
    let run = |card: &str, more: &[&str]| {
        let mut command = host(folder);
        command.args(["run", "--registry", card, "--model", "hashing", "--json", "--outcomes"]).args(more);
        Run::of(command.arg("--python").arg(&python)).unwrap()
    };
    let unit = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0].clone();
    let refused = unit(&run("own.toml", &[]))["reason"].as_str().unwrap_or_default().to_owned();
    let (_, sha256) = refused.split_once("--trust-plugin ").unwrap_or_else(|| panic!("{refused}"));
    let own = run("own.toml", &["--trust-plugin", sha256.trim_end_matches('`')]);
    assert_eq!(own.code, Some(0), "{}{}", own.stdout, own.stderr);
    let of_host = run("host.toml", &[]);
    assert_eq!(of_host.code, Some(0), "{}{}", of_host.stdout, of_host.stderr);
    assert_eq!(unit(&own)["main_score"], unit(&of_host)["main_score"]);
}
