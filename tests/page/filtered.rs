//! What filters leave: intervals, means, ranks, comparisons and views are of that, and the page says what it leaves out.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::browser::Page;
use super::results::{page, twelve, write_model};

const READY: &str = "document.getElementById('count').textContent.length > 0";

/// A cell of the leaderboard, of the model of this name.
fn cell(page: &Page, model: &str, selector: &str) -> Value {
    page.value(&format!(
        "[...document.querySelectorAll('#board tbody tr')].find(row => row.querySelector('bdi').textContent === \
         '{model}').querySelector('{selector}').textContent"
    ))
}

/// The cells of the first line of a table of a view.
fn first_line(page: &Page, part: &str, table: usize) -> Value {
    page.value(&format!(
        "[...document.querySelectorAll('#{part} table')[{table}].tBodies[0].rows[0].cells].map(cell => cell.textContent)"
    ))
}

fn text_of(page: &Page, id: &str) -> String {
    page.value(&format!("document.getElementById('{id}').textContent")).as_str().unwrap().to_owned()
}

fn csv(page: &Page) -> String {
    let export = "(() => { document.getElementById('export-open').click(); document.querySelector('#export [data-close]').click(); \
                  return document.getElementById('export-text').value; })()";
    page.value(export).as_str().unwrap().to_owned()
}

fn without_scifact(root: &Path, model: &str) {
    fs::remove_file(root.join(format!("results/{model}/1/SciFact.json"))).unwrap();
}

