//! A dataset folder laid out as on the hub: configs, splits, and the files of each.

use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use crate::by_name::{configs_by_name, splits_by_name};
use crate::files_below::{files_below, first_of};
use crate::format::{format_of, is_readable};
use crate::front_matter::{Config, read_front_matter};
use crate::read_rows::{ReadRows, Wanted};
use crate::split::SplitRows;
use crate::{DataError, Table};

/// A dataset folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    /// Paths of all files below the folder, relative, sorted.
    files: Vec<String>,
    configs: Vec<Config>,
    is_by_name: bool,
}

impl Folder {
    /// Opens the dataset in `path`.
    ///
    /// # Errors
    /// If the folder cannot be read or its README's front matter is wrong.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let files = files_below(path)?;
        let readme = path.join("README.md");
        let text = if readme.is_file() {
            let text = mteb_files::read_to_string(&readme, mteb_files::TEXT);
            Some(text.map_err(|source| DataError::Io { path: readme.clone(), source })?)
        } else {
            None
        };
        Self::listed(path, files, text.as_deref())
    }

    /// The dataset that will be in `path` once its `files` (relative paths) are there; `readme` is its README's text.
    ///
    /// # Errors
    /// If the README's front matter is wrong.
    pub fn listed(path: &Path, mut files: Vec<String>, readme: Option<&str>) -> Result<Self, DataError> {
        files.sort();
        let mut configs = match readme {
            Some(text) => read_front_matter(&path.join("README.md").display().to_string(), text)?,
            None => Vec::new(),
        };
        let is_by_name = configs.is_empty();
        if is_by_name {
            configs = configs_by_name(&files);
        }
        configs.iter_mut().for_each(|config| complete(config, &files));
        Ok(Self { path: path.to_owned(), files, configs, is_by_name })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Paths of all files below the folder, relative, in order.
    pub fn all_files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// True if the names of files say what they are, and no front matter.
    pub fn is_by_name(&self) -> bool {
        self.is_by_name
    }

    /// The files of a split that no reader can tell from each other, relative to the folder: those that are read, and those
    /// that are called as the split too but lie in another format or another place. None where all is clear, or where the
    /// front matter says what is read.
    ///
    /// # Errors
    /// If there is no such config, split or file.
    pub fn rivals(&self, config: &str, split: &str) -> Result<Vec<String>, DataError> {
        if !self.is_by_name {
            return Ok(Vec::new());
        }
        let mut files = self.file_names(config, split)?;
        let twice = |file: &String| files.iter().filter(|other| base(other) == base(file)).count() > 1;
        let alike: Vec<String> = files.iter().filter(|file| twice(file)).cloned().collect();
        let rivals = self.config(config)?.rivals.iter().filter(|(of, _)| of == split);
        let mut rivals: Vec<String> = rivals.map(|(_, file)| file.clone()).collect();
        if rivals.is_empty() {
            return Ok(alike);
        }
        files.append(&mut rivals);
        files.sort();
        Ok(files)
    }

    /// Names of the configs in order.
    pub fn configs(&self) -> impl Iterator<Item = &str> {
        self.configs.iter().map(|config| config.name.as_str())
    }

    /// True if there is a config called `name`.
    pub fn has_config(&self, name: &str) -> bool {
        self.configs().any(|found| found == name)
    }

    /// Name of the config that is meant when none is named: the one marked so, else `default`, else the only one.
    pub fn default_config(&self) -> Option<&str> {
        let marked = self.configs.iter().find(|config| config.is_default);
        let named = || self.configs.iter().find(|config| config.name == "default");
        let only = || self.configs.first().filter(|_| self.configs.len() == 1);
        marked.or_else(named).or_else(only).map(|config| config.name.as_str())
    }

    /// Names of the splits of a config in order.
    ///
    /// # Errors
    /// If there is no such config.
    pub fn splits(&self, config: &str) -> Result<Vec<&str>, DataError> {
        Ok(self.config(config)?.splits.iter().map(|(split, _)| split.as_str()).collect())
    }

    /// Files of a split in order.
    ///
    /// # Errors
    /// If there is no such config, split or file.
    pub fn files(&self, config: &str, split: &str) -> Result<Vec<PathBuf>, DataError> {
        let found = self.config(config)?;
        let Some((_, globs)) = found.splits.iter().find(|(name, _)| name == split) else {
            return Err(DataError::Missing {
                place: format!("{}, config {config}", self.path.display()),
                what: "split",
                name: split.to_owned(),
                present: self.splits(config)?.join(", "),
            });
        };
        let mut files = Vec::new();
        for glob in globs {
            files.extend(self.matching(glob)?);
        }
        Ok(files)
    }

    /// Files of a split in order, relative to the dataset's folder.
    ///
    /// # Errors
    /// If there is no such config, split or file.
    pub fn file_names(&self, config: &str, split: &str) -> Result<Vec<String>, DataError> {
        let name =
            |file: PathBuf| file.strip_prefix(&self.path).unwrap_or(&file).to_string_lossy().into_owned();
        Ok(self.files(config, split)?.into_iter().map(name).collect())
    }

    /// All rows of a split.
    ///
    /// # Errors
    /// If there is no such config or split, or a file is damaged.
    pub fn read(&self, config: &str, split: &str) -> Result<Table, DataError> {
        self.rows(config, split, Wanted::All)?.read_rows(usize::MAX)
    }

    /// The rows of a split with the `wanted` columns, to be read piece by piece.
    ///
    /// # Errors
    /// If there is no such config, split or file.
    pub fn rows(&self, config: &str, split: &str, wanted: Wanted) -> Result<SplitRows, DataError> {
        Ok(SplitRows::new(self.files(config, split)?, wanted))
    }

    fn config(&self, name: &str) -> Result<&Config, DataError> {
        self.configs.iter().find(|config| config.name == name).ok_or_else(|| DataError::Missing {
            place: self.path.display().to_string(),
            what: "config",
            name: name.to_owned(),
            present: self.configs().collect::<Vec<_>>().join(", "),
        })
    }

    fn matching(&self, glob: &str) -> Result<Vec<PathBuf>, DataError> {
        let place = || self.path.display().to_string();
        let matcher = GlobBuilder::new(glob)
            .literal_separator(true)
            .build()
            .map_err(|error| DataError::Malformed { place: place(), message: error.to_string() })?
            .compile_matcher();
        let files: Vec<PathBuf> = self
            .files
            .iter()
            .filter(|file| is_readable(file) && matcher.is_match(file))
            .map(|file| self.path.join(file))
            .collect();
        if files.is_empty() {
            let present = first_of(&self.files);
            return Err(DataError::Missing { place: place(), what: "file", name: glob.to_owned(), present });
        }
        Ok(files)
    }
}

