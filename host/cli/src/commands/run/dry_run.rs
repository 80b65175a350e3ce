//! `run --dry-run`: what a run would fetch, encode and score, without a model.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use indicatif::DecimalBytes;
use mteb_json::Json;
use mteb_registry::Selected;
use mteb_report::output::rows_grid;
use mteb_results::reading::named_units;
use mteb_results::{folder_name, read_json};
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;
use mteb_workers::settings::Settings;
use serde_json::{Value, json};

use crate::commands::arguments::FormatArgs;
use crate::commands::fetch::{Failed, plan_fetch};
use crate::commands::plan::add_texts;
use crate::exit::Exit;
use crate::{output, view};

/// What earlier results record of the model with the requested name.
#[derive(Default)]
struct Known {
    /// Units with a score, by task.
    units: HashSet<(String, String, String)>,
    /// Texts per second in the newest result, and the date of that result.
    speed: Option<(f64, f64)>,
}

/// Prints what a run of `tasks` with the model `asked` would do. Its results would go to `folder`.
pub fn dry_run(
    tasks: &[Selected],
    (settings, catalog): (&Settings, &Catalog),
    (asked, folder): (&str, &Path),
    format: FormatArgs,
) -> Exit {
    let with_data: Vec<Selected> = tasks.iter().flat_map(Selected::with_data).collect();
    let jobs = plan_fetch(with_data, settings, catalog);
    let missing: BTreeMap<String, u64> = jobs.iter().flat_map(|job| job.missing()).collect();
    let bytes: u64 = missing.values().sum();
    let mut faults = Vec::new();
    jobs.iter().flat_map(|job| job.failures()).for_each(|failed| {
        faults.push(format!(
            "{}, split {}, subset {}: {}",
            failed.task, failed.split, failed.subset, failed.cause
        ));
    });
    let known = read_known(folder, asked);
    // Data that is not on this machine is not counted: a dry run downloads nothing.
    let mut sources = DataSources::new(Settings { offline: true, ..settings.clone() }, catalog);
    let (mut rows, mut left, mut is_counted) = (Vec::new(), 0, true);
    for task in tasks {
        let name = &task.entry.card.name;
        let is_done = |split: &str, subset: &str| {
            known.units.contains(&(name.clone(), split.to_owned(), subset.to_owned()))
        };
        let done = task.units().filter(|(split, subset)| is_done(split, subset)).count();
        let mut texts = Some(HashSet::new());
        for of in task.with_data() {
            for (split, subset) in of.units().filter(|(split, subset)| !is_done(split, subset)) {
                match sources.read_whole(&of.entry, split, subset) {
                    Ok(unit) => {
                        texts.iter_mut().for_each(|texts| add_texts(texts, &unit, of.entry.card.task_type))
                    }
                    Err(_) => texts = None,
                }
            }
        }
        let texts = texts.map(|texts| texts.len());
        left += texts.unwrap_or(0);
        is_counted &= texts.is_some();
        rows.push(json!({
            "task": name, "type": task.entry.card.task_type.as_str(), "units": task.units().count(),
            "scored": done, "texts": texts,
        }));
    }
    let seconds = known.speed.map(|(speed, _)| left as f64 / speed);
    let answer = || {
        json!({
            "tasks": rows, "bytes_to_fetch": bytes, "to_fetch": missing, "texts": is_counted.then_some(left),
            "texts_per_second": known.speed.map(|(speed, _)| speed), "seconds_to_encode": seconds.filter(|_| is_counted),
            "faults": faults,
        })
    };
    let grid = |answer: &Value| rows_grid(&["task", "type", "units", "scored", "texts"], &answer["tasks"]);
    let exit = if faults.is_empty() { Exit::Done } else { Exit::Failed };
    if format.is_for_people() {
        list_causes(jobs.iter().flat_map(|job| job.failures())).iter().for_each(output::error);
    } else {
        faults.iter().for_each(output::error);
    }
    if let Some(printed) = format.print(answer, grid) {
        return if exit == Exit::Done { printed } else { exit };
    }
    let mut table = view::table(["task", "units", "already scored", "texts to encode"]);
    for row in &rows {
        table.add_row(vec![
            view::cell(row["task"].as_str().unwrap_or_default()),
            view::right(&row["units"]),
            view::right(&row["scored"]),
            view::right(row["texts"].as_u64().map_or("not downloaded".to_owned(), |texts| texts.to_string())),
        ]);
    }
    let units = |key: &str| rows.iter().filter_map(|row| row[key].as_u64()).sum::<u64>();
    let mut lines = vec![
        format!(
            "{} of {} would be scored{}",
            units("units") - units("scored"),
            output::count(units("units") as usize, "unit"),
            match (is_counted, left) {
                (true, _) => format!(", at most {left} texts encoded"),
                (false, 0) => "; how many texts is unknown, because their data is not downloaded".to_owned(),
                (false, _) =>
                    format!(", at most {left} texts encoded, plus those of data that is not downloaded"),
            }
        ),
        format!(
            "to download: {} of {}{}",
            DecimalBytes(bytes),
            output::count(missing.len(), "dataset"),
            if faults.is_empty() { "" } else { ", and what could not be found out for the reasons above" }
        ),
    ];
    lines.push(match seconds.filter(|_| is_counted || left > 0) {
        Some(seconds) => format!(
            "about {seconds:.0} s to encode, at the {:.0} texts per second of the model's last result in {}",
            known.speed.map_or(0.0, |(speed, _)| speed),
            folder.display()
        ),
        None if known.speed.is_some() => "time unknown: the texts are not downloaded".to_owned(),
        None => format!("time unknown: no result of this model in {} records its speed", folder.display()),
    });
    for printed in [output::print_table(&view::text(table)), output::print(&lines.join("\n"))] {
        if printed != Exit::Done {
            return printed;
        }
    }
    exit
}

