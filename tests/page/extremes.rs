//! Names that somebody chose to break the page stay names; of a thousand models, what is seen is drawn, and
//! nothing else, however it is sorted, filtered and scrolled.

use serde_json::{Value, json};

use super::browser::Page;
use super::results::{page, write_model};

#[test]
fn names_of_others_run_nothing_and_hide_nothing() {
    let long = "x".repeat(10_000);
    let names = [
        "<script>window.broken = 1</script>",
        "\"onload=\"window.broken=1\" x=\"",
        "</style><style>body{display:none}</style>",
        "</script><img src=x onerror=window.broken=1>",
        "a\u{202e}gnp.exe",
        "<!--",
        "'; alert(1); '",
        long.as_str(),
    ];
    let root = tempfile::tempdir().unwrap();
    for (number, name) in (1u32..).zip(names) {
        write_model(root.path(), &format!("m{number}"), name, [0.3 + f64::from(number) / 50.0; 4]);
    }
    let file = page(root.path());
    let Some(page) = Page::open(&file, "sort=model-up", (360, 740)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    let shown = page.models();
    assert_eq!(shown.len(), names.len());
    for name in &names[..4] {
        assert!(shown.iter().any(|shown| shown == name), "{name}: {shown:?}");
    }
    assert!(shown.iter().any(|name| name == "a\\u202egnp.exe"), "{shown:?}");
    for view in ["heat", "tasks", "charts", "board"] {
        page.value(&format!("location.hash = 'view={view}'"));
        page.wait(&format!("!document.getElementById('view-{view}').hidden"));
        assert_eq!(page.value("document.documentElement.scrollWidth"), 360, "{view}");
    }
    page.wait("document.querySelector('#board bdi') !== null");
    page.value("location.hash = 'view=model&model=' + encodeURIComponent(document.querySelector('#board bdi').textContent)");
    assert_eq!(page.value("window.broken ?? null"), serde_json::Value::Null);
    assert_eq!(page.value("document.querySelectorAll('img, iframe, object, embed').length"), 0);
    assert_eq!(page.value("document.scripts.length"), 3);
    assert_eq!((page.requests(), page.complaints()), (Vec::new(), Vec::new()));
}

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
