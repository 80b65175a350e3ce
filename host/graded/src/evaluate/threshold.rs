//! From which score on a document is relevant, for recall.

use std::fmt;
use std::str::FromStr;

use mteb_measures::correlation::average_ranks;

/// How thresholds are found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum ThresholdRule {
    /// Each judge's own, as its card says.
    #[default]
    Own,
    /// The same score for all.
    Flat(f64),
    /// The score below which so many percent of a judge's scores lie.
    Percentile(f64),
    /// The same score for all, after the scores of each judge are brought to the distribution that they have on average.
    Quantile(f64),
}

impl fmt::Display for ThresholdRule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => out.write_str("own"),
            Self::Flat(score) => write!(out, "{score}"),
            Self::Percentile(share) => write!(out, "p{share}"),
            Self::Quantile(score) => write!(out, "q{score}"),
        }
    }
}

/// A text that names no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected `own`, a score such as `7`, a percentile such as `p90`, or a score after quantile \
     normalisation such as `q7`, found: {0}"
)]
pub struct ThresholdRuleError(String);

impl FromStr for ThresholdRule {
    type Err = ThresholdRuleError;

    fn from_str(text: &str) -> Result<Self, ThresholdRuleError> {
        let number =
            |text: &str, most: f64| text.parse::<f64>().ok().filter(|number| (0.0..=most).contains(number));
        let rule = match text.split_at_checked(1) {
            _ if text == "own" => Some(Self::Own),
            Some(("p", rest)) => number(rest, 100.0).map(Self::Percentile),
            Some(("q", rest)) => number(rest, 10.0).map(Self::Quantile),
            _ => number(text, 10.0).map(Self::Flat),
        };
        rule.ok_or_else(|| ThresholdRuleError(text.to_owned()))
    }
}

impl ThresholdRule {
    /// The threshold of each judge, of whom `own` and `scores` tell the card's threshold and all scores. After quantile
    /// normalisation a score reaches the common threshold just if it reaches the one that is given here.
    pub fn thresholds(self, own: &[f64], scores: &[Vec<f64>]) -> Vec<f64> {
        match self {
            Self::Own => own.to_vec(),
            Self::Flat(score) => vec![score; own.len()],
            Self::Percentile(share) => scores.iter().map(|scores| percentile(scores, share)).collect(),
            Self::Quantile(score) => {
                let normalised = quantile_normalised(scores);
                let least = |(scores, normalised): (&Vec<f64>, Vec<f64>)| {
                    let reached =
                        scores.iter().zip(normalised).filter(|(_, normalised)| *normalised >= score);
                    reached.map(|(score, _)| *score).fold(f64::INFINITY, f64::min)
                };
                scores.iter().zip(normalised).map(least).collect()
            }
        }
    }
}

/// The score below which `share` percent of `scores` lie, between two scores on the line that joins them, as numpy's
/// `percentile`; infinite if there is no score.
pub fn percentile(scores: &[f64], share: f64) -> f64 {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    at(&sorted, share / 100.0 * sorted.len().saturating_sub(1) as f64)
}

/// The scores of each judge brought to one distribution: the mean over the judges of the score at the same share. Equal
/// scores stay equal.
///
/// Source: Bolstad et al. 2003, "A comparison of normalization methods"; the shares are (rank − ½) ÷ number, tied scores share the
/// mean of their ranks.
pub fn quantile_normalised(judges: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let sorted: Vec<Vec<f64>> = judges
        .iter()
        .filter(|scores| !scores.is_empty())
        .map(|scores| {
            let mut sorted = scores.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted
        })
        .collect();
    let mean = |share: f64| {
        let scores = sorted.iter().map(|scores| at(scores, share * scores.len() as f64 - 0.5));
        scores.sum::<f64>() / sorted.len() as f64
    };
    let of_judge = |scores: &Vec<f64>| -> Vec<f64> {
        let count = scores.len() as f64;
        average_ranks(scores).into_iter().map(|rank| mean((rank - 0.5) / count)).collect()
    };
    judges.iter().map(of_judge).collect()
}

/// The value at a place between two of `sorted`; the first and the last one beyond the ends.
fn at(sorted: &[f64], place: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::INFINITY };
    let place = place.clamp(0.0, last as f64);
    let (low, share) = (place.floor() as usize, place.fract());
    sorted[low] + (sorted[(low + 1).min(last)] - sorted[low]) * share
}
