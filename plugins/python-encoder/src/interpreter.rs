//! The interpreter: started with the worker's program, asked by frames, and mourned as a native plugin would be.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use mteb_plugin_api::v1::{PluginError, code};
use mteb_system::{machine, memory_file};
use serde_json::Value;

use crate::frame;
use crate::process::{self, Watched};

macro_rules! modules {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../python/worker/", $name, ".py")))),*]
    };
}

/// The modules of the program that the interpreter runs, each after those that it needs. They lie in the package `mteb_host`, which
/// serves models of the user's own process by the same ones.
const MODULES: [(&str, &str); 17] = modules![
    "frames",
    "rows",
    "similarity",
    "model",
    "repository",
    "filled",
    "library",
    "reference",
    "beside",
    "landlock",
    "allowed",
    "modules",
    "signatures",
    "evaluator",
    "sources",
    "own",
    "worker"
];

/// What makes modules of their sources.
const START: &str = include_str!("../python/start.py");

/// Environment of the interpreter: what would write beside the temporary folder, or ask the network, does not.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("PYTHONDONTWRITEBYTECODE", "1"),
    ("PYTHONUNBUFFERED", "1"),
    ("HF_HUB_OFFLINE", "1"),
    ("TRANSFORMERS_OFFLINE", "1"),
    ("HF_HUB_DISABLE_TELEMETRY", "1"),
    ("TOKENIZERS_PARALLELISM", "false"),
];

/// Variables that libraries take for folders of their caches.
const CACHES: [&str; 6] = [
    "HF_MODULES_CACHE",
    "MPLCONFIGDIR",
    "NUMBA_CACHE_DIR",
    "MTEB_CACHE",
    "TORCHINDUCTOR_CACHE_DIR",
    "TRITON_CACHE_DIR",
];

/// How many threads the libraries of an interpreter compute with, unless their callers say.
const THREADS: &str = "OMP_NUM_THREADS";

/// What is said where the numbers are not those that the answer is about.
const OTHER_NUMBERS: &str = "wrote numbers that do not match its answer; more than one process writes for it";

/// Bytes that are copied at a time.
const BLOCK: usize = 1 << 18;

/// A running interpreter.
pub struct Interpreter {
    /// Absent of the user's own process, which is not ours to end.
    child: Option<Child>,
    input: BufWriter<Box<dyn Write + Send>>,
    output: BufReader<Box<dyn Read + Send>>,
    memory: File,
    /// Questions so far.
    asked: u64,
}

