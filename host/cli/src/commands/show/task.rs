//! `mteb-host show task`: the card of a task with the best scores that are known, or examples of its data.

use std::path::{Path, PathBuf};

use clap::Args;
use mteb_card::{CardMeasure, TaskCard};
use mteb_inspect::samples::{Sample, samples};
use mteb_registry::{Origin, Selected, TaskEntry};
use mteb_report::output::{fields_grid, rows_grid};
use mteb_report::table::{CellNote, Row, title_of_marks};
use mteb_source::{DataSources, SourceError};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::commands::arguments::{BoardArgs, FilterArgs, FormatArgs, PlaceArgs, parse_whole};
use crate::commands::discover::{consider_refusals, discover, say_refusals};
use crate::commands::selected::check_locks;
use crate::exit::Exit;
use crate::output;
use crate::view::say_failed;

/// Arguments of `show task`.
#[derive(Args, Debug)]
pub struct TaskArgs {
    /// Task, optionally restricted to subsets.
    #[arg(value_name = "NAME[:subset,subset]")]
    name: String,
    /// Registry name, registry file or task card [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Show N examples from each split and subset instead of the card.
    #[arg(long, value_name = "N", value_parser = parse_whole::<u64>(1, None))]
    samples: Option<u64>,
    /// Folder of result files, from mteb-host or the public results repository; their best scores
    /// on the task are shown with the card. May be repeated [default: `results`, if it exists].
    #[arg(long, value_name = "DIR")]
    results: Vec<PathBuf>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// Models that are shown.
const BEST: usize = 10;

/// Where results lie unless the user says it.
const RESULTS: &str = "results";

/// How further lines of a comment with a score begin.
const COMMENT: &str = "#         ";

/// A model and its score of the task.
struct Best {
    model: String,
    score: f64,
    /// Why it may not be right, or of other data; empty if nothing is known against it.
    marks: Vec<CellNote>,
}

impl Best {
    /// Its marks in words.
    fn why(&self) -> String {
        self.marks.iter().map(|mark| mark.why().to_owned()).collect::<Vec<_>>().join("; ")
    }
}

/// What the measures of packs that the card names are, as comments behind the card.
fn measure_lines(card: &TaskCard) -> String {
    let measures = card.protocol.extra_measures.iter().filter_map(CardMeasure::of_pack);
    let lines = measures.map(|measure| match measure.declared() {
        Some(declared) => format!("\n# {measure}: {}", output::visible_line(&declared.declaration.about)),
        None => format!("\n# {measure}: of a plugin that is not installed"),
    });
    lines.collect()
}

impl TaskArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let settings = self.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let task = vec![self.name.clone()];
        let filter = FilterArgs { registry: self.registry.clone(), task, ..FilterArgs::default() };
        let selected = filter.registries(&catalog).and_then(|registries| filter.select(&registries));
        let exit = match (selected, self.samples) {
            (Err(exit), _) => exit,
            (Ok(selected), None) => selected.first().map_or(Exit::Usage, |task| {
                self.best(&filter).map_or_else(|exit| exit, |best| self.card(&task.entry, &best))
            }),
            (Ok(selected), Some(count)) => {
                let mut sources = DataSources::new(settings, &catalog);
                self.examples(&selected, usize::try_from(count).unwrap_or(usize::MAX), &mut sources)
            }
        };
        consider_refusals(exit, &catalog)
    }

    /// The folders with results.
    fn folders(&self) -> Vec<PathBuf> {
        let is_there = self.results.is_empty() && Path::new(RESULTS).is_dir();
        if is_there { vec![RESULTS.into()] } else { self.results.clone() }
    }

    /// The best models that have the whole task, best first.
    fn best(&self, filter: &FilterArgs) -> Result<Vec<Best>, Exit> {
        let results = self.folders();
        if results.is_empty() {
            return Ok(Vec::new());
        }
        let scores = BoardArgs { results, filter: filter.clone(), place: self.place.clone() }.read()?;
        let board = scores.board();
        scores.collection.left_out.iter().for_each(output::warn);
        board.rows.iter().flat_map(|row| board.left_out_of(row)).for_each(output::warn);
        let score = |row: &Row| {
            let cell = row.cells.first()?;
            let marks = if cell.is_marked { cell.notes.clone() } else { Vec::new() };
            Some(Best { model: row.name.clone(), score: cell.complete?, marks })
        };
        let mut best: Vec<Best> = board.rows.iter().filter_map(score).collect();
        best.sort_by(|left, right| right.score.total_cmp(&left.score));
        best.truncate(BEST);
        Ok(best)
    }

    fn card(&self, entry: &TaskEntry, best: &[Best]) -> Exit {
        let answer = || {
            let origin = match &entry.origin {
                Origin::Pack(pack) => json!({ "pack": pack }),
                Origin::File(path) => json!({ "file": path.to_string_lossy() }),
                Origin::Embedded(name) => json!({ "embedded": name }),
            };
            let best: Vec<Value> = best
                .iter()
                .map(|best| {
                    let Best { model, score, marks } = best;
                    let is_of_other = marks.iter().any(CellNote::is_of_data);
                    let marked = Some(best.why()).filter(|why| !why.is_empty());
                    json!({ "model": model, "score": score, "may_be_of_other_data": is_of_other, "marked": marked })
                })
                .collect();
            json!({ "card": &*entry.card, "registry": entry.registry, "origin": origin, "best": best })
        };
        if let Some(exit) = self.format.print(answer, fields_grid) {
            return exit;
        }
        let mut card = (*entry.card).clone();
        card.description = output::visible_line(&card.description).into_owned();
        match toml::to_string_pretty(&card) {
            Ok(text) => {
                let (best, measures) = (self.best_lines(best), measure_lines(&card));
                let text = toml_text(text.trim_end());
                output::print(&format!("# registry {}\n{text}{measures}{best}", entry.registry))
            }
            Err(error) => output::failed(format!("the card cannot be written as TOML: {error}")),
        }
    }

    /// The best scores as comments behind the card.
    fn best_lines(&self, best: &[Best]) -> String {
        if best.is_empty() {
            return String::new();
        }
        let folders: Vec<String> = self.folders().iter().map(|folder| folder.display().to_string()).collect();
        let line = |best: &Best| {
            let Best { model, score, marks } = best;
            let mark = match best.why() {
                none if none.is_empty() => String::new(),
                why => format!(" † {} ({why})", title_of_marks(marks)),
            };
            let text = format!("{model}{mark}");
            // Each line of a comment begins as one.
            let text = output::table_width().map_or(text.clone(), |width| {
                let room = usize::from(width).saturating_sub(COMMENT.len());
                output::wrap_behind("", &text, 0, room).replace('\n', &format!("\n{COMMENT}"))
            });
            format!("\n# {:6.2}  {text}", 100.0 * score)
        };
        format!("\n\n# best scores in {}:{}", folders.join(", "), best.iter().map(line).collect::<String>())
    }

    fn examples(&self, selected: &[Selected], count: usize, sources: &mut DataSources) -> Exit {
        if let Err(exit) = check_locks(selected, None) {
            return exit;
        }
        let (mut found, mut exit) = (Vec::new(), Exit::Done);
        for task in selected.iter().flat_map(Selected::with_data) {
            let mut failed = Vec::new();
            for (split, subset) in task.units() {
                match read_samples(&task.entry, split, subset, count, sources) {
                    Ok(samples) => found.push(json!({
                        "task": task.entry.card.name, "split": split, "subset": subset, "samples": samples,
                    })),
                    Err(error) => failed.push((split, subset, error.to_string())),
                }
            }
            if say_failed(&task.entry.card.name, &failed) == Exit::Failed {
                exit = Exit::Failed;
            }
        }
        let found = Value::Array(found);
        let printed = self
            .format
            .print(|| found.clone(), |found| rows_grid(&[], &rows(found)))
            .unwrap_or_else(|| output::print(&text(&found)));
        if exit == Exit::Done { printed } else { exit }
    }
}

