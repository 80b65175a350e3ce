//! What a check stands on: built files, the Python of the machine and its libtorch, a folder to work in.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::clock::{Clock, Ended};
use super::findings::GpuFault;
use super::options::Options;
use super::rows::{Answer, Job, OURS, THEIRS};
use mteb_system::allocator;
use xtask_start::command::{root, target_folder};

/// The plugin's file.
pub const PLUGIN: &str = "libmteb_plugin_torch.so";
/// The host's file.
pub const HOST: &str = "mteb-host";
/// Python's side, which travels in this program.
const SIDE: &str = include_str!("../../gpu/side.py");

/// All that the parts of a check need.
pub struct Ground {
    /// What was asked for.
    pub options: Options,
    /// The time.
    pub clock: Clock,
    /// What Python says of the machine.
    pub machine: Value,
    /// Host and plugin, beside the machine's libtorch.
    pub built: PathBuf,
    /// Tiny models of all architectures, with their texts.
    pub golden: PathBuf,
    /// Where everything is written; removed at the end.
    pub work: PathBuf,
}

impl Ground {
    /// Looks for everything, and puts host and plugin into a folder beside a link to the machine's libtorch.
    ///
    /// # Errors
    /// If something is absent.
    pub fn lay(options: Options) -> Result<Self, String> {
        let golden = golden(&options)?;
        Self::lay_files(options, golden, &[HOST, PLUGIN], None)
    }

    /// The same with the plugin alone, for who only encodes on the processor: beside the libtorch that the plugin was built for if
    /// it was fetched, as Python's may be of another version.
    ///
    /// # Errors
    /// If something is absent.
    pub fn lay_with_plugin(options: Options) -> Result<Self, String> {
        let fetched = target_folder().join("libtorch");
        let fetched = fetched.join("complete").exists().then(|| fetched.canonicalize()).transpose();
        let fetched = fetched.map_err(|error| format!("libtorch: {error}"))?;
        Self::lay_files(options, PathBuf::new(), &[PLUGIN], fetched)
    }

    fn lay_files(
        options: Options,
        golden: PathBuf,
        files: &[&str],
        libtorch: Option<PathBuf>,
    ) -> Result<Self, String> {
        let work = options.out.join("work");
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
        let work = work.canonicalize().map_err(|error| format!("{}: {error}", work.display()))?;
        write(&work.join("side.py"), SIDE)?;
        let clock = Clock::new(options.budget, options.patience(), &work);
        let mut ground =
            Self { built: work.join("built"), golden, machine: Value::Null, clock, options, work };
        ground.machine = ground.ask_python()?;
        ground.lay_built(files, libtorch)?;
        Ok(ground)
    }

    fn ask_python(&self) -> Result<Value, String> {
        let shown = self.options.python.display();
        let said = self.clock.run(self.python().arg("machine"), 120);
        let said = said.map_err(|fault| format!("{shown}: {fault}"))?;
        serde_json::from_str(&said.output).map_err(|_| {
            format!("{shown}: expected a Python with torch and transformers, found: {}", said.last_words())
        })
    }

    /// The plugin finds the libtorch of Python's packages, or the one that is named.
    fn lay_built(&self, files: &[&str], libtorch: Option<PathBuf>) -> Result<(), String> {
        let binaries = binaries(&self.options, files)?;
        fs::create_dir_all(&self.built).map_err(|error| format!("{}: {error}", self.built.display()))?;
        for file in files {
            let named = self.options.plugin.clone().filter(|_| *file == PLUGIN);
            copy(&named.unwrap_or_else(|| binaries.join(file)), &self.built.join(file))?;
        }
        let packages = || self.machine["packages"].as_str().unwrap_or_default().into();
        let libtorch = libtorch.unwrap_or_else(packages);
        // The plugin looks for libtorch in `libtorch/torch/lib` beside it.
        symlink(&libtorch, self.built.join("libtorch"))
            .map_err(|error| format!("{}: {error}", libtorch.display()))
    }

    /// Python's side, its arguments still to be given.
    pub fn python(&self) -> Command {
        let mut command = Command::new(&self.options.python);
        command
            .arg(self.work.join("side.py"))
            .env("HF_HUB_OFFLINE", "1")
            .env("TOKENIZERS_PARALLELISM", "true");
        command
    }

    /// The host, which keeps all it writes in the folder of the check.
    pub fn host(&self) -> Command {
        self.host_at(&self.built)
    }

