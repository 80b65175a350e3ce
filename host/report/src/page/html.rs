//! The page as one HTML file.

use std::collections::{BTreeMap, BTreeSet};

use super::charts::charts;
use super::data::{data, languages};
use super::graded::Graded;
use super::policy::{escape, json_in_script, policy};
use super::rows::{choice, table};
use super::texts::{Language, TEXTS};
use crate::table::{Board, Over};

const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/page.js");

/// Views that the page can be turned to; those of one model and one task are reached by links.
const VIEWS: [&str; 7] = ["board", "tasks", "languages", "heat", "charts", "graded", "notes"];

/// Bounds of the filter by parameters, and how they are called.
const SIZES: [(u64, u64); 5] = [
    (0, 100_000_000),
    (100_000_000, 500_000_000),
    (500_000_000, 1_000_000_000),
    (1_000_000_000, 5_000_000_000),
    (5_000_000_000, 0),
];

/// Bounds of the filter by dimension.
const DIMENSIONS: [(u64, u64); 4] = [(0, 384), (384, 768), (768, 1024), (1024, 0)];

/// The page of a board, with a view of graded relevance where there is some.
pub fn page(board: &Board, graded: Option<&Graded>, language: Language) -> String {
    let texts = language.texts();
    let text = |key: &str| escape(&texts[key]);
    let title = if board.name.is_empty() { text("board") } else { escape(&board.name) };
    let part = if is_narrowed(board) {
        format!(" <span class=\"mark\" data-text=\"part\">{}</span>", text("part"))
    } else {
        String::new()
    };
    let of_part = if is_narrowed(board) { format!(" ({})", text("part")) } else { String::new() };
    let links: String = VIEWS
        .iter()
        .filter(|view| **view != "graded" || graded.is_some())
        .map(|view| {
            let current = if *view == "board" { " aria-current=\"page\"" } else { "" };
            format!(
                "<li><a href=\"#view={view}\" data-view=\"{view}\" data-text=\"{view}\"{current}>{}</a></li>",
                text(view)
            )
        })
        .collect();
    let texts_json: serde_json::Value = serde_json::from_str(TEXTS).unwrap_or_default();
    let code = language.code();
    let notes = notes(board, &texts);
    format!(
        "<!doctype html>\n<html lang=\"{code}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}{of_part}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\" data-text=\"skip\">{skip}</a>\n\
         <header><div class=\"top\"><h1><bdi>{title}</bdi>{part}</h1>{languages}</div>\n\
         <nav data-label=\"view\" aria-label=\"{view}\"><ul>{links}</ul></nav></header>\n\
         <main id=\"content\" tabindex=\"-1\">\n{filters}\n\
         <section id=\"view-board\">{part_note}<p><span id=\"count\" role=\"status\"></span> <span id=\"chosen\"></span></p>\
         <details class=\"columns\"><summary data-text=\"columns\">{columns}</summary>{choice}</details>{table}{few}</section>\n\
         <section id=\"view-tasks\" hidden><h2 data-text=\"tasks\">{tasks}</h2><div id=\"tasks-part\"></div></section>\n\
         <section id=\"view-languages\" hidden><h2 data-text=\"languages\">{by_language}</h2><div id=\"languages-part\"></div></section>\n\
         <section id=\"view-heat\" hidden><h2 data-text=\"heat\">{heat}</h2><div id=\"heat-part\"></div></section>\n\
         <section id=\"view-charts\" hidden><h2 data-text=\"charts\">{cost}</h2>{measured}{charts}</section>\n\
         {graded_view}\
         <section id=\"view-notes\" class=\"notes\" hidden><h2 data-text=\"notes\">{how}</h2>{notes}</section>\n\
         <section id=\"view-model\" hidden><div id=\"model-part\"></div></section>\n\
         <section id=\"view-task\" hidden><div id=\"task-part\"></div></section>\n</main>\n\
         <footer>mteb-host {version}</footer>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script type=\"application/json\" id=\"texts\">{texts_json}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        policy = policy(STYLE, SCRIPT),
        skip = text("skip"),
        languages = languages_of_page(&texts, language),
        view = text("view"),
        filters = filters(board, &texts),
        columns = text("columns"),
        choice = choice(board, &texts),
        table = table(board, &texts),
        part_note = provenance_note(board, &texts) + &part_note(board, &texts),
        few = if board.too_few { paragraph("noteFew", &texts) } else { String::new() },
        tasks = text("tasks"),
        by_language = text("languages"),
        heat = text("heat"),
        cost = text("charts"),
        measured = paragraph("noteMeasured", &texts),
        charts = charts(board, &texts),
        graded_view = graded.map_or_else(String::new, |graded| graded_view(graded, &text)),
        how = text("notes"),
        version = env!("CARGO_PKG_VERSION"),
        data = json_in_script(&data(board, graded, language)),
        texts_json = json_in_script(&texts_json),
    )
}

/// The view of graded relevance: choices, a table that the script fills, curves, and the scores of the judges.
fn graded_view(graded: &Graded, text: &dyn Fn(&str) -> String) -> String {
    format!(
        "<section id=\"view-graded\" hidden><h2 data-text=\"graded\">{}</h2><p id=\"graded-said\" role=\"status\"></p>{}\
         <div id=\"graded-part\"></div><h3 data-text=\"curves\">{}</h3>{}\
         <h3 data-text=\"judgements\">{}</h3><div id=\"judgements-part\"></div></section>\n",
        text("graded"),
        graded.form(text),
        text("curves"),
        graded.figures(),
        text("judgements"),
    )
}

