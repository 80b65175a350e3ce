//! Shards on real Slurm that nothing disturbs.

use super::slurm_cluster::SlurmCluster;
use super::trial::Trial;

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
