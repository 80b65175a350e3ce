//! The options that pick tasks, shared by `run`, `list` and `leaderboard`: by name, type and
//! language, and by what their cards say of the data: domain, licence, age, category, split.

use std::collections::BTreeSet;

use clap::Args;
use mteb_base::day::{DayError, check_day_or_month_or_year};
use mteb_base::suggest::hint_of_many;
use mteb_registry::{Filter, Registries, Selected, select};
use mteb_workers::plugins::Catalog;

use super::value::ValueError;
use crate::exit::Exit;
use crate::output;

/// Which registries and tasks.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Tasks")]
pub struct FilterArgs {
    /// Registry name, registry file or task card; may be repeated [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    pub registry: Vec<String>,
    /// Benchmark, as listed by `mteb-host list benchmarks`.
    #[arg(long, value_name = "NAME")]
    pub benchmark: Option<String>,
    /// Task, optionally restricted to a split and to subsets; may be repeated.
    #[arg(long, value_name = "NAME[@split][:subset,subset]")]
    pub task: Vec<String>,
    /// Task type, e.g. `STS`; may be repeated.
    #[arg(long, value_name = "T")]
    pub task_type: Vec<String>,
    /// Language, e.g. `ind`, `ind-Latn`, `id` or `Indonesian`; may be repeated.
    #[arg(long, value_name = "L")]
    pub language: Vec<String>,
    #[command(flatten)]
    pub metadata: MetadataArgs,
}

impl FilterArgs {
    /// Reads the registries. Faults of registries that the user named end the command; others are left out.
    ///
    /// # Errors
    /// The exit code, after the faults were said.
    pub fn registries(&self, catalog: &Catalog) -> Result<Registries, Exit> {
        let registries = match self.filter().named_tasks() {
            Some(wanted) => Registries::load_only(&self.registry, catalog, &wanted),
            None => Registries::load(&self.registry, catalog),
        };
        self.check(registries)
    }

    /// Reads the registries with all their tasks, whichever are asked for.
    ///
    /// # Errors
    /// As `registries`.
    pub fn whole_registries(&self, catalog: &Catalog) -> Result<Registries, Exit> {
        self.check(Registries::load(&self.registry, catalog))
    }

    fn check(&self, registries: Registries) -> Result<Registries, Exit> {
        if registries.faults.is_empty() {
            return Ok(registries);
        }
        for fault in &registries.faults {
            if self.registry.is_empty() {
                output::warn(fault);
            } else {
                output::error(fault);
            }
        }
        if self.registry.is_empty() { Ok(registries) } else { Err(refuse_name(&registries)) }
    }

    /// Selects the tasks, and reports each other task that is ignored because it has the same name.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn select(&self, registries: &Registries) -> Result<Vec<Selected>, Exit> {
        let filter = self.filter();
        let selected = select(registries, &filter).map_err(|error| {
            output::error(error);
            refuse_name(registries)
        })?;
        let selected = self.metadata.pick(selected).map_err(output::usage)?;
        registries.warnings(&selected, filter.benchmark.as_deref()).iter().for_each(output::warn);
        Ok(selected)
    }

    /// True if no registry was named, so that all known registries are read.
    pub fn has_all_registries(&self) -> bool {
        self.registry.is_empty()
    }

    /// Reports that a newer benchmark replaces the selected one.
    pub fn say_successor(&self, registries: &Registries) {
        let asked = self.benchmark.as_deref().and_then(|name| registries.benchmark(name));
        let Some((benchmark, _)) = asked.filter(|(found, _)| !found.superseded_by.is_empty()) else { return };
        let newer = benchmark.superseded_by.join(", ");
        output::say(format!(
            "benchmark {}: replaced by {newer}, whose means are not comparable",
            benchmark.name
        ));
    }

    fn filter(&self) -> Filter {
        Filter {
            tasks: self.task.clone(),
            benchmark: self.benchmark.clone(),
            task_types: self.task_type.clone(),
            languages: self.language.clone(),
        }
    }
}

/// The exit code where a name leads nowhere: that of a refusal where a task pack is missing that may have been refused.
fn refuse_name(registries: &Registries) -> Exit {
    if registries.lacks_refused_pack { Exit::Refused } else { Exit::Usage }
}

