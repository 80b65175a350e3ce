//! Which plugins the user trusts. A plugin is native code: who loads it runs it.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use mteb_base::user_folders::data_dir;
use mteb_files::LockedFolder;
use serde::{Deserialize, Serialize};

use super::{LOCK_FILE, private};
use crate::settings::{Allowance, Allowances, AllowedHost};

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
            let fault = format!(
                "expected the list of trusted plugins in an absolute folder, found {}; set HOME, or MTEB_HOST_DATA to an \
                 absolute folder",
                path.display()
            );
            return Self { file: TrustFile::default(), fault: Some(fault), given };
        }
        let (file, fault) = match read(&path) {
            Ok(file) => (file, None),
            Err(fault) => (TrustFile::default(), Some(fault)),
        };
        let fault = fault.map(|fault| {
            format!(
                "expected the list of trusted plugins in {}, found: {fault}; fix or remove it",
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
        let what = "a plugin that you trust, found an unknown one: it is native code that runs with your permissions";
        self.check_code(path, checksum, (what, "the file has changed"))
    }

    /// The same of a Python file with an evaluator, and of the files that it reads beside it, if it `reads` some.
    ///
    /// # Errors
    /// One line if not.
    pub fn check_evaluator(&mut self, path: &Path, checksum: &str, reads: bool) -> Result<(), String> {
        let what = "an evaluator that you trust, found an unknown one: it is code that runs with your \
                    permissions, except those that workers give up";
        let changed = match reads {
            true => "the file, or one of `evaluator_files`, has changed",
            false => "the file has changed",
        };
        self.check_code(path, checksum, (what, changed))
    }

    fn check_code(
        &mut self,
        path: &Path,
        checksum: &str,
        (what, changed): (&str, &str),
    ) -> Result<(), String> {
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
                "{plugin}: expected the trusted SHA-256 {known}, found {checksum}: {changed}; {remedy}"
            )),
            None => Err(format!("{plugin}: expected {what}; {remedy}")),
        }
    }

    /// True if the command line trusts the file of this `checksum`.
    pub fn is_given(&self, checksum: &str) -> bool {
        self.given.iter().any(|given| given == checksum)
    }

    /// Trusts the file at `path`, from now on.
    ///
    /// # Errors
    /// One line if that cannot be recorded.
    pub fn add(&mut self, path: &Path, checksum: &str) -> Result<(), String> {
        self.record(|file| {
            file.trusted.insert(checksum.to_owned(), path.to_owned());
        })
        .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Lets plugins have variables of the environment, from now on.
    ///
    /// # Errors
    /// One line if that cannot be recorded.
    pub fn allow(&mut self, allowances: &[Allowance]) -> Result<(), String> {
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
    /// One line if that cannot be recorded.
    pub fn allow_hosts(&mut self, hosts: &[AllowedHost]) -> Result<(), String> {
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
    /// One line if that cannot be recorded.
    pub fn add_environment(&mut self, folder: &Path, state: &str) -> Result<(), String> {
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
    fn record(&mut self, change: impl Fn(&mut TrustFile)) -> Result<(), String> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let path = trust_file();
        let cannot = |error: &dyn std::fmt::Display| format!("cannot write to {}: {error}", path.display());
        let folder = path.parent().unwrap_or(&path);
        private::create_folder(folder).map_err(|error| cannot(&error))?;
        let changed = LockedFolder::change(folder, |folder| {
            mteb_files::check_place(&path)?;
            let mut file = read(&path).map_err(io::Error::other)?;
            change(&mut file);
            file.schema = 1;
            let text = toml::to_string(&file).map_err(io::Error::other)?;
            folder.write(Path::new(LOCK_FILE), text.as_bytes())?;
            Ok(file)
        });
        self.file = changed.map_err(|error| cannot(&error))?;
        Ok(())
    }

    /// Checksums of the command line that were not needed: no such plugin was found.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let known = &self.file.trusted;
        self.given.iter().map(String::as_str).filter(|given| !known.contains_key(*given))
    }
}

/// What the file at `path` says; nothing if it is absent.
fn read(path: &Path) -> Result<TrustFile, String> {
    // What is no file is named by its kind first.
    if let Err(error) = mteb_files::check(path)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error.to_string());
    }
    private::check_way(path)?;
    match mteb_files::read_to_string(path, mteb_files::TEXT) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(TrustFile::default()),
        Err(error) => Err(error.to_string()),
        Ok(text) => toml::from_str(&text).map_err(|error| error.message().to_owned()),
    }
}
