//! What is clicked on the page: its language, the filters, and the dialogs that they open.

use maud::{Markup, html};

use super::texts::PageLanguages;
use super::words::Words;
use crate::visible;

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
