//! `mteb-host submit kubernetes`: an Indexed Job, claims for results and caches, a merge Job, and a Dockerfile.

use clap::Args;

use super::job::{FilesArgs, Job, JobArgs};
use super::values::{Variable, class_name, image, json, json_list, kubernetes_name, name_with, quantity, sh};
use crate::commands::arguments::{Recorded, parse_key, parse_whole};
use crate::commands::new::template::fill;
use crate::exit::Exit;
use crate::output;

const SHARDS: &str = include_str!("../../../templates/submit/shards.yaml");
const MERGE: &str = include_str!("../../../templates/submit/merge.yaml");
const CLAIMS: &str = include_str!("../../../templates/submit/claims.yaml");
const DOCKERFILE: &str = include_str!("../../../templates/submit/Dockerfile");
const SUBMIT: &str = include_str!("../../../templates/submit/submit-kubernetes.sh");
const FETCH: &str = include_str!("../../../templates/submit/fetch-kubernetes.sh");

/// Bytes that a ConfigMap may hold, but for what else is in it.
const LARGEST_PLAN: u64 = 1_000_000;

/// Variables of this shell that pods get; others name places on this machine.
const OF_SHELL: [&str; 4] = ["HF_ENDPOINT", "AWS_ENDPOINT_URL", "AWS_ALLOW_HTTP", "AWS_REGION"];

/// Where the pods see the plan.
const PLAN: &str = "/results/plan.json";

/// Arguments of `submit kubernetes`.
#[derive(Args, Debug)]
pub struct KubernetesArgs {
    #[command(flatten)]
    job: JobArgs,
    #[command(flatten)]
    options: Recorded<KubernetesOptions>,
}

/// Options that later submissions keep.
#[derive(Args, Clone, Debug)]
struct KubernetesOptions {
    #[command(flatten)]
    files: FilesArgs,
    /// Image with mteb-host, e.g. built from the Dockerfile that is written; required in the first
    /// submission.
    #[arg(long, value_name = "IMAGE", value_parser = image)]
    image: Option<String>,
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
    /// Memory for the merge, which needs no GPU.
    #[arg(long, value_name = "QUANTITY", default_value = "4Gi", value_parser = quantity)]
    merge_memory: String,
    /// Secret whose keys become environment variables of the pods, such as AWS_ACCESS_KEY_ID and
    /// AWS_SECRET_ACCESS_KEY, or HF_TOKEN; may be repeated.
    #[arg(long, value_name = "SECRET", value_parser = class_name)]
    env_secret: Vec<String>,
    /// Environment variable of the pods that is no secret, such as AWS_ENDPOINT_URL; may be repeated
    /// [default with results in S3: AWS_ENDPOINT_URL, AWS_REGION and AWS_ALLOW_HTTP of this shell].
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_key::<Variable>())]
    env: Vec<Variable>,
    /// Number of retries of a shard.
    #[arg(long, value_name = "N", default_value_t = 3)]
    retries: u32,
    /// Maximum number of shards to run at once [default: all].
    #[arg(long, value_name = "N", value_parser = parse_whole::<usize>(1, None))]
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
        let options = self.job.options(&self.options, "kubernetes")?;
        let own = &options.own;
        let Some(image) = &own.image else {
            output::error("expected `--image IMAGE`, the image with mteb-host that the pods run, found none");
            return Err(Exit::Usage);
        };
        let mut job = Job::new(&self.job, &options, &own.files, None, "kubernetes")?;
        let name = name_with(&job.name, &job.digest);
        if job.store.is_none() {
            // The folders of shards are in a claim, which no program outside the cluster sees.
            job.progress = format!("kubectl get jobs{} {name} {name}-merge", own.kubectl_namespace());
        } else if own.env_secret.is_empty() {
            output::warn(
                "the pods get no keys for the bucket; put AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY into a Secret, and name it \
                 with `--env-secret`",
            );
        }
        check_size(&job.plan)?;
        let fill = |template| own.fill(template, &job, (&name, image));
        job.write(&[
            ("claims.yaml", fill(CLAIMS)),
            ("shards.yaml", fill(SHARDS)),
            ("merge.yaml", fill(MERGE)),
            ("Dockerfile", fill(DOCKERFILE)),
            ("submit.sh", fill(SUBMIT)),
            ("fetch.sh", fill(FETCH)),
        ])?;
        let script = job.output.join("submit.sh").to_string_lossy().into_owned();
        let exit = job.submit(&["bash", &script], self.job.now);
        if exit == Exit::Done && job.store.is_none() {
            let fetch = sh(&job.output.join("fetch.sh").to_string_lossy());
            output::say(format!("copy the merged results here with: bash {fetch} results"));
        }
        Ok(exit)
    }
}

