//! What Kubernetes gets is what its published schemas ask for, and the words for its pods score and merge. No cluster is started.

use std::fs;
use std::process::Command;

use mteb_host_tests::Run;
use serde_yaml_ng::Value;

use super::ray::python;
use super::trial::{SHARDS, Trial, succeed};

/// The oldest release that knows all fields, and the newest one of which there are schemas.
const RELEASES: [&str; 2] = ["1.29", "1.37"];

#[test]
#[ignore = "needs the schemas of Kubernetes: cargo xtask test-distributed"]
fn manifests_have_the_fields_of_their_schemas_and_their_words_score_and_merge() {
    let trial = Trial::bundled();
    let options = ["--namespace", "nlp", "--gpus", "1", "--storage-class", "nfs", "--at-once", "4"];
    succeed(
        trial.host().args(["submit", "kubernetes", "plan.json", "--image", "r/mteb-host:1"]).args(options),
    );
    let files = trial.folder.join("plan-kubernetes");
    for release in RELEASES {
        for file in ["claims.yaml", "shards.yaml", "merge.yaml"] {
            succeed(&mut validate(release, &files.join(file)));
        }
    }
    let shards = fs::read_to_string(files.join("shards.yaml")).unwrap();
    let wrong = trial.plain_place("wrong.yaml");
    fs::write(&wrong, shards.replace("backoffLimitPerIndex", "backoffLimitPerShard")).unwrap();
    assert_ne!(
        Run::of(&mut validate(RELEASES[0], &wrong)).unwrap().code,
        Some(0),
        "the check sees a wrong field"
    );

    // What the pods do, with the folder of the plan in the place of the claim.
    let place = trial.folder.to_str().unwrap();
    let words = |file: &str| -> Vec<String> {
        let job: Value = serde_yaml_ng::from_str(&fs::read_to_string(files.join(file)).unwrap()).unwrap();
        let words = job["spec"]["template"]["spec"]["containers"][0]["args"].clone();
        let words: Vec<String> = serde_yaml_ng::from_value(words).unwrap();
        words.iter().map(|word| word.replace("/results", place)).collect()
    };
    for shard in 0..SHARDS {
        succeed(trial.host().args(words("shards.yaml")).env("JOB_COMPLETION_INDEX", shard.to_string()));
    }
    let merge: Vec<String> =
        words("merge.yaml").iter().map(|word| word.replace("/merged", "/results")).collect();
    succeed(trial.host().args(merge));
    trial.expect_same();
}

fn validate(release: &str, file: &std::path::Path) -> Command {
    let mut command = Command::new(python());
    command.args(["-m", "kubernetes_validate", "--strict", "--kubernetes-version", release]).arg(file);
    command
}
