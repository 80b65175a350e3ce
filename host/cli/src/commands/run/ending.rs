//! What a run prints at its end: the table or JSON of its scores, and how to continue after an
//! interruption.

use mteb_base::interrupt;
use mteb_engine::run::{RunPart, RunReport, compare};
use mteb_registry::Selected;
use serde_json::Value;

use super::RunArgs;
use super::expected::{say_comparison, write_expected};
use crate::exit::Exit;
use crate::output;
use crate::view::{
    BenchmarkWithin, Size, further_tasks, size_table, summary_grid, summary_json, summary_table,
};

impl RunArgs {
    /// Prints the outcome of the runs. If the user asked for it, compares their scores with those
    /// that the cards expect, or writes them into the cards.
    pub(super) fn end(
        &self,
        sizes: &[Size],
        within: Option<&BenchmarkWithin>,
        (tasks, part): (&[Selected], Option<&RunPart>),
    ) -> Exit {
        let mut exit = self.say_reports(sizes, within);
        if interrupt::requested() {
            sizes.iter().for_each(|size| self.say_interruption(&size.report, tasks, part));
            return Exit::Interrupted;
        }
        for Size { report, .. } in sizes.iter().filter(|_| self.check_expected) {
            if say_comparison(&compare(report, tasks), &report.model) == Exit::Failed {
                exit = Exit::Failed;
            }
        }
        for Size { report, .. } in sizes.iter().filter(|_| self.write_expected) {
            let written = write_expected(report, tasks);
            exit = if exit == Exit::Done { written } else { exit };
        }
        exit
    }

    /// Prints how many units are done and how to continue. For a shard, only the units of its
    /// `part` count.
    fn say_interruption(&self, report: &RunReport, tasks: &[Selected], part: Option<&RunPart>) {
        let units = report.tasks.iter().flat_map(|task| &task.units);
        let done = units.filter(|unit| unit.outcome.score().is_some()).count();
        let is_own = |task: &Selected, unit| part.is_none_or(|part| part.has(&task.entry.card.name, unit));
        let asked: usize =
            tasks.iter().map(|task| task.units().filter(|unit| is_own(task, *unit)).count()).sum();
        if self.limit.is_some() {
            return output::say(format!("Interrupted: {done} of {asked} units were tried"));
        }
        output::say(format!(
            "Interrupted: {done} of {asked} units done and saved in {}; run the same command again to \
             continue",
            report.folder.display()
        ));
    }

    /// Prints the outcome of each run. If embeddings of several sizes were scored, adds a table of
    /// scores by size.
    fn say_reports(&self, sizes: &[Size], within: Option<&BenchmarkWithin>) -> Exit {
        let printed = self.format.print(|| self.answer(sizes, within), summary_grid);
        // A run that was interrupted before its first score has no table: it would hold only
        // dashes.
        let is_empty = interrupt::requested() && !sizes.iter().any(|size| size.report.has_score());
        let is_shown = printed.is_none() && !self.quiet && !is_empty;
        let said =
            sizes.iter().map(|size| self.say_report(&size.report, within, is_shown)).collect::<Vec<Exit>>();
        let table =
            if is_shown && sizes.len() > 1 { output::print_table(&size_table(sizes)) } else { Exit::Done };
        let exits = printed.into_iter().chain([table]).chain(said);
        exits.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done)
    }

    /// The report of the run, or a list of reports if embeddings of several sizes were scored.
    fn answer(&self, sizes: &[Size], within: Option<&BenchmarkWithin>) -> Value {
        if let [one] = sizes {
            return self.add_limit(summary_json(&one.report, within));
        }
        let runs = sizes.iter().map(|size| {
            let mut run = self.add_limit(summary_json(&size.report, within));
            run["dimension"] = size.dimension.into();
            run["bytes"] = size.bytes.into();
            run
        });
        runs.collect()
    }

    /// Adds the limit to the report of a run that only tried its tasks.
    fn add_limit(&self, mut run: Value) -> Value {
        if let Some(limit) = self.limit {
            run["limit"] = limit.into();
            run["results_folder"] = Value::Null;
        }
        run
    }

    fn say_report(&self, report: &RunReport, within: Option<&BenchmarkWithin>, is_shown: bool) -> Exit {
        let mut exit = Exit::Done;
        if is_shown {
            exit = output::print_table(&summary_table(report, within));
            let end = match self.limit {
                Some(limit) => {
                    format!("Tried on {} of each unit: nothing was saved", output::count(limit, "item"))
                }
                None if report.has_score() => format!("Results are in {}", report.folder.display()),
                None => "No unit was scored: no result was written".to_owned(),
            };
            exit = if exit == Exit::Done { output::print(&end) } else { exit };
        }
        let failed = report.failures().count();
        if failed == 0 {
            return exit;
        }
        // Each cause was printed when it first occurred. What remains is which other tasks it
        // stopped.
        output::say(format!("{} failed, for the reasons above", output::count(failed, "unit")));
        for line in further_tasks(report) {
            output::say(format!("  {line}"));
        }
        Exit::Failed
    }
}
