//! Rows that have no fixed width, as a worker wrote them: nothing of them is believed before it is checked.

use std::io;

use mteb_plugin_api::RowForm;
use mteb_plugin_api::v1::EncodedRows;
use mteb_search::{MultiVectors, SparseRows};
use mteb_tasks::{Embeddings, Matrix};

/// Most vectors of a text that are believed, unless it has more bytes: a model gives one for each token, and some more.
const MOST_VECTORS: usize = 1 << 16;

/// Bytes from which on it is worth asking what is free.
const MANY: usize = 256 << 20;

/// Most bytes of the rows of one batch that are believed.
const MOST_BYTES: usize = 16 << 30;

/// Rows that cannot be right, or for which there is no room.
#[derive(Debug, thiserror::Error)]
pub enum RowsFault {
    /// A text has more vectors than it can have tokens.
    #[error("expected at most {most} vectors for text {row}, found {found}")]
    ManyVectors {
        /// Number of the text.
        row: usize,
        /// Most vectors that are believed.
        most: usize,
        /// Vectors that it has.
        found: u32,
    },
    /// A sparse row has more numbers than there are places.
    #[error("expected at most {most} non-zero numbers for text {row}, found {found}")]
    ManyNumbers {
        /// Number of the text.
        row: usize,
        /// The model's dimension.
        most: usize,
        /// Numbers that it has.
        found: u32,
    },
    /// The places of a sparse row are none.
    #[error(
        "expected places of a sparse row that ascend and are less than its dimension, {dimension}, found others in row {row}"
    )]
    Places {
        /// Number of the row.
        row: usize,
        /// The model's dimension.
        dimension: usize,
    },
    /// No machine has room for the batch.
    #[error(
        "expected rows of at most {MOST_BYTES} bytes in a batch, found {0}; use a smaller `--batch-tokens`"
    )]
    Large(usize),
    /// This machine has no room for the batch now.
    #[error("the rows of a batch: they need {wanted} bytes of memory, of which {free} are free")]
    NoMemory {
        /// Bytes that are needed.
        wanted: usize,
        /// Bytes that are free.
        free: u64,
    },
    /// The system gives no memory.
    #[error("the rows of a batch: {0}")]
    Io(#[from] io::Error),
}

/// Numbers that a worker has written for rows of these lengths, one for each of `texts`.
///
/// # Errors
/// If a text cannot have so many.
pub fn numbers(form: RowForm, dimension: usize, lengths: &[u32], texts: &[&str]) -> Result<usize, RowsFault> {
    let most = |text: &str| match form {
        RowForm::MultiVector => text.len().max(MOST_VECTORS),
        // The places of a row ascend.
        RowForm::Dense | RowForm::Sparse => dimension,
    };
    for (row, (&found, text)) in lengths.iter().zip(texts).enumerate() {
        let most = most(text);
        if found as usize > most {
            return Err(match form {
                RowForm::MultiVector => RowsFault::ManyVectors { row, most, found },
                RowForm::Dense | RowForm::Sparse => RowsFault::ManyNumbers { row, most, found },
            });
        }
    }
    Ok(total(lengths).saturating_mul(width(form, dimension)))
}

/// Numbers in the memory for each one that a length counts.
pub fn width(form: RowForm, dimension: usize) -> usize {
    if form == RowForm::MultiVector { dimension } else { 2 }
}

/// Numbers that rows have of which a plugin says `said`, each of [`width`]; none where that is no answer, which the host refuses.
pub fn said(said: &str, width: usize) -> usize {
    let lengths = serde_json::from_str(said).map_or_else(|_| Vec::new(), |EncodedRows { lengths }| lengths);
    total(&lengths).saturating_mul(width)
}

fn total(lengths: &[u32]) -> usize {
    lengths.iter().fold(0, |total: usize, &length| total.saturating_add(length as usize))
}

/// Checks that a batch of `numbers` is none that a machine cannot have.
///
/// # Errors
/// If it is, or there is no memory for it now.
pub fn check_room(numbers: usize) -> Result<(), RowsFault> {
    let bytes = numbers.saturating_mul(size_of::<f32>());
    if bytes > MOST_BYTES {
        return Err(RowsFault::Large(bytes));
    }
    // They are copied from the worker, and then to where they are kept.
    let wanted = bytes.saturating_mul(2);
    let free = mteb_system::machine::free_memory();
    match free.filter(|&free| wanted > MANY && wanted as u64 > free) {
        Some(free) => Err(RowsFault::NoMemory { wanted, free }),
        None => Ok(mteb_files::check_room::<u8>(wanted)?),
    }
}

