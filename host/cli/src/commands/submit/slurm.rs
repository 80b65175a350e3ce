//! `mteb-host submit slurm`: an array job, and a merge that waits for it.

use clap::Args;

use super::job::{Job, JobArgs, PlacesArgs};
use super::quote::sh;
use super::values::{line, slurm_value};
use crate::commands::whole::whole;
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
    places: PlacesArgs,
    /// Partition.
    #[arg(long, value_name = "NAME", value_parser = slurm_value)]
    partition: Option<String>,
    /// What else a shard needs of its node, as `gpu:1`.
    #[arg(long, value_name = "LIST", value_parser = slurm_value)]
    gres: Option<String>,
    /// Memory of a shard, as `32G`.
    #[arg(long, value_name = "SIZE", value_parser = slurm_value)]
    memory: Option<String>,
    /// Processors of a shard.
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, None))]
    cpus: Option<u32>,
    /// Longest time of a shard, as `12:00:00`.
    #[arg(long, value_name = "TIME", value_parser = slurm_value)]
    time: Option<String>,
    /// Shards that run at once [default: as many as the cluster lets].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, None))]
    at_once: Option<u32>,
    /// Do not begin a shard again whose node fails or is taken away.
    #[arg(long)]
    no_requeue: bool,
    /// Module to load; may be given several times.
    #[arg(long, value_name = "MODULE", value_parser = line)]
    module: Vec<String>,
    /// Line of shell before a shard, as `source venv/bin/activate`; may be given several times.
    #[arg(long, value_name = "LINE", value_parser = line)]
    setup: Vec<String>,
    /// Words of shell before the program, as `apptainer exec --nv image.sif`; with `--host` the program in there.
    #[arg(long, value_name = "WORDS", value_parser = line)]
    container: Option<String>,
    /// Further option of sbatch for shards and merge, as `--account=nlp`; may be given several times.
    #[arg(long, value_name = "OPTION", value_parser = line, allow_hyphen_values = true)]
    sbatch: Vec<String>,
}

impl SlurmArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<Exit, Exit> {
        let job = Job::new(&self.job, Some(&self.places), "slurm")?;
        let requeue = if self.no_requeue { "no-requeue" } else { "requeue" };
        let both = self.both();
        let of_shards =
            [value("cpus-per-task", &self.cpus), value("gres", &self.gres), both.clone()].concat();
        let of_shards = format!("{of_shards}#SBATCH --{requeue}\n");
        let module = |name: &String| format!("module load {}\n", sh(name));
        let setup = self.module.iter().map(module).chain(self.setup.iter().map(|line| format!("{line}\n")));
        let setup: String = setup.collect();
        let container = self.container.as_ref().map_or_else(String::new, |words| format!("{words} "));
        let shell = |template, lines: &str| {
            let array = self.array(&job.shards);
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
