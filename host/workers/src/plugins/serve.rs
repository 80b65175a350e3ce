//! The worker's side: it gives up the terminal, new rights, writing to files and devices, calls
//! that reach other processes, core dumps and memory without end, and other processes cannot look
//! into it; it opens one plugin and answers the host until the host has ended.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::os::fd::RawFd;
use std::path::{Path, PathBuf};

pub use system::Purpose;

use mteb_plugin_api::testkit;
use mteb_plugin_api::v1::{
    ENCODE_ROWS, EncodeRows, Library, ModelHandle, OpenError, PluginError, Role, TaskHandle,
};
use mteb_system::confine as system;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::frame::Frame;
use super::library_file::SealedCopy;
use super::message::{Request, WorkerAnswer, Written};
use super::shared_memory::SharedMemory;
use super::worker_error::is_shortage;
use super::{bundled, frame, rows};

/// Answers requests on standard input until it ends.
///
/// # Errors
/// If the streams to the host break.
pub fn serve(plugin: PathBuf, checksum: String, memory: RawFd, confined: Confined) -> io::Result<()> {
    let (input, output) = take_streams()?;
    let mut worker = ServedPlugin {
        plugin,
        checksum,
        confined,
        loaded: None,
        model: None,
        tasks: HashMap::new(),
        memory: SharedMemory::inherited(memory)?,
    };
    let (mut input, mut output) = (BufReader::new(input), BufWriter::new(output));
    let own_number = std::process::id();
    while let Some(Frame { number, header, payload }) = frame::read::<Request>(&mut input)? {
        let answered = worker.answer(header, &payload);
        if std::process::id() != own_number {
            end_fork();
        }
        let (answer, payload) = match answered {
            Ok((value, payload)) => (WorkerAnswer::Done(value), payload),
            Err(RequestFailure::Plugin(error)) => (error.into(), Vec::new()),
            Err(RequestFailure::Refused(message)) => (WorkerAnswer::Refused { message }, Vec::new()),
            Err(RequestFailure::Shortage(message)) => (WorkerAnswer::Shortage { message }, Vec::new()),
        };
        frame::write(&mut output, number, &answer, &payload)?;
    }
    Ok(())
}

/// The method by which an interpreter with an evaluator scores a unit.
const EVALUATE: &str = "evaluator";

struct ServedPlugin {
    plugin: PathBuf,
    checksum: String,
    confined: Confined,
    loaded: Option<Loaded>,
    model: Option<ModelHandle>,
    tasks: HashMap<String, TaskHandle>,
    memory: SharedMemory,
}

struct Loaded {
    library: Library,
    /// The loader knows a library by its path, so the copy stays where it is; a part of this program has none.
    _copy: Option<SealedCopy>,
}

enum RequestFailure {
    Plugin(PluginError),
    Refused(String),
    Shortage(String),
}

impl From<PluginError> for RequestFailure {
    fn from(error: PluginError) -> Self {
        Self::Plugin(error)
    }
}

impl From<io::Error> for RequestFailure {
    fn from(error: io::Error) -> Self {
        Self::Plugin(PluginError::failed(error.to_string()))
    }
}

type Answered = Result<(Value, Vec<u8>), RequestFailure>;

impl ServedPlugin {
    fn answer(&mut self, request: Request, payload: &[u8]) -> Answered {
        match request {
            Request::Open => done(json!(self.loaded()?.manifest())),
            Request::Confined => done(json!(self.confined)),
            Request::Libraries => {
                let found = mteb_system::process::mapped_files(None).into_iter();
                // JSON has no paths that are no UTF-8.
                done(json!(found.map(|path| path.display().to_string()).collect::<Vec<_>>()))
            }
            Request::Check => done(json!(testkit::check_library(self.loaded()?))),
            Request::CheckModel { config } => done(json!(testkit::check_model(self.loaded()?, &config))),
            Request::NewModel { config } => {
                let model = self.loaded()?.new_model(&config)?;
                let info = model.info()?;
                self.model = Some(model);
                done(json!(info))
            }
            Request::CountTokens { texts } => {
                let (texts, _) = frame::unpack_texts(payload, texts)?;
                let mut counts = vec![0; texts.len()];
                self.model()?.count_tokens(&texts, &mut counts)?;
                done(json!(counts))
            }
            Request::Encode { texts, dimension, role, instruction } => {
                self.encode(payload, texts, dimension, role, &instruction)
            }
            Request::EncodeRows { texts, width, role, instruction } => {
                self.encode_rows(payload, texts, width, role, instruction)
            }
            Request::Predict { pairs, instruction } => self.predict(payload, pairs, &instruction),
            Request::Call { name, json } => done(json!(self.model()?.call(&name, &json)?)),
            Request::CallTask { task, name, json } => done(json!(self.task(&task)?.call(&name, &json)?)),
            Request::AskType { task, call, question } => self.ask_type(task, call, question),
            Request::Card { task } => done(json!(self.task(&task)?.card()?)),
            Request::Rows { task, subset, part, split } => {
                let rows = self.task(&task)?.rows(&subset, &part, &split)?;
                Ok((Value::Null, rows.into_bytes()))
            }
        }
    }

