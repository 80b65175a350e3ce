//! Clustering: do the clusters of the embeddings agree with the labels? (Protocol 6.4 and 6.5.)

mod bootstrapped;
mod items;
mod labels;
mod sets;
mod settings;

use self::settings::Settings;
use crate::{Bounds, EvaluateError, Evaluator, Facts, Gold, Items, Plan, Protocol, Scores, TaskState, Unit};

/// Rows of `sentences` and `labels`, which are texts, numbers or booleans.
///
/// In the usual form a row is a sentence and its label, or a list of labels from the coarsest level
/// to the finest; a sample is embedded, and sentences drawn from it are clustered several times per
/// level. In the legacy form (`legacy = true`) a row is a list of sentences with a list of labels,
/// and each row is clustered by itself.
#[derive(Clone, Copy, Debug)]
pub struct Clustering;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Groups texts by what they are about.",
    hub_category: "feature-extraction",
    instruction: "Identify categories in user passages.",
    options: &[
        "legacy",
        "max_fraction_of_documents",
        "max_documents",
        "max_documents_per_cluster",
        "rounds",
        "batch_size",
        "max_depth",
        "kmeans",
    ],
    gives: &|name: &str| ["v_measure", "ami"].contains(&name),
    bounds: &|name: &str| match name {
        "ami" | "ami_scores" => Some(Bounds::between(-1.0, 1.0)),
        // No partition agrees less with another one (protocol 7.6).
        "ari" | "ari_scores" => Some(Bounds::between(-0.5, 1.0)),
        _ => None,
    },
    text_columns: &["sentences"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Labels("labels"),
    label_tolerance: 0.5,
    learns: false,
    sides_have_languages: false,
    has_topics: false,
    has_levels: true,
};

impl Evaluator for Clustering {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn draws(&self) -> bool {
        true
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let settings = Settings::new(options, unit.extra)?;
        if options.legacy {
            sets::plan(&unit, settings)
        } else {
            bootstrapped::plan(&unit, settings, &mut state.python)
        }
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        items::aggregate(items)
    }
}
