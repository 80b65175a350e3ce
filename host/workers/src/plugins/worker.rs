//! The host's side of a worker: starts the process, asks, and says how it died.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mteb_base::byte_size::ByteSize;
use mteb_plugin_api::Manifest;
use mteb_plugin_api::v1::PluginError;
use mteb_plugin_api::v1::code::OUT_OF_MEMORY;
use mteb_tasks::{Block, offsets};
use serde_json::Value;
use tracing::debug_span;

use super::child::{Answering, Hears, Silence};
use super::death::{Death, left};
use super::message::{Request, WorkerAnswer, Written};
use super::shared_memory::SharedMemory;
use super::start::WorkerStart;
use super::starter;
use super::temporary::TemporaryFolder;
use super::worker_error::WorkerError;
use super::{FoundPlugin, LibraryFile, Trust, environment};
use crate::settings::{self, Printed, Settings, TimeLimit, Waits};

/// What to do about a batch that takes too long.
const TOO_LATE: &str = "a slow model needs a longer `--batch-timeout` or a smaller `--batch-tokens`";

/// What is said of a worker whose numbers are not those of its answer.
const OTHER_NUMBERS: &str = "wrote other numbers after its answer, and was ended; a thread or a process that it left behind writes there";

/// A running worker with one plugin.
pub struct Worker {
    process: Answering,
    memory: SharedMemory,
    plugin: PathBuf,
    time_limit: TimeLimit,
    late: &'static str,
    waits: Waits,
    memory_limit: Option<ByteSize>,
    /// Where the plugin may write; goes with the worker.
    _temporary: Option<TemporaryFolder>,
}

/// What a worker is started for.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The plugin's file.
    pub plugin: &'a Path,
    /// SHA-256 that the file must have.
    pub checksum: &'a str,
    /// Folders in which the plugin looks for libraries that it links.
    pub library_folders: &'a [PathBuf],
    /// What the plugin declares, once that is known.
    pub manifest: Option<&'a Manifest>,
    /// Variables of the environment that this model may see beside the usual ones.
    pub variables: &'a [String],
    /// Threads with which its libraries compute unless the environment says; 0 leaves it to them.
    pub threads: usize,
    /// Folder below which the plugin gets a place for temporary files.
    pub cache_dir: &'a Path,
    /// How long to wait for answers.
    pub time_limit: TimeLimit,
    /// What to do about one that does not come in that time.
    pub late: &'static str,
    /// What about rows of a pack that do not come in that time.
    pub waits: Waits,
    /// Most memory that the worker may take.
    pub memory_limit: Option<ByteSize>,
    /// Who is told what the plugin prints.
    pub printed: Option<&'a Printed>,
}

impl<'a> Start<'a> {
    /// The start of a known plugin.
    pub fn of(plugin: &'a FoundPlugin, settings: &'a Settings) -> Self {
        let FoundPlugin { path, checksum, library_folders, manifest, .. } = plugin;
        Self { manifest: Some(manifest), ..Self::new(path, checksum, library_folders, settings) }
    }

    /// The start of a plugin of which only the file is known.
    pub fn with(file: &'a LibraryFile, settings: &'a Settings) -> Self {
        Self::new(&file.path, &file.checksum, &file.folders, settings)
    }

    fn new(
        plugin: &'a Path,
        checksum: &'a str,
        library_folders: &'a [PathBuf],
        settings: &'a Settings,
    ) -> Self {
        let Settings { cache_dir, time_limit, waits, worker_memory, printed, .. } = settings;
        Self {
            plugin,
            checksum,
            library_folders,
            manifest: None,
            variables: &[],
            threads: 0,
            cache_dir,
            time_limit: *time_limit,
            late: TOO_LATE,
            waits: *waits,
            memory_limit: *worker_memory,
            printed: printed.as_ref(),
        }
    }

