//! What the author of a measure over rankings and judgements implements, and how it answers the host.
//!
//! A pack lists [`MEASURES`] among the features of its manifest, and gives [`Measures`] for the task of that name, which the manifest
//! does not list. A pack of measures alone has no other tasks.

use std::collections::BTreeMap;

pub use mteb_plugin_types::{Aggregate, MEASURES, MeasureDeclaration, ParameterDeclaration};
use mteb_plugin_types::{MEASURE, MeasureAnswer, MeasureQuestion};

use super::mapped::Mapped;
use super::{PluginError, Task};

/// A measure: what it says of one query.
pub trait Measure: Send {
    /// What the measure is.
    fn declaration(&self) -> MeasureDeclaration;

    /// The value of one query, finite and within the declared range.
    fn value(&self, query: &JudgedQuery<'_>) -> f64;
}

/// A query: what was found for it, and what is judged.
#[derive(Clone, Copy, Debug)]
pub struct JudgedQuery<'a> {
    /// The grades of the documents that were found, best rank first, down to the cut; NaN of a document that nobody judged.
    pub found: &'a [f64],
    /// The scores of these documents.
    pub scores: &'a [f64],
    /// All grades of the query's judgements, highest first.
    pub judged: &'a [f64],
    /// How many documents count; there may be fewer.
    pub cut: usize,
    /// The grade above 0 from which on a document is relevant.
    pub threshold: f64,
    parameters: &'a BTreeMap<String, f64>,
}

impl JudgedQuery<'_> {
    /// The parameter called `name`, one of those that the measure declares.
    pub fn parameter(&self, name: &str) -> f64 {
        self.parameters.get(name).copied().unwrap_or(f64::NAN)
    }

    /// True of a grade from which on a document is relevant; a document that nobody judged is not.
    pub fn is_relevant(&self, grade: f64) -> bool {
        grade > 0.0 && grade >= self.threshold
    }

    /// Number of relevant documents that there are.
    pub fn relevant(&self) -> usize {
        self.judged.iter().filter(|grade| self.is_relevant(**grade)).count()
    }
}

/// The measures of a pack, by name: the task of the name [`MEASURES`].
pub struct Measures(pub Vec<(&'static str, Box<dyn Measure>)>);

impl Task for Measures {
    fn card(&self) -> Result<String, PluginError> {
        Err(PluginError::unsupported("card"))
    }

    fn rows(&self, _subset: &str, part: &str, _split: &str) -> Result<String, PluginError> {
        Err(PluginError::not_found(format!("measures have no part {part}")))
    }

    fn call(&self, method: &str, json: &str) -> Result<String, PluginError> {
        match method {
            MEASURES => {
                let declared = self.0.iter().map(|(name, measure)| (*name, measure.declaration()));
                to_json(&declared.collect::<BTreeMap<_, _>>())
            }
            MEASURE => self.measure(json),
            _ => Err(PluginError::unsupported(method)),
        }
    }
}

impl Measures {
    fn measure(&self, json: &str) -> Result<String, PluginError> {
        let question: MeasureQuestion = serde_json::from_str(json)
            .map_err(|error| PluginError::invalid_input(format!("the request of the host: {error}")))?;
        let (_, measure) = self.0.iter().find(|(name, _)| *name == question.measure).ok_or_else(|| {
            PluginError::not_found(format!("this pack has no measure `{}`", question.measure))
        })?;
        let memory = Mapped::open(&question.unit.memory)?;
        let ranked = &question.ranked;
        let (grades, scores) = (memory.doubles(ranked.found_grades)?, memory.doubles(ranked.found_scores)?);
        let judged = memory.doubles(ranked.judged_grades)?;
        let [found_begins, judged_begins] =
            [memory.places(ranked.found_begins)?, memory.places(ranked.judged_begins)?];
        let mut values = Vec::with_capacity(question.cuts.len());
        for &cut in &question.cuts {
            let queries = found_begins.windows(2).zip(judged_begins.windows(2));
            let of_cut = queries.map(|(found, of_query)| {
                let range =
                    found[0] as usize..(found[1] as usize).min((found[0] as usize).saturating_add(cut));
                let judged = judged.get(of_query[0] as usize..of_query[1] as usize);
                let parts = grades.get(range.clone()).zip(scores.get(range)).zip(judged);
                let ((found, scores), judged) = parts.ok_or_else(|| {
                    PluginError::invalid_input("expected ranges of the memory, found others")
                })?;
                let (threshold, parameters) = (question.threshold, &question.parameters);
                let query = JudgedQuery { found, scores, judged, cut, threshold, parameters };
                Ok(Some(measure.value(&query)).filter(|value| value.is_finite()))
            });
            values.push(of_cut.collect::<Result<_, PluginError>>()?);
        }
        to_json(&MeasureAnswer { values })
    }
}

fn to_json(answer: &impl serde::Serialize) -> Result<String, PluginError> {
    serde_json::to_string(answer).map_err(|error| PluginError::failed(error.to_string()))
}
