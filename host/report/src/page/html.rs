//! The page as one HTML file.

use std::collections::BTreeMap;

use super::data::data;
use super::graded::Graded;
use super::parts::PageParts;
use super::plain_table::plain;
use super::policy::{escape, json_in_script, policy};
use super::template::fill;
use super::texts::PageLanguages;
use crate::table::{Board, Over};
use crate::visible;

const STYLE: &str = include_str!("assets/page.css");
const TEMPLATE: &str = include_str!("assets/page.html");

/// The libraries of the page, then its own parts in the order in which each may use those before it; all see each other and
/// nothing of the window sees them.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("assets/vendor/vendor.js"),
    include_str!("assets/script/base.js"),
    include_str!("assets/script/means.js"),
    include_str!("assets/script/filters.js"),
    include_str!("assets/script/board.js"),
    include_str!("assets/script/export.js"),
    include_str!("assets/script/plot.js"),
    include_str!("assets/script/charts.js"),
    include_str!("assets/script/compare.js"),
    include_str!("assets/script/tasks.js"),
    include_str!("assets/script/heat.js"),
    include_str!("assets/script/languages.js"),
    include_str!("assets/script/model.js"),
    include_str!("assets/script/map.js"),
    include_str!("assets/script/graded.js"),
    include_str!("assets/script/main.js"),
    "})();\n"
);

/// Views that the page can be turned to; those of one model and one task are reached by links.
const VIEWS: [&str; 9] =
    ["board", "tasks", "languages", "heat", "charts", "compare", "map", "graded", "notes"];

/// The page of a board, which opens in one of the languages of its `parts`.
pub fn page(board: &Board, parts: &PageParts, language: &str) -> String {
    let texts = parts.languages.texts(language);
    let graded = parts.graded.as_ref();
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
        .filter(|view| **view != "map" || !parts.maps.is_empty())
        .map(|view| {
            let current = if *view == "board" { " aria-current=\"page\"" } else { "" };
            format!(
                "<li><a href=\"#view={view}\" data-view=\"{view}\" data-text=\"{view}\"{current}>{}</a></li>",
                text(view)
            )
        })
        .collect();
    let notes = notes(board, &texts);
    fill(TEMPLATE, &|name| match name {
        "code" => escape(language),
        "policy" => policy(STYLE, SCRIPT),
        "title" => title.clone(),
        "of_part" => of_part.clone(),
        "part" => part.clone(),
        "style" => STYLE.to_owned(),
        "about" => about(board, &texts) + &other_pages(&parts.others, &texts),
        "languages" => languages_of_page(&texts, &parts.languages, language),
        "links" => links.clone(),
        "part_note" => provenance_note(board, &texts) + &part_note(board, &texts),
        "few" if board.too_few => paragraph("noteFew", &texts),
        "plain" => plain(board, &texts),
        "map" if !parts.maps.is_empty() => map_view(&text),
        "graded" => graded.map_or_else(String::new, |graded| graded_view(graded, &text)),
        "notes" => notes.clone(),
        "footer" => format!("mteb-host {}", env!("CARGO_PKG_VERSION")),
        "data" => json_in_script(&data(board, parts, language)),
        "texts" => json_in_script(&parts.languages.json()),
        "script" => SCRIPT.to_owned(),
        _ => name.strip_prefix("text:").map(&text).unwrap_or_default(),
    })
}

/// What is measured, by whom, how much of it is there, how old it is, and where it is described.
fn about(board: &Board, texts: &BTreeMap<String, String>) -> String {
    let text = |key: &str| format!("<span data-text=\"{key}\">{}</span>", escape(&texts[key]));
    let about = &board.about;
    let complete = board.rows.iter().filter(|row| row.is_complete()).count();
    let title = if about.title.is_empty() { String::new() } else { format!("{}<br>", escape(&about.title)) };
    let mut parts = vec![
        format!("{} {}", board.columns.len(), text("tasksCount")),
        format!("{} {} ({complete} {})", board.rows.len(), text("modelsCount"), text("completeCount")),
    ];
    parts.extend(board.newest.map(|seconds| format!("{} {}", text("newest"), day(seconds))));
    if let Some((name, title)) = &about.registry {
        let whole = if title.is_empty() { name } else { title };
        parts.push(format!("{} {}", text("publisher"), escape(whole)));
    }
    let address = about.reference.as_deref().filter(|address| is_address(address));
    parts.extend(address.map(|address| {
        format!(
            "<a href=\"{}\" rel=\"noreferrer noopener\" data-text=\"described\">{}</a>",
            escape(address),
            escape(&texts["described"])
        )
    }));
    let parts: String = parts.iter().map(|part| format!("<span>{part}</span>")).collect();
    let citation = about.citation.as_deref().map_or_else(String::new, |citation| {
        format!(
            "<details><summary data-text=\"cite\">{}</summary><pre>{}</pre></details>",
            escape(&texts["cite"]),
            escape(&visible(citation))
        )
    });
    format!("<p class=\"about\">{title}{parts}</p>{citation}")
}

/// Links to the pages of other benchmarks, which lie beside this one.
fn other_pages(others: &[(String, String)], texts: &BTreeMap<String, String>) -> String {
    if others.is_empty() {
        return String::new();
    }
    let link = |(name, file): &(String, String)| {
        format!("<a href=\"{}\"><bdi>{}</bdi></a> ", escape(file), escape(name))
    };
    let links: String = others.iter().map(link).collect();
    format!(
        "<p class=\"about others\"><span data-text=\"otherPages\">{}</span> {links}</p>",
        escape(&texts["otherPages"])
    )
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

/// The view of texts on a map, which the script fills.
fn map_view(text: &dyn Fn(&str) -> String) -> String {
    format!(
        "<section id=\"view-map\" hidden><h2 data-text=\"map\">{}</h2><div id=\"map-part\"></div></section>\n",
        text("map")
    )
}

/// The view of graded relevance: choices, and tables and curves that the script fills.
fn graded_view(graded: &Graded, text: &dyn Fn(&str) -> String) -> String {
    let part = |key: &str| format!("<h3 data-text=\"{key}\">{}</h3><div id=\"{key}-part\"></div>", text(key));
    format!(
        "<section id=\"view-graded\" hidden><h2 data-text=\"graded\">{}</h2><p id=\"graded-said\" role=\"status\"></p>{}\
         <div id=\"graded-part\"></div>{}{}{}</section>\n",
        text("graded"),
        graded.form(text),
        part("curves"),
        part("judgements"),
        part("agreement"),
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
    let keys =
        ["noteRank", interval, group, ranks, "noteMeanType", "noteZero", "noteIncomplete", "noteMeasured"];
    let few = board.too_few.then_some("noteFew");
    let lines: String = keys.into_iter().chain(few).map(|key| paragraph(key, texts)).collect();
    let provenance = board.about.provenance.as_deref();
    let provenance = provenance.map_or_else(String::new, |text| format!("<p>{}</p>", escape(text)));
    provenance_note(board, texts) + &part_note(board, texts) + &provenance + &lines
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

fn languages_of_page(texts: &BTreeMap<String, String>, languages: &PageLanguages, opens: &str) -> String {
    let option = |(code, name): (&str, &str)| {
        let selected = if code == opens { " selected" } else { "" };
        format!("<option value=\"{0}\" lang=\"{0}\"{selected}>{1}</option>", escape(code), escape(name))
    };
    format!(
        "<label class=\"language\"><span data-text=\"interface\">{}</span> <select id=\"page-language\">{}</select></label>",
        escape(&texts["interface"]),
        languages.names().map(option).collect::<String>()
    )
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
