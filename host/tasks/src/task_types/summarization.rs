//! Summarization: does a summary's likeness to human summaries follow its rated relevance?
//! (Protocol 6.10.)

use std::ops::Range;

use mteb_base::counted::count;
use mteb_data::{DataError, Table, Texts, all_cells};
use mteb_measures::numeric::mean;
use mteb_search::{Similarity, pairs};
use serde_json::Value;

use super::sentence_pairs::GoldRange;
use super::summary_items::{Likeness, Pooled, aggregate, items};
use super::summary_overlap::{Extra, Summaries};
use crate::{
    Bounds, EvaluateError, Evaluated, Evaluator, Facts, Gold, Items, Keep, Matrix, Part, Plan, Protocol,
    Scores, Session, TaskState, TextColumn, Unit,
};

/// Rows of `human_summaries`, `machine_summaries` and the `relevance` of each machine summary, all
/// lists.
#[derive(Clone, Copy, Debug)]
pub struct Summarization;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells good summaries from bad ones.",
    hub_category: "summarization",
    instruction: "Given a news summary, retrieve other semantically similar summaries.",
    options: &["min_score", "max_score", "average_p_values"],
    gives: &|name: &str| SCORES.contains(&name),
    bounds: &|name: &str| match name {
        "document_cosine" => Some(Bounds::between(-1.0, 1.0)),
        name => Bounds::of_correlation(name),
    },
    text_columns: &["text", "human_summaries", "machine_summaries"],
    optional_columns: &["text"],
    other_columns: &[],
    gold: Gold::Scores("relevance"),
    label_tolerance: 0.25,
    learns: false,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for Summarization {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let table = unit.part(Part::Rows)?;
        check_judged(table)?;
        let range = GoldRange::new(options)?;
        let (human_texts, human) = flatten(table, "human_summaries")?;
        let (machine_texts, machine) = flatten(table, "machine_summaries")?;
        let documents = relevance(table, &range)?
            .into_iter()
            .zip(human.into_iter().zip(machine))
            .enumerate()
            .map(|(row, (gold, (human, machine)))| document(table, row, gold, human, machine))
            .collect::<Result<_, _>>()?;
        Ok(Box::new(SummarizationPlan {
            human: TextColumn { texts: human_texts, role: None, phase: "Encoding human summaries" },
            machine: TextColumn { texts: machine_texts, role: None, phase: "Encoding machine summaries" },
            documents,
            average_p_values: options.average_p_values,
            extra: unit.extra.then(|| Extra::new(table)).transpose()?,
        }))
    }

    fn aggregate(&self, items: &Items, options: &Protocol) -> Result<Scores, EvaluateError> {
        aggregate(items, options.average_p_values)
    }
}

/// Refuses texts with one summary each, of which there is nothing to correlate with.
fn check_judged(table: &Table) -> Result<(), DataError> {
    if table.get("human_summaries").is_some() || table.get("summary").is_none() {
        return Ok(());
    }
    Err(DataError::Malformed {
        place: table.place(0).0.to_owned(),
        message: "expected lists of human and of machine summaries of each text, and the relevance of the latter (`human_summaries`, \
                  `machine_summaries`, `relevance`), found one summary per text, whose similarity there is nothing to correlate with; \
                  `type = \"BitextMining\"` with `columns = { sentence1 = \"text\", sentence2 = \"summary\" }` scores whether each text \
                  finds its summary"
            .to_owned(),
    })
}

/// The scores of the type.
const SCORES: [&str; 6] =
    ["pearson", "spearman", "cosine_pearson", "cosine_spearman", "dot_pearson", "dot_spearman"];

struct SummarizationPlan {
    human: TextColumn,
    machine: TextColumn,
    documents: Vec<Document>,
    average_p_values: bool,
    /// What measures beside those of the reference need, if they are wanted.
    extra: Option<Extra>,
}

/// Where the summaries of one document lie in the two columns, and how relevant each machine
/// summary is.
struct Document {
    human: Range<usize>,
    machine: Range<usize>,
    gold: Vec<f64>,
}

