//! What the page says of its numbers: what they mean, whose judgements they rest on, and of which part of a benchmark they are.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::shown::shown;
use super::words::Words;
use crate::table::{Board, LeftOutScore, Over};
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
        (left_out_list(board, words))
    }
}

/// Under the leaderboard: how many scores are on it for no model because they cannot be right, and where they are named.
pub(super) fn left_out_count(board: &Board, words: &Words) -> Markup {
    let count = left_out(board).len();
    html! {
        @if count > 0 {
            p.legend.quiet {
                a href="#view=notes" data-text="leftOut" { (words.text("leftOut")) } ": " (count) "."
            }
        }
    }
}

/// Each score that was left out because it cannot be right: model, task, unit and why.
fn left_out_list(board: &Board, words: &Words) -> Markup {
    let lines = left_out(board);
    html! {
        @if !lines.is_empty() {
            h3 data-text="leftOut" { (words.text("leftOut")) }
            (words.paragraph("leftOutHelp"))
            ul #left-out { @for line in &lines { li { (shown(line)) } } }
        }
    }
}

fn left_out(board: &Board) -> BTreeSet<String> {
    board.rows.iter().flat_map(|row| board.left_out_of(row)).map(LeftOutScore::to_string).collect()
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
                (words.span("provenanceCount")) ": " (by_model) " / " (board.columns.len()) ". "
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

#[cfg(test)]
mod tests {
    use super::super::texts::{ENGLISH, PageLanguages};
    use super::*;
    use crate::table::{BoardWarning, CellNote, NotedScore, Row, ScoreFault};

    #[test]
    fn a_score_that_was_left_out_is_named_with_its_model_its_task_and_why() {
        let line = "org/model, STS12, split test, subset default: left out: expected a number <= 1";
        let name = "org/model".to_owned();
        let row = Row { model: name.clone(), name: name.clone(), ..Row::default() };
        let left_out = BoardWarning::Score(LeftOutScore {
            row: name.clone(),
            model: name.clone(),
            task: "STS12".to_owned(),
            unit: ("test".to_owned(), "default".to_owned()),
            path: "results/org__model/1/STS12.json".into(),
            fault: ScoreFault::InFile("expected a number <= 1".to_owned()),
        });
        let other = BoardWarning::Noted(NotedScore {
            row: name.clone(),
            model: name,
            task: "STS13".to_owned(),
            is_marked: true,
            note: CellNote::Data("data of revision 1".to_owned()),
        });
        assert_eq!(other.to_string(), "org/model, STS13: marked: data of revision 1");
        let board = Board { rows: vec![row], warnings: vec![left_out, other], ..Board::default() };
        let words = Words::new(&PageLanguages::default(), ENGLISH);
        let page = notes(&board, &words).into_string();
        assert!(page.contains(&format!("<li>{}</li>", line.replace('<', "&lt;"))), "{page}");
        assert!(!page.contains("STS13"), "{page}");
        let count = left_out_count(&board, &words).into_string();
        assert!(count.contains("href=\"#view=notes\"") && count.contains(": 1."), "{count}");
        let none = left_out_count(&Board::default(), &words).into_string();
        assert_eq!(none, "");
    }
}
