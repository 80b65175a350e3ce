//! What a run says at its end: the table or JSON of its scores, and how to go on after an interruption.

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
    /// Says what became of the runs; compares their scores with what cards expect, or writes them there, where the user wants it.
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

    /// Says what is done, of a shard of its own `part`, and how to go on.
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

    /// Says what became of each run: of one, all; of several sizes of embeddings, the scores by size too.
    fn say_reports(&self, sizes: &[Size], within: Option<&BenchmarkWithin>) -> Exit {
        let printed = self.format.print(|| self.answer(sizes, within), summary_grid);
        // A table of dashes says nothing of a run that was interrupted before its first score.
        let is_empty = interrupt::requested() && !sizes.iter().any(|size| size.report.has_score());
        let is_shown = printed.is_none() && !self.quiet && !is_empty;
        let said =
            sizes.iter().map(|size| self.say_report(&size.report, within, is_shown)).collect::<Vec<Exit>>();
        let table =
            if is_shown && sizes.len() > 1 { output::print_table(&size_table(sizes)) } else { Exit::Done };
        let exits = printed.into_iter().chain([table]).chain(said);
        exits.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done)
    }

    /// The report of a run; of several sizes of embeddings a list of them.
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

    /// The report of a run, which says where it only tried its tasks.
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
        // Each cause was said when it was first met; what is left to say is which other tasks met it.
        output::say(format!("{} failed, for the reasons above", output::count(failed, "unit")));
        for line in further_tasks(report) {
            output::say(format!("  {line}"));
        }
        Exit::Failed
    }
}
