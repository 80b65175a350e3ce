//! What a plan was submitted with: `<plan>-submit.json` beside it, which people can read and change. A later submission continues with
//! it: an option that is given again replaces the one of that name, and files that are still as they were written are written anew.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use super::values::{has_secret, sh_words};
use crate::commands::arguments::{ArgumentsError, Recorded};
use crate::commands::objects::address;
use crate::output;

/// Most bytes of the file.
const MOST_BYTES: u64 = 1 << 20;

/// Options with a folder, which stays the same wherever the next submission is made from.
const FOLDERS: [&str; 2] = ["--output", "--output-folder"];

/// What is remembered of the submissions of a plan to one engine.
#[derive(Clone, Debug)]
pub struct Memory {
    path: PathBuf,
    engine: &'static str,
    /// Of this engine.
    own: Submission,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    /// Schema of the file: 1.
    schema: u32,
    /// Name of the engine = what it was given last.
    engines: BTreeMap<String, Submission>,
}

/// What an engine was given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Submission {
    /// Options of `submit`, each as `--name` or `--name=value`.
    #[serde(default)]
    options: Vec<String>,
    /// Options of `run`, which stood after `--`.
    #[serde(default)]
    run_options: Vec<String>,
    /// Files that were written, each with the SHA-256 of what was written.
    #[serde(default)]
    written: BTreeMap<String, String>,
}

impl Memory {
    /// What is remembered of the plan at `plan` for `engine`; nothing of its options if they are to be forgotten.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(plan: &Path, engine: &'static str, forgets: bool) -> Result<Self, MemoryError> {
        let path = path_of(plan);
        let mut own = read_contents(&path)?.engines.remove(engine).unwrap_or_default();
        if forgets {
            (own.options, own.run_options) = (Vec::new(), Vec::new());
        }
        Ok(Self { path, engine, own })
    }

    /// The options that are in force: those that are `given`, and of all others those that are remembered.
    ///
    /// # Errors
    /// If the file has something else than options.
    pub fn complete<T: Args>(&mut self, given: &Recorded<T>) -> Result<Recorded<T>, MemoryError> {
        let (words, kept) = merge_words((given.words(), given.typed()), &self.own.options);
        let said = self.own.options.iter().filter(|word| kept.contains(word));
        self.say_used(&said.cloned().collect::<Vec<_>>());
        self.own.options = kept;
        Recorded::parse(&words).map_err(|why| self.refuse_remembered(why))
    }

    /// The options of `run` that are in force. All words stay as they were typed unless two submissions name options.
    ///
    /// # Errors
    /// If what stands after `--`, or what is remembered of it, is none.
    pub fn complete_run<T: Args>(&mut self, given: &[String]) -> Result<Vec<String>, MemoryError> {
        let parse = |words: &[String]| Recorded::<T>::parse(words);
        let typed = parse(given).map_err(MemoryError::RunOptions)?;
        if self.own.run_options.is_empty() {
            self.own.run_options = given.to_vec();
            return Ok(given.to_vec());
        }
        let remembered = parse(&self.own.run_options).map_err(|why| self.refuse_remembered(why))?;
        if given.is_empty() {
            self.say_used(&[&["--".to_owned()][..], &self.own.run_options].concat());
            return Ok(self.own.run_options.clone());
        }
        let (words, _) = merge_words((typed.words(), typed.typed()), remembered.words());
        let used: Vec<String> = words.iter().filter(|word| !typed.words().contains(word)).cloned().collect();
        if !used.is_empty() {
            self.say_used(&[&["--".to_owned()][..], &used].concat());
        }
        self.own.run_options.clone_from(&words);
        Ok(words)
    }

    /// True if the file `name` has the bytes `found` because they were written there, and nobody has changed them since.
    pub fn is_as_written(&self, name: &str, found: &[u8]) -> bool {
        self.own.written.get(name).is_some_and(|known| *known == digest(found))
    }

    /// Remembers the options in force, and that these files were written. What may hold a secret is left out, which is said.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(mut self, files: &[(&str, String)]) -> Result<(), MemoryError> {
        let new = files.iter().map(|(name, text)| ((*name).to_owned(), digest(text.as_bytes())));
        self.own.written.extend(new);
        self.own.options = self.own.options.iter().map(|word| absolute(word)).collect();
        let names: BTreeSet<String> = self.own.options.iter().map(|word| name_of(word).to_owned()).collect();
        for name in names {
            let of_name = |word: &&String| name_of(word) == name;
            let words: Vec<String> = self.own.options.iter().filter(of_name).cloned().collect();
            if has_secret(&words) {
                self.own.options.retain(|word| name_of(word) != name);
                self.say_secret(&format!("`{name}`"));
            }
        }
        if has_secret(&self.own.run_options) {
            self.own.run_options.clear();
            self.say_secret("the options after `--`");
        }
        // Another engine may have been submitted to meanwhile.
        let mut all = read_contents(&self.path)?;
        all.schema = 1;
        all.engines.insert(self.engine.to_owned(), self.own);
        let text = serde_json::to_string_pretty(&all).map_err(MemoryError::Json)? + "\n";
        mteb_files::write(&self.path, text.as_bytes())
            .map_err(|source| MemoryError::Io { path: self.path, source })
    }

    fn refuse_remembered(&self, source: ArgumentsError) -> MemoryError {
        MemoryError::Remembered { path: self.path.clone(), source }
    }

    fn say_used(&self, words: &[String]) {
        if !words.is_empty() {
            output::say(format!(
                "Options of the earlier submission ({}):{}; `--forget` starts without them",
                self.path.display(),
                sh_words(words)
            ));
        }
    }

    fn say_secret(&self, what: &str) {
        output::warn(format!(
            "{what} may hold a secret, so it is not written to {}; give it again with the next submission",
            self.path.display()
        ));
    }
}

