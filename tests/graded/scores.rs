//! From judgements to tables: the whole way on a real dataset, rerankers, what is refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use mteb_host_tests::{Endpoint, Misdeed as Reply, root, shared};
use serde_json::Value;

use super::provider::{Misdeed, Provider};
use super::{LAW, lines, run_graded, succeed};
use crate::models::hashing_rows;

/// The card `{name}.toml` of a judge at `address` that is told the prompt of a language: another prompt, other scores.
fn card(folder: &Path, address: &str, (name, language, threshold): (&str, &str, f64)) {
    let text = format!(
        "schema = 1\nname = \"{name}\"\ntitle = \"a judge of the tests\"\nthreshold = {threshold:?}\n\
         [endpoint]\nstyle = \"openai\"\nurl = \"{address}/v1\"\nmodel = \"m-1\"\n\
         [prompt]\nlanguage = \"{language}\"\nversion = 1\n"
    );
    fs::write(folder.join(format!("{name}.toml")), text).unwrap();
}

/// Ranks `task` with two embedders, pools their best 5, and lets two judges judge.
fn judge_task(folder: &Path, task: &str, more: &[&str]) {
    let provider = Provider::start(Misdeed::None, 1, Duration::ZERO);
    succeed(folder, &[&["rank", "hashing", "bm25", "--task", task, "--quiet"], more].concat());
    succeed(folder, &[&["pool", "--task", task, "--depth", "5"], more].concat());
    for (name, language, threshold) in [("reader-a", "en", 6.0), ("reader-b", "id", 7.5)] {
        card(folder, &provider.address, (name, language, threshold));
        succeed(folder, &["judge", "--judge", &format!("{name}.toml"), "--quiet"]);
    }
}

/// The expected table was made by `tests/golden/graded/scifact.py` from the files that this test leaves: an independent computation.
#[test]
fn scifact_from_rankings_to_the_table() {
    let Some(shared) = shared() else { return };
    let folder = tempfile::tempdir().unwrap();
    let hub = shared.join("hub");
    judge_task(folder.path(), "SciFact", &["--hub-dir", hub.to_str().unwrap()]);
    succeed(folder.path(), &["evaluate"]);
    let aggregate = ["aggregate", "--at", "1,10,100", "--baseline", "mteb-host/hashing", "--format", "csv"];
    let table = succeed(folder.path(), &aggregate).stdout;
    if let Some(kept) = std::env::var_os("MTEB_KEEP_GRADED") {
        fs::rename(folder.keep(), kept).unwrap();
    }
    let expected = fs::read_to_string(root().join("tests/golden/graded/scifact.csv")).unwrap();
    assert_eq!(table, expected);
}

#[test]
fn every_score_has_the_share_that_is_judged_and_the_version_of_its_pool() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    succeed(folder.path(), &["evaluate", "--threshold", "p90"]);
    let file = folder.path().join(format!("graded/evaluations/{LAW}/test/default.json"));
    let evaluated: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let pool = lines(&folder.path().join(format!("graded/pools/{LAW}/test/default.jsonl")));
    assert_eq!((&evaluated["pool"], &evaluated["threshold"]), (&pool[0]["version"], &"p90".into()));
    for system in evaluated["systems"].as_array().unwrap() {
        for curves in system["curves"].as_array().unwrap() {
            let judged = curves["judged"].as_array().unwrap();
            assert_eq!((judged.len(), judged[4].as_f64()), (100, Some(1.0)), "the pool has the best 5");
            assert!(judged[99].as_f64().unwrap() < 0.5, "and little of the best 100");
        }
    }
    // What is not judged may be left out instead: it then costs nothing.
    let mean = |unjudged: &str| {
        succeed(folder.path(), &["evaluate", "--unjudged", unjudged]);
        let table = succeed(folder.path(), &["aggregate", "--at", "50", "--format", "json"]).json().unwrap();
        table[0]["Average"].as_f64().unwrap()
    };
    assert!(mean("skip") > mean("zero"));
}

