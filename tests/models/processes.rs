//! What a model in Python reaches of the user's terminal, devices and processes: nothing. Of models that
//! become two processes only the first one answers, and a second answer is seen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mteb_host_tests::{Run, Terminal, compose_letters_model, host, prepare_python_run, skip};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};

use super::scores;

const TASK: &str = "IndonesianGeneralSTS";

/// Tries all that it should not be able to do, and says what it could.
const REACHES: &str = r#"
import ctypes, errno, fcntl, glob, os, resource, signal, socket, stat, sys, time
HOST = int(open(f"/proc/{os.getppid()}/stat").read().rsplit(")", 1)[1].split()[1])
TIOCSTI, TIOCLINUX, TIOCSCTTY = 0x5412, 0x541C, 0x540E

def typed(request, argument):
    for name in ["/dev/tty", "/dev/console", *glob.glob("/dev/pts/[0-9]*"), *glob.glob("/proc/self/fd/*")]:
        try:
            terminal = os.open(name, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
            fcntl.ioctl(terminal, request, argument)
            return
        except OSError:
            pass
    raise PermissionError

def written():
    for name in ["/dev/tty", "/dev/console", *glob.glob("/dev/pts/[0-9]*")]:
        try:
            os.write(os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK), b"FORGED\n")
            return
        except OSError:
            pass
    raise PermissionError

def forked():
    pid = os.fork()
    if pid == 0:
        try:
            typed(TIOCSTI, b"x")
            os._exit(1)
        except OSError:
            os._exit(0)
    if os.waitpid(pid, 0)[1] == 0:
        raise PermissionError

SYSTEM = ctypes.CDLL(None, use_errno=True)
UNSHARE, CLONE, IO_URING_SETUP, KEYCTL = 272, 56, 425, 250
NEW_USER, NEW_NETWORK = 0x10000000, 0x40000000
PARAMETERS = ctypes.create_string_buffer(120)

def called(*numbers):
    result = SYSTEM.syscall(*map(ctypes.c_long, numbers))
    if result == 0 and numbers[0] == CLONE:
        os._exit(0)
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")

TRIED = {
    "a namespace": lambda: called(UNSHARE, NEW_USER),
    "a child in a namespace": lambda: called(CLONE, NEW_USER | NEW_NETWORK | signal.SIGCHLD, 0, 0, 0, 0),
    "io_uring": lambda: called(IO_URING_SETUP, 1, ctypes.addressof(PARAMETERS)),
    "the user's keys": lambda: called(KEYCTL, 0, -3, 1),
    "the terminal": lambda: os.open("/dev/tty", os.O_RDWR),
    "typing": lambda: typed(TIOCSTI, b"x"),
    "typing of a child": forked,
    "pasting": lambda: typed(TIOCLINUX, bytes([3])),
    "writing to a terminal": written,
    "a device": lambda: os.mknod(os.environ["TMPDIR"] + "/device", 0o600 | stat.S_IFCHR, os.makedev(1, 3)),
    "a device elsewhere": lambda: os.mknod("/dev/shm/mteb-host-test-device", 0o600 | stat.S_IFBLK, os.makedev(7, 0)),
    "limits of the host": lambda: resource.prlimit(HOST, resource.RLIMIT_CPU, (1, 1)),
    "limits of a bystander": lambda: resource.prlimit(BYSTANDER, resource.RLIMIT_CPU, (1, 1)),
    "a signal to the host": lambda: os.kill(HOST, signal.SIGTERM),
    "memory of the host": lambda: open(f"/proc/{HOST}/mem", "rb+"),
    "the administrator's rights": lambda: int(open("/proc/self/status").read().split("CapEff:")[1].split()[0], 16) & ~(1 << 2 | 1 << 14) or [][0],
}

class M:
    def __init__(self):
        found = []
        for name, do in TRIED.items():
            try:
                do()
                found.append(name)
            except (OSError, IndexError):
                pass
        raise RuntimeError(f"could reach: {', '.join(found) or 'nothing'}; session {os.getsid(0) == os.getsid(HOST)}")
