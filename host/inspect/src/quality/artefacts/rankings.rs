//! The queries of a ranking task with their candidates and judgements, and the documents; what BM25
//! reaches on them, and how much of what it finds nobody judged.

use std::collections::{BTreeMap, HashMap};

use mteb_card::defaults;
use mteb_data::{DataError, Table};
use mteb_measures::ranking::{Discounts, ndcg};
use mteb_search::lexical::{Bm25Builder, Language};
use mteb_tasks::{Part, Unit};
use rayon::prelude::*;

use super::super::data::{SubsetData, topic};
use super::measured::Artefact;
use crate::quality::fault::DataFault;
use crate::stats::{id_column, ids};

/// Ranks that are looked at.
pub const DEPTH: usize = 10;

/// A ranking task.
pub struct Rankings {
    /// Queries with a judgement.
    pub queries: Vec<Query>,
    /// Title and text of each document.
    pub documents: Vec<String>,
}

/// One query.
pub struct Query {
    /// Its text.
    pub text: String,
    /// Queries of one topic are of one group.
    pub topic: String,
    /// Documents to be ranked; `None` for all.
    pub candidates: Option<Vec<usize>>,
    /// The grade of each judged document.
    pub grades: BTreeMap<usize, f64>,
}

impl Rankings {
    /// The rankings of a unit.
    ///
    /// # Errors
    /// If a column is absent or of another type.
    pub fn of(unit: &Unit) -> Result<Self, DataError> {
        let corpus = unit.part(Part::Corpus)?;
        let names = ids(corpus, id_column(corpus))?;
        let places: HashMap<&str, usize> = names.iter().enumerate().map(|(place, id)| (id, place)).collect();
        let mut grades: HashMap<String, BTreeMap<usize, f64>> = HashMap::new();
        let qrels = unit.part(Part::Qrels)?;
        let judged = ids(qrels, "query-id")?;
        for ((query, document), grade) in
            judged.iter().zip(ids(qrels, "corpus-id")?.iter()).zip(qrels.written_floats("score")?)
        {
            if let Some(place) = places.get(document) {
                grades.entry(query.to_owned()).or_default().insert(*place, grade);
            }
        }
        let mut candidates: HashMap<String, Vec<usize>> = HashMap::new();
        if let Some(lists) = unit.get(Part::TopRanked) {
            for (query, documents) in ids(lists, "query-id")?.iter().zip(lists.text_lists("corpus-ids")?) {
                let found = documents.iter().filter_map(|id| places.get(id).copied()).collect();
                candidates.insert(query.to_owned(), found);
            }
        }
        let queries = unit.part(Part::Queries)?;
        let texts = queries.texts("text")?;
        let query = |(id, text): (&str, &str)| {
            let grades = grades.remove(id)?;
            let (topic, candidates) = (topic(id).to_owned(), candidates.remove(id));
            Some(Query { text: text.to_owned(), topic, candidates, grades })
        };
        let own = ids(queries, id_column(queries))?;
        Ok(Self {
            queries: own.iter().zip(texts.iter()).filter_map(query).collect(),
            documents: documents(corpus)?,
        })
    }
}

impl Query {
    /// The documents from best to worst by `scores`, of all documents; no more than ten.
    pub fn best(&self, scores: &[f64]) -> Vec<usize> {
        let mut order = self.candidates.clone().unwrap_or_else(|| (0..scores.len()).collect());
        let is_better =
            |left: &usize, right: &usize| scores[*right].total_cmp(&scores[*left]).then(left.cmp(right));
        if order.len() > DEPTH {
            order.select_nth_unstable_by(DEPTH, is_better);
            order.truncate(DEPTH);
        }
        order.sort_unstable_by(is_better);
        order
    }

    /// nDCG@10 of the documents from best to worst.
    pub fn ndcg(&self, best: &[usize]) -> f64 {
        let gains: Vec<f64> =
            best.iter().map(|document| self.grades.get(document).copied().unwrap_or(0.0)).collect();
        let mut ideal: Vec<f64> = self.grades.values().copied().filter(|grade| *grade > 0.0).collect();
        ideal.sort_by(|left, right| right.total_cmp(left));
        ndcg(&gains, &ideal, &[DEPTH], &Discounts::new(DEPTH)).first().copied().unwrap_or_default()
    }

    /// Which of the judged documents are relevant, by ascending place.
    pub fn relevance(&self, data: &SubsetData) -> Vec<(usize, bool)> {
        let threshold = data.card.protocol.relevance_threshold.unwrap_or(defaults::RELEVANCE_THRESHOLD);
        self.grades.iter().map(|(place, grade)| (*place, *grade > 0.0 && *grade >= threshold)).collect()
    }
}

fn documents(corpus: &Table) -> Result<Vec<String>, DataError> {
    let mut documents: Vec<String> = corpus.texts("text")?.iter().map(str::to_owned).collect();
    if corpus.get("title").is_some() {
        for (document, title) in documents.iter_mut().zip(corpus.texts_or_empty("title")?.iter()) {
            *document = format!("{title}\n{document}").trim().to_owned();
        }
    }
    Ok(documents)
}

/// Measures nDCG@10 of BM25, and the share of its ten best documents that are not judged.
pub fn check_bm25(
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
    let measure = |query: &Query| {
        let scores: Vec<f64> = index.scores(&query.text).into_iter().map(f64::from).collect();
        let best = query.best(&scores);
        let unjudged = best.iter().filter(|document| !query.grades.contains_key(document)).count();
        (query.ndcg(&best), best.len(), unjudged)
    };
    let measured: Vec<(f64, usize, usize)> = rankings.queries.par_iter().map(measure).collect();
    let seen: usize = measured.iter().map(|(_, seen, _)| seen).sum();
    if seen == 0 {
        return Default::default();
    }
    let sum: f64 = measured.iter().map(|(ndcg, ..)| ndcg).sum();
    let unjudged: usize = measured.iter().map(|(.., unjudged)| unjudged).sum();
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
