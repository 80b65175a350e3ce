//! What the page says of its numbers: what they mean, whose judgements they rest on, and of which part of a benchmark they are.

use maud::{Markup, html};

use super::words::Words;
use crate::table::{Board, Over};
use crate::visible;

/// The notes of their own view.
pub(super) fn notes(board: &Board, words: &Words) -> Markup {
    let (interval, group, ranks) = match board.over {
        Over::Tasks => ("noteInterval", "noteGroup", "noteRanks"),
        Over::Items => ("noteIntervalItems", "noteGroupItems", "noteRanksItems"),
    };
    let keys =
        ["noteRank", interval, group, ranks, "noteMeanType", "noteZero", "noteIncomplete", "noteMeasured"];
    let few = board.too_few.then_some("noteFew");
    html! {
        (part_notes(board, words))
        @if let Some(text) = &board.about.provenance { p { (visible(text)) } }
        @for key in keys.into_iter().chain(few) { (words.paragraph(key)) }
    }
}

/// The notes without which nobody should read the table: who judged, and that it is of a part.
pub(super) fn part_notes(board: &Board, words: &Words) -> Markup {
    html! { (provenance_note(board, words)) (part_note(board, words)) (beyond_note(board, words)) (nobody_note(board, words)) }
}

/// True if a part of a benchmark was asked for.
pub(super) fn is_narrowed(board: &Board) -> bool {
    board.part.as_ref().is_some_and(|part| part.is_narrowed)
}

/// For how many of the tasks a language model wrote the texts or judged them, and what follows; nothing where it is none.
fn provenance_note(board: &Board, words: &Words) -> Markup {
    let by_model = board.columns.iter().filter(|column| column.task.badge.is_some()).count();
    html! {
        @if by_model > 0 {
            p.part {
                (words.span("provenance")) ": " (by_model) " / " (board.columns.len()) ". "
                (words.span("noteProvenance"))
            }
        }
    }
}

/// That the means of the page are none of a benchmark, and how many of its tasks the widest benchmark has.
fn beyond_note(board: &Board, words: &Words) -> Markup {
    html! {
        @if let Some(beyond) = &board.beyond {
            p.part {
                (words.span("noteBeyond")) " " (visible(&beyond.benchmark)) ", " (words.span("tasks")) ": "
                (beyond.of_benchmark) " / " (beyond.tasks) "."
            }
        }
    }
}

/// Why all means are dashes: tasks of which nobody has a whole result, where for that no model has all.
fn nobody_note(board: &Board, words: &Words) -> Markup {
    let missing = board.tasks_that_nobody_has();
    html! {
        @if !missing.is_empty() {
            p.part {
                (words.span("noteNobody")) " " (words.span("absent")) " (" (missing.len()) " / " (board.columns.len()) "): "
                (visible(&missing.join(", "))) "."
            }
        }
    }
}

/// That the page is of a part of its benchmark, and of how much of it; nothing where it is of all of it.
fn part_note(board: &Board, words: &Words) -> Markup {
    html! {
        @if let Some(part) = &board.part {
            @let (key, [taken, all]) = part.units.map_or(("tasks", part.tasks), |units| ("units", units));
            p.part {
                (words.span("notePart")) " " (words.span(key)) ": " (taken) " / " (all) "."
                @if !part.absent.is_empty() {
                    " " (words.span("absent")) ": " (visible(&part.absent.join(", "))) "."
                }
            }
        }
    }
}
