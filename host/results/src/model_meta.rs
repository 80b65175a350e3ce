//! `model_meta.json` (protocol 9.3): who the model is, under the reference's keys.

use mteb_json::Json;
use mteb_plugin_api::{ModelInfo, RowForm, Similarity};

/// The content of `model_meta.json` for a model.
pub fn model_meta(info: &ModelInfo) -> Json {
    let text = |text: &str| Json::from(text);
    let optional = |value: Option<&str>| value.map_or(Json::Null, Json::from);
    let whole =
        |value: Option<u64>| value.and_then(|value| i64::try_from(value).ok()).map_or(Json::Null, Json::Int);
    let languages = info.languages.iter().map(|language| text(language)).collect();
    let memory = info.parameters.map(|parameters| parameters / (1 << 18));
    let mut entries = vec![
        ("loader_kwargs", Json::Map(Vec::new())),
        ("name", text(&info.identity.name)),
        ("revision", text(&info.identity.revision)),
        ("release_date", Json::Null),
        ("languages", if info.languages.is_empty() { Json::Null } else { Json::List(languages) }),
        ("n_parameters", whole(info.parameters)),
        ("n_active_parameters_override", Json::Null),
        ("n_embedding_parameters", Json::Null),
        ("memory_usage_mb", whole(memory)),
        ("max_tokens", whole(info.max_tokens.map(u64::from))),
        ("embed_dim", whole(Some(u64::from(info.dimension)).filter(|dimension| *dimension > 0))),
        ("license", optional(info.licence.as_deref())),
        ("open_weights", Json::Null),
        ("public_training_code", Json::Null),
        ("public_training_data", Json::Null),
        ("framework", Json::List(Vec::new())),
        ("reference", optional(info.reference.as_deref())),
        ("similarity_fn_name", text(similarity_of(info))),
        ("use_instructions", Json::Bool(info.prompts.instruction_template.is_some())),
        ("training_datasets", Json::Null),
        ("adapted_from", Json::Null),
        ("superseded_by", Json::Null),
        ("modalities", Json::List(vec![text("text")])),
        ("model_type", Json::List(vec![text(model_type(info))])),
        ("citation", Json::Null),
        ("contacts", Json::Null),
        ("experiment_kwargs", Json::Null),
        ("output_dtypes", Json::Null),
        ("extra_requirements_groups", Json::Null),
        ("loader", Json::Null),
        ("is_cross_encoder", Json::Bool(info.cross_encoder)),
    ];
    for (key, value) in &mut entries {
        if let Some(given) = info.meta.get(*key) {
            *value = Json::from(given.clone());
        }
    }
    Json::Map(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// The kind of a model in the reference.
fn model_type(info: &ModelInfo) -> &'static str {
    match info.rows {
        _ if info.cross_encoder => "cross-encoder",
        RowForm::Dense => "dense",
        RowForm::Sparse => "sparse",
        RowForm::MultiVector => "late-interaction",
    }
}

/// The name of the similarity by which a model's embeddings are compared, in the reference.
pub fn similarity_of(info: &ModelInfo) -> &'static str {
    match info.rows {
        RowForm::MultiVector => "MaxSim",
        _ => similarity_name(info.similarity.unwrap_or_default()),
    }
}

/// The name of a similarity in the reference.
pub fn similarity_name(similarity: Similarity) -> &'static str {
    match similarity {
        Similarity::Cosine => "cosine",
        Similarity::Dot => "dot",
        Similarity::Euclidean => "euclidean",
        Similarity::Manhattan => "manhattan",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_says_more_parameters_than_there_are_is_described() {
        let info = ModelInfo { parameters: Some(u64::MAX), ..ModelInfo::default() };
        let _ = model_meta(&info);
    }
}
