//! Subsamples with the shares of the labels, one label per row (protocol 6.9), or of all rows
//! alike.

use crate::random::Generator;

/// Rows of a stratified subsample of `count` rows, in the order in which they are evaluated.
///
/// `labels` holds the label of every row as a code; codes must ascend as the labels' names do. All rows in order if
/// there are no more than `count`. Source: datasets 5.2, `train_test_split(stratify_by_column=…)`, as mteb 2.26.24
/// calls it in `stratified_subsampling`.
///
/// # Errors
/// If a label has a single row, or if the subsample or the rest has fewer rows than there are labels.
pub fn stratified_subsample(labels: &[u32], count: usize, seed: u64) -> Result<Vec<usize>, StratifyError> {
    if labels.len() <= count {
        return Ok((0..labels.len()).collect());
    }
    stratified_split(labels, (labels.len() - count, count), seed).map(|split| split.chosen)
}

/// Rows that are divided in two with the shares of the labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StratifiedSplit {
    /// The rows that are left, in the order in which the reference has them.
    pub others: Vec<usize>,
    /// The rows that were asked for, likewise.
    pub chosen: Vec<usize>,
}

/// Chooses `count` rows and, of those that are left, `others`; `labels` as for [`stratified_subsample`], with the same source.
///
/// # Errors
/// As [`stratified_subsample`]; also if there are not as many rows.
pub fn stratified_split(
    labels: &[u32],
    (others, count): (usize, usize),
    seed: u64,
) -> Result<StratifiedSplit, StratifyError> {
    let classes = rows_by_label(labels);
    check(labels, &classes, (others, count))?;
    let mut generator = Generator::new(seed);
    let sizes: Vec<usize> = classes.iter().map(Vec::len).collect();
    let left = allot(&sizes, others, &mut generator);
    let rest: Vec<usize> = sizes.iter().zip(&left).map(|(size, left)| size - left).collect();
    let kept = allot(&rest, count, &mut generator);

    let (mut others, mut chosen) = (Vec::new(), Vec::new());
    for ((rows, left), kept) in classes.iter().zip(left).zip(kept) {
        let order = generator.permutation(rows.len());
        others.extend(order[..left].iter().map(|&index| rows[index]));
        chosen.extend(order[left..left + kept].iter().map(|&index| rows[index]));
    }
    generator.shuffle(&mut others);
    generator.shuffle(&mut chosen);
    Ok(StratifiedSplit { others, chosen })
}

/// The rows of every label that occurs, by ascending code.
fn rows_by_label(labels: &[u32]) -> Vec<Vec<usize>> {
    let codes = labels.iter().max().map_or(0, |&largest| largest as usize + 1);
    let mut rows = vec![Vec::new(); codes];
    for (row, &label) in labels.iter().enumerate() {
        rows[label as usize].push(row);
    }
    rows.retain(|rows| !rows.is_empty());
    rows
}

fn check(
    labels: &[u32],
    classes: &[Vec<usize>],
    (others, count): (usize, usize),
) -> Result<(), StratifyError> {
    if let Some(lonely) = classes.iter().find(|rows| rows.len() < 2) {
        return Err(StratifyError::LonelyLabel { label: labels[lonely[0]] });
    }
    let left = others.min(labels.len().saturating_sub(count));
    if count.min(left) < classes.len() {
        return Err(StratifyError::TooFewRows { labels: classes.len(), kept: count, left });
    }
    Ok(())
}

/// How many of `draws` rows each class gives: its share rounded down, and the rest to the largest remainders.
///
/// Classes with the same remainder are drawn when there is not enough for all of them.
fn allot(sizes: &[usize], draws: usize, generator: &mut Generator) -> Vec<usize> {
    let total: usize = sizes.iter().sum();
    let shares: Vec<f64> = sizes.iter().map(|size| (draws * size) as f64 / total as f64).collect();
    let mut given: Vec<usize> = shares.iter().map(|share| *share as usize).collect();
    let remainders: Vec<f64> = shares.iter().map(|share| share - share.floor()).collect();
    let mut levels = remainders.clone();
    levels.sort_unstable_by(|left, right| right.total_cmp(left));
    levels.dedup();
    let mut missing = draws - given.iter().sum::<usize>();
    for level in levels {
        if missing == 0 {
            break;
        }
        let tied: Vec<usize> = (0..sizes.len()).filter(|&class| remainders[class] == level).collect();
        let add = tied.len().min(missing);
        for index in generator.choice_without_replacement(tied.len(), add) {
            given[tied[index]] += 1;
        }
        missing -= add;
    }
    given
}

/// `count` of `rows` rows, in the order in which they are evaluated; all of them in order if there are no more.
///
/// Source: datasets 5.2, the test side of `train_test_split(test_size=count, seed=seed)` (protocol 6.9).
pub fn plain_subsample(rows: usize, count: usize, seed: u64) -> Vec<usize> {
    if rows <= count {
        return (0..rows).collect();
    }
    let mut chosen = Generator::new(seed).permutation(rows);
    chosen.truncate(count);
    chosen
}

/// Labels that a stratified subsample cannot keep the shares of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StratifyError {
    /// A label has a single row, which cannot be on both sides of the split.
    #[error("expected at least 2 rows of every label, found 1 of label number {label}; drop that row")]
    LonelyLabel {
        /// Code of the label.
        label: u32,
    },
    /// One side of the split has not enough rows to hold every label once.
    #[error(
        "expected a subsample of at least {labels} rows that leaves at least {labels}, one for each label; \
         found {kept} kept and {left} left"
    )]
    TooFewRows {
        /// Number of labels.
        labels: usize,
        /// Rows of the subsample.
        kept: usize,
        /// Rows outside of it.
        left: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_test_side_of_the_reference_split() {
        // datasets.Dataset.from_dict({"x": list(range(30))}).train_test_split(test_size=8, seed=42)["test"]["x"]
        assert_eq!(plain_subsample(30, 8, 42), [29, 16, 7, 25, 24, 22, 5, 21]);
        assert_eq!(plain_subsample(5, 5, 42), [0, 1, 2, 3, 4]);
    }
}
