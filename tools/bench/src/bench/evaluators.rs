//! Every evaluator beside the reference's, with an encoder that costs next to nothing on both sides; its
//! table has the ratios first.

use std::process::ExitCode;

use xtask::document::{machine, put_table};
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

use super::datasets;
use super::environment::{hub_folder, variable};
use super::sides::{self, Run, Runs};
use crate::measure::middle;

/// Tasks of the hub folder, one or more a task type, with their subsets where the folder does not hold all.
const TASKS: [&str; 10] = [
    "NusaX-senti",
    "Banking77Classification",
    "SIB200Classification:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
    "SIB200ClusteringS2S:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
    "STSBenchmark",
    "SemRel24STS:ind,eng",
    "NTREXBitextMining:eng_Latn-ind_Latn,ind_Latn-eng_Latn",
    "NusaXBitextMining",
    "Tatoeba",
    "SciFact",
];

/// Runs of the host, of which the middle one counts.
const RUNS: usize = 5;

/// Every evaluator beside the reference's, with an encoder that costs next to nothing on both sides.
pub fn evaluators() -> Result<ExitCode, String> {
    release()?;
    let given = hub_folder();
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let folder = target_folder().join("bench");
    let made = datasets::write(&folder, &given)
        .map_err(|error| format!("{}: cannot write the datasets: {error}", folder.display()))?;
    let tasks: Vec<&str> = TASKS.into_iter().chain(made.iter().map(|task| task.name)).collect();
    let ours = (0..RUNS).map(|_| sides::host(&folder, &tasks)).collect::<Result<Vec<_>, _>>()?;
    let theirs = sides::reference(&python, &folder, &made, &ours[0], None)?;
    let names: Vec<&str> = tasks.iter().filter_map(|task| task.split(':').next()).collect();
    let rows = rows(&names, &ours, &theirs)?;
    let text = markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "evaluators", &text)?;
    let wrong = rows.iter().filter(|row| row.difference > TOLERANCE).count();
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Main scores may differ by so much where a learner's last digit decides a row.
const TOLERANCE: f64 = 5e-3;

/// One task.
struct Row {
    task: String,
    host: f64,
    reference: f64,
    /// Largest difference of a main score.
    pub difference: f64,
}

/// Rows in the order of `tasks`: of the host's runs the middle one, of the reference the only one.
fn rows(tasks: &[&str], ours: &[Runs], theirs: &Runs) -> Result<Vec<Row>, String> {
    let missing = |task: &str| format!("no result of {task}");
    let row = |&task: &&str| {
        let runs: Vec<&Run> = ours.iter().filter_map(|runs| runs.get(task)).collect();
        let first = runs.first().ok_or_else(|| missing(task))?;
        let host = middle(runs.iter().map(|run| run.seconds));
        let reference = theirs.get(task).ok_or_else(|| missing(task))?;
        let difference = first.difference(reference).map_err(|error| format!("{task}: {error}"))?;
        Ok(Row { task: task.to_owned(), host, reference: reference.seconds, difference })
    };
    tasks.iter().map(row).collect()
}

/// The table with the machine it was made on.
fn markdown(rows: &[Row]) -> String {
    let mut text = format!(
        "Machine: {}.\n\n| task | times as fast | mteb-host, s | mteb, s | largest difference of a main score |\n\
         |---|---:|---:|---:|---:|\n",
        machine()
    );
    for Row { task, host, reference, difference } in rows {
        let ratio = reference / host;
        text += &format!("| {task} | {ratio:.0} | {host:.3} | {reference:.2} | {difference:.6} |\n");
    }
    text
}
