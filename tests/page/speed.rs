//! A thousand models: what is seen is drawn, and nothing else, however it is sorted, filtered and scrolled.

use serde_json::{Value, json};

use super::browser::Page;
use super::results::{page, write_model};

#[test]
fn of_a_thousand_models_those_that_are_seen_are_drawn_and_the_order_is_of_all() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..1_000u32 {
        let score = 0.2 + f64::from(number * 37 % 1_000) / 1_500.0;
        write_model(
            root.path(),
            &format!("m{number}"),
            &format!("org/m{number:04}"),
            [score, score / 2.0, score, score],
        );
    }
    let file = page(root.path());
    assert!(std::fs::metadata(&file).unwrap().len() < 2_000_000);
    let Some(page) = Page::open(&file, "sort=mean-down", (1200, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    let drawn =
        || page.value("document.querySelectorAll('#board tbody tr[data-row]').length").as_u64().unwrap();
    assert!((20..60).contains(&drawn()), "{} rows", drawn());
    assert_eq!(page.value("document.getElementById('board').getAttribute('aria-rowcount')"), "1001");
    let means = || -> Vec<f64> {
        let all = page
            .value("[...document.querySelectorAll('#board td.mean')].map(cell => Number(cell.textContent))");
        all.as_array().unwrap().iter().filter_map(Value::as_f64).collect()
    };
    let top = means();
    assert!(top.is_sorted_by(|left, right| left >= right), "{top:?}");
    // Scrolled to its end, the table shows the last: the weakest.
    page.value("document.getElementById('board-scroll').scrollTop = 1e9");
    page.wait("document.querySelector('#board tbody tr[data-row]:last-child')?.getAttribute('aria-rowindex') === '1001'");
    let end = means();
    assert!(drawn() < 60 && end.is_sorted_by(|left, right| left >= right) && end[0] < top[0], "{end:?}");
    page.value("location.hash = 'sort=mean-up&q=m00'");
    page.wait("document.getElementById('count').textContent.startsWith('100 of')");
    assert!(means().is_sorted(), "{:?}", means());
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
    // On paper all rows are there.
    page.value("(() => { location.hash = ''; dispatchEvent(new Event('beforeprint')); })()");
    page.wait("document.getElementById('count').textContent.startsWith('1000 of')");
    page.value("dispatchEvent(new Event('beforeprint'))");
    assert_eq!(drawn(), 1_000);
    page.value("dispatchEvent(new Event('afterprint'))");
    assert!(drawn() < 60);
    assert_eq!(page.value("document.querySelectorAll('#board tbody tr.space').length > 0"), json!(true));
}
