//! Rows that have no fixed width, as a worker wrote them: nothing of them is believed before it is checked.

use mteb_plugin_api::RowForm;
use mteb_search::{MultiVectors, SparseRows};
use mteb_tasks::{Embeddings, Matrix};

/// Numbers that a worker has written for rows of these lengths; `None` if so many cannot be.
pub fn numbers(form: RowForm, dimension: usize, lengths: &[u32]) -> Option<usize> {
    let total = lengths.iter().map(|&length| length as usize).sum::<usize>();
    match form {
        RowForm::Dense => None,
        RowForm::Sparse => total.checked_mul(2),
        RowForm::MultiVector => total.checked_mul(dimension),
    }
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
        assert_eq!(numbers(RowForm::Sparse, 4, &[1, 0, 2]), Some(6));
        let Ok(Embeddings::Sparse(rows)) = read(RowForm::Sparse, 4, &[1, 0, 2], &written) else { panic!() };
        assert_eq!((rows.row(0), rows.row(1)), ((&[3][..], &[0.5][..]), (&[][..], &[][..])));
        assert_eq!(rows.row(2), (&[0, 2][..], &[1.5, 2.5][..]));
        let refused = read(RowForm::Sparse, 3, &[1, 0, 2], &written).unwrap_err();
        assert!(refused.ends_with("less than its dimension, 3, found others in row 0"), "{refused}");
        // What a model leaves unwritten is not a number, and as a place it is beyond every dimension.
        assert!(read(RowForm::Sparse, 1 << 20, &[1], &[f32::NAN, f32::NAN]).is_err());
    }

    #[test]
    fn vectors_lie_text_after_text() {
        assert_eq!(numbers(RowForm::MultiVector, 2, &[2, 0, 1]), Some(6));
        let found = read(RowForm::MultiVector, 2, &[2, 0, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let Ok(Embeddings::MultiVector(texts)) = found else { panic!() };
        assert_eq!(
            (texts.row(0), texts.row(1), texts.row(2)),
            (&[1.0, 2.0, 3.0, 4.0][..], &[][..], &[5.0, 6.0][..])
        );
    }
}
