//! `--now` runs the engine's own command, and shows that and its answer: of stand-ins, which say how they were
//! called, and of this machine to its end, where the merged results are those of a single run.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Run, faulty_plugin, host, trust, without_times, write_pair_card, write_pairs};

use super::stub::{HOSTILE, say, write_plan, write_program};

/// Runs `submit` in `folder`, where `programs` stand in for engines.
fn submit(folder: &Path, arguments: &[&str], programs: &[(&str, &str)]) -> Run {
    let bin = folder.join("bin");
    for (name, text) in programs {
        write_program(&bin.join(name), text);
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    Run::of(host(folder).env("PATH", path).arg("submit").args(arguments)).unwrap()
}

/// Says how it was called, and that as job 41 and 42.
const SBATCH: &str = "#!/usr/bin/env bash\necho \"$PWD\" \"$@\" >>\"$(dirname -- \"$0\")/said\"\n\
                      [[ $* == *dependency* ]] && echo '42;north' || echo '41;north'\n";

#[test]
fn slurm_is_given_the_shards_and_then_the_merge_that_waits_for_them() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join(HOSTILE);
    fs::create_dir(&folder).unwrap();
    write_plan(&folder, 4);
    say(&folder.join("plan.json"), 1, mteb_shards::State::Done, (2, 0), (1.0, 2.0));
    let run = submit(&folder, &["slurm", "plan.json", "--now", "--only-missing"], &[("sbatch", SBATCH)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("submitted: shards as job 41, merge as job 42\n"), "{}", run.stdout);
    assert!(run.stderr.contains("running: bash "), "{}", run.stderr);
    let said = fs::read_to_string(folder.join("bin/said")).unwrap();
    let place = folder.canonicalize().unwrap().join("plan-slurm");
    let place = place.display();
    assert_eq!(
        said,
        format!(
            "{place} --parsable shards.sbatch\n{place} --parsable --dependency=afterany:41 merge.sbatch\n"
        )
    );
    let shards = fs::read_to_string(folder.join("plan-slurm/shards.sbatch")).unwrap();
    assert!(shards.contains("#SBATCH --array=0,2-3\n"), "{shards}");
}

#[test]
fn what_the_engine_refuses_is_seen_as_it_says_it() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    let refuses = "#!/bin/sh\necho 'sbatch: error: invalid partition specified: x' >&2\nexit 1\n";
    let run =
        submit(folder.path(), &["slurm", "plan.json", "--now", "--partition", "x"], &[("sbatch", refuses)]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("sbatch: error: invalid partition specified: x\n"), "{}", run.stderr);
    assert!(run.stderr.contains("error: expected `bash "), "{}", run.stderr);
}

#[test]
fn kubernetes_is_given_claims_plan_and_shards_and_the_merge_when_these_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    let kubectl = "#!/usr/bin/env bash\necho \"$*\" >>\"$(dirname -- \"$0\")/said\"\n\
                   [[ $1 == get ]] && echo 'SuccessCriteriaMet Complete'\n[[ $* == *--filename\\ -* ]] && cat >/dev/null\nexit 0\n";
    let arguments = ["kubernetes", "plan.json", "--image", "r/i:1", "--namespace", "nlp", "--now"];
    let run = submit(folder.path(), &arguments, &[("kubectl", kubectl)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = fs::read_to_string(folder.path().join("bin/said")).unwrap();
    let plan = folder.path().join("plan.json");
    let digest = mteb_shards::ShardPlan::read(&plan).unwrap().hash()[..8].to_owned();
    // The two sides of a pipe begin in any order.
    let mut lines: Vec<String> = said
        .lines()
        .map(|line| line.replace(plan.to_str().unwrap(), "PLAN").replace(&digest, "DIGEST"))
        .collect();
    lines[1..3].sort();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    apply --namespace nlp --filename claims.yaml
    apply --namespace nlp --server-side --filename -
    create configmap mteb-plan-DIGEST-plan --namespace nlp --from-file=plan.json=PLAN --dry-run=client --output yaml
    delete job mteb-plan-DIGEST mteb-plan-DIGEST-merge --namespace nlp --ignore-not-found --wait
    apply --namespace nlp --filename shards.yaml
    get job mteb-plan-DIGEST --namespace nlp --output jsonpath={.status.conditions[?(@.status=="True")].type}
    apply --namespace nlp --filename merge.yaml
    "#);
}

#[test]
fn merged_results_are_fetched_from_their_claim_by_a_pod_that_goes_again() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    let kubectl = "#!/usr/bin/env bash\necho \"$*\" >>\"$(dirname -- \"$0\")/said\"\n\
                   [[ $* == *--filename\\ -* ]] && cat >\"$(dirname -- \"$0\")/pod.yaml\"\nexit 0\n";
    let run =
        submit(folder.path(), &["kubernetes", "plan.json", "--image", "r/i:1"], &[("kubectl", kubectl)]);
    assert!(run.stderr.contains("copy the merged results here with: bash "), "{}", run.stderr);
    let path = format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap());
    let script = folder.path().join("plan-kubernetes/fetch.sh");
    let mut fetch = std::process::Command::new("bash");
    let fetched = Run::of(fetch.arg(&script).arg("scores").env("PATH", path)).unwrap();
    assert_eq!(fetched.code, Some(0), "{}", fetched.stderr);
    let pod: serde_yaml_ng::Value =
        serde_yaml_ng::from_str(&fs::read_to_string(folder.path().join("bin/pod.yaml")).unwrap()).unwrap();
    let name = pod["metadata"]["name"].as_str().unwrap();
    let said = fs::read_to_string(folder.path().join("bin/said")).unwrap();
    let lines: Vec<String> = said.lines().map(|line| line.replace(name, "POD")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    apply --filename -
    wait --for=condition=Ready --timeout=10m pod/POD
    cp POD:/results/merged scores
    delete pod POD --ignore-not-found --wait=false
    ");
    let claims = fs::read_to_string(folder.path().join("plan-kubernetes/claims.yaml")).unwrap();
    let claim = pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"].as_str().unwrap();
    assert!(claims.contains(&format!("name: {claim}\n")), "{claims}");
}

