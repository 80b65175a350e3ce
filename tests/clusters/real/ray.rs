//! Shards on real Ray.

use std::process::Stdio;

use mteb_host_tests::Run;

use super::ray_cluster::{DASHBOARD, RayCluster};
use super::trial::{SHARDS, Trial, kill, succeed};

#[test]
#[ignore = "needs Ray: cargo xtask test-distributed"]
fn bundled_tasks_on_two_nodes_give_the_bytes_of_a_single_run() {
    let trial = Trial::bundled();
    let cluster = RayCluster::start(&trial);
    let run = succeed(&mut cluster.submit(&trial, &[]));
    assert!(run.stdout.contains("0 are left"), "{}", run.stdout);
    trial.expect_same();
    assert_eq!(trial.status()["counts"]["done"], SHARDS);
}

#[test]
#[ignore = "needs Ray: cargo xtask test-distributed"]
fn a_job_that_is_submitted_to_the_dashboard_gives_them_too() {
    let trial = Trial::bundled();
    let cluster = RayCluster::start(&trial);
    let run = succeed(&mut cluster.submit(&trial, &["--dashboard", DASHBOARD]));
    assert!(
        run.stdout.contains("0 are left") || run.stderr.contains("0 are left"),
        "{}{}",
        run.stdout,
        run.stderr
    );
    trial.expect_same();
}

#[test]
#[ignore = "needs Ray: cargo xtask test-distributed"]
fn a_node_and_a_shard_that_are_killed_are_tried_again_by_ray_itself() {
    let trial = Trial::slow();
    let cluster = RayCluster::start(&trial);
    let mut command = cluster.submit(&trial, &[]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let shard = trial.begun();
    trial.processes_of(shard).into_iter().for_each(kill);
    trial.begun_where(|other| other["shard"] != shard);
    cluster.kill_second_node();
    let output = child.wait_with_output().unwrap();
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    trial.expect_same();
}
