//! Tests of whether two models differ on the same units, and Holm's correction of several of them.

use mteb_measures::random::Generator;

use super::interval::{mean_and_error, t_p_value};

/// Units up to which every swap of the two models is counted.
const EXACT: usize = 14;
/// Units up to which `compare` counts every swap.
const EXACT_SLOW: usize = 20;
/// Swaps drawn where there are more units.
const DRAWS: usize = 20_000;
/// Seed of the draws: the same scores give the same p-value.
const SEED: u64 = 42;
/// Room for the order of additions.
const ROUNDING: f64 = 1e-12;

/// How a p-value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Every swap of the two models was counted.
    Exact,
    /// Swaps were drawn at random.
    Permutation,
    /// Student's paired test.
    Student,
}

/// A p-value and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedTest {
    /// The chance of a mean difference at least this large between models that are alike.
    pub p_value: f64,
    /// How it was found.
    pub test: Test,
}

/// The test of tables with many models: exact for few units, Student's for more.
pub fn paired_test(differences: &[f64]) -> PairedTest {
    if differences.len() <= EXACT { exact_test(differences) } else { t_test(differences) }
}

/// The paired permutation test: exact up to 20 units, else with 20,000 drawn swaps.
pub fn permutation_test(differences: &[f64]) -> PairedTest {
    if differences.len() <= EXACT_SLOW {
        return exact_test(differences);
    }
    let observed = differences.iter().sum::<f64>().abs();
    let mut generator = Generator::new(SEED);
    let at_least =
        (0..DRAWS).filter(|_| drawn_sum(differences, &mut generator).abs() >= observed - ROUNDING).count();
    // The observed one is one of the swaps.
    PairedTest { p_value: (at_least + 1) as f64 / (DRAWS + 1) as f64, test: Test::Permutation }
}

/// The exact paired permutation test: the share of the 2ⁿ swaps whose mean difference is at least the observed one. Each swap is
/// one change of sign after another (Gray code).
pub fn exact_test(differences: &[f64]) -> PairedTest {
    let observed = differences.iter().sum::<f64>().abs();
    let units = differences.len().min(usize::BITS as usize - 2);
    let mut signs = vec![1.0; units];
    let mut sum: f64 = differences.iter().sum();
    let mut at_least = 1usize;
    for swap in 1..(1usize << units) {
        let unit = swap.trailing_zeros() as usize;
        sum -= 2.0 * signs[unit] * differences[unit];
        signs[unit] = -signs[unit];
        at_least += usize::from(sum.abs() >= observed - ROUNDING);
    }
    PairedTest { p_value: at_least as f64 / (1u64 << units) as f64, test: Test::Exact }
}

/// The paired permutation test of a statistic that is no mean: the share of `draws` random swaps of `items` after which it is
/// at least as far from 0 as the `observed` one. `statistic` gets for each item whether it is swapped.
pub fn swap_test(
    items: usize,
    draws: usize,
    observed: f64,
    statistic: &dyn Fn(&[bool]) -> f64,
) -> PairedTest {
    let mut generator = Generator::new(SEED);
    let mut is_swapped = vec![false; items];
    let mut draw = || {
        for chunk in is_swapped.chunks_mut(64) {
            let bits = generator.next_u64();
            chunk.iter_mut().enumerate().for_each(|(place, swapped)| *swapped = bits >> place & 1 == 1);
        }
        statistic(&is_swapped)
    };
    let at_least = (0..draws).filter(|_| draw().abs() >= observed.abs() - ROUNDING).count();
    PairedTest { p_value: (at_least + 1) as f64 / (draws + 1) as f64, test: Test::Permutation }
}

/// Student's paired test.
pub fn t_test(differences: &[f64]) -> PairedTest {
    let p_value = match mean_and_error(differences) {
        None => 1.0,
        Some((mean, error)) if error <= f64::EPSILON * mean.abs() => f64::from(u8::from(mean == 0.0)),
        Some((mean, error)) => t_p_value(mean / error, (differences.len() - 1) as f64),
    };
    PairedTest { p_value, test: Test::Student }
}

fn drawn_sum(differences: &[f64], generator: &mut Generator) -> f64 {
    differences
        .chunks(64)
        .map(|chunk| {
            let bits = generator.next_u64();
            let signed = chunk.iter().enumerate();
            signed.map(|(place, value)| if bits >> place & 1 == 1 { *value } else { -value }).sum::<f64>()
        })
        .sum()
}

/// P-values corrected for being among these: rejecting those at most α keeps the chance of any wrong rejection at α. Source: Holm
/// 1979, "A simple sequentially rejective multiple test procedure".
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|left, right| p_values[*left].total_cmp(&p_values[*right]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (place, index) in order.into_iter().enumerate() {
        let remaining = (p_values.len() - place) as f64;
        largest = largest.max((p_values[index] * remaining).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_test_counts_every_swap() {
        // Of the 8 swaps of 1, 2, 3 only none and all are as large.
        assert_eq!(exact_test(&[1.0, 2.0, 3.0]), PairedTest { p_value: 0.25, test: Test::Exact });
        assert_eq!(exact_test(&[1.0, -1.0]).p_value, 1.0);
        assert_eq!(exact_test(&[0.5; 6]).p_value, 2.0 / 64.0);
        assert_eq!(exact_test(&[]).p_value, 1.0);
    }

    #[test]
    fn students_test_is_that_of_scipy() {
        // scipy.stats.ttest_1samp([0.1, 0.3, -0.1, 0.2, 0.4, 0.1], 0).pvalue
        let found = t_test(&[0.1, 0.3, -0.1, 0.2, 0.4, 0.1]).p_value;
        assert!((found - 0.067_105_771).abs() < 1e-6, "{found}");
        assert_eq!((t_test(&[0.0; 4]).p_value, t_test(&[0.5; 4]).p_value), (1.0, 0.0));
    }

    #[test]
    fn drawn_swaps_agree_with_all_swaps() {
        let differences: Vec<f64> = (0..18).map(|unit| f64::from(unit % 5) - 1.4).collect();
        let exact = exact_test(&differences).p_value;
        let wide: Vec<f64> = differences.iter().copied().chain([0.0; 6]).collect();
        let drawn = permutation_test(&wide);
        assert_eq!(drawn.test, Test::Permutation);
        assert!((drawn.p_value - exact).abs() < 0.01, "{} {exact}", drawn.p_value);
    }

    #[test]
    fn corrected_values_are_those_of_statsmodels() {
        // statsmodels.stats.multitest.multipletests([0.01, 0.04, 0.03, 0.005], method="holm")
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert!(holm(&[]).is_empty());
    }
}
