//! Searches the whole corpus, one chunk at a time (protocol 7.1), in memory that grows by 8 bytes per document.
//!
//! While one piece of the corpus is encoded and searched, the next one is read. A piece is then forgotten; of its
//! documents only those stay that are among the best so far, as row, score and id, and of each a hash of its id. How the corpus is cut into pieces
//! changes no result: the heaps are filled at the ends of the protocol's chunks.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

use mteb_data::{DataError, Texts};
use mteb_measures::ranking::DocumentIds;
use mteb_search::{Heap, Scored, SearchError, compare};
use rayon::prelude::*;

use super::any_search::{AnySearch, KeptIds, Unanswered};
use super::corpus::{DocumentPiece, DocumentPieces, in_all_pieces};
use super::corpus_ids::{CorpusIds, EmptyDocuments};
use super::plan::{SearchPlan, no_documents};
use super::results::{FoundIds, Results, as_map};
use crate::{
    Corpus, Embeddings, EvaluateError, FoundInRange, FoundInRanges, RANGE_DOCUMENTS, Ranges, Role, Session,
};

/// Bytes of stack of the thread that reads, whatever `RUST_MIN_STACK` says.
const STACK: usize = 2 << 20;

/// Documents after which the best of them enter the heaps; part of the protocol, as it decides the heaps' order.
const CHUNK: usize = RANGE_DOCUMENTS as usize;

/// Most bytes of embeddings that are asked of the model at a time.
const EMBEDDINGS: usize = 64 << 20;

/// The `depth` best documents of each query id.
pub(super) fn search<'a>(
    plan: &'a SearchPlan,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
    depth: usize,
) -> Result<Results<'a>, EvaluateError> {
    let mut best = go_by(plan, corpus, session, (depth, None))?;
    let seen = std::mem::replace(&mut best.seen, CorpusIds::new(&plan.rules));
    for note in
        seen.check(&plan.rules, &plan.documents, corpus)?.into_iter().chain(best.empty.note(&plan.rules))
    {
        session.warn(&note);
    }
    Ok(best.finish())
}

/// What the `depth` best documents of each query id may be among those of these `ranges`.
pub(super) fn search_ranges(
    plan: &SearchPlan,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
    (depth, ranges): (usize, &Ranges),
) -> Result<FoundInRanges, EvaluateError> {
    if session.rescore_multiplier().is_some() {
        return Err(EvaluateError::Unscorable(
            "expected a search that is done once its documents are compared, found one that rescores them at its end \
             (`--rescore-multiplier`), which is not cut into ranges; plan again with `--whole-corpora`"
                .to_owned(),
        ));
    }
    let mut best = go_by(plan, corpus, session, (depth, Some(ranges)))?;
    best.end_chunk();
    Ok(FoundInRanges {
        depth,
        queries: plan.query_places.len(),
        documents: u32::try_from(best.rows).unwrap_or(u32::MAX),
        ranges: best.gathered.map(|gathered| gathered.found).unwrap_or_default(),
    })
}

/// Searches the corpus, or these ranges of it, while it goes by.
fn go_by<'a>(
    plan: &'a SearchPlan,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
    (depth, ranges): (usize, Option<&Ranges>),
) -> Result<BestSoFar<'a>, EvaluateError> {
    let queries = session.embed(&plan.queries, 0..plan.queries.texts.len())?;
    session.phase("Searching corpus");
    let mut best = BestSoFar::new(plan, session, queries, depth);
    best.gathered = ranges.map(|ranges| Gathered { ranges: ranges.clone(), found: BTreeMap::new() });
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(0);
        let read = move || {
            let mut pieces = DocumentPieces::new(corpus).map(|piece| piece.and_then(ids_and_texts));
            // Nobody listens any more when the search has failed.
            pieces.try_for_each(|piece| sender.send(piece).map_err(drop))
        };
        Builder::new().stack_size(STACK).spawn_scoped(scope, read).map_err(|error| {
            EvaluateError::Unscorable(format!("cannot start a thread that reads the corpus: {error}"))
        })?;
        receiver.into_iter().try_for_each(|piece| {
            let (ids, texts, empty) = piece.map_err(|error| in_all_pieces(error, corpus))?;
            best.empty.add(empty);
            best.take(&ids, &texts, session)
        })?;
        best.add_waiting(session)
    })?;
    if best.rows == 0 {
        return Err(no_documents(&plan.unit));
    }
    Ok(best)
}

pub(super) fn ids_and_texts(piece: DocumentPiece) -> Result<(Texts, Texts, EmptyDocuments), DataError> {
    let texts = piece.texts(0..piece.ids.len())?;
    let empty = EmptyDocuments::of(&texts, |row| piece.at(row));
    Ok((piece.ids, texts, empty))
}

