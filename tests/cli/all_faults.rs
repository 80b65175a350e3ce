//! `validate` tells of all faults of a card at once, each with its place, as far as one does not follow from another.

use std::fs;

use mteb_host_tests::{Run, host};

/// What `validate` says of a card, or of another file.
fn said(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("c.toml"), "schema = 1\n").unwrap();
    fs::write(folder.path().join("d.csv"), "sentence1,sentence2,score\na,b,1\nc,d,2\n").unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", name])).unwrap();
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    run.stderr
}

#[test]
fn each_unknown_key_is_a_fault_at_its_own_place() {
    insta::assert_snapshot!(said("c.toml", "schema = 1\nnmae = \"K\"\ntype = \"STS\"\ndescripton = \"x\"\nlanguages = [\"ind-Latn\"]\n[datset]\npath = \"d.csv\"\n"), @r"
    error: c.toml:2:1: unknown key `nmae` (near it: name)
    error: c.toml:4:1: unknown key `descripton` (near it: description)
    error: c.toml:6:2: unknown key `datset` (near it: dataset, date)
    error: 3 faults in 1 file
    ");
}

#[test]
fn a_fault_of_the_form_hides_no_fault_that_does_not_follow_from_it() {
    let head = "schema = 1\nname = \"K\"\ntype = \"STS\"\ndescription = \"x\"\nlanguages = [\"xxx-Latn\"]\n\
                main_score = \"cosine_sperman\"\n[dataset]\npath = \"d.csv\"\n";
    let protocol = "columns = { sentense1 = \"a\" }\n[protocol]\nmax_score = \"5\"\nmin_score = 6\nsamples_per_label = 4\n";
    insta::assert_snapshot!(said("c.toml", &format!("{head}{protocol}")), @r#"
    error: c.toml:5:14: expected a language of ISO 639-3 as in `ind-Latn`, found: xxx-Latn
    error: c.toml:6:14: expected a score of STS, such as cosine_spearman, found: cosine_sperman
    error: c.toml:9:25: expected a column of a task of type STS (sentence1, sentence2, score) before `=`, and after it the file's name for it, found: sentense1 (near it: sentence1, sentence2)
    error: c.toml:11:13: protocol.max_score: expected a number, found a string: "5"
    error: c.toml:13:21: a task of type STS has no option `samples_per_label`; it has: min_score, max_score, roles
    error: 5 faults in 1 file
    "#);
    // Nobody knows what the type should be: what depends on it is not told.
    let typeless = said("c.toml", &format!("{head}{protocol}").replace("\"STS\"", "\"Sst\""));
    let lines: Vec<&str> = typeless.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(lines, ["c.toml:3:8", "c.toml:5:14", "c.toml:11:13", "3 faults in 1 file"]);
}

#[test]
fn a_text_without_quotes_is_shown_with_them() {
    let card = "schema = 1\nname = \"K\"\ntype = \"STS\"\ndescription = \"x\"\nlanguages = ind-Latn\n";
    insta::assert_snapshot!(said("c.toml", card), @r#"
    error: c.toml:5:13: expected a string in quotes, `"ind-Latn"`, found one without: ind-Latn
    error: 1 fault in 1 file
    "#);
}

#[test]
fn a_file_of_data_is_not_read_as_a_card() {
    insta::assert_snapshot!(said("d.csv", "text,label\na,b\n"), @r"
    error: d.csv: expected a card or a registry (TOML), found a data file by its suffix; name the card whose `path` leads to it (next to it: c.toml)
    error: 1 fault in 1 file
    ");
}
