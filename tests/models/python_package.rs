//! The Python package `mteb_host`: a program of ten lines scores a model of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use mteb_host_tests::{Run, host_binary, root};

const PROGRAM: &str = "
import mteb_host

class Letters:
    def encode(self, texts):
        return [[1.0] + [float(text.count(letter)) for letter in 'aeiou'] for text in texts]

if __name__ == '__main__':
    results = mteb_host.run(Letters, 'IndonesianGeneralSTS', registry='indonesia', quiet=True)
    print(results.model, [(unit.task, unit.metric, unit.main_score is not None) for unit in results.units])
";

fn python(folder: &Path, program: &str) -> Run {
    fs::write(folder.join("program.py"), program).unwrap();
    let mut command = Command::new("python3");
    command.arg("program.py").current_dir(folder).env("PYTHONPATH", root().join("python"));
    command.env("MTEB_HOST_BINARY", host_binary()).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("MTEB_HOST_CACHE", folder.join("cache")).env("MTEB_HOST_DATA", folder.join("data"));
    Run::of(&mut command).unwrap()
}

#[test]
fn a_program_scores_a_class_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let run = python(folder.path(), PROGRAM);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = "python:program.py:Letters [('IndonesianGeneralSTS', 'cosine_spearman', True)]";
    assert_eq!(run.stdout.trim(), expected);
}

#[test]
fn what_the_program_refuses_is_an_exception_with_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\ntry:\n    mteb_host.run('hashing', 'NoSuchTask', quiet=True)\n\
                   except mteb_host.MtebHostError as error:\n    print(error.exit_code, error)\n";
    let run = python(folder.path(), program);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("2 ") && run.stdout.contains("NoSuchTask"), "{}", run.stdout);
}

#[test]
fn a_unit_that_fails_is_an_exception_that_has_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let program = "import mteb_host\nclass Broken:\n    def encode(self, texts):\n        \
                   return [[1.0 if texts == ['dimension'] else float('nan')]] * len(texts)\n\
                   if __name__ == '__main__':\n    try:\n        \
                   mteb_host.run(Broken, 'IndonesianGeneralSTS', registry='indonesia', quiet=True)\n    \
                   except mteb_host.UnitsFailed as error:\n        print(len(error.results.failures))\n";
    let run = python(folder.path(), program);
    assert_eq!((run.code, run.stdout.trim()), (Some(0), "1"), "{}", run.stderr);
}
