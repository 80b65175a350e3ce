//! The head of the page: what is measured, by whom, how much of it there is, and the other pages beside it.

use maud::{Markup, html};

use super::words::Words;
use crate::table::Board;
use crate::visible;

/// What is measured, by whom, how much of it is there, how old it is, and where it is described.
pub(super) fn about(board: &Board, words: &Words) -> Markup {
    let about = &board.about;
    let complete = board.rows.iter().filter(|row| row.is_complete()).count();
    let publisher = about.registry.as_ref();
    let publisher = publisher.map(|(name, title)| if title.is_empty() { name } else { title });
    let address = about.reference.as_deref().filter(|address| is_address(address));
    html! {
        p.about {
            @if !about.title.is_empty() { (visible(&about.title)) br; }
            span { (board.columns.len()) " " (words.span(one_or_more(board.columns.len(), ["oneTask", "tasksCount"]))) }
            span {
                (board.rows.len()) " " (words.span(one_or_more(board.rows.len(), ["oneModel", "modelsCount"]))) " ("
                (complete) " " (words.span("completeCount")) ")"
            }
            @if let Some(seconds) = board.newest { span { (words.span("newest")) " " (day(seconds)) } }
            @if let Some(name) = publisher { span { (words.span("publisher")) " " (visible(name)) } }
            @if let Some(address) = address {
                span {
                    a href=(visible(address)) rel="noreferrer noopener" data-text="described" {
                        (words.text("described"))
                    }
                }
            }
        }
        @if let Some(citation) = &about.citation {
            details { summary data-text="cite" { (words.text("cite")) } pre { (visible(citation)) } }
        }
    }
}

/// Links to the pages of other benchmarks, which lie beside this one.
pub(super) fn other_pages(others: &[(String, String)], words: &Words) -> Markup {
    html! {
        @if !others.is_empty() {
            p.about.others {
                (words.span("otherPages")) " "
                @for (name, file) in others { a href=(visible(file)) { bdi { (visible(name)) } } " " }
            }
        }
    }
}

fn one_or_more(count: usize, [one, more]: [&'static str; 2]) -> &'static str {
    if count == 1 { one } else { more }
}

fn is_address(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// The day of seconds of Unix, as `2025-01-31`. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn day(seconds: f64) -> String {
    let days = (seconds / 86_400.0).floor() as i64 + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let (day, month) = (of_year - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + i64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        assert_eq!(
            ["1970-01-01", "2024-02-29", "2026-08-20"],
            [0.0, 1_709_251_199.0, 1_787_184_000.5].map(day)
        );
    }
}
