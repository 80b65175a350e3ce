//! The rows of a split as examples: texts, and what people have judged of them; and texts in which
//! their label stands.

use mteb_data::{DataError, Table, written};
use mteb_tasks::{Gold, Part, Unit, facts};
use serde_json::Value;

use super::super::data::{ColumnTexts, SubsetData};
use super::measured::Artefact;
use crate::quality::fault::DataFault;
use crate::quality::variety::words;

/// Texts with what is to be told of them.
pub struct Examples<'a> {
    /// One or two columns of texts, equally long.
    pub columns: Vec<Vec<&'a str>>,
    /// What is to be told, as many as texts in a column.
    pub target: Target,
}

/// What is to be told of texts.
pub enum Target {
    /// One label of several: their names, and the place of that of each example.
    Label(Vec<String>, Vec<usize>),
    /// For each of several questions the answer of each example: has it this label, is it a pair that belongs together?
    Answers(Vec<(String, Vec<bool>)>),
    /// A score.
    Score(Vec<f64>),
}

impl Target {
    /// Questions with yes and no for an answer: those there are, or whether a score is above the median.
    pub fn answers(&self) -> Option<Vec<Vec<bool>>> {
        match self {
            Self::Label(..) => None,
            Self::Answers(answers) => Some(answers.iter().map(|(_, answers)| answers.clone()).collect()),
            Self::Score(scores) => {
                let mut sorted = scores.clone();
                sorted.sort_by(f64::total_cmp);
                let median = sorted.get(scores.len() / 2).copied().unwrap_or_default();
                Some(vec![scores.iter().map(|&score| score >= median).collect()])
            }
        }
    }
}

/// The examples of a split; `None` for a task whose rows nobody judged one by one.
///
/// # Errors
/// If a column is absent or of another type.
pub fn examples<'a>(data: &'a SubsetData, unit: &Unit) -> Result<Option<Examples<'a>>, DataError> {
    let gold = facts(data.card.task_type).gold;
    let (Gold::Labels(name) | Gold::Scores(name) | Gold::Values(name)) = gold else { return Ok(None) };
    let table = unit.part(Part::Rows)?;
    let values = values(table, name)?;
    let own = |column: &&ColumnTexts| column.part == Part::Rows && column.unit.split == unit.split;
    let columns: Vec<(Vec<usize>, Vec<&str>)> = data.columns.iter().filter(own).map(texts).collect();
    let counts: Vec<usize> = values.iter().map(Vec::len).collect();
    let fits = |column: &&(Vec<usize>, Vec<&str>)| column.0 == counts;
    let mut fitting: Vec<Vec<&str>> = columns.iter().filter(fits).map(|(_, texts)| texts.clone()).collect();
    if counts.iter().any(|&count| count != 1) && fitting.len() > 1 {
        // Of lists those that are scored are the last.
        fitting.drain(..fitting.len() - 1);
    }
    let labels = || values.iter().flatten().map(written).collect::<Vec<String>>();
    let target = match gold {
        Gold::Scores(_) | Gold::Values(_) => Target::Score(values.iter().flatten().map(number).collect()),
        _ if fitting.is_empty() => {
            fitting = columns.into_iter().map(|(_, texts)| texts).collect();
            sets(&values)
        }
        _ if fitting.len() == 2 => {
            let yes = labels()
                .iter()
                .map(|label| !matches!(label.as_str(), "0" | "0.0" | "false" | "False"))
                .collect();
            Target::Answers(vec![(String::new(), yes)])
        }
        _ => classes(&labels()),
    };
    let is_whole = fitting.iter().all(|column| column.len() == fitting[0].len());
    Ok((!fitting.is_empty() && is_whole).then_some(Examples { columns: fitting, target }))
}

/// How many texts each row has, and the texts.
fn texts<'a>(column: &'a ColumnTexts) -> (Vec<usize>, Vec<&'a str>) {
    let rows = column.texts.last().map_or(0, |at| at.row + 1);
    let mut counts = vec![0; rows];
    for at in &column.texts {
        counts[at.row] += 1;
    }
    (counts, column.texts.iter().map(|at| at.text.as_str()).collect())
}

fn classes(labels: &[String]) -> Target {
    let mut names = labels.to_vec();
    names.sort_unstable();
    names.dedup();
    let place = |label: &String| names.partition_point(|name| name < label);
    let places = labels.iter().map(place).collect();
    Target::Label(names, places)
}

/// Rows with any number of labels: for each label, whether a row has it.
fn sets(rows: &[Vec<Value>]) -> Target {
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(written).collect()).collect();
    let mut names: Vec<String> = rows.iter().flatten().cloned().collect();
    names.sort_unstable();
    names.dedup();
    let answers = |name: String| {
        let has = rows.iter().map(|row| row.contains(&name)).collect();
        (name, has)
    };
    Target::Answers(names.into_iter().map(answers).collect())
}

fn values(table: &Table, name: &str) -> Result<Vec<Vec<Value>>, DataError> {
    let column = table.column(name)?;
    let cell = |row| match column.value(row) {
        Value::Array(cells) => cells,
        cell => vec![cell],
    };
    Ok((0..table.rows()).map(cell).collect())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

const CHECK: &str = "label words";

/// Measures the share of the texts with a label that have all words of it, one behind the other, and names the rows.
pub fn check_label_words(
    data: &SubsetData,
    unit: &Unit,
    examples: &Examples,
    most: Option<f64>,
) -> (Vec<Artefact>, Vec<DataFault>) {
    let [texts] = examples.columns.as_slice() else { return Default::default() };
    let labels = labels(&examples.target, texts.len());
    let labelled = labels.iter().filter(|labels| !labels.is_empty()).count();
    if labelled == 0 {
        return Default::default();
    }
    let names_its_label = |row: &usize| {
        let own = lower(texts[*row]);
        labels[*row].iter().any(|label| {
            let label = lower(label);
            !label.is_empty() && own.windows(label.len()).any(|words| words == label)
        })
    };
    let rows: Vec<usize> = (0..texts.len()).filter(names_its_label).collect();
    let found = Artefact::new(unit, CHECK, "share", rows.len() as f64 / labelled as f64).at_most(most);
    let advice = "rephrase it, or raise `max_label_words` in the card's `[quality.artefacts]` and say why";
    let fault = found.fault(data, unit, "the texts that contain their label", advice).map(|fault| {
        DataFault { rows: rows.iter().map(|&row| data.place(unit, Part::Rows, row)).collect(), ..fault }
    });
    (vec![found], fault.into_iter().collect())
}

fn labels(target: &Target, texts: usize) -> Vec<Vec<&str>> {
    match target {
        Target::Label(names, places) => places.iter().map(|&place| vec![names[place].as_str()]).collect(),
        Target::Answers(answers) => {
            let own =
                |row: usize| answers.iter().filter(move |(_, has)| has[row]).map(|(name, _)| name.as_str());
            (0..texts).map(|row| own(row).collect()).collect()
        }
        Target::Score(_) => vec![Vec::new(); texts],
    }
}

fn lower(text: &str) -> Vec<String> {
    let parts = words(text).into_iter().flat_map(|word| word.split('-'));
    parts.map(str::to_lowercase).collect()
}
