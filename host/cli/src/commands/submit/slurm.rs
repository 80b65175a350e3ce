//! `mteb-host submit slurm`: an array job, and a merge that waits for it.

use clap::Args;

use super::job::{FilesArgs, Job, JobArgs, PlacesArgs, ShardsArgs};
use super::values::{line, sh, slurm_value};
use crate::commands::arguments::{Recorded, parse_whole};
use crate::exit::Exit;

const SHARDS: &str = include_str!("../../../templates/submit/shards.sbatch");
const MERGE: &str = include_str!("../../../templates/submit/merge.sbatch");
const SUBMIT: &str = include_str!("../../../templates/submit/submit-slurm.sh");

/// Arguments of `submit slurm`.
#[derive(Args, Debug)]
pub struct SlurmArgs {
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    shards: ShardsArgs,
    #[command(flatten)]
    options: Recorded<SlurmOptions>,
}

/// Options that later submissions keep.
#[derive(Args, Clone, Debug)]
struct SlurmOptions {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    places: PlacesArgs,
    /// Partition.
    #[arg(long, value_name = "NAME", value_parser = slurm_value)]
    partition: Option<String>,
    /// Generic resources per shard, e.g. `gpu:1`.
    #[arg(long, value_name = "LIST", value_parser = slurm_value)]
    gres: Option<String>,
    /// Memory per shard, e.g. `32G`.
    #[arg(long, value_name = "SIZE", value_parser = slurm_value)]
    memory: Option<String>,
    /// CPU cores per shard.
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    cpus: Option<u32>,
    /// Time limit of a shard, e.g. `12:00:00`.
    #[arg(long, value_name = "TIME", value_parser = slurm_value)]
    time: Option<String>,
    /// Maximum number of shards to run at once [default: the limit of the cluster].
    #[arg(long, value_name = "N", value_parser = parse_whole::<u32>(1, None))]
    at_once: Option<u32>,
    /// Do not requeue a shard whose node fails or is preempted.
    #[arg(long)]
    no_requeue: bool,
    /// Module to load; may be repeated.
    #[arg(long, value_name = "MODULE", value_parser = line)]
    module: Vec<String>,
    /// Shell line to run before a shard, e.g. `source venv/bin/activate`; may be repeated.
    #[arg(long, value_name = "LINE", value_parser = line)]
    setup: Vec<String>,
    /// Command prefix of the program, e.g. `apptainer exec --nv image.sif`; `--host` then names the
    /// program inside.
    #[arg(long, value_name = "WORDS", value_parser = line)]
    container: Option<String>,
    /// Additional option of sbatch for shards and merge, e.g. `--account=nlp`; may be repeated.
    #[arg(long, value_name = "OPTION", value_parser = line, allow_hyphen_values = true)]
    sbatch: Vec<String>,
}

impl SlurmArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<Exit, Exit> {
        let options = self.job.options(&self.options, "slurm")?;
        let own = &options.own;
        let job = Job::new(&self.job, &options, &own.files, Some((&own.places, self.shards)), "slurm")?;
        let requeue = if own.no_requeue { "no-requeue" } else { "requeue" };
        let both = own.both();
        let of_shards = [value("cpus-per-task", &own.cpus), value("gres", &own.gres), both.clone()].concat();
        let of_shards = format!("{of_shards}#SBATCH --{requeue}\n");
        let module = |name: &String| format!("module load {}\n", sh(name));
        let setup = own.module.iter().map(module).chain(own.setup.iter().map(|line| format!("{line}\n")));
        let setup: String = setup.collect();
        let container = own.container.as_ref().map_or_else(String::new, |words| format!("{words} "));
        let shell = |template, lines: &str| {
            let array = own.array(&job.shards);
            let more =
                [("array", array.as_str()), ("lines", lines), ("setup", &setup), ("container", &container)];
            job.shell(template, &more)
        };
        job.write(&[
            ("shards.sbatch", shell(SHARDS, &of_shards)),
            ("merge.sbatch", shell(MERGE, &both)),
            ("submit.sh", SUBMIT.to_owned()),
        ])?;
        let script = job.output.join("submit.sh").to_string_lossy().into_owned();
        Ok(job.submit(&["bash", &script], self.job.now))
    }
}

impl SlurmOptions {
    /// The lines of shards and merge.
    fn both(&self) -> String {
        let further = self.sbatch.iter().map(|line| format!("#SBATCH {line}\n"));
        let own =
            [value("partition", &self.partition), value("mem", &self.memory), value("time", &self.time)];
        own.into_iter().chain(further).collect()
    }

    fn array(&self, shards: &[usize]) -> String {
        let ranges = ranges(shards);
        self.at_once.map_or(ranges.clone(), |most| format!("{ranges}%{most}"))
    }
}

fn value(name: &str, value: &Option<impl std::fmt::Display>) -> String {
    value.as_ref().map_or_else(String::new, |value| format!("#SBATCH --{name}={value}\n"))
}

/// Ascending numbers as Slurm writes them: `0-2,5`.
fn ranges(numbers: &[usize]) -> String {
    let follows = |pair: &usize, next: &usize| pair + 1 == *next;
    let runs = numbers.chunk_by(follows).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    runs.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn numbers_that_follow_each_other_are_a_range() {
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
        assert_eq!(ranges(&[3]), "3");
    }
}
