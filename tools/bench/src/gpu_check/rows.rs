//! What either side is asked to encode, and what it answers: rows of numbers, which both leave in files, and
//! how far they are from each other.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How the files of rows of our side end.
pub const OURS: &str = "ours";

/// And those of transformers.
pub const THEIRS: &str = "theirs";

/// One model on one device, and texts for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Job {
    /// By which the answer is known.
    pub id: String,
    /// The plugin, on our side.
    pub plugin: PathBuf,
    /// The model.
    pub folder: PathBuf,
    /// `cpu` or `cuda:N`.
    pub device: String,
    /// `f32` or `bf16`.
    pub dtype: String,
    /// Tokens of a pair for a cross-encoder, which scores each text with the next one.
    pub pairs: Option<usize>,
    /// A list of texts as JSON.
    pub texts: PathBuf,
    /// How many of them; 0 for all.
    pub count: usize,
    /// How often they are encoded against the clock.
    pub times: usize,
    /// Batches to try on the other side, of which the fastest counts.
    pub batches: Vec<usize>,
    /// Threads of the processor; 0 for the side's own choice.
    pub threads: usize,
    /// Where the rows go.
    pub rows: Option<PathBuf>,
    /// On our side: memory of its own that the process may have beyond what it has when the model is open.
    pub spare_memory: Option<u64>,
}

/// What came of a job.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// That of the job.
    pub id: String,
    /// What went wrong.
    pub error: Option<String>,
    /// Seconds to open the model.
    pub open: f64,
    /// Seconds of the first text.
    pub first: f64,
    /// Seconds from the start of the side to the first row.
    pub since_start: f64,
    /// Seconds of each round.
    pub seconds: Vec<f64>,
    /// Share of the time and threads that the processor worked in all rounds.
    pub processor_share: Option<f64>,
    /// When the rounds began and ended, in seconds since 1970.
    pub rounds: Option<[f64; 2]>,
    /// The batch that was fastest.
    pub batch: Option<usize>,
    /// Numbers in a row.
    pub width: usize,
    /// The device that computed.
    pub device: Option<String>,
    /// Most resident bytes.
    pub peak: Option<u64>,
}

impl Job {
    /// The rows of a model on a device.
    pub fn of_rows(id: impl Into<String>, folder: &Path, texts: &Path, rows: &Path) -> Self {
        Self {
            id: id.into(),
            folder: folder.to_owned(),
            texts: texts.to_owned(),
            rows: Some(rows.to_owned()),
            device: "cpu".to_owned(),
            dtype: "f32".to_owned(),
            batches: vec![32],
            ..Self::default()
        }
    }

    /// The file of rows of one side, `ours` or `theirs`.
    pub fn rows_of(&self, side: &str) -> Option<PathBuf> {
        let name = |path: &PathBuf| format!("{}.{side}", path.to_string_lossy()).into();
        self.rows.as_ref().map(name)
    }

    /// The same job for one side.
    pub fn on_side(&self, side: &str) -> Self {
        Self { rows: self.rows_of(side), ..self.clone() }
    }

    /// True if both take the same open model.
    pub fn shares_model(&self, other: &Self) -> bool {
        (&self.folder, &self.device, &self.dtype) == (&other.folder, &other.device, &other.dtype)
    }
}

impl Answer {
    /// Its answers among the lines of a side; what it says beside them does not count.
    pub fn all_of(output: &str) -> Vec<Self> {
        output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

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
