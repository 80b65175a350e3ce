//! What frames the views of the page: its head, which says what is measured and how much of it
//! there is, the other pages beside it, and what is clicked: its language, the filters, and the
//! dialogs that they open.

use maud::{Markup, html};

use super::texts::{PageLanguages, Words};
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
            span { (board.columns.len()) " " (words.span(choose_form(board.columns.len(), ["oneTask", "tasksCount"]))) }
            span {
                (board.rows.len()) " " (words.span(choose_form(board.rows.len(), ["oneModel", "modelsCount"]))) " ("
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

fn choose_form(count: usize, [one, more]: [&'static str; 2]) -> &'static str {
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

/// Forms in which the table is exported: their values, and what they are called.
const EXPORTS: [(&str, &str); 4] =
    [("csv", "CSV"), ("latex", "LaTeX"), ("markdown", "Markdown"), ("bibtex", "BibTeX")];

/// The choice of the language, of which the page opens in `opens`.
pub(super) fn languages(languages: &PageLanguages, opens: &str, words: &Words) -> Markup {
    html! {
        label.language {
            (words.span("interface")) " "
            select #page-language {
                @for (code, name) in languages.names() {
                    option value=(visible(code)) lang=(visible(code)) selected[code == opens] { (visible(name)) }
                }
            }
        }
    }
}

/// The filters above the views.
pub(super) fn filters(words: &Words) -> Markup {
    html! {
        form #filters.toolbar role="search" {
            label.field.search { (words.span("search")) input type="search" name="q" autocomplete="off"; }
            button #drawer-open type="button" aria-haspopup="dialog" {
                (words.span("filters")) " " span #filter-count {}
            }
            details.columns.of-board {
                summary data-text="columns" { (words.text("columns")) }
                div #columns-part.choices {}
            }
            button #export-open.of-board type="button" aria-haspopup="dialog" data-text="export" {
                (words.text("export"))
            }
            div #chips.chips {}
            div #language-part.quiet {}
        }
    }
}

/// The models that are compared, and what opens above the page.
pub(super) fn overlays(words: &Words) -> Markup {
    html! {
        div #tray role="region" data-label="compare" aria-label=(words.text("compare")) hidden {
            div #tray-part {}
        }
        dialog #drawer aria-labelledby="drawer-title" { div.dialog { (drawer(words)) } }
        dialog #export aria-labelledby="export-title" { div.dialog { (export(words)) } }
        div #tip role="tooltip" hidden {}
    }
}

fn drawer(words: &Words) -> Markup {
    html! {
        (dialog_head("drawer-title", "filters", words))
        p #drawer-count.quiet role="status" {}
        div #drawer-part {}
        p { button #drawer-reset type="button" data-text="reset" { (words.text("reset")) } }
    }
}

fn export(words: &Words) -> Markup {
    html! {
        (dialog_head("export-title", "export", words))
        p.toolbar {
            label.field {
                (words.span("exportForm"))
                select #export-form { @for (form, name) in EXPORTS { option value=(form) { (name) } } }
            }
            button #export-copy type="button" data-text="copy" { (words.text("copy")) } " "
            a #export-save.main href="#" data-text="save" { (words.text("save")) } " "
            span #export-said role="status" {}
        }
        textarea #export-text readonly rows="14" data-label="export" aria-label=(words.text("export")) {}
    }
}

/// The title of a dialog, and what closes it.
fn dialog_head(id: &str, key: &str, words: &Words) -> Markup {
    html! {
        div.top {
            h2 id=(id) data-text=(key) { (words.text(key)) }
            button type="button" data-close data-text="close" { (words.text("close")) }
        }
    }
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