/// One line per cause: the first unit that failed for it, and the number of others.
fn list_causes<'a>(failures: impl Iterator<Item = &'a Failed>) -> Vec<String> {
    let mut causes: Vec<(&str, Vec<&Failed>)> = Vec::new();
    for failed in failures {
        match causes.iter_mut().find(|(cause, _)| *cause == failed.cause) {
            Some((_, units)) => units.push(failed),
            None => causes.push((&failed.cause, vec![failed])),
        }
    }
    let line = |(cause, units): &(&str, Vec<&Failed>)| {
        let first = format!("{}, split {}, subset {}", units[0].task, units[0].split, units[0].subset);
        match units.len() - 1 {
            0 => format!("{first}: {cause}"),
            more => format!("{first} and {}: {cause}", output::count(more, "other unit")),
        }
    };
    causes.iter().map(line).collect()
}

/// Reads what the results of a model with this name record.
fn read_known(folder: &Path, asked: &str) -> Known {
    let mut known = Known::default();
    let (whole, last) = (folder_name(asked), asked.rsplit('/').next().unwrap_or(asked));
    let is_model = |name: &str| name == whole || name.rsplit("__").next() == Some(last);
    let files = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path()).collect()
    };
    let named = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let revisions =
        files(folder).into_iter().filter(|path| is_model(&named(path))).flat_map(|path| files(&path));
    for path in revisions
        .flat_map(|path| files(&path))
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
    {
        let Ok(json) = read_json(&path) else { continue };
        let task = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let units = named_units(&json);
        known.units.extend(units.map(|(split, subset)| (task.clone(), split.to_owned(), subset.to_owned())));
        let date = json.get("date").and_then(Json::as_number).unwrap_or(0.0);
        let speed = json
            .get("mteb_host")
            .and_then(|host| host.get("footprint")?.get("texts_per_second")?.as_number());
        if let Some(speed) = speed.filter(|speed| *speed > 0.0)
            && known.speed.is_none_or(|(_, before)| date >= before)
        {
            known.speed = Some((speed, date));
        }
    }
    known
}
