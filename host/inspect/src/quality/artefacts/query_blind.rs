//! What a classifier reaches that sees documents and not the query.

use mteb_measures::ranking::average_precision;
use mteb_tasks::Unit;

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::features::{Features, log_odds_apart};
use super::measured::Artefact;
use super::rankings::Rankings;

const CHECK: &str = "query-blind";

/// Measures it by logistic regression on the words and the looks of the judged documents: it learns from the queries of four fifths
/// of the topics and ranks the judged documents of the others. Queries whose documents are all relevant, or none, say nothing.
pub fn check(
    data: &SubsetData,
    unit: &Unit,
    rankings: &Rankings,
    most: Option<f64>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let mut judged = Judged::default();
    for query in &rankings.queries {
        let own = query.relevance(data);
        if own.iter().any(|(_, is_relevant)| *is_relevant) && own.iter().any(|(_, is_relevant)| !is_relevant)
        {
            judged.ends.push(judged.texts.len() + own.len());
            for (document, is_relevant) in own {
                judged.texts.push(&rankings.documents[document]);
                judged.relevance.push(is_relevant);
                judged.topics.push(&query.topic);
            }
        }
    }
    let odds = log_odds_apart(&Features::words(&judged.texts), &judged.relevance, &judged.topics);
    let Some(odds) = odds.filter(|_| !judged.ends.is_empty()) else { return Default::default() };
    let found = Artefact::new(unit, CHECK, "MAP", judged.map(&odds)).over(judged.chance()).at_most(most);
    let of = "a classifier that sees the documents but not the query";
    let advice = "use documents that answer one query as distractors of another, match their lengths and \
                  openings, or raise `max_query_blind` in the card's `[quality.artefacts]` and say why";
    let faults = found.fault(data, unit, of, advice).into_iter().collect();
    (vec![found], faults)
}

/// The judged documents of all queries, one query after the other.
#[derive(Default)]
struct Judged<'a> {
    texts: Vec<&'a str>,
    relevance: Vec<bool>,
    topics: Vec<&'a str>,
    /// Where the documents of each query end.
    ends: Vec<usize>,
}

impl Judged<'_> {
    fn queries(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(start, end)| start..end)
    }

    fn map(&self, odds: &[f64]) -> f64 {
        let of_query = |query: std::ops::Range<usize>| {
            let mut order: Vec<usize> = query.collect();
            order.sort_by(|left, right| odds[*right].total_cmp(&odds[*left]));
            let ranked: Vec<bool> = order.iter().map(|&place| self.relevance[place]).collect();
            let relevant = ranked.iter().filter(|is_relevant| **is_relevant).count();
            average_precision(&ranked, relevant, &[ranked.len()]).first().copied().unwrap_or_default()
        };
        self.queries().map(of_query).sum::<f64>() / self.ends.len() as f64
    }

    /// The MAP that random orders have on average.
    fn chance(&self) -> f64 {
        let of_query = |query: std::ops::Range<usize>| {
            let relevant = self.relevance[query.clone()].iter().filter(|is_relevant| **is_relevant).count();
            expected_precision(relevant, query.len())
        };
        self.queries().map(of_query).sum::<f64>() / self.ends.len() as f64
    }
}

/// The average precision of `relevant` of `all` documents in a random order, on average: Σ (1 + (k − 1)(R − 1)/(N − 1))/(kN) over
/// the ranks k.
fn expected_precision(relevant: usize, all: usize) -> f64 {
    let (relevant, documents) = (relevant as f64, all as f64);
    let others = if all > 1 { (relevant - 1.0) / (documents - 1.0) } else { 0.0 };
    (1..=all).map(|rank| (1.0 + (rank as f64 - 1.0) * others) / (rank as f64 * documents)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean over all orders, counted one by one.
    #[test]
    fn chance_is_the_mean_over_all_orders() {
        // One of two: (1 + 1/2)/2. Two of three: (1 + (1 + 2/3)/2 + (1/2 + 2/3)/2)/3.
        assert!((expected_precision(1, 2) - 0.75).abs() < 1e-12);
        assert!((expected_precision(2, 3) - (1.0 + 5.0 / 6.0 + 7.0 / 12.0) / 3.0).abs() < 1e-12);
        assert!((expected_precision(3, 3) - 1.0).abs() < 1e-12);
    }
}
