//! `mteb-host graded pool`: the pairs that are to be judged, from the rankings of all embedders.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_graded::pool::{DEPTH, Pool, PoolPair, added, read_pool, write_pairs, write_pool};
use mteb_graded_run::{GivenRanking, GradedFolder, PoolRequest, make_pool};
use mteb_registry::{Selected, TaskEntry};
use mteb_report::output::rows_grid;
use mteb_results::UnitName;
use mteb_source::DataSources;
use serde_json::{Value, json};

use super::inputs::{FolderArgs, RankingArgs, given_ranking, searching_tasks};
use crate::commands::arguments::{FilterArgs, FormatArgs, PlaceArgs, ValueError, parse_whole};
use crate::commands::discover::discover;
use crate::exit::Exit;
use crate::output;
use crate::view::{cell, right, table, text};

/// Arguments of `graded pool`.
#[derive(Args, Debug)]
pub struct PoolArgs {
    #[command(flatten)]
    rankings: RankingArgs,
    /// Also pool an existing ranking of one unit: a TREC run file or an mteb prediction file; may
    /// be repeated. The system is named after the file, or by NAME.
    #[arg(long, value_name = "[NAME=]FILE", value_parser = given_ranking)]
    rankings_file: Vec<GivenRanking>,
    /// Number of documents per query to take from each ranking.
    #[arg(long, value_name = "K", default_value_t = DEPTH as u32, value_parser = parse_whole::<u32>(1, Some(1000)))]
    depth: u32,
    /// Take a different number of documents from this system, e.g. few from a random baseline; may
    /// be repeated.
    #[arg(long, value_name = "SYSTEM=K", value_parser = depth_of)]
    depth_of: Vec<(String, usize)>,
    /// Pool only N queries. They are drawn by task and query id, so a larger sample contains every
    /// smaller one.
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    sample: Option<u32>,
    /// Compare with this earlier pool (a file, or a folder as for `--folder`), and list the pairs
    /// it lacks under `new` in the folder [default: the pool that is replaced].
    #[arg(long, value_name = "FILE|DIR")]
    previous: Option<PathBuf>,
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// A pool that was made.
struct Made {
    pool: Pool,
    path: PathBuf,
    /// The version before and the pairs that it lacks; `None` for a first pool.
    new: Option<(String, Vec<PoolPair>)>,
}

impl PoolArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let settings = self.place.settings();
        let catalog = discover(&settings);
        let tasks = searching_tasks(&self.filter, &catalog)?;
        let units: Vec<(&TaskEntry, &str, &str)> = tasks.iter().flat_map(units).collect();
        if units.len() != 1
            && (!self.rankings_file.is_empty() || self.previous.as_deref().is_some_and(Path::is_file))
        {
            return Err(output::usage(format!(
                "expected one subset and split (`--task NAME:subset`), because a rankings file covers one, \
                 found {}",
                units.len()
            )));
        }
        let mut sources = DataSources::new(settings, &catalog);
        let folder = self.folder.folder();
        let (mut made, mut exit) = (Vec::new(), Exit::Done);
        for (entry, split, subset) in units {
            match self.pool(&folder, entry, (split, subset), &mut sources) {
                Ok(pool) => made.push(pool),
                Err(error) => {
                    output::failure(error);
                    exit = Exit::Failed;
                }
            }
        }
        let answer = || made.iter().map(as_json).collect();
        let printed = match self.format.print(answer, |answer| rows_grid(&[], answer)) {
            Some(exit) => exit,
            None if made.is_empty() => Exit::Done,
            None => output::print_table(&pool_table(&made)),
        };
        Ok(if printed == Exit::Done { exit } else { printed })
    }

    /// Makes and writes the pool of a unit.
    fn pool(
        &self,
        folder: &GradedFolder,
        entry: &TaskEntry,
        (split, subset): (&str, &str),
        sources: &mut DataSources,
    ) -> Result<Made, Box<dyn Error>> {
        let unit = UnitName { task: &entry.card.name, split, subset };
        let path = folder.pool(unit);
        let before = match &self.previous {
            Some(previous) if previous.is_file() => previous.clone(),
            Some(previous) => GradedFolder::new(previous).pool(unit),
            None => path.clone(),
        };
        let is_there = before.try_exists().map_err(|error| format!("{}: {error}", before.display()))?;
        if self.previous.is_some() && !is_there {
            return Err(format!("{}: expected an earlier pool, found nothing", before.display()).into());
        }
        let earlier = is_there.then(|| read_pool(&before)).transpose()?;
        let pool = make_pool(
            PoolRequest {
                entry,
                split,
                subset,
                depth: self.depth as usize,
                depths: &self.depth_of,
                sample: self.sample.map(|count| count as usize),
                results: &self.rankings.results,
                models: &self.rankings.model,
                given: &self.rankings_file,
            },
            sources,
        )?;
        let new = earlier.map(|earlier| {
            let new: Vec<PoolPair> = added(&pool, &earlier).into_iter().cloned().collect();
            (earlier.version(), new)
        });
        // The same pool again has no news of its own, and takes none away.
        if let Some((version, pairs)) = &new
            && *version != pool.version()
        {
            folder.check_new_pairs(unit)?;
            write_pairs(&folder.new_pairs(unit), pairs)?;
        }
        folder.check_way(&path)?;
        write_pool(&path, &pool)?;
        Ok(Made { pool, path, new })
    }
}

fn depth_of(text: &str) -> Result<(String, usize), ValueError> {
    let parts = text.rsplit_once('=').filter(|(system, _)| !system.is_empty());
    let depth = parts.and_then(|(system, depth)| Some((system.to_owned(), depth.parse().ok()?)));
    depth.filter(|(_, depth)| (1..=1000).contains(depth)).ok_or(ValueError::DepthOf)
}

fn units(task: &Selected) -> impl Iterator<Item = (&TaskEntry, &str, &str)> {
    task.units().map(|(split, subset)| (&*task.entry, split, subset))
}

fn as_json(made: &Made) -> Value {
    let from = &made.pool.provenance;
    let new = made.new.as_ref().map(|(version, pairs)| json!({"previous": version, "pairs": pairs}));
    json!({
        "task": from.task, "split": from.split, "subset": from.subset, "data": from.data, "depth": from.depth,
        "sample": from.sample, "rankings": from.rankings, "queries": made.pool.queries.len(), "pairs": made.pool.pairs.len(),
        "version": made.pool.version(), "file": made.path.display().to_string(), "new": new,
    })
}

fn pool_table(made: &[Made]) -> String {
    let mut rows = table(["Task", "Split", "Subset", "Rankings", "Queries", "Pairs", "New", "Version"]);
    for Made { pool, new, .. } in made {
        let from = &pool.provenance;
        let new = new.as_ref().map_or_else(|| pool.pairs.len(), |(_, pairs)| pairs.len());
        rows.add_row([
            cell(&from.task),
            cell(&from.split),
            cell(&from.subset),
            right(from.rankings.len()),
            right(pool.queries.len()),
            right(pool.pairs.len()),
            right(new),
            pool.version()[..12].to_owned().into(),
        ]);
    }
    text(rows)
}
