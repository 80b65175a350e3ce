//! The card's protocol options as evaluators take them.

use mteb_plugin_api::card::{KMeans, TaskCard};

use crate::Options;

/// The options of a task.
pub fn options_of(card: &TaskCard) -> Options {
    let protocol = &card.protocol;
    Options {
        samples_per_label: protocol.samples_per_label,
        experiments: protocol.experiments,
        cross_validation: protocol.cross_validation,
        max_eval_samples: protocol.max_eval_samples,
        legacy: protocol.legacy,
        max_fraction_of_documents: protocol.max_fraction_of_documents,
        max_documents: protocol.max_documents,
        max_documents_per_cluster: protocol.max_documents_per_cluster,
        rounds: protocol.rounds,
        batch_size: protocol.batch_size,
        max_depth: protocol.max_depth,
        kmeans: protocol.kmeans.map(|generation| {
            let name = match generation {
                KMeans::Sklearn19 => "sklearn-1.9",
                KMeans::Sklearn14 => "sklearn-1.4",
            };
            name.to_owned()
        }),
        min_score: protocol.min_score,
        max_score: protocol.max_score,
        k_values: protocol.k_values.clone(),
        keeps_all: false,
        relevance_threshold: protocol.relevance_threshold,
        ignore_identical_ids: protocol.ignore_identical_ids,
        extra_measures: protocol.extra_measures.iter().map(|measure| measure.as_str().to_owned()).collect(),
        strict_ids: card.dataset.hub.is_none(),
        average_p_values: protocol.average_p_values,
        roles: protocol.roles.map(|roles| roles.map(|role| role.as_str().to_owned())),
    }
}
