//! Subsets without a training split, some of whose rows are held out and the others learned from.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};
use serde_json::Value;

/// A card with two subsets, of which `ind` holds rows out as `hold_out` says and `sun` has a training split, and their data.
fn write(folder: &Path, task_type: &str, hold_out: &str) {
    let card = format!(
        "schema = 1\nname = \"Moods\"\ntype = \"{task_type}\"\ndescription = \"d\"\n[dataset]\npath = \"data\"\n[subsets]\n\
         ind = {{ languages = [\"ind-Latn\"], hold_out = {hold_out} }}\nsun = {{ languages = [\"sun-Latn\"] }}\n"
    );
    fs::write(folder.join("card.toml"), card).unwrap();
    let rows = |count: usize| -> String {
        let rows = (0..count).map(|row| format!("kata {row} ke {},{}\n", row % 7, row % 2));
        format!("text,label\n{}", rows.collect::<String>())
    };
    for (file, count) in [("ind/test.csv", 60), ("sun/train.csv", 30), ("sun/test.csv", 20)] {
        let path = folder.join("data").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, rows(count)).unwrap();
    }
}

fn of(folder: &Path, arguments: &[&str]) -> Run {
    Run::of(host(folder).args(arguments).args(["--json", "--registry", "card.toml"])).unwrap()
}

#[test]
fn a_subset_learns_from_the_rows_that_are_not_held_out() {
    let folder = tempfile::tempdir().unwrap();
    let states = |run: &Run| -> Vec<Value> {
        let units = run.json().unwrap()["tasks"][0]["units"].as_array().unwrap().clone();
        units.iter().map(|unit| unit["state"].clone()).collect()
    };
    write(folder.path(), "Classification", "{ share = 0.3 }");
    let first = of(folder.path(), &["run", "--outcomes"]);
    assert_eq!(
        (first.code, states(&first)),
        (Some(0), vec!["scored".into(), "scored".into()]),
        "{}",
        first.stderr
    );
    let sizes = of(folder.path(), &["stats", "Moods"]).json().unwrap();
    let rows = |subset: usize| -> Vec<Value> {
        ["rows", "train"].map(|part| sizes["units"][subset]["parts"][part]["rows"].clone()).to_vec()
    };
    assert_eq!((rows(0), rows(1)), (vec![18.into(), 42.into()], vec![20.into(), 30.into()]), "{sizes}");
    write(folder.path(), "Classification", "{ share = 0.5 }");
    let second = of(folder.path(), &["run", "--outcomes"]);
    assert_eq!(states(&second), ["scored", "found"]);
    assert!(second.stderr.contains("hold_out"), "{}", second.stderr);
}

#[test]
fn a_dataset_without_a_training_split_says_once_how_its_rows_are_divided() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "Classification", "{ share = 0.3 }");
    let card = folder.path().join("card.toml");
    let text = fs::read_to_string(&card).unwrap();
    let (head, _) = text.split_once("[subsets]").unwrap();
    let with = |hold_out: &str| {
        let rest = "[subsets]\nind = { languages = [\"ind-Latn\"] }\n";
        fs::write(&card, format!("{head}hold_out = {hold_out}\n{rest}")).unwrap();
    };
    with("{ test = 10, train = 20, by = \"label\" }");
    let run = of(folder.path(), &["run"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let sizes = of(folder.path(), &["stats", "Moods"]).json().unwrap();
    let parts = &sizes["units"][0]["parts"];
    assert_eq!((&parts["rows"]["rows"], &parts["train"]["rows"]), (&10.into(), &20.into()), "{sizes}");
    with("{ test = 0 }");
    let found = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap().stderr;
    assert!(found.contains("dataset.hold_out.test: expected a number of at least 1, found: 0"), "{found}");
}

#[test]
fn what_is_held_out_must_leave_rows_to_learn_from() {
    let folder = tempfile::tempdir().unwrap();
    let faults = |task_type: &str, hold_out: &str| -> String {
        write(folder.path(), task_type, hold_out);
        Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap().stderr
    };
    for (hold_out, expected) in [
        ("{ share = 1.0 }", "subset ind: expected a share between 0 and 1, found 1\n"),
        (
            "{ share = 0.5, rows = 0 }",
            "subsets.ind.hold_out.rows: expected a number of at least 1, found: 0\n",
        ),
    ] {
        let found = faults("Classification", hold_out);
        assert!(found.contains(expected), "{found}");
    }
    let found = faults("Clustering", "{ share = 0.5 }");
    assert!(
        found.contains("expected no `hold_out` in a task without a training split, found one"),
        "{found}"
    );
}
