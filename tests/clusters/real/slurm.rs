//! Shards on real Slurm, with a controller and three nodes that are namespaces of the network of this machine:
//! undisturbed, and with nodes, programs, controller or disks that fail.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use mteb_host_tests::Run;

use super::network::{Network, address};
use super::trial::{Trial, kill, succeed, wait_for};

const NODES: usize = 3;

/// A cluster that goes with this value.
struct SlurmCluster {
    pub network: Network,
    folder: PathBuf,
    munge: Child,
    controller: Option<Child>,
    nodes: Vec<Child>,
}

impl SlurmCluster {
    /// Starts all daemons, and waits until the nodes are ready. Their files lie beside those of the trial.
    pub fn start(trial: &Trial) -> Self {
        let folder = trial.plain_place("slurm");
        ["state", "spool", "log", "munge"]
            .iter()
            .for_each(|name| fs::create_dir_all(folder.join(name)).unwrap());
        let munge = start_munge(&folder);
        fs::write(folder.join("slurm.conf"), configuration(&folder)).unwrap();
        fs::write(folder.join("cgroup.conf"), "IgnoreSystemd=yes\n").unwrap();
        let network = Network::new("mtebslurm", NODES);
        let mut cluster = Self { network, folder, munge, controller: None, nodes: Vec::new() };
        cluster.start_controller();
        for node in 1..=NODES {
            let started = cluster.start_node(node);
            cluster.nodes.push(started);
        }
        cluster.wait_until_ready(NODES);
        cluster
    }

    /// A program on the machine of the controller, with the cluster's configuration.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.network.on(0, program);
        command.env("SLURM_CONF", self.folder.join("slurm.conf"));
        command
    }

    /// `submit slurm --now` with more options.
    pub fn submit(&self, trial: &Trial, options: &[&str]) -> Run {
        let mut command = trial.host();
        command.args(["submit", "slurm", "plan.json", "--memory", "400M", "--now"]).args(options);
        let mut command = self.network.move_to(0, &command);
        succeed(command.env("SLURM_CONF", self.folder.join("slurm.conf")))
    }

    /// Waits until no job is left.
    pub fn wait_until_idle(&self) {
        wait_for("the end of all jobs", || {
            let found = Run::of(self.command("squeue").args(["--noheader", "--format", "%i %T %r"])).unwrap();
            (found.code == Some(0) && found.stdout.trim().is_empty()).then_some(())
        });
    }

    /// Cancels all jobs.
    pub fn cancel_all(&self) {
        succeed(self.command("scancel").args(["--user", "root"]));
    }

    /// Waits until so many nodes can be given work.
    pub fn wait_until_ready(&self, nodes: usize) {
        wait_for("nodes that are ready", || {
            let found =
                Run::of(self.command("sinfo").args(["--noheader", "--Node", "--format", "%t"])).unwrap();
            let ready = found.stdout.lines().filter(|state| matches!(*state, "idle" | "alloc" | "mix"));
            (ready.count() >= nodes).then_some(())
        });
    }

    /// The node on which a shard runs, by its job.
    pub fn node_of(&self, shard: usize) -> Option<usize> {
        let found =
            Run::of(self.command("squeue").args(["--noheader", "--array", "--format", "%K %T %N"])).unwrap();
        let mut lines = found.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        let line =
            lines.find(|line| line.len() == 3 && line[0] == shard.to_string() && line[1] == "RUNNING")?;
        line[2].strip_prefix('n')?.parse().ok()
    }

    /// Whether Slurm has begun a job again by itself.
    pub fn has_requeued(&self) -> bool {
        let jobs = succeed(self.command("scontrol").args(["--all", "show", "jobs"]));
        jobs.stdout.split_whitespace().any(|word| word.starts_with("Restarts=") && word != "Restarts=0")
    }

    /// Kills the controller in the midst, and starts it again on what it had written.
    pub fn restart_controller(&mut self) {
        if let Some(mut controller) = self.controller.take() {
            controller.kill().unwrap();
            controller.wait().unwrap();
        }
        self.start_controller();
    }

    /// Kills a node with all that runs there.
    pub fn kill_node(&mut self, node: usize) {
        self.network.kill_all_on(node);
        let _ = self.nodes[node - 1].wait();
    }

    fn start_controller(&mut self) {
        let mut command = self.command("slurmctld");
        self.controller = Some(start(command.arg("-D"), &self.folder.join("log/controller.out")));
    }

    fn start_node(&self, node: usize) -> Child {
        let mut command = self.network.on(node, "slurmd");
        command.env("SLURM_CONF", self.folder.join("slurm.conf")).args(["-D", "-N", &format!("n{node}")]);
        start(&mut command, &self.folder.join(format!("log/node{node}.out")))
    }
}

