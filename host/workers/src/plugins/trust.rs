//! Which plugins the user trusts. A plugin is native code: who loads it runs it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_base::user_folders::data_dir;
use mteb_files::LockedFolder;
use serde::{Deserialize, Serialize};

use super::trust_error::{Code, ListFault, TrustError};
use super::{LOCK_FILE, private};
use crate::settings::{Allowance, Allowances, AllowedHost};

/// The plugins that the user trusts, by the SHA-256 of their files, wherever they lie.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    file: TrustFile,
    /// Why the file could not be read.
    fault: Option<Arc<TrustError>>,
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
    /// Variable of the environment = hosts to which plugins may send it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    variables: Allowances,
    /// Hosts to which model cards of others may send texts.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    hosts: BTreeSet<String>,
    /// Folder of a virtual environment = what its interpreter was when it was trusted.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    environments: BTreeMap<PathBuf, String>,
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
            let fault = Arc::new(TrustError::Relative(path));
            return Self { file: TrustFile::default(), fault: Some(fault), given };
        }
        match read(&path) {
            Ok(file) => Self { file, fault: None, given },
            Err(source) => {
                let fault = Arc::new(TrustError::List { path, source });
                Self { file: TrustFile::default(), fault: Some(fault), given }
            }
        }
    }

    /// Checks that the user trusts the file at `path`, whose SHA-256 is `checksum`; what the command line trusts is
    /// recorded.
    ///
    /// # Errors
    /// If not.
    pub fn check(&mut self, path: &Path, checksum: &str) -> Result<(), TrustError> {
        self.check_code(path, checksum, Code::Plugin)
    }

    /// The same of a Python file with an evaluator, and of the files that it reads beside it, if it `reads` some.
    ///
    /// # Errors
    /// If not.
    pub fn check_evaluator(&mut self, path: &Path, checksum: &str, reads: bool) -> Result<(), TrustError> {
        self.check_code(path, checksum, Code::Evaluator { reads })
    }

    fn check_code(&mut self, path: &Path, checksum: &str, code: Code) -> Result<(), TrustError> {
        if self.file.trusted.contains_key(checksum) {
            return Ok(());
        }
        if self.given.iter().any(|given| given == checksum) {
            return self.add(path, checksum);
        }
        self.check_list().map_err(unlistable(path))?;
        let (path, found) = (path.to_owned(), checksum.to_owned());
        match self.file.trusted.iter().find(|(_, known)| **known == path) {
            Some((known, _)) => Err(TrustError::Changed { path, code, trusted: known.clone(), found }),
            None => Err(TrustError::Unknown { path, code, checksum: found }),
        }
    }

    /// Checks that the list of what is trusted could be read.
    fn check_list(&self) -> Result<(), TrustError> {
        self.fault.as_ref().map_or(Ok(()), |fault| Err(TrustError::NoList(Arc::clone(fault))))
    }

    /// True if the command line trusts the file of this `checksum`.
    pub fn is_given(&self, checksum: &str) -> bool {
        self.given.iter().any(|given| given == checksum)
    }

    /// Trusts the file at `path`, from now on.
    ///
    /// # Errors
    /// If that cannot be recorded.
    pub fn add(&mut self, path: &Path, checksum: &str) -> Result<(), TrustError> {
        self.record(|file| {
            file.trusted.insert(checksum.to_owned(), path.to_owned());
        })
        .map_err(unlistable(path))
    }

    /// Lets plugins have variables of the environment, from now on.
    ///
    /// # Errors
    /// If that cannot be recorded.
    pub fn allow(&mut self, allowances: &[Allowance]) -> Result<(), TrustError> {
        let is_new = |new: &&Allowance| {
            self.file.variables.get(&new.variable).is_none_or(|hosts| !hosts.contains(&new.host))
        };
        let new: Vec<Allowance> = allowances.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return Ok(());
        }
        self.record(|file| {
            for Allowance { variable, host } in &new {
                file.variables.entry(variable.clone()).or_default().insert(host.clone());
            }
        })
    }

    /// The variables that plugins may have, for hosts.
    pub fn allowed(&self) -> &Allowances {
        &self.file.variables
    }

    /// Lets model cards of others send texts to hosts, from now on.
    ///
    /// # Errors
    /// If that cannot be recorded.
    pub fn allow_hosts(&mut self, hosts: &[AllowedHost]) -> Result<(), TrustError> {
        if hosts.iter().all(|host| self.file.hosts.contains(host.name())) {
            return Ok(());
        }
        self.record(|file| file.hosts.extend(hosts.iter().map(ToString::to_string)))
    }

    /// The hosts to which model cards of others may send texts.
    pub fn allowed_hosts(&self) -> &BTreeSet<String> {
        &self.file.hosts
    }

    /// Trusts the interpreter of the virtual environment in `folder`, which is now as `state` says.
    ///
    /// # Errors
    /// If that cannot be recorded.
    pub fn add_environment(&mut self, folder: &Path, state: &str) -> Result<(), TrustError> {
        if self.environment(folder) == Some(state) {
            return Ok(());
        }
        self.record(|file| {
            file.environments.insert(folder.to_owned(), state.to_owned());
        })
    }

    /// What the interpreter of the virtual environment in `folder` was when it was trusted; `None` if it is not.
    pub fn environment(&self, folder: &Path) -> Option<&str> {
        self.file.environments.get(folder).map(String::as_str)
    }

    /// The virtual environments whose interpreters are trusted.
    pub fn environments(&self) -> impl Iterator<Item = &Path> {
        self.file.environments.keys().map(PathBuf::as_path)
    }

    /// Changes the file as it is now: another process may have written to it since it was read.
    fn record(&mut self, change: impl Fn(&mut TrustFile)) -> Result<(), TrustError> {
        self.check_list()?;
        let path = trust_file();
        let cannot = |source| TrustError::Write { path: path.clone(), source };
        let folder = path.parent().unwrap_or(&path);
        private::create_folder(folder).map_err(cannot)?;
        let changed = LockedFolder::change(folder, |folder| {
            mteb_files::check_place(&path)?;
            let mut file = read(&path).map_err(io::Error::other)?;
            change(&mut file);
            file.schema = 1;
            let text = toml::to_string(&file).map_err(io::Error::other)?;
            folder.write(Path::new(LOCK_FILE), text.as_bytes())?;
            Ok(file)
        });
        self.file = changed.map_err(cannot)?;
        Ok(())
    }

    /// Checksums of the command line that were not needed: no such plugin was found.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let known = &self.file.trusted;
        self.given.iter().map(String::as_str).filter(|given| !known.contains_key(*given))
    }
}

/// What is wrong with the list, said of the file at `path`.
fn unlistable(path: &Path) -> impl FnOnce(TrustError) -> TrustError {
    let path = path.to_owned();
    move |source| TrustError::Unlistable { path, source: Box::new(source) }
}

/// What the file at `path` says; nothing if it is absent.
fn read(path: &Path) -> Result<TrustFile, ListFault> {
    // What is no file is named by its kind first.
    if let Err(error) = mteb_files::check(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error.into());
    }
    private::check_way(path)?;
    match mteb_files::read_to_string(path, mteb_files::TEXT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(TrustFile::default()),
        Err(error) => Err(error.into()),
        Ok(text) => toml::from_str(&text).map_err(|error| ListFault::Form(Box::new(error))),
    }
}