    fn encode(
        &mut self,
        payload: &[u8],
        texts: usize,
        dimension: usize,
        role: u32,
        instruction: &str,
    ) -> Answered {
        let (texts, _) = frame::unpack_texts(payload, texts)?;
        let model = self.model.as_ref().ok_or_else(no_model)?;
        let out = self.memory.floats(texts.len() * dimension)?;
        // What a plugin leaves unwritten must not pass for an embedding.
        out.fill(f32::NAN);
        model.encode(&texts, Role::from_code(role), instruction, out)?;
        done(json!(Written::of(out, String::new())))
    }

    fn encode_rows(
        &mut self,
        payload: &[u8],
        texts: usize,
        width: usize,
        role: u32,
        instruction: String,
    ) -> Answered {
        let (texts, _) = frame::unpack_texts(payload, texts)?;
        let model = self.model.as_ref().ok_or_else(no_model)?;
        // Nobody knows how much the plugin will write: neither what an earlier batch left nor zeros must pass for rows of this one.
        let all = (self.memory.written()? as usize).max(LEAST);
        self.memory.floats(all)?.fill(f32::NAN);
        let question = EncodeRows {
            texts: texts.into_iter().map(str::to_owned).collect(),
            role: Role::from_code(role),
            instruction,
            memory: self.memory.path()?.to_string_lossy().into_owned(),
        };
        let question = serde_json::to_string(&question).map_err(io::Error::other)?;
        let said = model.call(ENCODE_ROWS, &question)?;
        let written = rows::said(&said, width).min(self.memory.written()? as usize);
        done(json!(Written { checksum: self.memory.checksum(written)?, said }))
    }

    fn ask_type(&mut self, task: Option<String>, method: Option<String>, mut question: Value) -> Answered {
        question["unit"]["memory"] = json!(self.memory.path()?.to_string_lossy());
        let question = question.to_string();
        let answer = match (task, method) {
            (Some(task), Some(method)) => self.task(&task)?.call(&method, &question)?,
            (Some(task), None) => self.task(&task)?.score(&question)?,
            (None, _) => self.model()?.call(EVALUATE, &question)?,
        };
        done(json!(answer))
    }

    fn predict(&mut self, payload: &[u8], pairs: usize, instruction: &str) -> Answered {
        let (queries, rest) = frame::unpack_texts(payload, pairs)?;
        let (documents, _) = frame::unpack_texts(rest, pairs)?;
        let model = self.model.as_ref().ok_or_else(no_model)?;
        let out = self.memory.floats(pairs)?;
        out.fill(f32::NAN);
        model.predict(&queries, &documents, instruction, out)?;
        done(json!(Written::of(out, String::new())))
    }

    fn loaded(&mut self) -> Result<&Library, RequestFailure> {
        if self.loaded.is_none() {
            let refused = |error: OpenError| RequestFailure::Refused(error.to_string());
            let loaded = match bundled::of_path(&self.plugin) {
                Some(plugin) => {
                    let library = Library::bundled(plugin, &self.plugin).map_err(refused)?;
                    Loaded { library, _copy: None }
                }
                None => {
                    let copy = self.checked_copy()?;
                    let path = copy.path().map_err(|error| self.cannot_read(&error))?;
                    let library = Library::open_copy(&path, &self.plugin).map_err(refused)?;
                    Loaded { library, _copy: Some(copy) }
                }
            };
            self.loaded = Some(loaded);
        }
        match &self.loaded {
            Some(loaded) => Ok(&loaded.library),
            None => Err(RequestFailure::Refused("the plugin is not open".to_owned())),
        }
    }

