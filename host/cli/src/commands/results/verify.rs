//! `mteb-host results verify`: whether results can be what they say.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mteb_base::interrupt;
use mteb_registry::TaskEntry;
use mteb_report::grid::Grid;
use mteb_report::output::rows_grid;
use mteb_report::table::{Board, BoardWarning};
use mteb_results::{ResultFile, Standing, read_units};
use mteb_source::DataSources;
use mteb_tasks::Items;
use serde_json::{Value, json};

use super::field::Field;
use super::files::{faults_by_outcomes, faults_in_file, identity_faults, result_files};
use super::findings::{Kind, Report};
use super::items::{Submitted, check_against_data};
use super::rerun::{Rerun, remove_left};
use crate::commands::arguments::{BoardArgs, FilterArgs, FormatArgs, PlaceArgs, parse_whole};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::{output, system};

/// Arguments of `results verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Folder of results, as written by `run`.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Results of other models to compare the scores with; may be repeated.
    #[arg(long, value_name = "DIR")]
    field: Vec<PathBuf>,
    /// Check outcomes against the data: the number of items and their labels. Missing data is
    /// downloaded.
    #[arg(long)]
    data: bool,
    /// Score K units again, sampled with `--seed`, using `mteb-host run` and the options after
    /// `--`.
    #[arg(long, value_name = "K", value_parser = parse_whole::<usize>(1, None))]
    rerun: Option<usize>,
    /// Random seed of the sample.
    #[arg(long, value_name = "N", default_value_t = 42, requires = "rerun")]
    seed: u64,
    /// Largest allowed difference between a submitted main score and its rerun.
    #[arg(long, value_name = "X", default_value_t = 0.0005, requires = "rerun")]
    tolerance: f64,
    /// Options of `mteb-host run` for `--rerun`, e.g. `-- --model NAME`.
    #[arg(last = true, value_name = "RUN OPTIONS", requires = "rerun")]
    run: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

