//! What a reader does: load, sort, filter, follow a link, use the keyboard, turn the language, print, hold a
//! phone. Nothing is cut, out of reach or too small, and axe-core finds nothing wrong, light or dark.

use std::path::PathBuf;

use mteb_host_tests::{absent, root};
use serde_json::json;

use super::browser::Page;
use super::graded::write_graded_page;
use super::results::{VIEWS, page, twelve, write_model};

#[test]
fn a_page_loads_sorts_filters_and_asks_nobody_for_anything() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    assert_eq!(page.models().len(), 12);
    // By name, twice: rising, then falling.
    let click = "document.querySelector('th[data-sort=model] button').click()";
    page.value(click);
    assert_eq!(page.models()[0], "org/model-00");
    page.value(click);
    assert_eq!(page.models()[0], "org/model-11");
    assert_eq!(
        page.value("document.querySelector('th[data-sort=model]').getAttribute('aria-sort')"),
        "descending"
    );
    page.value("(() => { const q = document.querySelector('[name=q]'); q.value = 'MODEL-07'; q.dispatchEvent(new Event('input', {bubbles: true})); })()");
    assert_eq!(page.models(), ["org/model-07"]);
    let fragment = page.value("location.hash").as_str().unwrap().to_owned();
    assert!(fragment.contains("q=MODEL-07") && fragment.contains("sort=model-down"), "{fragment}");
    assert_eq!(page.value("document.getElementById('count').textContent"), "1 of 12 models shown");
    for view in ["tasks", "languages", "heat", "charts", "compare", "notes"] {
        page.value(&format!("document.querySelector('nav a[data-view={view}]').click()"));
        page.wait(&format!("!document.getElementById('view-{view}').hidden"));
    }
    assert_eq!(page.requests(), Vec::<String>::new());
    assert_eq!(page.complaints(), Vec::<String>::new());
}

#[test]
fn a_link_opens_what_was_selected() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "view=model&model=org%2Fmodel-03&lang=id", (1000, 800)) else {
        return;
    };
    page.wait("!document.getElementById('view-model').hidden");
    assert_eq!(page.value("document.querySelector('#model-part h2').textContent"), "org/model-03");
    assert_eq!(page.value("document.documentElement.lang"), "id");
    assert_eq!(page.value("document.querySelector('nav a[data-view=board]').textContent"), "Papan peringkat");
    let rows = |table: usize| {
        page.value(&format!("document.querySelectorAll('#model-part table')[{table}].tBodies[0].rows.length"))
    };
    assert_eq!((rows(0), rows(1)), (3.into(), 4.into()), "types and tasks");
    page.value("location.hash = 'type=STS&sort=mean-down'");
    page.wait("!document.getElementById('view-board').hidden");
    // Only tasks of the type count now: the mean of the best is that of its two STS tasks.
    assert!(page.value("document.getElementById('chosen').textContent").as_str().unwrap().contains('2'));
    assert_eq!(page.models()[0], "org/model-11");
    page.value("location.hash = 'view=task&task=SciFact'");
    page.wait("!document.getElementById('view-task').hidden");
    assert_eq!(page.value("document.querySelector('#task-part tbody bdi').textContent"), "org/model-00");
}

#[test]
fn the_keyboard_reaches_and_sorts_the_table() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    let mut reached = Vec::new();
    for _ in 0..40 {
        page.press("Tab");
        let focus = page
            .value("document.activeElement.closest('th')?.dataset.sort ?? document.activeElement.tagName");
        reached.push(focus.as_str().unwrap_or_default().to_owned());
        if reached.last().is_some_and(|focus| focus == "model") {
            break;
        }
    }
    assert_eq!(reached.last().map(String::as_str), Some("model"), "{reached:?}");
    page.press("Enter");
    page.wait("document.querySelector('th[data-sort=model]').getAttribute('aria-sort') === 'ascending'");
    assert_eq!(page.models()[0], "org/model-00");
}

#[test]
fn nothing_is_wider_than_a_phone() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (360, 740)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    for view in VIEWS {
        page.value(&format!("location.hash = 'view={view}'"));
        std::thread::sleep(std::time::Duration::from_millis(50));
        let sizes =
            page.value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
        assert_eq!(sizes, json!([360, 360]), "{view}");
    }
}

