//! The options that decide what a score is: tasks, model, measures. `run` and `plan` take the same.

use clap::{Args, ValueEnum};
use mteb_engine::run::Draws;
use mteb_registry::{Registries, Selected};
use mteb_workers::plugins::Catalog;

use super::filter::FilterArgs;
use super::keep::KeepArgs;
use super::keep::MeasureArgs;
use super::model::ModelArgs;
use super::size::SizeArgs;
use crate::commands::discover::{or_refused, say_unused};
use crate::commands::left_out::check_chosen;
use crate::commands::left_out::leave_out_unsupported;
use crate::exit::Exit;
use crate::output;

/// Which tasks are scored, by which model and how.
#[derive(Args, Clone, Debug)]
pub struct JobArgs {
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Run all known tasks; required if no registry, benchmark, task, type or language is given.
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub sizes: SizeArgs,
    #[command(flatten)]
    pub measures: MeasureArgs,
    #[command(flatten)]
    pub keep: KeepArgs,
    /// Maximum number of tokens per batch, padding included; 0 lets the model choose.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Model")]
    pub batch_tokens: usize,
    /// How to draw random samples in clustering and multilabel classification, whose random
    /// generator continues from subset to subset.
    #[arg(long, default_value = "whole", help_heading = "Tasks")]
    draws: DrawsName,
}

/// Whose random draws are made.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DrawsName {
    /// As in a run of the whole task: a selected subset gets the same score; earlier subsets are
    /// read for this.
    Whole,
    /// As in a run of only the selected subsets, which is what mteb does.
    Selected,
}

impl JobArgs {
    /// The registries and the tasks that are chosen; `verb` says what becomes of them, as `run`.
    ///
    /// # Errors
    /// The exit code, after it was said what is wrong.
    pub fn choose(&self, catalog: &Catalog, verb: &str) -> Result<(Registries, Vec<Selected>), Exit> {
        let not_found = |exit| or_refused(exit, catalog);
        let registries = self.filter.registries(catalog).map_err(not_found)?;
        let mut tasks = self.filter.select(&registries).map_err(not_found)?;
        say_unused();
        check_chosen(&self.filter, self.all, &tasks, verb)?;
        self.filter.say_successor(&registries);
        if self.filter.task.is_empty() {
            leave_out_unsupported(&mut tasks);
        }
        if tasks.is_empty() {
            return Err(output::usage(
                "expected a task that can be run, found none; `mteb-host list tasks` shows all",
            ));
        }
        Ok((registries, tasks))
    }

    /// Whose draws are made.
    pub fn draws(&self) -> Draws {
        match self.draws {
            DrawsName::Whole => Draws::Whole,
            DrawsName::Selected => Draws::Selected,
        }
    }
}
