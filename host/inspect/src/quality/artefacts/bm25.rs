//! What BM25 reaches, and how much of what it finds nobody judged.

use mteb_search::lexical::{Bm25Builder, Language};
use mteb_tasks::Unit;

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::measured::Artefact;
use super::rankings::Rankings;

/// Measures nDCG@10 of BM25, and the share of its ten best documents that are not judged.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    rankings: &Rankings,
    range: Option<[f64; 2]>,
    most_unjudged: Option<f64>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let languages = data.card.subset_languages(&unit.subset).iter().map(String::as_str);
    let mut builder = Bm25Builder::new(Language::of_all(languages));
    rankings.documents.iter().for_each(|document| builder.add(document));
    let index = builder.finish();
    let (mut sum, mut seen, mut unjudged) = (0.0, 0, 0);
    for query in &rankings.queries {
        let scores: Vec<f64> = index.scores(&query.text).into_iter().map(f64::from).collect();
        let best = query.best(&scores);
        sum += query.ndcg(&best);
        seen += best.len();
        unjudged += best.iter().filter(|document| !query.grades.contains_key(document)).count();
    }
    if seen == 0 {
        return Default::default();
    }
    let score = Artefact::new(unit, "BM25", "nDCG@10", sum / rankings.queries.len() as f64).within(range);
    let share =
        Artefact::new(unit, "unjudged", "share", unjudged as f64 / seen as f64).at_most(most_unjudged);
    let advice = "write queries that share fewer or more words with their documents, or correct `bm25` in the card's \
                  `[quality.artefacts]` and say why";
    let faults = score.fault(data, unit, "BM25", advice);
    let advice =
        "judge what BM25 finds, or raise `max_unjudged` in the card's `[quality.artefacts]` and say why";
    let unjudged = share.fault(data, unit, "the unjudged ones among the ten best documents by BM25", advice);
    (vec![score, share], faults.into_iter().chain(unjudged).collect())
}
