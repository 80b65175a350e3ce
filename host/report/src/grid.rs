//! A table without a form: titles and cells, which every output writes in its own way, and shares
//! as people read them, in percent.

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
    /// A number that was measured, of which people read the digits that tell.
    Measured(f64),
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
    pub fn compare_by_row(self) -> Self {
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

    /// What people read: shares in percent with two digits, what was measured with four that tell, a dash for nothing.
    pub fn to_text(&self) -> String {
        match self {
            Self::None => "–".to_owned(),
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Measured(number) => round_to_digits(*number),
            Self::Share(share) => format!("{:.2}", 100.0 * share),
        }
    }
}

/// Digits that are shown of a measured number.
const DIGITS: i32 = 4;

/// A number with four digits that count, and all of those before the point.
fn round_to_digits(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    let first = size.log10().floor() as i32;
    if first < -DIGITS {
        return format!("{number:.3e}");
    }
    let behind = usize::try_from(DIGITS - 1 - first).unwrap_or_default();
    let text = format!("{number:.behind$}");
    if behind == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// A share in percent, with two digits behind the point.
pub fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// The same; a dash where there is none.
pub fn percent_or_dash(share: Option<f64>) -> String {
    share.map_or_else(|| "–".to_owned(), percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_what_was_measured_four_digits_are_read_and_those_before_the_point() {
        let read = [123_456.789, 1234.5, 12.345_678, 0.1 + 0.2, 0.000_123_456, 1.234_56e-7, 2.0, 0.0, -0.25];
        let read = read.map(|number| Value::Measured(number).to_text());
        let expected = ["123457", "1234", "12.35", "0.3", "0.0001235", "1.235e-7", "2", "0", "-0.25"];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_share_has_two_digits_and_none_has_a_dash() {
        assert_eq!([percent_or_dash(Some(0.12346)), percent_or_dash(None)], ["12.35", "–"]);
    }
}
