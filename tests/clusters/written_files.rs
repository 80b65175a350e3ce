//! What `submit` writes is valid, and gives the program the very words, whatever the folders are called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use mteb_host_tests::{Run, host};
use serde_yaml_ng::Value;

use super::stub::{Call, HOSTILE, calls, write_plan, write_program, write_stub};

/// A folder with a hostile name that holds a plan of three shards, and a stub of the host in another one.
struct Place {
    _outer: tempfile::TempDir,
    folder: PathBuf,
    plan: PathBuf,
    stub: PathBuf,
}

fn place() -> Place {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join(HOSTILE);
    fs::create_dir(&folder).unwrap();
    let plan = write_plan(&folder, 3);
    let stub = write_stub(&outer.path().join(format!("bin {HOSTILE}")).join("host"));
    Place { folder, plan, stub, _outer: outer }
}

impl Place {
    fn submit(&self, arguments: &[&str]) -> Run {
        let mut command = host(&self.folder);
        command.args(["submit"]).args(arguments);
        Run::of(&mut command).unwrap()
    }

    /// Writes the files of an engine that calls the stub; gives their folder.
    fn write(&self, engine: &str, options: &[&str]) -> PathBuf {
        let stub = self.stub.to_str().unwrap();
        let host: &[&str] =
            if engine == "kubernetes" { &["--image", "r/mteb-host:1"] } else { &["--host", stub] };
        let plan = self.plan.to_str().unwrap();
        let own = ["--", "--cache-dir", HOSTILE];
        let run = self.submit(&[&[engine, plan], host, options, &own].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        self.folder.join(format!("plan-{engine}"))
    }

    /// The call that scores a shard.
    fn scoring(&self, shard: &str) -> Vec<String> {
        let plan = self.plan.to_str().unwrap();
        ["run", "--plan", plan, "--shard", shard, "--cache-dir", HOSTILE].map(str::to_owned).into()
    }

    /// The call that merges.
    fn merging(&self) -> Vec<String> {
        let results = self.folder.join("results");
        ["merge", self.plan.to_str().unwrap(), "--output-folder", results.to_str().unwrap()]
            .map(str::to_owned)
            .into()
    }

    /// Fails unless the stub was called with these words, in this folder and with its variables.
    fn expect(&self, words: &[Vec<String>]) {
        let calls = calls(&self.stub);
        let found: Vec<Vec<String>> = calls.iter().map(|call| call.words.clone()).collect();
        let mut expected = words.to_vec();
        expected.sort();
        assert_eq!(found, expected);
        let (folder, cache) = (self.folder.canonicalize().unwrap(), self.folder.join("cache"));
        let is_right = |call: &Call| Path::new(&call.folder) == folder && Path::new(&call.cache) == cache;
        assert!(calls.iter().all(is_right), "{calls:?}");
    }
}

/// Runs `program`; fails unless it ends well.
fn succeed(program: &mut Command) -> Run {
    let run = Run::of(program).unwrap();
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn a_job_of_slurm_scores_its_shard_and_the_merge_merges() {
    let place = place();
    let options = [
        "--partition",
        "gpu",
        "--gres",
        "gpu:1",
        "--memory",
        "32G",
        "--cpus",
        "4",
        "--time",
        "12:00:00",
        "--at-once",
        "2",
        "--setup",
        "export SEEN=1",
        "--container",
        "env --",
        "--sbatch",
        "--account=nlp",
        "--sbatch",
        "--qos=long",
    ];
    let files = place.write("slurm", &options);
    let shards = fs::read_to_string(files.join("shards.sbatch")).unwrap();
    let lines: Vec<&str> = shards.lines().filter(|line| line.starts_with("#SBATCH")).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    #SBATCH --job-name=mteb-plan
    #SBATCH --array=0-2%2
    #SBATCH --ntasks=1
    #SBATCH --cpus-per-task=4
    #SBATCH --gres=gpu:1
    #SBATCH --partition=gpu
    #SBATCH --mem=32G
    #SBATCH --time=12:00:00
    #SBATCH --account=nlp
    #SBATCH --qos=long
    #SBATCH --requeue
    #SBATCH --output=/dev/null
    ");
    for file in ["shards.sbatch", "merge.sbatch", "submit.sh"] {
        succeed(Command::new("bash").arg("-n").arg(files.join(file)));
    }
    let job = |file: &str| {
        let mut command = Command::new("bash");
        command.arg(files.join(file)).env("SLURM_ARRAY_TASK_ID", "2").env_remove("MTEB_HOST_CACHE");
        succeed(&mut command);
    };
    job("shards.sbatch");
    job("merge.sbatch");
    place.expect(&[place.scoring("2"), place.merging()]);
    assert_eq!(fs::read_to_string(files.join("logs/merge.log")).unwrap(), "merged all\n");
    assert!(files.join("logs/shard-2.log").is_file());
}

#[test]
fn the_file_for_ray_gives_every_shard_to_a_task() {
    let place = place();
    let files = place.write("ray", &["--cpus", "2", "--gpus", "0.5", "--memory", "1G"]);
    succeed(Command::new("python3").args(["-m", "py_compile"]).arg(files.join("shards.py")));
    // Stands in for Ray: tasks run at once, and what was asked for is printed.
    let ray = "class RayError(Exception): pass\nclass exceptions: RayError = RayError\n\
               def init(address=None): print('address', address)\n\
               def get(value): return value\n\
               def wait(values, num_returns=1): return values[:1], values[1:]\n\
               class Task:\n    def __init__(self, work): self.work = work\n    def options(self, **_): return self\n\
               \x20   def remote(self, *args): return self.work(*args)\n\
               def remote(**asked):\n    print(sorted(asked.items(), key=str))\n    return Task\n";
    // Answers of tasks are keys, so that each has to be another object.
    let ray = ray
        .replace("return self.work(*args)", "return Answer(self.work(*args))")
        .replace("def get(value): return value", "def get(value): return value.value")
        + "class Answer:\n    def __init__(self, value): self.value = value\n";
    let module = place.folder.join("stand-in");
    fs::create_dir(&module).unwrap();
    fs::write(module.join("ray.py"), ray).unwrap();
    let mut command = Command::new("python3");
    command.arg(files.join("shards.py")).env("PYTHONPATH", &module).env_remove("MTEB_HOST_CACHE");
    let run = succeed(&mut command);
    place.expect(&[place.scoring("0"), place.scoring("1"), place.scoring("2"), place.merging()]);
    assert!(
        run.stdout.contains("('memory', 1073741824), ('num_cpus', 2), ('num_gpus', 0.5)"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.contains("shard 2: ended with exit code 0; 0 are left\nmerged all\n"),
        "{}",
        run.stdout
    );
    assert!(calls(&place.stub).iter().all(|call| call.threads == "2"));
}

#[test]
fn the_script_for_this_machine_runs_every_shard_and_one_that_fails_stops_none() {
    let place = place();
    let files = place.write("local", &["--processes", "2", "--gpus", "0,1"]);
    let script = files.join("run.sh");
    succeed(Command::new("bash").arg("-n").arg(&script));
    fs::write(place.stub.with_file_name("fail-0"), "").unwrap();
    let run = succeed(Command::new("bash").arg(&script).env_remove("MTEB_HOST_CACHE"));
    place.expect(&[place.scoring("0"), place.scoring("1"), place.scoring("2"), place.merging()]);
    assert!(run.stdout.contains("shard 0: failed with exit code 7"), "{}", run.stdout);
    assert!(run.stdout.contains("shard 1: done\n") && run.stdout.ends_with("merged all\n"), "{}", run.stdout);
    let gpus: std::collections::BTreeSet<String> =
        calls(&place.stub).into_iter().filter(|call| call.words[0] == "run").map(|call| call.gpu).collect();
    assert_eq!(gpus.into_iter().collect::<Vec<_>>(), ["0", "1"]);
}

#[test]
fn the_manifests_of_kubernetes_are_yaml_with_the_very_words() {
    let place = place();
    let options =
        ["--namespace", "1", "--gpus", "1", "--memory", "16Gi", "--at-once", "2", "--storage-class", "nfs"];
    let files = place.write("kubernetes", &options);
    succeed(Command::new("bash").arg("-n").arg(files.join("submit.sh")));
    let read = |file: &str| -> Value {
        serde_yaml_ng::from_str(&fs::read_to_string(files.join(file)).unwrap()).unwrap()
    };
    let (shards, merge) = (read("shards.yaml"), read("merge.yaml"));
    let job = &shards["spec"];
    assert_eq!((job["completions"].as_u64(), job["parallelism"].as_u64()), (Some(3), Some(2)));
    assert_eq!(shards["metadata"]["namespace"], "1");
    let pod = &job["template"]["spec"];
    let words = |pod: &Value| -> Vec<String> {
        serde_yaml_ng::from_value(pod["containers"][0]["args"].clone()).unwrap()
    };
    let dollars = HOSTILE.replace('$', "$$");
    assert_eq!(words(pod), ["run", "--plan", "/results/plan.json", "--cache-dir", dollars.as_str()]);
    let pod_of_merge = &merge["spec"]["template"]["spec"];
    assert_eq!(words(pod_of_merge), ["merge", "/results/plan.json", "--output-folder", "/results/merged"]);
    let limits = |pod: &Value| pod["containers"][0]["resources"]["limits"].clone();
    assert_eq!(limits(pod)["nvidia.com/gpu"].as_u64(), Some(1));
    // A merge computes no embeddings.
    assert!(limits(pod_of_merge)["nvidia.com/gpu"].is_null());
    assert_eq!(limits(pod)["memory"], "16Gi");
    assert_eq!(limits(pod_of_merge)["memory"], "4Gi");
    for pod in [pod, pod_of_merge] {
        assert_eq!(pod["securityContext"]["runAsNonRoot"].as_bool(), Some(true));
        assert_eq!(pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"].as_bool(), Some(true));
    }
    let claims = fs::read_to_string(files.join("claims.yaml")).unwrap();
    let claims: Vec<Value> = serde_yaml_ng::Deserializer::from_str(&claims)
        .map(|document| serde::Deserialize::deserialize(document).unwrap())
        .collect();
    let names: Vec<&str> = claims.iter().map(|claim| claim["metadata"]["name"].as_str().unwrap()).collect();
    let volumes = pod["volumes"].as_sequence().unwrap().iter();
    let used: Vec<&str> =
        volumes.filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str()).collect();
    assert_eq!(names, used);
}

#[test]
fn pods_get_the_place_of_a_bucket_and_its_keys_from_a_secret() {
    let place = place();
    let mut command = host(&place.folder);
    command.args(["submit", "kubernetes"]).arg(&place.plan).args(["--image", "r/mteb-host:1"]);
    command.args(["--env-secret", "s3-keys", "--env", "AWS_REGION=eu-west-1", "--env", "NOTE=$(HOME)"]);
    command.env("AWS_ENDPOINT_URL", "https://s3.example.org").env("AWS_REGION", "us-east-1");
    command.env("AWS_SECRET_ACCESS_KEY", "hunter2hunter2");
    let run = succeed(command.args(["--", "--output-folder", "s3://bucket/run7"]));
    assert!(
        run.stdout.contains("mteb-host status ") && run.stdout.contains(" --output-folder s3://bucket/run7")
    );
    let files = place.folder.join("plan-kubernetes");
    for file in ["shards.yaml", "merge.yaml"] {
        let text = fs::read_to_string(files.join(file)).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        let job: Value = serde_yaml_ng::from_str(&text).unwrap();
        let container = &job["spec"]["template"]["spec"]["containers"][0];
        assert_eq!(container["envFrom"][0]["secretRef"]["name"], "s3-keys");
        let value = |name: &str| {
            let all = container["env"].as_sequence().unwrap();
            let found: Vec<&Value> = all.iter().filter(|variable| variable["name"] == name).collect();
            assert_eq!(found.len(), 1, "{name}");
            found[0]["value"].as_str().unwrap().to_owned()
        };
        assert_eq!(value("AWS_ENDPOINT_URL"), "https://s3.example.org");
        assert_eq!((value("AWS_REGION").as_str(), value("NOTE").as_str()), ("eu-west-1", "$$(HOME)"));
    }
    let submit = fs::read_to_string(files.join("submit.sh")).unwrap();
    assert!(submit.contains("kubectl get secret s3-keys "), "{submit}");
    let refused =
        place.submit(&["kubernetes", place.plan.to_str().unwrap(), "--env", "AWS_SECRET_ACCESS_KEY=hunter3"]);
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("--env-secret") && !refused.stderr.contains("hunter3"),
        "{}",
        refused.stderr
    );
}

#[test]
fn plans_of_one_name_have_jobs_of_their_own() {
    let name = |shards: usize| {
        let folder = tempfile::tempdir().unwrap();
        write_plan(folder.path(), shards);
        let mut command = host(folder.path());
        let run = succeed(command.args([
            "submit",
            "kubernetes",
            "plan.json",
            "--image",
            "r/i:1",
            "--namespace",
            "nlp",
        ]));
        let text = fs::read_to_string(folder.path().join("plan-kubernetes/shards.yaml")).unwrap();
        let job: Value = serde_yaml_ng::from_str(&text).unwrap();
        let name = job["metadata"]["name"].as_str().unwrap().to_owned();
        // The folders of shards are in a claim: `status` finds nothing here.
        let progress =
            format!("check its progress with: kubectl get jobs --namespace nlp {name} {name}-merge");
        assert!(run.stdout.contains(&progress), "{}", run.stdout);
        name
    };
    let (two, three) = (name(2), name(3));
    assert!(two.starts_with("mteb-plan-") && two != three, "{two} {three}");
}

#[test]
fn a_file_that_was_changed_by_hand_is_kept() {
    let place = place();
    let script = place.write("local", &[]).join("run.sh");
    let text = fs::read_to_string(&script).unwrap() + "# mine\n";
    fs::write(&script, &text).unwrap();
    let plan = place.plan.to_str().unwrap();
    let run = place.submit(&["local", plan]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("run.sh: expected no file or one as it was written"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&script).unwrap(), text);
    assert_eq!(place.submit(&["local", plan, "--replace"]).code, Some(0));
    assert!(!fs::read_to_string(&script).unwrap().ends_with("# mine\n"));
}

#[test]
fn options_that_an_engine_would_misread_are_refused() {
    let place = place();
    let plan = place.plan.to_str().unwrap();
    for options in [
        ["slurm", plan, "--partition", "a b"],
        ["slurm", plan, "--setup", "a\n#SBATCH --uid=0"],
        ["kubernetes", plan, "--image", "a b"],
        ["local", plan, "--gpus", "0;1"],
        ["ray", plan, "--cpus", "-1"],
        ["ray", "no-plan.json", "--cpus", "1"],
    ] {
        let run = place.submit(&options);
        assert!(matches!(run.code, Some(1 | 2)), "{options:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: "), "{}", run.stderr);
    }
}

#[test]
fn an_interruption_reaches_every_program_of_the_script_and_nothing_is_merged() {
    let place = place();
    let script = place.write("local", &["--processes", "2"]).join("run.sh");
    let beside = place.stub.parent().unwrap();
    let slow = "#!/usr/bin/env bash\nbeside=$(dirname -- \"$0\")\n\
                trap 'touch \"$beside/ended-$5\"; exit 130' TERM\ntouch \"$beside/$1-$5\"\nsleep 600 &\nwait\n";
    write_program(&place.stub, slow);
    let mut child =
        Command::new("bash").arg(&script).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !(beside.join("run-0").exists() && beside.join("run-1").exists()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    succeed(Command::new("kill").args(["-TERM", &child.id().to_string()]));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(beside.join("ended-0").exists() && beside.join("ended-1").exists());
    assert!(!beside.join("run-2").exists() && !beside.join("merge-").exists());
}
