//! The leaderboard of the page as plain HTML, for those who let no script run.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::policy::escape;
use super::shown::shown;
use crate::percent_or_dash;
use crate::table::Board;

/// The table: rank, model and means.
pub fn plain(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let titles = ["rank", "model", "mean", "meanType"].map(|key| texts[key].as_str());
    let titles = titles.into_iter().chain(board.types.iter().map(String::as_str));
    let head: String = titles.map(|title| format!("<th scope=\"col\">{}</th>", escape(title))).collect();
    let mut body = String::new();
    for row in &board.rows {
        let rank = row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        let _ = write!(
            body,
            "<tr><td>{rank}</td><th scope=\"row\"><bdi>{}</bdi></th>",
            escape(&shown(&row.name))
        );
        for mean in [row.mean, row.mean_of_types].into_iter().chain(row.types.iter().copied()) {
            let _ = write!(body, "<td>{}</td>", percent_or_dash(mean));
        }
        body += "</tr>\n";
    }
    format!("<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>")
}
