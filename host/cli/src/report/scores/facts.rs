//! The facts of models: of their cards.

use mteb_engine::registry::ModelCards;
use mteb_plugin_api::ModelCard;
use mteb_report::facts::{Facts, ModelFacts};

/// The facts of every model that has one of the `cards`.
pub fn facts(cards: &ModelCards) -> Facts {
    let (cards, _) = cards.all();
    Facts { models: cards.into_iter().map(|found| (found.card.name.clone(), of_card(found.card))).collect() }
}

fn of_card(card: ModelCard) -> ModelFacts {
    ModelFacts {
        is_registered: true,
        revision: card.revision,
        parameters: card.parameters,
        dimension: card.dimension,
        max_tokens: card.max_tokens,
        release_date: card.release_date,
        license: card.license,
        reference: card.reference,
        languages: card.languages,
        architecture: card.architecture,
        adapted_from: card.adapted_from,
        ..ModelFacts::default()
    }
}
