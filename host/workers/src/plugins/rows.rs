//! Rows that have no fixed width, as a worker wrote them: nothing of them is believed before it is checked.

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

/// Numbers that a worker has written for rows of these lengths, one for each of `texts`.
///
/// # Errors
/// One line, if a text cannot have so many.
pub fn numbers(form: RowForm, dimension: usize, lengths: &[u32], texts: &[&str]) -> Result<usize, String> {
    let most = |text: &str| match form {
        RowForm::MultiVector => text.len().max(MOST_VECTORS),
        // The places of a row ascend.
        RowForm::Dense | RowForm::Sparse => dimension,
    };
    for (row, (&length, text)) in lengths.iter().zip(texts).enumerate() {
        let most = most(text);
        if length as usize > most {
            let what = if form == RowForm::MultiVector { "vectors" } else { "numbers that are not zero" };
            return Err(format!("expected at most {most} {what} of text {row}, found {length}"));
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
/// One line, if it is, or there is no memory for it now.
pub fn check_room(numbers: usize) -> Result<(), String> {
    let bytes = numbers.saturating_mul(size_of::<f32>());
    if bytes > MOST_BYTES {
        return Err(format!(
            "expected rows of at most {MOST_BYTES} bytes in a batch, found {bytes}; use a smaller `--batch-tokens`"
        ));
    }
    // They are copied from the worker, and then to where they are kept.
    let both = bytes.saturating_mul(2);
    if let Some(free) = mteb_system::machine::free_memory().filter(|&free| both > MANY && both as u64 > free)
    {
        return Err(format!(
            "the rows of a batch: it asks for {both} bytes of memory, of which {free} are free"
        ));
    }
    mteb_files::check_room::<u8>(both).map_err(|error| format!("the rows of a batch: {error}"))
}

/// The rows in `written`, of which there are [`numbers`].
///
/// # Errors
/// One line, if a row is none.
pub fn read(form: RowForm, dimension: usize, lengths: &[u32], written: &[f32]) -> Result<Embeddings, String> {
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

fn sparse(dimension: usize, lengths: &[u32], written: &[f32]) -> Result<SparseRows, String> {
    let (weights, places) = written.split_at(written.len() / 2);
    let (mut rows, mut begin) = (SparseRows::new(dimension), 0);
    for (row, &length) in lengths.iter().enumerate() {
        let range = begin..begin + length as usize;
        let terms: Vec<u32> = places[range.clone()].iter().map(|place| place.to_bits()).collect();
        rows.push(&terms, &weights[range.clone()]).ok_or_else(|| {
            format!(
                "expected places of a sparse row that ascend and are less than its dimension, {dimension}, found others in row {row}"
            )
        })?;
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
        assert_eq!(numbers(RowForm::Sparse, 4, &[1, 0, 2], &[""; 3]), Ok(6));
        let many = numbers(RowForm::Sparse, 4, &[1, 5, 2], &[""; 3]).unwrap_err();
        assert_eq!(many, "expected at most 4 numbers that are not zero of text 1, found 5");
        let Ok(Embeddings::Sparse(rows)) = read(RowForm::Sparse, 4, &[1, 0, 2], &written) else { panic!() };
        assert_eq!((rows.row(0), rows.row(1)), ((&[3][..], &[0.5][..]), (&[][..], &[][..])));
        assert_eq!(rows.row(2), (&[0, 2][..], &[1.5, 2.5][..]));
        let refused = read(RowForm::Sparse, 3, &[1, 0, 2], &written).unwrap_err();
        assert!(refused.ends_with("less than its dimension, 3, found others in row 0"), "{refused}");
        // What a model leaves unwritten is not a number, and as a place it is beyond every dimension.
        assert!(read(RowForm::Sparse, 1 << 20, &[1], &[f32::NAN, f32::NAN]).is_err());
    }

    #[test]
    fn a_text_has_no_more_vectors_than_tokens_can_be() {
        let long = "x".repeat(100_000);
        assert!(numbers(RowForm::MultiVector, 2, &[100_000], &[&long]).is_ok());
        let many = numbers(RowForm::MultiVector, 2, &[100_000], &["short"]).unwrap_err();
        assert_eq!(many, "expected at most 65536 vectors of text 0, found 100000");
        let large =
            check_room(numbers(RowForm::MultiVector, 1 << 20, &[65_536], &["short"]).unwrap()).unwrap_err();
        assert!(large.starts_with("expected rows of at most 17179869184 bytes in a batch"), "{large}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_batch_for_which_there_is_no_memory_is_refused() {
        check_room(1 << 10).unwrap();
        // Twice this is more than is free; others may give some back meanwhile, but not as much again.
        let free = usize::try_from(mteb_system::machine::free_memory().unwrap()).unwrap();
        let refused = check_room(free / size_of::<f32>()).unwrap_err();
        assert!(refused.starts_with("the rows of a batch: ") || free > MOST_BYTES, "{refused}");
    }

    #[test]
    fn vectors_lie_text_after_text() {
        assert_eq!(numbers(RowForm::MultiVector, 2, &[2, 0, 1], &[""; 3]), Ok(6));
        let found = read(RowForm::MultiVector, 2, &[2, 0, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let Ok(Embeddings::MultiVector(texts)) = found else { panic!() };
        assert_eq!(
            (texts.row(0), texts.row(1), texts.row(2)),
            (&[1.0, 2.0, 3.0, 4.0][..], &[][..], &[5.0, 6.0][..])
        );
    }
}