"#;

/// Prepares a run of the model `M` in `code`.
fn prepare_model(folder: &Path, code: &str) -> Command {
    prepare_python_run(folder, code, &["--task", TASK, "--model", "python:mine.py:M"]).unwrap()
}

#[test]
fn a_model_reaches_neither_the_terminal_nor_devices_nor_other_processes() {
    let folder = tempfile::tempdir().unwrap();
    let mut bystander = Command::new("sleep").arg("600").spawn().unwrap();
    let code = format!("BYSTANDER = {}\n{REACHES}", bystander.id());
    let doctor = Run::of(host(folder.path()).args(["doctor", "--offline"])).unwrap();
    // The host has a terminal as its own, as in a shell.
    let terminal = Terminal::new(120).unwrap();
    let plain = prepare_model(folder.path(), &code);
    let mut own = Command::new("setsid");
    own.arg("--ctty").arg(plain.get_program()).args(plain.get_args()).current_dir(folder.path());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => own.env(name, value),
            None => own.env_remove(name),
        };
    }
    own.stdin(terminal.stream().unwrap()).stdout(terminal.stream().unwrap()).stderr(Stdio::piped());
    let child = own.spawn().unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    if !doctor.stdout.contains("reach neither your terminal nor your other processes") {
        return skip(format!("this kernel does not keep plugins from all of it: {}", doctor.stdout));
    }
    assert!(said.contains("could reach: nothing; session False"), "{said}");
}

#[test]
fn a_model_computes_with_threads_processes_and_programs_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let code = "import concurrent.futures, multiprocessing, os, resource, socket, subprocess, tempfile, threading\n\
        def row(text):\n    return [1.0, float(len(text))]\n\
        class M:\n    def __init__(self):\n        \
        assert subprocess.run(['sh', '-c', 'exit 3']).returncode == 3\n        \
        assert subprocess.run(['sleep', '0'], start_new_session=True).returncode == 0\n        \
        with tempfile.TemporaryDirectory() as place: os.mkfifo(place + '/pipe')\n        \
        child = subprocess.Popen(['sleep', '60']); child.terminate(); child.wait()\n        \
        socket.socketpair(); socket.socket(socket.AF_INET).close()\n        \
        resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))\n        \
        os.sched_setaffinity(0, os.sched_getaffinity(0))\n        \
        shared = multiprocessing.shared_memory.SharedMemory(create=True, size=64) if hasattr(multiprocessing, 'shared_memory') else None\n        \
        shared and (shared.close(), shared.unlink())\n        \
        open('/dev/null', 'w').write('x'); os.urandom(8)\n    \
        def encode(self, texts):\n        \
        with concurrent.futures.ThreadPoolExecutor(4) as pool: rows = list(pool.map(row, texts))\n        \
        with multiprocessing.get_context('fork').Pool(2) as pool: assert pool.map(row, texts[:8]) == rows[:8]\n        \
        return rows\n";
    let run = Run::of(prepare_model(folder.path(), code).arg("--quiet")).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn ctrl_c_ends_what_a_model_has_started() {
    let folder = tempfile::tempdir().unwrap();
    let code = "import os, subprocess, time\nclass M:\n    def encode(self, texts):\n        \
                if len(texts) > 1:\n            child = subprocess.Popen(['sleep', '600'])\n            \
                open(os.environ['TMPDIR'] + '/started', 'w').write(f'{os.getpid()} {child.pid}')\n            time.sleep(600)\n        \
                return [[1.0, 2.0]] * len(texts)\n";
    let command = prepare_model(folder.path(), code);
    let mut command = mteb_host_tests::interruptible(&command);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let workers = folder.path().join("cache/workers");
    let started = || {
        let folders = fs::read_dir(&workers).ok()?.flatten().map(|entry| entry.path().join("started"));
        folders.filter_map(|file| fs::read_to_string(file).ok()).find(|text| text.contains(' '))
    };
    let processes = loop {
        if let Some(text) = started() {
            break text;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    };
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    for process in processes.split(' ') {
        let is_there = || {
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|state| !state.is_empty() && !state.starts_with('Z'))
        };
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while is_there() && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(!is_there(), "{process}");
    }
}

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

