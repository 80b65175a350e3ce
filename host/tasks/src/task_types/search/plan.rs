//! A unit with queries and a corpus, read and checked. `scoring.rs` scores it.

use std::cmp::Ordering;
use std::collections::HashSet;

use mteb_card::{CardMeasure, ExtraMeasure, defaults};
use mteb_data::{Table, Texts};
use mteb_measures::ranking::Judgements;
use mteb_search::{Scored, compare};

use super::behind::Behind;
use super::candidates::CandidateLists;
use super::changed_lists::ChangedLists;
use super::corpus::DocumentPieces;
use super::corpus_ids::{CorpusIds, IdRules, JudgedDocuments, repeated_ids};
use super::excluded::Excluded;
use super::given_lists::GivenLists;
use super::ids::{empty_ids_note, id_name, row_ids, without_empty_ids};
use super::judged_queries::{GradeRules, JudgedQueries};
use super::pack_measures::PreparedMeasure;
use super::query_texts::{instructions, query_texts};
use super::results::DocumentNumbers;
use crate::{Corpus, EvaluateError, Part, Protocol, Role, TextColumn, Unit};

/// What is needed to search and to score.
pub(super) struct SearchPlan {
    /// The unit's name in messages.
    pub unit: String,
    /// Task, split and subset.
    pub names: [String; 3],
    /// Texts of the query rows that are evaluated.
    pub queries: TextColumn,
    /// For each of these rows the place of its id in `query_ids`.
    pub query_places: Vec<usize>,
    /// The distinct query ids; results are in this order.
    pub query_ids: Vec<String>,
    /// Ids of queries that nobody judged, where options keep them.
    pub unjudged: HashSet<String>,
    /// The judgements of each query id.
    pub judgements: Vec<Judgements>,
    /// The documents that judgements and lists name.
    pub documents: DocumentNumbers,
    /// What the queries are compared with.
    pub corpus: Searched,
    /// Documents that a first stage found and that are not reordered.
    pub behind: Behind,
    /// Documents that queries must not find.
    pub excluded: Excluded,
    /// Changed documents by topic, for tasks that change instructions.
    pub changed: Option<Vec<(String, Vec<u32>)>>,
    /// Ranks at which measures are cut.
    pub cuts: Vec<usize>,
    /// The largest of them that is the task's own.
    pub own_depth: usize,
    /// Measures besides the usual ones, in the order of the card.
    pub extra_measures: Vec<PlannedMeasure>,
    /// Measures beside those of the reference.
    pub extra: bool,
    /// What the ids of the corpus are held to.
    pub rules: IdRules,
    /// What the reader of the result should know of the data.
    pub notes: Vec<String>,
    /// True if a document whose id is the query's id is dropped.
    pub ignore_identical_ids: bool,
}

/// A measure that the card names.
pub(super) enum PlannedMeasure {
    Host(ExtraMeasure),
    Pack(PreparedMeasure),
}

impl PlannedMeasure {
    fn new(measure: &CardMeasure) -> Result<Self, EvaluateError> {
        Ok(match measure {
            CardMeasure::Host(measure) => Self::Host(*measure),
            CardMeasure::Pack(measure) => Self::Pack(PreparedMeasure::new(measure)?),
        })
    }
}

/// What a task type asks of a unit beside queries, documents and judgements.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// Candidates; without them the whole corpus is searched, with a note.
    pub candidates: bool,
    /// The documents whose relevance a changed instruction changed.
    pub changes: bool,
    /// How many documents are found, of a type that knows no other cuts.
    pub depth: Option<usize>,
}

const NO_CANDIDATES: &str =
    "there is no part `top_ranked`, so the whole corpus is searched instead of given candidates";

/// The documents that a query may find.
pub(super) enum Searched {
    /// All documents, read while they are searched.
    All(Box<dyn Corpus>),
    /// Those that the unit names for each query; the corpus too, where options keep it.
    Given(CandidateLists, Option<Box<dyn Corpus>>),
}

