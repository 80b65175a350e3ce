//! Documents with summaries: the correlation of what people said of them with their likeness to human ones.

use mteb_items::outcomes::{Items, OutcomesError};
use mteb_measures::correlation::{pearson, spearman};

use super::side::{Side, Values};
use super::similarities::of_name;
use crate::compare::Texts;

/// The documents whose summaries differ in relevance and in likeness.
///
/// # Errors
/// If a column is absent.
pub(super) fn side(items: &Items, main_score: &str) -> Result<Side, OutcomesError> {
    let (rows, gold) = (items.ints("row")?, items.floats("gold")?);
    let (column, is_linear) = (of_name(main_score), main_score.ends_with("pearson"));
    let (found, cosine, dot) = (items.floats(column)?, items.floats("cosine")?, items.floats("dot")?);
    let (mut ids, mut scores, mut start) = (Vec::new(), Vec::new(), 0);
    for document in rows.chunk_by(|left, right| left == right) {
        let range = start..start + document.len();
        start = range.end;
        if [gold, cosine, dot].iter().any(|cells| is_constant(&cells[range.clone()])) {
            continue;
        }
        let correlate = if is_linear { pearson } else { spearman };
        ids.push(document[0].to_string());
        scores.push(correlate(&gold[range.clone()], &found[range]));
    }
    Ok(Side {
        kind: "documents",
        texts: Texts::Rows,
        measure: format!("{column}_{}", if is_linear { "pearson" } else { "spearman" }),
        item_measure: "the same measure",
        ids,
        values: Values::Scores(scores),
    })
}

fn is_constant(cells: &[f64]) -> bool {
    cells.iter().all(|cell| *cell == cells[0])
}
