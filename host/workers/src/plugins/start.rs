//! How a worker is started: what stands on its command line, and what it does first.

use std::ffi::OsString;
use std::io;
use std::os::fd::RawFd;
use std::path::PathBuf;

use super::serve::{Purpose, confine, serve};

/// The first argument of a worker.
pub const WORKER: &str = "worker";

/// What a worker is started with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerStart {
    /// The plugin's file.
    pub plugin: PathBuf,
    /// SHA-256 that the file must have.
    pub checksum: String,
    /// Folder in which the plugin may write.
    pub temporary: Option<PathBuf>,
    /// Most bytes of memory of its own.
    pub memory_limit: Option<u64>,
    /// Descriptor of the shared memory.
    pub memory: RawFd,
    /// Process number of the host.
    pub host: u32,
}

impl WorkerStart {
    /// The arguments of the worker.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![WORKER.into()];
        let mut add = |name: &str, value: OsString| arguments.extend([name.into(), value]);
        add("--memory", self.memory.to_string().into());
        add("--host", self.host.to_string().into());
        add("--checksum", self.checksum.clone().into());
        add("--plugin", self.plugin.clone().into());
        if let Some(limit) = self.memory_limit {
            add("--memory-limit", limit.to_string().into());
        }
        if let Some(folder) = &self.temporary {
            add("--temporary", folder.clone().into());
        }
        arguments
    }

    /// What `arguments`, without the first one, say; `None` if they are not of this form.
    pub fn parse(arguments: &[OsString]) -> Option<Self> {
        let of = |name: &str| arguments.chunks_exact(2).find(|pair| pair[0] == name).map(|pair| &pair[1]);
        let number = |value: &OsString| value.to_str()?.parse::<u64>().ok();
        Some(Self {
            plugin: of("--plugin")?.into(),
            checksum: of("--checksum")?.to_str()?.to_owned(),
            temporary: of("--temporary").map(PathBuf::from),
            memory_limit: of("--memory-limit").map(number).map_or(Some(None), |limit| limit.map(Some))?,
            memory: RawFd::try_from(number(of("--memory")?)?).ok()?,
            host: u32::try_from(number(of("--host")?)?).ok()?,
        })
    }
}

/// Runs one plugin for the host, confined, until the host has ended. Takes over the standard streams of the process.
///
/// # Errors
/// If the host is gone already, or the streams to it break.
pub fn work(start: WorkerStart) -> io::Result<()> {
    mteb_system::parent::end_with(start.host)?;
    let confined = confine(start.temporary.as_deref(), start.memory_limit, Purpose::Computation, start.host);
    serve(start.plugin, start.checksum, start.memory, confined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_told_by_its_arguments_what_it_is_started_with() {
        let least = WorkerStart {
            plugin: "/a b/libmine.so".into(),
            checksum: "0a".to_owned(),
            temporary: None,
            memory_limit: None,
            memory: 5,
            host: 42,
        };
        let most =
            WorkerStart { temporary: Some("/tmp/x".into()), memory_limit: Some(u64::MAX), ..least.clone() };
        for start in [least, most] {
            assert_eq!(WorkerStart::parse(&start.arguments()[1..]), Some(start));
        }
        assert_eq!(WorkerStart::parse(&["--help".into()]), None);
    }
}
