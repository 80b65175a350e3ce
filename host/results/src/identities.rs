//! What the scores of one entry of this host say of each other where neither experiments nor outcomes are beside them.

use std::collections::BTreeMap;

use mteb_card::TaskType;
use mteb_json::Json;

use super::SubsetScores;
use super::fault::ResultFault;

/// Room for scores that are rounded to six decimals.
const ROUNDING: f64 = 1e-5;

/// Room for two ways to compute one similarity in single precision: where pairs tie, it decides their ranks.
const PRECISION: f64 = 0.02;

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
/// larger one. `model` is what the file says of the model.
pub(super) fn doubt_of(entry: &SubsetScores, options: &Json, model: Option<&Json>) -> Option<String> {
    let name = options.get("main_score")?.as_text()?;
    let score = number(entry, name)?;
    if is_ranking(options) {
        // A document of a grade below the threshold of relevance counts for nDCG, and is no hit.
        let cut = name.strip_prefix("ndcg_at_")?;
        let most = number(entry, &format!("hit_rate_at_{cut}"))?;
        return (score - most > ROUNDING)
            .then(|| format!("`{name}` is {score}, and `hit_rate_at_{cut}` beside it is {most}"));
    }
    if options.get("type")?.as_text()? != TaskType::Sts.as_str() {
        return None;
    }
    let similarity = model?.get("similarity")?.as_text()?;
    let own = name.strip_prefix(similarity)?.strip_prefix('_')?;
    let same = number(entry, own)?;
    // Embeddings of zeros have no cosine, and the two ways to compute it differ there.
    ((score - same).abs() > PRECISION).then(|| {
        format!(
            "`{name}` is {score}, and `{own}` beside it, by the model's similarity ({similarity}), is {same}"
        )
    })
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
    const STS: &str = r#"{"type": "STS", "main_score": "cosine_spearman"}"#;

    fn entry(scores: &str) -> SubsetScores {
        let json = Json::parse(&format!("{{{scores}}}")).unwrap();
        SubsetScores { subset: "default".to_owned(), json }
    }

    fn check(scores: &str) -> Result<(), String> {
        let options = Json::parse(RETRIEVAL).unwrap();
        check_identities(&entry(scores), &options).map_err(|fault| fault.to_string())
    }

    fn doubt(scores: &str, options: &str, similarity: &str) -> Option<String> {
        let model = Json::object([("similarity", Json::from(similarity))]);
        doubt_of(&entry(scores), &Json::parse(options).unwrap(), Some(&model))
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
        let said = doubt(r#""ndcg_at_10": 0.99, "hit_rate_at_10": 0.667"#, RETRIEVAL, "cosine");
        assert_eq!(said.as_deref(), Some("`ndcg_at_10` is 0.99, and `hit_rate_at_10` beside it is 0.667"));
        assert_eq!(doubt(r#""ndcg_at_10": 0.667, "hit_rate_at_10": 0.667"#, RETRIEVAL, "cosine"), None);
    }

    #[test]
    fn a_correlation_by_cosine_is_that_by_the_similarity_of_a_model_of_cosine() {
        let scores = r#""spearman": 0.281403, "cosine_spearman": 0.99"#;
        assert_eq!(
            doubt(scores, STS, "cosine").as_deref(),
            Some(
                "`cosine_spearman` is 0.99, and `spearman` beside it, by the model's similarity (cosine), is 0.281403"
            )
        );
        assert_eq!(doubt(scores, STS, "dot"), None, "the model's own similarity is another one");
        assert_eq!(doubt(r#""spearman": 0.281403, "cosine_spearman": 0.281404"#, STS, "cosine"), None);
    }
}
