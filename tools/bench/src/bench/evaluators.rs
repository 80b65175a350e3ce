//! Every evaluator beside the reference's, with an encoder that costs next to nothing on both sides.

use std::process::ExitCode;

use super::environment::{hub_folder, variable};
use super::{datasets, sides, table};
use xtask::document::put_table;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

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
    let rows = table::rows(&names, &ours, &theirs)?;
    let text = table::markdown(&rows);
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "evaluators", &text)?;
    let wrong = rows.iter().filter(|row| row.difference > table::TOLERANCE).count();
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
