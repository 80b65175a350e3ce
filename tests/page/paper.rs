//! The page on paper and on a phone: nothing is cut, nothing is out of reach, nothing is too small.

use serde_json::json;

use super::browser::Page;
use super::results::twelve;

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
