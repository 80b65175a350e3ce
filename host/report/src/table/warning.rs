//! What was left out of a board or may not be comparable, each kind of it.

use std::path::PathBuf;

use super::note::NotedScore;
use super::row::Row;
use super::score_fault::LeftOutScore;
use super::unknown_units::UnknownUnits;
use crate::reading::{LeftOut, WithoutMeta};

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
