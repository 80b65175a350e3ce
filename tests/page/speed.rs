//! Sorting many rows is done at once: counted in what the page does, with room for a busy machine.

use super::browser::Page;
use super::results::{page, write_model};

#[test]
fn a_page_of_many_models_stays_small_and_keeps_its_rows_when_sorted() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..200u32 {
        let score = 0.2 + f64::from(number * 37 % 200) / 300.0;
        write_model(
            root.path(),
            &format!("m{number}"),
            &format!("org/m{number}"),
            [score, score / 2.0, score, score],
        );
    }
    let file = page(root.path());
    assert!(std::fs::metadata(&file).unwrap().len() < 1_000_000);
    let Some(page) = Page::open(&file, "sort=mean-down", (1200, 800)) else { return };
    page.wait("document.getElementById('count').textContent.length > 0");
    let means =
        page.value("[...document.querySelectorAll('#board .mean')].map(cell => Number(cell.textContent))");
    let means: Vec<f64> = means.as_array().unwrap().iter().filter_map(serde_json::Value::as_f64).collect();
    assert_eq!(means.len(), 200);
    assert!(means.is_sorted_by(|left, right| left >= right), "{means:?}");
}
