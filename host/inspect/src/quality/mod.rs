//! The gate of data: measures a dataset, and finds what is wrong for its task type and what breaks with what its card declares.
//!
//! Nearly every check has a file. Those of the first kind hold for every set: labels that can be learned, no training text
//! among the evaluation texts, no contradictions, scores on their scale, ids that lead somewhere. Those of the second kind hold for sets whose card
//! has a table `quality`: no empty texts, sizes, lengths, repetitions, templates, balance, variety, languages, grades, coverage, and
//! what a model may reach without reading.

mod artefacts;
mod contradictions;
mod data;
mod duplicates;
mod fault;
mod implied;
mod judgements;
mod labels;
mod language;
mod limits;
mod planned;
mod scores;
mod sizes;
mod template;
mod variety;

pub use artefacts::Artefact;
pub use duplicates::REPORTED;
pub use fault::{CHECK, DataFault};
pub use language::Languages;
pub use sizes::Lengths;

use std::collections::BTreeMap;

use mteb_base::counted::count;
use mteb_card::TaskCard;
use mteb_data::{DataError, Table};
use mteb_tasks::{
    Corpus, Part, Unit, beginning, is_of_empty_texts, training_texts, unicode_forms, unjudged_copies,
};
use serde::Serialize;

use crate::stats::{OverlapStats, UnitStats, unit_stats};
use contradictions::Contradiction;
use data::SubsetData;
use implied::Contradicted;
use sizes::EMPTY_TEXTS;

/// What was measured and found of one subset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Examination {
    /// Subset.
    pub subset: String,
    /// True if the card declares what the set is held to.
    pub declared: bool,
    /// The statistics of each split.
    pub units: Vec<UnitStats>,
    /// Figures of each column of texts.
    pub columns: Vec<ColumnFigures>,
    /// What a model may reach without reading the texts as they are meant; empty if the card declares no limits of it.
    pub artefacts: Vec<Artefact>,
    /// What is wrong.
    pub faults: Vec<DataFault>,
    /// What is odd and breaks with nothing that the card declares.
    pub notes: Vec<String>,
    /// Those of these on training texts among the evaluation texts: whoever has said that training rows are tested has said them.
    #[serde(skip)]
    pub overlap: Vec<String>,
}

impl Examination {
    /// Of data that could not be read.
    pub fn unread(card: &TaskCard, split: &str, subset: &str, reason: String) -> Self {
        let unit = Unit::of(card, split, subset, BTreeMap::new());
        Self::of_faults(card, &unit.subset, vec![planned::fault(card, &unit, Vec::new(), reason)])
    }

    fn of_faults(card: &TaskCard, subset: &str, faults: Vec<DataFault>) -> Self {
        Self {
            subset: subset.to_owned(),
            declared: card.quality.is_some(),
            units: Vec::new(),
            columns: Vec::new(),
            artefacts: Vec::new(),
            faults,
            notes: Vec::new(),
            overlap: Vec::new(),
        }
    }
}

/// Figures of one column of texts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnFigures {
    /// Split and column, or part of a ranking task.
    pub name: String,
    /// Texts.
    pub texts: usize,
    /// Lengths in characters.
    pub characters: Lengths,
    /// Similarity of the closest other text, if it is at least [`REPORTED`].
    pub nearest: Option<f64>,
    /// Largest share of texts with the same skeleton.
    pub template_share: f64,
    /// Type-token ratio.
    pub type_token_ratio: Option<f64>,
    /// Languages.
    pub languages: Languages,
}

/// Examines the splits of one subset: first as a run does, then by what the card declares.
///
/// # Errors
/// If a column that the task type needs is absent or of another type, and a run does not say so.
pub fn examine(card: &TaskCard, subset: &str, units: &[Unit]) -> Result<Examination, DataError> {
    let (mut faults, mut notes, mut overlap) = (Vec::new(), Vec::new(), Vec::new());
    for unit in units {
        let planned = planned::planned(card, unit);
        faults.extend(planned.faults);
        let place = |text| Note { unit, text };
        notes.extend(planned.notes.into_iter().map(place));
        // Of a set that declares its quality each of them is a fault.
        let own = training_texts(card, unit).filter(|_| card.quality.is_none()).map(place);
        overlap.extend(own.as_ref().map(Note::placed));
        notes.extend(own);
        let documents = unit.get(Part::Corpus).map(|table| table as &dyn Corpus);
        let forms = unicode_forms(card.task_type, unit, documents);
        if card.quality.is_some() {
            faults.extend(forms.into_iter().map(|message| form_fault(card, unit, message)));
        } else {
            notes.extend(forms.into_iter().map(place));
            let copies = documents.and_then(|corpus| unjudged_copies(unit, corpus, &card.protocol));
            notes.extend(copies.map(place));
        }
    }
    match measure(card, subset, units) {
        Ok((mut measured, said)) => {
            notes.retain(|note| !is_told(&measured.faults, &note.text));
            let notes = notes.iter().map(Note::placed).chain(said).collect();
            measured.faults.retain(|fault| !is_said(&faults, fault));
            faults.append(&mut measured.faults);
            Ok(Examination { faults, notes, overlap, ..measured })
        }
        Err(error) if faults.is_empty() => Err(error),
        Err(_) => {
            let notes = notes.iter().map(Note::placed).collect();
            Ok(Examination { notes, overlap, ..Examination::of_faults(card, subset, faults) })
        }
    }
}

