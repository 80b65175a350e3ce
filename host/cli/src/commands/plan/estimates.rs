//! What the units of a plan are estimated to take, and into how many ranges they are cut.

use std::collections::HashSet;

use mteb_card::{Part, TaskType};
use mteb_engine::shards::{UnitEstimate, ranges_of_corpus, ranges_of_pairs};
use mteb_registry::{Selected, embedded};
use mteb_results::{FirstStage, UnitName};
use mteb_shards::{Cost, Size, SizeSource};
use mteb_source::DataSources;
use mteb_tasks::Unit;

use super::measured::Measured;
use super::unit_texts::add_texts;

/// What of units several shards may share.
#[derive(Clone, Copy)]
pub enum Cut<'a> {
    /// Nothing.
    Nothing,
    /// The search of a corpus.
    Corpora,
    /// The pairs of a reranker: of queries and of what this first stage has found for them, or of the candidates of a task.
    Pairs(Option<&'a FirstStage>),
}

/// By what units are estimated.
pub struct Estimator<'a> {
    /// What earlier results say of the model.
    pub measured: &'a Measured,
    /// How fast the model is taken to be.
    pub cost: &'a Cost,
    /// What may be shared.
    pub cut: Cut<'a>,
}

/// What is known of the texts of a unit.
struct Counted {
    texts: Option<u64>,
    characters: Option<u64>,
    by: SizeSource,
    /// Documents of its corpus, if the whole of it is searched.
    documents: Option<u64>,
    /// Pairs of queries and candidates, if it has candidates.
    pairs: Option<u64>,
}

impl Estimator<'_> {
    /// Estimates of the units of a task, in order.
    pub fn units(&self, task: &Selected, sources: &mut DataSources) -> Vec<UnitEstimate> {
        task.units().map(|unit| self.unit(task, unit, sources)).collect()
    }

    fn unit(&self, task: &Selected, unit: (&str, &str), sources: &mut DataSources) -> UnitEstimate {
        let card = &task.entry.card;
        let Counted { texts, characters, by, documents, pairs } = counted(task, unit, sources);
        let is_searched = matches!(card.task_type, TaskType::Retrieval | TaskType::InstructionRetrieval);
        let (ranges, size) = match self.cut {
            Cut::Pairs(first) => {
                let found = first.and_then(|first| pairs_behind(first, task, unit));
                let pairs = if first.is_some() { found } else { pairs };
                // Each pair is read by itself, however often its texts occur.
                let size = pairs.map(|pairs| Size { texts: Some(pairs), characters: None });
                (pairs.map_or(1, ranges_of_pairs), size)
            }
            Cut::Corpora => (documents.filter(|_| is_searched).map_or(1, ranges_of_corpus), None),
            Cut::Nothing => (1, None),
        };
        let (counted, seconds) = match self.measured.seconds.get(&card.name) {
            Some(&seconds) => (SizeSource::Result, seconds),
            None => (by, self.cost.seconds(size.unwrap_or(Size { texts, characters }))),
        };
        UnitEstimate { texts, characters, counted, seconds, ranges }
    }
}

/// Counts a unit: by its data, else by what the reference has counted of its task.
fn counted(task: &Selected, (split, subset): (&str, &str), sources: &mut DataSources) -> Counted {
    let card = &task.entry.card;
    let nothing =
        Counted { texts: None, characters: None, by: SizeSource::Guess, documents: None, pairs: None };
    if let Some(size) = embedded::size(&card.name).filter(|_| !card.dataset.is_own()) {
        let all = card.units().count().max(1) as u64;
        let texts = Some(size.texts / all);
        // Its queries are few beside its documents.
        return Counted {
            texts,
            characters: Some(size.characters / all),
            by: SizeSource::Reference,
            documents: texts,
            ..nothing
        };
    }
    let Ok(unit) = sources.read_whole(&task.entry, split, subset) else { return nothing };
    let mut texts = HashSet::new();
    add_texts(&mut texts, &unit, card.task_type);
    let pairs = candidates(&unit);
    Counted {
        texts: Some(texts.len() as u64),
        characters: Some(texts.iter().map(|text| text.chars().count() as u64).sum()),
        by: SizeSource::Data,
        documents: unit.get(Part::Corpus).filter(|_| pairs.is_none()).map(|corpus| corpus.rows() as u64),
        pairs,
    }
}

/// Candidates of all queries of a unit, if it names some.
fn candidates(unit: &Unit) -> Option<u64> {
    let lists = unit.get(Part::TopRanked)?;
    let column = lists.get("corpus-ids")?;
    let length = |row| column.value(row).as_array().map_or(0, |list| list.len() as u64);
    Some((0..lists.rows()).map(length).sum())
}

/// Documents that are ordered anew of what a first stage has found for the queries of a unit.
fn pairs_behind(first: &FirstStage, task: &Selected, (split, subset): (&str, &str)) -> Option<u64> {
    let name = UnitName { task: &task.entry.card.name, split, subset };
    let found = first.rankings(name).ok()?.found;
    Some(found.iter().map(|found| found.len().min(first.depth()) as u64).sum())
}
