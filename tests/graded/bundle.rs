//! The bundled graded benchmark: scored offline, by the judgements that lie beside it, as `graded evaluate` scores by them.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use mteb_graded::evaluate::read_evaluated;
use mteb_graded::pool::read_pool;
use mteb_host_tests::{Run, host, root};

use super::{run_graded, succeed};

const BENCHMARK: &str = "Indonesia-MTEB(graded)";
const SET: &str = "IndonesianEncyclopediaRetrieval";
const SETS: [&str; 3] = [SET, "IndonesianHealthRetrieval", "IndonesianLawRetrieval"];
/// The texts that the readers read.
const JUDGED: [&str; 2] = ["--registry", "indonesia@judged-1"];

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).unwrap();
        }
    }
}

#[test]
fn each_reader_is_a_subset_whose_score_is_that_of_its_judgements() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "--benchmark", BENCHMARK, "--model", "hashing", "--json", "--offline", "--quiet"];
    let run = Run::of(host(folder.path()).args(run)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let told = run.json().unwrap();
    let (bundled, graded) = (root().join("indonesia/graded"), folder.path().join("graded"));
    copy(&bundled.join("pools").join(SET), &graded.join("pools").join(SET));
    copy(&bundled.join("judgements"), &graded.join("judgements"));
    let rank = ["rank", "hashing", "--task", SET, "--quiet", "--output-folder", "ranked"];
    succeed(folder.path(), &[&rank[..], &JUDGED].concat());
    succeed(folder.path(), &["evaluate", "--task", SET, "--results", "ranked"]);
    let evaluated = read_evaluated(&graded.join(format!("evaluations/{SET}/test/default.json"))).unwrap();
    assert_eq!(told["tasks"].as_array().unwrap().len(), 3, "{told}");
    // Scores of the texts as they were judged: they stay, however these are mended in the pack.
    for (task, expected) in told["tasks"].as_array().unwrap().iter().zip([0.549_683, 0.548_400, 0.467_590]) {
        let score = task["main_score"].as_f64().unwrap();
        assert!((score - expected).abs() < 1e-5, "{}: {score} for {expected}", task["task"]);
    }
    let task = &told["tasks"][0];
    assert_eq!(task["task"], format!("{SET}Graded"));
    let units = task["units"].as_array().unwrap();
    assert_eq!((units.len(), evaluated.judges.len()), (3, 3), "{task}");
    let mut sum = 0.0;
    for (judge, curves) in evaluated.judges.iter().zip(&evaluated.systems[0].curves) {
        let unit = units.iter().find(|unit| unit["subset"] == judge.name.as_str()).unwrap();
        let score = unit["main_score"].as_f64().unwrap();
        assert!((score - curves.ndcg[9]).abs() < 1e-5, "{}: {score} and {}", judge.name, curves.ndcg[9]);
        assert!(curves.queries >= 38, "{}: {} queries", judge.name, curves.queries);
        sum += score;
    }
    let mean = task["main_score"].as_f64().unwrap();
    assert!((mean - sum / units.len() as f64).abs() < 1e-6, "the task has the mean over readers");
    // What was not judged counts 0, and the result says how much that is.
    let result = folder.path().join(format!("results/mteb-host__hashing/1/{SET}Graded.json"));
    let result: serde_json::Value = serde_json::from_str(&fs::read_to_string(result).unwrap()).unwrap();
    let judged = result["scores"]["test"][0]["judged_at_5"].as_f64().unwrap();
    assert!(judged > 0.999, "the pool has the best 5 of the model: {judged}");
}

#[test]
fn pools_are_whole_and_of_four_rankers_and_a_control() {
    for set in SETS {
        let pool =
            read_pool(&root().join(format!("indonesia/graded/pools/{set}/test/default.jsonl"))).unwrap();
        assert_eq!(pool.queries.len(), 40, "{set}");
        let rankers = &pool.provenance.rankings;
        assert!(rankers.iter().filter(|ranker| ranker.depth.is_none()).count() >= 4, "{rankers:?}");
        assert!(rankers.iter().any(|ranker| ranker.system.contains("random") && ranker.depth == Some(1)));
    }
}

#[test]
fn every_pair_of_the_benchmark_has_a_score_of_every_reader() {
    let of = |path: String| fs::read_to_string(root().join("indonesia/graded").join(path)).unwrap();
    let names = |text: String, has: &str| -> std::collections::BTreeSet<String> {
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines
            .filter(|line| !line[has].is_null())
            .filter_map(|line| Some(line["pair"].as_str()?.to_owned()))
            .collect()
    };
    for set in SETS {
        let pairs = names(of(format!("pools/{set}/test/default.jsonl")), "pair");
        for reader in ["reader-a", "reader-b", "reader-c"] {
            let judged = names(of(format!("judgements/{reader}.jsonl")), "score");
            assert!(pairs.is_subset(&judged), "{set}, {reader}: {:?}", pairs.difference(&judged).next());
        }
    }
}

#[test]
fn pools_and_judgements_go_on_with_the_texts_that_were_judged_while_the_pack_is_mended() {
    let root_folder = tempfile::tempdir().unwrap();
    let folder = root_folder.path();
    copy(&root().join("indonesia/graded"), &folder.join("graded"));
    let found = succeed(folder, &["agreement", "--own-grades", "--json", "--samples", "10"]).json().unwrap();
    let common: Vec<u64> =
        found["own_grades"].as_array().unwrap().iter().filter_map(|own| own["common"].as_u64()).collect();
    assert_eq!(
        common,
        [89, 89, 89, 76, 76, 76, 72, 72, 72],
        "pairs with a grade of the pack, of each reader"
    );
    for set in SETS {
        succeed(folder, &["rank", "hashing", "--task", set, "--quiet"]);
        let refused = run_graded(folder, &["evaluate", "--task", set]);
        let said = "`mteb-host graded rank` again, with `--registry` if it is of an earlier edition";
        assert!(refused.code == Some(1) && refused.stderr.contains(said), "{set}: {}", refused.stderr);
        succeed(folder, &[&["rank", "hashing", "--task", set, "--quiet"][..], &JUDGED].concat());
        assert_eq!(succeed(folder, &["evaluate", "--task", set]).stderr, "", "{set}");
        let pool = ["pool", "--task", set, "--depth", "5", "--sample", "40", "--folder", "again"];
        succeed(folder, &[&pool[..], &JUDGED].concat());
        let [again, judged] = ["again", "graded"].map(|inner| {
            read_pool(&folder.join(inner).join(format!("pools/{set}/test/default.jsonl"))).unwrap()
        });
        assert_eq!(again.queries, judged.queries, "{set}");
        assert_eq!(again.provenance.data, judged.provenance.data, "{set}");
        let known: HashSet<_> = judged.pairs.iter().map(|pair| pair.pair).collect();
        assert!(
            again.pairs.iter().all(|pair| known.contains(&pair.pair)),
            "{set}: a pair that nobody judged"
        );
    }
}
