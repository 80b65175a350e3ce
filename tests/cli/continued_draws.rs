//! Draws that go on from subset to subset: a score depends on the subsets before it, unless it is asked for alone.

use mteb_host_tests::Run;

use super::stale::{run, states, write_cluster_card, write_clusters};

#[test]
fn a_selection_may_draw_for_itself_alone() {
    let folder = tempfile::tempdir().unwrap();
    write_clusters(folder.path(), "ind", 30);
    write_clusters(folder.path(), "jav", 40);
    let score = |run: &Run| run.json().unwrap()["tasks"][0]["units"][0]["main_score"].clone();
    write_cluster_card(folder.path(), &["jav"]);
    let alone = run(folder.path(), &["--output-folder", "alone"]);
    write_cluster_card(folder.path(), &["ind", "jav"]);
    let selected = ["--task", "MyClusters:jav", "--draws", "selected"];
    let chosen = run(folder.path(), &selected);
    assert_eq!((states(&chosen), chosen.stderr.as_str()), (vec!["scored".to_owned()], ""));
    assert_eq!(score(&chosen), score(&alone));
    assert_eq!(states(&run(folder.path(), &selected)), ["found"]);
    let whole = run(folder.path(), &["--task", "MyClusters:jav"]);
    assert_eq!(states(&whole), ["scored"], "these are other draws");
    insta::assert_snapshot!(whole.stderr.trim_end(), @r"
    MyClusters: will be scored again: the data, options or selection of earlier subsets changed, whose draws it continues
    MyClusters: also reads 1 unit not selected, because the draws of those selected continue theirs; `--draws selected` draws only for the selected ones, whose scores then differ
    ");
}

#[test]
fn draws_that_continue_those_of_earlier_subsets_depend_on_their_data() {
    let folder = tempfile::tempdir().unwrap();
    write_cluster_card(folder.path(), &["ind", "jav"]);
    let write = |subset, rows| write_clusters(folder.path(), subset, rows);
    write("ind", 30);
    write("jav", 30);
    let first = run(folder.path(), &[]);
    assert_eq!(states(&first), ["scored", "scored"], "{}", first.stderr);
    assert_eq!(states(&run(folder.path(), &[])), ["found", "found"]);
    write("jav", 36);
    let later = run(folder.path(), &[]);
    assert_eq!(states(&later), ["found", "scored"], "{}", later.stderr);
    assert_eq!(later.stderr, "MyClusters, subset jav: will be scored again: data changed: jav/test.jsonl\n");
    write("ind", 33);
    let earlier = run(folder.path(), &["--task", "MyClusters:jav"]);
    assert_eq!(states(&earlier), ["scored"], "{}", earlier.stderr);
    assert!(
        earlier.stderr.contains("the data, options or selection of earlier subsets changed"),
        "{}",
        earlier.stderr
    );
}