    /// The environment of the worker. A copy in memory has no folder of its own, so the loader is told the plugin's.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let needs = self.manifest.map(settings::needs).unwrap_or_default();
        let allowed = || Trust::load(Vec::new()).allowed().clone();
        let mut granted = if needs.is_empty() { Vec::new() } else { settings::granted(&needs, &allowed()) };
        granted.extend_from_slice(self.variables);
        let mut variables = environment::of_worker(&granted);
        environment::add_threads(&mut variables, self.threads);
        environment::add_allocator(&mut variables);
        let paths = std::env::join_paths(environment::library_folders(self.library_folders));
        if let (Ok(paths), [_, ..]) = (paths, self.library_folders) {
            variables.push((environment::LOADER.into(), paths));
        }
        variables
    }
}

impl Worker {
    /// Starts a worker.
    ///
    /// # Errors
    /// If the process cannot be started.
    pub fn start(start: Start) -> Result<Self, WorkerError> {
        let _span = debug_span!("start worker", plugin = %start.plugin.display()).entered();
        spawn(start).map_err(|source| WorkerError::Io { plugin: start.plugin.to_owned(), source })
    }

    /// Asks `request` and waits for the answer.
    ///
    /// # Errors
    /// If the plugin fails, is refused, or its process dies or gives no answer in time.
    pub fn ask(&mut self, request: &Request, payload: &[u8]) -> Result<(Value, Vec<u8>), WorkerError> {
        let limit = self.time_limit.of(payload.len());
        match self.process.ask(request, payload, limit) {
            Ok((WorkerAnswer::Done(value), payload)) => Ok((value, payload)),
            Ok((WorkerAnswer::Failed { code, mut message }, _)) => {
                if code == OUT_OF_MEMORY {
                    message += &left(self.memory_limit);
                }
                let error = PluginError::new(code, message);
                Err(WorkerError::Plugin { plugin: self.plugin.clone(), error })
            }
            Ok((WorkerAnswer::Refused { message }, _)) => Err(WorkerError::Refused(message)),
            Ok((WorkerAnswer::Shortage { message }, _)) => Err(WorkerError::Shortage(message)),
            Err(silence) => Err(self.silent(silence, request, limit)),
        }
    }

    /// Lays `blocks` into the shared memory, from its start, each where [`offsets`] says.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn lay(&mut self, blocks: &[Block<'_>]) -> Result<(), WorkerError> {
        let io = |source| WorkerError::Io { plugin: self.plugin.clone(), source };
        let (begins, end) = offsets(blocks);
        mteb_files::check_room::<u8>(end).map_err(io)?;
        let memory = self.memory.bytes(end).map_err(io)?;
        for (begin, block) in begins.into_iter().zip(blocks) {
            block.copy_to(&mut memory[begin..]);
        }
        Ok(())
    }

    /// A copy of the first `length` numbers of the shared memory, if they are those of which the worker `answered`.
    ///
    /// # Errors
    /// If there are not so many, or they have been changed since: the worker is ended then.
    pub fn numbers(&mut self, length: usize, answered: &Written) -> Result<Vec<f32>, WorkerError> {
        let io = |source| WorkerError::Io { plugin: self.plugin.clone(), source };
        let found = self.memory.written().map_err(io)?;
        if (length as u64) > found {
            let message = format!(
                "expected {length} numbers in the memory, as the lengths of the rows say, found {found}"
            );
            return Err(WorkerError::Plugin {
                plugin: self.plugin.clone(),
                error: PluginError::failed(message),
            });
        }
        let copy = self.memory.copy(length).map_err(io)?;
        if Written::of(&copy, String::new()).checksum != answered.checksum {
            let (how, last_words) = (OTHER_NUMBERS.to_owned(), self.process.end_and_hear());
            return Err(WorkerError::Died {
                plugin: self.plugin.clone(),
                how,
                last_words,
                is_memory: false,
                is_late: false,
            });
        }
        Ok(copy)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// The libraries that the worker has loaded, as the system shows them to it; others do not see them.
    ///
    /// # Errors
    /// If it gives no answer.
    pub fn libraries(&mut self) -> Result<Vec<PathBuf>, WorkerError> {
        let (found, _) = self.ask(&Request::Libraries, &[])?;
        Ok(serde_json::from_value(found).unwrap_or_default())
    }

    fn silent(&self, silence: Silence, request: &Request, limit: Option<Duration>) -> WorkerError {
        let ended = |how: String| Death { how, is_memory: false };
        let is_late = matches!(silence, Silence::Late(_));
        let (Death { how, is_memory }, last_words) = match silence {
            Silence::Interrupted => return WorkerError::Interrupted(self.plugin.clone()),
            Silence::Late(last_words) => {
                (ended(no_answer(request, limit, (self.late, self.waits))), last_words)
            }
            Silence::Misbehaved(how, last_words) => (ended(how.to_owned()), last_words),
            Silence::Ended(status, last_words) => {
                (Death::of(status, &last_words, self.memory_limit), last_words)
            }
        };
        WorkerError::Died { plugin: self.plugin.clone(), how, last_words, is_memory, is_late }
    }
}