/// A note on a unit.
struct Note<'a> {
    unit: &'a Unit,
    text: String,
}

impl Note<'_> {
    fn placed(&self) -> String {
        format!("split {}, subset {}: {}", self.unit.split, self.unit.subset, self.text)
    }
}

/// Texts of a set that declares its quality are in one Unicode form.
fn form_fault(card: &TaskCard, unit: &Unit, message: String) -> DataFault {
    let (task, split, subset) = (card.name.clone(), unit.split.clone(), unit.subset.clone());
    let advice = "`unicodedata.normalize(\"NFC\", text)` in Python writes NFC";
    DataFault { task, split, subset, check: "Unicode form", rows: Vec::new(), message, advice }
}

/// What is said of a set that declares no quality: rows that contradict each other, and texts that are nearly training texts.
fn notes_of(data: &SubsetData, stats: &[UnitStats], found: &[Contradiction]) -> Vec<String> {
    if data.limits.is_some() {
        return Vec::new();
    }
    let of_unit = |(unit, stats): (&Unit, &UnitStats)| {
        let is_trained = unit.split == data.card.dataset.training_split();
        let overlap = stats.train_overlap.as_ref().filter(|_| !is_trained);
        let near = overlap.and_then(near_note);
        let place = format!("split {}, subset {}", unit.split, unit.subset);
        let notes = contradictions::note(found, unit).into_iter().chain(near);
        notes.map(|note| format!("{place}: {note}")).collect::<Vec<_>>()
    };
    data.units.iter().zip(stats).flat_map(of_unit).collect()
}

/// A note on texts that are nearly training texts. Those that differ in case alone are leaks, of which `training_texts` tells.
fn near_note(overlap: &OverlapStats) -> Option<String> {
    let first = overlap.first_rewritten.as_deref()?;
    let (texts, are) =
        (count(overlap.rewritten, "evaluation text"), if overlap.rewritten == 1 { "is" } else { "are" });
    Some(format!(
        "{texts} {are} nearly the same as training texts (at least 80 % of their character n-grams), the first: {}; rewrite or remove \
         them",
        beginning(first)
    ))
}

/// True if a fault that a run would say, one of `said`, is the same as `fault`.
fn is_said(said: &[DataFault], fault: &DataFault) -> bool {
    let of_both = ["labels", "scores", EMPTY_TEXTS, "ids", "records"].contains(&fault.check);
    of_both && said.iter().any(|other| other.split == fault.split && says(other, fault))
}

/// True if `other`, which a run would say, leaves nothing to say of `fault`. A fault of the whole, such as one label alone, says all that
/// there is of its rows, but whether a text is empty or rows are too few is another matter.
fn says(other: &DataFault, fault: &DataFault) -> bool {
    let has = |row| other.rows.contains(row);
    match fault.check {
        EMPTY_TEXTS => {
            let column = fault.message.split('`').nth(1);
            let is_of_column = |name| other.message.contains(&format!("column `{name}`"));
            fault.rows.iter().all(has) && column.is_some_and(is_of_column)
        }
        "records" => fault.message.ends_with("found 0"),
        _ => other.rows.is_empty() || fault.rows.is_empty() || fault.rows.iter().any(has),
    }
}

/// True if one of the `faults` of a set that declares its quality says what the note of a run says.
fn is_told(faults: &[DataFault], note: &str) -> bool {
    is_of_empty_texts(note) && faults.iter().any(|fault| fault.check == EMPTY_TEXTS)
}

fn measure(card: &TaskCard, subset: &str, units: &[Unit]) -> Result<(Examination, Vec<String>), DataError> {
    let no_chunks = || None::<std::iter::Empty<Result<Table, DataError>>>;
    let stats =
        units.iter().map(|unit| unit_stats(card, unit, no_chunks())).collect::<Result<Vec<_>, _>>()?;
    let data = SubsetData::new(card, units)?;
    let mut faults = sizes::check(&data, &stats);
    if card.quality.is_some() {
        faults.extend(sizes::check_empty(&data)?);
    }
    faults.extend(labels::check(&data)?);
    faults.extend(labels::check_balance(&data, &stats));
    faults.extend(scores::check(&data)?);
    faults.extend(judgements::check(&data)?);
    let found = contradictions::contradictions(&data);
    let notes = notes_of(&data, &stats, &found);
    let duplicates = duplicates::check(&data, &Contradicted::of(&found));
    faults.extend(contradictions::check(&data, found));
    faults.extend(duplicates.faults);
    let (artefacts, found) = artefacts::check(&data)?;
    faults.extend(found);
    let mut columns = Vec::new();
    for (column, nearest) in data.columns.iter().zip(duplicates.nearest) {
        let (characters, found) = sizes::check_lengths(&data, column);
        faults.extend(found);
        let (template_share, found) = template::check(&data, column);
        faults.extend(found);
        let (type_token_ratio, found) = variety::check(&data, column);
        faults.extend(found);
        let (languages, found) = language::check(&data, column);
        faults.extend(found);
        let (name, texts) = (column.title(&data), column.texts.len());
        columns.push(ColumnFigures {
            name,
            texts,
            characters,
            nearest,
            template_share,
            type_token_ratio,
            languages,
        });
    }
    let examination = Examination {
        subset: subset.to_owned(),
        declared: data.limits.is_some(),
        units: stats,
        columns,
        artefacts,
        faults,
        notes: Vec::new(),
        overlap: Vec::new(),
    };
    Ok((examination, notes))
}

#[cfg(test)]
mod tests;
