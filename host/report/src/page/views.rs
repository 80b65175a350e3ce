//! The views that the page can be turned to. Most are empty until the script fills them.

use maud::{Markup, html};

use super::data::PageParts;
use super::graded::Graded;
use super::notes::{left_out_count, notes};
use super::texts::{Words, show_name};
use crate::table::{Board, Row};
use crate::{percent_or_dash, visible};

/// Views that links lead to; those of one model and one task are reached from tables.
const VIEWS: [&str; 9] =
    ["board", "tasks", "languages", "heat", "charts", "compare", "map", "graded", "notes"];

/// The links to the views that the page has.
pub(super) fn links(parts: &PageParts, words: &Words) -> Markup {
    let is_there = |view: &&str| match *view {
        "graded" => parts.graded.is_some(),
        "map" => !parts.maps.is_empty(),
        _ => true,
    };
    html! {
        @for view in VIEWS.into_iter().filter(is_there) {
            li {
                a href={ "#view=" (view) } data-view=(view) data-text=(view)
                    aria-current=[(view == "board").then_some("page")] { (words.text(view)) }
            }
        }
    }
}

/// All views, that of the board open.
pub(super) fn views(board: &Board, parts: &PageParts, words: &Words) -> Markup {
    html! {
        (board_view(board, words))
        section #view-tasks hidden { (words.title("tasks")) div #tasks-part {} }
        section #view-languages hidden { (words.title("languages")) div #languages-part {} }
        section #view-heat hidden { (words.title("heat")) div #heat-part {} }
        section #view-charts hidden {
            (words.title("charts"))
            div #charts-part {}
            p.quiet data-text="noteMeasured" { (words.text("noteMeasured")) }
        }
        section #view-compare hidden { (words.title("compare")) div #compare-part {} }
        @if !parts.maps.is_empty() {
            section #view-map hidden { (words.title("map")) div #map-part {} }
        }
        @if let Some(graded) = &parts.graded { (graded_view(graded, words)) }
        section #view-notes.notes hidden { (words.title("notes")) (notes(board, words)) }
        section #view-model hidden { div #model-part {} }
        section #view-task hidden { div #task-part {} }
    }
}

fn board_view(board: &Board, words: &Words) -> Markup {
    html! {
        section #view-board {
            p.quiet { span #count role="status" {} " " span #chosen {} }
            div #board-scroll.scroll.board tabindex="0" role="region" data-label="board" aria-label=(words.text("board")) {
                table #board { colgroup {} thead { tr {} } tbody {} }
            }
            p.legend.quiet { b { "†" } " " (words.span("legendMark")) }
            (left_out_count(board, words))
            @if board.too_few { (words.paragraph("noteFew")) }
            noscript { (write_plain_board(board, words)) }
        }
    }
}

/// The board as plain HTML, for those who let no script run: rank, model and means.
fn write_plain_board(board: &Board, words: &Words) -> Markup {
    let titles = ["rank", "model", "mean", "meanType"].map(|key| words.text(key));
    let types = board.types.iter().map(|name| visible(name));
    html! {
        table {
            thead { tr { @for title in titles.into_iter().chain(types) { th scope="col" { (title) } } } }
            tbody { @for row in &board.rows { (write_plain_row(row)) } }
        }
    }
}

fn write_plain_row(row: &Row) -> Markup {
    let rank = row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let means = [row.mean, row.mean_of_types].into_iter().chain(row.types.iter().copied());
    html! {
        tr {
            td { (rank) }
            th scope="row" { bdi { (show_name(&row.name)) } }
            @for mean in means { td { (percent_or_dash(mean)) } }
        }
    }
}

/// The view of graded relevance: choices, and tables and curves that the script fills.
fn graded_view(graded: &Graded, words: &Words) -> Markup {
    html! {
        section #view-graded hidden {
            (words.title("graded"))
            p #graded-said role="status" {}
            (graded.form(words))
            div #graded-part {}
            @for key in ["curves", "judgements", "agreement"] {
                h3 data-text=(key) { (words.text(key)) }
                div id={ (key) "-part" } {}
            }
        }
    }
}
