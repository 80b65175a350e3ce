//! The leaderboard of the page as HTML: it stands there before any script runs, and without one.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::policy::escape;
use super::shown::shown;
use crate::statistics::Interval;
use crate::table::{Board, Over, Row};
use crate::{percent, percent_or_dash};

/// Columns of the board: name of the text, whether the smallest comes first, whether it can be hidden.
const COLUMNS: [(&str, bool, bool); 12] = [
    ("rank", true, false),
    ("model", true, false),
    ("group", true, true),
    ("mean", false, false),
    ("interval", false, true),
    ("ranks", true, true),
    ("meanType", false, true),
    ("parameters", true, true),
    ("dimension", true, true),
    ("tokens", false, true),
    ("zeroShot", false, true),
    ("release", false, true),
];

/// Tasks that a mark names; the part of the model has more.
const NAMED: usize = 3;

/// Pixels of the drawing of an interval.
const WIDTH: f64 = 120.0;

/// The table.
pub fn table(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let mut head = String::new();
    for (key, is_up, can_hide) in COLUMNS {
        let shown = text_of(key, board.over);
        title(&mut head, key, &texts[shown], Some(shown), is_up, can_hide);
        if key == "meanType" {
            for (number, name) in board.types.iter().enumerate() {
                title(&mut head, &format!("type{number}"), name, None, false, true);
            }
            for (number, group) in board.groups.iter().enumerate() {
                title(&mut head, &format!("group{number}"), &group.title(), None, false, true);
            }
        }
    }
    let ends = board.rows.iter().filter_map(|row| board.interval(row));
    let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), interval| {
        (low.min(interval.low), high.max(interval.high))
    });
    let body: String = (0..board.rows.len()).map(|number| line(board, number, (low, high), texts)).collect();
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" data-label=\"board\" aria-label=\"{}\">\
         <table id=\"board\"><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>",
        escape(&texts["board"])
    )
}

