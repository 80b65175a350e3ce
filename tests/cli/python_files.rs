//! What a class of a Python file must be, and which files it may read: those that its card names, so that a changed one leaves no score as it was.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host, python};

use super::python_types::{CARD, example, read_hash, run, unit};

/// The line of the example's card with its evaluator.
const EVALUATOR: &str = "evaluator = \"python:odd_one_out.py:OddOneOut\"\n";

/// An answer with this accuracy.
const ANSWER: &str = "return {'accuracy': accuracy, 'chance': 0, 'outcomes': [accuracy] * len(rows)}";

/// Writes an evaluator that begins with `head`, whose `body` says the accuracy.
fn write_evaluator(folder: &Path, head: &str, body: &str) {
    let text = format!(
        "{head}\n\nclass OddOneOut:\n    def score(self, rows, embeddings, rng):\n        {body}\n        {ANSWER}\n"
    );
    fs::write(folder.join("odd_one_out.py"), text).unwrap();
}

/// Adds `more` to the card, below its evaluator.
fn add_to_card(folder: &Path, more: &str) {
    let sound = fs::read_to_string(folder.join(CARD)).unwrap();
    assert!(sound.contains(EVALUATOR));
    fs::write(folder.join(CARD), sound.replacen(EVALUATOR, &format!("{EVALUATOR}{more}\n"), 1)).unwrap();
}

#[test]
fn a_changed_file_beside_an_evaluator_is_another_evaluator_for_trust_and_for_scores() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    fs::create_dir_all(folder.join("parts")).unwrap();
    fs::write(folder.join("words.txt"), "one two").unwrap();
    fs::write(folder.join("helper.py"), "import parts.numbers\nhalf = parts.numbers.half\n").unwrap();
    fs::write(folder.join("parts/numbers.py"), "half = 0.5\n").unwrap();
    let read = "accuracy = helper.half * len(open(os.path.join(os.path.dirname(__file__), 'words.txt')).read().split()) / 2";
    write_evaluator(folder, "import os\nimport helper", read);
    add_to_card(folder, "evaluator_files = [\"words.txt\", \"helper.py\", \"parts/numbers.py\"]");

    let mut known = Vec::new();
    let mut scored = |expected: f64| {
        let sha256 = read_hash(&run(folder, &python, &[]));
        assert!(!known.contains(&sha256), "another content has another hash");
        let run = run(folder, &python, &["--trust-plugin", &sha256]);
        assert_eq!(unit(&run)["state"], "scored", "{}{}", run.stdout, run.stderr);
        assert_eq!(unit(&run)["main_score"], expected, "{}", run.stdout);
        known.push(sha256);
        run.stderr
    };
    scored(0.5);
    for (file, content, expected) in [
        ("words.txt", "one", 0.25),
        ("parts/numbers.py", "half = 1.0\n", 0.5),
        ("helper.py", "half = 0.125\n", 0.0625),
    ] {
        fs::write(folder.join(file), content).unwrap();
        let said = scored(expected);
        assert!(said.contains("options changed: evaluator"), "{file}: {said}");
    }
    let kept = run(folder, &python, &[]);
    assert_eq!(unit(&kept)["state"], "found", "{}", kept.stdout);
}

#[test]
fn a_file_that_the_card_does_not_name_is_not_read_by_any_way() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    fs::write(folder.join("words.txt"), "one two").unwrap();
    fs::write(folder.join("helper.py"), "half = 0.5\n").unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("more.txt"), "three").unwrap();
    let elsewhere = elsewhere.path().join("more.txt").canonicalize().unwrap();
    let beside = "os.path.join(os.path.dirname(__file__), 'words.txt')";
    for (head, body, why) in [
        (
            "import helper",
            "accuracy = helper.half".to_owned(),
            "found: helper.py; add it to the card: evaluator_files = [\"helper.py\"]",
        ),
        (
            "import os",
            format!("accuracy = len(open({beside}).read())"),
            "found: words.txt; add it to the card: evaluator_files = [\"words.txt\"]",
        ),
        (
            "import numpy, os",
            format!("accuracy = len(numpy.fromfile({beside}, 'u1'))"),
            "evaluator_files = [\"words.txt\"]",
        ),
        (
            "",
            format!("accuracy = len(open({elsewhere:?}).read())"),
            "; copy it beside the card and add it to `evaluator_files`",
        ),
        // What no hook of Python sees, the system refuses.
        (
            "import os, subprocess",
            format!("accuracy = len(subprocess.run(['cat', {beside}], check=True).args)"),
            "CalledProcessError",
        ),
    ] {
        write_evaluator(folder, head, &body);
        let sha256 = read_hash(&run(folder, &python, &[]));
        let run = run(folder, &python, &["--trust-plugin", &sha256]);
        assert_eq!(run.code, Some(1), "{body}: {}", run.stderr);
        let reason = unit(&run)["reason"].as_str().unwrap_or_default().to_owned();
        assert!(reason.contains(why), "{body}: {reason}");
    }
    // What is installed is no file of the evaluator.
    write_evaluator(
        folder,
        "import numpy.ma, sqlite3, decimal, urllib.request, multiprocessing.pool",
        "accuracy = 0.5",
    );
    let sha256 = read_hash(&run(folder, &python, &[]));
    let sound = run(folder, &python, &["--trust-plugin", &sha256]);
    assert_eq!(sound.code, Some(0), "{}{}", sound.stdout, sound.stderr);
}