#[test]
fn a_table_has_the_forms_that_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    succeed(folder.path(), &["evaluate"]);
    let table = |format: &str, more: &[&str]| {
        succeed(folder.path(), &[&["aggregate", "--format", format], more].concat()).stdout
    };
    let markdown = table("markdown", &[]);
    assert!(markdown.starts_with("| At | System | reader-a | reader-b | Average | Judged |"), "{markdown}");
    assert!(table("table", &[]).contains("mteb/baseline-bm25s"));
    let binary = table("csv", &["--binary", "results", "--measure", "recall"]);
    let titles = "At,System,reader-a,reader-b,Average,Judged,Binary rank,Graded rank,Shift\n";
    assert!(binary.starts_with(titles) && binary.lines().count() == 3, "{binary}");
    let siblings = "mteb-host/hashing=mteb/baseline-bm25s";
    let gaps = succeed(folder.path(), &["aggregate", "--siblings", siblings, "--json"]).json().unwrap();
    let average = |row: &Value| row["Average"].as_f64().unwrap();
    let (large, small) = match gaps[0]["System"].as_str() {
        Some("mteb/baseline-bm25s") => (&gaps[0], &gaps[1]),
        _ => (&gaps[1], &gaps[0]),
    };
    let gap = large["Beyond mteb-host/hashing"].as_f64().unwrap();
    assert!((gap - (average(large) - average(small))).abs() < 2e-6, "{gaps}");
    assert_eq!(small["Beyond mteb-host/hashing"], Value::Null);
    for nothing in ["nonexistent", "graded"] {
        let refused = run_graded(folder.path(), &["aggregate", "--binary", nothing]);
        assert_eq!(refused.code, Some(2), "{}", refused.stdout);
        assert!(refused.stderr.starts_with(&format!("error: {nothing}: expected ")), "{}", refused.stderr);
    }
    let unknown = run_graded(folder.path(), &["aggregate", "--baseline", "mteb-host/hashin"]);
    assert_eq!(
        unknown.stderr,
        "error: expected a system of the table, found: mteb-host/hashin (near it: mteb-host/hashing)\n"
    );
}

#[test]
fn an_evaluation_whose_judgements_or_pool_changed_is_told() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    succeed(folder.path(), &["evaluate"]);
    let said = || succeed(folder.path(), &["aggregate"]).stderr;
    assert_eq!(said(), "");
    let store = folder.path().join("graded/judgements/reader-a.jsonl");
    let text = fs::read_to_string(&store).unwrap();
    let shorter: Vec<&str> = text.lines().take(text.lines().count() - 1).collect();
    fs::write(&store, shorter.join("\n") + "\n").unwrap();
    let line = |what: &str| {
        format!(
            "warning: {LAW}, split test, subset default: {what} changed after it was evaluated; run \
             `mteb-host graded evaluate` again\n"
        )
    };
    assert_eq!(said(), line("the judgements of reader-a"));
    fs::write(&store, text).unwrap();
    assert_eq!(said(), "");
    succeed(folder.path(), &["pool", "--task", LAW, "--depth", "3"]);
    assert_eq!(said(), line("its pool"));
}

#[test]
fn judges_and_rankings_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    let run = succeed(folder.path(), &["agreement", "--json", "--samples", "50"]);
    let found = run.json().unwrap();
    let pairs = lines(&folder.path().join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let pairs = pairs.iter().filter(|line| line["pair"].is_string()).count();
    assert_eq!(found["pairs"][0]["common"], pairs);
    // The judges of the tests throw dice.
    for name in ["pearson", "spearman"] {
        assert!(found["pairs"][0][name].as_f64().unwrap().abs() < 0.2, "{found}");
    }
    assert!(found["alpha"].as_f64().unwrap().abs() < 0.2);
    let bins = found["distributions"][0]["bins"].as_array().unwrap();
    assert_eq!(bins.iter().map(|bin| bin.as_u64().unwrap()).sum::<u64>(), pairs as u64);
    let variants = found["stability"].as_array().unwrap();
    let names: Vec<&str> = variants.iter().map(|found| found["variant"].as_str().unwrap()).collect();
    assert!(
        names.contains(&"recall@10, threshold 4") && names.contains(&"nDCG@10, without reader-a"),
        "{names:?}"
    );
    assert!(names.contains(&"nDCG@10, 50 samples of queries"), "{names:?}");
    assert!(
        succeed(folder.path(), &["agreement", "--samples", "50"]).stdout.contains("Krippendorff's alpha")
    );
    // A form of one table alone has all of it.
    let long = succeed(folder.path(), &["agreement", "--samples", "50", "--format", "csv"]).stdout;
    assert!(long.starts_with("Part,Unit,Judge,Of,Measure,Value\n"), "{long}");
    for part in [
        "distribution,",
        "judges,,reader-a,reader-b,pearson,",
        "judges,,,,alpha,",
        "systems,,,\"nDCG@10, without",
    ] {
        assert!(long.contains(&format!("\n{part}")), "{part}: {long}");
    }
}

