//! Texts in which their label stands.

use mteb_tasks::{Part, Unit};

use super::super::data::SubsetData;
use super::super::fault::DataFault;
use super::super::words::words;
use super::examples::{Examples, Target};
use super::measured::Artefact;

const CHECK: &str = "label words";

/// Measures the share of the texts with a label that have all words of it, one behind the other, and names the rows.
pub fn check(
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
