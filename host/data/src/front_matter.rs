//! The front matter of a dataset's README: which files are which split of which config.

use serde::Deserialize;
use serde_yaml_ng::Value;

use crate::DataError;

/// Longest front matter in bytes; those of datasets with hundreds of configs have about one million.
const LONGEST: usize = 16 << 20;
/// Most brackets that are open at once, and dashes in a row: the time of the YAML reader grows with their square, and
/// configs need five.
const DEEPEST: usize = 200;

/// One config of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Name.
    pub name: String,
    /// True if the dataset says that this is the default config.
    pub is_default: bool,
    /// Folder that the globs start from.
    pub data_dir: Option<String>,
    /// Split name and the globs of its files, in order; none if file names decide.
    pub splits: Vec<(String, Vec<String>)>,
    /// Files that are called as a split too, and are not read: split and file. Only where file names decide.
    pub rivals: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct FrontMatter {
    #[serde(default)]
    configs: Vec<RawConfig>,
}

#[derive(Deserialize)]
struct RawConfig {
    config_name: String,
    #[serde(default)]
    default: bool,
    #[serde(default)]
    data_dir: Option<String>,
    #[serde(default)]
    data_files: Value,
}

/// What is wrong in a front matter.
#[derive(Debug, thiserror::Error)]
enum MatterFault {
    #[error("expected at most {} MB, found more", LONGEST >> 20)]
    Long,
    #[error("expected lists and tables at most {DEEPEST} deep, found deeper ones")]
    Deep,
    #[error("expected lists at most {DEEPEST} deep, found deeper ones")]
    DeepLists,
    #[error("expected a `path` for split {0}, found none")]
    NoPath(String),
    #[error("expected a string, found another value")]
    NoText,
    #[error(transparent)]
    Yaml(#[from] serde_yaml_ng::Error),
}

/// The configs of a README's front matter; none if it has no front matter or the front matter names none.
///
/// # Errors
/// If the front matter is no YAML of the known form.
pub fn read_front_matter(place: &str, readme: &str) -> Result<Vec<Config>, DataError> {
    let Some(yaml) = front_matter(readme) else { return Ok(Vec::new()) };
    configs(yaml).map_err(|fault| DataError::Malformed {
        place: format!("{place}, front matter"),
        message: fault.to_string(),
    })
}

fn configs(yaml: &str) -> Result<Vec<Config>, MatterFault> {
    check_size(yaml)?;
    let matter: Option<FrontMatter> = serde_yaml_ng::from_str(yaml)?;
    matter.into_iter().flat_map(|matter| matter.configs).map(config).collect()
}

/// Refuses what would take the YAML reader seconds or more. Brackets in texts are counted too: only hundreds that are
/// never closed matter.
fn check_size(yaml: &str) -> Result<(), MatterFault> {
    if yaml.len() > LONGEST {
        return Err(MatterFault::Long);
    }
    let mut open = 0_usize;
    for byte in yaml.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > DEEPEST {
            return Err(MatterFault::Deep);
        }
    }
    if yaml.lines().any(|line| begins(line) > DEEPEST) {
        return Err(MatterFault::DeepLists);
    }
    Ok(())
}

/// How many lists and keys begin at the head of a line: `- - ? ` has three.
fn begins(line: &str) -> usize {
    let words = line.split_ascii_whitespace();
    words.take_while(|word| matches!(*word, "-" | "?" | ":")).count()
}

fn front_matter(readme: &str) -> Option<&str> {
    let rest = readme.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))?;
    rest.find("\n---").map(|end| &rest[..=end])
}

fn config(raw: RawConfig) -> Result<Config, MatterFault> {
    let splits = match &raw.data_files {
        Value::Null => Vec::new(),
        Value::Mapping(splits) => splits
            .iter()
            .map(|(split, paths)| Ok((text(split)?, globs(paths)?)))
            .collect::<Result<_, MatterFault>>()?,
        Value::Sequence(items) if items.iter().all(Value::is_mapping) => {
            items.iter().map(split_of).collect::<Result<_, MatterFault>>()?
        }
        paths => vec![("train".to_owned(), globs(paths)?)],
    };
    let data_dir = raw.data_dir.map(|folder| folder.trim_matches('/').to_owned());
    Ok(Config { name: raw.config_name, is_default: raw.default, data_dir, splits, rivals: Vec::new() })
}

fn split_of(item: &Value) -> Result<(String, Vec<String>), MatterFault> {
    let split = item.get("split").map_or_else(|| Ok("train".to_owned()), text)?;
    match item.get("path") {
        Some(paths) => Ok((split, globs(paths)?)),
        None => Err(MatterFault::NoPath(split)),
    }
}

fn globs(paths: &Value) -> Result<Vec<String>, MatterFault> {
    match paths {
        Value::Sequence(paths) => paths.iter().map(text).collect(),
        path => Ok(vec![text(path)?]),
    }
}

fn text(value: &Value) -> Result<String, MatterFault> {
    value.as_str().map(str::to_owned).ok_or(MatterFault::NoText)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(yaml: &str) -> Result<Vec<Config>, String> {
        read_front_matter("README.md", &format!("---\n{yaml}\n---\n")).map_err(|error| error.to_string())
    }

    #[test]
    fn a_front_matter_that_nests_without_end_is_refused_at_once() {
        const MANY: usize = 40_000;
        for yaml in [
            format!("configs: {}{}", "[".repeat(MANY), "]".repeat(MANY)),
            format!("configs: {}{}", "{a: ".repeat(MANY), "}".repeat(MANY)),
            format!("configs:\n  {}a", "- ".repeat(MANY)),
            format!("{}a", "? ".repeat(MANY)),
            format!("configs:\n{}", "  [\n".repeat(MANY)),
        ] {
            let error = read(&yaml).unwrap_err();
            assert!(
                error.contains("README.md, front matter") && error.contains("at most 200 deep"),
                "{error}"
            );
        }
        let error = read(&format!("text: {}", "a".repeat(LONGEST))).unwrap_err();
        assert!(error.contains("expected at most 16 MB, found more"), "{error}");
    }

    #[test]
    fn many_configs_and_open_brackets_in_texts_are_read() {
        let config = |number: usize| {
            format!(
                "- config_name: c{number}\n  data_files:\n  - split: test\n    path: [\"a[0]/*\", \"{{b}}\"]\n"
            )
        };
        let configs: String = (0..2000).map(config).collect();
        let found = read(&format!("title: \"a [ {{\"\nconfigs:\n{configs}")).unwrap();
        assert_eq!(found.len(), 2000);
        assert_eq!(found[7].splits, [("test".to_owned(), vec!["a[0]/*".to_owned(), "{b}".to_owned()])]);
    }
}