/// What cards say of data.
#[derive(Args, Clone, Debug, Default, PartialEq)]
#[command(next_help_heading = "Tasks")]
pub struct MetadataArgs {
    /// Domain of the texts, e.g. `News`; may be repeated.
    #[arg(long, value_name = "D")]
    domain: Vec<String>,
    /// Licence of the data, e.g. `cc-by-4.0`; may be repeated.
    #[arg(long, alias = "license", value_name = "L")]
    licence: Vec<String>,
    /// Only tasks whose texts were all written in this year, month or day or later, e.g. `2024` or
    /// `2024-01-31`.
    #[arg(long, value_name = "DAY", value_parser = day)]
    since: Option<String>,
    /// Category of the task, e.g. `t2t` for text to text; may be repeated.
    #[arg(long, value_name = "C")]
    category: Vec<String>,
    /// Split to score, e.g. `test`; may be repeated.
    #[arg(long, value_name = "NAME")]
    split: Vec<String>,
}

impl MetadataArgs {
    /// The tasks that match, restricted to the selected splits.
    ///
    /// # Errors
    /// The option that leaves none, with what there is.
    pub fn pick(&self, tasks: Vec<Selected>) -> Result<Vec<Selected>, NoTask> {
        let tasks = keep_tasks(tasks, "--domain", &self.domain, |task| {
            task.entry.card.domains.iter().map(|domain| domain.as_str().to_owned()).collect()
        })?;
        let tasks = keep_tasks(tasks, "--licence", &self.licence, |task| {
            task.entry.card.license.iter().cloned().collect()
        })?;
        let tasks = keep_tasks(tasks, "--category", &self.category, |task| {
            task.entry.card.category.iter().map(|category| category.as_str().to_owned()).collect()
        })?;
        let tasks = match &self.since {
            None => tasks,
            Some(day) => {
                let count = tasks.len();
                let is_young =
                    |task: &Selected| task.entry.card.date.as_ref().is_some_and(|[first, _]| first >= day);
                let young: Vec<Selected> = tasks.into_iter().filter(is_young).collect();
                if young.is_empty() {
                    return Err(NoTask {
                        option: "--since",
                        value: day.clone(),
                        tasks: count,
                        near: String::new(),
                    });
                }
                young
            }
        };
        let mut tasks = keep_tasks(tasks, "--split", &self.split, |task| task.splits.clone())?;
        if !self.split.is_empty() {
            tasks.iter_mut().for_each(|task| task.splits.retain(|split| self.split.contains(split)));
        }
        Ok(tasks)
    }
}

/// An option that no task matches.
#[derive(Debug, thiserror::Error)]
#[error("no task matches: `{option} {value}` leaves none of {tasks} tasks{near}")]
pub struct NoTask {
    option: &'static str,
    value: String,
    /// Number of tasks that there were.
    tasks: usize,
    /// What may be meant, with what stands before it.
    near: String,
}

/// The tasks of which one of the `words` is `wanted`, whatever its case; all of them where nothing is wanted.
fn keep_tasks(
    tasks: Vec<Selected>,
    option: &'static str,
    wanted: &[String],
    words: impl Fn(&Selected) -> Vec<String>,
) -> Result<Vec<Selected>, NoTask> {
    if wanted.is_empty() {
        return Ok(tasks);
    }
    let known: BTreeSet<String> = tasks.iter().flat_map(&words).collect();
    let is_same = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
    if let Some(unknown) = wanted.iter().find(|wanted| known.iter().all(|known| !is_same(wanted, known))) {
        let near = hint_of_many(unknown, known.iter().map(String::as_str), "mteb-host list tasks --json");
        return Err(NoTask { option, value: unknown.clone(), tasks: tasks.len(), near });
    }
    let fits =
        |task: &Selected| words(task).iter().any(|word| wanted.iter().any(|wanted| is_same(wanted, word)));
    Ok(tasks.into_iter().filter(fits).collect())
}

/// Reads a day, or the year or month whose first day is meant: each comes before all of its days in the order of texts.
fn day(text: &str) -> Result<String, ValueError> {
    match check_day_or_month_or_year(text) {
        Ok(()) => Ok(text.to_owned()),
        Err(DayError::Form) => Err(ValueError::Day),
        Err(absent) => Err(ValueError::AbsentDay(absent)),
    }
}
