//! Shards on real Slurm: undisturbed, and with nodes, programs, controller or disks that fail.
//! Nothing is lost, and the bytes are those of one run.

use std::fs;
use std::process::{Command, Stdio};

use super::slurm_cluster::SlurmCluster;
use super::trial::{Trial, kill, succeed, wait_for};

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn shards_of_a_node_that_dies_run_on_others() {
    let trial = Trial::slow();
    let mut cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    let shard = trial.begun();
    let node = wait_for("the node of the shard", || cluster.node_of(shard));
    cluster.kill_node(node);
    cluster.wait_until_idle();
    assert!(cluster.has_requeued());
    trial.expect_same();
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn a_shard_that_goes_on_behind_a_cut_cable_does_no_harm_to_the_one_that_takes_its_place() {
    let trial = Trial::slow();
    let cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    let shard = trial.begun();
    let node = wait_for("the node of the shard", || cluster.node_of(shard));
    cluster.network.set_link(node, "down");
    cluster.wait_until_idle();
    assert!(cluster.has_requeued());
    cluster.network.set_link(node, "up");
    trial.expect_same();
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn a_shard_that_is_killed_is_named_and_goes_on_when_it_is_submitted_again() {
    let trial = Trial::slow();
    let cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    let shard = trial.begun();
    trial.processes_of(shard).into_iter().for_each(kill);
    cluster.wait_until_idle();
    let log = fs::read_to_string(trial.folder.join("plan-slurm/logs/merge.log")).unwrap();
    let command = format!("--shard {shard}");
    assert!(log.contains("mteb-host run --plan ") && log.contains(&command), "{log}");
    let merge = trial.merge();
    assert_eq!(merge.code, Some(1), "{}", merge.stderr);
    cluster.submit(&trial, &["--only-missing", "--replace"]);
    let array = fs::read_to_string(trial.folder.join("plan-slurm/shards.sbatch")).unwrap();
    assert!(array.contains(&format!("#SBATCH --array={shard}\n")), "{array}");
    cluster.wait_until_idle();
    trial.expect_same();
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn a_controller_that_is_killed_and_started_again_loses_no_shard() {
    let trial = Trial::slow();
    let mut cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    trial.begun();
    cluster.restart_controller();
    cluster.wait_until_idle();
    trial.expect_same();
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn shards_that_are_cancelled_go_on_when_they_are_submitted_again_and_two_merges_at_once_agree() {
    let trial = Trial::slow();
    let cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    let shard = trial.begun();
    cluster.cancel_all();
    cluster.wait_until_idle();
    let done = trial.status()["shards"][shard]["units_done"].as_u64().unwrap();
    assert!(done > 0, "what was scored is kept");
    cluster.submit(&trial, &[]);
    cluster.wait_until_idle();
    fs::remove_dir_all(trial.folder.join("results")).unwrap();
    let merge = || {
        let mut command = trial.host();
        command.args(["merge", "plan.json"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let both = [merge(), merge()].map(|child| child.wait_with_output().unwrap());
    for output in both {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    trial.expect_same();
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn a_shard_whose_disk_is_full_fails_alone_and_goes_on_when_there_is_room() {
    let trial = Trial::slow();
    let cluster = SlurmCluster::start(&trial);
    let folder = trial.folder.join("plan-shards/3");
    fs::create_dir_all(&folder).unwrap();
    let mount = |options: &str| {
        succeed(Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&folder))
    };
    mount("size=16k");
    let disk = Mounted(folder.clone());
    cluster.submit(&trial, &[]);
    cluster.wait_until_idle();
    let status = trial.status();
    assert_ne!(status["shards"][3]["state"], "done", "{status}");
    assert_eq!(status["counts"]["done"], super::trial::SHARDS - 1, "{status}");
    assert_eq!(trial.merge().code, Some(1));
    mount("remount,size=64m");
    cluster.submit(&trial, &[]);
    cluster.wait_until_idle();
    trial.expect_same();
    drop(disk);
}

/// A file system that goes with this value.
struct Mounted(std::path::PathBuf);

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn bundled_tasks_on_three_nodes_give_the_bytes_of_a_single_run() {
    let trial = Trial::bundled();
    let cluster = SlurmCluster::start(&trial);
    let run = cluster.submit(&trial, &[]);
    assert!(run.stdout.contains("submitted: shards as job "), "{}", run.stdout);
    cluster.wait_until_idle();
    trial.expect_same();
    let status = trial.status();
    assert_eq!(status["counts"]["done"], super::trial::SHARDS);
    let again = cluster.submit(&trial, &[]);
    assert!(again.stdout.contains("submitted: "), "{}", again.stdout);
    cluster.wait_until_idle();
    trial.expect_same();
}