/// The text of a column's title.
fn text_of(key: &'static str, over: Over) -> &'static str {
    match (key, over) {
        ("interval", Over::Items) => "intervalItems",
        _ => key,
    }
}

/// The choice of columns.
pub fn choice(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let box_of = |key: &str, text: &str, is_key: bool| {
        let (data, text) = match is_key {
            true => (format!(" data-text=\"{text}\""), texts[text].as_str()),
            false => (String::new(), text),
        };
        format!(
            "<label><input type=\"checkbox\" value=\"{key}\" checked><span{data}>{}</span></label>",
            escape(text)
        )
    };
    let own = COLUMNS
        .iter()
        .filter(|(_, _, can_hide)| *can_hide)
        .map(|(key, _, _)| box_of(key, text_of(key, board.over), true));
    let types =
        board.types.iter().enumerate().map(|(number, name)| box_of(&format!("type{number}"), name, false));
    let groups = board
        .groups
        .iter()
        .enumerate()
        .map(|(number, group)| box_of(&format!("group{number}"), &group.title(), false));
    own.chain(types).chain(groups).collect()
}

fn title(out: &mut String, key: &str, text: &str, data: Option<&str>, is_up: bool, can_hide: bool) {
    let column = if can_hide { format!(" data-column=\"{key}\"") } else { String::new() };
    let class = if key == "model" { " class=\"name\"" } else { "" };
    let sort = if key == "rank" { " aria-sort=\"ascending\"" } else { "" };
    let data = data.map_or(String::new(), |key| format!(" data-text=\"{key}\""));
    let first = if is_up { "up" } else { "down" };
    let _ = write!(
        out,
        "<th scope=\"col\" data-sort=\"{key}\" data-first=\"{first}\"{column}{class}{sort}><button type=\"button\"{data}>{}</button></th>",
        escape(text)
    );
}

fn line(board: &Board, number: usize, range: (f64, f64), texts: &BTreeMap<String, String>) -> String {
    let row = &board.rows[number];
    let whole = |number: Option<usize>| number.map_or_else(|| "–".to_owned(), |number| number.to_string());
    let mut out = format!(
        "<tr data-row=\"{number}\"><td>{}</td><th scope=\"row\" class=\"name\"><a data-model href=\"#view=model\"><bdi>{}</bdi></a>{}</th>",
        whole(row.rank),
        name(&row.name),
        marks(board, row, texts)
    );
    let cells: [(&str, String); 5] = [
        ("group", whole(row.group)),
        ("", format!("<td class=\"mean\">{}</td>", percent_or_dash(row.mean))),
        ("interval", interval(board.interval(row), range)),
        ("ranks", row.ranks.map_or_else(|| "–".to_owned(), |(best, worst)| format!("{best}–{worst}"))),
        ("meanType", percent_or_dash(row.mean_of_types)),
    ];
    for (key, text) in cells {
        if key.is_empty() { out += &text } else { cell(&mut out, key, &text) }
    }
    for (number, mean) in row.types.iter().enumerate() {
        cell(&mut out, &format!("type{number}"), &percent_or_dash(*mean));
    }
    for (number, mean) in row.groups.iter().enumerate() {
        cell(&mut out, &format!("group{number}"), &percent_or_dash(*mean));
    }
    let facts = &row.facts;
    let small = |number: Option<u32>| whole(number.map(|number| number as usize));
    cell(
        &mut out,
        "parameters",
        &facts.parameters.filter(|number| *number > 0).map_or_else(|| "–".to_owned(), parameters),
    );
    cell(&mut out, "dimension", &small(facts.dimension));
    cell(&mut out, "tokens", &small(facts.max_tokens));
    cell(&mut out, "zeroShot", &row.zero_shot.map_or_else(|| "–".to_owned(), |share| share.to_string()));
    cell(&mut out, "release", &escape(facts.release_date.as_deref().unwrap_or("–")));
    out + "</tr>\n"
}

fn cell(out: &mut String, key: &str, html: &str) {
    let _ = write!(out, "<td data-column=\"{key}\">{html}</td>");
}

/// A name, cut where it would fill a page; the part of the model has more of it.
fn name(name: &str) -> String {
    let name = shown(name);
    let short: String = name.chars().take(120).collect();
    let more = if short.len() < name.len() { "…" } else { "" };
    format!("{}{more}", escape(&short))
}

fn marks(board: &Board, row: &Row, texts: &BTreeMap<String, String>) -> String {
    let mark =
        |key: &str| format!(" <span class=\"mark\" data-text=\"{key}\">{}</span>", escape(&texts[key]));
    let unknown = if row.is_known { String::new() } else { mark("unknown") };
    let marked = row.marked(&board.columns);
    let other = if marked.is_empty() {
        String::new()
    } else {
        let more = if marked.len() > NAMED { ", …" } else { "" };
        let names = marked[..marked.len().min(NAMED)].join(", ");
        format!(
            " <span class=\"mark\"><span data-text=\"other\">{}</span>: {}{more}</span>",
            escape(&texts["other"]),
            escape(&names)
        )
    };
    let missing = match row.cells.iter().filter(|cell| cell.complete.is_none()).count() {
        0 => String::new(),
        count => format!(
            " <span class=\"mark\"><span data-text=\"missing\">{}</span>: {count}</span>",
            escape(&texts["missing"])
        ),
    };
    unknown + &other + &missing
}

/// The interval as a line with a point, on the range of all.
fn interval(interval: Option<Interval>, (low, high): (f64, f64)) -> String {
    let Some(interval) = interval else { return "–".to_owned() };
    let place = |value: f64| 4.0 + (value - low) / (high - low).max(f64::MIN_POSITIVE) * (WIDTH - 8.0);
    let text = format!("{} – {}", percent(interval.low), percent(interval.high));
    format!(
        "<svg class=\"interval\" viewBox=\"0 0 120 14\" role=\"img\" aria-label=\"{text}\"><line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"7\" y2=\"7\"/>\
         <circle cx=\"{:.1}\" cy=\"7\" r=\"3\"/></svg>",
        place(interval.low),
        place(interval.high),
        place(interval.estimate)
    )
}

fn parameters(number: u64) -> String {
    match number {
        1_000_000_000.. => format!("{:.1} B", number as f64 / 1e9),
        1_000_000.. => format!("{:.0} M", number as f64 / 1e6),
        1_000.. => format!("{:.0} k", number as f64 / 1e3),
        _ => number.to_string(),
    }
}