    /// A copy of the file about which the host decided; between that and now the file may have changed.
    fn checked_copy(&self) -> Result<SealedCopy, RequestFailure> {
        let copy = SealedCopy::of(&self.plugin).map_err(|error| self.cannot_read(&error))?;
        let (found, expected) = (copy.checksum(), &self.checksum);
        if found == expected {
            return Ok(copy);
        }
        let plugin = self.plugin.display();
        Err(RequestFailure::Refused(format!(
            "{plugin}: expected the SHA-256 {expected}, found {found}: the file has changed in the meantime; run again"
        )))
    }

    fn cannot_read(&self, error: &io::Error) -> RequestFailure {
        let plugin = self.plugin.display();
        if error.kind() == io::ErrorKind::FileTooLarge {
            return RequestFailure::Shortage(format!(
                "{plugin}: cannot be copied into memory: {error}; raise the limit of file sizes (`ulimit -f`), which holds \
                 there too"
            ));
        }
        let message = format!("{plugin}: cannot read the file: {error}");
        if is_shortage(error.kind()) {
            RequestFailure::Shortage(message)
        } else {
            RequestFailure::Refused(message)
        }
    }

    fn model(&self) -> Result<&ModelHandle, RequestFailure> {
        Ok(self.model.as_ref().ok_or_else(no_model)?)
    }

    fn task(&mut self, name: &str) -> Result<&TaskHandle, RequestFailure> {
        if !self.tasks.contains_key(name) {
            let task = self.loaded()?.new_task(name)?;
            self.tasks.insert(name.to_owned(), task);
        }
        self.tasks.get(name).ok_or_else(|| PluginError::not_found(format!("no task `{name}`")).into())
    }
}

/// Numbers at the begin of the memory that are there for every batch of rows without a fixed width.
const LEAST: usize = 1 << 18;

/// Ends this process, which a plugin has made by `fork` and let go on: only the first one answers the host.
fn end_fork() -> ! {
    // At once, as what the plugin would do at an ordinary end concerns the first one.
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
    std::process::abort()
}

fn no_model() -> PluginError {
    PluginError::failed("no model was made in this worker")
}

fn done(value: Value) -> Answered {
    Ok((value, Vec::new()))
}

/// Takes the streams to the host away from the plugin: what it prints goes to standard error.
fn take_streams() -> io::Result<(File, File)> {
    let input = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), 3)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok((File::from(input), File::from(output)))
}

/// What the kernel keeps a process from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confined {
    /// The terminal of the user.
    pub terminal: bool,
    /// Writing elsewhere than to its temporary folder and to devices that compute.
    pub writing: bool,
    /// Signals to processes that it has not started.
    pub signals: bool,
    /// Calls of the system by which it would reach other processes, or make devices.
    pub calls: bool,
    /// Looking from what it starts into itself.
    pub hidden: bool,
}

/// Confines this process and all it starts, which serves the process `host`; says what the kernel keeps it from.
///
/// Reading stays free: a plugin needs its libraries, its model and its data, wherever they are. Writing is left below
/// `temporary` and to the devices of its `purpose`. More than `memory` bytes of its own are refused to this process and to
/// each that it starts; what it only reserves, or shares with others, does not count. What the kernel does not offer is skipped.
///
/// No other thread may run yet: what is given up holds for this one, and for those that it starts.
pub fn confine(temporary: Option<&Path>, memory: Option<u64>, purpose: Purpose, host: u32) -> Confined {
    let terminal = system::leave_terminal();
    system::without_core();
    memory.into_iter().for_each(system::bound_memory);
    // The host can start it again.
    system::first_to_go();
    system::without_new_rights();
    system::without_rights();
    let written = system::write_only_below(temporary, purpose);
    // What the plugin starts must not reach back into it: the answers of its worker are in its memory and its open files. The host takes
    // the rows of one that parses from its open files.
    let hidden = purpose == Purpose::Computation && system::hide();
    let calls = system::refuse_calls(purpose, written, host);
    Confined { terminal, writing: written.is_kept, signals: written.are_signals_kept, calls, hidden }
}
