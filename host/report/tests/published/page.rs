//! The page of MTEB(eng, v1) with every published model.

use std::path::Path;

use mteb_report::page::{ENGLISH, PageParts, page};
use mteb_report::reading::Checks;
use mteb_report::table::{Board, Tasks};

use crate::facts::Fixture;
use crate::reading::collection;

pub fn board(name: &str) -> Option<Board> {
    let fixture = Fixture::read();
    let benchmark = fixture.benchmark(name);
    Some(Board::new(
        &benchmark,
        Tasks::Selected,
        &collection()?,
        &fixture.facts(),
        &fixture.similar(),
        Checks::Nothing,
    ))
}

#[test]
fn a_page_of_all_models_is_one_small_file_that_asks_for_nothing() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    // The reference shows 308, and drops those that its registry does not know.
    assert!(board.rows.len() > 308, "models without facts stay: {}", board.rows.len());
    let html = page(&board, &PageParts::default(), ENGLISH);
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("page.html"), &html).unwrap();
    assert!(html.len() < 1_500_000, "{} bytes", html.len());
    for request in ["src=", "url(", "@import"] {
        let near = html.find(request).map(|place| html[place..].chars().take(60).collect::<String>());
        assert_eq!(near, None, "asks for something");
    }
    for row in &board.rows {
        assert_eq!(row.rank.is_some(), row.interval.is_some(), "{}", row.name);
    }
}