impl VerifyArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        self.try_run().unwrap_or_else(|exit| exit)
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        if !self.folder.is_dir() {
            return Err(output::usage(format!(
                "expected a folder of results, found: {}",
                self.folder.display()
            )));
        }
        if self.rerun.is_some()
            && let Err(error) = system::watch_signals()
        {
            output::warn(format!("Ctrl-C will end the command at once: {error}"));
        }
        let mut report = Report::default();
        let files = result_files(&self.folder);
        if files.is_empty() {
            return Err(output::usage(format!(
                "{}: expected files as `MODEL/REVISION/TASK.json`, found none",
                self.folder.display()
            )));
        }
        let entries = self.entries()?;
        let read: Vec<(PathBuf, ResultFile)> =
            files.iter().filter_map(|path| self.check_file(path, &entries, &mut report)).collect();
        if !read.is_empty() && read.iter().all(|(_, file)| !entries.contains_key(&file.task_name)) {
            let line = format!(
                "{}: expected results on known tasks, found none, so nothing was checked against a card; name the \
                 registry of the tasks with `--registry`",
                self.folder.display()
            );
            report.note(Kind::Fault, line);
        }
        let scores = self.board(vec![self.folder.clone()]).read()?;
        let board = scores.board();
        check_board(&board, &mut report);
        let units = list_submitted(&board);
        let mut sources = self.data.then(|| {
            let settings = self.place.settings();
            let catalog = discover(&settings);
            DataSources::new(settings, &catalog)
        });
        for unit in &units {
            report.count("units");
            let items = self.check_outcomes(unit, &read, &mut report);
            if let (Some(sources), Some(items)) = (&mut sources, items) {
                check_data((unit, &items), &entries, sources, &mut report);
            }
        }
        if !self.field.is_empty() {
            let field = self.board(self.field.clone()).read()?.board();
            let field = Field::new(&field, &board);
            for doubt in field.doubts(&board) {
                report.note(Kind::Doubt, doubt);
            }
            if let Some(why) = field.too_small() {
                report.note(Kind::Unchecked, why);
            }
        }
        if let Some(units_again) = self.rerun {
            let rerun = Rerun { filter: &self.filter, options: &self.run, tolerance: self.tolerance };
            remove_left();
            let again = rerun.score_again(&units, units_again, self.seed);
            if interrupt::requested() {
                output::say("Interrupted while units were scored again");
                return Ok(Exit::Interrupted);
            }
            for model in &again.others {
                let line = format!(
                    "{model}: no unit was scored again, because `run` scored {}; name the model behind `--`, as in `-- --model NAME`",
                    again.scored
                );
                report.note(if again.verdicts.is_empty() { Kind::Fault } else { Kind::Unchecked }, line);
            }
            for (unit, verdict) in again.verdicts {
                match verdict {
                    Ok(again) => {
                        report.count("scored again");
                        output::say(format!(
                            "{}: {:.6}, scored again: {again:.6}",
                            unit.to_text(),
                            unit.score
                        ));
                    }
                    Err(why) => report.note(Kind::Fault, format!("{}: {why}", unit.to_text())),
                }
            }
        }
        Ok(self.say(&report))
    }

    fn board(&self, results: Vec<PathBuf>) -> BoardArgs {
        BoardArgs { results, filter: self.filter.clone(), place: self.place.clone() }
    }

    /// The known tasks by name.
    fn entries(&self) -> Result<HashMap<String, Arc<TaskEntry>>, Exit> {
        let catalog = discover(&self.place.settings());
        let tasks = self.filter.whole_registries(&catalog)?.tasks();
        Ok(tasks.into_iter().map(|entry| (entry.card.name.clone(), entry)).collect())
    }

    /// Checks a file by itself: form, bounds, experiments, names, revision.
    fn check_file(
        &self,
        path: &Path,
        entries: &HashMap<String, Arc<TaskEntry>>,
        report: &mut Report,
    ) -> Option<(PathBuf, ResultFile)> {
        report.count("files");
        let place = path.display();
        let file = match read_units(path) {
            Ok(file) => file,
            Err(why) => {
                report.note(Kind::Fault, format!("{place}: {why}"));
                report.said.add_file(path);
                return None;
            }
        };
        let of_identity = identity_faults(path, &file).into_iter().map(|why| format!("{place}: {why}"));
        let in_file = faults_in_file(path, &file, &mut report.said);
        of_identity.chain(in_file).for_each(|line| report.note(Kind::Fault, line));
        if !file.is_ours() {
            report.note(
                Kind::Unchecked,
                format!("{place}: made by another program, which does not record what it was made from"),
            );
        }
        if file.splits.iter().all(|split| split.entries.is_empty()) {
            report.note(
                Kind::Fault,
                format!("{place}: expected scores of a split and subset under `scores`, found none"),
            );
            report.said.add_file(path);
        } else if let Some(entry) = entries.get(&file.task_name)
            && !entry.card.units().any(|(split, subset)| file.entry(split, subset).is_some())
        {
            let expected: Vec<String> =
                entry.card.units().take(3).map(|(split, subset)| format!("{split}/{subset}")).collect();
            report.note(
                Kind::Fault,
                format!(
                    "{place}: expected scores of units of the card ({}, …), found only others",
                    expected.join(", ")
                ),
            );
        }
        let pinned = entries.get(&file.task_name).and_then(|entry| entry.card.dataset.revision.as_deref());
        match pinned {
            Some(pinned) if pinned != file.dataset_revision => report.note(
                Kind::Fault,
                format!(
                    "{place}: expected data of revision {pinned}, as the card pins it, found: {}",
                    file.dataset_revision
                ),
            ),
            Some(_) => {}
            None if entries.contains_key(&file.task_name) => {}
            None => report.note(
                Kind::Unchecked,
                format!("{place}: no card of this task is known; name its registry with `--registry`"),
            ),
        }
        Some((path.parent()?.to_owned(), file))
    }

    /// Says where there are no outcomes, from which a main score can be made again, or where they are not those of the score; gives the
    /// outcomes.
    fn check_outcomes(
        &self,
        unit: &Submitted,
        read: &[(PathBuf, ResultFile)],
        report: &mut Report,
    ) -> Option<Items> {
        let is_file =
            |(place, file): &&(PathBuf, ResultFile)| *place == unit.place && file.task_name == unit.task;
        let file = read.iter().find(is_file).map(|(_, file)| file);
        let is_mean = file.and_then(|file| file.facts(&unit.split, &unit.subset));
        let is_mean = is_mean.is_some_and(|facts| facts.get("members").is_some());
        let (standing, items) = super::items::standing(unit, file);
        match standing {
            Standing::Fits => {
                report.count("with outcomes");
                let scores = file.zip(items.as_ref());
                let faults = scores.map(|(file, items)| faults_by_outcomes(unit, file, items));
                faults.into_iter().flatten().for_each(|line| report.note(Kind::Fault, line));
            }
            Standing::Other(path) => report.note(
                Kind::Fault,
                format!(
                    "{}: expected the outcomes of this score, found those of another run",
                    path.display()
                ),
            ),
            Standing::Damaged(path) => report.note(
                Kind::Fault,
                format!("{}: expected outcomes as they were written, found a damaged file", path.display()),
            ),
            Standing::Absent if is_mean => {}
            Standing::Absent => report.note(
                Kind::Unchecked,
                format!(
                    "{}, {}: no outcomes, so its main score is checked only against its experiments; \
                         `run --outcomes` writes them",
                    unit.model, unit.task
                ),
            ),
        }
        items
    }

    fn say(&self, report: &Report) -> Exit {
        let has_fault = report.of(Kind::Fault).next().is_some();
        let exit = if has_fault { Exit::Failed } else { Exit::Done };
        let rows = || -> Value {
            report.found.iter().map(|(kind, line)| json!({ "kind": kind.name(), "message": line })).collect()
        };
        let answer = || json!({ "checked": report.checked, "is_sound": !has_fault, "found": rows() });
        let grid = |answer: &Value| -> Grid { rows_grid(&["kind", "message"], &answer["found"]) };
        if let Some(printed) = self.format.print(answer, grid) {
            return if has_fault { exit } else { printed };
        }
        report.of(Kind::Fault).for_each(output::error);
        report.of(Kind::Doubt).for_each(|line| output::warn(format!("to review: {line}")));
        report.of(Kind::Unchecked).for_each(|line| output::say(format!("not checked: {line}")));
        let counts: Vec<String> =
            report.checked.iter().map(|(what, number)| write_count(what, *number)).collect();
        let (faults, doubts) = (report.of(Kind::Fault).count(), report.of(Kind::Doubt).count());
        let end = match (faults, doubts) {
            (0, 0) => "nothing contradicts them".to_owned(),
            (0, doubts) => format!("nothing contradicts them; {} to review", output::count(doubts, "score")),
            (faults, _) => output::count(faults, "fault"),
        };
        let printed = output::print(&format!("{}: {end}", counts.join(", ")));
        if has_fault { exit } else { printed }
    }
}

