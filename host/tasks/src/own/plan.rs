//! A unit of a type that is declared: its texts are encoded, or the host searches its corpus, and
//! its evaluator makes scores of the embeddings or of what was found.

use std::collections::BTreeMap;

use mteb_card::{DeclaredType, Place, ScoreQuestion, Service, UnitQuestion};

use super::answer::checked_answer;
use super::runner::{Block, offsets, runner};
use super::services::{Served, serve};
use super::text_sets::EncodedSet;
use crate::task_types::RankedSearch;
use crate::{EvaluateError, Evaluated, ItemColumn, Items, Keep, Matrix, Plan, Session, TextColumn};

/// The column of outcomes with the result of each row.
pub const OUTCOME: &str = "outcome";

/// A unit, ready to be scored.
pub struct OwnPlan {
    pub declared: &'static DeclaredType,
    pub question: UnitQuestion,
    /// Its rows as JSON lines.
    pub rows: Vec<u8>,
    pub sets: Vec<EncodedSet>,
    pub services: Vec<Service>,
}

impl Plan for OwnPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.sets.iter().map(|set| &set.column).collect()
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let mut embeddings = BTreeMap::new();
        for set in &self.sets {
            let rows = session.encode(&set.column, 0..set.column.texts.len())?;
            embeddings.insert(set.name.as_str(), rows);
        }
        session.phase("Scoring");
        let find = |name: &str| embeddings.get(name);
        let served: Vec<Served> =
            self.services.iter().map(|service| serve(service, find, session)).collect::<Result<_, _>>()?;
        let (question, blocks) = self.laid_out(&embeddings, &served);
        let question =
            serde_json::to_value(question).map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        let answer = runner(self.declared)?.ask("score", question, &blocks)?;
        let rows = self.question.rows.rows as usize;
        let answer = checked_answer(&answer, &self.declared.declaration, rows)?;
        answer.warnings.iter().for_each(|line| session.warn(line));
        let items = answer.outcomes.filter(|_| keep.items).map(items);
        Ok(Evaluated { scores: answer.scores, items, rankings: None })
    }
}

impl OwnPlan {
    /// The question to the evaluator, and what lies in the memory for it.
    fn laid_out<'a>(
        &'a self,
        embeddings: &'a BTreeMap<&str, Matrix>,
        served: &'a [Served],
    ) -> (ScoreQuestion, Vec<Block<'a>>) {
        let given: Vec<(&String, &Matrix)> = self
            .sets
            .iter()
            .filter(|set| set.is_given)
            .filter_map(|set| Some((&set.name, embeddings.get(set.name.as_str())?)))
            .collect();
        let mut blocks = vec![Block::Bytes(&self.rows)];
        blocks.extend(given.iter().map(|(_, rows)| Block::Floats(&rows.values)));
        for answer in served {
            match answer {
                Served::Pairs(similarities) => blocks.push(Block::Floats(similarities)),
                Served::Nearest { places, similarities, .. } => {
                    blocks.extend([Block::Places(places), Block::Floats(similarities)]);
                }
            }
        }
        let (begins, _) = offsets(&blocks);
        let mut places = begins.iter().zip(&blocks).skip(1).map(|(begin, block)| (*begin, block.len()));
        let mut place = |rows: usize, dimension: usize| {
            let (offset, bytes) = places.next().unwrap_or_default();
            let [offset, bytes, rows, dimension] =
                [offset, bytes, rows, dimension].map(|number| number as u64);
            Place { offset, bytes, rows, dimension }
        };
        let mut question = ScoreQuestion { unit: self.question.clone(), ..ScoreQuestion::default() };
        for (name, rows) in given {
            question.embeddings.insert(name.clone(), place(rows.rows(), rows.dimension));
        }
        for answer in served {
            match answer {
                Served::Pairs(similarities) => question.services.push(place(similarities.len(), 1)),
                Served::Nearest { k, places, .. } => {
                    let rows = places.len() / k;
                    question.services.push(place(rows, *k));
                    question.services.push(place(rows, *k));
                }
            }
        }
        (question, blocks)
    }
}

/// One row per item: its place, and its result.
fn items(outcomes: Vec<f64>) -> Items {
    let mut items = Items::default();
    items.push("row", ItemColumn::Int((0..outcomes.len() as i64).collect()));
    items.push(OUTCOME, ItemColumn::Float(outcomes));
    items
}

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
