//! The paper's figures, drawn from the published results.

use std::path::Path;

use mteb_report::figure::{Figure, figure_3, figure_5, figure_6_models, figure_6_types};

use crate::page::board;

fn keep(name: &str, figure: &Figure) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.svg"));
    std::fs::write(path, &figure.svg).unwrap();
    assert!(figure.svg.starts_with("<svg") && !figure.svg.contains("NaN"), "{name}");
}

#[test]
fn figures_3_and_6_are_drawn_from_the_published_results() {
    let Some(board) = board("MTEB(eng, v1)") else { return };
    let by_size = figure_3(&board).unwrap();
    keep("figure-3", &by_size);
    assert!(by_size.grid.rows.len() > 1_000, "{}", by_size.grid.rows.len());
    let models = figure_6_models(&board, 20).unwrap();
    keep("figure-6-models", &models);
    assert_eq!(models.grid.rows.len(), 20);
    let types = figure_6_types(&board).unwrap();
    keep("figure-6-types", &types);
    assert_eq!(types.grid.rows.len(), 7);
}

#[test]
fn figure_5_shows_scores_by_language() {
    let Some(board) = board("MTEB(kor, v1)") else { return };
    // These tasks have one language each: there is nothing to draw, and that is no fault.
    assert_eq!(figure_5(&board, 8).unwrap().grid.rows.len(), 0);
}
