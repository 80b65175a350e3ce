//! Who wrote and judged the data of a task is said where the task is shown.

use std::fs;

use mteb_host_tests::{Run, host};

const BADGE: &str = "LM-written, LM-judged";

#[test]
fn a_benchmark_says_first_that_no_person_annotated_it() {
    let folder = tempfile::tempdir().unwrap();
    let show = |more: &[&str]| {
        let shown =
            Run::of(host(folder.path()).args(["show", "benchmark", "Indonesia-MTEB(core)"]).args(more))
                .unwrap();
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""));
        shown
    };
    let text = show(&[]).stdout;
    let second = text.lines().nth(1).unwrap();
    assert!(second.trim_start().starts_with("provenance") && second.contains(BADGE), "{text}");
    let json = show(&["--json"]).json().unwrap();
    assert_eq!(json["badges"][BADGE], json["tasks"].as_array().unwrap().len());
    assert!(json["provenance"].as_str().unwrap().contains("no person annotated"), "{json}");
}

#[test]
fn a_task_has_a_badge_where_a_language_model_took_the_place_of_people() {
    let folder = tempfile::tempdir().unwrap();
    let badge = |task: &str| {
        let listed = Run::of(host(folder.path()).args(["list", "tasks", "--json", "--task", task])).unwrap();
        listed.json().unwrap()[0]["provenance"].clone()
    };
    assert_eq!(badge("IndonesianGeneralSTS"), BADGE);
    assert!(badge("STSBenchmark").is_null());
}

#[test]
fn the_page_has_the_badge_and_says_what_follows() {
    let folder = tempfile::tempdir().unwrap();
    let task = ["--registry", "indonesia", "--task", "IndonesianGeneralSTS"];
    assert_eq!(Run::of(host(folder.path()).args(["run", "--quiet"]).args(task)).unwrap().code, Some(0));
    let report = Run::of(host(folder.path()).args(["report", "--output", "pages"]).args(task)).unwrap();
    assert_eq!(report.code, Some(0), "{}", report.stderr);
    let page = fs::read_dir(folder.path().join("pages")).unwrap().next().unwrap().unwrap().path();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(&format!("\"badge\":\"{BADGE}\"")));
    assert!(page.contains("<p class=\"part\"><span data-text=\"provenance\">"));
}
