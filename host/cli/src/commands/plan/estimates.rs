//! What the units of a plan are estimated to take, by their texts and by how fast the model was
//! before, and into how many ranges they are cut.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use mteb_card::{Part, TaskType};
use mteb_data::{Column, Table, written};
use mteb_engine::shards::{UnitEstimate, ranges_of_corpus, ranges_of_pairs};
use mteb_json::Json;
use mteb_plugin_api::ModelInfo;
use mteb_registry::{Selected, embedded};
use mteb_results::{FirstStage, ResultStore, UnitName, read_json};
use mteb_shards::{Cost, Size, SizeSource};
use mteb_source::DataSources;
use mteb_tasks::{Unit, text_columns};
use serde_json::Value;

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
        let Counted { texts, characters, by, documents, pairs } = count_unit(task, unit, sources);
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
fn count_unit(task: &Selected, (split, subset): (&str, &str), sources: &mut DataSources) -> Counted {
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

/// What results of a model say of its speed.
#[derive(Debug, Default)]
pub struct Measured {
    /// Tokens a second of the newest result that encoded some.
    pub cost: Option<Cost>,
    /// Seconds of a unit, by task, where most of its texts were encoded.
    pub seconds: HashMap<String, f64>,
}

impl Measured {
    /// Of the results of the model in `folder`.
    pub fn of(folder: &Path, info: &ModelInfo) -> Self {
        let mut measured = Self::default();
        let folder = ResultStore::new(folder, info).folder().to_owned();
        let mut newest = f64::MIN;
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let is_result = path.extension().is_some_and(|ending| ending == "json");
            let Some(json) = is_result.then(|| read_json(&path).ok()).flatten() else { continue };
            let Some(footprint) = json.get("mteb_host").and_then(|host| host.get("footprint")) else {
                continue;
            };
            let number = |json: &Json, key: &str| json.get(key).and_then(Json::as_number);
            let encoded = number(footprint, "texts_encoded").unwrap_or(0.0);
            if encoded <= 0.0 {
                continue;
            }
            let date = number(&json, "date").unwrap_or(0.0);
            if let Some(speed) = number(footprint, "tokens_per_second").filter(|speed| *speed > 0.0)
                && date > newest
            {
                newest = date;
                let from = format!("{}: {speed:.0} tokens per second", path.display());
                measured.cost = Some(Cost { tokens_per_second: speed, from });
            }
            let splits = json.get("scores").and_then(Json::as_map).unwrap_or_default();
            let units: usize =
                splits.iter().map(|(_, entries)| entries.as_list().unwrap_or_default().len()).sum();
            let task = json.get("task_name").and_then(Json::as_text).unwrap_or_default();
            let from_cache = number(footprint, "texts_from_cache").unwrap_or(0.0);
            if let Some(seconds) =
                number(&json, "evaluation_time").filter(|_| units > 0 && encoded > from_cache)
            {
                measured.seconds.insert(task.to_owned(), seconds / units as f64);
            }
        }
        measured
    }
}

/// Adds the texts of a unit, each once.
pub fn add_texts(texts: &mut HashSet<String>, unit: &Unit, task_type: TaskType) {
    for (part, table) in &unit.parts {
        let columns = text_columns(task_type, *part);
        if *part == Part::Corpus || *part == Part::Queries {
            let cells: Vec<&Column> = columns.iter().filter_map(|name| table.get(name)).collect();
            texts.extend((0..table.rows()).map(|row| {
                let joined: Vec<String> = cells.iter().map(|cells| written(&cells.value(row))).collect();
                joined.join("\n")
            }));
        } else if matches!(part, Part::Rows | Part::Train) {
            columns.iter().for_each(|name| add_cells(texts, table, name));
        }
    }
}

fn add_cells(texts: &mut HashSet<String>, table: &Table, name: &str) {
    let Some(cells) = table.get(name) else { return };
    for row in 0..table.rows() {
        match cells.value(row) {
            Value::Array(all) => texts.extend(all.iter().map(written)),
            one => drop(texts.insert(written(&one))),
        }
    }
}
