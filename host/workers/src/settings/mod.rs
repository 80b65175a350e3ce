//! Folders and switches that every command shares.

mod allowance;
mod allowed_host;
mod permissions;

pub use allowance::{
    Allowance, AllowanceError, Allowances, NO_NAME_OF_VARIABLE, given_in_vain, granted, is_name_of_variable,
    needs,
};
pub use allowed_host::{AllowedHost, AllowedHostError};
pub use permissions::Permissions;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mteb_base::byte_size::ByteSize;
use mteb_base::interrupt;
use mteb_base::user_folders;
use mteb_hub::Access;

/// Seconds that a plugin may take to say what it brings, unless the user says otherwise.
pub const INTRODUCTION: u64 = 60;

/// Where things are, from the command line, the environment and the usual places.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Folders of `--plugin-dir`.
    pub plugin_dirs: Vec<PathBuf>,
    /// Folder for what can be made again.
    pub cache_dir: PathBuf,
    /// Folder laid out like a hub.
    pub hub_dir: Option<PathBuf>,
    /// True if nothing may be downloaded.
    pub offline: bool,
    /// True if the hub is asked for its lists of files also where they are kept.
    pub refresh_lists: bool,
    /// True if changed data files are taken into the locks of their registries.
    pub update_lock: bool,
    /// How long to wait for a plugin.
    pub time_limit: TimeLimit,
    /// By which option of the command the user says that.
    pub waits: Waits,
    /// How long to wait for one that is asked what it brings.
    pub introduction: TimeLimit,
    /// Who is told each line that a plugin prints, if anybody is.
    pub printed: Option<Printed>,
    /// Most memory that a worker may take.
    pub worker_memory: Option<ByteSize>,
    /// Interpreter of evaluators in Python, or its environment; absent: the usual one.
    pub python: Option<PathBuf>,
    /// SHA-256 of the plugins that are trusted from now on.
    pub trust: Vec<String>,
    /// Variables of the environment that plugins may have from now on.
    pub allowances: Vec<Allowance>,
    /// Hosts to which model cards of others may send texts from now on.
    pub hosts: Vec<AllowedHost>,
    /// Virtual environments whose interpreters may run from now on where they are found.
    pub environments: Vec<PathBuf>,
}

impl Settings {
    /// Settings of a command that was given none.
    pub fn new(
        plugin_dirs: Vec<PathBuf>,
        cache_dir: Option<PathBuf>,
        hub_dir: Option<PathBuf>,
        offline: bool,
    ) -> Self {
        let cache_dir = cache_dir.unwrap_or_else(user_folders::cache_dir);
        Self {
            plugin_dirs,
            cache_dir,
            hub_dir,
            offline,
            refresh_lists: false,
            update_lock: false,
            time_limit: TimeLimit::default(),
            waits: Waits::default(),
            introduction: TimeLimit::new(INTRODUCTION),
            printed: None,
            worker_memory: None,
            python: None,
            trust: Vec::new(),
            allowances: Vec::new(),
            hosts: Vec::new(),
            environments: Vec::new(),
        }
    }
}

impl Settings {
    /// True if something is trusted or allowed from now on.
    pub fn grants_permission(&self) -> bool {
        !(self.trust.is_empty()
            && self.allowances.is_empty()
            && self.hosts.is_empty()
            && self.environments.is_empty())
    }

    /// How the hub may be reached: as the environment says, and offline if this run is.
    pub fn hub_access(&self) -> Access {
        let access = Access::from_environment(Roots::below(&self.cache_dir).lists);
        let (offline, offline_by_variable) =
            (access.offline || self.offline, access.offline && !self.offline);
        let (refresh_lists, stopped) = (self.refresh_lists, interrupt::requested);
        Access { offline, offline_by_variable, refresh_lists, stopped, ..access }
    }
}

/// Hears each line that a plugin prints, with the name of the plugin's file.
#[derive(Clone)]
pub struct Printed(Arc<Hears>);

type Hears = dyn Fn(&str, &str) + Send + Sync;

impl Printed {
    /// What is called with the plugin's file and the line.
    pub fn new(hears: impl Fn(&str, &str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hears))
    }

    /// Tells of a line that `plugin` printed; an empty one says nothing.
    pub fn line(&self, plugin: &Path, line: &str) {
        if !line.trim().is_empty() {
            (self.0)(&plugin.file_name().unwrap_or_default().to_string_lossy(), line);
        }
    }
}

impl fmt::Debug for Printed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Printed")
    }
}

/// The folders of what is kept.
#[derive(Clone, Debug)]
pub struct Roots {
    /// Embeddings, a folder a model; its last part is the version of its form, as that of the next.
    pub embeddings: PathBuf,
    /// Parsed rows of data files.
    pub tables: PathBuf,
    /// Lists of files that a hub gave.
    pub lists: PathBuf,
}

impl Roots {
    /// The folders below `cache_dir`.
    pub fn below(cache_dir: &Path) -> Self {
        let root = |name| cache_dir.join(name).join("v1");
        let lists = cache_dir.join("hub-listings");
        Self { embeddings: root("embeddings"), tables: root("tables"), lists }
    }
}

/// By which option a command is told how long to wait for a plugin, for what is said of one that
/// takes longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// `--batch-timeout`.
    Batch,
    /// `--plugin-timeout`.
    Plugin,
    /// None: it waits as long as it does.
    #[default]
    Fixed,
}

impl Waits {
    /// What to do about a slow task pack.
    pub fn for_pack(self) -> &'static str {
        match self {
            Self::Batch => "a slow task pack needs a longer `--batch-timeout`",
            Self::Plugin => "a slow task pack needs a longer `--plugin-timeout`",
            Self::Fixed => "`mteb-host run` waits longer for a slow task pack, with `--batch-timeout`",
        }
    }

    /// What to do about a slow evaluator.
    pub fn for_evaluator(self) -> &'static str {
        match self {
            Self::Batch => "a slow evaluator needs a longer `--batch-timeout`",
            Self::Plugin => "a slow evaluator needs a longer `--plugin-timeout`",
            Self::Fixed => "`mteb-host run` waits longer for a slow evaluator, with `--batch-timeout`",
        }
    }
}

/// Bytes of text that the base time is for: about 32,768 tokens, the size of a usual batch.
const BYTES: usize = 128 << 10;

/// A longer time would overflow where it is added to the clock's.
const CENTURY: u64 = 3_155_760_000;

/// The base time, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeLimit(Option<Duration>);

impl TimeLimit {
    /// `seconds` for every begun 128 kB of text, up to a century; 0 means without limit.
    pub fn new(seconds: u64) -> Self {
        Self((seconds > 0).then(|| Duration::from_secs(seconds.min(CENTURY))))
    }

    /// The time for a request with `bytes` of text.
    pub fn of(self, bytes: usize) -> Option<Duration> {
        let pieces = u32::try_from(bytes.div_ceil(BYTES).max(1)).unwrap_or(u32::MAX);
        self.0.and_then(|base| base.checked_mul(pieces))
    }
}

impl Default for TimeLimit {
    /// A quarter of an hour: fifty times what a model of eight billion parameters needs on one GPU.
    fn default() -> Self {
        Self::new(900)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_grows_with_the_text_and_zero_means_no_limit() {
        let time_limit = TimeLimit::new(10);
        assert_eq!(time_limit.of(0), Some(Duration::from_secs(10)));
        assert_eq!(time_limit.of(BYTES), Some(Duration::from_secs(10)));
        assert_eq!(time_limit.of(10 * BYTES + 1), Some(Duration::from_secs(110)));
        assert_eq!(TimeLimit::new(0).of(5), None);
    }
}
