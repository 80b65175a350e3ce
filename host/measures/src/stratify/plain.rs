//! A subsample of all rows alike.

use crate::random::Generator;

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
