//! The legacy form: every row is a set of sentences that is clustered by itself (protocol 6.4).

use mteb_base::counted::count;
use mteb_data::{DataError, Table, Texts, all_cells};
use mteb_measures::cluster::Rows;
use mteb_measures::numeric::{mean, standard_deviation};
use rayon::prelude::*;
use serde_json::Value;

use super::items::{Agreement, Draws, extra_values};
use super::labels::{COLUMN, Label, distinct, label_lists, number};
use super::settings::Settings;
use crate::{
    EvaluateError, Evaluated, Items, Keep, Matrix, Part, Plan, Score, Scores, Session, TextColumn, Unit,
};

/// Column that holds the lists of sentences.
const SENTENCES: &str = "sentences";

/// Reads the sets; nothing is drawn.
pub(super) fn plan(unit: &Unit, settings: Settings) -> Result<Box<dyn Plan>, EvaluateError> {
    let table = unit.part(Part::Rows)?;
    if table.rows() == 0 {
        let message = "expected at least one set of sentences, found none".to_owned();
        return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message }.into());
    }
    let rows: Vec<usize> = (0..table.rows()).collect();
    let labels = label_lists(table, &rows)?;
    let sentences = table.text_lists(SENTENCES)?;
    let sets = sentences.into_iter().zip(&labels).enumerate();
    let sets = all_cells(sets.map(|(row, (sentences, labels))| set(table, row, sentences, labels)))?;
    let plan = SetsPlan { sets, settings, file: table.place(0).0.to_owned() };
    if unit.is_own && plan.single() == plan.sets.len() {
        return Err(EvaluateError::Unscorable(plan.notes().concat()));
    }
    if unit.is_own && plan.sets.iter().all(Set::is_trivial) {
        return Err(EvaluateError::Unscorable(format!(
            "{}, column `{COLUMN}`: each sentence of a set has its own label: every model scores 1 there; give \
             sentences that belong together the same label",
            plan.file
        )));
    }
    Ok(Box::new(plan))
}

/// One set.
struct Set {
    sentences: TextColumn,
    /// Number of each sentence's label.
    classes: Vec<u32>,
    /// Number of distinct labels.
    count: usize,
    /// These labels.
    names: Vec<String>,
}

fn set(table: &Table, row: usize, texts: Texts, labels: &[Label<'_>]) -> Result<Set, DataError> {
    let cell = table.column(COLUMN)?.value(row);
    if !matches!(cell, Value::Array(_)) || labels.len() != texts.len() {
        let expected =
            format!("a list of {}, as long as the one in `{SENTENCES}`", count(texts.len(), "label"));
        return Err(table.fault(COLUMN, row, &expected, &cell));
    }
    let distinct = distinct(labels.iter().copied());
    Ok(Set {
        sentences: TextColumn { texts, role: None, phase: "Encoding" },
        classes: labels.iter().map(|&label| number(&distinct, label)).collect(),
        count: distinct.len(),
        names: distinct.iter().map(ToString::to_string).collect(),
    })
}

struct SetsPlan {
    sets: Vec<Set>,
    settings: Settings,
    file: String,
}

impl SetsPlan {
    /// Sets in which there is nothing to tell apart.
    fn single(&self) -> usize {
        self.sets.iter().filter(|set| set.count <= 1).count()
    }

    fn notes(&self) -> Vec<String> {
        let (file, single, total) = (&self.file, self.single(), self.sets.len());
        let note = || {
            format!(
                "{file}, column `{COLUMN}`: {single} of {total} sets have fewer than two labels: every model scores 1 there"
            )
        };
        (single > 0).then(note).into_iter().collect()
    }
}

impl Plan for SetsPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        self.sets.iter().filter(|set| set.count > 1).map(|set| &set.sentences).collect()
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(self.notes())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes().iter().for_each(|note| session.warn(note));
        let mut agreements = Vec::with_capacity(self.sets.len());
        // As many sets are in memory as can be clustered at once.
        for sets in self.sets.chunks(rayon::current_num_threads()) {
            let embedded: Result<Vec<Option<Matrix>>, EvaluateError> =
                sets.iter().map(|set| set.encode(session)).collect();
            let embedded = embedded?;
            session.phase("Scoring");
            let pairs = sets.par_iter().zip(&embedded);
            let measured: Vec<Agreement> =
                pairs.map(|(set, embedded)| set.agreement(embedded.as_ref(), &self.settings)).collect();
            agreements.extend(measured);
        }
        let v_measures: Vec<f64> = agreements.iter().map(|agreement| agreement.v_measure).collect();
        let mut scores = Scores::new();
        scores.insert("v_measure", Score::Numpy(mean(&v_measures)));
        scores.insert("v_measure_std", Score::Numpy(standard_deviation(&v_measures)));
        scores.insert("v_measures", v_measures);
        for (name, values) in extra_values(&agreements) {
            scores.insert(name, mean(&values));
            scores.insert(format!("{name}_std"), standard_deviation(&values));
            scores.insert(format!("{name}_scores"), values);
        }
        let items = keep.items.then(|| self.items(&agreements));
        Ok(Evaluated { scores, items, rankings: None })
    }
}

impl SetsPlan {
    fn items(&self, agreements: &[Agreement]) -> Items {
        let mut draws = Draws::default();
        for (number, (set, found)) in self.sets.iter().zip(agreements).enumerate() {
            let label = |&class: &u32| set.names[class as usize].as_str();
            draws.add((number, 0), set.classes.iter().map(label).enumerate(), found);
        }
        draws.items(true)
    }
}

impl Set {
    /// True if any model finds these clusters: there is one, or each sentence is one.
    fn is_trivial(&self) -> bool {
        self.count <= 1 || self.count == self.classes.len()
    }

    /// The embeddings, if there is anything to tell apart.
    fn encode(&self, session: &mut dyn Session) -> Result<Option<Matrix>, EvaluateError> {
        if self.count <= 1 {
            return Ok(None);
        }
        session.encode(&self.sentences, 0..self.sentences.texts.len()).map(Some)
    }

    fn agreement(&self, embedded: Option<&Matrix>, settings: &Settings) -> Agreement {
        let Some(embedded) = embedded else { return Agreement::perfect(settings.extra) };
        let rows = Rows::new(&embedded.values, embedded.dimension);
        let all: Vec<u32> = (0..self.classes.len() as u32).collect();
        Agreement::of(settings, rows, &all, &self.classes, self.count)
    }
}
