//! Names that somebody chose to break the page stay names.

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