fn paragraph(key: &str, texts: &BTreeMap<String, String>) -> String {
    format!("<p data-text=\"{key}\">{}</p>", escape(&texts[key]))
}

fn notes(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let (interval, group, ranks) = match board.over {
        Over::Tasks => ("noteInterval", "noteGroup", "noteRanks"),
        Over::Items => ("noteIntervalItems", "noteGroupItems", "noteRanksItems"),
    };
    let keys = [interval, group, ranks, "noteIncomplete", "noteMeasured"];
    let few = board.too_few.then_some("noteFew");
    let lines: String = keys.into_iter().chain(few).map(|key| paragraph(key, texts)).collect();
    provenance_note(board, texts) + &part_note(board, texts) + &lines
}

/// For how many of the tasks a language model wrote the texts or judged them, and what follows; nothing where it is none.
fn provenance_note(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let by_model = board.columns.iter().filter(|column| column.task.badge.is_some()).count();
    if by_model == 0 {
        return String::new();
    }
    let [title, what] = ["provenance", "noteProvenance"]
        .map(|key| format!("<span data-text=\"{key}\">{}</span>", escape(&texts[key])));
    format!("<p class=\"part\">{title}: {by_model} / {}. {what}</p>", board.columns.len())
}

/// True if a part of a benchmark was asked for.
fn is_narrowed(board: &Board) -> bool {
    board.part.as_ref().is_some_and(|part| part.is_narrowed)
}

/// That the page is of a part of its benchmark, and of how much of it; nothing where it is of all of it.
fn part_note(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let Some(part) = &board.part else { return String::new() };
    let text = |key: &str| format!("<span data-text=\"{key}\">{}</span>", escape(&texts[key]));
    let (key, [taken, all]) = part.units.map_or(("tasks", part.tasks), |units| ("units", units));
    let mut note = format!("{} {}: {taken} / {all}.", text("notePart"), text(key));
    if !part.absent.is_empty() {
        note += &format!(" {}: {}.", text("absent"), escape(&part.absent.join(", ")));
    }
    format!("<p class=\"part\">{note}</p>")
}

fn languages_of_page(texts: &BTreeMap<String, String>, language: Language) -> String {
    let option = |code: &str, name: &str| {
        let selected = if code == language.code() { " selected" } else { "" };
        format!("<option value=\"{code}\" lang=\"{code}\"{selected}>{name}</option>")
    };
    format!(
        "<label class=\"language\"><span data-text=\"interface\">{}</span> <select id=\"page-language\">{}{}</select></label>",
        escape(&texts["interface"]),
        option("en", "English"),
        option("id", "Bahasa Indonesia")
    )
}

/// The filters; their choice stands in the address.
fn filters(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let text = |key: &str| escape(&texts[key]);
    let label = |name: &str, key: &str, control: String| {
        format!("<label><span data-text=\"{key}\">{}</span>{control}</label>", text(key))
            .replace("NAME", name)
    };
    let any = format!("<option value=\"\" data-text=\"any\">{}</option>", text("any"));
    let select = |options: String| format!("<select name=\"NAME\">{any}{options}</select>");
    let plain = |names: BTreeSet<&str>| -> String {
        names.into_iter().map(|name| format!("<option value=\"{0}\">{0}</option>", escape(name))).collect()
    };
    let keyed = |options: &[(&str, &str)]| -> String {
        options
            .iter()
            .map(|(value, key)| {
                format!("<option value=\"{value}\" data-text=\"{key}\">{}</option>", text(key))
            })
            .collect()
    };
    let columns = || board.columns.iter();
    let domains = columns().flat_map(|column| column.task.domains.iter().map(String::as_str)).collect();
    let parts = [
        format!(
            "<label><span data-text=\"search\">{}</span><input type=\"search\" name=\"q\" autocomplete=\"off\"></label>",
            text("search")
        ),
        label("type", "type", select(plain(board.types.iter().map(String::as_str).collect()))),
        label("language", "language", select(plain(columns().flat_map(languages).collect()))),
        label("domain", "domain", select(plain(domains))),
        label("size", "size", select(ranges(&SIZES))),
        label("dimension", "dimension", select(ranges(&DIMENSIONS))),
        label("open", "open", select(keyed(&[("true", "openYes"), ("false", "openNo")]))),
        label("zero", "zero", select(keyed(&[("full", "zeroFull"), ("known", "zeroKnown")]))),
        label("instruct", "instruct", select(keyed(&[("true", "instructYes"), ("false", "instructNo")]))),
    ];
    format!(
        "<form class=\"filters\">{}<div class=\"field\"><span aria-hidden=\"true\">&nbsp;</span>\
         <button type=\"button\" id=\"reset\" data-text=\"reset\">{}</button></div></form>",
        parts.concat(),
        text("reset")
    )
}

fn ranges(bounds: &[(u64, u64)]) -> String {
    let shown = |number: u64| match number {
        1_000_000_000.. => format!("{} B", number / 1_000_000_000),
        1_000_000.. => format!("{} M", number / 1_000_000),
        _ => number.to_string(),
    };
    let option = |(low, high): &(u64, u64)| {
        let text = match (low, high) {
            (0, high) => format!("≤ {}", shown(*high)),
            (low, 0) => format!("&gt; {}", shown(*low)),
            (low, high) => format!("&gt; {} – {}", shown(*low), shown(*high)),
        };
        format!("<option value=\"{low}-{high}\">{text}</option>")
    };
    bounds.iter().map(option).collect()
}
