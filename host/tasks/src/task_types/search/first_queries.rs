//! The first judged queries of a unit with what belongs to them, so that a search can be tried.

use std::collections::{HashMap, HashSet};

use mteb_data::{Column, DataError, Table, Texts};
use serde_json::Value;

use super::ids::{id, id_column, row_ids};
use crate::{Corpus, Part, Unit};

/// The unit with its first `count` judged queries, or the queries of half as many topics; with the documents that were judged
/// for them or changed, and the first `count` others. A list of candidates is cut in the same way.
pub fn first_queries(
    mut unit: Unit,
    corpus: Option<&dyn Corpus>,
    has_topics: bool,
    count: usize,
) -> Result<Unit, DataError> {
    let judged = id_column(unit.part(Part::Qrels)?, "query-id")?;
    let ids = row_ids(unit.part(Part::Queries)?)?;
    let changed = unit.get(Part::QrelDiff).map(|table| id_column(table, "query-id")).transpose()?;
    let queries = Chosen::new(&ids, &judged, changed.as_ref().filter(|_| has_topics), count);
    let is_chosen = |id: &str| queries.ids.contains(id);
    cut(&mut unit, Part::Queries, &ids, is_chosen);
    cut(&mut unit, Part::Qrels, &judged, is_chosen);
    if let Some(changed) = changed {
        cut(&mut unit, Part::QrelDiff, &changed, |topic| queries.topics.contains(topic));
    }
    if let Some(lists) = unit.get(Part::TopRanked) {
        let of = id_column(lists, "query-id")?;
        cut(&mut unit, Part::TopRanked, &of, is_chosen);
    }
    let mut named = Named::new(&unit)?;
    if let Some(lists) = unit.parts.remove(&Part::TopRanked) {
        unit.parts.insert(Part::TopRanked, named.candidates(lists, count)?);
    }
    let own = unit.parts.remove(&Part::Corpus);
    let own = own.as_ref().map(|table| table as &dyn Corpus);
    let documents = match own.or(corpus) {
        Some(corpus) => first_documents(corpus, &named.all, count)?,
        None => Table::default(),
    };
    unit.parts.insert(Part::Corpus, documents);
    Ok(unit)
}

/// The queries that stay.
struct Chosen<'a> {
    ids: HashSet<&'a str>,
    topics: HashSet<&'a str>,
}

impl<'a> Chosen<'a> {
    fn new(ids: &'a Texts, judged: &Texts, topics: Option<&Texts>, count: usize) -> Self {
        let judged: HashSet<&str> = judged.iter().collect();
        let known: Option<HashSet<&str>> = topics.map(|topics| topics.iter().collect());
        let most = if topics.is_some() { (count / 2).max(1) } else { count };
        let mut chosen = Self { ids: HashSet::new(), topics: HashSet::new() };
        for id in ids.iter().filter(|id| judged.contains(id)) {
            let topic = if topics.is_some() { topic(id) } else { id };
            let is_known = known.as_ref().is_none_or(|known| known.contains(topic));
            if is_known && (chosen.topics.len() < most || chosen.topics.contains(topic)) {
                chosen.topics.insert(topic);
                chosen.ids.insert(id);
            }
        }
        chosen
    }
}

/// The topic that a query asks, as it was or with a changed instruction.
fn topic(id: &str) -> &str {
    id.strip_suffix("-og").or(id.strip_suffix("-changed")).unwrap_or(id)
}

/// Leaves the rows of `part` whose id `stays`.
fn cut(unit: &mut Unit, part: Part, ids: &Texts, stays: impl Fn(&str) -> bool) {
    let rows: Vec<usize> = (0..ids.len()).filter(|&row| stays(&ids[row])).collect();
    if let Some(table) = unit.parts.get_mut(&part) {
        *table = table.select(&rows);
    }
}

/// The documents that judgements name, of each query and of all.
struct Named {
    of_query: HashMap<String, HashSet<String>>,
    all: HashSet<String>,
}

impl Named {
    fn new(unit: &Unit) -> Result<Self, DataError> {
        let qrels = unit.part(Part::Qrels)?;
        let (queries, documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
        let mut named = Self { of_query: HashMap::new(), all: HashSet::new() };
        for (query, document) in queries.iter().zip(documents.iter()) {
            named.of_query.entry(query.to_owned()).or_default().insert(document.to_owned());
            named.all.insert(document.to_owned());
        }
        if let Some(changed) = unit.get(Part::QrelDiff) {
            let lists = changed.column("corpus-ids")?;
            for row in 0..changed.rows() {
                named.all.extend(lists.value(row).as_array().into_iter().flatten().filter_map(id));
            }
        }
        Ok(named)
    }

    /// The lists with the candidates that are named and the first `count` others; those are named from now on.
    fn candidates(&mut self, lists: Table, count: usize) -> Result<Table, DataError> {
        let (queries, cells) = (id_column(&lists, "query-id")?, lists.column("corpus-ids")?);
        let mut cut = Vec::with_capacity(lists.rows());
        let mut taken = HashSet::new();
        for (row, query) in queries.iter().enumerate() {
            let Value::Array(list) = cells.value(row) else {
                cut.push(cells.value(row));
                continue;
            };
            let mut left = count;
            let mut stays = |candidate: &Value| {
                let Some(candidate) = id(candidate) else { return true };
                let is_named = self.of_query.get(query).is_some_and(|named| named.contains(&candidate));
                let stays = is_named || self.all.contains(&candidate) || left > 0;
                left -= usize::from(stays && !is_named && left > 0);
                if stays {
                    taken.insert(candidate);
                }
                stays
            };
            cut.push(list.into_iter().filter(|candidate| stays(candidate)).collect());
        }
        self.all.extend(taken);
        Ok(lists.with_column("corpus-ids", Column::Any(cut)))
    }
}

/// The documents that are `named`, and the first `count` others, in the order of the corpus.
fn first_documents(corpus: &dyn Corpus, named: &HashSet<String>, count: usize) -> Result<Table, DataError> {
    let (mut documents, mut unseen, mut others) = (Table::default(), named.len(), count);
    for piece in corpus.open() {
        let piece = piece?;
        let mut rows = Vec::new();
        for (row, id) in row_ids(&piece)?.iter().enumerate() {
            let left = if named.contains(id) { &mut unseen } else { &mut others };
            // A named document may come again, and then the last one counts.
            if *left > 0 || named.contains(id) {
                *left = left.saturating_sub(1);
                rows.push(row);
            }
        }
        documents.append(piece.select(&rows))?;
        if unseen == 0 && others == 0 {
            break;
        }
    }
    Ok(documents)
}
