//! Tables: the mean over datasets for each judge, then over judges; scores of different pools never unmarked.

use mteb_graded::aggregate::{GROUPS, Measure, Pools, Standings, gap, shifts, standings};
use mteb_graded::evaluate::{
    Curves, DEPTH, Evaluated, JudgeFacts, SystemCurves, SystemName, Unjudged, read_evaluated, write_evaluated,
};

fn curve(ndcg: f64) -> Curves {
    Curves {
        ndcg: vec![0.0, ndcg],
        recall: vec![0.0, 1.0],
        judged: vec![1.0, 0.5],
        queries: 3,
        ..Curves::default()
    }
}

fn name(embedder: &str) -> SystemName {
    SystemName { embedder: embedder.to_owned(), reranker: None }
}

/// The judges x and y; systems with one score a judge.
fn evaluated(task: &str, subset: &str, pool: &str, systems: &[(&str, [f64; 2])]) -> Evaluated {
    let judge = |name: &str| JudgeFacts {
        scores: None,
        name: name.to_owned(),
        model: "m".to_owned(),
        prompt: "en-1".to_owned(),
        threshold: Some(6.0),
        pairs: 10,
        judged: 9,
    };
    Evaluated {
        graded: Evaluated::SCHEMA,
        task: task.to_owned(),
        split: "test".to_owned(),
        subset: subset.to_owned(),
        pool: pool.to_owned(),
        pool_depth: 100,
        rerank_depth: None,
        unjudged: Unjudged::Zero,
        threshold: "own".to_owned(),
        judges: vec![judge("x"), judge("y")],
        systems: systems
            .iter()
            .map(|(system, scores)| SystemCurves { system: name(system), curves: scores.map(curve).to_vec() })
            .collect(),
    }
}

fn table(files: &[Evaluated], pools: Pools) -> Result<Standings, String> {
    standings(files, Measure::Ndcg, 2, pools).map_err(|error| error.to_string())
}

#[test]
fn datasets_are_averaged_for_each_judge_before_judges_are() {
    let files = [
        evaluated("A", "ind", "p1", &[("large", [0.8, 0.4]), ("small", [0.5, 0.5])]),
        // Two subsets of B count as one dataset.
        evaluated("B", "ind", "p2", &[("large", [0.2, 0.6]), ("small", [0.1, 0.1])]),
        evaluated("B", "jav", "p3", &[("large", [0.4, 1.0])]),
    ];
    let table = table(&files, Pools::Same).unwrap();
    assert_eq!(table.judges, ["x", "y"]);
    let rounded = |score: Option<f64>| score.map(|score| (score * 1e9).round() / 1e9);
    let large = &table.systems[0];
    assert_eq!(large.system, name("large"));
    assert_eq!(large.judges.iter().map(|score| rounded(*score)).collect::<Vec<_>>(), [Some(0.55), Some(0.6)]);
    assert_eq!((rounded(large.average), large.judged), (Some(0.575), Some(0.5)));
    // Who lacks a unit has no mean: that of the others would be one of other tasks.
    assert_eq!((table.systems[1].average, table.deltas("large")), (None, vec![Some(0.0), None]));
}

#[test]
fn recall_of_nothing_is_left_out_and_counted() {
    let mut files = [
        evaluated("A", "ind", "p1", &[("one", [0.5, 0.5]), ("two", [0.5, 0.5])]),
        evaluated("B", "ind", "p2", &[("one", [0.5, 0.5]), ("two", [0.5, 0.5])]),
    ];
    // In B the judge x holds no document for relevant, and y none in both.
    for (file, judges) in [(0, [false, true]), (1, [true, true])] {
        for system in &mut files[file].systems {
            for (curves, has_none) in system.curves.iter_mut().zip(judges) {
                if has_none {
                    (curves.without_relevant, curves.recall) = (curves.queries, vec![0.0, 0.0]);
                }
            }
        }
    }
    let table = standings(&files, Measure::Recall, 2, Pools::Same).unwrap();
    for row in &table.systems {
        assert_eq!((row.judges.clone(), row.average, row.undefined), (vec![Some(1.0), None], Some(1.0), 3));
    }
    assert_eq!(standings(&files, Measure::Ndcg, 2, Pools::Same).unwrap().systems[0].average, Some(0.5));
}