fn read_samples(
    entry: &TaskEntry,
    split: &str,
    subset: &str,
    count: usize,
    sources: &mut DataSources,
) -> Result<Vec<Sample>, SourceError> {
    Ok(samples(&sources.read_whole(entry, split, subset)?, count)?)
}

/// A row an example, the columns of its data after the name of its unit.
fn rows(found: &Value) -> Value {
    let mut rows = Vec::new();
    for unit in found.as_array().into_iter().flatten() {
        for sample in unit["samples"].as_array().into_iter().flatten() {
            let mut row = json!({ "task": unit["task"], "split": unit["split"], "subset": unit["subset"] });
            for (name, value) in sample.as_object().into_iter().flatten() {
                row[name] = value.clone();
            }
            rows.push(row);
        }
    }
    rows.into()
}

/// A paragraph an example, a line a column.
fn text(found: &Value) -> String {
    let mut paragraphs = Vec::new();
    for unit in found.as_array().into_iter().flatten() {
        let named = |key: &str| unit[key].as_str().unwrap_or_default();
        paragraphs.push(format!("{}, split {}, subset {}", named("task"), named("split"), named("subset")));
        for sample in unit["samples"].as_array().into_iter().flatten() {
            let line = |(name, value): (&String, &Value)| match value {
                Value::String(text) => format!("  {name}: {text}"),
                other => format!("  {name}: {other}"),
            };
            let lines: Vec<String> = sample.as_object().into_iter().flatten().map(line).collect();
            paragraphs.push(lines.join("\n"));
        }
    }
    paragraphs.join("\n\n")
}

