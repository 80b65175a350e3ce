//! Models in Python that become two processes, or answer twice: only the first process answers, and a second answer is seen.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

use super::scores;

const TASK: &str = "IndonesianGeneralSTS";

/// Counts letters. `WHEN` is done before every batch, `AFTER` behind it.
const LETTERS: &str = "
import ctypes, os, sys, time
WHEN
class Letters:
    def encode(self, texts):
        BEFORE
        rows = []
        for text in texts:
            row = [1.0] + [0.0] * 31
            for letter in text:
                row[ord(letter) % 32] += 1.0
            rows.append(row)
        AFTER
        return rows
";

fn run(folder: &Path, at_start: &str, before: &str, after: &str) -> Run {
    let code = LETTERS.replace("WHEN", at_start).replace("BEFORE", before).replace("AFTER", after);
    fs::write(folder.join("mine.py"), code).unwrap();
    let mut command = host(folder);
    command.args(["run", "--registry", "indonesia", "--json", "--task", TASK, "--overwrite", "always"]);
    command.args(["--model", "python:mine.py:Letters", "--batch-tokens", "400"]);
    Run::of(command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX")).unwrap()
}

#[test]
fn a_process_that_a_model_becomes_and_lets_go_on_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run(folder.path(), "", "pass", "pass");
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    // Python's own fork, that of the system, of which Python knows nothing, and one that computes something else, later and earlier.
    for (before, after) in [
        ("os.fork()", "pass"),
        ("ctypes.CDLL(None).fork()", "pass"),
        ("pass", "rows = rows if os.fork() else [[0.5] * 32] * len(texts)"),
        ("pass", "rows = rows if ctypes.CDLL(None).fork() else [[0.5] * 32] * len(texts)"),
        ("child = os.fork() == 0", "time.sleep(0 if child else 0.02)"),
        ("child = ctypes.CDLL(None).fork() == 0", "time.sleep(0.3 if child else 0)"),
    ] {
        let forked = run(folder.path(), "", before, after);
        assert_eq!(scores(&forked), scores(&plain), "{before}; {after}: {}", forked.stderr);
    }
}

#[test]
fn what_a_model_computes_in_processes_of_its_own_counts() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run(folder.path(), "", "pass", "pass");
    let at_start = "import multiprocessing\n\
                    def same(row):\n    print('heard')\n    return [number * 1.0 for number in row]\n\
                    pool = multiprocessing.get_context('fork').Pool(2)";
    let pooled = run(folder.path(), at_start, "pass", "rows = pool.map(same, rows)");
    assert_eq!(scores(&pooled), scores(&plain), "{}", pooled.stderr);
}

#[test]
fn an_answer_too_many_ends_the_worker_and_fails_the_unit() {
    // Twice the same answer, one to another question, and one whose bytes were mixed with others.
    let twice = "original(stream, number, header), original(stream, number, header)";
    let other = "original(stream, number + (number > 2), header)";
    let mixed = "number < 3 and original(stream, number, header), number > 2 and (stream.write(b'x' * 80), stream.flush())";
    for (answers, said) in [
        (twice, "answered another request"),
        (other, "answered another request"),
        (mixed, "sent an invalid message"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at_start = format!(
            "from mteb_host_worker import worker\noriginal = worker.write_frame\n\
             worker.write_frame = lambda stream, number, header: ({answers})"
        );
        let failed = run(folder.path(), &at_start, "pass", "pass");
        assert_eq!(failed.code, Some(1), "{answers}: {}", failed.stderr);
        assert!(failed.stderr.contains(said), "{answers}: {}", failed.stderr);
    }
}

#[test]
fn numbers_that_another_process_writes_fail_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    // It wrote its numbers once more after it had said what they are.
    let at_start = "from mteb_host_worker import frames\nwrite = frames.Memory.write\n\
                    def twice(self, *parts):\n    found = write(self, *parts)\n    os.pwrite(self.descriptor, b'late', 0)\n    return found\n\
                    frames.Memory.write = twice";
    let failed = run(folder.path(), at_start, "pass", "pass");
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("wrote numbers that do not match its answer"), "{}", failed.stderr);
}
