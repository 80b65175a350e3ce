//! Models in Python: code of the user's own, which needs nothing but an interpreter, and what comes of its faults.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{Run, compose_letters_model, host, prepare_python_run, skip};

use super::{result_file, scores};

const TASK: &str = "IndonesianGeneralSTS";

/// What the letters model prints for each batch.
const PRINT: &str = "print('this goes to the host as last words at most')";

/// The embeddings of the letters model, computed in Rust.
fn letters(texts: &[&str]) -> Vec<Vec<f32>> {
    let row = |text: &&str| {
        let mut row = vec![0.0; 32];
        row[0] = 1.0;
        text.chars().for_each(|letter| row[letter as usize % 32] += 1.0);
        row
    };
    texts.iter().map(row).collect()
}

fn run_file(folder: &Path, code: &str, arguments: &[&str]) -> Run {
    let mut command = prepare_python_run(folder, code, &["--json", "--task", TASK]).unwrap();
    Run::of(command.args(arguments)).unwrap()
}

/// A model whose method does `line` for the texts of the task, but not for the one by which its dimension is found out.
fn run_faulty(line: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let code = format!(
        "import os, signal, sys, time\nclass Faulty:\n    def encode(self, texts):\n        rows = [[1.0, 2.0]] * len(texts)\n        \
         if texts != ['dimension']:\n            {line}\n        return rows\n"
    );
    let arguments = [&["--model", "python:mine.py:Faulty"], arguments].concat();
    let failed = run_file(folder.path(), &code, &arguments);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    failed.stderr
}

#[test]
fn one_text_is_one_text() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class M:\n    def encode(self, texts):\n        return [[1.0, 2.0]] * (len(texts) + 1)\n";
    let failed = run_file(folder.path(), code, &["--model", "python:mine.py:M"]);
    assert!(failed.stderr.contains("expected rows for 1 text, found an array of shape"), "{}", failed.stderr);
}

#[test]
fn code_of_ones_own_scores_as_the_same_code_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let code = compose_letters_model("", PRINT, "pass");
    let own = run_file(folder.path(), &code, &["--model", "python:mine.py:Letters"]);
    let endpoint = mteb_host_tests::Endpoint::start(letters, mteb_host_tests::Misdeed::None, 1).unwrap();
    let (url, other) = (format!("{}/v1", endpoint.address), tempfile::tempdir().unwrap());
    let elsewhere = super::run(other.path(), TASK, &["--model", "openai:letters", "--url", &url]);
    assert_eq!(scores(&own), scores(&elsewhere));
    assert_eq!(result_file(folder.path(), TASK)["mteb_host"]["model"]["name"], "python:mine.py:Letters");
}

#[test]
fn a_role_and_a_prompt_reach_code_that_asks_for_them() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class M:\n    prompts = {'STS': 'similar: '}\n    def encode(self, texts, role, prompt):\n        \
                if texts != ['dimension'] and (role, prompt) != ('none', 'similar: '):\n            \
                raise ValueError(f'{role} {prompt}')\n        return [[1.0, float(len(text))] for text in texts]\n";
    scores(&run_file(folder.path(), code, &["--model", "python:mine.py:M"]));
}

#[test]
fn an_interpreter_that_dies_costs_its_unit_and_is_mourned() {
    let said = run_faulty("print('last words', file=sys.stderr); os._exit(3)", &[]);
    assert!(
        said.contains("the worker process ended with exit code 3; it printed last: last words"),
        "{said}"
    );
    let said = run_faulty("os.kill(os.getpid(), signal.SIGSEGV)", &[]);
    assert!(said.contains("the worker process was killed by signal 11 (segmentation fault)"), "{said}");
}

#[test]
fn an_interpreter_that_dies_is_mourned_though_a_process_of_its_own_lives_on() {
    let begin = Instant::now();
    let said = run_faulty("if os.fork() == 0: time.sleep(300)\n            else: os._exit(3)", &[]);
    assert!(said.contains("the worker process ended with exit code 3"), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(150), "its pipes were waited for");
}

