//! A search whose scores the evaluator of a type of a pack makes.

use mteb_items::rankings::Rankings;
use mteb_measures::ranking::Outcome;
use serde_json::json;

use super::plan::{Needs, SearchPlan};
use crate::own::RankedBlocks;
use crate::{Corpus, EvaluateError, Keep, Plan, Protocol, Session, Unit};

/// A unit with queries, a corpus and judgements, ready to be searched.
pub struct RankedSearch {
    plan: SearchPlan,
    depth: usize,
}

impl RankedSearch {
    /// Reads the tables of `unit`; `depth` documents are found for each query.
    ///
    /// # Errors
    /// If the data is not what a search needs.
    pub fn new(
        unit: &Unit,
        corpus: Box<dyn Corpus>,
        options: &Protocol,
        depth: usize,
    ) -> Result<Self, EvaluateError> {
        let plan = SearchPlan::new(
            unit,
            corpus,
            options,
            Needs { candidates: false, changes: false, depth: Some(depth) },
        )?;
        if unit.is_own {
            plan.check_ids()?;
        }
        Ok(Self { plan, depth })
    }

    /// The search.
    pub fn plan(&self) -> &dyn Plan {
        &self.plan
    }

    /// Number of queries that are judged.
    pub fn count(&self) -> usize {
        self.plan.query_ids.len()
    }

    /// Their ids.
    pub fn query_ids(&self) -> &[String] {
        &self.plan.query_ids
    }

    /// Ids and texts of the judged queries, as JSON lines; of several rows of one id the first.
    pub fn queries(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for (id, rows) in self.plan.query_ids.iter().zip(self.plan.rows_by_place()) {
            let text = rows.first().map_or("", |row| &self.plan.queries.texts[*row]);
            lines.extend(json!({ "id": id, "text": text }).to_string().bytes().chain([b'\n']));
        }
        lines
    }

    /// What is found for each query, and the rankings that are to be kept.
    ///
    /// # Errors
    /// If the model fails.
    pub fn find(
        &self,
        session: &mut dyn Session,
        keep: Keep,
    ) -> Result<(RankedBlocks, Option<Rankings>), EvaluateError> {
        let (results, rankings) = self.plan.results(session, keep)?;
        let outcomes: Vec<Outcome<'_>> = results
            .found
            .iter()
            .zip(&self.plan.judgements)
            .map(|(found, judgements)| Outcome { found, judgements })
            .collect();
        Ok((RankedBlocks::with_ids(&outcomes, &results.ids, self.depth), rankings))
    }
}