#[test]
fn judges_are_compared_with_the_grades_of_the_task() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    // Judges agree with each other whether there are rankings or not.
    fs::remove_dir_all(folder.path().join("results")).unwrap();
    let found = succeed(folder.path(), &["agreement", "--own-grades", "--json"]).json().unwrap();
    assert_eq!(found["systems"], Value::Array(Vec::new()));
    let own = &found["own_grades"][0];
    let pool = lines(&folder.path().join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let qrels = lines(&root().join(format!("indonesia/data/{LAW}/qrels.jsonl")));
    let grade = |line: &Value| {
        let is_it = |row: &&Value| row["query-id"] == line["query"] && row["corpus-id"] == line["document"];
        qrels.iter().find(is_it).map(|row| row["score"].as_i64().unwrap())
    };
    let grades: Vec<i64> = pool.iter().filter(|line| line["pair"].is_string()).filter_map(grade).collect();
    assert_eq!(own["common"], grades.len());
    let top = own["grades"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&top["grade"], &top["pairs"]),
        (&2.0.into(), &grades.iter().filter(|grade| **grade == 2).count().into())
    );
    assert!(own["spearman"].as_f64().unwrap().abs() < 0.2, "the judges of the tests throw dice: {own}");
    assert!(succeed(folder.path(), &["agreement", "--own-grades"]).stdout.contains("Pairs with a grade"));
}

#[test]
fn pairs_that_came_into_the_pool_after_a_judge_had_judged_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    assert_eq!(succeed(folder.path(), &["evaluate"]).stderr, "");
    succeed(folder.path(), &["pool", "--task", LAW, "--depth", "6"]);
    let said = succeed(folder.path(), &["evaluate"]).stderr;
    let line = "warning: IndonesianLawRetrieval, split test, subset default: reader-a has judged ";
    assert!(said.starts_with(line) && said.contains("`mteb-host graded judge` to judge them"), "{said}");
    assert_eq!(said.lines().count(), 2, "a line a judge: {said}");
}

#[test]
fn queries_that_recall_leaves_out_are_counted_beside_those_of_ndcg() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    let rows = succeed(folder.path(), &["evaluate", "--threshold", "10", "--json"]).json().unwrap();
    let number = |row: &Value, name: &str| row[name].as_u64().unwrap();
    for row in rows.as_array().unwrap() {
        let left_out = number(row, "Left out of recall");
        assert!(left_out > number(row, "Left out") && left_out < number(row, "Queries"), "{row}");
    }
}

