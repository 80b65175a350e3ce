//! A unit of a type over rankings: the host searches the corpus, and the type's evaluator makes scores of what was found.

use mteb_card::{DeclaredType, ScoreQuestion, UnitQuestion};

use super::answer::checked_answer;
use super::runner::{Block, offsets, runner};
use crate::task_types::RankedSearch;
use crate::{EvaluateError, Evaluated, ItemColumn, Items, Keep, Plan, Session, TextColumn};

/// A unit, ready to be searched and scored.
pub struct OwnRankedPlan {
    pub declared: &'static DeclaredType,
    pub question: UnitQuestion,
    /// Its queries as JSON lines.
    pub rows: Vec<u8>,
    pub search: RankedSearch,
}

impl Plan for OwnRankedPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.search.plan().columns()
    }

    fn texts(&self) -> Option<usize> {
        self.search.plan().texts()
    }

    fn pairs(&self) -> Option<usize> {
        self.search.plan().pairs()
    }

    fn ranks(&self) -> Option<&'static str> {
        self.search.plan().ranks()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        self.search.plan().check()
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let (ranked, rankings) = self.search.find(session, keep)?;
        let mut blocks = vec![Block::Bytes(&self.rows)];
        blocks.extend(ranked.blocks());
        let (begins, _) = offsets(&blocks);
        let question = ScoreQuestion {
            unit: self.question.clone(),
            ranked: Some(ranked.places(&begins[1..])),
            ..ScoreQuestion::default()
        };
        let question =
            serde_json::to_value(question).map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        let answer = runner(self.declared)?.ask("score", question, &blocks)?;
        let declaration = &self.declared.declaration;
        let answer = checked_answer(&answer, declaration, self.search.count())?;
        answer.warnings.iter().for_each(|line| session.warn(line));
        let outcomes = declaration.outcomes.as_ref().zip(answer.outcomes).filter(|_| keep.items);
        let items = outcomes.map(|(name, outcomes)| {
            let mut items = Items::default();
            items.push("query", ItemColumn::Text(self.search.query_ids().iter().collect()));
            items.push(name, ItemColumn::Float(outcomes));
            items
        });
        Ok(Evaluated { scores: answer.scores, items, rankings })
    }
}
