//! Types of tasks that a card declares, with a class of a Python file that evaluates them: it runs once its content is trusted, and never
//! before.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host, python, root};
use serde_json::Value;

pub const CARD: &str = "odd-one-out.toml";

/// A folder with the example, and the SHA-256 of its evaluator as the host says it.
pub fn example(folder: &Path) {
    let from = root().join("examples/task-type-python");
    fs::create_dir(folder.join("data")).unwrap_or_default();
    for file in [CARD, "odd_one_out.py", "data/test.jsonl"] {
        fs::copy(from.join(file), folder.join(file)).unwrap();
    }
}

pub fn run(folder: &Path, python: &Path, args: &[&str]) -> Run {
    let mut command = host(folder);
    command
        .args(["run", "--json", "--model", "random", "--registry", CARD, "--python"])
        .arg(python)
        .args(args);
    Run::of(&mut command).unwrap()
}

pub fn unit(run: &Run) -> Value {
    run.json().unwrap()["tasks"][0]["units"][0].clone()
}

/// The SHA-256 that the user is asked to trust.
pub fn read_hash(run: &Run) -> String {
    let reason = unit(run)["reason"].as_str().unwrap_or_default().to_owned();
    let (_, rest) = reason.split_once("--trust-plugin ").unwrap_or_else(|| panic!("{reason}"));
    rest.trim_end_matches('`').to_owned()
}

#[test]
fn an_evaluator_in_python_runs_once_it_is_trusted_and_scores_as_others_do() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    // Whoever ran the file would leave this behind, or say it.
    let evaluator = folder.join("odd_one_out.py");
    let sound = fs::read_to_string(&evaluator).unwrap();
    fs::write(&evaluator, format!("import sys\nprint('it ran', file=sys.stderr)\n{sound}")).unwrap();
    for args in [
        &["validate", "--data", CARD][..],
        &["list", "tasks", "--registry", CARD],
        &["show", "task", "OddWordOut", "--registry", CARD],
        &["stats", "OddWordOut", "--registry", CARD],
    ] {
        let said = Run::of(host(folder).args(args)).unwrap();
        assert!(!(said.stdout.clone() + &said.stderr).contains("it ran"), "{args:?}: {}", said.stderr);
        if args[0] != "validate" {
            assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
            assert!(said.stdout.contains("OddWordOut"), "{args:?}: {}", said.stdout);
        }
    }
    let refused = run(folder, &python, &["--verbose"]);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
    assert!(
        unit(&refused)["reason"].as_str().unwrap().contains("expected an evaluator that you trust"),
        "{}",
        refused.stdout
    );
    assert!(!refused.stderr.contains("it ran"), "{}", refused.stderr);

    let sha256 = read_hash(&refused);
    let scored = run(folder, &python, &["--outcomes", "--trust-plugin", &sha256]);
    assert_eq!(
        (scored.code, scored.stderr.contains("--trust-plugin")),
        (Some(0), false),
        "{}",
        scored.stderr
    );
    let score = unit(&scored)["main_score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score));
    let again = run(folder, &python, &["--overwrite", "always", "--outcomes"]);
    assert_eq!(unit(&again)["main_score"].as_f64(), Some(score), "a run repeats itself: {}", again.stderr);
    let kept = run(folder, &python, &["--outcomes"]);
    assert_eq!(unit(&kept)["state"], "found", "{}", kept.stdout);

    // Another content is another evaluator, for trust and for the scores that stand.
    fs::write(&evaluator, &sound).unwrap();
    let changed = run(folder, &python, &["--outcomes"]);
    assert_ne!(read_hash(&changed), sha256);
    let renewed = run(folder, &python, &["--outcomes", "--trust-plugin", &read_hash(&changed)]);
    assert_eq!(unit(&renewed)["state"], "scored", "{}", renewed.stdout);
    assert!(renewed.stderr.contains("options changed: evaluator"), "{}", renewed.stderr);
    let board = Run::of(host(folder).args(["leaderboard", "--json"])).unwrap();
    assert_eq!(board.code, Some(0), "{}", board.stderr);
    assert!(board.json().unwrap()[0]["mean_task"].as_f64().is_some(), "{}", board.stdout);
}

