//! `mteb-host graded aggregate`: the table of all systems: the mean over tasks for each judge, then over judges.

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use mteb_base::suggest::hint;
use mteb_graded::aggregate::{AVERAGE, Gap, Measure, Pools, Standings, gap, group_of, shifts, standings};
use mteb_graded::evaluate::Evaluated;
use mteb_graded_run::{GradedFolder, RankingError, binary_scores, changed_since, evaluations};
use mteb_report::grid::{Grid, Value};

use super::inputs::FolderArgs;
use crate::commands::arguments::{Format, FormatArgs, ValueError, parse_whole, print_grid};
use crate::exit::Exit;
use crate::output::{self, usage};

/// Arguments of `graded aggregate`.
#[derive(Args, Debug)]
pub struct AggregateArgs {
    #[command(flatten)]
    folder: FolderArgs,
    /// Only this task; may be repeated [default: all evaluated tasks].
    #[arg(long, value_name = "NAME")]
    task: Vec<String>,
    /// Only the tasks of this group of the study.
    #[arg(long, conflicts_with = "task")]
    group: Option<GroupName>,
    /// Cut-offs at which systems are compared, e.g. `1,10,100`.
    #[arg(long, value_name = "K,K", value_delimiter = ',', default_value = "10", value_parser = parse_whole::<u32>(1, Some(100)))]
    at: Vec<u32>,
    /// Measure to show.
    #[arg(long, default_value = "ndcg")]
    measure: MeasureName,
    /// Systems to show.
    #[arg(long, default_value = "all")]
    systems: SystemsName,
    /// Show differences from this system, named as in the table.
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    /// Also rank the embedders by the main scores of the results in this folder, which are based on
    /// the tasks' own qrels, and show how ranks change; may be repeated.
    #[arg(long, value_name = "DIR")]
    binary: Vec<PathBuf>,
    /// Show how much a large model gains over a small one of its family, both named as in the
    /// table; may be repeated.
    #[arg(long, value_name = "SMALL=LARGE", value_parser = parse_siblings)]
    siblings: Vec<(String, String)>,
    /// Allow scores from different pools in one table; they are marked.
    #[arg(long)]
    mixed_pools: bool,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GroupName {
    Retrieval,
    Reranking,
    Instruction,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MeasureName {
    Ndcg,
    Recall,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SystemsName {
    /// All systems.
    All,
    /// Embedders without a reranker.
    Embedders,
    /// Embedders followed by a reranker.
    Reranked,
}

impl AggregateArgs {
    /// Runs the step.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let evaluated = self.read_evaluations(&self.folder.folder()).map_err(usage)?;
        changed_since(&self.folder.folder(), &evaluated).iter().for_each(output::warn);
        let mut grid = Grid::default();
        for &k in &self.at {
            let table = self.standings(&evaluated, k as usize).map_err(usage)?;
            self.check_name(self.baseline.as_deref(), &table)?;
            let binary = self.binary(&evaluated).map_err(usage)?;
            for (small, large) in &self.siblings {
                [small, large].iter().try_for_each(|name| self.check_name(Some(name.as_str()), &table))?;
            }
            beyond_reranked(&evaluated, k as usize).iter().for_each(output::warn);
            describe_undefined(&table, k as usize).iter().for_each(output::warn);
            let of_rank = self.grid(&table, k as usize, binary.as_deref(), &evaluated);
            grid.rows.extend(of_rank.rows);
            grid.titles = of_rank.titles;
        }
        Ok(print_grid(&grid, self.format.or(Format::Table)))
    }

    /// The evaluations of the tasks that are wanted.
    fn read_evaluations(&self, folder: &GradedFolder) -> Result<Vec<Evaluated>, Box<dyn Error>> {
        let (mut evaluated, faults) = evaluations(folder)?;
        faults.iter().for_each(output::warn);
        evaluated.retain(|read| {
            let is_in_group = |group: GroupName| group_of(&read.task) == Some(group.name());
            let is_named = self.task.is_empty() || self.task.contains(&read.task);
            is_named && self.group.is_none_or(is_in_group)
        });
        if evaluated.is_empty() && !faults.is_empty() {
            return Err(format!(
                "{}: expected evaluations of these tasks, found only ones that were skipped, each named above",
                folder.path().display()
            )
            .into());
        }
        if evaluated.is_empty() {
            return Err(format!(
                "{}: expected evaluations of these tasks, found none; run `mteb-host graded evaluate` first",
                folder.path().display()
            )
            .into());
        }
        Ok(evaluated)
    }

    fn standings(&self, evaluated: &[Evaluated], k: usize) -> Result<Standings, Box<dyn Error>> {
        let measure = match self.measure {
            MeasureName::Ndcg => Measure::Ndcg,
            MeasureName::Recall => Measure::Recall,
        };
        let pools = if self.mixed_pools { Pools::Marked } else { Pools::Same };
        let mut table = standings(evaluated, measure, k, pools)?;
        table.systems.retain(|row| match self.systems {
            SystemsName::All => true,
            SystemsName::Embedders => row.system.reranker.is_none(),
            SystemsName::Reranked => {
                row.system.reranker.is_some() || self.is_baseline(&row.system.to_string())
            }
        });
        Ok(table)
    }

    /// The small models of `--siblings`, each once.
    fn list_smalls(&self) -> Vec<&str> {
        let mut smalls: Vec<&str> = Vec::new();
        for (small, _) in &self.siblings {
            if !smalls.contains(&small.as_str()) {
                smalls.push(small);
            }
        }
        smalls
    }

    fn is_baseline(&self, system: &str) -> bool {
        self.baseline.as_deref() == Some(system)
    }

    /// A system that was named is in the table.
    fn check_name(&self, name: Option<&str>, table: &Standings) -> Result<(), Exit> {
        let names: Vec<String> = table.systems.iter().map(|row| row.system.to_string()).collect();
        match name.filter(|name| !names.iter().any(|known| known == name)) {
            None => Ok(()),
            Some(name) => {
                let hint = hint(name, names.iter().map(String::as_str), "");
                Err(usage(format!("expected a system of the table, found: {name}{hint}")))
            }
        }
    }

    /// The main scores of embedders, if they are wanted.
    fn binary(&self, evaluated: &[Evaluated]) -> Result<Option<Vec<(String, f64)>>, RankingError> {
        if self.binary.is_empty() {
            return Ok(None);
        }
        binary_scores(&self.binary, evaluated).map(Some)
    }

    fn grid(
        &self,
        table: &Standings,
        k: usize,
        binary: Option<&[(String, f64)]>,
        evaluated: &[Evaluated],
    ) -> Grid {
        let mut titles = vec!["At".to_owned(), "System".to_owned()];
        titles.extend(table.judges.iter().cloned());
        titles.extend([AVERAGE.to_owned(), "Judged".to_owned()]);
        let deltas = self.baseline.as_ref().map(|baseline| table.deltas(baseline));
        titles.extend(deltas.iter().map(|_| "Delta".to_owned()));
        let alone: Vec<(String, f64)> = table
            .systems
            .iter()
            .filter(|row| row.system.reranker.is_none())
            .filter_map(|row| Some((row.system.to_string(), row.average?)))
            .collect();
        let shifts = binary.map(|binary| shifts(&alone, binary));
        if shifts.is_some() {
            titles.extend(["Binary rank", "Graded rank", "Shift"].map(str::to_owned));
        }
        let smalls = self.list_smalls();
        titles.extend(smalls.iter().map(|small| format!("Beyond {small}")));
        let has_rerankers = table.systems.iter().any(|row| row.system.reranker.is_some());
        let sorted = evaluated.iter().filter_map(|unit| unit.rerank_depth).min().filter(|_| has_rerankers);
        titles.extend(sorted.map(|_| "Reranked".to_owned()));
        if self.mixed_pools {
            titles.push("Other pools".to_owned());
        }
        let averages = table.averages();
        let mut grid = Grid::new(titles);
        for (place, row) in table.systems.iter().enumerate() {
            let name = row.system.to_string();
            let mut cells = vec![Value::from(k), Value::Text(name.clone())];
            cells.extend(row.judges.iter().map(|score| Value::number(score.map(round))));
            cells.extend([row.average, row.judged].map(|score| Value::number(score.map(round))));
            cells.extend(deltas.iter().map(|deltas| Value::number(deltas[place].map(round))));
            if let Some(shifts) = &shifts {
                let shift = shifts.iter().find(|shift| shift.system == name);
                cells.extend(
                    [shift.map(|shift| shift.binary), shift.map(|shift| shift.graded)].map(Value::from),
                );
                cells.push(shift.map_or(Value::None, |shift| Value::Whole(shift.places())));
            }
            cells.extend(smalls.iter().map(|small| {
                let is_asked = self.siblings.iter().any(|(other, large)| other == small && *large == name);
                let gap = gap(&averages, small, &name).filter(|_| is_asked);
                Value::number(gap.map(|Gap { gap, .. }| round(gap)))
            }));
            let depth = sorted.filter(|_| row.system.reranker.is_some());
            cells.extend(sorted.map(|_| depth.map_or(Value::None, Value::from)));
            if self.mixed_pools {
                cells.push(Value::from(row.other_pools.len()));
            }
            grid.rows.push(cells);
        }
        grid
    }
}

impl GroupName {
    fn name(self) -> &'static str {
        match self {
            Self::Retrieval => "Retrieval",
            Self::Reranking => "Reranking",
            Self::Instruction => "Instruction",
        }
    }
}

/// A line for the scores that no mean has, for there is nothing that could be found.
fn describe_undefined(table: &Standings, k: usize) -> Option<String> {
    let count = table.systems.iter().map(|row| row.undefined).max().filter(|count| *count > 0)?;
    let what = if count == 1 {
        "1 score of each system is".to_owned()
    } else {
        format!("{count} scores of each system are")
    };
    Some(format!(
        "at {k}: {what} undefined and left out of the means: the judge finds no document of the unit relevant"
    ))
}

/// A line for the units of whose rankings rerankers sorted less anew than is compared at `k`.
fn beyond_reranked(evaluated: &[Evaluated], k: usize) -> Option<String> {
    let short = evaluated.iter().filter(|unit| unit.rerank_depth.is_some_and(|depth| depth < k));
    let shown: Vec<String> =
        short.map(|unit| format!("{} {}", unit.task, unit.rerank_depth.unwrap_or_default())).collect();
    (!shown.is_empty()).then(|| {
        format!(
            "at {k}: fewer documents per query were reranked ({}); below these the order is the embedder's",
            shown.join(", ")
        )
    })
}

/// Six digits, as result files have them.
fn round(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

fn parse_siblings(text: &str) -> Result<(String, String), ValueError> {
    let names = text.split_once('=').filter(|(small, large)| !small.is_empty() && !large.is_empty());
    let (small, large) = names.ok_or(ValueError::Siblings)?;
    Ok((small.to_owned(), large.to_owned()))
}
