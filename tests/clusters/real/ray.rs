//! Shards on real Ray, with two nodes that are namespaces of the network of this machine.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use mteb_host_tests::Run;

use super::network::{Network, address};
use super::trial::{SHARDS, Trial, kill, succeed, wait_for};

/// The variable by which `cargo xtask test-distributed` names the interpreter with Ray.
const PYTHON: &str = "MTEB_DISTRIBUTED_PYTHON";
const HEAD: &str = "10.231.77.1:6399";
const DASHBOARD: &str = "http://10.231.77.1:8299";

/// The interpreter with Ray and the schemas of Kubernetes.
pub fn python() -> PathBuf {
    let named = std::env::var_os(PYTHON).map(PathBuf::from);
    named.unwrap_or_else(|| panic!("{PYTHON} names no interpreter; run `cargo xtask test-distributed`"))
}

/// A cluster that goes with this value.
struct RayCluster {
    network: Network,
    nodes: Vec<Child>,
}

impl RayCluster {
    /// Starts a head and one more node, with two processors each.
    pub fn start(trial: &Trial) -> Self {
        let mut cluster = Self { network: Network::new("mtebray", 1), nodes: Vec::new() };
        let place = format!("--temp-dir={}", trial.plain_place("ray").display());
        let head = ["--head", "--node-ip-address=10.231.77.1", "--port=6399", &place];
        cluster
            .start_node(0, &[&head[..], &["--dashboard-host=10.231.77.1", "--dashboard-port=8299"]].concat());
        cluster.wait_for_nodes(1);
        cluster.start_node(1, &[&format!("--address={HEAD}"), &format!("--node-ip-address={}", address(1))]);
        cluster.wait_for_nodes(2);
        cluster
    }

    /// `submit ray --now` with more options, on the head.
    pub fn submit(&self, trial: &Trial, options: &[&str]) -> Command {
        let mut command = trial.host();
        command.args(["submit", "ray", "plan.json", "--now", "--ray-python"]).arg(python());
        command.env("RAY_ADDRESS", HEAD).env("PYTHONUNBUFFERED", "1").args(options);
        self.network.move_to(0, &command)
    }

    /// Kills the second node with all that runs there.
    pub fn kill_second_node(&self) {
        self.network.kill_all_on(1);
    }

    fn start_node(&mut self, machine: usize, options: &[&str]) {
        let mut command = self.network.on(machine, python());
        command.args(["-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=2", "--num-gpus=0"]);
        command.args(["--object-store-memory=100000000", "--disable-usage-stats"]).args(options);
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.nodes.push(command.spawn().unwrap());
    }

    fn wait_for_nodes(&self, count: usize) {
        let ask = format!(
            "import ray\nray.init(address='{HEAD}', log_to_driver=False, logging_level='ERROR')\n\
             raise SystemExit(sum(node['Alive'] for node in ray.nodes()) < {count})"
        );
        wait_for("nodes of Ray", || {
            let run = Run::of(self.network.on(0, python()).args(["-c", &ask]).stdin(Stdio::null())).unwrap();
            (run.code == Some(0)).then_some(())
        });
    }
}

impl Drop for RayCluster {
    fn drop(&mut self) {
        self.network.kill_all_on(1);
        self.network.kill_all_on(0);
        self.nodes.iter_mut().for_each(|node| {
            let _ = node.wait();
        });
    }
}

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
    let shard = trial.wait_for_begin();
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
