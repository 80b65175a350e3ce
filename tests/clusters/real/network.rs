//! Machines of their own on this one: namespaces of the network, joined by a bridge. Nothing in them reaches another network.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::process::Command;

use super::trial::{kill, succeed};

/// The machine of the controller has the bridge; the others hang on it.
#[derive(Debug)]
pub struct Network {
    tag: String,
    nodes: usize,
}

impl Network {
    /// The controller at 10.231.77.1, node N at 10.231.77.1N.
    pub fn new(tag: &str, nodes: usize) -> Self {
        let network = Self { tag: format!("{tag}{}", std::process::id()), nodes };
        let controller = network.space(0);
        ip(&["netns", "add", &controller]);
        network.ip_in(0, &["link", "set", "lo", "up"]);
        network.ip_in(0, &["link", "add", "bridge", "type", "bridge"]);
        network.ip_in(0, &["addr", "add", "10.231.77.1/24", "dev", "bridge"]);
        network.ip_in(0, &["link", "set", "bridge", "up"]);
        for node in 1..=nodes {
            let (space, link) = (network.space(node), format!("node{node}"));
            ip(&["netns", "add", &space]);
            network.ip_in(node, &["link", "set", "lo", "up"]);
            network.ip_in(0, &["link", "add", &link, "type", "veth", "peer", "name", "out", "netns", &space]);
            network.ip_in(0, &["link", "set", &link, "master", "bridge", "up"]);
            network.ip_in(node, &["addr", "add", &format!("{}/24", address(node)), "dev", "out"]);
            network.ip_in(node, &["link", "set", "out", "up"]);
        }
        network
    }

    /// A command on a machine; 0 is the controller's. Files are those of all.
    pub fn on(&self, machine: usize, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("nsenter");
        command.arg(format!("--net={}", self.file(machine).display())).arg(program);
        command
    }

    /// The same command on a machine.
    pub fn move_to(&self, machine: usize, command: &Command) -> Command {
        let mut moved = self.on(machine, command.get_program());
        moved.args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => moved.env(name, value),
                None => moved.env_remove(name),
            };
        }
        if let Some(folder) = command.get_current_dir() {
            moved.current_dir(folder);
        }
        moved
    }

    /// Cuts a node off, or joins it again.
    pub fn set_link(&self, node: usize, state: &str) {
        self.ip_in(0, &["link", "set", &format!("node{node}"), state]);
    }

    /// Ends whatever runs on a machine at once, as a failure of its power does.
    pub fn kill_all_on(&self, machine: usize) {
        let Ok(space) = fs::metadata(self.file(machine)) else { return };
        let is_there = |number: &u32| {
            fs::metadata(format!("/proc/{number}/ns/net")).is_ok_and(|found| found.ino() == space.ino())
        };
        let numbers = fs::read_dir("/proc").unwrap().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        numbers.filter(is_there).for_each(kill);
    }

    fn space(&self, machine: usize) -> String {
        format!("{}-{machine}", self.tag)
    }

    fn file(&self, machine: usize) -> PathBuf {
        PathBuf::from("/run/netns").join(self.space(machine))
    }

    fn ip_in(&self, machine: usize, words: &[&str]) {
        ip(&[&["-n", &self.space(machine)], words].concat());
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for machine in 0..=self.nodes {
            self.kill_all_on(machine);
            let _ = Command::new("ip").args(["netns", "del", &self.space(machine)]).output();
        }
    }
}

/// Address of a node.
pub fn address(node: usize) -> String {
    format!("10.231.77.1{node}")
}

fn ip(words: &[&str]) {
    succeed(Command::new("ip").args(words));
}
