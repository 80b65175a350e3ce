//! Main scores of others that are another measure than the card of their task names: which one, and what the card's own is in the entry.

use mteb_measures::numeric::is_among;
use serde::{Deserialize, Serialize};

/// What reranking is scored by today. Before mteb 1.11 it was `map` over all candidates, of which no query has a thousand.
pub(super) const MAPS: [&str; 2] = ["map_at_1000", "max_over_subqueries_map_at_1000"];

/// How far a score may be from itself: files round to six decimals.
const ROUNDING: f64 = 1e-6;

/// What parts of names were called before, and are today.
const RENAMED: [(&str, &str); 2] = [("cos_sim_", "cosine_"), ("dot_sim_", "dot_")];

/// A main score that is another measure than the main score of its task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherMain {
    /// The measure that the card names.
    pub own: String,
    /// The measure that the main score is.
    pub found: String,
    /// What the entry has under the name of the card's measure; `None` where it has no number there.
    pub score: Option<f64>,
}

impl OtherMain {
    /// What is known of the main score `main` among `scores`, which are named; `None` where it is the measure `own`, or none of them.
    pub fn of<'a>(
        own: &str,
        main: f64,
        scores: impl Iterator<Item = (&'a str, f64)> + Clone,
    ) -> Option<Self> {
        let finite = scores.filter(|(_, score)| score.is_finite());
        let score = finite.clone().find(|(name, _)| *name == own).map(|(_, score)| score);
        if own.is_empty() || score.is_some_and(|score| is_same(score, main)) {
            return None;
        }
        let mut equal = finite.filter(|(name, score)| *name != own && (score - main).abs() <= ROUNDING);
        let (found, _) = equal.clone().next()?;
        if score.is_none() && equal.any(|(name, _)| is_same_measure(name, own)) {
            return None;
        }
        Some(Self { own: own.to_owned(), found: found.to_owned(), score })
    }

    /// Why the score that counts is marked.
    pub fn mark(&self) -> String {
        let Self { own, found, score } = self;
        match score {
            Some(_) => {
                format!("its `main_score` is its `{found}`; its `{own}`, the main score of the task, counts")
            }
            None => format!(
                "its `main_score` is its `{found}`, which counts; it lacks `{own}`, the main score of the task"
            ),
        }
    }
}

/// True if both are one score, be it that one of them was rounded to four decimals, as files of others have some.
fn is_same(score: f64, main: f64) -> bool {
    let is_rounded = |score: f64| (1e4 * score - (1e4 * score).round()).abs() <= 1e-6;
    let may_be_rounded = is_rounded(score) || is_rounded(main);
    (score - main).abs() <= ROUNDING || (may_be_rounded && is_among(main, &[score]))
}

/// True if `found` is what some files call the measure `own`: MIRACL has its nDCG under a name of its own.
fn is_same_measure(found: &str, own: &str) -> bool {
    let of_miracl = |name: &str| {
        let cut = name.strip_prefix("NDCG@")?.strip_suffix("(MIRACL)")?;
        Some(format!("ndcg_at_{cut}"))
    };
    if of_miracl(found).is_some_and(|name| name == own) {
        return true;
    }
    let today = |name: &str| {
        let renamed = RENAMED.iter().find_map(|(old, new)| Some(format!("{new}{}", name.strip_prefix(old)?)));
        renamed.unwrap_or_else(|| name.to_owned())
    };
    today(found) == today(own) || (found == "map" && MAPS.contains(&own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(own: &str, main: f64, scores: &[(&'static str, f64)]) -> Option<OtherMain> {
        OtherMain::of(own, main, scores.iter().copied())
    }

    #[test]
    fn a_main_score_that_is_another_measure_is_named_with_what_the_cards_own_is() {
        let scores = [("accuracy", 0.666), ("ap", 0.126), ("f1", 0.55)];
        let found = other("accuracy", 0.55, &scores).unwrap();
        assert_eq!((found.found.as_str(), found.score), ("f1", Some(0.666)));
        assert_eq!(
            found.mark(),
            "its `main_score` is its `f1`; its `accuracy`, the main score of the task, counts"
        );
        assert_eq!(other("accuracy", 0.666, &scores), None);
        assert_eq!(
            other("accuracy", 0.9, &scores),
            None,
            "one that is none of the scores is a fault of its own"
        );
        assert_eq!(other("", 0.55, &scores), None, "nobody knows the main score of the task");
    }

    #[test]
    fn without_the_cards_measure_the_main_score_counts_and_is_marked() {
        let found = other("accuracy", 0.55, &[("ap", 0.126), ("f1", 0.55), ("accuracy", f64::NAN)]).unwrap();
        assert_eq!(
            found.mark(),
            "its `main_score` is its `f1`, which counts; it lacks `accuracy`, the main score of the task"
        );
        assert_eq!(other("accuracy", 0.55, &[]), None, "an entry with nothing else");
    }

    #[test]
    fn a_measure_under_an_earlier_name_and_a_rounded_one_are_no_other_measure() {
        assert_eq!(other("map_at_1000", 0.6, &[("map", 0.6), ("mrr", 0.7)]), None);
        assert_eq!(other("cosine_spearman", 0.6, &[("cos_sim_spearman", 0.6)]), None);
        assert_eq!(other("ndcg_at_10", 0.6, &[("NDCG@10(MIRACL)", 0.6)]), None);
        assert!(other("ndcg_at_10", 0.6, &[("NDCG@5(MIRACL)", 0.6)]).is_some());
        assert_eq!(other("max_ap", 0.123_456, &[("max_ap", 0.1235), ("cosine_ap", 0.123_456)]), None);
        assert!(other("max_ap", 0.123_456, &[("max_ap", 0.123_51), ("cosine_ap", 0.123_456)]).is_some());
        // Equal measures, as those of a model that tells nothing apart.
        assert_eq!(other("accuracy", 0.5, &[("f1", 0.5), ("accuracy", 0.5)]), None);
    }
}
