//! `mteb-host status`: how far the shards of a plan are, from their folders alone.

pub mod shards;

pub use shards::{Reports, ReportsError};

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use mteb_base::calendar;
use mteb_report::output::rows_grid;
use serde_json::{Value, json};

use self::shards::{ShardView, Stage, read_plan, time_left};
use super::arguments::{FormatArgs, command_of};
use super::objects::address;
use crate::exit::Exit;
use crate::{output, view};

/// Between two looks.
const LOOK: Duration = Duration::from_secs(2);

/// Shards of a plan up to which the table has a line for each.
const LONGEST_TABLE: usize = 64;

/// Arguments of `status`.
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// The plan, as written by `mteb-host plan`; the folders of its shards are next to it.
    plan: PathBuf,
    /// Check every two seconds and report changes, until every shard is done or has failed.
    #[arg(long)]
    watch: bool,
    /// Address of the shards' results, such as `s3://bucket/folder` [default: their folders next to
    /// the plan].
    #[arg(long, value_name = "ADDRESS")]
    output_folder: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

impl StatusArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let plan = match read_plan(&self.plan) {
            Ok(plan) => plan,
            Err(exit) => return exit,
        };
        // A plan may have megabytes; it is hashed once, however often its shards are looked at.
        let hash = plan.hash();
        let reports = match self.reports() {
            Ok(reports) => reports,
            Err(why) => return output::usage(why),
        };
        let look = || reports.views(&plan, &hash);
        let mut found = match look() {
            Ok(found) => found,
            Err(why) => return output::failed(why),
        };
        if self.watch {
            let mut said = String::new();
            loop {
                let line = summary(&found);
                if line != said {
                    output::say(&line);
                    said = line;
                }
                if found.iter().all(|view| view.has_ended()) {
                    break;
                }
                std::thread::sleep(LOOK);
                // A store that is away for a while is asked again.
                match look() {
                    Ok(now) => found = now,
                    Err(why) => output::warn(why),
                }
            }
        }
        self.say(&found)
    }

    fn reports(&self) -> Result<Reports, ReportsError> {
        if let Some(named) = self.output_folder.as_ref().filter(|_| self.store().is_none()) {
            return Err(ReportsError::NoAddress(named.clone()));
        }
        Reports::open(&self.plan, self.store())
    }

    fn store(&self) -> Option<&str> {
        self.output_folder.as_deref().and_then(address)
    }

    fn say(&self, found: &[ShardView]) -> Exit {
        let now = calendar::seconds();
        let rows = || -> Vec<Value> { found.iter().map(|view| view.to_json(now)).collect() };
        let answer = || {
            let count = |stage: Stage| found.iter().filter(|view| view.stage == stage).count();
            let counts: serde_json::Map<String, Value> =
                Stage::ALL.iter().map(|stage| (stage.name().to_owned(), count(*stage).into())).collect();
            json!({
                "plan": self.plan.to_string_lossy(),
                "counts": counts,
                "seconds_left": time_left(found),
                "shards": rows(),
            })
        };
        let printed = self.format.print(answer, |answer| rows_grid(&["shard", "state"], &answer["shards"]));
        printed.unwrap_or_else(|| self.say_to_people(found))
    }

    fn say_to_people(&self, found: &[ShardView]) -> Exit {
        let is_told = |view: &&ShardView| {
            found.len() <= LONGEST_TABLE || !matches!(view.stage, Stage::Done | Stage::NotBegun)
        };
        let mut table = view::table(["shard", "state", "units", "estimated", "took", "machine"]);
        let told: Vec<&ShardView> = found.iter().filter(is_told).collect();
        for view in &told {
            table.add_row(cells(view));
        }
        if !told.is_empty() {
            let printed = output::print_table(&view::text(table));
            if printed != Exit::Done {
                return printed;
            }
        }
        for view in found.iter().filter(|view| view.stage.has_stopped()) {
            output::say(format!("{}; to resume it: {}", describe_end(view), self.command(view.shard)));
        }
        output::print(&summary(found))
    }

    fn command(&self, shard: usize) -> String {
        command_of(&self.plan, shard, self.store())
    }
}

impl ShardView {
    fn has_ended(&self) -> bool {
        matches!(self.stage, Stage::Done | Stage::Killed | Stage::Failed | Stage::Unreadable)
    }

    /// Seconds that its last run took so far.
    fn seconds_of_run(&self) -> Option<f64> {
        let said = self.said.as_ref()?;
        let end = if self.stage == Stage::Running {
            calendar::seconds()
        } else {
            said.finished.unwrap_or(said.updated)
        };
        Some((end - said.started).max(0.0))
    }
}

impl Stage {
    fn has_stopped(self) -> bool {
        matches!(self, Self::Killed | Self::Failed | Self::Silent | Self::Unreadable)
    }

    fn describe(self) -> &'static str {
        match self {
            Self::NotBegun => "not begun",
            other => other.name(),
        }
    }
}

fn cells(view: &ShardView) -> [comfy_table::Cell; 6] {
    let failed = view.said.as_ref().map_or(0, |said| said.units_failed);
    let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    [
        view::right(view.shard),
        view::cell(view.stage.describe()),
        view::right(format!("{} of {}{failed}", view.units_done(), view.units)),
        view::right(duration(view.estimated)),
        view::right(view.seconds_of_run().map_or_else(String::new, duration)),
        view::cell(view.said.as_ref().map_or("", |said| &said.machine)),
    ]
}

/// Why a shard waits for somebody.
fn describe_end(view: &ShardView) -> String {
    let shard = view.shard;
    match (view.stage, &view.fault, &view.said) {
        (_, Some(fault), _) => format!("shard {shard}: {fault}"),
        (Stage::Killed, _, Some(said)) => {
            let process = said.ended_process().map_or_else(String::new, |number| format!(" {number}"));
            format!(
                "shard {shard}: its process{process} on this machine was killed before all of its units were scored"
            )
        }
        (Stage::Silent, _, Some(said)) => {
            let silent = duration(calendar::seconds() - said.updated);
            format!("shard {shard}: nothing was heard of it for {silent}; it was on {}", said.machine)
        }
        (_, _, Some(said)) => match said.failures.first() {
            Some(first) => format!(
                "shard {shard}: {}, as {}, split {}, subset {}: {}",
                output::count(said.units_failed, "unit") + " failed",
                first.task,
                first.split,
                first.subset,
                first.reason
            ),
            None => format!("shard {shard}: it ended before all of its units were scored"),
        },
        _ => format!("shard {shard}: failed"),
    }
}

/// One line on all shards.
fn summary(found: &[ShardView]) -> String {
    let count = |stage: Stage| found.iter().filter(|view| view.stage == stage).count();
    let counts = Stage::ALL.iter().filter(|stage| count(**stage) > 0);
    let counts: Vec<String> = counts.map(|stage| format!("{} {}", count(*stage), stage.describe())).collect();
    let done: usize = found.iter().map(ShardView::units_done).sum();
    let all: usize = found.iter().map(|view| view.units).sum();
    let left = time_left(found);
    let left = left.map_or_else(String::new, |seconds| {
        format!("; {}", view::time_in_words(Duration::try_from_secs_f64(seconds).ok()))
    });
    format!(
        "{} of {}; {done} of {} scored{left}",
        counts.join(", "),
        output::count(found.len(), "shard"),
        output::count(all, "unit")
    )
}

/// Seconds as people say them.
fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{:.0} s", seconds.max(0.0)),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
