//! Models in Python that look into the processes around them: into the worker that passes their answers on, and into the host. With
//! Landlock and without it neither is open to them, nor has the kernel send signals for them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mteb_host_tests::{host, host_binary};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

/// Tries all, and says what it could do.
const LOOKS: &str = r#"
import fcntl, glob, os
WORKER = os.getppid()
HOST = int(open(f"/proc/{WORKER}/stat").read().rsplit(")", 1)[1].split()[1])
F_SETOWN, F_SETSIG, F_SETOWN_EX, FIOSETOWN, SIOCSPGRP = 8, 10, 15, 0x8901, 0x8902

def opened(process):
    for name in glob.glob(f"/proc/{process}/fd/*"):
        try:
            os.open(name, os.O_RDWR | os.O_NONBLOCK)
            return
        except OSError:
            pass
    raise PermissionError

def read(process, name):
    with open(f"/proc/{process}/{name}", "rb") as file:
        file.read(1)

PIPE = os.pipe()[0]
TRIED = {
    "open files of the worker": lambda: opened(WORKER),
    "memory of the worker": lambda: open(f"/proc/{WORKER}/mem", "rb+"),
    "variables of the worker": lambda: read(WORKER, "environ"),
    "places of the worker": lambda: read(WORKER, "maps"),
    "open files of the host": lambda: opened(HOST),
    "memory of the host": lambda: open(f"/proc/{HOST}/mem", "rb"),
    "variables of the host": lambda: read(HOST, "environ"),
    "a signal to the host when a file can be read": lambda: fcntl.fcntl(PIPE, F_SETOWN, HOST),
    "the same by a structure": lambda: fcntl.fcntl(PIPE, F_SETOWN_EX, (1).to_bytes(4, "little") + HOST.to_bytes(4, "little")),
    "the choice of this signal": lambda: fcntl.fcntl(PIPE, F_SETSIG, 9),
    "the same by other calls": lambda: fcntl.ioctl(PIPE, FIOSETOWN, HOST.to_bytes(4, "little")),
    "the same of sockets": lambda: fcntl.ioctl(PIPE, SIOCSPGRP, HOST.to_bytes(4, "little")),
}

class M:
    def __init__(self):
        found = []
        for name, do in TRIED.items():
            try:
                do()
                found.append(name)
            except OSError as error:
                found.extend([f"{name}: {error}"] if error.errno not in (1, 13, None) else [])
        open("/proc/self/fd/1", "w").close()
        raise RuntimeError(f"could reach: {', '.join(found) or 'nothing'}")
"#;

fn command(folder: &Path) -> Command {
    host_binary();
    fs::write(folder.join("mine.py"), LOOKS).unwrap();
    let mut command = host(folder);
    command.args([
        "run",
        "--registry",
        "indonesia",
        "--task",
        "IndonesianGeneralSTS",
        "--model",
        "python:mine.py:M",
    ]);
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// What the model says that it could do. Where the kernel is to have no Landlock, the calls of it fail.
fn could_reach(has_landlock: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = command(folder.path());
    // The filter holds for this thread and what it starts.
    let start = move || {
        if !has_landlock {
            let calls = BTreeMap::from([(libc::SYS_landlock_create_ruleset, Vec::new())]);
            let refusal = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
            let arch = std::env::consts::ARCH.try_into().unwrap();
            let filter = SeccompFilter::new(calls, SeccompAction::Allow, refusal, arch).unwrap();
            let program: BpfProgram = filter.try_into().unwrap();
            apply_filter(&program).unwrap();
        }
        command.spawn()
    };
    let child = std::thread::spawn(start).join().unwrap().unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap()
}

#[test]
fn a_model_looks_neither_into_its_worker_nor_into_the_host() {
    for has_landlock in [true, false] {
        let said = could_reach(has_landlock);
        assert!(said.contains("could reach: nothing"), "Landlock {has_landlock}: {said}");
    }
}
