//! `mteb-host submit local`: one process a GPU or a set of cores of this machine.

use clap::Args;
use mteb_system::machine::graphics_cards;
use mteb_system::process::core_numbers;

use super::job::{FilesArgs, Job, JobArgs, PlacesArgs, ShardsArgs};
use crate::commands::arguments::{Recorded, ValueError, parse_whole};
use crate::exit::Exit;

const SCRIPT: &str = include_str!("../../../templates/submit/run-local.sh");

/// Arguments of `submit local`.
#[derive(Args, Debug)]
pub struct LocalArgs {
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    shards: ShardsArgs,
    #[command(flatten)]
    options: Recorded<LocalOptions>,
}

/// Options that later submissions keep.
#[derive(Args, Clone, Debug)]
struct LocalOptions {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    places: PlacesArgs,
    /// Number of processes [default: one per GPU; without a GPU one per core, at most one per
    /// shard].
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(1, Some(4096)))]
    processes: Option<usize>,
    /// Indices of the GPUs to use, e.g. `0,1,3`, or `none` [default: from CUDA_VISIBLE_DEVICES,
    /// else all].
    #[arg(long, value_name = "LIST", value_parser = gpu_list)]
    gpus: Option<GpuList>,
}

/// Names of GPUs as CUDA_VISIBLE_DEVICES has them.
#[derive(Clone, Debug)]
struct GpuList(Vec<String>);

impl LocalArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<Exit, Exit> {
        let options = self.job.options(&self.options, "local")?;
        let own = &options.own;
        let job = Job::new(&self.job, &options, &own.files, Some((&own.places, self.shards)), "local")?;
        let gpus = own.gpus.clone().map_or_else(visible_gpus, |list| list.0);
        let places = places(own.processes, &gpus, &core_numbers(), job.shards.len());
        let shards: Vec<String> = job.shards.iter().map(usize::to_string).collect();
        let script = job.shell(SCRIPT, &[("shards", &shards.join(" ")), ("places", &places.join("\n"))]);
        job.write(&[("run.sh", script)])?;
        let script = job.output.join("run.sh").to_string_lossy().into_owned();
        Ok(job.submit(&["bash", &script], self.job.now))
    }
}

/// The GPUs that this process may use.
fn visible_gpus() -> Vec<String> {
    match std::env::var("CUDA_VISIBLE_DEVICES").ok().and_then(|list| gpu_list(&list).ok()) {
        Some(list) => list.0,
        None => (0..graphics_cards().len()).map(|number| number.to_string()).collect(),
    }
}

fn gpu_list(text: &str) -> Result<GpuList, ValueError> {
    if matches!(text, "" | "none") {
        return Ok(GpuList(Vec::new()));
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-/".contains(letter))
            && name != "-"
    };
    if text.split(',').all(is_name) {
        return Ok(GpuList(text.split(',').map(str::to_owned).collect()));
    }
    Err(ValueError::GpuList)
}

/// A line a process: its GPU, its cores, its threads. Cores are divided evenly; processes beyond the cores share all of them.
fn places(processes: Option<usize>, gpus: &[String], cores: &[usize], shards: usize) -> Vec<String> {
    let most = if gpus.is_empty() { cores.len().max(1) } else { gpus.len() };
    let count = processes.unwrap_or_else(|| most.min(shards)).max(1);
    let place = |number: usize| {
        let gpu = if gpus.is_empty() { "-" } else { &gpus[number % gpus.len()] };
        let own = &cores[number * cores.len() / count..(number + 1) * cores.len() / count];
        match cores.len() {
            0 => format!("  '{gpu} - -'"),
            all if all < count => format!("  '{gpu} - 1'"),
            _ => {
                let list: Vec<String> = own.iter().map(usize::to_string).collect();
                format!("  '{gpu} {} {}'", list.join(","), own.len())
            }
        }
    };
    (0..count).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gpu_has_a_process_and_its_part_of_the_cores() {
        let gpus = ["0".to_owned(), "1".to_owned()];
        assert_eq!(places(None, &gpus, &[0, 1, 2, 3, 4], 8), ["  '0 0,1 2'", "  '1 2,3,4 3'"]);
        assert_eq!(places(Some(4), &gpus, &[0, 1], 8), ["  '0 - 1'", "  '1 - 1'", "  '0 - 1'", "  '1 - 1'"]);
    }

    #[test]
    fn without_gpus_every_core_has_a_process_and_no_more_than_there_are_shards() {
        assert_eq!(places(None, &[], &[2, 3], 8), ["  '- 2 1'", "  '- 3 1'"]);
        assert_eq!(places(None, &[], &[0, 1, 2, 3], 2), ["  '- 0,1 2'", "  '- 2,3 2'"]);
        assert_eq!(places(Some(2), &[], &[], 8), ["  '- - -'", "  '- - -'"]);
    }

    #[test]
    fn a_list_of_gpus_has_names_of_them_alone() {
        assert_eq!(gpu_list("0,GPU-8a1b,MIG-1/2/0").unwrap().0, ["0", "GPU-8a1b", "MIG-1/2/0"]);
        assert!(gpu_list("none").unwrap().0.is_empty());
        assert!(["0,,1", "0;1", "0 1", "'"].iter().all(|text| gpu_list(text).is_err()));
    }
}
