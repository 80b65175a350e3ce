//! What was left out of a board or may not be comparable, each kind of it, results of splits and
//! subsets that their tasks do not have among them.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::path::PathBuf;

use super::column::Column;
use super::note::{LeftOutScore, NotedScore};
use super::row::Row;
use crate::join::Model;
use crate::reading::{Entry, LeftOut, Summary, WithoutMeta};

/// What whoever reads a board should know of its results.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardWarning {
    /// A file holds no usable result, or one that cannot be right.
    #[error(transparent)]
    File(LeftOut),
    /// A score cannot be right.
    #[error(transparent)]
    Score(LeftOutScore),
    /// A score does not count, or counts marked.
    #[error(transparent)]
    Noted(NotedScore),
    /// Results are of splits and subsets that their tasks do not have.
    #[error(transparent)]
    UnknownUnits(UnknownUnits),
    /// Nothing in a file is of what was selected, on a board that has no score for that.
    #[error(
        "{}: left out: expected a score of a split and subset that the task has and that is selected, found: {found}",
        path.display()
    )]
    Unselected {
        /// The file.
        path: PathBuf,
        /// Its model.
        model: String,
        /// What is in it.
        found: String,
    },
    /// Outcomes beside a result say nothing of it.
    #[error("{0}")]
    Outcomes(String),
    /// Nothing but folders says who models are.
    #[error(transparent)]
    WithoutMeta(WithoutMeta),
    /// Data of the user's own is not what results were made from, or nobody has looked.
    #[error("{0}")]
    OwnData(String),
}

impl BoardWarning {
    /// The model that it is about, where it is one.
    pub fn model(&self) -> Option<&str> {
        match self {
            Self::File(LeftOut { model, .. })
            | Self::Score(LeftOutScore { model, .. })
            | Self::Noted(NotedScore { model, .. })
            | Self::Unselected { model, .. } => Some(model),
            Self::UnknownUnits(_) | Self::Outcomes(_) | Self::WithoutMeta(_) | Self::OwnData(_) => None,
        }
    }

    /// What it says of these rows that does not count because it cannot be right, or because their tasks do not have it; `None` if nothing.
    pub fn left_out_of(&self, rows: &[&Row]) -> Option<Self> {
        let is_of = |of: &str| rows.iter().any(|row| row.model == of);
        match self {
            Self::File(left) => is_of(&left.model).then(|| self.clone()),
            Self::Score(left) => rows.iter().any(|row| row.has_lost(left)).then(|| self.clone()),
            Self::Unselected { model, .. } => is_of(model).then(|| self.clone()),
            Self::UnknownUnits(units) => units.of_models(is_of).map(Self::UnknownUnits),
            Self::Noted(_) | Self::Outcomes(_) | Self::WithoutMeta(_) | Self::OwnData(_) => None,
        }
    }
}

/// Names that the line holds.
const NAMED: usize = 3;

/// Results of splits and subsets that the cards of their tasks do not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnknownUnits {
    /// Model, task, split and subset of each.
    pub found: Vec<(String, String, String, String)>,
}

impl UnknownUnits {
    /// Those of `models` in these columns; `None` if there is none. Of a file that this host did not write, which may hold more than the
    /// task scores, only where nothing in it is of the task.
    pub fn of_board(columns: &[Column], models: &[Model]) -> Option<Self> {
        let mut found = Vec::new();
        for column in columns {
            let Some(units) = &column.task.units else { continue };
            let known: HashSet<(&str, &str)> = units
                .iter()
                .chain(&column.task.other_units)
                .map(|(split, subset)| (split.as_str(), subset.as_str()))
                .collect();
            let is_known = |entry: &&Entry| known.contains(&(entry.split.as_str(), entry.subset.as_str()));
            // Those of another revision are told of as such.
            let is_of_card = |file: &Summary| {
                !file.is_ours || column.task.revision.as_ref().is_none_or(|own| *own == file.dataset_revision)
            };
            for model in models {
                let Some(file) = model.files.get(&column.task.name).filter(|file| is_of_card(file)) else {
                    continue;
                };
                if !file.is_ours && file.entries.iter().any(|entry| is_known(&entry)) {
                    continue;
                }
                found.extend(file.entries.iter().filter(|entry| !is_known(entry)).map(|entry| {
                    let task = column.task.name.clone();
                    (model.name.clone(), task, entry.split.clone(), entry.subset.clone())
                }));
            }
        }
        (!found.is_empty()).then_some(Self { found })
    }

    /// Those of the models that `are_meant`; `None` if there is none.
    pub fn of_models(&self, are_meant: impl Fn(&str) -> bool) -> Option<Self> {
        let found: Vec<_> = self.found.iter().filter(|(model, ..)| are_meant(model)).cloned().collect();
        (!found.is_empty()).then_some(Self { found })
    }
}

impl std::error::Error for UnknownUnits {}

impl fmt::Display for UnknownUnits {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let name = |(_, task, split, subset): &(String, String, String, String)| {
            format!("{task}, split {split}, subset {subset}")
        };
        let names: BTreeSet<String> = self.found.iter().map(name).collect();
        let more = names.len().saturating_sub(NAMED);
        let shown = names.into_iter().take(NAMED).collect::<Vec<_>>().join("; ");
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        match self.found.len() {
            1 => write!(
                formatter,
                "not counted: 1 result of a split and subset that its task does not have: {shown}"
            ),
            count => write!(
                formatter,
                "not counted: {count} results of splits and subsets that their tasks do not have: {shown}{more}"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::WhyLeftOut;

    fn row(model: &str) -> Row {
        Row { name: model.to_owned(), model: model.to_owned(), ..Row::default() }
    }

    #[test]
    fn what_is_left_out_is_told_of_the_rows_that_have_it() {
        let file = |model: &str| {
            BoardWarning::File(LeftOut {
                path: format!("results/{model}/1/T.json").into(),
                model: model.to_owned(),
                why: WhyLeftOut::NoScores,
            })
        };
        let unit = |model: &str| (model.to_owned(), "T".to_owned(), "dev".to_owned(), "b".to_owned());
        let units = BoardWarning::UnknownUnits(UnknownUnits { found: vec![unit("a"), unit("c")] });
        let (a, b) = (row("a"), row("b"));
        assert_eq!(file("a").left_out_of(&[&a, &b]), Some(file("a")));
        assert_eq!(file("c").left_out_of(&[&a, &b]), None);
        let of_a = units.left_out_of(&[&a, &b]).unwrap().to_string();
        assert_eq!(
            of_a,
            "not counted: 1 result of a split and subset that its task does not have: T, split dev, subset b"
        );
        assert_eq!(units.left_out_of(&[&b]), None);
    }
}
