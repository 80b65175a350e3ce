//! What `validate` says of a registry at fault and of the cards beside it, and of successors that nobody knows.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, host};

/// A registry whose cards lie in a folder of their own, and whose data lie beside that folder.
fn registry(root: &Path, lines: &str) {
    for folder in ["cards/sts", "data", "models"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    for name in ["One", "Two"] {
        card(root, name, "");
        let rows = "sentence1,sentence2,score\na b,b c,1\nd e f,d e,4\nb c,b,2\n";
        fs::write(root.join(format!("data/{name}.csv")), rows).unwrap();
    }
    fs::write(root.join("mine.toml"), format!("schema = 1\nname = \"mine\"\n{lines}")).unwrap();
}

fn card(root: &Path, name: &str, line: &str) {
    let head = format!(
        "schema = 1\nname = \"{name}\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"vie-Latn\"]\n{line}"
    );
    let card = format!("{head}[dataset]\npath = \"../../data/{name}.csv\"\n");
    fs::write(root.join(format!("cards/sts/{name}.toml")), card).unwrap();
}

/// The first lines of what is said of the folder, without the line that counts faults.
fn validated(root: &Path, code: i32) -> String {
    let run = Run::of(host(root).args(["validate", "."]).env("TERM", "dumb")).unwrap();
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    let lines = run.stderr.lines().filter(|line| !line.contains("fault in ") && !line.contains("faults in "));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_registry_at_fault_makes_no_card_beside_it_faulty() {
    let root = tempfile::tempdir().unwrap();
    let said = |lines: &str| {
        registry(root.path(), lines);
        validated(root.path(), 2)
    };
    insta::assert_snapshot!(said("cards = [\"cards\"]\ntasks = [\"One\", \"Tow\"]\n"), @"error: ./mine.toml:4:17: expected the card Tow.toml in `cards` (cards), found none (near it: Two)");
    insta::assert_snapshot!(said("card = [\"cards\"]\n"), @"error: ./mine.toml:3:1: unknown key `card` (near it: cards)");
    insta::assert_snapshot!(said("cards = [\"card\"]\n"), @"error: ./mine.toml:3:10: ./card: expected a card file or a folder of cards, found nothing there (near it: cards)");
    insta::assert_snapshot!(said("cards = [\"card\"]\ntasks = [\"One\", \"Two\"]\n"), @"error: ./mine.toml:3:10: ./card: expected a card file or a folder of cards, found nothing there (near it: cards)");
    registry(root.path(), "cards = [\"cards\"]\n");
    assert_eq!(validated(root.path(), 0), "");
}

#[test]
fn a_card_whose_data_lies_above_it_is_still_told_of_without_a_registry() {
    let root = tempfile::tempdir().unwrap();
    registry(root.path(), "");
    fs::remove_file(root.path().join("mine.toml")).unwrap();
    let said = validated(root.path(), 1);
    assert_eq!(said.matches("expected data below the folder of the registry").count(), 2, "{said}");
}

#[test]
fn a_successor_that_nobody_knows_is_warned_about() {
    let root = tempfile::tempdir().unwrap();
    let benchmark = |name: &str, newer: &str| {
        format!("[[benchmark]]\nname = \"{name}\"\ntasks = [\"One\"]\nsuperseded_by = [\"{newer}\"]\n")
    };
    let benchmarks = benchmark("Old", "New") + &benchmark("New", "BEIR") + &benchmark("Newer", "Newr");
    registry(root.path(), &format!("cards = [\"cards\"]\n{benchmarks}"));
    card(root.path(), "One", "superseded_by = \"Twoo\"\n");
    card(root.path(), "Two", "superseded_by = \"STS12\"\n");
    let model = |name: &str, newer: &str| {
        let text = format!("schema = 1\nname = \"my/{name}\"\nsuperseded_by = \"{newer}\"\n");
        fs::write(root.path().join(format!("models/my__{name}.toml")), text).unwrap();
    };
    model("old", "my/nwe");
    model("new", "intfloat/multilingual-e5-small");
    insta::assert_snapshot!(validated(root.path(), 0), @r"
    warning: ./mine.toml:15:18: benchmark Newer: expected the name of a benchmark that is known, found: Newr (near it: New, Newer)
    warning: ./cards/sts/One.toml:6:17: expected the name of a task that is known, found: Twoo (near it: Two)
    warning: ./models/my__old.toml:3:17: expected the name of a model that is known, found: my/nwe (near it: my/new)
    ");
}
