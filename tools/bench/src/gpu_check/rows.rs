//! Rows of numbers, as both sides leave them in files, and how far they are from each other.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Rows of one width.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// All numbers, row after row.
    pub numbers: Vec<f32>,
    /// Numbers in a row.
    pub width: usize,
}

/// How far rows are from those that they are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Largest difference of a number, in proportion to the largest number of the row that is expected, or to 1 if that is less.
    pub difference: f64,
    /// Smallest cosine of two rows; of rows of one number, which all point the same way, that of the numbers of all rows together.
    pub cosine: f64,
}

impl Rows {
    /// Reads numbers of four bytes.
    ///
    /// # Errors
    /// If the file cannot be read or is no whole number of rows.
    pub fn read(path: &Path, width: usize) -> Result<Self, String> {
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let numbers: Vec<f32> = numbers(&bytes);
        if width == 0 || !numbers.len().is_multiple_of(width) || bytes.len() % 4 != 0 {
            let found = bytes.len();
            return Err(format!("{}: expected rows of {width} numbers, found {found} bytes", path.display()));
        }
        Ok(Self { numbers, width })
    }

    /// Reads a tensor of float32 from a safetensors file; one dimension counts as rows of one number.
    ///
    /// # Errors
    /// If the file or the tensor is not there, or is of another form.
    pub fn of_safetensors(path: &Path, name: &str) -> Result<Self, String> {
        let wrong = |message: &str| format!("{}: expected {message}", path.display());
        let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let length = bytes.first_chunk::<8>().map(|length| u64::from_le_bytes(*length));
        let head = length.and_then(|length| usize::try_from(length).ok()).map(|length| 8 + length);
        let head = head.filter(|&head| head <= bytes.len()).ok_or_else(|| wrong("a safetensors file"))?;
        let values: Value = serde_json::from_slice(&bytes[8..head]).map_err(|_| wrong("a head of JSON"))?;
        let tensor = &values[name];
        if tensor["dtype"] != "F32" {
            return Err(wrong(&format!("a tensor `{name}` of float32")));
        }
        let whole = |value: &Value| value.as_u64().and_then(|value| usize::try_from(value).ok());
        let place = |index: usize| whole(&tensor["data_offsets"][index]).map(|offset| head + offset);
        let data = place(0).zip(place(1)).and_then(|(begin, end)| bytes.get(begin..end));
        let numbers = numbers(data.ok_or_else(|| wrong("a tensor within the file"))?);
        Ok(Self { numbers, width: whole(&tensor["shape"][1]).unwrap_or(1).max(1) })
    }

    /// How far these rows are from `expected`.
    ///
    /// # Errors
    /// If they have another shape.
    pub fn distance(&self, expected: &Self) -> Result<Distance, String> {
        if self.width != expected.width || self.numbers.len() != expected.numbers.len() {
            let shape = |rows: &Self| format!("{} × {}", rows.numbers.len() / rows.width, rows.width);
            return Err(format!("expected {} numbers, found {}", shape(expected), shape(self)));
        }
        let mut worst = Distance { difference: 0.0, cosine: 1.0 };
        let rows = self.numbers.chunks(self.width).zip(expected.numbers.chunks(self.width));
        for (found, expected) in rows {
            let largest = expected.iter().fold(1.0_f64, |largest, value| largest.max(f64::from(value.abs())));
            for (found, expected) in found.iter().zip(expected) {
                let difference = (f64::from(*found) - f64::from(*expected)).abs() / largest;
                // Numbers that are none are as far as can be.
                worst.difference =
                    if difference.is_nan() { f64::INFINITY } else { worst.difference.max(difference) };
            }
        }
        // Scores of pairs are one row: whatever the numbers, one alone says no more than its sign.
        let width = if self.width == 1 { self.numbers.len().max(1) } else { self.width };
        for (found, expected) in self.numbers.chunks(width).zip(expected.numbers.chunks(width)) {
            let cosine = cosine(found, expected);
            worst.cosine = if cosine.is_nan() { -1.0 } else { worst.cosine.min(cosine) };
        }
        Ok(worst)
    }
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect()
}

/// Rows without a direction, as a text without a known word has, are alike where both are.
fn cosine(left: &[f32], right: &[f32]) -> f64 {
    let dot = |left: &[f32], right: &[f32]| -> f64 {
        left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum()
    };
    let (left_length, right_length) = (dot(left, left), dot(right, right));
    if left_length == 0.0 && right_length == 0.0 {
        return 1.0;
    }
    dot(left, right) / (left_length * right_length).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(numbers: &[f32]) -> Rows {
        Rows { numbers: numbers.to_vec(), width: 2 }
    }

    #[test]
    fn the_worst_number_of_the_worst_row_counts() {
        let expected = rows(&[1.0, 0.0, 0.0, 4.0]);
        let distance = rows(&[1.0, 0.0, 0.0, 4.4]).distance(&expected).unwrap();
        assert!((distance.difference - 0.1).abs() < 1e-6, "{distance:?}");
        assert_eq!(distance.cosine, 1.0);
        assert_eq!(rows(&[0.0, 1.0, 0.0, 4.0]).distance(&expected).unwrap().cosine, 0.0);
    }

    #[test]
    fn numbers_that_are_none_and_rows_of_another_shape_do_not_pass() {
        let expected = rows(&[1.0, 0.0]);
        let distance = rows(&[f32::NAN, 0.0]).distance(&expected).unwrap();
        assert_eq!(distance, Distance { difference: f64::INFINITY, cosine: -1.0 });
        assert!(rows(&[1.0, 0.0, 1.0, 0.0]).distance(&expected).is_err());
    }

    #[test]
    fn scores_of_pairs_have_to_be_alike_not_only_of_one_sign() {
        let scores = |numbers: &[f32]| Rows { numbers: numbers.to_vec(), width: 1 };
        let expected = scores(&[1.0, 2.0]);
        assert!(scores(&[1.0, 9.0]).distance(&expected).unwrap().cosine < 0.95);
        assert!(scores(&[1.001, 2.001]).distance(&expected).unwrap().cosine > 0.9999);
        assert_eq!(scores(&[1.0, f32::NAN]).distance(&expected).unwrap().cosine, -1.0);
    }

    #[test]
    fn tensors_are_read_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.safetensors");
        let head = r#"{"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}}"#;
        let mut bytes = (head.len() as u64).to_le_bytes().to_vec();
        bytes.extend(head.as_bytes());
        bytes.extend([9.0_f32, 1.5, -2.0].iter().flat_map(|number| number.to_le_bytes()));
        fs::write(&path, bytes).unwrap();
        assert_eq!(Rows::of_safetensors(&path, "b").unwrap(), Rows { numbers: vec![1.5, -2.0], width: 1 });
        assert!(Rows::of_safetensors(&path, "a").is_err());
    }
}
