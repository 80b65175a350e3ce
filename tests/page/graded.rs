//! The view of graded relevance: judges, systems alone and reranked, ranks, differences; what is chosen stands in the address.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host, root};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::browser::Page;

const TASK: &str = "IndonesianEncyclopediaRetrieval";
/// The texts that the bundled judgements are of.
const JUDGED: [&str; 2] = ["--registry", "indonesia@judged-1"];

fn run(folder: &Path, args: &[&str]) -> Run {
    let run = Run::of(host(folder).args(args)).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A page over the bundled judgements with three systems, and a fourth that a reranker stands behind.
pub fn write_graded_page() -> (TempDir, PathBuf) {
    let root_folder = tempfile::tempdir().unwrap();
    let folder = root_folder.path();
    copy(&root().join("indonesia/graded"), &folder.join("graded"));
    let rank = ["graded", "rank", "hashing", "bm25", "random", "--task", TASK];
    run(folder, &[&rank[..], &JUDGED].concat());
    run(folder, &["graded", "evaluate", "--task", TASK]);
    let file = folder.join("graded/evaluations").join(TASK).join("test/default.json");
    let mut evaluated: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let mut reranked = evaluated["systems"][0].clone();
    reranked["system"]["reranker"] = json!("org/<b>reranker");
    evaluated["systems"].as_array_mut().unwrap().push(reranked);
    evaluated["rerank_depth"] = json!(5);
    fs::write(&file, evaluated.to_string()).unwrap();
    let report = ["report", "--graded", "graded", "--task", TASK, "--output", "out"];
    let made = run(folder, &[&report[..], &JUDGED].concat());
    let page = folder.join(made.stdout.trim());
    (root_folder, page)
}

fn rows(page: &Page) -> Vec<Vec<String>> {
    let rows = "[...document.querySelectorAll('#graded-part tbody tr')].map(row => [...row.cells].slice(0, -1).map(cell => cell.textContent))";
    serde_json::from_value(page.value(rows)).unwrap()
}

fn choose(page: &Page, name: &str, value: &str) {
    page.value(&format!(
        "(() => {{ const field = document.querySelector('[name={name}]'); field.value = '{value}'; field.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
    ));
}

#[test]
fn systems_are_seen_judge_by_judge_at_any_rank_and_beside_a_baseline() {
    let (_root, file) = write_graded_page();
    let Some(page) = Page::open(&file, "view=graded", (1200, 900)) else { return };
    page.wait("!document.getElementById('view-graded').hidden");
    let all = rows(&page);
    assert_eq!(all.len(), 4, "{all:?}");
    assert_eq!((all[0][0].as_str(), all[0][1].as_str()), ("mteb/baseline-bm25s", "74.81"));
    let shown = "[...document.querySelectorAll('[data-curves]')].filter(each => !each.hidden).map(each => each.dataset.curves)";
    assert_eq!(page.value(shown), json!(["ndcg..all"]));
    choose(&page, "gsystems", "reranked");
    assert_eq!(
        rows(&page).iter().map(|row| row[0].as_str()).collect::<Vec<_>>(),
        ["mteb-host/hashing + org/<b>reranker"]
    );
    choose(&page, "gsystems", "alone");
    choose(&page, "gjudge", "1");
    choose(&page, "gbase", "mteb-host/hashing");
    choose(&page, "gk", "1");
    let compared = rows(&page);
    assert_eq!(compared.len(), 3, "{compared:?}");
    assert!(compared.iter().any(|row| row[0] == "mteb-host/hashing" && row[2] == "+0.00"), "{compared:?}");
    assert!(compared[0][2].starts_with('+'), "{compared:?}");
    assert_eq!(page.value(shown), json!(["ndcg.1.alone"]));
    let fragment = page.value("location.hash").as_str().unwrap().to_owned();
    for part in ["view=graded", "gsystems=alone", "gjudge=1", "gbase=mteb-host%2Fhashing", "gk=1"] {
        assert!(fragment.contains(part), "{part}: {fragment}");
    }
    // The scores of the judges: eleven lines each, all pairs of the pools counted.
    let pairs = page.value(
        "[...document.querySelectorAll('#judgements-part table')].map(table => [...table.tBodies[0].rows].map(row => Number(row.cells[1].textContent)))",
    );
    let pairs: Vec<Vec<u64>> = serde_json::from_value(pairs).unwrap();
    assert_eq!(pairs.len(), 3);
    assert!(pairs.iter().all(|bins| bins.len() == 11 && bins.iter().sum::<u64>() >= 700), "{pairs:?}");
    // Every two of the three judges scored the same pairs.
    let agreement = page.value("[...document.querySelectorAll('#agreement-part tbody tr')].map(row => Number(row.cells[3].textContent))");
    let agreement: Vec<f64> = serde_json::from_value(agreement).unwrap();
    assert!(
        agreement.len() == 3 && agreement.iter().all(|value| (0.3..1.0).contains(value)),
        "{agreement:?}"
    );
    // What an address asks for that is not there is not taken from elsewhere.
    page.value("location.hash = 'view=graded&gdata=constructor&gmeasure=name&gjudge=9&gk=x'");
    page.wait("document.querySelector('[name=gk]').value === ''");
    assert_eq!(page.value(shown), json!(["ndcg..all"]));
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn a_link_opens_the_same_choice_and_a_phone_shows_it() {
    let (_root, file) = write_graded_page();
    let Some(page) = Page::open(&file, "view=graded&gmeasure=recall&gk=5&lang=id", (360, 740)) else {
        return;
    };
    page.wait("!document.getElementById('view-graded').hidden");
    assert_eq!(page.value("document.querySelector('#graded-part th:nth-child(2)').textContent"), "Recall@5");
    assert_eq!(page.value("document.querySelector('[name=gk]').value"), "5");
    assert_eq!(page.value("document.querySelector('#view-graded h2').textContent"), "Relevansi bertingkat");
    assert_eq!(page.value("document.documentElement.scrollWidth"), 360);
}

#[test]
fn a_page_without_graded_relevance_has_no_such_view_and_a_folder_without_evaluations_is_refused() {
    let (_root, file) = super::results::twelve();
    assert!(!fs::read_to_string(&file).unwrap().contains("data-view=\"graded\""));
    let folder = file.parent().unwrap().parent().unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    let refused = Run::of(host(folder).args(["report", "--graded", "empty"])).unwrap();
    assert_eq!(refused.code, Some(2), "{}", refused.stdout);
    assert!(refused.stderr.contains("expected evaluations, found none"), "{}", refused.stderr);
}