/// A number of files or units, or of units with what was checked of them.
fn write_count(what: &str, number: usize) -> String {
    match what.strip_suffix('s').filter(|_| ["files", "units"].contains(&what)) {
        Some(one) => output::count(number, one),
        None => format!("{number} {what}"),
    }
}

/// Holds the outcomes of a unit to its data.
fn check_data(
    (unit, items): (&Submitted, &Items),
    entries: &HashMap<String, Arc<TaskEntry>>,
    sources: &mut DataSources,
    report: &mut Report,
) {
    let Some(entry) = entries.get(&unit.task).filter(|entry| entry.card.members.is_empty()) else { return };
    match sources.read_whole(entry, &unit.split, &unit.subset) {
        Ok(data) => match check_against_data(&entry.card, items, &data) {
            Ok(true) => report.count("checked against data"),
            Ok(false) => {}
            Err(why) => report.note(Kind::Fault, format!("{}: {why}", unit.to_text())),
        },
        Err(error) => {
            report.note(Kind::Unchecked, format!("{}: its data cannot be read: {error}", unit.to_text()));
        }
    }
}

/// What a board leaves out or marks.
fn check_board(board: &Board, report: &mut Report) {
    // Notes on scores are of the cells below, which say how grave they are; what lies beside a file
    // was looked at with it.
    let is_said =
        |warning: &BoardWarning| matches!(warning, BoardWarning::Noted(_) | BoardWarning::WithoutMeta(_));
    let others = board.warnings.iter().filter(|warning| !is_said(warning));
    for warning in others {
        if !report.said.has_said(warning) {
            report.note(Kind::Fault, warning.to_string());
        }
    }
    for row in &board.rows {
        for (column, cell) in board.columns.iter().zip(&row.cells) {
            for note in row.notes_on(column, cell) {
                report.note(if cell.is_marked { Kind::Doubt } else { Kind::Fault }, note.to_string());
            }
            let missing = cell.missing();
            if missing > 0 && cell.partial.is_some() {
                let line = format!(
                    "{}, {}: expected {} as the card has them, {missing} missing",
                    row.name,
                    column.task.name,
                    output::count(column.units.len(), "unit")
                );
                report.note(Kind::Doubt, line);
            }
        }
    }
}

/// The units with a score that counts.
fn list_submitted(board: &Board) -> Vec<Submitted> {
    let mut units = Vec::new();
    for row in &board.rows {
        let Some(place) = row.places.first() else { continue };
        for (column, cell) in board.columns.iter().zip(&row.cells) {
            for ((split, subset), score) in column.units.iter().zip(&cell.units) {
                let Some(score) = *score else { continue };
                units.push(Submitted {
                    place: place.clone(),
                    model: row.name.clone(),
                    task: column.task.name.clone(),
                    split: split.clone(),
                    subset: subset.clone(),
                    score,
                });
            }
        }
    }
    units
}