/// The best documents of the corpus so far.
struct BestSoFar<'a> {
    plan: &'a SearchPlan,
    search: AnySearch,
    /// About how many bytes an embedding takes.
    embedding_bytes: usize,
    /// Documents wanted for a query.
    wanted: usize,
    /// Documents kept for a query while the corpus goes by: more than are wanted where they will be scored again.
    depth: usize,
    /// The best documents of each query id in the chunks that ended; of each query row where they will be scored again, for
    /// each row has numbers of its own.
    heaps: Vec<Heap>,
    /// The heap of each query row.
    places: Vec<usize>,
    /// The query rows of each heap.
    rows_by_place: Vec<Vec<usize>>,
    /// The best documents of each query row in the current chunk, best first.
    chunk: Vec<Vec<Scored>>,
    ids: KeptIds,
    seen: CorpusIds,
    empty: EmptyDocuments,
    /// Ids and texts that wait for the rest of their chunk, where it matters which texts are encoded together.
    waiting: (Texts, Texts),
    /// Documents so far.
    rows: usize,
    /// What ranges gave, where others search the rest.
    gathered: Option<Gathered>,
}

/// The ranges that are searched, and what those so far gave.
struct Gathered {
    ranges: Ranges,
    found: BTreeMap<u32, FoundInRange>,
}

impl<'a> BestSoFar<'a> {
    fn new(plan: &'a SearchPlan, session: &dyn Session, queries: Embeddings, depth: usize) -> Self {
        let (embedding_bytes, rows) = (queries.usual_bytes(), plan.query_places.len());
        let (wanted, multiplier) = (depth, session.rescore_multiplier());
        let depth = multiplier.map_or(depth, |multiplier| plan.rescored(multiplier));
        let rows_by_place = match multiplier {
            Some(_) => (0..rows).map(|row| vec![row]).collect(),
            None => plan.rows_by_place(),
        };
        Self {
            plan,
            search: AnySearch::new(session, queries, depth),
            embedding_bytes,
            wanted,
            depth,
            heaps: vec![Heap::new(depth); rows_by_place.len()],
            places: if multiplier.is_some() { (0..rows).collect() } else { plan.query_places.clone() },
            rows_by_place,
            chunk: vec![Vec::new(); rows],
            ids: KeptIds::default(),
            seen: CorpusIds::new(&plan.rules),
            empty: EmptyDocuments::default(),
            waiting: (Texts::new(), Texts::new()),
            rows: 0,
            gathered: None,
        }
    }

    /// Takes in the next documents; where it matters which texts are encoded together, these are the chunks of the protocol.
    fn take(&mut self, ids: &Texts, texts: &Texts, session: &mut dyn Session) -> Result<(), EvaluateError> {
        if !session.calibrates() {
            return self.add(ids, texts, session);
        }
        for (id, text) in ids.iter().zip(texts.iter()) {
            self.waiting.0.push(id);
            self.waiting.1.push(text);
            if self.waiting.0.len() == CHUNK {
                self.add_waiting(session)?;
            }
        }
        Ok(())
    }

    /// Encodes and searches the documents that wait.
    fn add_waiting(&mut self, session: &mut dyn Session) -> Result<(), EvaluateError> {
        let (ids, texts) = std::mem::take(&mut self.waiting);
        if ids.is_empty() { Ok(()) } else { self.add(&ids, &texts, session) }
    }

    /// Encodes and searches the next documents.
    fn add(&mut self, ids: &Texts, texts: &Texts, session: &mut dyn Session) -> Result<(), EvaluateError> {
        self.seen.add(ids.iter(), &self.plan.documents);
        let at_a_time = match session.calibrates() {
            true => CHUNK,
            false => (EMBEDDINGS / self.embedding_bytes.max(1)).max(1),
        };
        let mut start = 0;
        while start < texts.len() {
            let room = CHUNK - self.rows % CHUNK;
            let end = (start + at_a_time.min(room)).min(texts.len());
            self.ids.extend(ids.range(start..end));
            if self.is_searched() {
                let documents = session.embed_texts(texts, start..end, Some(Role::Document))?;
                self.search(documents)?;
            }
            self.rows += end - start;
            if self.rows.is_multiple_of(CHUNK) {
                self.end_chunk();
            }
            start = end;
        }
        Ok(())
    }

    /// The number of the range in which the next document is, which is that of the chunk.
    fn range(&self) -> u32 {
        (self.rows / CHUNK) as u32
    }

    /// True if the documents of the current chunk are searched here.
    fn is_searched(&self) -> bool {
        self.gathered.as_ref().is_none_or(|gathered| gathered.ranges.has(self.range()))
    }

    fn search(&mut self, documents: Embeddings) -> Result<(), EvaluateError> {
        let first = u32::try_from(self.rows + documents.len()).map_err(|_| {
            EvaluateError::Unscorable("expected less than 2³² documents, found more".to_owned())
        })? - documents.len() as u32;
        let floors: Vec<f32> = (0..self.chunk.len()).map(|row| self.floor(row)).collect();
        let (plan, depth) = (self.plan, self.depth);
        let best = self
            .search
            .best(documents, first, &self.ids, &floors)
            .map_err(|error| model_error(plan, error))?;
        let ids = &self.ids;
        self.chunk.par_iter_mut().zip(best).for_each(|(chunk, best)| {
            if chunk.is_empty() {
                *chunk = best;
            } else if !best.is_empty() {
                chunk.extend(best);
                // The stable sort merges the two runs.
                chunk.sort_by(|&a, &b| compare(ids, b, a));
                chunk.truncate(depth);
            }
        });
        Ok(())
    }