#[test]
fn a_reranker_sorts_what_each_embedder_found_and_scores_a_pair_once() {
    let folder = tempfile::tempdir().unwrap();
    judge_task(folder.path(), LAW, &[]);
    let endpoint = Endpoint::start(hashing_rows, Reply::None, 1).unwrap();
    let models = folder.path().join("data/registries/models");
    fs::create_dir_all(&models).unwrap();
    let card = format!(
        "schema = 1\nname = \"maker/reranker\"\ncross_encoder = true\n[api]\nstyle = \"tei\"\nmodel = \"m\"\nurl = \"{}\"\n",
        endpoint.address
    );
    fs::write(models.join("maker__reranker.toml"), card).unwrap();
    let evaluate = || succeed(folder.path(), &["evaluate", "--reranker", "maker/reranker", "--quiet"]);
    evaluate();
    let pool = lines(&folder.path().join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let pairs = pool.iter().filter(|line| line["pair"].is_string()).count();
    let scored = || -> usize {
        let asked = endpoint.asked();
        asked.iter().map(|asked| asked.body["texts"].as_array().unwrap().len()).sum()
    };
    assert_eq!(scored(), pairs, "what both embedders found is scored once");
    evaluate();
    assert_eq!(scored(), pairs, "and what was scored is kept");
    // The reranker compares as `hashing` does: behind it, `hashing` finds what it found alone.
    let table = succeed(folder.path(), &["aggregate", "--at", "5", "--format", "json"]).json().unwrap();
    let average = |system: &str| {
        let row = table.as_array().unwrap().iter().find(|row| row["System"] == system).unwrap();
        row["Average"].as_f64().unwrap()
    };
    assert_eq!(average("mteb-host/hashing + maker/reranker"), average("mteb-host/hashing"));
    assert_eq!(table.as_array().unwrap().len(), 4);
    // Rerankers sorted the best 5 anew: at 10 the table says so.
    let deep = succeed(folder.path(), &["aggregate", "--at", "10", "--format", "json"]);
    assert_eq!(
        deep.stderr,
        "warning: at 10: fewer documents per query were reranked (IndonesianLawRetrieval 5); below these the \
         order is the embedder's\n"
    );
    for row in deep.json().unwrap().as_array().unwrap() {
        let is_reranked = row["System"].as_str().unwrap().contains(" + ");
        assert_eq!(row["Reranked"], if is_reranked { Value::from(5) } else { Value::Null }, "{row}");
    }
    let reranked = succeed(folder.path(), &["aggregate", "--systems", "reranked", "--format", "json"]);
    assert_eq!(reranked.json().unwrap().as_array().unwrap().len(), 2);
    let found = succeed(folder.path(), &["agreement", "--json", "--samples", "5"]).json().unwrap();
    assert_eq!(found["systems"].as_array().unwrap().len(), 4);
    // Deeper than the pool there are no texts.
    let deeper = run_graded(
        folder.path(),
        &["evaluate", "--reranker", "maker/reranker", "--rerank-depth", "50", "--quiet"],
    );
    assert_eq!(deeper.code, Some(1), "{}", deeper.stdout);
    assert!(deeper.stderr.contains("expected the text of each reranked document"), "{}", deeper.stderr);
}

#[test]
fn a_card_with_the_name_of_a_bundled_judge_that_asks_elsewhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let card = |url: &str, model: &str| {
        format!(
            "schema = 1\nname = \"gpt-4.1-mini\"\ntitle = \"A judge\"\nthreshold = 6.0\n\n[endpoint]\nstyle = \
             \"openai\"\nurl = \"{url}\"\nmodel = \"{model}\"\n\n[prompt]\nlanguage = \"en\"\nversion = 2\n"
        )
    };
    let refusal = |url, model| {
        std::fs::write(folder.path().join("judge.toml"), card(url, model)).unwrap();
        run_graded(folder.path(), &["judge", "--judge", "judge.toml"]).stderr
    };
    let theirs = "the model `gpt-4.1-mini` at https://api.openai.com/v1";
    for (url, model) in
        [("http://localhost:9/v1", "gpt-4.1-mini"), ("https://api.openai.com/v1", "gpt-4.1-nano")]
    {
        assert_eq!(
            refusal(url, model),
            format!(
                "error: judge.toml: expected {theirs}, as the bundled judge gpt-4.1-mini asks it, found the model \
                 `{model}` at {url}; give this judge another `name`\n"
            )
        );
    }
    // The bundled card's own copy may differ in what is no part of the question, as it does in a folder of judgements.
    let missing = "error: graded: expected pools, found none; run `mteb-host graded pool` first\n";
    assert_eq!(refusal("https://api.openai.com/v1/", "gpt-4.1-mini"), missing);
}

#[test]
fn each_step_names_the_one_that_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let refusal = |arguments: &[&str]| {
        let run = run_graded(folder.path(), arguments);
        assert_eq!(run.code, Some(2), "{}", run.stdout);
        run.stderr
    };
    let pools = "error: graded: expected pools, found none; run `mteb-host graded pool` first\n";
    assert_eq!(refusal(&["judge", "--judge", "gpt-4.1-mini"]), pools);
    assert_eq!(refusal(&["evaluate"]), pools);
    assert_eq!(
        refusal(&["aggregate"]),
        "error: graded: expected evaluations of these tasks, found none; run `mteb-host graded evaluate` first\n"
    );
    assert_eq!(
        refusal(&["judge", "--judge", "gpt-4.1-minny"]),
        "error: expected the card of a judge, a file or a name, found: gpt-4.1-minny (near it: gpt-4.1-mini)\n"
    );
    succeed(folder.path(), &["rank", "hashing", "--task", LAW, "--quiet"]);
    succeed(folder.path(), &["pool", "--task", LAW, "--depth", "1"]);
    assert_eq!(
        refusal(&["judge", "--judge", "gpt-4.1-mini"]),
        "error: judge gpt-4.1-mini: expected a key in the environment variable `OPENAI_API_KEY`, found none\n"
    );
    assert_eq!(
        refusal(&["evaluate"]),
        "error: graded: expected judgements, found none; run `mteb-host graded judge` first\n"
    );
}