fn spawn(start: Start) -> io::Result<Worker> {
    mteb_system::machine::prepare_graphics_cards();
    mteb_system::confine::hide_where_workers_look();
    let memory = SharedMemory::create()?;
    // Without a place for temporary files a plugin can write nowhere, which most never notice.
    let temporary = TemporaryFolder::create(start.cache_dir).ok();
    let mut command = Command::new(mteb_system::process::image()?);
    command.env_clear().envs(start.environment());
    let temporary_folder = temporary.as_ref().map(TemporaryFolder::path);
    let arguments = WorkerStart {
        plugin: start.plugin.to_owned(),
        checksum: start.checksum.to_owned(),
        temporary: temporary_folder.map(Path::to_owned),
        memory_limit: start.memory_limit.map(|ByteSize(limit)| limit),
        memory: memory.descriptor(),
        host: std::process::id(),
    };
    command.args(arguments.arguments());
    if let Some(folder) = temporary_folder {
        command.env("TMPDIR", folder);
    }
    let spawn = |command| memory.shared_with_children(|| starter::start(command));
    let hears = start.printed.cloned().map(|printed| {
        let plugin = start.plugin.to_owned();
        Box::new(move |line: &str| printed.line(&plugin, line)) as Box<Hears>
    });
    let process = Answering::start_heard(command, spawn, hears)?;
    Ok(Worker {
        process,
        memory,
        plugin: start.plugin.to_owned(),
        time_limit: start.time_limit,
        late: start.late,
        waits: start.waits,
        memory_limit: start.memory_limit,
        _temporary: temporary,
    })
}

fn no_answer(request: &Request, limit: Option<Duration>, (late, waits): (&str, Waits)) -> String {
    let seconds = limit.unwrap_or_default().as_secs();
    let remedy = match request {
        Request::Rows { .. } => waits.for_pack(),
        _ => late,
    };
    format!("gave no answer for {seconds} s, and was ended; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_pack_is_not_told_to_take_smaller_batches_of_a_model() {
        let text = String::new;
        let rows = Request::Rows { task: text(), subset: text(), part: text(), split: text() };
        let limit = Some(Duration::from_secs(9));
        let said = |request, waits| no_answer(request, limit, (TOO_LATE, waits));
        assert_eq!(
            said(&rows, Waits::Batch),
            "gave no answer for 9 s, and was ended; a slow task pack needs a longer `--batch-timeout`"
        );
        assert!(said(&rows, Waits::Plugin).ends_with("needs a longer `--plugin-timeout`"));
        assert!(said(&Request::Open, Waits::Batch).ends_with("or a smaller `--batch-tokens`"));
    }
}
