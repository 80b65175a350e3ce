//! A table without a form: titles and cells, which every output writes in its own way.

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Titles of the columns.
    pub titles: Vec<String>,
    /// Rows of as many cells as there are titles.
    pub rows: Vec<Vec<Value>>,
    /// True if what stands in one row is compared, else what stands in one column.
    pub is_compared_by_row: bool,
    /// Columns in which there is no best, as the ends of intervals.
    pub uncompared: Vec<usize>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    None,
    /// Text, often of others.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// A number with as many digits behind the point as it has.
    Number(f64),
    /// A share, which people read in percent.
    Share(f64),
}

impl Grid {
    /// A table with these titles.
    pub fn new(titles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { titles: titles.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// The same table, whose rows are compared each by itself.
    #[must_use]
    pub fn compared_by_row(self) -> Self {
        Self { is_compared_by_row: true, ..self }
    }

    /// True if no cell of the column holds text.
    pub fn is_number(&self, column: usize) -> bool {
        !self.rows.iter().any(|row| matches!(row[column], Value::Text(_)))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        i64::try_from(number).map_or(Self::None, Self::Whole)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::None, Into::into)
    }
}

impl Value {
    /// A share, if there is one.
    pub fn share(share: Option<f64>) -> Self {
        share.map_or(Self::None, Self::Share)
    }

    /// A number, if there is one.
    pub fn number(number: Option<f64>) -> Self {
        number.map_or(Self::None, Self::Number)
    }

    /// What people read: shares in percent with two digits, a dash for nothing.
    pub fn shown(&self) -> String {
        match self {
            Self::None => "–".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Share(share) => format!("{:.2}", 100.0 * share),
        }
    }
}
