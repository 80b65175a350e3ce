//! `mteb-host submit kubernetes`: an Indexed Job, claims for results and caches, a merge Job, and a Dockerfile.

use clap::Args;

use super::job::{Job, JobArgs};
use super::quote::{json, json_list, sh};
use super::values::{class_name, image, kubernetes_name, quantity};
use crate::commands::arguments::whole;
use crate::commands::new::template::fill;
use crate::exit::Exit;
use crate::output;

const SHARDS: &str = include_str!("../../../templates/submit/shards.yaml");
const MERGE: &str = include_str!("../../../templates/submit/merge.yaml");
const CLAIMS: &str = include_str!("../../../templates/submit/claims.yaml");
const DOCKERFILE: &str = include_str!("../../../templates/submit/Dockerfile");
const SUBMIT: &str = include_str!("../../../templates/submit/submit-kubernetes.sh");

/// Bytes that a ConfigMap may hold, but for what else is in it.
const LARGEST_PLAN: u64 = 1_000_000;

/// Where the pods see the plan.
const PLAN: &str = "/results/plan.json";

/// Arguments of `submit kubernetes`.
#[derive(Args, Debug)]
pub struct KubernetesArgs {
    #[command(flatten)]
    job: JobArgs,
    /// Image with mteb-host, e.g. built from the Dockerfile that is written.
    #[arg(long, value_name = "IMAGE", value_parser = image)]
    image: String,
    /// Namespace [default: that of kubectl].
    #[arg(long, value_name = "NAME", value_parser = kubernetes_name)]
    namespace: Option<String>,
    /// CPU cores per shard.
    #[arg(long, value_name = "QUANTITY", default_value = "2", value_parser = quantity)]
    cpus: String,
    /// Memory per shard.
    #[arg(long, value_name = "QUANTITY", default_value = "8Gi", value_parser = quantity)]
    memory: String,
    /// GPUs per shard (`nvidia.com/gpu`).
    #[arg(long, value_name = "N", default_value_t = 0)]
    gpus: u32,
    /// Number of retries of a shard.
    #[arg(long, value_name = "N", default_value_t = 3)]
    retries: u32,
    /// Maximum number of shards to run at once [default: all].
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, None))]
    at_once: Option<usize>,
    /// Storage class, which must allow several pods to write [default: that of the cluster].
    #[arg(long, value_name = "NAME", value_parser = class_name)]
    storage_class: Option<String>,
    /// Size of the volume claim for results.
    #[arg(long, value_name = "QUANTITY", default_value = "20Gi", value_parser = quantity)]
    results_size: String,
    /// Size of the volume claim for data, models and embeddings.
    #[arg(long, value_name = "QUANTITY", default_value = "200Gi", value_parser = quantity)]
    cache_size: String,
}

impl KubernetesArgs {
    /// Runs the command.
    pub fn run(&self) -> Result<Exit, Exit> {
        let job = Job::new(&self.job, None, "kubernetes")?;
        check_size(&job.plan)?;
        let fill = |template| self.fill(template, &job);
        job.write(&[
            ("claims.yaml", fill(CLAIMS)),
            ("shards.yaml", fill(SHARDS)),
            ("merge.yaml", fill(MERGE)),
            ("Dockerfile", fill(DOCKERFILE)),
            ("submit.sh", fill(SUBMIT)),
        ])?;
        let script = job.output.join("submit.sh").to_string_lossy().into_owned();
        Ok(job.submit(&["bash", &script], self.job.now))
    }

    fn fill(&self, template: &str, job: &Job) -> String {
        let names = ["plan", "results", "cache"].map(|what| format!("{}-{what}", job.name));
        let in_namespace = |before: &str, after: &str| {
            self.namespace.as_ref().map_or_else(String::new, |name| format!("{before}{}{after}", json(name)))
        };
        let own = |words: &[&str], more: &[String]| {
            let words: Vec<String> =
                words.iter().map(|word| (*word).to_owned()).chain(more.iter().cloned()).collect();
            // Kubernetes would put the values of variables in the place of `$(NAME)`.
            json_list(&words.iter().map(|word| word.replace('$', "$$")).collect::<Vec<_>>())
        };
        let storage = self.storage_class.as_ref();
        let amounts = self.amounts();
        let shards = job.of.to_string();
        let values = [
            ("name", job.name.as_str()),
            ("plan", &sh(&job.plan)),
            ("plan_name", &names[0]),
            ("results_claim", &names[1]),
            ("cache_claim", &names[2]),
            ("namespace", &in_namespace("  namespace: ", "\n")),
            (
                "kubectl_namespace",
                &self.namespace.as_ref().map_or_else(String::new, |name| format!(" --namespace {name}")),
            ),
            ("shards", &shards),
            ("at_once", &self.at_once.map_or(shards.clone(), |most| most.min(job.of).to_string())),
            ("retries", &self.retries.to_string()),
            ("image", &json(&self.image)),
            ("image_name", &self.image),
            ("run_arguments", &own(&["run", "--plan", PLAN], &job.run_options)),
            (
                "merge_arguments",
                &own(&["merge", PLAN, "--output-folder", "/results/merged"], &job.merge_options),
            ),
            ("requests", &amounts),
            ("limits", &amounts),
            ("results_size", &json(&self.results_size)),
            ("cache_size", &json(&self.cache_size)),
            (
                "storage_class",
                &storage.map_or_else(String::new, |name| format!("  storageClassName: {name}\n")),
            ),
        ];
        fill(template, &values)
    }

    /// What a pod gets and may take.
    fn amounts(&self) -> String {
        let gpus = if self.gpus > 0 { format!(", nvidia.com/gpu: {}", self.gpus) } else { String::new() };
        format!("{{ cpu: {}, memory: {}{gpus} }}", json(&self.cpus), json(&self.memory))
    }
}

/// Fails if a ConfigMap cannot hold the plan.
fn check_size(plan: &str) -> Result<(), Exit> {
    let bytes = std::fs::metadata(plan).map_or(0, |found| found.len());
    if bytes <= LARGEST_PLAN {
        return Ok(());
    }
    output::error(format!(
        "{plan}: expected at most {LARGEST_PLAN} bytes, which a ConfigMap of Kubernetes holds, found {bytes}; plan fewer tasks at a time"
    ));
    Err(Exit::Usage)
}
