//! Code of the user's own is what its file, the modules beside it and the files that it reads hold: whatever of them changes makes
//! another model, and two files are two models.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use mteb_host_tests::{Run, host, host_binary, write_pair_card, write_pairs};
use tempfile::TempDir;

/// Rows that depend on a letter of a module beside it and on one in a file.
const CODE: &str = "
from pk import LETTER
class M:
    revision = '1'
    def encode(self, texts):
        with open(__file__.replace('m.py', 'k.txt')) as file:
            other = file.read().strip()
        return [[1.0, float(text.count(LETTER)), 2.0 * text.count(other)] for text in texts]
";

fn task() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_pair_card(folder.path(), "Pairs", &["ind"]).unwrap();
    let pairs = [("aab", "abb", 1.0), ("ac", "cca", 2.0), ("bcc", "aab", 4.0), ("abc", "bbbc", 5.0)];
    write_pairs(folder.path(), "ind", pairs).unwrap();
    folder
}

/// A model whose module has the first letter and whose file has the second.
fn write_model(folder: &Path, module: &str, file: &str) {
    fs::create_dir_all(folder.join("pk")).unwrap();
    fs::write(folder.join("m.py"), CODE).unwrap();
    fs::write(folder.join("pk/__init__.py"), format!("LETTER = '{module}'\n")).unwrap();
    fs::write(folder.join("k.txt"), file).unwrap();
}