impl Drop for SlurmCluster {
    fn drop(&mut self) {
        for child in self.nodes.iter_mut().chain(&mut self.controller).chain([&mut self.munge]) {
            let _ = child.kill();
            let _ = child.wait();
        }
        if std::thread::panicking() {
            for entry in fs::read_dir(self.folder.join("log")).into_iter().flatten().flatten() {
                let text = fs::read_to_string(entry.path()).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                eprintln!(
                    "{}:\n{}",
                    entry.path().display(),
                    lines[lines.len().saturating_sub(12)..].join("\n")
                );
            }
        }
    }
}

fn start(command: &mut Command, log: &Path) -> Child {
    let log = File::create(log).unwrap();
    command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap()
}

fn start_munge(folder: &Path) -> Child {
    let place = folder.join("munge");
    fs::set_permissions(&place, Permissions::from_mode(0o700)).unwrap();
    // Whoever asks for it has to reach the socket.
    for reached in [folder, folder.parent().unwrap()] {
        fs::set_permissions(reached, Permissions::from_mode(0o755)).unwrap();
    }
    let key: Vec<u8> = (0..1024_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(place.join("key"), key).unwrap();
    fs::set_permissions(place.join("key"), Permissions::from_mode(0o400)).unwrap();
    let mut command = Command::new("munged");
    command.args(["--foreground", "--force"]);
    let options = [
        ("--key-file", place.join("key")),
        ("--socket", folder.join("munge.socket")),
        ("--pid-file", place.join("pid")),
        ("--seed-file", place.join("seed")),
    ];
    options.iter().for_each(|(name, path)| {
        command.arg(format!("{name}={}", path.display()));
    });
    let child = start(&mut command, &folder.join("log/munge.out"));
    wait_for("the socket of munge", || folder.join("munge.socket").exists().then_some(()));
    child
}

fn configuration(folder: &Path) -> String {
    let machine = Run::of(&mut Command::new("hostname")).unwrap().stdout.trim().to_owned();
    let place = folder.display();
    let nodes: String = (1..=NODES)
        .map(|node| {
            let address = address(node);
            format!("NodeName=n{node} NodeHostname={machine} NodeAddr={address} CPUs=1 RealMemory=1200 State=UNKNOWN\n")
        })
        .collect();
    format!(
        "ClusterName=mteb\nSlurmctldHost={machine}(10.231.77.1)\nAuthType=auth/munge\n\
         AuthInfo=socket={place}/munge.socket,cred_expire=5\nCredType=cred/munge\nSlurmUser=root\nSlurmdUser=root\n\
         StateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool/%n\nSlurmctldPidFile={place}/controller.pid\n\
         SlurmdPidFile={place}/%n.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSchedulerType=sched/backfill\n\
         SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2\nSelectType=select/cons_tres\n\
         SelectTypeParameters=CR_Core_Memory\nMpiDefault=none\nReturnToService=2\nSlurmctldTimeout=10\nSlurmdTimeout=8\nKillWait=5\n\
         MinJobAge=3600\nSlurmdParameters=config_overrides\n{nodes}\
         PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n"
    )
}

#[test]
#[ignore = "needs Slurm: cargo xtask test-distributed"]
fn shards_of_a_node_that_dies_run_on_others() {
    let trial = Trial::slow();
    let mut cluster = SlurmCluster::start(&trial);
    cluster.submit(&trial, &[]);
    let shard = trial.wait_for_begin();
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
    let shard = trial.wait_for_begin();
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
    let shard = trial.wait_for_begin();
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
    trial.wait_for_begin();
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
    let shard = trial.wait_for_begin();
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