#[test]
fn what_a_card_declares_of_its_type_is_part_of_what_a_score_was_made_from() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let sha256 = read_hash(&run(folder, &python, &[]));
    let scored = run(folder, &python, &["--outcomes", "--trust-plugin", &sha256]);
    assert_eq!(unit(&scored)["state"], "scored", "{}", scored.stderr);

    // A sentence changes no score; the role of a column does.
    let card = fs::read_to_string(folder.join(CARD)).unwrap();
    let columns = card.find("holds = \"texts\"").unwrap();
    let role = format!("{}role = \"document\", {}", &card[..columns], &card[columns..]);
    for (card, state) in
        [(card.replacen("about = \"", "about = \"In other words: ", 1), "found"), (role, "scored")]
    {
        fs::write(folder.join(CARD), card).unwrap();
        let again = run(folder, &python, &["--outcomes"]);
        assert_eq!(unit(&again)["state"], state, "{}", again.stderr);
    }

    // Its outcomes contradict a main score that somebody edits.
    let board = || Run::of(host(folder).args(["leaderboard", "--json", "--registry", CARD])).unwrap();
    assert!(board().json().unwrap()[0]["mean_task"].as_f64().is_some());
    let model = folder.join("results/mteb__baseline-random-encoder");
    let mut revisions =
        fs::read_dir(model).unwrap().map(|entry| entry.unwrap().path().join("OddWordOut.json"));
    let result = revisions.find(|file| file.exists()).unwrap();
    let text = fs::read_to_string(&result).unwrap();
    let score = unit(&run(folder, &python, &["--outcomes"]))["main_score"].as_f64().unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    let written = found["scores"]["test"][0]["main_score"].to_string();
    fs::write(&result, text.replace(&written, "0.987654")).unwrap();
    let edited = board();
    let expected = format!("to be the score of its outcomes, `accuracy` of {score:.6}, found: 0.987654");
    assert!(edited.stderr.contains(&expected), "{}", edited.stderr);
}

#[test]
fn the_outcomes_of_two_models_are_compared_row_by_row() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let sha256 = read_hash(&run(folder, &python, &[]));
    for model in ["random", "hashing"] {
        let mut command = host(folder);
        command.args(["run", "--quiet", "--outcomes", "--model", model, "--registry", CARD]);
        let run = Run::of(command.args(["--trust-plugin", &sha256, "--python"]).arg(&python)).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let args = ["compare", "mteb-host/hashing", "mteb/baseline-random-encoder", "--json"];
    let compared = Run::of(host(folder).args(args)).unwrap();
    assert_eq!(compared.code, Some(0), "{}", compared.stderr);
    assert!(compared.stdout.contains("OddWordOut"), "{}", compared.stdout);
}