fn run_with(folder: &Path, model: &str, more: &[&str], modules: Option<&Path>) -> Run {
    host_binary();
    let mut command = host(folder);
    command.args(["run", "--registry", "task.toml", "--json", "--model", model]).args(more);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX").env_remove("PYTHONPATH");
    command.envs(modules.map(|folder| ("PYTHONPATH", folder)));
    let run = Run::of(&mut command).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn run(folder: &Path, model: &str, more: &[&str]) -> Run {
    run_with(folder, model, more, None)
}

/// The state and the score of the only unit.
fn unit(run: &Run) -> (String, f64) {
    let unit = run.json().unwrap()["tasks"][0]["units"][0].clone();
    (unit["state"].as_str().unwrap().to_owned(), unit["main_score"].as_f64().unwrap())
}

#[test]
fn a_module_or_a_file_beside_a_model_that_changes_makes_another_model() {
    let folder = task();
    let model = "python:m.py:M";
    write_model(folder.path(), "a", "b");
    let first = unit(&run(folder.path(), model, &[]));
    assert_eq!(first.0, "scored");
    assert_eq!(unit(&run(folder.path(), model, &[])), ("found".to_owned(), first.1));
    let mut before = first.1;
    for (module, file, changed) in [("b", "b", "pk/__init__.py"), ("b", "c", "k.txt")] {
        write_model(folder.path(), module, file);
        let again = run(folder.path(), model, &[]);
        let said = format!("Pairs: will be scored again: model changed: {changed}\n");
        assert_eq!((unit(&again).0.as_str(), again.stderr.as_str()), ("scored", said.as_str()));
        let uncached = unit(&run(folder.path(), model, &["--overwrite", "always", "--no-cache"])).1;
        assert_eq!(unit(&again).1, uncached, "{changed}: rows of before");
        assert_ne!(uncached, before);
        before = uncached;
    }
}

#[test]
fn a_file_that_is_read_for_texts_counts_also_where_the_model_says_its_dimension() {
    let folder = task();
    write_model(folder.path(), "a", "b");
    let with = format!("{CODE}class D(M):\n    dimension = 3\n");
    fs::write(folder.path().join("m.py"), with).unwrap();
    let model = "python:m.py:D";
    let before = unit(&run(folder.path(), model, &[])).1;
    assert_eq!(unit(&run(folder.path(), model, &[])), ("found".to_owned(), before));
    fs::write(folder.path().join("k.txt"), "c").unwrap();
    let again = run(folder.path(), model, &[]);
    assert_eq!(again.stderr, "Pairs: will be scored again: model changed: k.txt\n");
    let uncached = unit(&run(folder.path(), model, &["--overwrite", "always", "--no-cache"])).1;
    assert_eq!(unit(&again), ("scored".to_owned(), uncached));
    assert_ne!(uncached, before);
}

#[test]
fn a_module_on_the_path_of_modules_counts_too() {
    let folder = task();
    let (own, lib) = (folder.path().join("own"), folder.path().join("lib"));
    for folder in [&own, &lib] {
        fs::create_dir(folder).unwrap();
    }
    write_model(&own, "a", "b");
    fs::rename(own.join("pk"), lib.join("pk")).unwrap();
    let model = "python:own/m.py:M";
    let before = unit(&run_with(folder.path(), model, &[], Some(&lib)));
    fs::write(lib.join("pk/__init__.py"), "LETTER = 'c'\n").unwrap();
    let again = run_with(folder.path(), model, &[], Some(&lib));
    assert!(again.stderr.contains("scored again: model changed: the module pk\n"), "{}", again.stderr);
    assert_ne!(unit(&again).1, before.1);
}

#[test]
fn a_file_that_is_read_after_the_first_text_is_said_not_to_be_watched() {
    let folder = task();
    write_model(folder.path(), "a", "b");
    fs::write(folder.path().join("late.txt"), "c").unwrap();
    let late = "        if texts != ['dimension']: open(__file__.replace('m.py', 'late.txt')).close()\n";
    let code = CODE.replace("        with open", &format!("{late}        with open"));
    fs::write(folder.path().join("m.py"), code).unwrap();
    let run = run(folder.path(), "python:m.py:M", &[]);
    let said = "the model read late.txt only after its first text, so that changes of it are not noticed; have it read it before, \
                or change its `revision` along with it";
    assert!(run.stdout.contains(said) || run.stderr.contains(said), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_file_that_changes_while_the_model_reads_it_again_fails_the_unit() {
    let folder = task();
    write_model(folder.path(), "a", "b");
    let wait = "        if texts != ['dimension']:\n            print('at work', flush=True)\n            \
                while not os.path.exists(__file__.replace('m.py', 'go')): time.sleep(0.01)\n";
    let code =
        format!("import os, time{}", CODE.replace("        with open", &format!("{wait}        with open")));
    fs::write(folder.path().join("m.py"), code).unwrap();
    host_binary();
    let mut command = host(folder.path());
    command.args(["run", "--registry", "task.toml", "--verbose", "--model", "python:m.py:M"]);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = command.spawn().unwrap();
    let mut lines = BufReader::new(run.stderr.take().unwrap()).lines().map(Result::unwrap);
    lines.find(|line| line.contains("at work")).expect("the model says that it is at work");
    fs::write(folder.path().join("k.txt"), "ccc").unwrap();
    fs::write(folder.path().join("go"), "").unwrap();
    let said: Vec<String> = lines.collect();
    assert_eq!(run.wait().unwrap().code(), Some(1), "{said:?}");
    let expected =
        "k.txt: expected the file as it was when the model started, found a changed one; run again";
    assert!(said.iter().any(|line| line.contains(expected)), "{said:?}");
}

#[test]
fn two_files_of_one_name_are_two_models_and_one_file_is_one_however_it_is_typed() {
    let folder = task();
    for (name, letter) in [("one", "a"), ("two", "c")] {
        write_model(&folder.path().join(name), letter, "b");
    }
    let one = unit(&run(folder.path(), "python:one/m.py:M", &[]));
    let two = unit(&run(folder.path(), "python:two/m.py:M", &[]));
    assert_ne!(one.1, two.1);
    let whole = format!("python:{}:M", folder.path().join("one/m.py").display());
    for typed in ["python:./one/m.py:M", "python:two/../one/m.py:M", &whole, "python:one/m.py:M"] {
        assert_eq!(unit(&run(folder.path(), typed, &[])), ("found".to_owned(), one.1), "{typed}");
    }
    let board = Run::of(host(folder.path()).args(["leaderboard", "--format", "csv"])).unwrap();
    for name in ["python:one/m.py:M", "python:two/m.py:M"] {
        assert!(board.stdout.contains(name), "{name}: {}{}", board.stdout, board.stderr);
    }
}
