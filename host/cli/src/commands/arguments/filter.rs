//! The options that pick tasks, shared by `run`, `list` and `leaderboard`.

use clap::Args;
use mteb_registry::{Filter, Registries, Selected, select};
use mteb_workers::plugins::Catalog;

use super::metadata::MetadataArgs;
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
        self.checked(registries)
    }

    /// Reads the registries with all their tasks, whichever are asked for.
    ///
    /// # Errors
    /// As `registries`.
    pub fn whole_registries(&self, catalog: &Catalog) -> Result<Registries, Exit> {
        self.checked(Registries::load(&self.registry, catalog))
    }

    fn checked(&self, registries: Registries) -> Result<Registries, Exit> {
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
        if self.registry.is_empty() { Ok(registries) } else { Err(not_found(&registries)) }
    }

    /// Picks the tasks; says where another task of one of their names is left out.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn select(&self, registries: &Registries) -> Result<Vec<Selected>, Exit> {
        let filter = self.filter();
        let selected = select(registries, &filter).map_err(|error| {
            output::error(error);
            not_found(registries)
        })?;
        let selected = self.metadata.pick(selected).map_err(output::usage)?;
        registries.warnings(&selected, filter.benchmark.as_deref()).iter().for_each(output::warn);
        Ok(selected)
    }

    /// True if no registry was named: all that are known count.
    pub fn takes_all_registries(&self) -> bool {
        self.registry.is_empty()
    }

    /// Says where a newer benchmark has taken the place of the one that is asked for.
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
fn not_found(registries: &Registries) -> Exit {
    if registries.lacks_refused_pack { Exit::Refused } else { Exit::Usage }
}
