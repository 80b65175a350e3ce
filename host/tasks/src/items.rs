//! What single items of a unit came to: a table, one row an item.

use mteb_data::Texts;

/// Columns of one length, in the order in which a file has them; what the columns of a type of task are is said where they
/// are made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Items {
    /// Names and cells.
    pub columns: Vec<(String, ItemColumn)>,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemColumn {
    /// Texts, such as ids and labels.
    Text(Texts),
    /// Whole numbers, such as places and clusters.
    Int(Vec<i64>),
    /// Numbers; NaN where there is none.
    Float(Vec<f64>),
}

impl Items {
    /// Adds a column behind the others.
    pub fn push(&mut self, name: impl Into<String>, cells: ItemColumn) {
        debug_assert!(self.columns.is_empty() || self.rows() == cells.len());
        self.columns.push((name.into(), cells));
    }

    /// Number of items.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, cells)| cells.len())
    }
}

impl ItemColumn {
    /// Number of cells.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(cells) => cells.len(),
            Self::Int(cells) => cells.len(),
            Self::Float(cells) => cells.len(),
        }
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
