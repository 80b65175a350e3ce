//! Ray itself, with two nodes on this machine.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use mteb_host_tests::Run;

use super::trial::{Trial, wait_for};

/// The variable by which `cargo xtask test-distributed` names the interpreter with Ray.
const PYTHON: &str = "MTEB_DISTRIBUTED_PYTHON";

pub const PORT: &str = "127.0.0.1:6399";
pub const DASHBOARD: &str = "http://127.0.0.1:8299";

/// The interpreter with Ray and the schemas of Kubernetes.
pub fn python() -> PathBuf {
    std::env::var_os(PYTHON)
        .map(PathBuf::from)
        .unwrap_or_else(|| panic!("{PYTHON} names no interpreter; run `cargo xtask test-distributed`"))
}

/// A cluster that goes with this value.
pub struct RayCluster {
    nodes: Vec<Option<Child>>,
}

impl RayCluster {
    /// Starts a head and one more node, with two processors each.
    pub fn start(trial: &Trial) -> Self {
        let place = trial.plain_place("ray");
        let head = [
            "--head",
            "--node-ip-address=127.0.0.1",
            "--port=6399",
            "--dashboard-host=127.0.0.1",
            "--dashboard-port=8299",
        ];
        let temporary = format!("--temp-dir={}", place.display());
        let head = node(&[&head[..], &[&temporary]].concat());
        let mut cluster = Self { nodes: vec![Some(head)] };
        cluster.wait_for_nodes(1);
        cluster.nodes.push(Some(node(&[&format!("--address={PORT}"), "--node-ip-address=127.0.0.1"])));
        cluster.wait_for_nodes(2);
        cluster
    }

    /// `submit ray --now` with more options.
    pub fn submit(&self, trial: &Trial, options: &[&str]) -> Command {
        let mut command = trial.host();
        command.args(["submit", "ray", "plan.json", "--now", "--ray-python"]).arg(python());
        command.env("RAY_ADDRESS", PORT).env("PYTHONUNBUFFERED", "1").args(options);
        command
    }

    /// Kills the second node with its workers, but not the programs that they have started.
    pub fn kill_second_node(&mut self) {
        if let Some(node) = self.nodes[1].take() {
            end(node);
        }
    }

    fn wait_for_nodes(&self, count: usize) {
        let ask = format!(
            "import ray\nray.init(address='{PORT}', log_to_driver=False, logging_level='ERROR')\n\
             raise SystemExit(sum(node['Alive'] for node in ray.nodes()) < {count})"
        );
        wait_for("nodes of Ray", || {
            let run = Run::of(Command::new(python()).args(["-c", &ask]).stdin(Stdio::null())).unwrap();
            (run.code == Some(0)).then_some(())
        });
    }
}

impl Drop for RayCluster {
    fn drop(&mut self) {
        self.nodes.iter_mut().rev().filter_map(Option::take).for_each(end);
        // What they started ends with them.
        std::thread::sleep(Duration::from_secs(2));
    }
}

/// Starts a node whose processes are a group of their own.
fn node(options: &[&str]) -> Child {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(python());
    command.args(["-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=2", "--num-gpus=0"]);
    command.args(["--object-store-memory=100000000", "--disable-usage-stats"]).args(options);
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Ends a node: the program that waits for it, and the group with its daemons.
fn end(mut node: Child) {
    let group = format!("-{}", node.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).output();
    let _ = node.wait();
}
