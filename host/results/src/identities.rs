//! What the scores of one entry of this host say of each other where neither experiments nor outcomes are beside them.

use std::collections::BTreeMap;

use mteb_card::TaskType;
use mteb_card::defaults::RELEVANCE_THRESHOLD;
use mteb_json::Json;

use super::SubsetScores;
use super::fault::ResultFault;

/// Room for scores that are rounded to six decimals.
const ROUNDING: f64 = 1e-5;

/// Measures of rankings that never fall with the cut-off.
const GROWING: [&str; 4] = ["recall", "hit_rate", "mrr", "map"];

/// Measures of rankings that are 0 for each query without a relevant document down to the cut-off, and at most 1 for the others.
const BELOW_HIT_RATE: [&str; 3] = ["recall", "map", "precision"];

/// Checks the measures of a ranking against each other. Those that packs add have names of their own.
///
/// # Errors
/// The first two scores that no ranking can have.
pub(super) fn check_identities(entry: &SubsetScores, options: &Json) -> Result<(), ResultFault> {
    if !is_ranking(options) {
        return Ok(());
    }
    for measure in GROWING {
        let scores = by_cut(entry, measure);
        for ((cut, score), (next, larger)) in scores.iter().zip(scores.iter().skip(1)) {
            if score - larger > ROUNDING {
                let expected = format!("at least `{measure}_at_{cut}`, which is {score}");
                return Err(ResultFault::derived(&format!("{measure}_at_{next}"), expected, larger));
            }
        }
    }
    let hit_rates = by_cut(entry, "hit_rate");
    for measure in BELOW_HIT_RATE {
        for (cut, score) in by_cut(entry, measure) {
            if let Some(most) = hit_rates.get(&cut).filter(|most| score - **most > ROUNDING) {
                let expected = format!("at most `hit_rate_at_{cut}`, which is {most}");
                return Err(ResultFault::derived(&format!("{measure}_at_{cut}"), expected, score));
            }
        }
    }
    Ok(())
}

/// Why the main score of an entry may not be right, by a score beside it: it is, but for data or embeddings of a rare kind, the same or a
/// larger one.
pub(super) fn doubt_of(entry: &SubsetScores, options: &Json) -> Option<String> {
    if !is_ranking(options) {
        return None;
    }
    let name = options.get("main_score")?.as_text()?;
    let score = number(entry, name)?;
    // A document of a grade below the threshold of relevance counts for nDCG, and is no hit.
    if threshold(options) > RELEVANCE_THRESHOLD {
        return None;
    }
    let cut = name.strip_prefix("ndcg_at_")?;
    let most = number(entry, &format!("hit_rate_at_{cut}"))?;
    (score - most > ROUNDING)
        .then(|| format!("`{name}` is {score}, and `hit_rate_at_{cut}` beside it is {most}"))
}

/// The grade from which a document is relevant.
fn threshold(options: &Json) -> f64 {
    let named = options.get("protocol").and_then(|protocol| protocol.get("relevance_threshold")?.as_number());
    named.unwrap_or(RELEVANCE_THRESHOLD)
}

fn is_ranking(options: &Json) -> bool {
    let named = options.get("type").and_then(Json::as_text);
    named.is_some_and(|named| TaskType::ALL.iter().any(|known| known.as_str() == named && known.is_ranking()))
}

/// The scores of a measure by cut-off, ascending.
fn by_cut(entry: &SubsetScores, measure: &str) -> BTreeMap<usize, f64> {
    let scores = entry.json.as_map().unwrap_or_default().iter();
    let numbers = scores.filter_map(|(name, score)| {
        let cut = name.strip_prefix(measure)?.strip_prefix("_at_")?.parse().ok()?;
        Some((cut, score.as_number().filter(|number| number.is_finite())?))
    });
    numbers.collect()
}

fn number(entry: &SubsetScores, name: &str) -> Option<f64> {
    entry.json.get(name)?.as_number().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRIEVAL: &str = r#"{"type": "Retrieval", "main_score": "ndcg_at_10"}"#;

    fn entry(scores: &str) -> SubsetScores {
        let json = Json::parse(&format!("{{{scores}}}")).unwrap();
        SubsetScores { subset: "default".to_owned(), json }
    }

    fn check(scores: &str) -> Result<(), String> {
        let options = Json::parse(RETRIEVAL).unwrap();
        check_identities(&entry(scores), &options).map_err(|fault| fault.to_string())
    }

    fn doubt(scores: &str) -> Option<String> {
        doubt_of(&entry(scores), &Json::parse(RETRIEVAL).unwrap())
    }

    #[test]
    fn recall_never_falls_with_the_cut_off() {
        assert_eq!(check(r#""recall_at_5": 0.4, "recall_at_10": 0.4, "recall_at_100": 0.9"#), Ok(()));
        assert_eq!(
            check(r#""recall_at_100": 0.3, "recall_at_10": 0.4"#).unwrap_err(),
            "expected `recall_at_100` to be at least `recall_at_10`, which is 0.4, found: 0.3"
        );
        assert_eq!(check(r#""ndcg_at_1": 0.9, "ndcg_at_10": 0.5"#), Ok(()), "nDCG may fall");
        assert_eq!(check(r#""recall_at_1": null, "recall_at_5": 0.4"#), Ok(()));
    }

    #[test]
    fn no_recall_is_above_the_hit_rate() {
        assert_eq!(check(r#""recall_at_10": 0.5, "hit_rate_at_10": 0.5"#), Ok(()));
        assert_eq!(
            check(r#""recall_at_10": 0.6, "hit_rate_at_10": 0.5"#).unwrap_err(),
            "expected `recall_at_10` to be at most `hit_rate_at_10`, which is 0.5, found: 0.6"
        );
    }

    #[test]
    fn an_ndcg_above_the_hit_rate_is_doubted() {
        let said = doubt(r#""ndcg_at_10": 0.99, "hit_rate_at_10": 0.667"#);
        assert_eq!(said.as_deref(), Some("`ndcg_at_10` is 0.99, and `hit_rate_at_10` beside it is 0.667"));
        assert_eq!(doubt(r#""ndcg_at_10": 0.667, "hit_rate_at_10": 0.667"#), None);
    }

    #[test]
    fn an_ndcg_above_the_hit_rate_is_normal_where_low_grades_are_no_hits() {
        let scores = entry(r#""ndcg_at_10": 0.02484, "hit_rate_at_10": 0"#);
        let said = |threshold: &str| {
            let options = format!(
                r#"{{"type": "Retrieval", "main_score": "ndcg_at_10", "protocol": {{"relevance_threshold": {threshold}}}}}"#
            );
            doubt_of(&scores, &Json::parse(&options).unwrap())
        };
        assert_eq!(said("6.0"), None);
        assert!(said("1.0").is_some());
    }
}
