//! The place of the largest of several numbers, as torch finds it.

use std::cmp::Ordering;

use super::argsort::cut;

/// Fewest numbers of which torch takes the first of several largest.
const MANY: usize = 64;

/// The place of the largest of `values` that `torch.topk` with k = 1 gives: of several equal ones the first, but of fewer than 64 values that which the GNU
/// library's `std::nth_element` leaves in front. No value is NaN.
pub fn largest(values: &[f32]) -> Option<usize> {
    // What sorts in ascending order finds the largest first.
    let keys: Vec<f32> = values.iter().map(|value| -value).collect();
    let mut places: Vec<usize> = (0..keys.len()).collect();
    let mut end = places.len();
    if end < MANY {
        let mut depth = if end > 1 { 2 * end.ilog2() } else { 0 };
        while end > 3 && depth > 0 {
            depth -= 1;
            end = cut(&keys, &mut places[..end]);
        }
    }
    places[..end].iter().copied().min_by(|&a, &b| keys[a].partial_cmp(&keys[b]).unwrap_or(Ordering::Equal))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// torch 2.11: `torch.topk(torch.tensor([values]), 1)` of 1 to 63 values.
    #[test]
    fn of_equal_numbers_it_is_the_one_that_torch_takes() {
        let equal = [
            0, 0, 0, 2, 2, 3, 5, 6, 7, 8, 8, 9, 8, 9, 9, 10, 10, 11, 11, 12, 13, 14, 14, 15, 17, 18, 18, 19,
            20, 21, 21, 22, 23, 24, 24, 25, 26, 27, 27, 28, 28, 29, 29, 30, 31, 32, 32, 33, 32, 33, 33, 34,
            35, 36, 36, 37, 37, 38, 38, 39, 40, 41, 41,
        ];
        let mixed = [
            0, 0, 2, 2, 2, 2, 2, 4, 2, 9, 4, 2, 7, 9, 12, 9, 9, 14, 7, 12, 12, 7, 9, 9, 14, 22, 9, 12, 17,
            12, 27, 12, 12, 22, 14, 12, 32, 17, 12, 34, 32, 14, 37, 29, 27, 17, 12, 27, 14, 44, 29, 29, 22,
            37, 32, 49, 22, 34, 19, 49, 19, 27, 27,
        ];
        for count in 1..MANY {
            assert_eq!(largest(&vec![1.0; count]), Some(equal[count - 1]), "{count} equal ones");
            let values: Vec<f32> = (0..count).map(|i| ((i * i * 7 + i * 3) % 5) as f32).collect();
            assert_eq!(largest(&values), Some(mixed[count - 1]), "{count} mixed ones");
        }
    }

    #[test]
    fn of_many_numbers_it_is_the_first() {
        assert_eq!(largest(&[2.0; 64]), Some(0));
        assert_eq!(largest(&[[1.0; 50], [3.0; 50]].concat()), Some(50));
        assert_eq!(largest(&[0.0, -0.0]), Some(0));
        assert_eq!(largest(&[]), None);
    }
}
