//! The page as one HTML file, and what a browser may do with it: run its one script, use its one
//! style, and nothing else.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::data::{PageParts, data};
use super::frame::{about, filters, languages, other_pages, overlays};
use super::notes::{is_narrowed, left_out_files, part_notes};
use super::texts::Words;
use super::views::{links, views};
use crate::table::Board;
use crate::visible;

const STYLE: &str = include_str!("assets/page.css");

/// The libraries of the page, then its own parts in the order in which each may use those before
/// it; all see each other and nothing of the window sees them.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("assets/vendor/vendor.js"),
    include_str!("assets/script/base.js"),
    include_str!("assets/script/means.js"),
    include_str!("assets/script/filters.js"),
    include_str!("assets/script/board.js"),
    include_str!("assets/script/chosen-languages.js"),
    include_str!("assets/script/export.js"),
    include_str!("assets/script/plot.js"),
    include_str!("assets/script/charts.js"),
    include_str!("assets/script/compare.js"),
    include_str!("assets/script/tasks.js"),
    include_str!("assets/script/heat.js"),
    include_str!("assets/script/languages.js"),
    include_str!("assets/script/model-view.js"),
    include_str!("assets/script/map.js"),
    include_str!("assets/script/graded.js"),
    include_str!("assets/script/main.js"),
    "})();\n"
);

/// The page of a board, which opens in one of the languages of its `parts`.
pub fn page(board: &Board, parts: &PageParts, language: &str) -> String {
    let words = Words::new(&parts.languages, language);
    let page = html! {
        (DOCTYPE)
        html lang=(visible(language)) {
            head { (head(board, &words)) }
            body { (body(board, parts, language, &words)) }
        }
    };
    page.into_string()
}

fn head(board: &Board, words: &Words) -> Markup {
    html! {
        meta charset="utf-8";
        meta http-equiv="Content-Security-Policy" content=(policy(STYLE, SCRIPT));
        meta name="viewport" content="width=device-width, initial-scale=1";
        meta name="referrer" content="no-referrer";
        title { (title(board, words)) @if is_narrowed(board) { " (" (words.text("part")) ")" } }
        style { (PreEscaped(STYLE)) }
    }
}

fn body(board: &Board, parts: &PageParts, language: &str, words: &Words) -> Markup {
    html! {
        a.skip href="#content" data-text="skip" { (words.text("skip")) }
        header {
            div.top {
                div {
                    h1 {
                        bdi { (title(board, words)) }
                        @if is_narrowed(board) { " " span.mark data-text="part" { (words.text("part")) } }
                    }
                    (about(board, words))
                    (left_out_files(board, words))
                    (other_pages(&parts.others, words))
                }
                (languages(&parts.languages, language, words))
            }
            nav data-label="view" aria-label=(words.text("view")) { ul { (links(parts, words)) } }
        }
        main #content tabindex="-1" {
            (part_notes(board, words))
            (filters(words))
            (views(board, parts, words))
        }
        (overlays(words))
        footer { "mteb-host " (env!("CARGO_PKG_VERSION")) }
        script #data type="application/json" { (json_in_script(&data(board, parts, language))) }
        script #texts type="application/json" { (json_in_script(&parts.languages.json())) }
        script { (PreEscaped(SCRIPT)) }
    }
}

fn title<'a>(board: &'a Board, words: &'a Words) -> Cow<'a, str> {
    if board.name.is_empty() { words.text("board") } else { visible(&board.name) }
}

