//! A dataset folder laid out as on the hub: configs, splits, and the files of each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use globset::GlobBuilder;

use crate::by_name::{PartNames, configs_by_name, splits_by_name};
use crate::files_below::{files_below, first_of};
use crate::front_matter::{Config, read_front_matter};
use crate::input::{format_of, is_readable};
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
    /// Where the first config of each name stands, and where in it the first split of each name does.
    places: HashMap<String, (usize, HashMap<String, usize>)>,
    is_by_name: bool,
}

impl Folder {
    /// Opens the dataset in `path`; files called as one of `parts` are more than splits.
    ///
    /// # Errors
    /// If the folder cannot be read or its README's front matter is wrong.
    pub fn open(path: &Path, parts: &PartNames) -> Result<Self, DataError> {
        let files = files_below(path)?;
        let readme = path.join("README.md");
        let text = if readme.is_file() {
            let text = mteb_files::read_to_string(&readme, mteb_files::TEXT);
            Some(text.map_err(|source| DataError::Io { path: readme.clone(), source })?)
        } else {
            None
        };
        Self::from_list(path, files, text.as_deref(), parts)
    }

    /// The dataset that will be in `path` once its `files` (relative paths) are there; `readme` is its README's text. Files called
    /// as one of `parts` are more than splits.
    ///
    /// # Errors
    /// If the README's front matter is wrong.
    pub fn from_list(
        path: &Path,
        mut files: Vec<String>,
        readme: Option<&str>,
        parts: &PartNames,
    ) -> Result<Self, DataError> {
        files.sort();
        let mut configs = match readme {
            Some(text) => read_front_matter(&path.join("README.md").display().to_string(), text)?,
            None => Vec::new(),
        };
        let is_by_name = configs.is_empty();
        if is_by_name {
            configs = configs_by_name(&files, parts);
        }
        configs.iter_mut().for_each(|config| complete(config, &files));
        let splits = |config: &Config| {
            let splits = config.splits.iter().enumerate().rev();
            splits.map(|(place, (split, _))| (split.clone(), place)).collect()
        };
        let named = configs.iter().enumerate().rev();
        let places = named.map(|(place, config)| (config.name.clone(), (place, splits(config)))).collect();
        Ok(Self { path: path.to_owned(), files, configs, places, is_by_name })
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
        let mut counts: HashMap<&str, usize> = HashMap::new();
        files.iter().for_each(|file| *counts.entry(base(file)).or_default() += 1);
        let alike: Vec<String> = files.iter().filter(|file| counts[base(file)] > 1).cloned().collect();
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
        self.places.contains_key(name)
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
        let place = self.places.get(config).and_then(|(_, splits)| splits.get(split));
        let Some((_, globs)) = place.map(|place| &found.splits[*place]) else {
            return Err(DataError::Missing {
                place: format!("{}, config {config}", self.path.display()),
                what: "split",
                name: split.to_owned(),
                present: some(self.splits(config)?.into_iter()),
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
        self.places.get(name).map(|(place, _)| &self.configs[*place]).ok_or_else(|| DataError::Missing {
            place: self.path.display().to_string(),
            what: "config",
            name: name.to_owned(),
            present: some(self.configs()),
        })
    }

    fn matching(&self, glob: &str) -> Result<Vec<PathBuf>, DataError> {
        let place = || self.path.display().to_string();
        // A split may have as many globs as files, each of which names one.
        if let Some(file) =
            literal(glob).filter(|file| self.files.binary_search(file).is_ok() && is_readable(file))
        {
            return Ok(vec![self.path.join(file)]);
        }
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

/// The first names of many, which may be as many as files.
fn some<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 100;
    let names: Vec<&str> = names.take(MOST + 1).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    names[..names.len().min(MOST)].join(", ") + more
}

/// The path that a glob names, if it names just one.
fn literal(glob: &str) -> Option<String> {
    let mut letters = glob.chars();
    let mut path = String::with_capacity(glob.len());
    while let Some(letter) = letters.next() {
        match letter {
            // As `globset::escape` writes what has a meaning.
            '[' => {
                path.push(letters.next().filter(|letter| "?*[]{}".contains(*letter))?);
                letters.next().filter(|letter| *letter == ']')?;
            }
            '?' | '*' | ']' | '{' | '}' | '\\' => return None,
            letter => path.push(letter),
        }
    }
    Some(path)
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
        let folder = Folder::open(temporary.path(), &PartNames::default()).unwrap();
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
    fn a_glob_that_names_one_file_is_told_from_others() {
        for path in ["a/b-0.csv", "a[b]{c}?*.csv", "!x"] {
            assert_eq!(literal(&globset::escape(path)).as_deref(), Some(path));
        }
        for glob in ["a*", "a?", "[ab]", "[a]", "[!a]", "{a,b}", "a\\*", "[", "[[", "a]"] {
            assert_eq!(literal(glob), None, "{glob}");
        }
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
