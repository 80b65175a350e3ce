//! A task as command lines, benchmarks and registries name it.

use std::collections::HashSet;
use std::sync::Arc;

use super::TaskEntry;
use super::selection::Selected;
use crate::suggest::{hint, some};

/// A task as command lines and benchmarks name it: `Name`, `Name@split`, `Name:subset,subset`, `type:STS`, `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPattern {
    name: String,
    task_type: Option<String>,
    subsets: Vec<String>,
    split: Option<String>,
}

impl TaskPattern {
    /// Reads a pattern.
    pub fn new(text: &str) -> Self {
        if let Some(task_type) = text.strip_prefix("type:") {
            let task_type = Some(task_type.to_owned());
            return Self { name: "*".to_owned(), task_type, subsets: Vec::new(), split: None };
        }
        let (head, subsets) = match text.split_once(':') {
            Some((head, subsets)) => (head, Some(subsets)),
            None => (text, None),
        };
        let (name, split) = match head.split_once('@') {
            Some((name, split)) => (name, Some(split.to_owned())),
            None => (head, None),
        };
        let names = subsets.unwrap_or_default().split(',').map(str::trim).filter(|subset| !subset.is_empty());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        if subsets.is_some() && names.is_empty() {
            // `Task:` asks for subsets and names none, which is not all of them.
            names.push(String::new());
        }
        Self { name: name.to_owned(), task_type: None, subsets: names, split }
    }

    /// True if the pattern names one task, not all or all of a type.
    pub fn is_exact(&self) -> bool {
        self.name != "*"
    }

    /// The type of which the pattern takes all tasks.
    pub fn task_type(&self) -> Option<&str> {
        self.task_type.as_deref()
    }

    /// True if the pattern names the task.
    pub fn takes(&self, entry: &TaskEntry) -> bool {
        let named = self.name == "*" || self.name == entry.card.name;
        let typed = self.task_type.as_deref().is_none_or(|name| entry.card.task_type.as_str() == name);
        named && typed
    }

    /// Narrows a task: to the subsets and splits that the pattern names, else to what its registry takes of it.
    ///
    /// # Errors
    /// If the task has no subset or split that is named.
    pub fn narrow(&self, entry: &Arc<TaskEntry>) -> Result<Selected, SelectionError> {
        let registry = &entry.taken;
        let subsets = if self.subsets.is_empty() { &registry.subsets } else { &self.subsets };
        let split = if self.split.is_none() { &registry.split } else { &self.split };
        narrow(entry, subsets, split.as_deref())
    }

    /// The name of the task; `*` for every one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Narrows further what is narrowed; subsets and splits that the pattern names are taken from the whole task.
    ///
    /// # Errors
    /// If the task has no subset or split that is named.
    pub fn narrow_further(&self, task: &Selected) -> Result<Selected, SelectionError> {
        let named = self.narrow(&task.entry)?;
        let subsets = if self.subsets.is_empty() { task.subsets.clone() } else { named.subsets };
        let splits = if self.split.is_none() { task.splits.clone() } else { named.splits };
        Ok(Selected { entry: named.entry, subsets, splits })
    }
}

impl Default for TaskPattern {
    fn default() -> Self {
        Self::new("*")
    }
}

/// A command line that asks for something that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectionError(pub String);

/// Of a task the named subsets, or all if none is named, and the named split, or all.
fn narrow(
    entry: &Arc<TaskEntry>,
    subsets: &[String],
    split: Option<&str>,
) -> Result<Selected, SelectionError> {
    let card = &entry.card;
    let all = card.subset_names();
    let known: HashSet<&str> = all.iter().copied().collect();
    if let Some(unknown) = subsets.iter().find(|subset| !known.contains(subset.as_str())) {
        let near = hint(unknown, all.iter().copied(), "");
        let all = some(all);
        let found = if unknown.is_empty() { "none behind the colon" } else { unknown };
        let message = format!("task {}: expected subsets among {all}; found: {found}{near}", card.name);
        return Err(SelectionError(message));
    }
    let wanted: HashSet<&str> = subsets.iter().map(String::as_str).collect();
    let fits = |subset: &&str| subsets.is_empty() || wanted.contains(subset);
    let subsets = all.into_iter().filter(fits).map(str::to_owned).collect();
    let splits = match split {
        None => card.eval_splits.clone(),
        Some(split) if card.eval_splits.iter().any(|known| known == split) => vec![split.to_owned()],
        Some(split) => {
            let splits = card.eval_splits.join(", ");
            let near = hint(split, card.eval_splits.iter().map(String::as_str), "");
            let message =
                format!("task {}: expected a split among {splits}; found: {split}{near}", card.name);
            return Err(SelectionError(message));
        }
    };
    Ok(Selected { entry: Arc::clone(entry), subsets, splits })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_task_split_and_subsets() {
        let pattern = TaskPattern::new("STS17@test:en-en, ar-ar");
        assert_eq!(pattern.name, "STS17");
        assert_eq!(pattern.split.as_deref(), Some("test"));
        assert_eq!(pattern.subsets, ["en-en", "ar-ar"]);
        assert_eq!(TaskPattern::new("STS17:").subsets, [""], "no subset is not every one");
        assert_eq!(TaskPattern::new("type:STS").task_type.as_deref(), Some("STS"));
    }
}
