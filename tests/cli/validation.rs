//! `validate`: every fault with its file, line and column, and what is allowed.

use std::fs;

use mteb_host_tests::{Run, host};

#[test]
fn every_registry_of_the_project_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    let registries = ["indonesia", "indonesia-hub", "indonesia-full", "mteb-eng-v1", "graded"];
    let run = Run::of(host(folder.path()).arg("validate").args(registries)).unwrap();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_name_of_a_registry_goes_before_a_folder_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("indonesia")).unwrap();
    fs::write(folder.path().join("indonesia/broken.toml"), "type = \"STS\"").unwrap();
    let run = |what: &str| Run::of(host(folder.path()).args(["validate", what])).unwrap();
    assert_eq!(run("indonesia").code, Some(0));
    let broken = run("./indonesia");
    assert!(broken.code == Some(2) && broken.stderr.contains("broken.toml:1:1"), "{}", broken.stderr);
}

#[test]
fn a_fault_of_the_schema_is_pointed_at() {
    insta::assert_snapshot!(faults("type = \"STS\"", "type = \"Clasification\""), @r#"
    error: card.toml:3:8: type: expected one of BitextMining, Classification, MultilabelClassification, Clustering, PairClassification, Reranking, Retrieval, STS, Summarization, InstructionRetrieval, InstructionReranking; found: "Clasification"
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("description = \"d\"", "descripton = \"d\""), @r#"
    error: card.toml:1:1: expected the key "description", found none
    error: card.toml:4:1: unknown key `descripton`; `mteb-host schema` lists the keys
    error: 2 faults in 1 file
    "#);
}

#[test]
fn a_fault_of_the_meaning_is_pointed_at() {
    insta::assert_snapshot!(faults("\"ind-Latn\"", "\"indonesian\""), @r#"
    error: card.toml:5:14: expected a language and a script as `ind-Latn` (ISO 639-3, ISO 15924), found: indonesian
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("path = \"x\"", "hub = \"a/b\"\nrevision = \"main\""), @r#"
    error: card.toml:9:12: expected a commit of 40 hex digits, found: "main"
    error: 1 fault in 1 file
    "#);
    insta::assert_snapshot!(faults("path = \"x\"", "path = \"x\"\n[protocol]\nsamples_per_label = 8"), @r#"
    error: card.toml:10:21: a task of type STS has no option `samples_per_label`
    error: 1 fault in 1 file
    "#);
}

#[test]
fn a_text_that_is_no_toml_is_pointed_at() {
    insta::assert_snapshot!(faults("schema = 1", "schema = = 1"), @r#"
    error: card.toml:1:10: extra `=`, expected nothing
    error: 1 fault in 1 file
    "#);
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
