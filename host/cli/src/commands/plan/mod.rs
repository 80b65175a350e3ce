//! `mteb-host plan`: cuts a run into shards that several machines score.

mod estimates;

pub use self::estimates::add_texts;

use std::path::PathBuf;
use std::sync::Mutex;

use clap::Args;
use mteb_engine::shards::{Planner, Target, tasks_in_order};
use mteb_models::encode::{Encoder, lock};
use mteb_shards::{ShardPlan, SizeSource, default_speed};
use mteb_source::DataSources;
use mteb_workers::settings::Settings;

use self::estimates::{Cut, Estimator, Measured};
use super::arguments::{
    FilterArgs, JobArgs, PlaceArgs, Recorded, RerankArgs, ValueError, command_of, parse_whole,
};
use super::discover::{consider_refusals, discover, say_refusals};
use super::selected::leave_out_what_cannot_be_ranked;
use crate::exit::Exit;
use crate::view::{self, Progress};
use crate::{output, system};

/// Options of places that a plan hands on; what is trusted is decided on each machine.
const PLACES: [&str; 5] = ["--plugin-dir", "--cache-dir", "--hub-dir", "--offline", "--plugin-timeout"];

/// Arguments of `plan`.
#[derive(Args, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Plan file to write.
    #[arg(short, long, value_name = "FILE", default_value = "plan.json")]
    output: PathBuf,
    /// Do not split one unit among shards, neither the search of its corpus nor the pairs of a
    /// reranker: the smallest piece is a unit, and `merge` needs no data.
    #[arg(long)]
    whole_corpora: bool,
    /// Show each shard with its units and estimated hours.
    #[arg(long)]
    show: bool,
    /// Folder with results of this model, used to estimate its speed.
    #[arg(long, value_name = "DIR", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    job: Recorded<JobArgs>,
    #[command(flatten)]
    rerank: Recorded<RerankArgs>,
    #[command(flatten)]
    place: Recorded<PlaceArgs>,
}

/// How many shards to make.
#[derive(Args, Clone, Copy, Debug)]
#[group(required = true, multiple = false)]
struct TargetArgs {
    /// Number of shards.
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, Some(100_000)))]
    shards: Option<u32>,
    /// Use as few shards as possible with at most this estimated time each, e.g. `90s`, `30m`, `2h`
    /// or `1d`.
    #[arg(long, value_name = "TIME", value_parser = parse_seconds)]
    budget: Option<f64>,
}

impl PlanArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        if let Err(error) = system::watch_signals() {
            output::warn(format!("Ctrl-C will end the command at once: {error}"));
        }
        let settings = Settings { python: self.job.model.python(), ..self.place.settings() };
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let (registries, mut tasks) = self.job.choose(&catalog, "plan")?;
        let progress = Progress::new(false, false);
        let (devices, around) = ([self.job.model.device().to_owned()], (&catalog, &settings));
        let (model, _) = self.job.model.start_on(
            &devices,
            &self.job.filter.registry,
            around,
            (&registries, &tasks),
            &progress,
        )?;
        let first_stage = self.rerank.read_first_stage()?;
        self.rerank.check(model.info(), &tasks)?;
        if (model.only_ranks() || first_stage.is_some()) && self.job.filter.task.is_empty() {
            leave_out_what_cannot_be_ranked(&mut tasks)?;
        }
        let encoder = Mutex::new(Encoder::new(model, self.job.batch_tokens));
        let (info, facts, setting) = {
            let encoder = lock(&encoder);
            (encoder.info().clone(), encoder.facts(), encoder.setting())
        };
        for compression in self.job.sizes.compressions() {
            compression.check(&info).map_err(|error| {
                output::error(error);
                Exit::Usage
            })?;
        }
        let tasks = tasks_in_order(&tasks);
        // What is not here is neither read nor fetched.
        let mut sources = DataSources::new(Settings { offline: true, ..settings }, &catalog);
        let measured = Measured::of(&self.results, &info);
        let parameters = setting.weights.map(|weights| weights.parameters).or(setting.parameters);
        let is_on_card = info.device.as_deref().is_some_and(|device| device.starts_with("cuda"));
        let cost = measured.cost.clone().unwrap_or_else(|| default_speed(parameters, is_on_card));
        // What ranks without embeddings, or compares again what it has found, searches a corpus whole.
        let compressions = self.job.sizes.compressions();
        let is_rescored = compressions.iter().any(|compression| compression.rescore_multiplier.is_some());
        let cut = match info.cross_encoder {
            _ if self.whole_corpora || is_rescored || lock(&encoder).ranks() => Cut::Nothing,
            true => Cut::Pairs(first_stage.as_ref()),
            false => Cut::Corpora,
        };
        let estimator = Estimator { measured: &measured, cost: &cost, cut };
        let estimates = tasks.iter().flat_map(|task| estimator.units(task, &mut sources)).collect();
        let is_place = |word: &&String| PLACES.contains(&word.split('=').next().unwrap_or_default());
        let planner = Planner {
            version: env!("CARGO_PKG_VERSION"),
            words: (self.words(), self.place.words().iter().filter(is_place).cloned().collect()),
            model: (facts, self.job.model.has_device()),
            first_stage,
            tasks: &tasks,
            catalog: &catalog,
            cost,
            estimates,
        };
        let (plan, said) = planner.plan(self.target.target(), &mut sources);
        said.iter().for_each(output::warn);
        plan.write(&self.output).map_err(|error| {
            output::error(error);
            Exit::Failed
        })?;
        Ok(consider_refusals(self.say(&plan), &catalog))
    }

    /// The words that choose tasks, model and scoring. Who was asked whether all tasks are meant is not asked again.
    fn words(&self) -> Vec<String> {
        let mut words = [self.job.words(), self.rerank.words()].concat();
        if self.job.filter == FilterArgs::default() && !self.job.all {
            words.push("--all".to_owned());
        }
        words
    }

    fn say(&self, plan: &ShardPlan) -> Exit {
        if self.show {
            let shown = output::print_table(&draw_table(plan));
            if shown != Exit::Done {
                return shown;
            }
        }
        output::print(&summary(plan, &self.output))
    }
}

