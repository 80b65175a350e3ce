//! Two-sided p-values of correlations.

use statrs::function::beta::beta_reg;

/// The probability that uncorrelated normal data of `count` pairs gives a Pearson correlation at least as far
/// from 0 as `correlation`.
///
/// scipy's `pearsonr` takes it from the symmetric beta distribution with parameter `count`/2 − 1 on [-1, 1]; the
/// tail of that distribution equals the regularised incomplete beta function I(1 − r²; `count`/2 − 1, 1/2).
/// 1 for two pairs; NaN for a NaN or fewer pairs.
pub fn pearson_p_value(correlation: f64, count: usize) -> f64 {
    if count == 2 && !correlation.is_nan() { 1.0 } else { two_sided(correlation, count) }
}

/// The two-sided p-value of a Spearman correlation over `count` pairs.
///
/// scipy's `spearmanr` takes it from Student's t with `count` − 2 degrees of freedom at
/// r·√((`count` − 2)/((1 + r)(1 − r))); the two tails equal I(1 − r²; `count`/2 − 1, 1/2). NaN for a NaN or fewer
/// than three pairs, where there is no degree of freedom left.
pub fn spearman_p_value(correlation: f64, count: usize) -> f64 {
    two_sided(correlation, count)
}

fn two_sided(correlation: f64, count: usize) -> f64 {
    if correlation.is_nan() || count < 3 {
        return f64::NAN;
    }
    let freedom = (count - 2) as f64;
    let explained = correlation * correlation;
    // Below this share the other tail is the one that neither 1 − r² nor the continued fraction spoils.
    if explained < 3.0 / (freedom + 5.0) {
        1.0 - beta_reg(0.5, freedom / 2.0, explained)
    } else {
        let unexplained = ((1.0 - correlation) * (1.0 + correlation)).clamp(0.0, 1.0);
        beta_reg(freedom / 2.0, 0.5, unexplained)
    }
}