/// The lines of `toml`, as the terminal takes them; as they are where there is none.
fn toml_text(toml: &str) -> String {
    let Some(width) = output::table_width() else { return toml.to_owned() };
    let mut is_inside = false;
    let line = |line: &str| {
        let was_inside = is_inside;
        is_inside ^= line.matches("\"\"\"").count() == 1;
        if was_inside && is_inside {
            break_within(line, width.into())
        } else {
            break_value(line, width.into())
        }
    };
    toml.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A line of a text of several lines, broken where it is too long.
fn break_within(line: &str, width: usize) -> String {
    let text = line.trim_start_matches(' ');
    if line.width() <= width || text.contains("  ") {
        return line.to_owned();
    }
    let indent = line.len() - text.len();
    output::wrap_behind(&line[..indent], text, indent + 2, width.saturating_sub(2)).replace('\n', " \\\n")
}

/// A line `key = "text"` that is too long as a text of several lines.
fn break_value(line: &str, width: usize) -> String {
    const INDENT: usize = 4;
    // Room for a space and a backslash behind a line, or the quotes behind the last.
    const END: usize = 3;
    let text = line.split_once(" = \"").and_then(|(key, rest)| Some((key, rest.strip_suffix('"')?)));
    // Where a line ends, one space is all that can be told from the indent of the next.
    let can_break = |text: &str| text.contains(' ') && !text.contains("  ");
    let Some((key, text)) = text.filter(|(_, text)| line.width() > width && can_break(text)) else {
        return line.to_owned();
    };
    let margin = " ".repeat(INDENT);
    let broken = output::wrap_behind(&margin, text, INDENT, width.saturating_sub(END));
    format!("{key} = \"\"\"\\\n{}\"\"\"", broken.replace('\n', " \\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_says_the_same_in_several_lines() {
        let line = "description = \"Claims of \\\"experts\\\" and the abstracts that support or refute each of them.\"";
        let fitted = break_value(line, 30);
        assert!(fitted.lines().all(|line| line.width() <= 30) && fitted.lines().count() > 3, "{fitted}");
        let read = |toml: &str| toml::from_str::<toml::Table>(toml).unwrap();
        assert_eq!(read(&fitted), read(line));
    }
}
