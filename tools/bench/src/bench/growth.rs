//! How time and memory grow with the size of the work: retrieval, clustering, registries; tables and plots.

mod jobs;
pub mod registry;
mod report;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use crate::bench::environment::largest;
use crate::bench::sides;
use crate::measure::{measure, often};
use jobs::{GrowthJob, JOBS};
use report::Growth;
use xtask::document::put_table;
use xtask_start::build::release;
use xtask_start::command::{root, target_folder};

/// Runs of a size, of which the middle one counts, as long as their time together stays below `PATIENCE`.
const RUNS: usize = 11;

const PATIENCE: Duration = Duration::from_secs(10);

/// Runs every job in every size, and writes the tables and the plots.
pub fn growth() -> Result<ExitCode, String> {
    release()?;
    let folder = target_folder().join("bench/growth");
    let plugins = sides::letters_plugin(&folder.join("plugins"))?;
    let largest = largest()?.unwrap_or(usize::MAX);
    let grown =
        JOBS.iter().map(|job| grow(job, &folder, &plugins, largest)).collect::<Result<Vec<_>, _>>()?;
    let table = report::table(&grown);
    println!("{table}");
    let document = root().join("docs/benchmarks.md");
    put_table(&document, "growth", &table)?;
    for (name, picture) in report::plots(&grown) {
        let path = document.with_file_name(format!("growth-{name}.svg"));
        fs::write(&path, picture).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn grow(job: &'static GrowthJob, folder: &Path, plugins: &Path, largest: usize) -> Result<Growth, String> {
    let cost = |size: usize| {
        let place = folder.join(job.data).join(size.to_string());
        job.prepare(&place, size)
            .map_err(|error| format!("{}: cannot write the data: {error}", place.display()))?;
        let cost = often(RUNS, PATIENCE, || measure(&mut job.command(&place, plugins)))?;
        println!("{}, {size} {}: {:.3} s, {:.1} MB", job.name, job.unit, cost.seconds, cost.peak / 1e6);
        Ok::<_, String>(cost)
    };
    let empty = cost(job.empty)?;
    let sizes = job.sizes.iter().filter(|&&size| size <= largest);
    let costs = sizes.map(|&size| Ok((size, cost(size)?))).collect::<Result<Vec<_>, String>>()?;
    Ok(Growth { job, empty, costs })
}
