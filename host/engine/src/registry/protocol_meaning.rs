//! Checks that the options of an evaluation fit the task type and each other.

use mteb_plugin_api::card::vocabulary::TaskType;
use mteb_plugin_api::card::{Protocol, TaskCard};

use TaskType::{
    Classification, Clustering, MultilabelClassification, PairClassification, Sts, Summarization,
};

/// Cuts of ranking tasks whose card names none (protocol 7).
const CUTS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

const RANKING: &[TaskType] = &[
    TaskType::Reranking,
    TaskType::Retrieval,
    TaskType::InstructionRetrieval,
    TaskType::InstructionReranking,
];

/// An option, whether a card sets it, and the types that have it.
type Fit = (&'static str, fn(&Protocol) -> bool, &'static [TaskType]);

const OPTIONS: [Fit; 20] = [
    ("samples_per_label", |set| set.samples_per_label.is_some(), &[Classification, MultilabelClassification]),
    ("experiments", |set| set.experiments.is_some(), &[Classification, MultilabelClassification]),
    ("cross_validation", |set| set.cross_validation.is_some(), &[Classification]),
    ("max_eval_samples", |set| set.max_eval_samples.is_some(), &[MultilabelClassification]),
    ("legacy", |set| set.legacy, &[Clustering]),
    ("max_fraction_of_documents", |set| set.max_fraction_of_documents.is_some(), &[Clustering]),
    ("max_documents", |set| set.max_documents.is_some(), &[Clustering]),
    ("max_documents_per_cluster", |set| set.max_documents_per_cluster.is_some(), &[Clustering]),
    ("rounds", |set| set.rounds.is_some(), &[Clustering]),
    ("batch_size", |set| set.batch_size.is_some(), &[Clustering]),
    ("max_depth", |set| set.max_depth.is_some(), &[Clustering]),
    ("kmeans", |set| set.kmeans.is_some(), &[Clustering]),
    ("min_score", |set| set.min_score.is_some(), &[Sts, Summarization]),
    ("max_score", |set| set.max_score.is_some(), &[Sts, Summarization]),
    ("average_p_values", |set| set.average_p_values, &[Summarization]),
    ("roles", |set| set.roles.is_some(), &[PairClassification, Sts]),
    ("k_values", |set| set.k_values.is_some(), RANKING),
    ("relevance_threshold", |set| set.relevance_threshold.is_some(), RANKING),
    ("ignore_identical_ids", |set| set.ignore_identical_ids, RANKING),
    ("extra_measures", |set| !set.extra_measures.is_empty(), RANKING),
];

/// The options of `[protocol]` that tasks of a type have.
pub fn protocol_options(task_type: TaskType) -> Vec<&'static str> {
    let fitting = OPTIONS.iter().filter(|(_, _, types)| types.contains(&task_type));
    fitting.map(|(option, _, _)| *option).collect()
}

/// Calls `add` with the path and the message of each fault.
pub fn check_protocol(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let protocol = &card.protocol;
    for (option, is_set, types) in OPTIONS {
        if is_set(protocol) && !types.contains(&card.task_type) {
            add(&["protocol", option], no_option(card.task_type, option));
        }
    }
    if protocol.max_fraction_of_documents.is_some() && protocol.max_documents.is_some() {
        let message =
            "expected one of `max_fraction_of_documents` and `max_documents`, found both".to_owned();
        add(&["protocol", "max_documents"], message);
    }
    if let (Some(least), Some(most)) = (protocol.min_score, protocol.max_score)
        && least >= most
    {
        add(
            &["protocol", "max_score"],
            format!("expected more than `min_score`, which is {least}, found: {most}"),
        );
    }
    if let Some(threshold) = protocol.relevance_threshold
        && !(threshold.is_finite() && threshold > 0.0)
    {
        let message =
            format!("expected a grade above 0, from which on a document is relevant, found: {threshold}");
        add(&["protocol", "relevance_threshold"], message);
    }
    if card.task_type.is_ranking() {
        check_cuts(card, add);
    }
}

fn no_option(task_type: TaskType, option: &str) -> String {
    format!(
        "a task of type {task_type} has no option `{option}`; it has: {}",
        protocol_options(task_type).join(", ")
    )
}

/// The main score is only measured at a cut that is made, and accuracy is the score at the first place.
fn check_cuts(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let cuts = card.protocol.k_values.as_deref().unwrap_or(&CUTS);
    if !cuts.contains(&1) {
        let message = format!("expected cuts of which one is 1, for the accuracy, found: {}", shown(cuts));
        add(&["protocol", "k_values"], message);
    }
    let main_score = card.main_score();
    let cut = main_score.rsplit_once("_at_").and_then(|(_, cut)| cut.parse::<usize>().ok());
    if let Some(cut) = cut.filter(|cut| !cuts.contains(cut)) {
        let message = format!(
            "expected a cut of `k_values` ({}) at the end of the main score, found {cut}: {main_score}",
            shown(cuts)
        );
        let place: &[&str] =
            if card.main_score.is_some() { &["main_score"] } else { &["protocol", "k_values"] };
        add(place, message);
    }
}

fn shown(cuts: &[usize]) -> String {
    cuts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