impl Interpreter {
    /// Starts `python`; models are looked for in the hub's cache at `hub_cache`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(python: &Path, hub_cache: Option<&str>) -> Result<Self, PluginError> {
        let cannot = |error: io::Error| {
            PluginError::invalid_input(format!(
                "{}: cannot start the Python interpreter: {error}",
                python.display()
            ))
        };
        let memory = make_inherited("mteb-python").map_err(cannot)?;
        let program = program().map_err(cannot)?;
        let temporary = std::env::temp_dir();
        let mut command = Command::new(python);
        command.arg("-u").arg(memory_file::path_of(&program).map_err(cannot)?);
        command.arg("--memory").arg(memory.as_raw_fd().to_string());
        command.envs(ENVIRONMENT).envs(CACHES.map(|name| (name, temporary.join("caches"))));
        if let (None, Some(threads)) = (std::env::var_os(THREADS), threads_by_quota()) {
            command.env(THREADS, threads.to_string());
        }
        if let Some(cache) = hub_cache {
            command.env("HF_HUB_CACHE", cache);
        }
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(cannot)?;
        let missing = || cannot(io::Error::other("no streams"));
        let process = process::handle(&child);
        let input = Watched::new(child.stdin.take().ok_or_else(missing)?, process.clone());
        let output = Watched::new(child.stdout.take().ok_or_else(missing)?, process);
        Ok(Self::over(Some(child), Box::new(input), Box::new(output), memory))
    }

    /// The user's own process, which serves its model in `folder`.
    ///
    /// # Errors
    /// If nobody serves there.
    pub fn serving(folder: &Path) -> Result<Self, PluginError> {
        let served = process::connect(folder).map_err(|error| {
            PluginError::invalid_input(format!(
                "{}: expected the process that called `mteb_host.run` to serve its model there, found: {error}",
                folder.display()
            ))
        })?;
        Ok(Self::over(None, Box::new(served.input), Box::new(served.output), served.memory))
    }

    fn over(
        child: Option<Child>,
        input: Box<dyn Write + Send>,
        output: Box<dyn Read + Send>,
        memory: File,
    ) -> Self {
        Self { child, input: BufWriter::new(input), output: BufReader::new(output), memory, asked: 0 }
    }

    /// Asks and waits for the answer. If the interpreter has died or sends what is no answer to it, this process ends as it did, so
    /// that the host sees what it would see of a native plugin: the same signal, the same last words.
    ///
    /// # Errors
    /// What the interpreter says of its failure.
    pub fn ask(&mut self, question: &Value, payload: &[u8]) -> Result<Value, PluginError> {
        self.asked += 1;
        let asked = frame::write(&mut self.input, self.asked, question, payload);
        match asked.and_then(|()| frame::read(&mut self.output)) {
            Ok((number, _)) if number != self.asked || !self.output.buffer().is_empty() => {
                self.end_for("answered another request; more than one process answers for it")
            }
            Ok((_, answer)) => match answer.get("error") {
                Some(error) => Err(plugin_error(error)),
                None => Ok(answer),
            },
            Err(error) if error.kind() == ErrorKind::InvalidData => self.end_for("sent an invalid message"),
            Err(_) => self.end_with_it(),
        }
    }

    /// Copies the first numbers of the shared memory to `out`, of which the interpreter's `answer` has the checksum.
    ///
    /// # Errors
    /// If there are fewer.
    pub fn numbers(&mut self, answer: &Value, out: &mut [f32]) -> Result<(), PluginError> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(out);
        let read = self.memory.read_exact_at(bytes, 0);
        read.map_err(|error| {
            PluginError::failed(format!("cannot read the output of the Python interpreter: {error}"))
        })?;
        if Some(u64::from(crc32fast::hash(bytes))) != checksum(answer) {
            self.end_for(OTHER_NUMBERS);
        }
        Ok(())
    }

    /// Copies the first `bytes` of the shared memory to `out`, of which the interpreter's `answer` has the checksum; what is beyond its
    /// end is left out.
    ///
    /// # Errors
    /// If `out` does not take them.
    pub fn copy(&mut self, answer: &Value, bytes: u64, out: &mut impl io::Write) -> io::Result<()> {
        let mut memory = &self.memory;
        memory.seek(io::SeekFrom::Start(0))?;
        let (mut left, mut hasher) = (memory.take(bytes), crc32fast::Hasher::new());
        let mut block = vec![0; BLOCK];
        loop {
            match left.read(&mut block)? {
                0 => break,
                read => {
                    hasher.update(&block[..read]);
                    out.write_all(&block[..read])?;
                }
            }
        }
        if Some(u64::from(hasher.finalize())) != checksum(answer) {
            self.end_for(OTHER_NUMBERS);
        }
        Ok(())
    }

    fn end_for(&mut self, fault: &str) -> ! {
        self.end();
        say(&format!("the Python interpreter {fault}"));
        std::process::exit(1)
    }

    fn end_with_it(&mut self) -> ! {
        let Some(child) = &mut self.child else {
            say("the process that called `mteb_host.run` no longer serves its model");
            std::process::exit(1)
        };
        let status = child.wait();
        say(&format!("the Python interpreter {}", describe_end(status.as_ref().ok())));
        let signal = status
            .as_ref()
            .ok()
            .and_then(ExitStatus::signal)
            .and_then(rustix::process::Signal::from_named_raw);
        if let Some(signal) = signal {
            // The first of a fault of memory only takes away the handler that would tell a full stack.
            for _ in 0..2 {
                let _ = rustix::process::kill_process(rustix::process::getpid(), signal);
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
        }
        std::process::exit(
            status.ok().and_then(|status| status.code()).filter(|code| *code != 0).unwrap_or(1),
        )
    }
}

impl Interpreter {
    fn end(&mut self) {
        if let Some(child) = &mut self.child {
            // It may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        self.end();
    }
}

/// The worker's program as a file in memory, which no folder has to take.
fn program() -> io::Result<File> {
    let mut file = make_inherited("mteb_python_worker.py")?;
    // A text in JSON is one in Python, too.
    let sources = serde_json::to_string(&MODULES)?;
    write!(file, "SOURCES = {sources}\n{START}")?;
    Ok(file)
}

/// A file in memory that the interpreter inherits.
fn make_inherited(name: &str) -> io::Result<File> {
    let file = memory_file::create(name)?;
    memory_file::inherit(&file, true)?;
    Ok(file)
}

/// Threads that the quota of the control group leaves room for, where that are fewer than the cores that the process may run on: libraries
/// count the cores alone, and more threads than the quota are stopped in the middle of their work while others wait for them.
fn threads_by_quota() -> Option<usize> {
    let threads = std::thread::available_parallelism().ok()?.get();
    fewer(threads, machine::allowed_cores()?)
}

fn fewer(threads: usize, cores: usize) -> Option<usize> {
    (threads < cores).then_some(threads)
}

/// The checksum of the numbers that an answer is about.
fn checksum(answer: &Value) -> Option<u64> {
    answer.get("checksum").and_then(Value::as_u64)
}

/// Tells the host, which keeps the last lines of this stream.
fn say(words: &str) {
    eprintln!("{words}");
}

fn describe_end(status: Option<&ExitStatus>) -> String {
    match status {
        Some(status) => format!("ended ({status})"),
        None => "ended".to_owned(),
    }
}

fn plugin_error(error: &Value) -> PluginError {
    let number = error.get("code").and_then(Value::as_u64).and_then(|code| u32::try_from(code).ok());
    let message = error.get("message").and_then(Value::as_str).unwrap_or("the Python model failed");
    PluginError::new(number.unwrap_or(code::FAILED), message)
}

/// The interpreter that the options name, else the first on the path.
pub fn interpreter_of(option: Option<&str>) -> PathBuf {
    option.unwrap_or("python3").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_named_where_the_quota_leaves_fewer_than_the_cores() {
        assert_eq!(fewer(2, 64), Some(2));
        // Without a quota the libraries know better: of two threads a core most take one.
        assert_eq!(fewer(64, 64), None);
    }
}