/// The Content-Security-Policy of a page with this style and this script.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// JSON that may stand within a `<script>` element, where the escapes of HTML have no meaning.
fn json_in_script(value: &serde_json::Value) -> PreEscaped<String> {
    let text = value.to_string();
    PreEscaped(
        text.replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('&', "\\u0026")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::graded::{Graded, GradedPart, GradedSystem};
    use super::super::texts::{ENGLISH, LanguageFile};
    use super::*;
    use crate::benchmark::{About, BeyondBenchmark, Part};
    use crate::reading::{LeftOut, WhyLeftOut};
    use crate::table::{BoardWarning, Cell, Column, Row};

    /// A name that would be markup, ends an attribute and has a character that nobody sees.
    const NAME: &str = "<script>\"onload='x'&amp;\u{202e}</style>";

    /// The page of a board with everything that a page can have, and whose names are all [`NAME`].
    fn page_of_all() -> String {
        let name = || NAME.to_owned();
        let about = About {
            title: name(),
            reference: Some(format!("https://example.org/{NAME}")),
            citation: Some(name()),
            registry: Some((name(), name())),
            provenance: Some(name()),
        };
        let part = Part { tasks: [1, 2], absent: vec![name()], is_narrowed: true, ..Part::default() };
        let row = Row { name: name(), ..Row::default() };
        let left = LeftOut {
            path: NAME.into(),
            model: name(),
            why: WhyLeftOut::OtherModel { expected: name(), found: name() },
        };
        let board = Board {
            name: name(),
            part: Some(part),
            beyond: Some(BeyondBenchmark {
                registry: name(),
                tasks: 34,
                benchmark: name(),
                of_benchmark: 26,
            }),
            about,
            newest: Some(0.0),
            types: vec![name()],
            rows: vec![row],
            too_few: true,
            warnings: vec![BoardWarning::File(left)],
            ..Board::default()
        };
        let system = GradedSystem {
            name: name(),
            is_reranked: true,
            recall: vec![vec![None]],
            ..GradedSystem::default()
        };
        let part = GradedPart { systems: vec![system], ..GradedPart::default() };
        let mut parts = PageParts {
            graded: Some(Graded {
                tasks: vec![name()],
                judges: vec![name()],
                parts: vec![part.clone(), part],
            }),
            others: vec![(name(), name())],
            ..PageParts::default()
        };
        parts.languages.add("jv", LanguageFile { name: name(), ..LanguageFile::default() });
        page(&board, &parts, ENGLISH)
    }

    #[test]
    fn names_of_others_open_no_element_and_end_no_attribute() {
        let page = page_of_all();
        let shown = html! { (visible(NAME)) }.into_string();
        assert!(shown.starts_with("&lt;script&gt;&quot;onload=") && !shown.contains('\u{202e}'), "{shown}");
        let places = [
            "<title>",
            "<h1><bdi>",
            "<p class=\"about\">",
            "<p>",
            "<pre>",
            "<li>",
            "<a href=\"",
            "<option value=\"",
            "<option value=\"0\">",
            "<th scope=\"row\"><bdi>",
        ];
        let missing: Vec<&str> =
            places.into_iter().filter(|place| !page.contains(&format!("{place}{shown}"))).collect();
        assert_eq!(missing, Vec::<&str>::new());
        let (before, _) = page.split_once(SCRIPT).unwrap();
        assert_eq!((before.matches("<script").count(), before.matches("</style>").count()), (3, 1));
    }

    #[test]
    fn whose_the_means_are_not_stands_on_the_page() {
        let page = page_of_all();
        let note = page.split("<p class=\"part\">").find(|note| note.contains("noteBeyond")).unwrap();
        assert!(note.contains("are not those of a benchmark") && note.contains(": 26 / 34."), "{note}");
    }

    #[test]
    fn tasks_that_nobody_has_are_named_where_all_means_are_dashes() {
        let column = |name: &str| {
            let mut column = Column::default();
            name.clone_into(&mut column.task.name);
            column
        };
        let has = |score: Option<f64>| Cell { complete: score, ..Cell::default() };
        let row = |scores: [Option<f64>; 2]| Row { cells: scores.map(has).to_vec(), ..Row::default() };
        let page_of = |rows: Vec<Row>| {
            let board = Board { columns: vec![column("Ada"), column("Tiada")], rows, ..Board::default() };
            page(&board, &PageParts::default(), ENGLISH)
        };
        let note = "data-text=\"noteNobody\"";
        let empty = page_of(vec![row([Some(0.5), None]), row([None, None])]);
        let told = empty.split(note).nth(1).unwrap().split("</p>").next().unwrap();
        assert!(told.ends_with("(1 / 2): Tiada."), "{told}");
        assert!(
            !page_of(vec![row([Some(0.5), Some(0.4)]), row([None, None])]).contains(note),
            "one model has all"
        );
    }

    #[test]
    fn the_policy_is_that_of_the_style_and_the_script_on_the_page() {
        let page = page_of_all();
        let within = |from: &str, to: &str| {
            let rest = page.rsplit_once(from).map(|(_, rest)| rest).unwrap();
            rest.split_once(to).map(|(text, _)| text).unwrap().to_owned()
        };
        let expected = policy(&within("<style>", "</style>"), &within("<script>", "</script>"));
        assert!(page.contains(&format!("content=\"{expected}\"")), "{expected}");
    }

    #[test]
    fn every_text_that_the_page_names_is_there() {
        let page = page_of_all();
        let texts = PageParts::default().languages.texts(ENGLISH);
        let keys = ["data-text=\"", "data-label=\""].into_iter().flat_map(|mark| page.split(mark).skip(1));
        let keys: Vec<&str> = keys.filter_map(|rest| rest.split('"').next()).collect();
        let missing: Vec<&&str> = keys.iter().filter(|key| !texts.contains_key(**key)).collect();
        assert!(keys.len() > 60 && missing.is_empty(), "{missing:?} of {}", keys.len());
    }

    #[test]
    fn names_of_others_end_no_script() {
        let json = json_in_script(&"</script><!--".into());
        assert_eq!(json.into_string(), "\"\\u003c/script\\u003e\\u003c!--\"");
    }
}
