//! Whether two sides found the same documents.

use std::path::Path;

/// Scores that differ by no more may be those of a tie: sides add in other orders.
const TIE: f32 = 1e-6;

/// How two lists of the best documents differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Ranks at which both name a document.
    pub ranks: usize,
    /// Ranks at which they name different documents whose scores tie.
    pub swapped: usize,
    /// Ranks at which they name different documents whose scores do not tie.
    pub wrong: usize,
}

/// Compares the files that two sides wrote to `folder`.
pub fn compare(folder: &Path, one: &str, other: &str, depth: usize) -> Result<Agreement, String> {
    let side = |name: &str| -> Result<_, String> {
        let ids = read(&folder.join(format!("{name}.ids")))?;
        Ok((ids, read(&folder.join(format!("{name}.scores")))?))
    };
    let ((ids, scores), (other_ids, other_scores)) = (side(one)?, side(other)?);
    if [scores.len(), other_ids.len(), other_scores.len()] != [ids.len(); 3] {
        return Err(format!(
            "{one} and {other} found different numbers of documents in {}",
            folder.display()
        ));
    }
    let mut agreement = Agreement::default();
    let lists = ids.chunks(depth).zip(scores.chunks(depth));
    let other_lists = other_ids.chunks(depth).zip(other_scores.chunks(depth));
    for (one, other) in lists.zip(other_lists) {
        add(&mut agreement, one, other);
    }
    Ok(agreement)
}

/// One query. At a rank with two different documents their scores must tie, and so must the scores that either side gives
/// to our document; a document that the other side lacks must tie with its last.
fn add(
    agreement: &mut Agreement,
    (ids, scores): (&[u32], &[u32]),
    (other_ids, other_scores): (&[u32], &[u32]),
) {
    let near = |one: u32, other: u32| (f32::from_bits(one) - f32::from_bits(other)).abs() <= TIE;
    for rank in 0..ids.len() {
        agreement.ranks += 1;
        let elsewhere = other_ids.iter().position(|&id| id == ids[rank]).unwrap_or(ids.len() - 1);
        let tied = near(scores[rank], other_scores[rank]) && near(scores[rank], other_scores[elsewhere]);
        if !tied {
            agreement.wrong += 1;
        } else if ids[rank] != other_ids[rank] {
            agreement.swapped += 1;
        }
    }
}

fn read(path: &Path) -> Result<Vec<u32>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(one: &[(u32, f32)], other: &[(u32, f32)]) -> [usize; 2] {
        let split = |list: &[(u32, f32)]| -> (Vec<u32>, Vec<u32>) {
            list.iter().map(|&(id, score)| (id, score.to_bits())).unzip()
        };
        let ((ids, scores), (other_ids, other_scores)) = (split(one), split(other));
        let mut agreement = Agreement::default();
        add(&mut agreement, (&ids, &scores), (&other_ids, &other_scores));
        [agreement.swapped, agreement.wrong]
    }

    #[test]
    fn only_ties_may_be_swapped() {
        let ours = [(7, 0.9), (8, 0.5), (9, 0.5)];
        assert_eq!(agreement(&ours, &ours), [0, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (9, 0.5), (8, 0.5)]), [2, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (8, 0.5), (6, 0.5)]), [1, 0]);
        assert_eq!(agreement(&ours, &[(7, 0.9), (8, 0.5), (9, 0.4)]), [0, 1]);
        assert_eq!(agreement(&ours, &[(8, 0.9), (7, 0.5), (9, 0.5)]), [0, 2]);
    }
}
