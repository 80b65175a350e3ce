//! Intervals: Student's interval of a mean, the bootstrap over items (queries, pairs, texts), and
//! how sure every test and interval is.

use mteb_measures::random::Generator;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// An estimate and the range that covers the truth in 95 of 100 samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The same interval without what lies beyond `low` and `high`, where no value can be.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        Self { low: self.low.max(low), high: self.high.min(high), ..self }
    }

    /// True if `value` is within the range.
    pub fn covers(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Student's 95 % interval of the mean of the population that `values` are drawn from; `None` for fewer than two values, which
/// say nothing of how much values vary.
///
/// The plain percentile bootstrap covers only 86 % at six values; this covers 95 % where values are normal.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let (mean, error) = mean_and_error(values)?;
    let reach = t_quantile((values.len() - 1) as f64, 1.0 - ALPHA / 2.0)? * error;
    Some(Interval { estimate: mean, low: mean - reach, high: mean + reach })
}

/// Mean and its standard error.
pub(super) fn mean_and_error(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (squares / (count - 1.0) / count).sqrt()))
}

/// The quantile of Student's distribution with so many degrees of freedom.
pub(super) fn t_quantile(freedom: f64, share: f64) -> Option<f64> {
    StudentsT::new(0.0, 1.0, freedom).ok().map(|distribution| distribution.inverse_cdf(share))
}

/// The two-sided p-value of a statistic `t` with so many degrees of freedom.
pub(super) fn t_p_value(t: f64, freedom: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom) {
        Ok(distribution) if !t.is_nan() => (2.0 * distribution.cdf(-t.abs())).min(1.0),
        _ => 1.0,
    }
}

/// The share of wrong calls that every test and interval allows.
pub const ALPHA: f64 = 0.05;

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub struct Bootstrap {
    /// Samples that are drawn.
    pub draws: usize,
    /// Seed: the same items give the same interval.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { draws: 2_000, seed: 42 }
    }
}

/// The studentised 95 % interval of the mean of `values`, which are one number an item; of a difference of two models if they
/// are paired differences. `None` for fewer than two values. Source: Efron and Tibshirani 1993, chapter 12.5.
pub fn bootstrap_mean(values: &[f64], how: Bootstrap) -> Option<Interval> {
    let (mean, error) = mean_and_error(values)?;
    if error == 0.0 {
        return Some(Interval { estimate: mean, low: mean, high: mean });
    }
    let mut generator = Generator::new(how.seed);
    let mut sample = vec![0.0; values.len()];
    let mut studentised = Vec::with_capacity(how.draws);
    for _ in 0..how.draws {
        sample.iter_mut().for_each(|value| *value = values[draw(&mut generator, values.len())]);
        if let Some((drawn, drawn_error)) = mean_and_error(&sample)
            && drawn_error > 0.0
        {
            studentised.push((drawn - mean) / drawn_error);
        }
    }
    let (low, high) = ends(&mut studentised)?;
    Some(Interval { estimate: mean, low: mean - high * error, high: mean - low * error })
}

/// The 95 % interval of a statistic of items that is no mean, such as an average precision or a correlation: the range of its
/// values on drawn items. `statistic` gets the numbers of the items.
pub fn bootstrap_statistic(
    items: usize,
    how: Bootstrap,
    statistic: &dyn Fn(&[usize]) -> f64,
) -> Option<Interval> {
    if items < 2 {
        return None;
    }
    let mut values = on_drawn_items(items, how, statistic);
    values.retain(|value| value.is_finite());
    let (low, high) = ends(&mut values)?;
    let all: Vec<usize> = (0..items).collect();
    Some(Interval { estimate: statistic(&all), low, high })
}

/// The values of a statistic on items drawn with replacement, `how.draws` of them: the same items for whoever has as many.
/// `statistic` gets the numbers of the items.
pub fn on_drawn_items(items: usize, how: Bootstrap, statistic: &dyn Fn(&[usize]) -> f64) -> Vec<f64> {
    let mut generator = Generator::new(how.seed);
    let mut sample = vec![0; items];
    let mut value = || {
        sample.iter_mut().for_each(|item| *item = draw(&mut generator, items));
        statistic(&sample)
    };
    (0..how.draws).map(|_| value()).collect()
}

fn draw(generator: &mut Generator, items: usize) -> usize {
    ((u128::from(generator.next_u64()) * items as u128) >> 64) as usize
}

/// The values below which a half of α lies, and above which the other half lies.
fn ends(values: &mut [f64]) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    Some((at(ALPHA / 2.0), at(1.0 - ALPHA / 2.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_scipy() {
        // scipy.stats.t.interval(0.95, 4, loc=mean, scale=sem) of these values.
        let interval = mean_interval(&[0.2, 0.4, 0.5, 0.7, 0.9]).unwrap();
        assert!((interval.low - 0.204_520_861).abs() < 1e-8, "{interval:?}");
        assert!((interval.high - 0.875_479_138).abs() < 1e-8, "{interval:?}");
        assert_eq!(mean_interval(&[0.5]), None);
    }
}