#[test]
fn what_an_evaluator_gives_and_does_not_declare_costs_the_unit() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let evaluator = |body: &str| {
        let text = format!("class OddOneOut:\n    def score(self, rows, embeddings, rng):\n        {body}\n");
        fs::write(folder.join("odd_one_out.py"), text).unwrap();
        let sha256 = read_hash(&run(folder, &python, &[]));
        let run = run(folder, &python, &["--trust-plugin", &sha256]);
        assert_eq!(run.code, Some(1), "{body}: {}", run.stderr);
        unit(&run)["reason"].as_str().unwrap_or_default().to_owned()
    };
    for (body, why) in [
        ("return {'accuracy': 0.5}", "found no chance"),
        ("return {'accuracy': 0.5, 'chance': 2, 'outcomes': [0.5] * len(rows)}", "from 0 to 1, found 2"),
        (
            "return {'accuracy': float('nan'), 'chance': 0, 'outcomes': [0] * len(rows)}",
            "from 0 to 1, found none",
        ),
        (
            "return {'accuracy': float('inf'), 'chance': 0, 'outcomes': [0] * len(rows)}",
            "as a finite number, found inf",
        ),
        (
            "return {'accuracy': 1, 'chance': 0, 'outcomes': [0] * len(rows)}",
            "to be the mean of the outcomes, 0",
        ),
        (
            "import itertools; return {'accuracy': 0, 'chance': 0, 'outcomes': itertools.repeat(0)}",
            "outcomes, one per row, found more",
        ),
        (
            "return {'accuracy': 0, 'chance': 0, 'outcomes': [float('nan')] * len(rows)}",
            "expected finite outcomes, found none for row 0",
        ),
        (
            "return {'accuracy': 0, 'chance': 0, 'outcomes': 7}",
            "expected outcomes as a list of numbers, found int",
        ),
        ("return {'accuracy': 10 ** 400, 'chance': 0}", "as a number of 64 bits, found a larger one"),
        (
            "return {str(number): 0 for number in range(10 ** 6)}",
            "expected at most 200 scores, found 1000000",
        ),
        ("embeddings['nothing']", "KeyError: 'nothing'"),
        ("return [1]", "expected `score` to return a dictionary of scores, found list"),
        ("raise ValueError('not today')", "ValueError: not today (odd_one_out.py, line 3)"),
        ("embeddings['words'][0][0][0] = 1", "read-only"),
        ("import os; os._exit(7)", "the worker process"),
        ("open(__file__, 'a').write('#')", "Permission denied"),
    ] {
        let reason = evaluator(body);
        assert!(reason.contains(why), "{body}: {reason}");
    }
}

#[test]
fn warnings_of_an_evaluator_are_a_few_lines_that_can_be_read_each_once() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let body = "import itertools\n        warnings = itertools.chain(['x' * 3000000, '\\ud800'], itertools.repeat('w'))\n        \
                return {'accuracy': 0, 'chance': 0, 'outcomes': [0] * len(rows), 'warnings': warnings}";
    let text = format!("class OddOneOut:\n    def score(self, rows, embeddings, rng):\n        {body}\n");
    fs::write(folder.join("odd_one_out.py"), text).unwrap();
    let sha256 = read_hash(&run(folder, &python, &[]));
    let scored = run(folder, &python, &["--trust-plugin", &sha256]);
    assert_eq!(scored.code, Some(0), "{}", scored.stderr);
    let warnings = unit(&scored)["warnings"].clone();
    let warnings: Vec<&str> = warnings.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(warnings[0].ends_with('…') && warnings[0].chars().count() < 600, "{}", warnings[0].len());
    assert!(warnings.len() <= 21, "{}", warnings.len());
    // Those without an end are not counted to it.
    assert_eq!(warnings[2..], ["w (9998 times)", "more warnings of the evaluator are left out"]);
    let body = "warnings = ['no text'] * 500 + [f'row {row}' for row in range(499)] + ['no text']\n        \
                return {'accuracy': 0, 'chance': 0, 'outcomes': [0] * len(rows), 'warnings': warnings}";
    let text = format!("class OddOneOut:\n    def score(self, rows, embeddings, rng):\n        {body}\n");
    fs::write(folder.join("odd_one_out.py"), text).unwrap();
    let sha256 = read_hash(&run(folder, &python, &[]));
    let counted = unit(&run(folder, &python, &["--trust-plugin", &sha256]));
    let warnings = counted["warnings"].as_array().unwrap();
    assert_eq!(warnings[..2], ["no text (501 times)", "row 0"], "{counted}");
    assert_eq!(warnings.last().unwrap(), "480 more warnings of the evaluator are left out", "{counted}");
}

#[test]
fn an_evaluator_that_waits_for_ever_is_waited_for_once() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    // The first process leaves a mark and waits for ever, and a second one would answer.
    let mark = tempfile::Builder::new().prefix("mteb-mark").tempfile_in("/dev/shm").unwrap();
    let path = mark.path().to_owned();
    drop(mark);
    let text = format!(
        "import os\n\nclass OddOneOut:\n    def score(self, rows, embeddings, rng):\n        try:\n            \
         os.close(os.open({path:?}, os.O_CREAT | os.O_EXCL | os.O_WRONLY))\n        except FileExistsError:\n            \
         return {{'accuracy': 0, 'chance': 0, 'outcomes': [0] * len(rows)}}\n        while True: pass\n"
    );
    fs::write(folder.join("odd_one_out.py"), text).unwrap();
    let sha256 = read_hash(&run(folder, &python, &[]));
    let run = run(folder, &python, &["--trust-plugin", &sha256, "--batch-timeout", "3"]);
    fs::remove_file(path).unwrap();
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(unit(&run)["reason"].as_str().unwrap().contains("gave no answer for 3 s"), "{}", run.stdout);
}