#[test]
fn no_interval_leaves_the_bounds_of_its_measure() {
    let (_root, file) = twelve();
    let two = "only=Banking77Classification&only=SciFact";
    let Some(page) = Page::open(&file, &format!("{two}&columns=interval"), (1200, 900)) else { return };
    page.wait(READY);
    // Scores of 0.4 and 0.5: Student's interval of two tasks would be -18.53 – 108.53.
    assert_eq!(cell(&page, "org/model-00", "[data-column=interval]"), "0.00 – 100.00");
    page.value(&format!("location.hash = 'view=compare&{two}&models=org%2Fmodel-00&models=org%2Fmodel-11'"));
    page.wait("document.querySelectorAll('#compare-part table').length === 3");
    // Differences of 25.5 and -27.5: the interval would be -337.71 – 335.71.
    assert_eq!(first_line(&page, "compare-part", 0)[2], "−1.00 (−100.00 … +100.00)");
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn filtered_means_and_ranks_are_of_scores_that_nobody_rounded() {
    let root = tempfile::tempdir().unwrap();
    write_model(root.path(), "a", "org/a", [0.500_051, 0.500_151, 0.3, 0.3]);
    write_model(root.path(), "b", "org/b", [0.500_149, 0.500_101, 0.2, 0.2]);
    let file = page(root.path());
    let Some(page) = Page::open(&file, "type=STS&columns=rank", (1200, 900)) else { return };
    page.wait(READY);
    // Rounded first, the mean of 50.01 and 50.02 would be 50.02.
    assert_eq!(cell(&page, "org/a", ".mean"), "50.01");
    // Each is better on one task; rounded first, they would be equal on one, and `org/b` second.
    let ranks = page.value(
        "[...document.querySelectorAll('#board tbody tr[data-row]')].map(row => row.cells[1].textContent)",
    );
    assert_eq!(ranks, json!(["1", "1"]));
}

#[test]
fn a_comparison_counts_the_pairs_and_a_missing_mean_is_no_zero() {
    let (root, _) = twelve();
    without_scifact(root.path(), "org__model-07");
    let file = page(root.path());
    let picked = "view=compare&models=org%2Fmodel-03&models=org%2Fmodel-07";
    let Some(page) = Page::open(&file, picked, (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#compare-part table').length === 3");
    assert_eq!(first_line(&page, "compare-part", 0)[1], "3");
    let note = page.value("document.querySelector('#compare-part .unpaired').textContent");
    let note = note.as_str().unwrap();
    assert!(note.starts_with("1 of 4 chosen tasks") && note.ends_with("SciFact."), "{note}");
    // Three tasks that one wins, and one that nobody can win.
    assert_eq!(first_line(&page, "compare-part", 1), json!(["All chosen tasks", "0", "3", "0", "1"]));
    assert_eq!(page.value("document.querySelectorAll('#compare-part .radar path.gapped').length"), 1);
    assert_eq!(page.value("document.querySelectorAll('#compare-part .radar circle.hue').length"), 5);
    assert!(
        text_of(&page, "compare-part")
            .contains("org/model-07 has a gap, not 0, because it lacks tasks of: Retrieval."),
        "{}",
        text_of(&page, "compare-part")
    );
    let csv = csv(&page);
    let rows: Vec<&str> = csv.lines().collect();
    assert!(
        rows[0].starts_with("Task,Task type,org/model-03,org/model-07,Difference: org/model-07,"),
        "{csv}"
    );
    assert_eq!(rows.len(), 1 + 4 + 4, "all, three types and four tasks: {csv}");
    assert!(
        rows.iter().any(|row| row.starts_with("SciFact,Retrieval,42.50,,") && row.ends_with(",0")),
        "{csv}"
    );
}

#[test]
fn views_of_tasks_and_languages_go_by_the_filters_and_show_no_chip_of_others() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "view=tasks&q=model-00", (1200, 900)) else { return };
    page.wait("document.querySelectorAll('#tasks-part tbody tr').length === 4");
    let best = page.value("[...document.querySelectorAll('#tasks-part tbody bdi')].map(each => each.textContent).filter(name => name.startsWith('org/'))");
    assert_eq!(best, json!(vec!["org/model-00"; 4]));
    let said = text_of(&page, "tasks-part");
    assert!(said.contains("1 of 12 models") && said.contains("There is no column for noise"), "{said}");
    page.value("location.hash = 'view=languages&type=STS'");
    page.wait("!document.getElementById('view-languages').hidden");
    // STS12 has 0.675 and STSBenchmark 0.695; over all tasks it would be another.
    let line = first_line(&page, "languages-part", 0);
    assert_eq!((&line[1], &line[3], &line[4]), (&json!("2"), &json!("org/model-11"), &json!("68.50")));
    assert!(text_of(&page, "languages-part").starts_with("Over 2 of 4 tasks"));
    page.value("location.hash = 'view=compare&type=STS&size=0-100000000&q=model'");
    page.wait("!document.getElementById('view-compare').hidden");
    let chips = "[...document.querySelectorAll('#chips button')].map(each => each.textContent)";
    assert_eq!(page.value(chips), json!(["Task type: STS ×", "Reset"]));
    assert_eq!(page.value("document.querySelector('.field.search').hidden"), true);
    page.value("location.hash = 'type=Nope'");
    page.wait("document.getElementById('count').textContent === 'No task matches these filters.'");
}

#[test]
fn what_is_missing_and_what_was_left_out_is_named() {
    let (root, _) = twelve();
    // No correlation is 1.7.
    write_model(root.path(), "org__odd", "org/odd", [1.7, 0.5, 0.5, 0.5]);
    let file = page(root.path());
    let Some(page) = Page::open(&file, "view=model&model=org%2Fodd", (1200, 900)) else { return };
    page.wait("!document.getElementById('view-model').hidden");
    let said = text_of(&page, "model-part");
    assert!(said.contains("Missing tasks1: STS12"), "{said}");
    let lines = page.value("[...document.querySelectorAll('#model-part li')].map(each => each.textContent)");
    let line = lines[0].as_str().unwrap();
    assert!(line.starts_with("STS12, split test, subset default: left out: "), "{line}");
    page.value("location.hash = 'view=board'");
    page.wait("!document.getElementById('view-board').hidden");
    assert!(text_of(&page, "view-board").contains("Results left out as contradictory: 1."));
    let all = page.value("[...document.querySelectorAll('#left-out li')].map(each => each.textContent)");
    assert_eq!(all, json!([format!("org/odd, {line}")]));
}

#[test]
fn a_file_that_could_not_be_read_is_counted_in_the_head_and_named_with_its_reason() {
    let (root, _) = twelve();
    let task = "</li><img src=x onerror=window.broken=1>";
    write_model(root.path(), "org__other", "org/other", [0.5; 4]);
    let path = root.path().join("results/org__other/1/STS12.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"STS12\"", &format!("\"{task}\""))).unwrap();
    let file = page(root.path());
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    page.wait(READY);
    let summary = page.value("document.querySelector('header details.files summary').textContent");
    assert_eq!(summary, "Result files left out: 1");
    page.value("document.querySelector('header details.files summary').click()");
    let lines =
        page.value("[...document.querySelectorAll('#left-out-files li')].map(each => each.innerText)");
    let expected =
        format!("org/other, 1/STS12.json: left out: expected results of the task STS12, found: {task}");
    assert_eq!(lines, json!([expected]));
    assert_eq!(page.value("[window.broken ?? null, document.images.length]"), json!([null, 0]));
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

#[test]
fn words_find_a_model_in_any_order_and_the_menu_of_columns_closes() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "q=11%20ORG", (1200, 900)) else { return };
    page.wait(READY);
    assert_eq!(page.models(), ["org/model-11"]);
    let open = "document.querySelector('details.columns').open";
    let click = "document.querySelector('details.columns summary').click()";
    page.value(click);
    page.wait("document.getElementById('c-parameters') !== null");
    page.value("document.getElementById('c-parameters').click()");
    assert_eq!(page.value(open), true, "a choice leaves it open");
    page.value("document.getElementById('c-parameters').focus()");
    page.press("Escape");
    assert_eq!(
        (page.value(open), page.value("document.activeElement.tagName")),
        (json!(false), json!("SUMMARY"))
    );
    page.value(click);
    page.value("document.querySelector('h1').click()");
    assert_eq!(page.value(open), false);
}

#[test]
fn a_negative_number_is_no_formula_and_an_arabic_name_stays_whole() {
    let root = tempfile::tempdir().unwrap();
    let name = "نموذج-التضمين-العربي";
    write_model(root.path(), "a", name, [0.1, 0.3, 0.2, 0.2]);
    let file = page(root.path());
    let Some(page) = Page::open(&file, "type=STS&columns=interval", (1200, 900)) else { return };
    page.wait(READY);
    // 20 ± 127, within what a correlation can be.
    assert!(csv(&page).contains(",20.00,-100.00–100.00\n"), "{}", csv(&page));
    let shown =
        page.value("[...document.querySelectorAll('#board tbody bdi > span')].map(each => each.textContent)");
    assert_eq!(shown, json!([name]));
    assert_eq!(page.value("document.querySelector('#board tbody bdi').dir"), "auto");
    let about = page.value("document.querySelector('.about').textContent");
    assert!(about.as_str().unwrap().contains("1 model ("), "{about}");
}
