//! Whether a main score is one of the scores beside it, as it is in every result file.

/// Files of others have some of their scores rounded to four decimals.
const ROUNDING: f64 = 1.01e-4;

/// True if `main` is one of `scores`, as far as these are rounded, or if there are none.
pub fn is_among(main: f64, scores: &[f64]) -> bool {
    scores.is_empty() || scores.iter().any(|score| (score - main).abs() <= ROUNDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_decimals_are_enough_to_be_the_same_score() {
        assert!(is_among(0.123456, &[0.7, 0.12346]) && is_among(0.5, &[]));
        assert!(!is_among(0.999, &[0.6]));
    }
}