#[test]
fn scores_of_different_pools_are_refused_or_marked() {
    let files = [
        evaluated("A", "ind", "p1", &[("one", [0.5, 0.5])]),
        evaluated("A", "ind", "p2", &[("two", [0.6, 0.6])]),
    ];
    let refusal = table(&files, Pools::Same).unwrap_err();
    assert!(
        refusal.starts_with("A, split test, subset ind: expected scores of one pool, found pools p1 and p2"),
        "{refusal}"
    );
    let marked = table(&files, Pools::Marked).unwrap();
    let marks: Vec<(String, usize)> =
        marked.systems.iter().map(|row| (row.system.to_string(), row.other_pools.len())).collect();
    assert_eq!(marks, [("two".to_owned(), 1), ("one".to_owned(), 0)]);
    assert_eq!(marked.datasets["A"], ["p1", "p2"]);
}

#[test]
fn scores_by_different_rules_are_refused() {
    let one = evaluated("A", "ind", "p1", &[("one", [0.5, 0.5])]);
    let other = evaluated("B", "ind", "p2", &[("one", [0.6, 0.6])]);
    let skipping = Evaluated { unjudged: Unjudged::Skip, ..other.clone() };
    assert_eq!(
        table(&[one.clone(), skipping], Pools::Marked).unwrap_err(),
        "B, split test, subset ind: expected scores by one rule, `--unjudged zero`, found others: \
         `--unjudged skip`; evaluate all tasks by the same rule, or select those that are with `--task`"
    );
    // nDCG knows no threshold.
    let files = [one, Evaluated { threshold: "p90".to_owned(), ..other }];
    assert!(standings(&files, Measure::Ndcg, 2, Pools::Same).is_ok());
    let refusal = standings(&files, Measure::Recall, 2, Pools::Same).unwrap_err().to_string();
    assert!(
        refusal.contains("`--threshold own`, found others: `--unjudged zero` `--threshold p90`"),
        "{refusal}"
    );
}

#[test]
fn a_system_that_comes_twice_is_refused() {
    let file = evaluated("A", "ind", "p1", &[("one", [0.5, 0.5])]);
    let refusal = table(&[file.clone(), file], Pools::Same).unwrap_err();
    assert_eq!(refusal, "A, split test, subset ind: expected each system once, found twice: one");
}

#[test]
fn ranks_shift_from_binary_to_graded_and_a_family_has_a_gap() {
    let scores = |scores: &[(&str, f64)]| -> Vec<(String, f64)> {
        scores.iter().map(|(system, score)| ((*system).to_owned(), *score)).collect()
    };
    let graded = scores(&[("a", 0.5), ("b", 0.75), ("c", 0.25), ("only graded", 0.9)]);
    let binary = scores(&[("a", 0.9), ("b", 0.4), ("c", 0.4), ("only binary", 1.0)]);
    let found: Vec<_> = shifts(&graded, &binary)
        .iter()
        .map(|shift| (shift.system.clone(), shift.binary, shift.places()))
        .collect();
    assert_eq!(found, [("b".to_owned(), 2, 1), ("a".to_owned(), 1, -1), ("c".to_owned(), 2, -1)]);
    assert_eq!(gap(&graded, "c", "b").unwrap().gap, 0.5);
    assert_eq!(gap(&graded, "c", "unknown"), None);
}

#[test]
fn the_groups_are_those_of_the_study() {
    assert_eq!(GROUPS.map(|(_, tasks)| tasks.len()), [13, 8, 3]);
}

#[test]
fn an_evaluation_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.json");
    let mut written = evaluated("A", "ind", "p1", &[("one", [0.1 + 0.2, 1.0 / 3.0])]);
    // A threshold that no score reaches.
    written.judges[1].threshold = None;
    for curves in &mut written.systems[0].curves {
        for shares in [&mut curves.ndcg, &mut curves.recall, &mut curves.judged] {
            shares.resize(DEPTH, shares[1]);
        }
    }
    write_evaluated(&path, &written).unwrap();
    assert_eq!(read_evaluated(&path).unwrap(), written);
    std::fs::write(&path, "{}").unwrap();
    let message = read_evaluated(&path).unwrap_err().to_string();
    assert!(
        message.contains("A.json: expected an evaluation of schema 1, found: missing field"),
        "{message}"
    );
}
