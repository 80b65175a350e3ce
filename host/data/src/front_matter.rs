//! The front matter of a dataset's README: which files are which split of which config.

use serde::Deserialize;
use serde_yaml_ng::Value;

use crate::DataError;

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

/// The configs of a README's front matter; none if it has no front matter or the front matter names none.
///
/// # Errors
/// If the front matter is no YAML of the known form.
pub fn read_front_matter(place: &str, readme: &str) -> Result<Vec<Config>, DataError> {
    let Some(yaml) = front_matter(readme) else { return Ok(Vec::new()) };
    let fault = |message: String| DataError::Malformed { place: format!("{place}, front matter"), message };
    let matter: Option<FrontMatter> =
        serde_yaml_ng::from_str(yaml).map_err(|error| fault(error.to_string()))?;
    let Some(matter) = matter else { return Ok(Vec::new()) };
    matter.configs.into_iter().map(|raw| config(raw).map_err(fault)).collect()
}

fn front_matter(readme: &str) -> Option<&str> {
    let rest = readme.trim_start_matches('\u{feff}').strip_prefix("---")?;
    let rest = rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))?;
    rest.find("\n---").map(|end| &rest[..=end])
}

fn config(raw: RawConfig) -> Result<Config, String> {
    let splits = match &raw.data_files {
        Value::Null => Vec::new(),
        Value::Mapping(splits) => splits
            .iter()
            .map(|(split, paths)| Ok((text(split)?, globs(paths)?)))
            .collect::<Result<_, String>>()?,
        Value::Sequence(items) if items.iter().all(Value::is_mapping) => {
            items.iter().map(split_of).collect::<Result<_, String>>()?
        }
        paths => vec![("train".to_owned(), globs(paths)?)],
    };
    let data_dir = raw.data_dir.map(|folder| folder.trim_matches('/').to_owned());
    Ok(Config { name: raw.config_name, is_default: raw.default, data_dir, splits })
}

fn split_of(item: &Value) -> Result<(String, Vec<String>), String> {
    let split = item.get("split").map_or_else(|| Ok("train".to_owned()), text)?;
    let paths = item.get("path").ok_or_else(|| format!("expected a `path` for split {split}, found none"))?;
    Ok((split, globs(paths)?))
}

fn globs(paths: &Value) -> Result<Vec<String>, String> {
    match paths {
        Value::Sequence(paths) => paths.iter().map(text).collect(),
        path => Ok(vec![text(path)?]),
    }
}

fn text(value: &Value) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| "expected a text, found another value".to_owned())
}
