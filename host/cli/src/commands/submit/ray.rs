//! `mteb-host submit ray`: one Python file whose tasks are the shards.

use clap::Args;
use mteb_base::byte_size::ByteSize;

use super::job::{FilesArgs, Job, JobArgs, PlacesArgs, ShardsArgs};
use super::values::{json, json_list, line, share};
use crate::commands::arguments::Recorded;
use crate::commands::new::template::fill;
use crate::exit::Exit;

const SHARDS: &str = include_str!("../../../templates/submit/shards.py");

/// Arguments of `submit ray`.
#[derive(Args, Debug)]
pub struct RayArgs {
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    shards: ShardsArgs,
    #[command(flatten)]
    options: Recorded<RayOptions>,
}

/// Options that later submissions keep.
#[derive(Args, Clone, Debug)]
struct RayOptions {
    #[command(flatten)]
    files: FilesArgs,
    #[command(flatten)]
    places: PlacesArgs,
    /// CPU cores per shard.
    #[arg(long, value_name = "N", default_value = "1", value_parser = share)]
    cpus: f64,
    /// GPUs per shard, which may be a fraction.
    #[arg(long, value_name = "N", default_value = "0", value_parser = share)]
    gpus: f64,
    /// Memory per shard, e.g. `32G`.
    #[arg(long, value_name = "SIZE")]
    memory: Option<ByteSize>,
    /// Number of retries of a shard whose node or process was killed.
    #[arg(long, value_name = "N", default_value_t = 3)]
    retries: u32,
    /// Dashboard of a cluster (`http://head:8265`) to which `--now` submits a job [default: plain
    /// Python, on a local cluster, started if necessary].
    #[arg(long, value_name = "URL", value_parser = line)]
    dashboard: Option<String>,
    /// Python interpreter with Ray, here for `--now` and on the cluster for a job of `--dashboard`.
    #[arg(long, value_name = "PATH", default_value = "python3")]
    ray_python: String,
}

impl RayArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<Exit, Exit> {
        let options = self.job.options(&self.options, "ray")?;
        let own = &options.own;
        let job = Job::new(&self.job, &options, &own.files, Some((&own.places, self.shards)), "ray")?;
        job.write(&[("shards.py", own.script(&job))])?;
        let folder = job.output.to_string_lossy().into_owned();
        let script = job.output.join("shards.py").to_string_lossy().into_owned();
        let Some(address) = &own.dashboard else {
            return Ok(job.submit(&[&own.ray_python, &script], self.job.now));
        };
        let submit = ["-m", "ray.scripts.scripts", "job", "submit", "--address", address];
        // A job is a command line of the cluster, whose `python` may be one without Ray.
        let work = ["--working-dir", &folder, "--", &own.ray_python, "shards.py"];
        Ok(job.submit(&[&[own.ray_python.as_str()][..], &submit, &work].concat(), self.job.now))
    }
}

impl RayOptions {
    fn script(&self, job: &Job) -> String {
        let shards = format!("{:?}", job.shards);
        let mut merge = vec!["--output-folder".to_owned(), job.results.clone()];
        merge.extend(job.merge_options.iter().cloned());
        let variable = |(name, value): &(String, String)| format!("{}: {}", json(name), json(value));
        let environment: Vec<String> = job.environment.iter().map(variable).collect();
        let mut resources = format!("{{\"num_cpus\": {}, \"num_gpus\": {}", self.cpus, self.gpus);
        if let Some(ByteSize(bytes)) = self.memory {
            resources += &format!(", \"memory\": {bytes}");
        }
        let values = [
            ("address", "None"),
            ("host", &json_list(&[&job.host])),
            ("plan", &json(&job.plan)),
            ("folder", &json(&job.folder)),
            ("shards", &shards),
            ("run_options", &json_list(&job.run_options)),
            ("merge_options", &json_list(&merge)),
            ("logs", &json(&job.logs)),
            ("environment", &format!("{{{}}}", environment.join(", "))),
            ("resources", &(resources + "}")),
            ("retries", &self.retries.to_string()),
        ];
        fill(SHARDS, &values)
    }
}