impl SearchPlan {
    /// Reads the tables of `unit`, and of `corpus` the documents that it names as candidates.
    pub fn new(
        unit: &Unit,
        corpus: Box<dyn Corpus>,
        options: &Protocol,
        needs: Needs,
    ) -> Result<Self, EvaluateError> {
        let cuts = match needs.depth {
            Some(depth) => vec![depth],
            None => all_cuts(options, unit)?,
        };
        let extra_measures =
            options.extra_measures.iter().map(PlannedMeasure::new).collect::<Result<_, _>>()?;
        let queries = unit.part(Part::Queries)?;
        let place = format!("{}, split {}, subset {}", unit.task, unit.split, unit.subset);
        if corpus.rows() == Some(0) {
            return Err(no_documents(&place));
        }
        let query_ids = row_ids(queries)?;
        let mut notes = query_notes(queries, &query_ids, unit.is_own)?;
        let qrels = unit.part(Part::Qrels)?;
        let mut documents = DocumentNumbers::default();
        let grades = GradeRules { strict: unit.is_own, threshold: options.relevance_threshold };
        let judged = JudgedQueries::new(&query_ids, qrels, &mut documents, grades)?;
        if judged.rows.is_empty() {
            let found = format!("none among {}: compare their ids with `query-id`", queries.rows());
            return Err(nothing(&qrels.location(0), "judgements of the queries", &found));
        }
        notes.extend(judged.notes.iter().cloned());
        let excluded = Excluded::new(unit, &judged.ids)?;
        let mut facts = excluded.facts(unit, &judged, (&query_ids, &documents))?;
        notes.append(&mut facts.notes);
        // Of a trial the documents are few because it is one.
        let named = options
            .k_values
            .iter()
            .flatten()
            .chain(&unit.cuts)
            .filter(|_| !unit.is_tried && needs.depth.is_none());
        let rules = IdRules {
            strict: unit.is_own,
            judged: JudgedDocuments { qrels: qrels.without_cells(), rows: judged.document_rows.clone() },
            named_cuts: named.copied().collect(),
            named: facts.named,
        };
        let changed = match needs.changes {
            true => {
                Some(ChangedLists::new(unit.part(Part::QrelDiff)?, &judged, &mut documents, unit.is_own)?)
            }
            false => None,
        };
        notes.extend(changed.iter().flat_map(|changed| changed.notes.iter().cloned()));
        let instructions = instructions(unit, &judged.rows, &query_ids)?;
        let texts = query_texts(queries, &judged.rows, &instructions)?;
        let corpus = match unit.get(Part::TopRanked) {
            Some(lists) => {
                let lists = GivenLists::new(lists)?;
                notes.extend(lists.note(unit.is_own)?);
                notes.extend(unit.is_own.then(|| lists.unknown_note(&query_ids)).flatten());
                let mut lists = CandidateLists::new(&lists, &judged, &mut documents, &*corpus, &rules)?;
                notes.append(&mut lists.notes);
                notes.extend(lists.without_note());
                if unit.is_own {
                    notes.extend(lists.check_relevant(&judged)?);
                }
                if let Some(changed) = &changed {
                    notes.extend(changed.absent(lists.documents.iter().copied(), &documents));
                }
                Searched::Given(lists, Some(corpus).filter(|_| unit.keeps_all))
            }
            None => {
                notes.extend(needs.candidates.then(|| NO_CANDIDATES.to_owned()));
                Searched::All(corpus)
            }
        };
        let behind = Behind::new(unit, &judged.ids, &mut documents);
        Ok(Self {
            unit: place,
            behind,
            names: [&unit.task, &unit.split, &unit.subset].map(String::clone),
            queries: TextColumn { texts, role: Some(Role::Query), phase: "Encoding queries" },
            excluded,
            query_places: judged.places,
            unjudged: unjudged_queries(&query_ids, &judged.ids, unit),
            query_ids: judged.ids,
            judgements: judged.judgements,
            documents,
            corpus,
            changed: changed.map(|changed| changed.topics),
            own_depth: match needs.depth {
                Some(depth) => depth,
                None => checked_cuts(options)?.into_iter().max().unwrap_or(0),
            },
            cuts,
            extra_measures,
            extra: unit.extra,
            rules,
            notes,
            ignore_identical_ids: options.ignore_identical_ids,
        })
    }

