//! Two hundred random corruptions of cards and data files: each is an error with its place, none a panic, none a wrong score.

mod damage;
mod healthy;

use std::collections::BTreeMap;

use healthy::{Healthy, TASKS};
use mteb_host_tests::Run;
use mteb_measures::random::SplitMix64;

/// Corruptions of each of the four kinds.
const ROUNDS: u64 = 50;

#[test]
fn the_healthy_set_scores() {
    let set = Healthy::new();
    let scores = scores(&set.run(&[]));
    assert_eq!(scores.keys().collect::<Vec<_>>(), TASKS.iter().map(|task| &task.name).collect::<Vec<_>>());
}

#[test]
fn a_corrupt_card_is_named_with_line_and_column_and_nothing_is_scored_wrongly() {
    for seed in 0..ROUNDS {
        let (set, random) = (Healthy::new(), &mut random(seed));
        let task = random.pick(&TASKS);
        let what = damage::damage_card(&set, task, random);
        let run = set.run(&[]);
        let place = format!("cards/{}.toml", task.name);
        expect_refusal(&run, &place, &what);
        assert_eq!(run.code, Some(2), "{what}: {}", run.stderr);
        let line = run.stderr.lines().find(|line| line.contains(&place)).unwrap_or_default();
        let after = line.split_once(&place).unwrap().1;
        assert!(after.starts_with(':'), "{what}: expected line and column after the file, found: {line}");
    }
}

#[test]
fn a_card_that_does_not_fit_its_data_names_the_file_and_leaves_the_other_tasks_alone() {
    let expected = scores(&Healthy::new().run(&[]));
    for seed in 0..ROUNDS {
        let (set, random) = (Healthy::new(), &mut random(1000 + seed));
        let task = random.pick(&TASKS);
        let what = damage::mislead(&set, task, random);
        let run = set.run(&[]);
        expect_refusal(&run, task.name, &what);
        only_others_score(&run, task.name, &expected, &what);
    }
}

#[test]
fn broken_data_is_named_with_its_place_and_leaves_the_other_tasks_alone() {
    let expected = scores(&Healthy::new().run(&[]));
    for seed in 0..ROUNDS {
        let (set, random) = (Healthy::new(), &mut random(2000 + seed));
        let task = random.pick(&TASKS);
        let (file, what) = damage::damage_data(&set, task, random);
        let run = set.run(&[]);
        expect_refusal(&run, file, &what);
        only_others_score(&run, task.name, &expected, &what);
    }
}

#[test]
fn any_changed_byte_of_a_locked_file_is_refused_with_both_hashes() {
    let expected = scores(&Healthy::new().run(&[]));
    for seed in 0..ROUNDS {
        let (set, random) = (Healthy::new(), &mut random(3000 + seed));
        assert_eq!(set.run(&["--update-lock"]).code, Some(0));
        let task = random.pick(&TASKS);
        let (file, what) = damage::flip(&set, task, random);
        let run = set.run(&["--overwrite", "always"]);
        expect_refusal(&run, file, &what);
        let line = run.stderr.lines().find(|line| line.contains(file)).unwrap();
        assert!(line.contains("expected the SHA-256") && line.contains("found "), "{what}: {line}");
        only_others_score(&run, task.name, &expected, &what);
    }
}

/// Seeds that follow each other would give draws that follow each other.
fn random(seed: u64) -> SplitMix64 {
    SplitMix64::spread(seed)
}

/// The run ended by itself with an error that names `place`.
fn expect_refusal(run: &Run, place: &str, what: &str) {
    let code = run.code.unwrap_or_else(|| panic!("{what}: ended by a signal: {}", run.stderr));
    assert!([1, 2, 42].contains(&code), "{what}: exit code {code}\n{}{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("panicked"), "{what}: {}", run.stderr);
    assert!(run.stderr.contains(place), "{what}: expected {place} in: {}", run.stderr);
}

fn only_others_score(run: &Run, damaged: &str, expected: &BTreeMap<String, f64>, what: &str) {
    let mut others = expected.clone();
    others.remove(damaged);
    assert_eq!(scores(run), others, "{what}: {}", run.stderr);
}

/// Main scores of the tasks that have one.
fn scores(run: &Run) -> BTreeMap<String, f64> {
    let report = run.json().unwrap_or_default();
    let score =
        |task: &serde_json::Value| Some((task["task"].as_str()?.to_owned(), task["main_score"].as_f64()?));
    report["tasks"].as_array().into_iter().flatten().filter_map(score).collect()
}
