//! Families of models: which of them have a line in figure 3, and the key that names these lines.

use std::collections::BTreeMap;

use plotters::prelude::*;

use super::canvas::{Area, FigureError, colour, fault, is_dashed, label};
use crate::table::Board;

/// Families that have a line; as many as colours and kinds of lines tell apart.
const MOST: usize = 16;

/// Fewest models that make a line.
pub(super) const FEWEST: usize = 3;

/// The families with most models of known size, the larger first; the place of a family is its series in all panels.
pub(super) fn largest_families(board: &Board) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for row in &board.rows {
        if row.facts.parameters.is_some_and(|count| count > 0) && row.types.iter().any(Option::is_some) {
            *counts.entry(family(&row.model)).or_default() += 1;
        }
    }
    let mut families: Vec<(String, usize)> =
        counts.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
    families.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    families.into_iter().take(MOST).map(|(name, _)| name).collect()
}

/// The key: the line of each family, and its name.
pub(super) fn draw_key(area: &Area, families: &[String]) -> Result<(), FigureError> {
    for (series, name) in families.iter().enumerate() {
        let y = 50 + 20 * series as i32;
        let ends = [(4, y), (34, y)];
        let style = colour(series).stroke_width(2);
        if is_dashed(series) {
            area.draw(&plotters::element::DashedPathElement::new(ends, 5, 4, style)).map_err(fault)?;
        } else {
            area.draw(&PathElement::new(ends, style)).map_err(fault)?;
        }
        area.draw(&Circle::new((19, y), 3, colour(series).filled())).map_err(fault)?;
        area.draw(&Text::new(label(name, 24), (40, y - 7), ("sans-serif", 13))).map_err(fault)?;
    }
    Ok(())
}

/// The family of a model: its name without organisation, sizes and versions.
pub(crate) fn family(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).to_lowercase();
    let is_size = |part: &str| {
        let is_word = matches!(
            part,
            "tiny" | "mini" | "small" | "base" | "large" | "xl" | "xxl" | "xs" | "s" | "m" | "l" | "nano"
        );
        let digits = part.strip_suffix(['b', 'm']).unwrap_or("");
        is_word
            || (!digits.is_empty()
                && digits.chars().all(|character| character.is_ascii_digit() || character == '.'))
    };
    let parts: Vec<&str> = name.split(['-', '_']).filter(|part| !part.is_empty() && !is_size(part)).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_no_part_of_a_family() {
        assert_eq!(family("intfloat/multilingual-e5-small"), family("intfloat/multilingual-e5-large"));
        assert_eq!(family("Qwen/Qwen3-Embedding-0.6B"), family("Qwen/Qwen3-Embedding-8B"));
        assert_ne!(family("intfloat/e5-small"), family("intfloat/multilingual-e5-small"));
    }
}
