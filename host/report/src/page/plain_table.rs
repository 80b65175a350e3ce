//! The leaderboard of the page as plain HTML, for those who let no script run.

use maud::{Markup, html};

use super::shown::shown;
use super::words::Words;
use crate::table::{Board, Row};
use crate::{percent_or_dash, visible};

/// The table: rank, model and means.
pub(super) fn plain(board: &Board, words: &Words) -> Markup {
    let titles = ["rank", "model", "mean", "meanType"].map(|key| words.text(key));
    let types = board.types.iter().map(|name| visible(name));
    html! {
        table {
            thead { tr { @for title in titles.into_iter().chain(types) { th scope="col" { (title) } } } }
            tbody { @for row in &board.rows { (plain_row(row)) } }
        }
    }
}

fn plain_row(row: &Row) -> Markup {
    let rank = row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
    let means = [row.mean, row.mean_of_types].into_iter().chain(row.types.iter().copied());
    html! {
        tr {
            td { (rank) }
            th scope="row" { bdi { (shown(&row.name)) } }
            @for mean in means { td { (percent_or_dash(mean)) } }
        }
    }
}
