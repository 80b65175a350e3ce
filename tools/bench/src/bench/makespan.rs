//! How long a benchmark is planned to take on more and more workers, beside what no plan can beat: an equal part of all work, and the
//! longest piece: a unit, or a range of its corpus where that is cut.

use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;

use serde_json::Value;
use xtask::document::put_table;
use xtask_start::build::release;
use xtask_start::command::{root, succeed, target_folder};

use crate::bench::sides::host_command;
use crate::svg::{Mark, Panel, Plot, Series, svg};

const BENCHMARK: &str = "MTEB(Multilingual, v2)";

/// Workers of the largest plan; the others have half as many each.
const MOST: usize = 1024;

/// What a plan promises.
struct Planned {
    workers: usize,
    /// Seconds of the longest shard.
    makespan: f64,
    /// Seconds of all shards.
    total: f64,
    /// Seconds of the longest unit, or of the longest range of one that is cut.
    longest: f64,
}

impl Planned {
    fn bound(&self) -> f64 {
        (self.total / self.workers as f64).max(self.longest)
    }

    /// Percent above the bound.
    fn above(&self) -> f64 {
        100.0 * (self.makespan / self.bound() - 1.0)
    }
}

/// Plans for 1 to 1,024 workers by the host itself; writes the table and the picture of docs/clusters.md.
pub fn makespan() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/makespan");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let workers =
        std::iter::successors(Some(1), |workers| Some(workers * 2)).take_while(|workers| *workers <= MOST);
    let plans = workers.map(|workers| plan(&folder, workers)).collect::<Result<Vec<_>, String>>()?;
    let table = table(&plans);
    println!("{table}");
    put_table(&root().join("docs/clusters.md"), "makespan", &table)?;
    let picture = root().join("docs/pictures/makespan.svg");
    fs::write(&picture, svg(&plot(&plans))).map_err(|error| format!("{}: {error}", picture.display()))?;
    Ok(ExitCode::SUCCESS)
}

fn plan(folder: &std::path::Path, workers: usize) -> Result<Planned, String> {
    let path = folder.join(format!("plan-{workers}.json"));
    let mut command = host_command();
    command
        .args(["plan", "--benchmark", BENCHMARK, "--model", "hashing", "--offline", "--output"])
        .arg(&path);
    succeed(command.args(["--shards", &workers.to_string()]))?;
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let plan: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let seconds = |of: &Value| of["seconds"].as_f64().unwrap_or(0.0);
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let pieces = |unit: &Value| match list(&unit["ranges"]).as_slice() {
        [] => vec![seconds(unit)],
        ranges => ranges.iter().map(seconds).collect(),
    };
    let units: Vec<f64> = list(&plan["tasks"])
        .iter()
        .flat_map(|task| list(&task["units"]))
        .flat_map(|unit| pieces(&unit))
        .collect();
    let longest_of = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    let shards: Vec<f64> = list(&plan["shards"]).iter().map(seconds).collect();
    Ok(Planned {
        workers,
        makespan: longest_of(&shards),
        total: shards.iter().sum(),
        longest: longest_of(&units),
    })
}

fn table(plans: &[Planned]) -> String {
    let mut text =
        "| workers | longest shard, s | least possible, s | above that |\n|---:|---:|---:|---:|\n".to_owned();
    for plan in plans {
        let (makespan, bound) = (plan.makespan, plan.bound());
        let _ = writeln!(text, "| {} | {makespan:.1} | {bound:.1} | {:.1} % |", plan.workers, plan.above());
    }
    text
}

fn plot(plans: &[Planned]) -> Plot {
    let series = |name: &str, of: fn(&Planned) -> f64| Series {
        name: name.to_owned(),
        points: plans
            .iter()
            .map(|plan| Mark { x: plan.workers as f64, y: of(plan), hollow: false })
            .collect(),
        line: None,
    };
    let ends = plans.first().zip(plans.last());
    let equal = ends
        .map(|(first, last)| [(1.0, first.total), (last.workers as f64, last.total / last.workers as f64)]);
    let parts = Series { name: "equal parts".to_owned(), points: Vec::new(), line: equal };
    Plot {
        title: format!("{BENCHMARK}: planned time by workers"),
        panels: vec![Panel {
            x_label: "workers".to_owned(),
            y_label: "seconds".to_owned(),
            series: vec![
                series("longest shard", |plan| plan.makespan),
                series("least possible", Planned::bound),
                parts,
            ],
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plan_is_shorter_than_an_equal_part_or_the_longest_unit() {
        let plan = |workers| Planned { workers, makespan: 33.0, total: 100.0, longest: 30.0 };
        assert_eq!((plan(2).bound(), plan(8).bound()), (50.0, 30.0));
        assert!((plan(8).above() - 10.0).abs() < 1e-9);
        assert!(table(&[plan(8)]).ends_with("| 8 | 33.0 | 30.0 | 10.0 % |\n"));
        assert!(svg(&plot(&[plan(1), plan(8)])).contains("longest shard"));
    }
}