impl KubernetesOptions {
    fn fill(&self, template: &str, job: &Job, (name, image): (&str, &str)) -> String {
        let names = ["plan", "results"].map(|what| format!("{name}-{what}"));
        let in_namespace =
            self.namespace.as_ref().map_or_else(String::new, |name| format!("  namespace: {}\n", json(name)));
        let own = |words: &[&str], more: &[String]| {
            let words: Vec<String> =
                words.iter().map(|word| (*word).to_owned()).chain(more.iter().cloned()).collect();
            json_list(&words.iter().map(|word| escape(word)).collect::<Vec<_>>())
        };
        let storage = self.storage_class.as_ref();
        let amounts = self.amounts();
        let of_merge = format!("{{ cpu: \"1\", memory: {} }}", json(&self.merge_memory));
        let shards = job.of.to_string();
        let (environment, secrets) = (self.environment(job), self.secrets());
        let values = [
            ("name", name),
            ("plan", &sh(&job.plan)),
            ("plan_name", &names[0]),
            ("results_claim", &names[1]),
            // Plans that are made anew share what is cached by content.
            ("cache_claim", &format!("{}-cache", job.name)),
            ("namespace", &in_namespace),
            ("kubectl_namespace", &self.kubectl_namespace()),
            ("shards", &shards),
            ("at_once", &self.at_once.map_or(shards.clone(), |most| most.min(job.of).to_string())),
            ("retries", &self.retries.to_string()),
            ("image", &json(image)),
            ("image_name", image),
            ("run_arguments", &own(&["run", "--plan", PLAN], &job.run_options)),
            (
                "merge_arguments",
                &own(&["merge", PLAN, "--output-folder", "/results/merged"], &job.merge_options),
            ),
            ("requests", &amounts),
            ("limits", &amounts),
            ("merge_amounts", &of_merge),
            ("environment", &environment),
            ("secrets", &secrets),
            ("check_secrets", &self.check_secrets()),
            ("results_size", &json(&self.results_size)),
            ("cache_size", &json(&self.cache_size)),
            (
                "storage_class",
                &storage.map_or_else(String::new, |name| format!("  storageClassName: {name}\n")),
            ),
        ];
        fill(template, &values)
    }

    fn kubectl_namespace(&self) -> String {
        self.namespace.as_ref().map_or_else(String::new, |name| format!(" --namespace {name}"))
    }

    /// What a pod gets and may take.
    fn amounts(&self) -> String {
        let gpus = if self.gpus > 0 { format!(", nvidia.com/gpu: {}", self.gpus) } else { String::new() };
        format!("{{ cpu: {}, memory: {}{gpus} }}", json(&self.cpus), json(&self.memory))
    }

    /// The lines of a pod for its variables; those that are given before those of this shell.
    fn environment(&self, job: &Job) -> String {
        let of_shell = job.environment.iter().filter(|(name, _)| OF_SHELL.contains(&name.as_str()));
        let of_shell = of_shell.filter(|(name, _)| self.env.iter().all(|given| given.name != *name));
        let given = self.env.iter().map(|given| (&given.name, &given.value));
        let all = of_shell.map(|(name, value)| (name, value)).chain(given);
        all.map(|(name, value)| {
            format!("            - {{ name: {}, value: {} }}\n", json(name), json(&escape(value)))
        })
        .collect()
    }

    /// The lines of a pod for the Secrets whose keys are its variables.
    fn secrets(&self) -> String {
        if self.env_secret.is_empty() {
            return String::new();
        }
        let line = |name: &String| format!("            - secretRef: {{ name: {} }}\n", json(name));
        format!("          envFrom:\n{}", self.env_secret.iter().map(line).collect::<String>())
    }

    /// The lines that end a submission whose Secrets are missing, before any pod waits for them.
    fn check_secrets(&self) -> String {
        let namespace = self.kubectl_namespace();
        let check = |name: &String| {
            format!(
                "kubectl get secret{namespace} {name} --output name || {{ echo \"create it with: kubectl create secret generic{namespace} \
                 {name} --from-env-file=FILE, whose lines are NAME=VALUE\" >&2; exit 1; }}\n"
            )
        };
        self.env_secret.iter().map(check).collect()
    }
}

/// `text` with what Kubernetes would take for the name of a variable, `$(NAME)`, as it is.
fn escape(text: &str) -> String {
    text.replace('$', "$$")
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