#[test]
fn a_job_of_ray_runs_with_the_interpreter_that_has_ray() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    let python = "#!/usr/bin/env bash\necho \"$*\" >\"$(dirname -- \"$0\")/said\"\n";
    let arguments =
        ["ray", "plan.json", "--now", "--dashboard", "http://head:8265", "--ray-python", "python-of-ray"];
    let run = submit(folder.path(), &arguments, &[("python-of-ray", python)]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let said = fs::read_to_string(folder.path().join("bin/said")).unwrap();
    // On the cluster `python` may be one without Ray, or none.
    assert!(
        said.starts_with("-m ray.scripts.scripts job submit --address http://head:8265 --working-dir "),
        "{said}"
    );
    assert!(said.ends_with(" -- python-of-ray shards.py\n"), "{said}");
}

#[test]
fn an_engine_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write_plan(folder.path(), 2);
    let run = submit(folder.path(), &["ray", "plan.json", "--now", "--ray-python", "no-such-python"], &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no-such-python: cannot be started"), "{}", run.stderr);
}

/// Two tasks of four subsets, in a folder with a hostile name; a text that the model refuses, where `refused` names its subset.
fn write_tasks(folder: &Path, refused: Option<&str>) {
    for task in ["First", "Second"] {
        let place = folder.join(task);
        fs::create_dir_all(&place).unwrap();
        let subsets = ["ace", "ban", "ind", "jav"];
        write_pair_card(&place, task, &subsets).unwrap();
        for subset in subsets {
            let word = if task == "First" && refused == Some(subset) { "ERROR" } else { "kata" };
            let pairs =
                [(word.to_owned(), 1.0), (format!("{task} {subset}"), 2.0), ("d e f".to_owned(), 4.0)];
            write_pairs(&place, subset, pairs.map(|(text, score)| (text, "b c", score))).unwrap();
        }
    }
    faulty_plugin("faulty_model", &folder.join("plugins")).unwrap();
    trust(folder, &folder.join("plugins")).unwrap();
}

const SELECTION: [&str; 8] = [
    "--registry",
    "First/task.toml",
    "--registry",
    "Second/task.toml",
    "--model",
    "faulty",
    "--plugin-dir",
    "plugins",
];

fn run_local(folder: &Path, words: &[&str]) -> Run {
    Run::of(host(folder).args(words)).unwrap()
}

fn results(folder: &Path) -> Vec<String> {
    let result =
        |task: &str| fs::read_to_string(folder.join(format!("tests__faulty/1/{task}.json"))).unwrap();
    ["First", "Second"].map(|task| without_times(&result(task)).unwrap()).into()
}

#[test]
fn shards_on_this_machine_merge_to_the_bytes_of_a_single_run() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join(HOSTILE);
    write_tasks(&folder, None);
    let single = run_local(&folder, &[&["run", "--output-folder", "single"], &SELECTION[..]].concat());
    assert_eq!(single.code, Some(0), "{}", single.stderr);
    let plan =
        run_local(&folder, &[&["plan", "--shards", "3", "--output", "plan.json"], &SELECTION[..]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    let submitted = run_local(&folder, &["submit", "local", "plan.json", "--processes", "2", "--now"]);
    assert_eq!(submitted.code, Some(0), "{}{}", submitted.stdout, submitted.stderr);
    assert!(submitted.stdout.contains("shard 2: done\n"), "{}", submitted.stdout);
    assert_eq!(results(&folder.join("results")), results(&folder.join("single")));
    let status = run_local(&folder, &["status", "plan.json"]);
    assert!(status.stdout.ends_with("3 done of 3 shards; 8 of 8 units scored\n"), "{}", status.stdout);
}

#[test]
fn a_shard_that_fails_is_named_while_the_others_are_scored() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("failing");
    write_tasks(&folder, Some("ban"));
    let plan =
        run_local(&folder, &[&["plan", "--shards", "4", "--output", "plan.json"], &SELECTION[..]].concat());
    assert_eq!(plan.code, Some(0), "{}", plan.stderr);
    let submitted = run_local(&folder, &["submit", "local", "plan.json", "--processes", "2", "--now"]);
    assert_eq!(submitted.code, Some(1), "{}{}", submitted.stdout, submitted.stderr);
    let failed =
        submitted.stdout.lines().filter(|line| line.contains(": failed with exit code 1; its log is "));
    let failed: Vec<&str> = failed.collect();
    assert_eq!(failed.len(), 1, "{}", submitted.stdout);
    assert_eq!(submitted.stdout.matches(": done\n").count(), 3, "{}", submitted.stdout);
    let status = run_local(&folder, &["status", "plan.json"]);
    assert!(
        status.stdout.ends_with("3 done, 1 failed of 4 shards; 7 of 8 units scored\n"),
        "{}",
        status.stdout
    );
    assert!(status.stderr.contains("this text cannot be encoded"), "{}", status.stderr);
}
