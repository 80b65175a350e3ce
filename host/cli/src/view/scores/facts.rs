//! The facts of models: of their cards.

use mteb_card::ModelCard;
use mteb_registry::ModelCards;
use mteb_report::facts::{KnownModels, ModelFacts};

/// How the source begins of facts that were taken from the reference's registry of models.
const REFERENCE: &str = "mteb ";

/// The facts of every model that has one of the `cards`.
pub fn facts(cards: &ModelCards) -> KnownModels {
    let (cards, _) = cards.all();
    KnownModels {
        models: cards.into_iter().map(|found| (found.card.name.clone(), of_card(found.card))).collect(),
    }
}

fn of_card(card: ModelCard) -> ModelFacts {
    let without_table = card.parameters.zip(card.embedding_parameters);
    let without_table = without_table.map(|(all, table)| all.saturating_sub(table));
    ModelFacts {
        is_registered: card.facts.is_some_and(|source| source.starts_with(REFERENCE)),
        revision: card.revision,
        parameters: card.parameters,
        active_parameters: card.active_parameters.or(without_table),
        dimension: card.dimension,
        max_tokens: card.max_tokens,
        memory_mb: card.memory_mb,
        release_date: card.release_date,
        license: card.license,
        open_weights: card.open_weights,
        use_instructions: Some(card.instructions),
        reference: card.reference,
        framework: card.framework,
        languages: card.languages,
        architecture: card.architecture,
        training_datasets: card.training_datasets.map(|all| all.into_iter().collect()),
        adapted_from: card.adapted_from,
        superseded_by: card.superseded_by,
    }
}