#[test]
fn files_that_a_card_names_badly_are_told_where() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let sound = fs::read_to_string(folder.join(CARD)).unwrap();
    for (line, why) in [
        (
            "evaluator_files = [\"absent.txt\"]",
            ":6:20: expected the file of the evaluator, found that it cannot be read",
        ),
        (
            "evaluator_files = [\"../other.txt\"]",
            ":6:20: expected a file in the card's folder or below, found: ../other.txt",
        ),
        ("evaluator_files = \"words.txt\"", ":6:19: evaluator_files: expected a list, found a string"),
    ] {
        fs::write(folder.join("bad.toml"), sound.replacen(EVALUATOR, &format!("{EVALUATOR}{line}\n"), 1))
            .unwrap();
        let run = Run::of(host(folder).args(["validate", "bad.toml"])).unwrap();
        let said = run.stdout + &run.stderr;
        assert!(run.code == Some(2) && said.contains(why), "{line}: {said}");
    }
}

#[test]
fn a_class_that_cannot_be_called_is_a_fault_before_a_model_computes() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    example(folder);
    let validated = |text: &str| {
        fs::write(folder.join("odd_one_out.py"), text).unwrap();
        let sha256 = read_hash(&run(folder, &python, &[]));
        let mut command = host(folder);
        command.args(["validate", "--data", CARD, "--trust-plugin", &sha256, "--python"]).arg(&python);
        let run = Run::of(&mut command).unwrap();
        (run.code, run.stdout + &run.stderr)
    };
    let score = "def score(self, rows, embeddings, rng): return {}";
    for (members, why) in [
        (
            "def score(self, rows, rng): return {}".to_owned(),
            "expected `score(self, rows, embeddings, rng)`, found `score(self, rows, rng)`",
        ),
        (
            "def score(self, embeddings, rows, rng): return {}".to_owned(),
            "found the arguments in another order",
        ),
        (
            "def score(self, rows, embeddings, rng, words): return {}".to_owned(),
            "missing a required argument: 'words'",
        ),
        ("async def score(self, rows, embeddings, rng): return {}".to_owned(), "found `async` or `yield`"),
        (
            "def score(self, rows, embeddings, rng, rankings): return {}".to_owned(),
            "expected `ranking` in the card's `[task_type]` for the argument `rankings`",
        ),
        ("def scores(self): return {}".to_owned(), "found no `score`; the class has: scores"),
        (
            format!("def __init__(self, words): pass\n    {score}"),
            "expected a class that is made without arguments, as `OddOneOut()`, found `OddOneOut(words)`",
        ),
        (
            format!("columns = ['words']\n    {score}"),
            "expected `columns` of the class as the card has them, odd, words, found ['words']",
        ),
        (format!("columns = 7\n    {score}"), "found 7"),
        (
            format!("main_score = 'acc'\n    {score}"),
            "expected `main_score` of the class as the card has it, accuracy, found 'acc'",
        ),
    ] {
        let (code, said) = validated(&format!("class OddOneOut:\n    {members}\n"));
        assert!(code == Some(1) && said.contains(why), "{members}: {said}");
    }
    let (code, said) = validated(&format!("class OddOne:\n    {score}\n"));
    assert!(code == Some(1) && said.contains("found no `OddOneOut`; the file has: OddOne"), "{said}");
    let (code, said) = validated(
        "class OddOneOut:\n    columns = ('words', 'odd')\n    def score(self, rows, embeddings, rng, options): return {}\n",
    );
    assert_eq!(code, Some(0), "{said}");
}
