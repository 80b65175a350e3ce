//! What the page says of its numbers: what they mean, whose judgements they rest on, of which part
//! of a benchmark they are, and which results do not count.

use std::collections::BTreeSet;
use std::path::Path;

use maud::{Markup, html};

use super::texts::{Words, show_name};
use crate::reading::{LeftOut, LeftOutPart};
use crate::table::{Board, LeftOutScore, Over};
use crate::visible;

/// So many files are named on a page; the command names all.
const MOST_FILES: usize = 200;

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

/// Under the leaderboard: how many scores are on it for no model because they cannot be right, and
/// where they are named.
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
            ul #left-out { @for line in &lines { li { (show_name(line)) } } }
        }
    }
}

fn left_out(board: &Board) -> BTreeSet<String> {
    let of_rows = board.rows.iter().flat_map(|row| board.left_out_of(row)).map(LeftOutScore::to_string);
    of_rows.chain(left_out_when_read(board, LeftOutPart::Score)).collect()
}

/// In the head: how many result files count nowhere, and, on a click, which and why.
pub(super) fn left_out_files(board: &Board, words: &Words) -> Markup {
    let lines: BTreeSet<String> = left_out_when_read(board, LeftOutPart::File).collect();
    let more = lines.len().saturating_sub(MOST_FILES);
    html! {
        @if !lines.is_empty() {
            details.files {
                summary { (words.span("leftOutFiles")) ": " (lines.len()) }
                (words.paragraph("leftOutFilesHelp"))
                ul #left-out-files {
                    @for line in lines.iter().take(MOST_FILES) { li { (show_name(line)) } }
                    @if more > 0 { li { (more) " " (words.span("andMore")) } }
                }
            }
        }
    }
}

/// What was left out when results were read, a line each: its model, the file and why.
fn left_out_when_read(board: &Board, part: LeftOutPart) -> impl Iterator<Item = String> {
    board.left_out_when_read().filter(move |left| left.part() == part).map(line_of)
}

/// Its model, the file and why.
fn line_of(left: &LeftOut) -> String {
    format!("{}, {}", left.model, line_of_row(left))
}

/// What is said of it where its row is known. The file is named below its folder alone: where
/// results lie on somebody's machine is nobody else's concern.
pub(super) fn line_of_row(left: &LeftOut) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = left.path.parent().map(name).unwrap_or_default();
    format!("{folder}/{}: {}", name(&left.path), left.why)
}

/// The notes without which nobody should read the table: who judged, and that it is of a part.
pub(super) fn part_notes(board: &Board, words: &Words) -> Markup {
    html! { (provenance_note(board, words)) (part_note(board, words)) (beyond_note(board, words)) (nobody_note(board, words)) }
}

/// True if a part of a benchmark was asked for.
pub(super) fn is_narrowed(board: &Board) -> bool {
    board.part.as_ref().is_some_and(|part| part.is_narrowed)
}

/// For how many of the tasks a language model wrote the texts or judged them, and what follows;
/// nothing where it is none.
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

/// That the means of the page are none of a benchmark, and how many of its tasks the widest
/// benchmark has.
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

/// Why all means are dashes: tasks of which nobody has a whole result, where for that no model has
/// all.
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

/// That the page is of a part of its benchmark, and of how much of it; nothing where it is of all
/// of it.
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
    use crate::reading::WhyLeftOut;
    use crate::table::{BoardWarning, CellNote, NotedScore, Row, ScoreFault};

    #[test]
    fn a_file_that_was_left_out_is_named_in_the_head_without_the_folders_above_it() {
        let left = |file: &str, why| {
            BoardWarning::File(LeftOut {
                path: format!("/home/ana/results/org__model/1/{file}").into(),
                model: "org/<model>".to_owned(),
                why,
            })
        };
        let other = WhyLeftOut::OtherModel { expected: "a".to_owned(), found: "<b>".to_owned() };
        let unit = WhyLeftOut::Unit {
            split: "test".to_owned(),
            subset: "default".to_owned(),
            fault: "expected a number <= 1".to_owned(),
        };
        let warnings = vec![
            left("STS12.json", other),
            left("STS13.json", unit),
            left("model_meta.json", WhyLeftOut::MetaNameless),
        ];
        let board = Board { warnings, ..Board::default() };
        let words = Words::new(&PageLanguages::default(), ENGLISH);
        let head = left_out_files(&board, &words).into_string();
        let line = "<li>org/&lt;model&gt;, 1/STS12.json: left out: expected results of the model a, found: &lt;b&gt;</li>";
        assert!(head.contains(": 1</summary>") && head.contains(line), "{head}");
        assert!(!head.contains("ana") && head.matches("<li>").count() == 1, "{head}");
        let notes = notes(&board, &words).into_string();
        assert!(notes.contains("<li>org/&lt;model&gt;, 1/STS13.json: left out: split test"), "{notes}");
        assert_eq!(left_out_files(&Board::default(), &words).into_string(), "");
    }

    #[test]
    fn of_very_many_files_the_first_are_named_and_the_others_are_counted() {
        let left = |number: usize| {
            BoardWarning::File(LeftOut {
                path: format!("results/m/1/Task{number}.json").into(),
                model: "m".to_owned(),
                why: WhyLeftOut::NoScores,
            })
        };
        let board = Board { warnings: (0..MOST_FILES + 7).map(left).collect(), ..Board::default() };
        let words = Words::new(&PageLanguages::default(), ENGLISH);
        let head = left_out_files(&board, &words).into_string();
        assert_eq!(head.matches("<li>").count(), MOST_FILES + 1);
        assert!(
            head.contains(": 207</summary>") && head.contains("<li>7 <span data-text=\"andMore\">"),
            "{head}"
        );
    }

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