#[test]
fn a_filtered_page_has_the_means_of_what_is_filtered_and_nothing_of_the_rest() {
    let (root, _) = twelve();
    // Lacks a task of English, of which it would otherwise be the best.
    write_model(root.path(), "org__best", "org/best", [0.99, 0.99, 0.99, 0.99]);
    std::fs::remove_file(root.path().join("results/org__best/1/SciFact.json")).unwrap();
    let file = page(root.path());
    let columns = "columns=interval.group.ranks.meanType.type0.type1.type2";
    let Some(page) = Page::open(&file, columns, (1200, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    let cell = |key: &str| {
        page.value(&format!(
            "[...document.querySelectorAll('#board tbody tr')].find(row => row.querySelector('bdi').textContent === \
             'org/model-11').querySelector('{key}').textContent"
        ))
    };
    assert_ne!(cell("[data-column=ranks]"), "–");
    let whole = cell("[data-column=meanType]");
    page.value(&format!("location.hash = 'type=STS&{columns}'"));
    page.wait("document.getElementById('chosen').textContent.length > 0");
    // STS12 has 0.675 and STSBenchmark 0.675 + 0.02.
    assert_eq!((cell(".mean"), cell("[data-column=meanType]")), ("68.50".into(), "68.50".into()));
    // Of these two tasks alone: Student's quantile of one degree of freedom is 12.7062.
    assert_eq!(cell("[data-column=interval]"), "55.79 – 81.21");
    for key in ["group", "ranks"] {
        assert_eq!(cell(&format!("[data-column={key}]")), "–", "{key}");
    }
    let titles = page.value(
        "[...document.querySelectorAll('#board th[data-column^=type]')].map(each => each.textContent)",
    );
    assert_eq!(titles, json!(["STS"]), "the one type that is left");
    page.value(&format!("location.hash = '{columns}'"));
    page.wait("document.getElementById('chosen').textContent.length === 0");
    assert_eq!(cell("[data-column=meanType]"), whole);
    assert_ne!(cell("[data-column=ranks]"), "–");
    page.value("location.hash = 'view=languages'");
    page.wait("!document.getElementById('view-languages').hidden");
    let best = page.value("document.querySelector('#languages-part tbody td.name').textContent");
    assert!(best.as_str().unwrap().starts_with("org/model-"), "{best}");
}

/// The script of axe-core, which `cargo xtask test` fetches from npm.
fn axe() -> Option<String> {
    let file = std::env::var_os("MTEB_AXE")
        .map_or_else(|| root().join("target/axe/package/axe.min.js"), PathBuf::from);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        absent(format!("no {}, which `cargo xtask test` fetches", file.display()));
    }
    text
}

#[test]
fn every_view_is_usable_with_a_screen_reader_and_has_contrast() {
    let Some(axe) = axe() else { return };
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &VIEWS);
    for dialog in ["drawer", "export"] {
        page.value("location.hash = 'view=board&type=STS'");
        page.value(&format!("document.getElementById('{dialog}-open').click()"));
        assert_eq!(page.value(RUN), json!([]), "{dialog}");
        page.value(&format!("document.querySelector('#{dialog} [data-close]').click()"));
    }
}

#[test]
fn so_is_the_view_of_graded_relevance() {
    let Some(axe) = axe() else { return };
    let (_root, file) = write_graded_page();
    let Some(page) = Page::open(&file, "", (1200, 900)) else { return };
    check(&page, &axe, &["graded", "graded&gbase=mteb-host%2Fhashing&gk=3&gjudge=0"]);
}

/// What axe-core finds, and where.
const RUN: &str = "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(each => \
                   [each.id, each.nodes.map(node => node.html.slice(0, 120)).slice(0, 3)]))";

fn check(page: &Page, axe: &str, views: &[&str]) {
    page.wait("document.getElementById('count').textContent.length > 0");
    page.run(axe);
    for theme in ["light", "dark"] {
        page.prefer(theme);
        for view in views {
            page.value(&format!("location.hash = 'view={view}&theme={theme}'"));
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert_eq!(page.value(RUN), json!([]), "{theme}, {view}");
        }
    }
}

const READY: &str = "document.getElementById('count').textContent.length > 0";
const COMPARED: &str = "view=compare&models=org%2Fmodel-03&models=org%2Fmodel-07";

#[test]
fn on_paper_every_column_is_there_and_keys_keep_their_colours() {
    let (_root, file) = twelve();
    // As wide as A4 is between its margins; every column is asked for.
    let columns = "columns=interval.group.ranks.meanType.type0.type1.type2.parameters.dimension.tokens.memory.zeroShot.release.license.missing";
    let Some(page) = Page::open(&file, columns, (1032, 700)) else { return };
    page.wait(READY);
    page.print();
    let ends = page.value(
        "[...document.querySelectorAll('#board thead th[data-sort], #board tbody tr:last-child td:last-child')].map(each => each.getBoundingClientRect().right)",
    );
    let ends: Vec<f64> = serde_json::from_value(ends).unwrap();
    assert!(ends.len() == 19 && ends.iter().all(|end| *end <= 1033.0), "{ends:?}");
    let head = "getComputedStyle(document.querySelector('#board thead'))";
    assert_eq!(
        page.value(&format!("[{head}.display, {head}.breakInside]")),
        json!(["table-header-group", "avoid"])
    );
    page.value(&format!("location.hash = '{COMPARED}'"));
    page.wait("document.querySelectorAll('#compare-part .key').length === 2");
    assert_eq!(
        page.value("getComputedStyle(document.querySelector('#compare-part .key')).printColorAdjust"),
        "exact"
    );
}

#[test]
fn on_a_phone_models_are_picked_the_view_is_in_sight_and_drawings_are_read() {
    let (_root, file) = twelve();
    let Some(page) = Page::open(&file, "", (400, 800)) else { return };
    page.wait(READY);
    page.value("document.querySelectorAll('#board tbody .pick input').forEach((box, place) => { if (place < 1) box.click(); })");
    let box_ = page.value("(() => { const box = document.querySelector('#board tbody .pick input').getBoundingClientRect(); return [box.width > 15, box.left >= 0, box.right < 100]; })()");
    assert_eq!(box_, json!([true, true, true]));
    assert_eq!(page.value("document.getElementById('tray').hidden"), false);
    page.value(&format!("location.hash = '{COMPARED}'"));
    page.wait("document.querySelectorAll('#compare-part table').length === 3");
    let tab = page.value("(() => { const tab = document.querySelector('nav [aria-current]').getBoundingClientRect(); return [tab.left >= 0, tab.right <= 400]; })()");
    assert_eq!(tab, json!([true, true]));
    let smallest = "Math.min(...[...document.querySelectorAll('main section:not([hidden]) .plot svg text')].map(text => { const svg = text.ownerSVGElement; \
                    return parseFloat(getComputedStyle(text).fontSize) * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; }))";
    let is_read = |view: &str| {
        let size = page.value(smallest).as_f64().unwrap();
        assert!((11.0..30.0).contains(&size), "{view}: {size}");
    };
    is_read("compare");
    page.value("location.hash = 'view=task&task=STS12'");
    page.wait("document.querySelectorAll('#task-part .histogram').length === 1");
    is_read("task");
}
