//! Searches with a model, with what ranks by itself, or with rankings of others; and scores what was found.

use mteb_items::rankings::Rankings;

use super::corpus::{DocumentPieces, in_all_pieces};
use super::corpus_ids::{CorpusIds, EmptyDocuments};
use super::measures::{Measured, items, measure};
use super::plan::{SearchPlan, Searched};
use super::results::{FoundIds, Results, drop_identical};
use super::{cross_encoder, full_search, given_rankings, joined_search, ranked, rerank};
use crate::{EvaluateError, Evaluated, FoundInRanges, Keep, Plan, Ranges, Session, TextColumn};

impl Plan for SearchPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        match &self.corpus {
            Searched::All(_) => vec![&self.queries],
            Searched::Given(lists, _) => vec![&self.queries, &lists.texts],
        }
    }

    fn texts(&self) -> Option<usize> {
        let documents = match &self.corpus {
            Searched::All(corpus) => corpus.rows()?,
            Searched::Given(lists, _) => lists.texts.texts.len(),
        };
        Some(self.queries.texts.len() + documents)
    }

    fn pairs(&self) -> Option<usize> {
        match &self.corpus {
            Searched::All(_) => None,
            Searched::Given(lists, _) => Some(lists.encoded.iter().map(Vec::len).sum()),
        }
    }

    fn ranks(&self) -> Option<&'static str> {
        Some(match &self.corpus {
            Searched::All(_) => "corpus",
            Searched::Given(..) => "candidates",
        })
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        let mut notes = self.notes.clone();
        if let Searched::All(corpus) = &self.corpus {
            let (mut ids, mut empty) = (CorpusIds::new(&self.rules), EmptyDocuments::default());
            for piece in DocumentPieces::new(&**corpus) {
                let piece = piece?;
                // What cannot be encoded is found here, too.
                let texts =
                    piece.texts(0..piece.ids.len()).map_err(|error| in_all_pieces(error, &**corpus))?;
                empty.add(EmptyDocuments::of(&texts, |row| piece.at(row)));
                ids.add(piece.ids.iter(), &self.documents);
            }
            notes.extend(ids.check(&self.rules, &self.documents, &**corpus)?);
            notes.extend(empty.note(&self.rules));
        }
        Ok(notes)
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let (results, rankings) = self.results(session, keep)?;
        let Measured { scores, evaluation, more } = measure(self, &results, session)?;
        let items = keep.items.then(|| items(&self.query_ids, &evaluation, more));
        Ok(Evaluated { scores, items, rankings })
    }

    fn search_ranges(
        &self,
        session: &mut dyn Session,
        ranges: &Ranges,
        keep: Keep,
    ) -> Result<FoundInRanges, EvaluateError> {
        match &self.corpus {
            Searched::All(corpus) if !session.is_cross_encoder() && session.ranker().is_none() => {
                let depth = self.kept_depth(keep) + self.excluded.most();
                full_search::search_ranges(self, &**corpus, session, (depth, ranges))
            }
            Searched::Given(lists, _) if session.is_cross_encoder() => {
                cross_encoder::rerank_ranges(self, lists, session, ranges)
            }
            _ => Err(EvaluateError::Unscorable(format!(
                "{}: expected a model that encodes and a search over the whole corpus, or a cross-encoder and given \
                 candidates, whose ranges several machines share, found others; plan again with `--whole-corpora`",
                self.unit
            ))),
        }
    }
}

impl SearchPlan {
    /// What is found for each query down to the largest cut, and the rankings that are to be kept.
    pub(super) fn results(
        &self,
        session: &mut dyn Session,
        keep: Keep,
    ) -> Result<(Results<'_>, Option<Rankings>), EvaluateError> {
        let depth = self.kept_depth(keep);
        let mut results = self.find(session, depth)?;
        self.behind.append(&mut results.found);
        self.excluded.leave_out(&mut results, depth);
        session.phase("Scoring");
        let identical = self.ignore_identical_ids.then_some(self.query_ids.as_slice());
        let rankings = keep.rankings.map(|depth| results.rankings(&self.query_ids, identical, depth));
        if depth > self.depth() {
            results.cut(self.depth());
        }
        if let Some(query_ids) = identical {
            drop_identical(&mut results, query_ids);
        }
        Ok((results, rankings))
    }

    /// Documents of each query id for the largest cut and for the rankings that are to be kept.
    fn kept_depth(&self, keep: Keep) -> usize {
        self.depth().max(keep.rankings.unwrap_or(0))
    }

    /// The `depth` best documents of each query id.
    fn find(&self, session: &mut dyn Session, depth: usize) -> Result<Results<'_>, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        if let Some(rankings) = session.rankings() {
            return given_rankings::results(self, &rankings, session);
        }
        if session.ranker().is_some() {
            return ranked::search(self, session, depth);
        }
        let lists = match &self.corpus {
            Searched::All(corpus) if session.found().is_some() => {
                let found = session.found().unwrap_or_default();
                let depth = depth + self.excluded.most();
                return joined_search::search(self, &**corpus, session, (depth, &found));
            }
            Searched::All(_) if session.is_cross_encoder() => {
                return Err(EvaluateError::Unscorable(
                    "a cross-encoder scores given candidates, and this task names none: run it with a model that \
                     encodes, or add a part `top_ranked`"
                        .to_owned(),
                ));
            }
            Searched::All(corpus) => {
                return full_search::search(self, &**corpus, session, depth + self.excluded.most());
            }
            Searched::Given(lists, _) => lists,
        };
        let found = match session.found() {
            Some(found) => cross_encoder::join(self, lists, &found)?,
            None if session.is_cross_encoder() => cross_encoder::rerank(self, lists, session)?,
            None => rerank::rerank(self, lists, session, depth)?,
        };
        Ok(Results { found, ids: FoundIds::named(&self.documents) })
    }
}
