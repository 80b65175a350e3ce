//! Intervals of coefficients over items.

use mteb_measures::random::SplitMix64;

use super::coefficients::Ratings;

/// Samples of an interval.
const SAMPLES: usize = 1000;

/// The 95 % interval of `coefficient` over items: percentiles of samples with replacement, drawn by a fixed seed. `None` where fewer than
/// half of the samples have a coefficient.
pub fn interval(ratings: &Ratings, coefficient: &dyn Fn(&Ratings) -> Option<f64>) -> Option<[f64; 2]> {
    let mut draws = SplitMix64::new(42);
    let sample = |draws: &mut SplitMix64| -> Option<f64> {
        let drawn: Ratings =
            (0..ratings.len()).map(|_| ratings[draws.below(ratings.len())].clone()).collect();
        coefficient(&drawn).filter(|value| value.is_finite())
    };
    let mut found: Vec<f64> = (0..SAMPLES).filter_map(|_| sample(&mut draws)).collect();
    if ratings.is_empty() || found.len() < SAMPLES / 2 {
        return None;
    }
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found[((found.len() - 1) as f64 * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

#[cfg(test)]
mod tests {
    use super::super::{Level, krippendorff};
    use super::*;

    #[test]
    fn an_interval_holds_the_coefficient_and_narrows_with_more_items() {
        let item = |equal: bool| vec![Some(1.0), Some(if equal { 1.0 } else { 0.0 })];
        let of = |number: usize| -> Ratings {
            let other = std::iter::repeat_n(vec![Some(0.0), Some(0.0)], number);
            (0..number).map(|place| item(place % 4 != 0)).chain(other).collect()
        };
        let alpha = |ratings: &Ratings| krippendorff(ratings, Level::Nominal);
        let [low, high] = interval(&of(40), &alpha).unwrap();
        let is = alpha(&of(40)).unwrap();
        assert!(low < is && is < high, "{low} {is} {high}");
        let [low_of_more, high_of_more] = interval(&of(400), &alpha).unwrap();
        assert!(high_of_more - low_of_more < (high - low) / 2.0);
    }
}