/// The rows in `written`, of which there are [`numbers`].
///
/// # Errors
/// If a row is none.
pub fn read(
    form: RowForm,
    dimension: usize,
    lengths: &[u32],
    written: &[f32],
) -> Result<Embeddings, RowsFault> {
    match form {
        RowForm::Dense => Ok(Embeddings::Dense(Matrix { values: written.to_vec(), dimension })),
        RowForm::Sparse => sparse(dimension, lengths, written).map(Embeddings::Sparse),
        RowForm::MultiVector => {
            let (mut texts, mut rest) = (MultiVectors::new(dimension), written);
            for &length in lengths {
                let (own, behind) = rest.split_at(length as usize * dimension);
                texts.push(own);
                rest = behind;
            }
            Ok(Embeddings::MultiVector(texts))
        }
    }
}

fn sparse(dimension: usize, lengths: &[u32], written: &[f32]) -> Result<SparseRows, RowsFault> {
    let (weights, places) = written.split_at(written.len() / 2);
    let (mut rows, mut begin) = (SparseRows::new(dimension), 0);
    for (row, &length) in lengths.iter().enumerate() {
        let range = begin..begin + length as usize;
        let terms: Vec<u32> = places[range.clone()].iter().map(|place| place.to_bits()).collect();
        rows.push(&terms, &weights[range.clone()]).ok_or(RowsFault::Places { row, dimension })?;
        begin = range.end;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_rows_are_their_numbers_and_then_the_places_of_these() {
        let places = |places: &[u32]| places.iter().map(|&place| f32::from_bits(place)).collect::<Vec<f32>>();
        let written = [vec![0.5, 1.5, 2.5], places(&[3, 0, 2])].concat();
        assert_eq!(numbers(RowForm::Sparse, 4, &[1, 0, 2], &[""; 3]).unwrap(), 6);
        let many = numbers(RowForm::Sparse, 4, &[1, 5, 2], &[""; 3]).unwrap_err().to_string();
        assert_eq!(many, "expected at most 4 non-zero numbers for text 1, found 5");
        let Ok(Embeddings::Sparse(rows)) = read(RowForm::Sparse, 4, &[1, 0, 2], &written) else { panic!() };
        assert_eq!((rows.row(0), rows.row(1)), ((&[3][..], &[0.5][..]), (&[][..], &[][..])));
        assert_eq!(rows.row(2), (&[0, 2][..], &[1.5, 2.5][..]));
        let refused = read(RowForm::Sparse, 3, &[1, 0, 2], &written).unwrap_err().to_string();
        assert!(refused.ends_with("less than its dimension, 3, found others in row 0"), "{refused}");
        // What a model leaves unwritten is not a number, and as a place it is beyond every dimension.
        assert!(read(RowForm::Sparse, 1 << 20, &[1], &[f32::NAN, f32::NAN]).is_err());
    }

    #[test]
    fn a_text_has_no_more_vectors_than_tokens_can_be() {
        let long = "x".repeat(100_000);
        assert!(numbers(RowForm::MultiVector, 2, &[100_000], &[&long]).is_ok());
        let many = numbers(RowForm::MultiVector, 2, &[100_000], &["short"]).unwrap_err().to_string();
        assert_eq!(many, "expected at most 65536 vectors for text 0, found 100000");
        let many = numbers(RowForm::MultiVector, 1 << 20, &[65_536], &["short"]).unwrap();
        let large = check_room(many).unwrap_err().to_string();
        assert!(large.starts_with("expected rows of at most 17179869184 bytes in a batch"), "{large}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_batch_for_which_there_is_no_memory_is_refused() {
        check_room(1 << 10).unwrap();
        // Twice this is more than is free; others may give some back meanwhile, but not as much again.
        let free = usize::try_from(mteb_system::machine::free_memory().unwrap()).unwrap();
        let refused = check_room(free / size_of::<f32>()).unwrap_err().to_string();
        assert!(refused.starts_with("the rows of a batch: ") || free > MOST_BYTES, "{refused}");
    }

    #[test]
    fn vectors_lie_text_after_text() {
        assert_eq!(numbers(RowForm::MultiVector, 2, &[2, 0, 1], &[""; 3]).unwrap(), 6);
        let found = read(RowForm::MultiVector, 2, &[2, 0, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let Ok(Embeddings::MultiVector(texts)) = found else { panic!() };
        assert_eq!(
            (texts.row(0), texts.row(1), texts.row(2)),
            (&[1.0, 2.0, 3.0, 4.0][..], &[][..], &[5.0, 6.0][..])
        );
    }
}