impl TargetArgs {
    fn target(self) -> Target {
        match (self.shards, self.budget) {
            (None, Some(seconds)) => Target::Seconds(seconds),
            (shards, _) => Target::Shards(shards.unwrap_or(1) as usize),
        }
    }
}

/// The shards, a row each.
fn draw_table(plan: &ShardPlan) -> String {
    let mut table = view::table(["shard", "tasks", "units", "hours", "what"]);
    let mut tasks_of: Vec<Vec<(&str, usize)>> = vec![Vec::new(); plan.shards.len()];
    for (task, unit) in plan.units() {
        for shard in unit.shards() {
            let tasks = &mut tasks_of[shard];
            match tasks.last_mut() {
                Some((last, count)) if *last == task.task => *count += 1,
                _ => tasks.push((&task.task, 1)),
            }
        }
    }
    for (shard, (planned, tasks)) in plan.shards.iter().zip(&tasks_of).enumerate() {
        let what: Vec<String> = tasks
            .iter()
            .map(|(task, count)| if *count == 1 { (*task).to_owned() } else { format!("{task} ({count})") })
            .collect();
        table.add_row(vec![
            view::right(shard),
            view::right(tasks.len()),
            view::right(planned.units),
            view::right(format!("{:.2}", planned.seconds / 3600.0)),
            view::cell(what.join(", ")),
        ]);
    }
    view::text(table)
}

/// What the plan comes to, and how it is run.
fn summary(plan: &ShardPlan, path: &std::path::Path) -> String {
    let seconds = || plan.shards.iter().map(|shard| shard.seconds);
    let (total, longest) = (seconds().sum::<f64>(), seconds().fold(0.0, f64::max));
    let mean = total / plan.shards.len() as f64;
    let imbalance = if mean > 0.0 { 100.0 * (longest / mean - 1.0) } else { 0.0 };
    let guessed = plan.units().filter(|(_, unit)| unit.counted == SizeSource::Guess).count();
    let mut lines = vec![
        format!(
            "{}: {} of {}, {} in all, the longest shard {} ({imbalance:.0} % above the mean)",
            path.display(),
            output::count(plan.shards.len(), "shard"),
            output::count(plan.units().count(), "unit"),
            write_time(total),
            write_time(longest),
        ),
        format!("Estimated at {:.0} tokens per second ({})", plan.cost.tokens_per_second, plan.cost.from),
    ];
    if guessed > 0 {
        lines.push(format!(
            "Nobody has counted the texts of {}; theirs are guessed",
            output::count(guessed, "unit")
        ));
    }
    let cut = plan.units().filter(|(_, unit)| !unit.ranges.is_empty()).count();
    if cut > 0 {
        lines.push(format!("The work of {} is shared by several shards each", output::count(cut, "unit")));
    }
    let empty = plan.shards.iter().filter(|shard| shard.units == 0).count();
    if empty > 0 {
        lines.push(format!(
            "{} without work: one unit, a split of a subset, or a range of its corpus or pairs, is the smallest piece of a plan",
            output::count(empty, "shard")
        ));
    } else if imbalance > 10.0 {
        lines.push(
            "One unit, a split of a subset, or a range of its corpus or pairs, is the smallest piece of a plan: the longest shard may be one"
                .to_owned(),
        );
    }
    lines.push(format!("Run each shard: {}", command_of(path, 0, None)));
    lines.push(format!("Then: mteb-host merge {}", path.display()));
    lines.join("\n")
}

fn write_time(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

/// Reads a time as `30m`.
fn parse_seconds(text: &str) -> Result<f64, ValueError> {
    let end = text.trim().len().saturating_sub(1);
    let (number, unit) = text.trim().split_at_checked(end).ok_or(ValueError::Time)?;
    let factor = match unit {
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return Err(ValueError::Time),
    };
    let number: f64 = number.parse().map_err(|_| ValueError::Time)?;
    let seconds = number * factor;
    if seconds.is_finite() && seconds > 0.0 { Ok(seconds) } else { Err(ValueError::Time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(parse_seconds("30m"), Ok(1800.0));
        assert_eq!(parse_seconds("1.5h"), Ok(5400.0));
        for wrong in ["", "m", "30", "0s", "-1h", "3 weeks", "é"] {
            assert!(parse_seconds(wrong).is_err(), "{wrong}");
        }
    }
}