/// Why submissions cannot be remembered, or what is remembered is none.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// What is remembered gives no options.
    #[error("{}: {source}; correct it, or use `--forget`", path.display())]
    Remembered {
        /// The file.
        path: PathBuf,
        /// What the options are instead.
        source: ArgumentsError,
    },
    /// What stands after `--` gives no options.
    #[error("after `--`: expected options of `mteb-host run`: {0}")]
    RunOptions(#[source] ArgumentsError),
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no JSON of this form.
    #[error("{}: {EXPECTED}, found: {source}; {REMEDY}", path.display())]
    Form {
        /// The file.
        path: PathBuf,
        /// Where it is another.
        source: serde_json::Error,
    },
    /// The file is of another version.
    #[error("{}: {EXPECTED}, found schema {schema}; {REMEDY}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        schema: u32,
    },
    /// What is to be remembered cannot be JSON.
    #[error(transparent)]
    Json(serde_json::Error),
}

const EXPECTED: &str = "expected the options of earlier submissions as `mteb-host submit` writes them";
const REMEDY: &str = "correct or remove the file";

/// The file of the plan at `plan`.
fn path_of(plan: &Path) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    plan.with_file_name(format!("{}-submit.json", name.strip_suffix(".json").unwrap_or(&name)))
}

/// What the file at `path` says; nothing if there is none.
fn read_contents(path: &Path) -> Result<Contents, MemoryError> {
    let text = match mteb_files::read_to_string(path, MOST_BYTES) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Contents::default()),
        text => text.map_err(|source| MemoryError::Io { path: path.to_owned(), source })?,
    };
    let contents: Contents =
        serde_json::from_str(&text).map_err(|source| MemoryError::Form { path: path.to_owned(), source })?;
    if contents.schema == 1 {
        return Ok(contents);
    }
    Err(MemoryError::Schema { path: path.to_owned(), schema: contents.schema })
}

/// Words of which those that were typed come before those that are remembered, and these before those that the folder's defaults give;
/// and what of them is to be remembered.
fn merge_words((given, typed): (&[String], &[String]), remembered: &[String]) -> (Vec<String>, Vec<String>) {
    let is_typed = |word: &&String| typed.iter().any(|name| name == name_of(word));
    let is_remembered = |word: &&String| remembered.iter().any(|other| name_of(other) == name_of(word));
    let kept: Vec<String> = remembered.iter().filter(|word| !is_typed(word)).cloned().collect();
    let kept: Vec<String> = given.iter().filter(is_typed).cloned().chain(kept).collect();
    let defaults = given.iter().filter(|word| !is_typed(word) && !is_remembered(word)).cloned();
    (defaults.chain(kept.iter().cloned()).collect(), kept)
}

fn name_of(word: &str) -> &str {
    word.split('=').next().unwrap_or_default()
}

/// The word with the whole path of its folder, if it names one.
fn absolute(word: &str) -> String {
    let whole = || {
        let (name, folder) = word.split_once('=')?;
        let is_folder = FOLDERS.contains(&name) && address(Path::new(folder)).is_none();
        let whole = is_folder.then(|| std::path::absolute(folder).ok())??;
        Some(format!("{name}={}", whole.to_str()?))
    };
    whole().unwrap_or_else(|| word.to_owned())
}

fn digest(bytes: &[u8]) -> String {
    // To read from memory cannot fail.
    mteb_files::sha256(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn an_option_that_is_given_again_replaces_the_remembered_one_with_all_its_values() {
        let given = words(&["--partition=default", "--memory=64G", "--module=b", "--module=c"]);
        let typed = words(&["--memory", "--module"]);
        let remembered = words(&["--gres=gpu:1", "--memory=32G", "--module=a", "--partition=gpu"]);
        let (all, kept) = merge_words((&given, &typed), &remembered);
        let expected =
            words(&["--memory=64G", "--module=b", "--module=c", "--gres=gpu:1", "--partition=gpu"]);
        assert_eq!((&all, &kept), (&expected, &expected));
        let (all, kept) = merge_words((&given, &typed), &[]);
        assert_eq!(all, words(&["--partition=default", "--memory=64G", "--module=b", "--module=c"]));
        assert_eq!(
            kept,
            words(&["--memory=64G", "--module=b", "--module=c"]),
            "defaults of a folder are its own"
        );
    }

    #[test]
    fn the_file_lies_beside_the_plan() {
        assert_eq!(path_of(Path::new("/a/plan.json")), Path::new("/a/plan-submit.json"));
        assert_eq!(path_of(Path::new("/a/plan")), Path::new("/a/plan-submit.json"));
    }
}
