//! The bootstrap over items: queries, pairs, texts.

use mteb_measures::random::Generator;

use super::interval::{ALPHA, Interval, mean_and_error};

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