    /// The score below which nothing is wanted for query row `row`.
    fn floor(&self, row: usize) -> f32 {
        let heap = self.heaps[self.places[row]].floor();
        match self.chunk[row].last() {
            Some(&(_, lowest)) if self.chunk[row].len() >= self.depth => heap.max(lowest),
            _ => heap,
        }
    }

    /// Pushes what each query row found in the chunk into the heap of its id, and forgets the other documents.
    fn end_chunk(&mut self) {
        if let Some(gathered) =
            self.gathered.as_mut().filter(|_| self.chunk.iter().any(|row| !row.is_empty()))
        {
            // The chunk that ends is that of its last document.
            let number = (self.rows.saturating_sub(1) / CHUNK) as u32;
            let mut found = std::mem::take(&mut self.chunk);
            self.chunk = vec![Vec::new(); found.len()];
            let ids = &self.ids;
            // What a heap has no room for here, after less of the corpus, it has no room for after more.
            for (heap, rows) in self.heaps.iter_mut().zip(&self.rows_by_place) {
                rows.iter().for_each(|&row| found[row].retain(|&item| heap.try_push(ids, item)));
            }
            let rows = distinct(found.iter().flatten());
            let ids = rows.iter().map(|&row| ids.id(row)).collect();
            gathered.found.insert(number, FoundInRange { rows, ids, found });
        } else {
            push_all(&mut self.heaps, &self.rows_by_place, &self.chunk, &self.ids);
            self.chunk.iter_mut().for_each(Vec::clear);
        }
        let rows = distinct(self.heaps.iter().flat_map(Heap::items));
        self.search.keep(&rows);
        self.ids.keep(rows);
    }

    fn finish(mut self) -> Results<'a> {
        self.end_chunk();
        self.rescore();
        results(self.plan, self.heaps, self.ids.into_kept())
    }

    /// Scores what bits found by the numbers of the queries, if they are wanted: each row's best go into the heap of its id.
    fn rescore(&mut self) {
        let Some(rescoring) = self.search.rescoring() else { return };
        let (ids, by_row, wanted) = (&self.ids, &self.heaps, self.wanted);
        let heap = |rows: Vec<usize>| {
            let mut heap = Heap::new(wanted);
            for row in rows {
                let mut found = rescoring.scores(row, by_row[row].items());
                found.sort_by(|&a, &b| compare(ids, b, a));
                found.truncate(wanted);
                found.into_iter().for_each(|item| heap.push(ids, item));
            }
            heap
        };
        self.heaps = self.plan.rows_by_place().into_par_iter().map(heap).collect();
    }
}

/// Pushes what each query row found into the heap of its id.
pub(super) fn push_all(
    heaps: &mut [Heap],
    rows_by_place: &[Vec<usize>],
    found: &[Vec<Scored>],
    ids: &impl DocumentIds,
) {
    heaps.par_iter_mut().zip(rows_by_place).for_each(|(heap, rows)| {
        for &item in rows.iter().flat_map(|&row| &found[row]) {
            heap.push(ids, item);
        }
    });
}

/// The rows of `items`, ascending, each once.
pub(super) fn distinct<'i>(items: impl Iterator<Item = &'i Scored>) -> Vec<u32> {
    let mut rows: Vec<u32> = items.map(|&(row, _)| row).collect();
    rows.par_sort_unstable();
    rows.dedup();
    rows
}

/// What is in the `heaps`, whose rows (ascending) have these ids.
pub(super) fn results(plan: &SearchPlan, heaps: Vec<Heap>, (rows, ids): (Vec<u32>, Texts)) -> Results<'_> {
    let (ids, numbers) = FoundIds::new(&plan.documents, ids);
    let number = |row: u32| numbers[rows.partition_point(|&kept| kept < row)];
    let found = heaps
        .into_par_iter()
        .map(|heap| as_map(heap.into_items().into_iter().map(|(row, score)| (number(row), score))));
    Results { found: found.collect(), ids }
}

fn model_error(plan: &SearchPlan, error: Unanswered) -> EvaluateError {
    EvaluateError::Model(match error {
        Unanswered::Search(SearchError::NotANumber { query }) => not_a_number(plan, query),
        Unanswered::Search(other) => other.to_string(),
        Unanswered::Evaluate(error) => return error,
    })
}

/// The message that a similarity of query row `row` is not a number.
pub(super) fn not_a_number(plan: &SearchPlan, row: usize) -> String {
    format!(
        "the similarity of query `{}` with a document is not a number: an embedding is not finite or too large",
        plan.query_ids[plan.query_places[row]]
    )
}