/// Finds the splits of a config that names none, and writes its globs from the dataset's folder.
fn complete(config: &mut Config, files: &[String]) {
    let below = config.data_dir.take().filter(|folder| !folder.is_empty() && folder != ".");
    let below = below.map_or(String::new(), |folder| format!("{}/", folder.trim_start_matches("./")));
    if config.splits.is_empty() {
        let files: Vec<&str> = files.iter().filter_map(|file| file.strip_prefix(&below)).collect();
        config.splits = splits_by_name(&files);
    }
    for glob in config.splits.iter_mut().flat_map(|(_, globs)| globs) {
        *glob = format!("{}{}", globset::escape(&below), glob.trim_start_matches("./"));
    }
}

/// The path of a file without the suffixes of its format and compression.
fn base(file: &str) -> &str {
    let file = [".gz", ".zst"].iter().find_map(|suffix| file.strip_suffix(suffix)).unwrap_or(file);
    file.strip_suffix(format_of(file)).unwrap_or(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Folder) {
        let temporary = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = temporary.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let folder = Folder::open(temporary.path()).unwrap();
        (temporary, folder)
    }

    #[test]
    fn the_front_matter_names_configs_splits_and_shards() {
        let readme = "---\nconfigs:\n- config_name: ind\n  default: true\n  data_files:\n  - split: test\n    path: ind/test-*\n- config_name: jav\n  data_files: jav.csv\n---\n# Title\n";
        let (_guard, folder) = folder(&[
            ("README.md", readme),
            ("ind/test-0.jsonl", "{\"text\": \"a\"}\n"),
            ("ind/test-1.jsonl", "{\"text\": \"b\"}\n"),
            ("jav.csv", "text,label\nc,1\n"),
        ]);
        assert_eq!(folder.default_config(), Some("ind"));
        let table = folder.read("ind", "test").unwrap();
        assert_eq!(table.texts("text").unwrap().iter().collect::<Vec<_>>(), ["a", "b"]);
        assert!(table.place(1).0.ends_with("ind/test-1.jsonl"));
        assert_eq!(folder.read("jav", "train").unwrap().ints("label").unwrap(), [1]);
        let error = folder.read("ind", "train").unwrap_err().to_string();
        assert!(error.ends_with("config ind: no split `train`; there is test"), "{error}");
    }

    #[test]
    fn a_config_without_files_takes_them_from_its_folder() {
        let readme = "---\nconfigs:\n- config_name: jav\n  data_dir: jav\n- config_name: sun\n  data_dir: sun\n  data_files: a.csv\n---\n";
        let (_guard, folder) =
            folder(&[("README.md", readme), ("jav/my_test.csv", "text\nb\n"), ("sun/a.csv", "text\nc\n")]);
        assert_eq!(folder.file_names("jav", "test").unwrap(), ["jav/my_test.csv"]);
        assert_eq!(folder.file_names("sun", "train").unwrap(), ["sun/a.csv"]);
    }

    #[test]
    fn without_front_matter_names_decide() {
        let (_guard, folder) =
            folder(&[("train.csv", "text\na\n"), ("test.csv", "text\nb\n"), ("jav/test.csv", "text\nc\n")]);
        assert_eq!(folder.configs().collect::<Vec<_>>(), ["default", "jav"]);
        assert_eq!(folder.splits("default").unwrap(), ["train", "test"]);
        assert_eq!(folder.read("jav", "test").unwrap().rows(), 1);
    }
}