#[test]
fn scores_of_a_model_that_may_have_changed_unseen_never_count_as_done() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = elsewhere.path().join("sign");
    let code = format!(
        "SIGN = int(open({file:?}).read())\nclass M:\n    revision = None\n    def encode(self, texts):\n        \
         return [[1.0, SIGN * len(text) % 7] for text in texts]\n"
    );
    let run = |sign: &str, more: &[&str]| {
        fs::write(&file, sign).unwrap();
        let run = run_file(folder.path(), &code, &[&["--model", "python:mine.py:M"], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let unit = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0].clone();
    let first = run("1", &[]);
    let second = run("3", &[]);
    assert_eq!(unit(&second)["state"], "scored", "{}", second.stderr);
    assert_ne!(unit(&second)["main_score"], unit(&first)["main_score"]);
    let said = "scored again: its model names no `revision`, so it is unknown whether it changed";
    assert!(second.stderr.contains(said), "{}", second.stderr);
    assert_eq!(unit(&run("3", &["--keep-unknown"]))["state"], "found");
    let mut board = host(folder.path());
    let board = Run::of(board.args(["leaderboard", "--task", TASK])).unwrap();
    assert!(board.stdout.contains("python:mine.py:M"), "{}{}", board.stdout, board.stderr);
}

#[test]
fn an_interpreter_ends_with_a_host_that_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let code = "import os, time\nclass M:\n    def encode(self, texts):\n        if texts != ['dimension']:\n            \
                print('at work as', os.getpid(), flush=True)\n            while True: pass\n        return [[1.0, 2.0]]\n";
    let arguments = ["--verbose", "--task", TASK, "--model", "python:mine.py:M"];
    let mut command = prepare_python_run(folder.path(), code, &arguments).unwrap();
    let mut host = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(host.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.find(|line| line.contains("at work as")).expect("the model says its number");
    let number: String = line.chars().rev().take_while(char::is_ascii_digit).collect();
    let process = Path::new("/proc").join(number.chars().rev().collect::<String>());
    assert!(process.exists());
    host.kill().unwrap();
    host.wait().unwrap();
    let is_gone = || {
        !process.exists() || fs::read_to_string(process.join("stat")).is_ok_and(|stat| stat.contains(") Z "))
    };
    let begin = Instant::now();
    while !is_gone() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the interpreter goes on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_pipe_in_the_place_of_its_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe.py")).status().unwrap().success());
    let arguments = ["--task", TASK, "--model", "python:pipe.py:M"];
    let refused = Run::of(&mut prepare_python_run(folder.path(), "", &arguments).unwrap()).unwrap();
    assert_eq!(refused.code, Some(42), "{}", refused.stderr);
    assert!(
        refused
            .stderr
            .contains("pipe.py: expected a file with Python code, found something other than a regular file")
    );
}

#[test]
fn what_the_code_raises_at_its_first_text_may_pass() {
    let folder = tempfile::tempdir().unwrap();
    let code = "class M:\n    def encode(self, texts):\n        raise TimeoutError('the server is away')\n";
    let failed = run_file(folder.path(), code, &["--model", "python:mine.py:M"]);
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("TimeoutError: the server is away"), "{}", failed.stderr);
}

#[test]
fn an_interpreter_that_hangs_is_ended() {
    let said = run_faulty("time.sleep(600)", &["--batch-timeout", "3"]);
    assert!(said.contains("gave no answer for 3 s, and was ended"), "{said}");
}

#[test]
fn an_exception_fails_the_unit_with_its_place() {
    let said = run_faulty("raise ValueError('no such word')", &[]);
    assert!(said.contains("ValueError: no such word (mine.py, line 6)"), "{said}");
}

#[test]
fn an_exception_that_is_no_unicode_or_has_no_end_is_told_too() {
    let said = run_faulty("raise ValueError('half \\ud800 a pair')", &[]);
    assert!(said.contains("ValueError: half \\ud800 a pair (mine.py, line 6)"), "{said}");
    let said = run_faulty("raise ValueError('begin ' + 'x' * 70_000_000)", &[]);
    assert!(said.contains("ValueError: begin xxx") && said.contains("x (mine.py, line 6)"), "{said}");
    assert!(said.len() < 10_000, "{}", said.len());
}

#[test]
fn nonsense_is_refused() {
    let said = run_faulty("rows.pop()", &[]);
    assert!(said.contains("expected rows for") && said.contains("found an array of shape"), "{said}");
    let said = run_faulty("rows = [[1.0]] * len(texts)", &[]);
    assert!(said.contains("numbers from the Python model, found") && said.contains("of 1"), "{said}");
    let said = run_faulty("rows[0] = [float('nan'), 1.0]", &[]);
    assert!(said.contains("expected finite numbers, found NaN"), "{said}");
    let said = run_faulty("rows = 'none'", &[]);
    assert!(said.contains("expected rows"), "{said}");
}

#[test]
fn arrays_that_are_no_real_numbers_are_refused() {
    let Some(python) = mteb_host_tests::python() else { return };
    let interpreter = ["--python", python.to_str().unwrap()];
    let said = run_faulty("import numpy; rows = numpy.array(rows) * (1 + 9j)", &interpreter);
    assert!(said.contains("expected real numbers, found values of the type complex128"), "{said}");
    let said =
        run_faulty("import numpy; rows = numpy.ma.masked_greater(numpy.array(rows), -1e9)", &interpreter);
    assert!(said.contains("a masked array with values behind its mask"), "{said}");
}

#[test]
fn a_model_writes_nowhere_but_into_its_temporary_folder() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("written");
    let code = format!(
        "class M:\n    def __init__(self):\n        open({target:?}, 'w')\n    def encode(self, texts):\n        return [[1.0]] * len(texts)\n"
    );
    let failed = run_file(folder.path(), &code, &["--model", "python:mine.py:M"]);
    if failed.code == Some(0) {
        return skip("this kernel has no Landlock");
    }
    assert!(failed.stderr.contains("PermissionError"), "{}", failed.stderr);
    assert!(!target.exists());
}

#[test]
fn what_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let code = compose_letters_model("", PRINT, "pass");
    let failed = run_file(folder.path(), &code, &["--model", "python:mine.py:Numbers"]);
    assert_eq!(failed.code, Some(42), "{}", failed.stderr);
    assert!(
        failed.stderr.contains("mine.py: expected `Numbers` in this file, found no such name"),
        "{}",
        failed.stderr
    );
    let failed =
        run_file(folder.path(), &code, &["--model", "python:mine.py:Letters", "--python", "/no/python"]);
    assert_eq!(failed.code, Some(2), "{}", failed.stderr);
    assert!(failed.stderr.contains("found none: /no/python"), "{}", failed.stderr);
}
