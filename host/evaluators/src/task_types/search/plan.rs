//! A unit with queries and a corpus, read and checked.

use std::cmp::Ordering;

use mteb_data::DataError;
use mteb_measures::ranking::{CUTS, Found, Judgements, compare};
use mteb_search::Scored;

use super::corpus::document_texts;
use super::documents::{DocumentNumbers, NumberedIds};
use super::given_lists::GivenLists;
use super::ids::row_ids;
use super::instructions::instructions;
use super::judged_queries::JudgedQueries;
use super::measures::{ExtraMeasure, scores};
use super::query_texts::query_texts;
use super::results::drop_identical;
use super::{cross_encoder, full_search, rerank};
use crate::{EvaluateError, Options, Part, Plan, Role, Scores, Session, TextColumn, Unit};

/// What is needed to search and to score.
pub(super) struct SearchPlan {
    /// Texts of the query rows that are evaluated.
    pub queries: TextColumn,
    /// For each of these rows the place of its id in `query_ids`.
    pub query_places: Vec<usize>,
    /// The distinct query ids; results are in this order.
    pub query_ids: Vec<String>,
    /// The judgements of each query id.
    pub judgements: Vec<Judgements>,
    /// The whole corpus, or its candidates when reranking.
    pub corpus: TextColumn,
    /// Ids of the corpus rows and of judged documents that are absent.
    pub ids: NumberedIds,
    /// For each corpus row the row that counts for its id, where ids occur twice.
    pub duplicates: Option<Vec<u32>>,
    /// Candidates, if the unit names them.
    pub candidates: Option<CandidateLists>,
    /// Changed documents by topic, for tasks that change instructions.
    pub changed: Option<Vec<(String, Vec<u32>)>>,
    /// Ranks at which measures are cut.
    pub cuts: Vec<usize>,
    /// Measures besides the usual ones.
    pub extra_measures: Vec<ExtraMeasure>,
    ignore_identical_ids: bool,
}

/// The candidates of each query row.
pub(super) struct CandidateLists {
    /// Corpus rows that are somebody's candidate, ascending: the rows of the encoded corpus.
    pub rows: Vec<u32>,
    /// For each query row its candidates as rows of the encoded corpus, in the order of the list.
    pub encoded: Vec<Vec<u32>>,
    /// Ids of queries without candidates.
    pub without: Vec<String>,
}

impl CandidateLists {
    /// The candidates of query row `row` as corpus rows.
    pub fn documents(&self, row: usize) -> impl Iterator<Item = u32> {
        self.encoded[row].iter().map(|&candidate| self.rows[candidate as usize])
    }
}

impl SearchPlan {
    /// Reads the tables of `unit`; `changes` asks for the documents whose relevance a changed instruction changed.
    pub fn new(unit: &Unit, options: &Options, changes: bool) -> Result<Self, EvaluateError> {
        let cuts = checked_cuts(options)?;
        let extra_measures = ExtraMeasure::all(&options.extra_measures)?;
        let (queries, corpus) = (unit.part(Part::Queries)?, unit.part(Part::Corpus)?);
        if corpus.rows() == 0 {
            return Err(nothing(unit, "documents", "an empty corpus"));
        }
        let (query_ids, corpus_ids) = (row_ids(queries)?, row_ids(corpus)?);
        let mut numbers = DocumentNumbers::new(&corpus_ids);
        let judged = JudgedQueries::new(&query_ids, unit.part(Part::Qrels)?, &mut numbers)?;
        if judged.rows.is_empty() {
            let found = format!("none among {}: compare their ids with those of the qrels", queries.rows());
            return Err(nothing(unit, "queries that the qrels judge", &found));
        }
        let candidates = match unit.get(Part::TopRanked) {
            Some(table) => Some(candidate_lists(&GivenLists::new(table)?, &judged, &numbers)?),
            None => None,
        };
        let changed = if changes {
            let lists = GivenLists::new(unit.part(Part::QrelDiff)?)?.into_sorted().into_iter();
            Some(
                lists
                    .map(|(topic, ids)| (topic, ids.iter().map(|id| numbers.number(id)).collect()))
                    .collect(),
            )
        } else {
            None
        };
        let documents = match &candidates {
            Some(lists) => document_texts(corpus, lists.rows.iter().map(|&row| row as usize))?,
            None => document_texts(corpus, 0..corpus.rows())?,
        };
        let instructions = instructions(unit, &judged.rows, &query_ids)?;
        let phase = if candidates.is_some() { "Encoding corpus" } else { "Searching corpus" };
        Ok(Self {
            queries: TextColumn {
                texts: query_texts(queries, &judged.rows, &instructions)?,
                role: Role::Query,
                phase: "Encoding queries",
            },
            query_places: judged.places,
            query_ids: judged.ids,
            judgements: judged.judgements,
            corpus: TextColumn { texts: documents, role: Role::Document, phase },
            duplicates: numbers.duplicates(&corpus_ids),
            ids: {
                let absent = numbers.into_absent();
                NumberedIds::new(corpus_ids, absent)
            },
            candidates,
            changed,
            cuts,
            extra_measures,
            ignore_identical_ids: options.ignore_identical_ids,
        })
    }

