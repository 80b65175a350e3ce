//! A task as command lines, benchmarks and registries name it.

use std::collections::HashSet;

/// A task as command lines and benchmarks name it: `Name`, `Name@split`, `Name:subset,subset`,
/// `type:STS`, `*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskPattern {
    pub(crate) name: String,
    pub(crate) task_type: Option<String>,
    pub(crate) subsets: Vec<String>,
    pub(crate) split: Option<String>,
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

    /// True if subsets are named.
    pub fn has_subsets(&self) -> bool {
        !self.subsets.is_empty()
    }

    /// The subsets that are named.
    pub fn subsets(&self) -> &[String] {
        &self.subsets
    }

    /// The first subset that is named a second time.
    pub fn twice(&self) -> Option<&str> {
        let mut seen = HashSet::new();
        self.subsets.iter().map(String::as_str).find(|subset| !seen.insert(*subset))
    }

    /// The same pattern with these subsets.
    #[must_use]
    pub fn with_subsets(self, subsets: Vec<String>) -> Self {
        Self { subsets, ..self }
    }

    /// The name of the task; `*` for every one.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Default for TaskPattern {
    fn default() -> Self {
        Self::new("*")
    }
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
