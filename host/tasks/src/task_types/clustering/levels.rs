//! The levels of a hierarchy of labels.

use super::labels::{Label, Number, distinct, number};

/// Rows with this label are skipped.
const NONE: Label<'_> = Label::Number(Number::of(-1));

/// Stands for a missing text, and is a class of its own, as the reference has it (protocol 6.5, step 3).
const NO_TEXT: Label<'_> = Label::Text("-1");

/// One level of the hierarchy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// The rows that have a label on this level.
    pub rows: Vec<u32>,
    /// Number of each row's label; 0 for rows without one.
    pub classes: Vec<u32>,
    /// Number of distinct labels.
    pub count: usize,
    /// These labels.
    pub names: Vec<String>,
}

/// The levels of the rows' label lists, from the coarsest on, `max_depth` at most.
pub(super) fn levels(lists: &[Vec<Label<'_>>], max_depth: usize) -> Vec<Level> {
    let depth = lists.iter().map(Vec::len).max().unwrap_or(0).min(max_depth);
    let are_texts = lists.iter().flatten().next().is_some_and(|label| matches!(label, Label::Text(_)));
    let missing = if are_texts { NO_TEXT } else { NONE };
    (0..depth).map(|level| one_level(lists, level, missing)).collect()
}

fn one_level(lists: &[Vec<Label<'_>>], level: usize, missing: Label<'_>) -> Level {
    let labels: Vec<Option<Label<'_>>> = lists
        .iter()
        .map(|list| Some(*list.get(level).unwrap_or(&missing)).filter(|label| *label != NONE))
        .collect();
    let distinct = distinct(labels.iter().copied().flatten());
    Level {
        rows: (0..).zip(&labels).filter(|(_, label)| label.is_some()).map(|(row, _)| row).collect(),
        classes: labels.iter().map(|label| label.map_or(0, |label| number(&distinct, label))).collect(),
        count: distinct.len(),
        names: distinct.iter().map(ToString::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_without_a_number_are_left_out() {
        let lists = [
            vec![Label::Number(Number::of(7)), Label::Number(Number::of(2))],
            vec![Label::Number(Number::of(3))],
            vec![],
            vec![Label::Number(Number::of(7)), Label::Number(Number::of(-1))],
        ];
        let [top, bottom] = &levels(&lists, 5)[..] else { panic!("two levels") };
        assert_eq!((&top.rows[..], &top.classes[..], top.count), (&[0, 1, 3][..], &[1, 0, 0, 1][..], 2));
        assert_eq!((&bottom.rows[..], bottom.count), (&[0][..], 1));
    }

    #[test]
    fn rows_without_a_text_are_a_class() {
        let lists = [vec![Label::Text("a"), Label::Text("b")], vec![Label::Text("a")]];
        assert_eq!(levels(&lists, 1).len(), 1);
        let bottom = &levels(&lists, 2)[1];
        assert_eq!((&bottom.rows[..], &bottom.classes[..], bottom.count), (&[0, 1][..], &[1, 0][..], 2));
    }
}
