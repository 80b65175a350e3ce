//! Which plugins the user trusts. A plugin is native code: who loads it runs it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::LOCK_FILE;
use crate::atomic_file;
use crate::settings::data_dir;

/// The plugins that the user trusts, by the SHA-256 of their files, wherever they lie.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    file: TrustFile,
    /// Why the file could not be read.
    fault: Option<String>,
    /// Checksums that this command line trusts.
    given: Vec<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustFile {
    /// Version of this form; always 1.
    schema: u32,
    /// SHA-256 of a file = where it lay when it was trusted.
    #[serde(default)]
    trusted: BTreeMap<String, PathBuf>,
}

/// `plugins.lock` in the user's data folder.
pub fn trust_file() -> PathBuf {
    data_dir().join(LOCK_FILE)
}

impl Trust {
    /// What the user's file says, and the checksums `given` on the command line.
    pub fn load(given: Vec<String>) -> Self {
        let path = trust_file();
        if !path.is_absolute() {
            // The current folder may be anybody's.
            let fault = format!(
                "expected the list of trusted plugins in an absolute folder, found {}; set HOME, or MTEB_HOST_DATA to an \
                 absolute folder",
                path.display()
            );
            return Self { file: TrustFile::default(), fault: Some(fault), given };
        }
        let (file, fault) = match mteb_files::read_to_string(&path, mteb_files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (TrustFile::default(), None),
            Err(error) => (TrustFile::default(), Some(error.to_string())),
            Ok(text) => match toml::from_str(&text) {
                Ok(file) => (file, None),
                Err(error) => (TrustFile::default(), Some(error.message().to_owned())),
            },
        };
        let fault = fault.map(|fault| {
            format!(
                "expected the list of trusted plugins in {}, found: {fault}; mend or remove it",
                path.display()
            )
        });
        Self { file, fault, given }
    }

    /// Checks that the user trusts the file at `path`, whose SHA-256 is `checksum`; what the command line trusts is
    /// recorded.
    ///
    /// # Errors
    /// One line if not.
    pub fn check(&mut self, path: &Path, checksum: &str) -> Result<(), String> {
        if self.file.trusted.contains_key(checksum) {
            return Ok(());
        }
        if self.given.iter().any(|given| given == checksum) {
            return self.add(path, checksum);
        }
        let plugin = path.display();
        if let Some(fault) = &self.fault {
            return Err(format!("{plugin}: {fault}"));
        }
        let remedy = format!("if you trust it, run again with `--trust-plugin {checksum}`");
        match self.file.trusted.iter().find(|(_, known)| *known == path) {
            Some((known, _)) => Err(format!(
                "{plugin}: expected the trusted SHA-256 {known}, found {checksum}: the file has changed; {remedy}"
            )),
            None => Err(format!(
                "{plugin}: expected a plugin that you trust, found an unknown one: it is native code that runs with \
                 your rights; {remedy}"
            )),
        }
    }

    /// Trusts the file at `path`, from now on.
    ///
    /// # Errors
    /// One line if that cannot be recorded.
    pub fn add(&mut self, path: &Path, checksum: &str) -> Result<(), String> {
        if let Some(fault) = &self.fault {
            return Err(format!("{}: {fault}", path.display()));
        }
        self.file.schema = 1;
        self.file.trusted.insert(checksum.to_owned(), path.to_owned());
        let text = toml::to_string(&self.file).map_err(|error| error.to_string())?;
        let file = trust_file();
        atomic_file::write(&file, text.as_bytes())
            .map_err(|error| format!("{}: cannot record the trust in a plugin: {error}", file.display()))
    }

    /// Checksums of the command line that were not needed: no such plugin was found.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let known = &self.file.trusted;
        self.given.iter().map(String::as_str).filter(|given| !known.contains_key(*given))
    }
}