#[test]
fn a_package_that_is_missing_is_found_before_a_run() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let sha256 = read_hash(&run(folder, &python, &[]));
    let bare = folder.join("bare");
    let made = Command::new(&python).args(["-m", "venv", "--without-pip"]).arg(&bare).status().unwrap();
    assert!(made.success());
    let validate = |python: &Path| {
        let mut command = host(folder);
        command.args(["validate", "--data", CARD, "--trust-plugin", &sha256, "--python"]);
        Run::of(command.arg(python)).unwrap()
    };
    let sound = validate(&python);
    assert_eq!(sound.code, Some(0), "{}{}", sound.stdout, sound.stderr);
    let lacking = validate(&bare);
    let said = lacking.stdout + &lacking.stderr;
    let named = format!("expected the package numpy in {}", bare.join("bin/python").display());
    assert!(lacking.code == Some(1) && said.contains(&named), "{said}");
    assert!(said.contains("`--python` names another interpreter"), "{said}");
    let doctor = Run::of(host(folder).args(["doctor", "--python"]).arg(&bare)).unwrap();
    assert!(
        doctor.stdout.contains("without numpy, which evaluators in Python need"),
        "{}{}",
        doctor.stdout,
        doctor.stderr
    );
}

#[test]
fn a_card_that_declares_a_type_badly_is_told_where() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let sound = fs::read_to_string(folder.join(CARD)).unwrap();
    for (from, to, why) in [
        (
            "python:odd_one_out.py",
            "python:../odd_one_out.py",
            ":5:13: expected a file in the card's folder or below",
        ),
        ("python:odd_one_out.py", "python:absent.py", "that it cannot be read"),
        ("python:odd_one_out.py:OddOneOut", "odd_one_out.py", "expected `python:FILE.py:Class`"),
        (
            "\"OddOneOut\"\nevaluator",
            "\"STS\"\nevaluator",
            "expected a name that no built-in type has, found: STS",
        ),
        ("chance = {}", "chance = { low = 2.0 }", "expected `low` below `high`"),
        (
            "main_score = \"accuracy\"",
            "main_score = \"acc\"",
            "expected one of the scores (accuracy, chance), found: acc",
        ),
        ("holds = \"texts\"", "holds = \"text\", rolle = 1", "unknown key `rolle`"),
        (
            "evaluator = \"python:odd_one_out.py:OddOneOut\"\n",
            "",
            "expected `evaluator = \"python:FILE.py:Class\"` beside",
        ),
    ] {
        assert!(sound.contains(from), "{from}");
        fs::write(folder.join("bad.toml"), sound.replacen(from, to, 1)).unwrap();
        let run = Run::of(host(folder).args(["validate", "bad.toml"])).unwrap();
        let said = run.stdout + &run.stderr;
        assert!(run.code == Some(2) && said.contains(why), "{to}: {said}");
    }
}

#[test]
fn embeddings_are_mapped_and_not_copied() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let body = "import mmap, numpy\n        array = embeddings['words'][0]\n        while isinstance(array, numpy.ndarray):\n            \
                assert not array.flags.owndata and not array.flags.writeable\n            array = array.base\n        \
                assert isinstance(getattr(array, 'obj', array), mmap.mmap)\n        \
                return {'accuracy': 1, 'chance': 0, 'outcomes': [1] * len(rows)}";
    let text = format!("class OddOneOut:\n    def score(self, rows, embeddings, rng):\n        {body}\n");
    fs::write(folder.join("odd_one_out.py"), text).unwrap();
    let sha256 = read_hash(&run(folder, &python, &[]));
    let run = run(folder, &python, &["--trust-plugin", &sha256]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}
