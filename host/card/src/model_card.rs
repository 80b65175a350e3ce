//! The card of one model: what a leaderboard says of it, and the prompts that its own files lack.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ApiCard, CardError, Loading, ModelInfo, Prompts, Similarity};

/// A model as its authors describe it. Models without a card also run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelCard {
    /// Version of the schema; always 1.
    pub schema: u32,
    /// Hub id of the model: `organisation/model`.
    pub name: String,
    /// Revision that this card describes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// URL of a description of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Day of its release, e.g. `2025-01-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release_date: Option<String>,
    /// Licence of the weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Architecture: `model_type` of its configuration, `word-embeddings` or `static`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// How the token embeddings of a text are pooled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pooling: Option<CardPooling>,
    /// Similarity function of two embeddings; absent if the model's files state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<Similarity>,
    /// Dimensions of an embedding; absent for a cross-encoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<u32>,
    /// Maximum length of a text in tokens; longer texts are truncated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u32>,
    /// Number of parameters, including the token embeddings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// Number of parameters of the token embeddings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_parameters: Option<u64>,
    /// Number of active parameters, if it differs from the number without the token embeddings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_parameters: Option<u64>,
    /// Memory that the weights take, in MiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// True if the model scores pairs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cross_encoder: bool,
    /// Kind of its output, if it is neither one vector per text nor the score of a pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ModelKind>,
    /// How the reference loads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loader: Option<Loader>,
    /// Libraries that can load it, as its authors name them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub framework: Vec<String>,
    /// True if its weights are public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_weights: Option<bool>,
    /// True if it was trained to follow instructions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub instructions: bool,
    /// Its input modalities, if not only text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modalities: Vec<String>,
    /// Model that this one was trained from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapted_from: Option<String>,
    /// Model that replaces this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Languages, e.g. `ind-Latn`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<String>,
    /// URL of its training code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_code: Option<String>,
    /// URL of its training data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_data: Option<String>,
    /// Tasks on whose data, or similar data, the model was trained, by name; absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_datasets: Option<Vec<String>>,
    /// Where these facts were taken from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<String>,
    /// Notes for readers: what a run needs besides the files, or why it cannot run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Prompts that the model needs and its files do not state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts: Option<Prompts>,
    /// What the reference sets in addition to the model's files, or instead of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loading: Option<Loading>,
    /// How to call the model, if it is behind an HTTP endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<ApiCard>,
}

/// What a model gives that is neither an encoder of one row a text nor a cross-encoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModelKind {
    /// One row a token.
    LateInteraction,
    /// Weights of words.
    Sparse,
    /// Several of these together.
    Hybrid,
    /// A choice of other models.
    Router,
}

/// How the reference loads a model, which says what can run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Loader {
    /// As an encoder of sentence-transformers.
    SentenceTransformers,
    /// As a cross-encoder of sentence-transformers.
    CrossEncoder,
    /// As a sparse encoder of sentence-transformers.
    SparseEncoder,
    /// As a model of one row a token.
    MultiVector,
    /// As a static model of model2vec.
    #[serde(rename = "model2vec")]
    Model2Vec,
    /// Through its provider's interface on the network.
    Api,
    /// With code that the reference has for this model.
    OwnCode,
    /// Not at all.
    None,
}

/// How one row a text is made of the rows of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CardPooling {
    /// The mean of all tokens.
    Mean,
    /// The first token.
    Cls,
    /// The last token.
    LastToken,
    /// The mean weighted by place.
    WeightedMean,
    /// The largest value of each feature.
    Max,
}

impl ModelCard {
    /// Reads a card from TOML text.
    ///
    /// # Errors
    /// If the text is no TOML or does not have the form of a card; the error carries the place.
    pub fn from_toml(text: &str) -> Result<Self, CardError> {
        toml::from_str(text)
            .map_err(|error| CardError { message: error.message().to_owned(), span: error.span() })
    }

    /// Fills what the model's files leave open. The card's prompts and similarity take the place of those in the
    /// files, as in the reference.
    pub fn complete(&self, info: &mut ModelInfo) {
        info.licence = info.licence.take().or_else(|| self.license.clone());
        info.reference = info.reference.take().or_else(|| self.reference.clone());
        for (key, fact) in [("release_date", &self.release_date), ("adapted_from", &self.adapted_from)] {
            if let Some(fact) = fact {
                info.meta.entry(key.to_owned()).or_insert_with(|| fact.as_str().into());
            }
        }
        info.parameters = self.parameters.or(info.parameters);
        info.similarity = self.similarity.or(info.similarity);
        if info.languages.is_empty() {
            info.languages.clone_from(&self.languages);
        }
        if let Some(prompts) = &self.prompts {
            info.prompts.clone_from(prompts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ModelCard;
    use crate::ModelInfo;

    const CARD: &str = r#"
        schema = 1
        name = "intfloat/multilingual-e5-base"
        pooling = "mean"
        parameters = 278000000
        [prompts.named]
        query = "query: "
    "#;

    #[test]
    fn a_card_fills_what_the_files_leave_open() {
        let card = ModelCard::from_toml(CARD).expect("the card has its form");
        let mut info = ModelInfo { licence: Some("mit".to_owned()), ..ModelInfo::default() };
        card.complete(&mut info);
        assert_eq!(info.prompts.named["query"], "query: ");
        assert_eq!((info.parameters, info.licence.as_deref()), (Some(278_000_000), Some("mit")));
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_place() {
        let error = ModelCard::from_toml("schema = 1\nname = \"a/b\"\npoling = \"mean\"").unwrap_err();
        assert!(error.message.contains("poling") && error.span.is_some(), "{error:?}");
    }
}
