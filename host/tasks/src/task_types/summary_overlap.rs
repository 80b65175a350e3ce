//! Measures of summaries beside those of the reference: ROUGE, and the likeness of a summary to its source (protocol 7.6).

use std::ops::Range;

use mteb_data::{DataError, Table, Texts};
use mteb_measures::rouge::{Rouge, Words, rouge_l, rouge_n};
use mteb_search::{Similarity, pairs};
use rayon::prelude::*;

use crate::{EvaluateError, Matrix, Session, TextColumn};

/// What these measures need of the data.
pub(super) struct Extra {
    /// The text that was summarized, one a row, where the data has it.
    pub sources: Option<TextColumn>,
}

/// All summaries of a unit.
pub(super) struct Summaries<'a> {
    pub human: &'a Texts,
    pub machine: &'a Texts,
    /// Embeddings of the machine summaries.
    pub embedded: &'a Matrix,
}

/// Where the human and the machine summaries of a document lie.
type Ranges = (Range<usize>, Range<usize>);

impl Extra {
    /// # Errors
    /// If there is a column `text` and a cell of it is no text.
    pub fn new(table: &Table) -> Result<Self, DataError> {
        let texts = table.get("text").map(|_| table.texts("text")).transpose()?;
        let column = |texts: Texts| TextColumn { texts, role: None, phase: "Encoding samples 1" };
        Ok(Self { sources: texts.map(|texts| column(texts.into_owned())) })
    }

    /// Of each machine summary `rouge1`, `rouge2`, `rougeL`: the highest F1 with one of the human summaries; and
    /// `document_cosine`: the cosine with the text that it summarizes. The scores are their means.
    ///
    /// # Errors
    /// If the model fails.
    pub fn values(
        &self,
        documents: impl Iterator<Item = Ranges>,
        summaries: &Summaries<'_>,
        session: &mut dyn Session,
    ) -> Result<Vec<(&'static str, Vec<f64>)>, EvaluateError> {
        let documents: Vec<Ranges> = documents.collect();
        let overlaps: Vec<[f64; 3]> =
            documents.par_iter().flat_map_iter(|ranges| overlaps(ranges, summaries)).collect();
        let mut named = Vec::new();
        for (place, name) in ["rouge1", "rouge2", "rougeL"].into_iter().enumerate() {
            named.push((name, overlaps.iter().map(|overlap| overlap[place]).collect()));
        }
        if let Some(sources) = &self.sources {
            let embedded = session.encode(sources, 0..sources.texts.len())?;
            session.phase("Scoring");
            let cosines = documents.iter().enumerate().flat_map(|(row, (_, machine))| {
                let source = embedded.row(row).repeat(machine.len());
                let (first, last) = (machine.start * embedded.dimension, machine.end * embedded.dimension);
                let summaries = &summaries.embedded.values[first..last];
                pairs::similarity(Similarity::Cosine, &source, summaries, embedded.dimension)
            });
            named.push(("document_cosine", cosines.map(f64::from).collect()));
        }
        Ok(named)
    }
}

/// The highest F1 of each machine summary of a document.
fn overlaps((human, machine): &Ranges, summaries: &Summaries<'_>) -> Vec<[f64; 3]> {
    let texts = summaries.human.range(human.clone()).chain(summaries.machine.range(machine.clone()));
    let words = Words::all(texts);
    let (references, summaries) = words.split_at(human.len());
    let measures: [fn(&Words, &Words) -> Rouge; 3] =
        [|one, other| rouge_n(one, other, 1), |one, other| rouge_n(one, other, 2), rouge_l];
    summaries
        .iter()
        .map(|summary| {
            measures.map(|measure| {
                references.iter().map(|reference| measure(reference, summary).f1).fold(0.0, f64::max)
            })
        })
        .collect()
}