    /// Reads the ids of a corpus that is searched whole, so that nothing is encoded where they are
    /// at fault. What candidates were taken from was read already.
    ///
    /// # Errors
    /// If no judged document is there, or the corpus breaks the rules.
    pub fn check_ids(&self) -> Result<(), EvaluateError> {
        let Searched::All(corpus) = &self.corpus else { return Ok(()) };
        let mut ids = CorpusIds::new(&self.rules);
        for piece in DocumentPieces::new(&**corpus) {
            ids.add(piece?.ids.iter(), &self.documents);
        }
        ids.check(&self.rules, &self.documents, &**corpus).map(drop)
    }

    /// Documents kept for a query: as many as the largest cut.
    pub fn depth(&self) -> usize {
        self.cuts.iter().copied().max().unwrap_or(0)
    }

    /// Documents that a search finds for a query by bits, before the numbers of the query reorder
    /// them. Neither cuts that the user asked for nor the depth of rankings change it, for scores
    /// depend on it.
    pub fn rescored(&self, multiplier: usize) -> usize {
        multiplier.saturating_mul(self.own_depth + self.excluded.most())
    }

    /// The query rows of each query id.
    pub fn rows_by_place(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.query_ids.len()];
        for (row, &place) in self.query_places.iter().enumerate() {
            rows[place].push(row);
        }
        rows
    }

    /// How `a` stands to `b` in (score, id), documents by number.
    pub fn compare(&self, a: Scored, b: Scored) -> Ordering {
        compare(&self.documents, a, b)
    }
}

/// The ids of queries that nobody judged, where `unit` keeps them.
fn unjudged_queries(query_ids: &Texts, judged: &[String], unit: &Unit) -> HashSet<String> {
    if !unit.keeps_all {
        return HashSet::new();
    }
    let judged: HashSet<&str> = judged.iter().map(String::as_str).collect();
    query_ids.iter().filter(|id| !judged.contains(id)).map(str::to_owned).collect()
}

/// Notes on ids of queries that are empty or occur twice.
fn query_notes(queries: &Table, ids: &Texts, strict: bool) -> Result<Vec<String>, EvaluateError> {
    let column = id_name(queries)?;
    if strict {
        without_empty_ids(queries, column, ids)?;
    }
    let empty = ids.iter().filter(|id| id.is_empty()).count();
    let first = ids.iter().position(str::is_empty).map(|row| queries.location(row));
    let mut notes: Vec<String> =
        first.map(|first| empty_ids_note("queries", empty, first)).into_iter().collect();
    let repeated = repeated_ids(ids, column, |row| queries.at(row));
    match &repeated.first {
        Some(first) if strict => return Err(first.fault().into()),
        Some(_) => notes.push(repeated.note("queries")),
        None => {}
    }
    Ok(notes)
}

/// The cuts of the options, and those that the user asked for beside.
fn all_cuts(options: &Protocol, unit: &Unit) -> Result<Vec<usize>, EvaluateError> {
    let mut cuts = checked_cuts(options)?;
    if !unit.cuts.is_empty() {
        cuts.extend(&unit.cuts);
        cuts.sort_unstable();
        cuts.dedup();
    }
    Ok(cuts)
}

fn checked_cuts(options: &Protocol) -> Result<Vec<usize>, EvaluateError> {
    let cuts = options.k_values.clone().unwrap_or_else(|| defaults::K_VALUES.to_vec());
    if cuts.contains(&1) && !cuts.contains(&0) {
        return Ok(cuts);
    }
    Err(EvaluateError::Unscorable(format!(
        "option `k_values`: expected cut-offs of at least 1 that include 1, which the accuracy needs, found: \
         {cuts:?}"
    )))
}

/// The error that the corpus of `unit` is empty.
pub(super) fn no_documents(unit: &str) -> EvaluateError {
    nothing(unit, "documents", "an empty corpus")
}

fn nothing(unit: &str, expected: &str, found: &str) -> EvaluateError {
    EvaluateError::Unscorable(format!("{unit}: expected {expected}, found {found}"))
}