    /// The host of another folder.
    pub fn host_at(&self, folder: &Path) -> Command {
        let mut command = Command::new(folder.join(HOST));
        command.env("MTEB_HOST_DATA", self.work.join("data")).env("MTEB_HOST_CACHE", self.work.join("cache"));
        command.env_remove("MTEB_HOST_PLUGINS").env_remove("MTEB_HOST_REGISTRIES").current_dir(&self.work);
        command
    }

    /// Answers of our side; `seconds` is the longest that all jobs may take.
    ///
    /// # Errors
    /// If the side does not end in time, or not well.
    pub fn ours(&self, jobs: &[Job], seconds: u64) -> Result<(Vec<Answer>, Ended), GpuFault> {
        let plugin = self.built.join(PLUGIN);
        let jobs: Vec<Job> =
            jobs.iter().map(|job| Job { plugin: plugin.clone(), ..job.on_side(OURS) }).collect();
        let list = self.list("ours", &jobs)?;
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let mut command = Command::new(program);
        // As the host has it for its workers.
        command.envs([allocator::KEEPS_MEMORY]);
        let ended = self.clock.run(command.args(["gpu-check", "encode"]).arg(list), seconds)?;
        Self::answers(&jobs, ended, "mteb-host")
    }

    /// Answers of transformers' side.
    ///
    /// # Errors
    /// If the side does not end in time, or not well.
    pub fn theirs(&self, jobs: &[Job], seconds: u64) -> Result<(Vec<Answer>, Ended), GpuFault> {
        let jobs: Vec<Job> = jobs.iter().map(|job| job.on_side(THEIRS)).collect();
        let list = self.list("theirs", &jobs)?;
        let ended = self.clock.run(self.python().arg("encode").arg(list), seconds)?;
        Self::answers(&jobs, ended, "transformers")
    }

    fn list(&self, side: &str, jobs: &[Job]) -> Result<PathBuf, String> {
        let path = self.work.join(format!("jobs-{side}.json"));
        write(&path, &json!(jobs).to_string())?;
        Ok(path)
    }

    fn answers(jobs: &[Job], ended: Ended, side: &str) -> Result<(Vec<Answer>, Ended), GpuFault> {
        let answers = Answer::all_of(&ended.output);
        if answers.len() == jobs.len() && ended.status.success() {
            return Ok((answers, ended));
        }
        let (count, wanted) = (answers.len(), jobs.len());
        Err(GpuFault::Failed(format!(
            "{side}: expected {wanted} answers, found {count}: {}",
            ended.last_words()
        )))
    }
}

/// The folder with these built files: the one that is named, that of this program, or cargo's.
pub fn binaries(options: &Options, files: &[&str]) -> Result<PathBuf, String> {
    let own = std::env::current_exe().ok().and_then(|program| program.parent().map(Path::to_owned));
    let is_named = |file: &str| file == PLUGIN && options.plugin.is_some();
    let has_all = |folder: &&PathBuf| files.iter().all(|file| is_named(file) || folder.join(file).is_file());
    let places = options.binaries.clone().map_or_else(
        || own.into_iter().chain([target_folder().join("release")]).collect(),
        |named| vec![named],
    );
    places.iter().find(has_all).cloned().ok_or_else(|| {
        let shown: Vec<String> = places.iter().map(|folder| folder.display().to_string()).collect();
        format!(
            "expected {} in {}, found none; run `cargo xtask build` and `cargo xtask torch`",
            files.join(" and "),
            shown.join(" or ")
        )
    })
}

/// The folder with the tiny models: the one that is named, that beside this program, or the project's.
pub fn golden(options: &Options) -> Result<PathBuf, String> {
    let own = std::env::current_exe().ok().and_then(|program| Some(program.parent()?.join("golden")));
    let named = options.golden.clone();
    let mut places = named.into_iter().chain(own).chain([root().join("tests/golden/torch")]);
    let found = places.find(|folder| folder.join("texts.json").is_file());
    let found = found.and_then(|folder| folder.canonicalize().ok());
    found.ok_or_else(|| {
        "expected the tiny models of `tests/golden/torch`, found none; name their folder with `--golden`"
            .to_owned()
    })
}

/// Writes a file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn copy(source: &Path, target: &Path) -> Result<(), String> {
    fs::copy(source, target).map(|_| ()).map_err(|error| format!("{}: {error}", source.display()))
}
