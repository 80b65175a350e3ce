//! Scores and texts of single languages, of tasks with subsets in several: what a reader who chooses a language sees.

use std::fs;
use std::path::{Path, PathBuf};

use mteb_host_tests::{Run, host};
use serde_json::{Value, json};

use super::browser::Page;

const READY: &str = "document.getElementById('count').textContent.length > 0";

/// The subsets of NusaX-senti but Indonesian, which has a task of its own beside it.
const OTHERS: [&str; 11] = ["ace", "ban", "bbc", "bjn", "bug", "eng", "jav", "mad", "min", "nij", "sun"];
const TASKS: [&str; 3] = ["NusaX-senti", "IndonesianIdClickbaitClassification", "STSBenchmark"];

fn write_task(root: &Path, model: &str, task: &str, split: &str, scores: &[(&str, &str, f64)]) {
    let folder = root.join(format!("results/org__{model}/1"));
    fs::create_dir_all(&folder).unwrap();
    let entry = |(subset, language, score): &(&str, &str, f64)| json!({ "hf_subset": subset, "languages": [format!("{language}-Latn")], "main_score": score });
    let entries: Vec<Value> = scores.iter().map(entry).collect();
    let file = json!({
        "task_name": task, "dataset_revision": "r", "mteb_version": "2.0.0", "evaluation_time": 1.0,
        "scores": { split: entries }
    });
    fs::write(folder.join(format!("{task}.json")), file.to_string()).unwrap();
}

/// The results of a model: on NusaX-senti in Indonesian and in each of the `others`, and on the Indonesian task.
fn write_model(root: &Path, model: &str, others: &[&str], [indonesian, other, clickbait]: [f64; 3]) {
    let mut scores = vec![("ind", "ind", indonesian)];
    scores.extend(others.iter().map(|code| (*code, *code, other)));
    write_task(root, model, TASKS[0], "test", &scores);
    write_task(root, model, TASKS[1], "train", &[("default", "ind", clickbait)]);
    write_task(root, model, TASKS[2], "test", &[("default", "eng", 0.5)]);
}

/// The page of three models, of which the last has no result in Acehnese.
fn regional(root: &Path) -> PathBuf {
    write_model(root, "a", &OTHERS, [0.9, 0.1, 0.6]);
    write_model(root, "b", &OTHERS, [0.3, 0.8, 0.5]);
    write_model(root, "c", &OTHERS[1..], [0.7, 0.5, 0.9]);
    let mut command = host(root);
    command.args(["report", "--output", "out", "--samples", "0"]);
    let run = Run::of(command.args(TASKS.iter().flat_map(|task| ["--task", task]))).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    root.join(run.stdout.trim())
}

/// The mean of each model on the leaderboard.
fn means(page: &Page) -> Value {
    page.value(
        "Object.fromEntries([...document.querySelectorAll('#board tbody tr[data-row]')].map(row => \
         [row.querySelector('bdi').textContent, row.querySelector('.mean').textContent]))",
    )
}

/// The cells of the line of a table whose first one has this word. How a language is called, the browser says.
fn line(page: &Page, part: &str, word: &str) -> Value {
    page.value(&format!(
        "[...[...document.querySelectorAll('#{part} tbody tr')].find(row => row.cells[0].textContent.includes('{word}')).cells]\
         .map(cell => cell.textContent)"
    ))
}

#[test]
fn a_chosen_language_counts_alone_on_tasks_that_have_others_too() {
    let root = tempfile::tempdir().unwrap();
    let file = regional(root.path());
    let Some(page) = Page::open(&file, "language=ind-Latn", (1200, 900)) else { return };
    page.wait(READY);
    // The last lacks Acehnese, which nobody asked for.
    assert_eq!(means(&page), json!({ "org/a": "75.00", "org/b": "40.00", "org/c": "80.00" }));
    let said = page.value("document.getElementById('language-part').textContent");
    assert!(said.as_str().unwrap().contains("on 1 of these 2 tasks"), "{said}");
    // A switch counts such tasks whole, and the address remembers it.
    page.value("document.getElementById('parts-switch').focus()");
    page.value("document.getElementById('parts-switch').click()");
    assert_eq!(page.value("location.hash"), "#language=ind-Latn&parts=whole");
    assert_eq!(page.value("document.activeElement.id"), "parts-switch");
    assert_eq!(means(&page), json!({ "org/a": "38.33", "org/b": "62.92", "org/c": "–" }));
    page.value("document.getElementById('parts-switch').click()");
    assert_eq!(page.value("location.hash"), "#language=ind-Latn");
    // Several languages count together, each subset once.
    page.value("location.hash = 'language=ind-Latn&language=jav-Latn'");
    page.wait("document.querySelectorAll('#chips button').length === 3");
    assert_eq!(means(&page)["org/a"], "55.00");
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn views_of_tasks_mark_scores_of_chosen_languages_and_a_model_keeps_its_whole_ones() {
    let root = tempfile::tempdir().unwrap();
    let file = regional(root.path());
    let Some(page) = Page::open(&file, "view=tasks&language=ind-Latn", (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#tasks-part tbody tr').length === 2");
    let cells = line(&page, "tasks-part", "NusaX-senti").to_string();
    assert!(cells.contains("NusaX-senti ‡") && cells.contains("\"90.00\""), "{cells}");
    let alone = line(&page, "tasks-part", "IndonesianId").to_string();
    assert!(!alone.contains('‡') && alone.contains("\"90.00\""), "{alone}");
    for (view, part) in [("heat", "heat-part"), ("compare&models=org%2Fa&models=org%2Fb", "compare-part")] {
        page.value(&format!("location.hash = 'view={view}&language=ind-Latn'"));
        page.wait(&format!("document.getElementById('{part}').textContent.includes('‡')"));
    }
    page.value("location.hash = 'view=model&model=org%2Fa&language=ind-Latn'");
    page.wait("!document.getElementById('view-model').hidden");
    let cells = line(&page, "model-part", "NusaX-senti");
    assert_eq!(cells[1], "16.67", "{cells}");
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn languages_have_scores_of_chosen_tasks_and_the_texts_that_are_of_them_alone() {
    let root = tempfile::tempdir().unwrap();
    let file = regional(root.path());
    let two = format!("view=languages&only={}&only={}", TASKS[0], TASKS[1]);
    let Some(page) = Page::open(&file, &two, (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#languages-part tbody tr').length > 12");
    // Of all three tasks the program counted it; of two of them the page does.
    let cells = |code: &str| {
        let cells = line(&page, "languages-part", code);
        cells.as_array().unwrap()[1..].to_vec()
    };
    assert_eq!(json!(cells("ind-Latn")), json!(["2", "≥ 2,048", "org/c", "80.00", "75.00", "3", "0"]));
    assert_eq!(json!(cells("ace-Latn")), json!(["1", "–", "org/b", "80.00", "45.00", "2", "0"]));
    page.value("document.getElementById('drawer-open').click()");
    let choice = page
        .value("document.querySelector('#drawer input[value=\"ind-Latn\"]').closest('label').textContent");
    assert!(choice.as_str().unwrap().ends_with("(ind-Latn) 2 · ≥ 2 k"), "{choice}");
    assert_eq!(page.complaints(), Vec::<String>::new());
}