    /// Documents kept for a query: as many as the largest cut.
    pub fn depth(&self) -> usize {
        self.cuts.iter().copied().max().unwrap_or(0)
    }

    /// The query rows of each query id.
    pub fn rows_by_place(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.query_ids.len()];
        for (row, &place) in self.query_places.iter().enumerate() {
            rows[place].push(row);
        }
        rows
    }

    /// How `a` stands to `b` in (score, id).
    pub fn compare(&self, a: Scored, b: Scored) -> Ordering {
        compare(&self.ids, (a.0, f64::from(a.1)), (b.0, f64::from(b.1)))
    }

    fn find(&self, session: &mut dyn Session) -> Result<Vec<Vec<Found>>, EvaluateError> {
        match &self.candidates {
            Some(lists) => {
                if let Some(first) = lists.without.first() {
                    session.warn(&format!(
                        "queries without candidates, which score 0: {}, the first of them {first}",
                        lists.without.len()
                    ));
                }
                if session.is_cross_encoder() {
                    cross_encoder::rerank(self, lists, session)
                } else {
                    rerank::rerank(self, lists, session)
                }
            }
            None if session.is_cross_encoder() => Err(EvaluateError::Unscorable(
                "a cross-encoder scores given candidates, and this task names none: run it with a model that \
                 encodes, or add a part `top_ranked`"
                    .to_owned(),
            )),
            None => full_search::search(self, session),
        }
    }
}

impl Plan for SearchPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.queries, &self.corpus]
    }

    fn score(&self, session: &mut dyn Session) -> Result<Scores, EvaluateError> {
        let mut found = self.find(session)?;
        session.phase("Scoring");
        if self.ignore_identical_ids {
            drop_identical(&mut found, &self.query_ids, &self.ids);
        }
        scores(self, &found, session)
    }
}

fn candidate_lists(
    lists: &GivenLists<'_>,
    judged: &JudgedQueries,
    numbers: &DocumentNumbers<'_>,
) -> Result<CandidateLists, DataError> {
    let mut without = Vec::new();
    let mut documents: Vec<Vec<u32>> = Vec::with_capacity(judged.rows.len());
    for &place in &judged.places {
        let query = &judged.ids[place];
        let list = lists.get(query).unwrap_or_default();
        if list.is_empty() {
            without.push(query.clone());
        }
        let rows = list.iter().map(|id| numbers.row(id).ok_or_else(|| lists.unknown(query, id)));
        documents.push(rows.collect::<Result<_, _>>()?);
    }
    let mut rows = documents.concat();
    rows.sort_unstable();
    rows.dedup();
    let encoded_row = |document: &u32| rows.partition_point(|row| row < document) as u32;
    let encoded = documents.iter().map(|list| list.iter().map(encoded_row).collect()).collect();
    Ok(CandidateLists { encoded, rows, without })
}

fn checked_cuts(options: &Options) -> Result<Vec<usize>, EvaluateError> {
    let cuts = options.k_values.clone().unwrap_or_else(|| CUTS.to_vec());
    if cuts.contains(&1) && !cuts.contains(&0) {
        return Ok(cuts);
    }
    Err(EvaluateError::Unscorable(format!(
        "option `k_values`: expected cuts of 1 and more, 1 among them for the accuracy, found: {cuts:?}"
    )))
}

fn nothing(unit: &Unit, expected: &str, found: &str) -> EvaluateError {
    let Unit { task, split, subset, .. } = unit;
    let message = format!("{task}, split {split}, subset {subset}: expected {expected}, found {found}");
    EvaluateError::Unscorable(message)
}
