//! Files of data that are not there: `validate` names them without reading any, in the words of a run.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

fn of(root: &Path, arguments: &[&str]) -> Run {
    Run::of(host(root).args(arguments)).unwrap()
}

/// Writes the card `card.toml` over the folder `data`, which has these files.
fn write(root: &Path, task_type: &str, more: &str, files: &[&str]) {
    let card = format!(
        "schema = 1\nname = \"Mine\"\ntype = \"{task_type}\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n\
         [dataset]\npath = \"data\"\n{more}"
    );
    fs::write(root.join("card.toml"), card).unwrap();
    for file in files {
        let path = root.join("data").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "text,label\na,x\nb,y\n").unwrap();
    }
}

/// What a run says has failed, beside what `validate` says of the card.
fn compared(root: &Path) -> String {
    let validated = of(root, &["validate", "card.toml"]);
    let run = of(root, &["run", "--quiet", "--registry", "card.toml"]);
    assert_eq!((validated.code, run.code), (Some(1), Some(1)), "{}", validated.stderr);
    let line = validated.stderr.lines().next().unwrap().to_owned();
    let (_, what) = line.split_once("data: ").unwrap();
    assert!(run.stderr.contains(what), "{line}: {}", run.stderr);
    line
}

#[test]
fn a_subset_without_a_folder_and_a_split_without_a_file_are_named() {
    let root = tempfile::tempdir().unwrap();
    let subsets = "[subsets.vie]\nlanguages = [\"vie-Latn\"]\n[subsets.tay]\nlanguages = [\"tyz-Latn\"]\n";
    write(root.path(), "Classification", subsets, &["vie/train.csv", "vie/test.csv"]);
    let line = compared(root.path());
    let expected = "error: card.toml:10:10: split test, subset tay: ";
    assert!(line.starts_with(expected) && line.contains("expected the files of the subset `tay`"), "{line}");
    write(root.path(), "Classification", subsets, &["tay/train.csv", "tay/test.csv"]);
    assert_eq!(of(root.path(), &["validate", "card.toml"]).stderr, "");
    fs::remove_file(root.path().join("data/vie/test.csv")).unwrap();
    let line = compared(root.path());
    assert!(line.contains(":8:10: split test, subset vie: "), "{line}");
    assert!(line.contains("expected the split `test` in a file as `vie/test.csv`"), "{line}");
}

#[test]
fn judgements_that_are_not_there_are_named() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "Retrieval", "", &["corpus.csv", "queries.csv"]);
    let line = compared(root.path());
    assert!(line.starts_with("error: card.toml:7:8: split test, subset default: "), "{line}");
    assert!(
        line.contains("expected the part `qrels` in a file as `qrels.tsv` or `qrels/test.tsv`"),
        "{line}"
    );
}

#[test]
fn members_of_a_mean_are_looked_for_too_and_once() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "STS", "", &["train.csv"]);
    let mean = "schema = 1\nname = \"Mean\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\nmembers = [\"Mine\"]\n";
    fs::write(root.path().join("Mean.toml"), mean).unwrap();
    fs::rename(root.path().join("card.toml"), root.path().join("Mine.toml")).unwrap();
    fs::write(root.path().join("mine.toml"), "schema = 1\nname = \"mine\"\ncards = [\".\"]\n").unwrap();
    let said = of(root.path(), &["validate", "mine.toml"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.stderr.matches("expected the split `test`").count(), 1, "{}", said.stderr);
}

#[test]
fn what_all_subsets_lack_is_one_line_with_their_count_and_the_first_of_them() {
    let root = tempfile::tempdir().unwrap();
    let subset = |code: &str| format!("[subsets.{code}]\nlanguages = [\"{code}-Latn\"]\n");
    let subsets: String = ["vie", "ind", "jav", "sun", "min", "ban"].map(subset).concat();
    let of_run = |said: &Run| -> String {
        let lines = said.stderr.lines().filter(|line| line.contains("split test, subset"));
        lines.collect::<Vec<_>>().join("\n")
    };
    write(root.path(), "STS", &subsets, &["vie.csv", "ind.csv", "jav.csv", "sun.csv", "min.csv", "ban.csv"]);
    let run = of(root.path(), &["run", "--quiet", "--registry", "card.toml"]);
    insta::assert_snapshot!(of_run(&run), @"failed: Mine, split test, subset vie and 5 more units (ind, jav, sun, …): data: expected the files of the subset `vie` in the folder `vie`, as `vie/test.csv`, found ban.csv, ind.csv, jav.csv, min.csv, sun.csv, vie.csv; move `vie.csv` to `vie/test.csv`");
    assert!(run.stderr.ends_with("6 units failed, for the reasons above\n"), "{}", run.stderr);
    let line = of_run(&run).replacen("failed", "error", 1);
    let gate = of(root.path(), &["validate", "--data", "card.toml"]);
    assert_eq!((gate.code, of_run(&gate)), (Some(1), line.clone()));
    assert!(gate.stderr.ends_with("6 faults in the data of 1 task\n"), "{}", gate.stderr);
    let undeclared = gate.stdout.matches("the card has no `[quality]`").count();
    assert_eq!(undeclared, 1, "{}", gate.stdout);
    let stats = of(root.path(), &["stats", "Mine", "--registry", "card.toml"]);
    assert_eq!((stats.code, of_run(&stats)), (Some(1), line));
    let hub = "hub = \"a/b\"\nrevision = \"0123456789abcdef0123456789abcdef01234567\"";
    let card = fs::read_to_string(root.path().join("card.toml")).unwrap();
    fs::write(root.path().join("card.toml"), card.replace("path = \"data\"", hub)).unwrap();
    let gate = of(root.path(), &["validate", "--data", "card.toml", "--offline"]);
    assert_eq!((gate.code, of_run(&gate).lines().count()), (Some(1), 1), "{}", gate.stderr);
}