/// What the model says that it could do. Where the kernel is to have no Landlock, the calls of it fail.
fn could_reach(has_landlock: bool) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = prepare_model(folder.path(), LOOKS);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
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

fn run_forked(folder: &Path, at_start: &str, before: &str, after: &str) -> Run {
    let code = compose_letters_model(at_start, before, after);
    let arguments = ["--json", "--task", TASK, "--overwrite", "always", "--batch-tokens", "400"];
    let mut command = prepare_python_run(folder, &code, &arguments).unwrap();
    Run::of(command.args(["--model", "python:mine.py:Letters"])).unwrap()
}

#[test]
fn a_process_that_a_model_becomes_and_lets_go_on_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run_forked(folder.path(), "", "pass", "pass");
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    // Python's own fork, that of the system, of which Python knows nothing, and one that computes something else, later and earlier.
    for (before, after) in [
        ("os.fork()", "pass"),
        ("ctypes.CDLL(None).fork()", "pass"),
        ("pass", "rows = rows if os.fork() else [[0.5] * 32] * len(texts)"),
        ("pass", "rows = rows if ctypes.CDLL(None).fork() else [[0.5] * 32] * len(texts)"),
        ("child = os.fork() == 0", "time.sleep(0 if child else 0.02)"),
        ("child = ctypes.CDLL(None).fork() == 0", "time.sleep(0.3 if child else 0)"),
    ] {
        let forked = run_forked(folder.path(), "", before, after);
        assert_eq!(scores(&forked), scores(&plain), "{before}; {after}: {}", forked.stderr);
    }
}

#[test]
fn what_a_model_computes_in_processes_of_its_own_counts() {
    let folder = tempfile::tempdir().unwrap();
    let plain = run_forked(folder.path(), "", "pass", "pass");
    let at_start = "import multiprocessing\n\
                    def same(row):\n    print('heard')\n    return [number * 1.0 for number in row]\n\
                    pool = multiprocessing.get_context('fork').Pool(2)";
    let pooled = run_forked(folder.path(), at_start, "pass", "rows = pool.map(same, rows)");
    assert_eq!(scores(&pooled), scores(&plain), "{}", pooled.stderr);
}

#[test]
fn an_answer_too_many_ends_the_worker_and_fails_the_unit() {
    // Twice the same answer, one to another question, and one whose bytes were mixed with others.
    let twice = "original(stream, number, header), original(stream, number, header)";
    let other = "original(stream, number + (number > 2), header)";
    let mixed = "number < 3 and original(stream, number, header), number > 2 and (stream.write(b'x' * 80), stream.flush())";
    for (answers, said) in [
        (twice, "answered another request"),
        (other, "answered another request"),
        (mixed, "sent an invalid message"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at_start = format!(
            "from mteb_host_worker import worker\noriginal = worker.write_frame\n\
             worker.write_frame = lambda stream, number, header: ({answers})"
        );
        let failed = run_forked(folder.path(), &at_start, "pass", "pass");
        assert_eq!(failed.code, Some(1), "{answers}: {}", failed.stderr);
        assert!(failed.stderr.contains(said), "{answers}: {}", failed.stderr);
    }
}

#[test]
fn numbers_that_another_process_writes_fail_the_unit() {
    let folder = tempfile::tempdir().unwrap();
    // It wrote its numbers once more after it had said what they are.
    let at_start = "from mteb_host_worker import frames\nwrite = frames.Memory.write\n\
                    def twice(self, *parts):\n    found = write(self, *parts)\n    os.pwrite(self.descriptor, b'late', 0)\n    return found\n\
                    frames.Memory.write = twice";
    let failed = run_forked(folder.path(), at_start, "pass", "pass");
    assert_eq!(failed.code, Some(1), "{}", failed.stderr);
    assert!(failed.stderr.contains("wrote numbers that do not match its answer"), "{}", failed.stderr);
}
