//! Units of the ranking types: corpus, queries, judgements and what belongs to them (protocol 2.2, 2.5).

use std::collections::BTreeMap;

use mteb_data::{DataError, Folder, Table};
use mteb_evaluators::Part;
use mteb_plugin_api::card::{Layout, PartSource, TaskCard};

use super::SourceError;
use super::columns::renamed;

/// Which parts there are, and whether a unit must have them.
const PARTS: [(Part, bool); 6] = [
    (Part::Corpus, true),
    (Part::Queries, true),
    (Part::Qrels, true),
    (Part::TopRanked, false),
    (Part::Instruction, false),
    (Part::QrelDiff, false),
];

/// All parts of a unit that the dataset has.
///
/// # Errors
/// If a part that is needed is absent, or a file is damaged.
pub fn parts(
    folder: &Folder,
    card: &TaskCard,
    split: &str,
    subset: &str,
) -> Result<BTreeMap<Part, Table>, SourceError> {
    if card.dataset.layout == Layout::Belebele {
        return super::files::belebele(folder, subset, split);
    }
    let mut parts = BTreeMap::new();
    for (part, needed) in PARTS {
        let source = card.dataset.parts.get(part.name());
        let configs = configs(card, part, subset, source);
        let Some(config) = configs.iter().find(|config| folder.has_config(config)) else {
            if needed {
                return Err(missing(folder, part, &configs).into());
            }
            continue;
        };
        let split = split_of(folder, config, split, source)?;
        let table = folder.read(config, &split)?;
        let table = match source {
            Some(source) => renamed(table, &source.columns)?,
            None => table,
        };
        parts.insert(part, table);
    }
    Ok(parts)
}

/// Names that the config of a part may have, best first.
fn configs(card: &TaskCard, part: Part, subset: &str, source: Option<&PartSource>) -> Vec<String> {
    if let Some(config) = source.and_then(|source| source.config.clone()) {
        return vec![config];
    }
    let names: &[&str] = match part {
        Part::Corpus => &["corpus"],
        Part::Queries => &["queries", "query"],
        Part::Qrels => &["default", "qrels"],
        Part::TopRanked => &["top_ranked"],
        Part::Instruction => &["instruction"],
        Part::QrelDiff => &["qrel_diff"],
        Part::Rows | Part::Train => &[],
    };
    let Some(found) = card.subset(subset) else {
        return names.iter().map(|name| (*name).to_owned()).collect();
    };
    let subset = found.config.as_deref().unwrap_or(subset);
    let mut configs: Vec<String> = match card.dataset.layout {
        Layout::PartSuffix => names.iter().map(|name| format!("{name}-{subset}")).collect(),
        _ => names.iter().map(|name| format!("{subset}-{name}")).collect(),
    };
    if part == Part::Queries {
        // A config of exactly this name is taken even in multilingual tasks.
        configs.insert(0, "query".to_owned());
    }
    configs
}

/// The evaluation split if the config has it, else its only split.
fn split_of(
    folder: &Folder,
    config: &str,
    split: &str,
    source: Option<&PartSource>,
) -> Result<String, DataError> {
    if let Some(split) = source.and_then(|source| source.split.clone()) {
        return Ok(split);
    }
    let splits = folder.splits(config)?;
    match splits.as_slice() {
        found if found.contains(&split) => Ok(split.to_owned()),
        [only] => Ok((*only).to_owned()),
        several => Err(DataError::Missing {
            place: format!("{}, config {config}", folder.path().display()),
            what: "split",
            name: split.to_owned(),
            present: several.join(", "),
        }),
    }
}

fn missing(folder: &Folder, part: Part, configs: &[String]) -> DataError {
    DataError::Missing {
        place: format!("{}, part {}", folder.path().display(), part.name()),
        what: "config",
        name: configs.join("` or `"),
        present: folder.configs().take(12).collect::<Vec<_>>().join(", "),
    }
}