impl Plan for SummarizationPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        let sources = self.extra.iter().filter_map(|extra| extra.sources.as_ref());
        [&self.human, &self.machine].into_iter().chain(sources).collect()
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let human = session.encode(&self.human, 0..self.human.texts.len())?;
        let machine = session.encode(&self.machine, 0..self.machine.texts.len())?;
        session.phase("Scoring");
        let own = session.similarity();
        let mut pooled = Pooled::default();
        let mut found: Vec<(&[f64], Likeness)> = Vec::with_capacity(self.documents.len());
        for document in &self.documents {
            let likeness = [own, Similarity::Cosine, Similarity::Dot]
                .map(|kind| best_likeness(kind, document, &human, &machine));
            pooled.add(&document.gold, &likeness, self.average_p_values);
            found.push((&document.gold, likeness));
        }
        if pooled.is_empty() {
            session
                .warn("no document has both unequal relevance and unequal similarity, so there is no score");
        }
        let mut scores = pooled.scores();
        let mut named = Vec::new();
        if let Some(extra) = &self.extra {
            let ranges =
                self.documents.iter().map(|document| (document.human.clone(), document.machine.clone()));
            let summaries =
                Summaries { human: &self.human.texts, machine: &self.machine.texts, embedded: &machine };
            named = extra.values(ranges, &summaries, session)?;
        }
        for (name, values) in &named {
            scores.insert(*name, mean(values));
        }
        let items = keep.items.then(|| items(&found, named));
        Ok(Evaluated { scores, items, rankings: None })
    }
}

/// For each machine summary of `document` its similarity to the most similar human one.
fn best_likeness(kind: Similarity, document: &Document, human: &Matrix, machine: &Matrix) -> Vec<f64> {
    let dimension = human.dimension;
    let references = &human.values[document.human.start * dimension..document.human.end * dimension];
    document
        .machine
        .clone()
        .map(|row| {
            let repeated = machine.row(row).repeat(document.human.len());
            let scores = pairs::similarity(kind, &repeated, references, dimension);
            f64::from(scores.into_iter().fold(f32::NEG_INFINITY, f32::max))
        })
        .collect()
}

/// All strings of a column of lists, and the range of each row among them.
fn flatten(table: &Table, column: &str) -> Result<(Texts, Vec<Range<usize>>), DataError> {
    let mut texts = Texts::new();
    let lists = table.lists(column)?;
    let ranges = all_cells(lists.iter().enumerate().map(|(row, cells)| {
        let start = texts.len();
        for cell in cells {
            texts.push(cell.as_str().ok_or_else(|| table.fault(column, row, "a list of strings", cell))?);
        }
        if start == texts.len() {
            return Err(table.fault(column, row, "at least one summary", &Value::from(cells.clone())));
        }
        Ok(start..texts.len())
    }))?;
    Ok((texts, ranges))
}

fn relevance(table: &Table, range: &GoldRange) -> Result<Vec<Vec<f64>>, DataError> {
    let rows = table.lists("relevance")?;
    let number =
        |cell: &Value| cell.as_f64().or_else(|| cell.as_bool().map(|is_good| f64::from(u8::from(is_good))));
    let share = |row, cell: &Value| match number(cell) {
        Some(score) => Ok(range.share(score)),
        None => Err(table.fault("relevance", row, "a list of numbers", cell)),
    };
    all_cells(rows.iter().enumerate().map(|(row, cells)| cells.iter().map(|cell| share(row, cell)).collect()))
}

fn document(
    table: &Table,
    row: usize,
    gold: Vec<f64>,
    human: Range<usize>,
    machine: Range<usize>,
) -> Result<Document, DataError> {
    if gold.len() == machine.len() {
        return Ok(Document { human, machine, gold });
    }
    let expected = format!("a list of {}, one for each machine summary", count(machine.len(), "number"));
    Err(table.fault("relevance", row, &expected, &table.column("relevance")?.value(row)))
}
