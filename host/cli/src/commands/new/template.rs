//! The files that `new` writes: from templates, in which `{{name}}` stands for a value, and sample
//! rows of each type of task, which whoever begins one replaces; all of them or none, and never
//! over one that is there.

use std::path::{Path, PathBuf};

use mteb_tasks::TaskType;

use crate::exit::Exit;
use crate::output;

/// `template` with each `{{name}}` replaced by the value of that name.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(template.len());
    let mut rest = template;
    // One pass, so that nothing in a value is taken for a name.
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        let found = behind.split_once("}}").and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        match found {
            Some((value, after)) => {
                text.push_str(value);
                rest = after;
            }
            None => {
                text.push_str("{{");
                rest = behind;
            }
        }
    }
    text + rest
}

/// `code` of a plugin of the project with its own names in the place of those of the template.
pub fn rename(code: &str, names: &[(&str, &str)]) -> String {
    names.iter().fold(code.to_owned(), |code, (old, new)| code.replace(old, new))
}

/// Files by their paths.
#[derive(Clone, Debug, Default)]
pub struct Files(Vec<(PathBuf, String)>);

impl Files {
    /// Adds a file.
    pub fn add(&mut self, path: impl Into<PathBuf>, text: impl Into<String>) {
        self.0.push((path.into(), text.into()));
    }

    /// Writes all files below `folder` and says which.
    ///
    /// # Errors
    /// If one is there already or cannot be written, which is said.
    pub fn write(&self, folder: &Path) -> Result<(), Exit> {
        let there: Vec<String> = self
            .0
            .iter()
            .map(|(path, _)| folder.join(path))
            .filter(|path| path.symlink_metadata().is_ok())
            .map(|path| path.display().to_string())
            .collect();
        if !there.is_empty() {
            return Err(output::usage(format!(
                "{} already {}; choose another name or another folder (`--output`)",
                mteb_base::suggest::list_names(&there),
                if there.len() == 1 { "exists" } else { "exist" }
            )));
        }
        for (path, text) in &self.0 {
            let path = folder.join(path);
            mteb_files::write(&path, text.as_bytes())
                .map_err(|error| output::failed(format!("{}: cannot be written: {error}", path.display())))?;
            check_printed(output::print(&format!("wrote {}", path.display())))?;
        }
        Ok(())
    }
}

/// Whether something could be said.
pub fn check_printed(exit: Exit) -> Result<(), Exit> {
    if exit == Exit::Done { Ok(()) } else { Err(exit) }
}

/// Rows as files of a folder: name and content.
pub type SampleFiles = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../templates/data/", $folder, "/", $name)))),+]
    };
}

/// The sample rows of a type of the host; none of others.
pub fn samples(task_type: TaskType) -> SampleFiles {
    match task_type {
        TaskType::BitextMining => files!("BitextMining": "test.jsonl"),
        TaskType::Classification => files!("Classification": "train.jsonl", "test.jsonl"),
        TaskType::MultilabelClassification => files!("MultilabelClassification": "train.jsonl", "test.jsonl"),
        TaskType::Clustering => files!("Clustering": "test.jsonl"),
        TaskType::PairClassification => files!("PairClassification": "test.jsonl"),
        TaskType::Reranking => {
            files!("Reranking": "corpus.jsonl", "queries.jsonl", "qrels.tsv", "top_ranked.jsonl")
        }
        TaskType::Retrieval => files!("Retrieval": "corpus.jsonl", "queries.jsonl", "qrels.tsv"),
        TaskType::Sts => files!("STS": "test.jsonl"),
        TaskType::Summarization => files!("Summarization": "test.jsonl"),
        TaskType::InstructionRetrieval => {
            files!("InstructionRetrieval": "corpus.jsonl", "queries.jsonl", "qrels.tsv", "instruction.jsonl")
        }
        TaskType::InstructionReranking => files!(
            "InstructionReranking":
            "corpus.jsonl", "queries.jsonl", "qrels.tsv", "top_ranked.jsonl", "instruction.jsonl", "qrel_diff.jsonl"
        ),
        TaskType::Regression => files!("Regression": "train.jsonl", "test.jsonl"),
        TaskType::Own(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    #[test]
    fn values_stand_where_their_names_stood_and_nothing_else_changes() {
        let text = fill("{{a}} and ${{ github }} {{b}}", &[("a", "{{b}}"), ("b", "2")]);
        assert_eq!(text, "{{b}} and ${{ github }} 2");
    }
}
