//! `validate`: every fault with its file, line and column, and what is allowed.

use std::fs;

use mteb_host_tests::{Run, host};

#[test]
fn every_registry_of_the_project_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        Run::of(host(folder.path()).args(["validate", "indonesia", "indonesia-hub", "mteb-eng-v1"])).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_fault_of_the_schema_is_pointed_at() {
    insta::assert_snapshot!(faults("type = \"STS\"", "type = \"Clasification\""), @"");
    insta::assert_snapshot!(faults("description = \"d\"", "descripton = \"d\""), @"");
}

#[test]
fn a_fault_of_the_meaning_is_pointed_at() {
    insta::assert_snapshot!(faults("\"ind-Latn\"", "\"indonesian\""), @"");
    insta::assert_snapshot!(faults("path = \"x\"", "hub = \"a/b\"\nrevision = \"main\""), @"");
    insta::assert_snapshot!(faults("path = \"x\"", "path = \"x\"\n[protocol]\nsamples_per_label = 8"), @"");
}

#[test]
fn a_text_that_is_no_toml_is_pointed_at() {
    insta::assert_snapshot!(faults("schema = 1", "schema = = 1"), @"");
}

/// What `validate` says of a sound card in which `from` is replaced by `to`.
fn faults(from: &str, to: &str) -> String {
    let card = "schema = 1\nname = \"T\"\ntype = \"STS\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n\n[dataset]\npath = \"x\"\n";
    assert!(card.contains(from));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("card.toml"), card.replace(from, to)).unwrap();
    let run = Run::of(host(folder.path()).args(["validate", "card.toml"])).unwrap();
    assert_eq!(run.code, Some(2));
    run.stderr
}
