//! What a model says of itself once it is made, how its embeddings are compared (a larger value means
//! more alike; protocol 5 and 10), and what the texts are for that it encodes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// What the host needs to know of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModelInfo {
    /// Who the model is; stored in every result.
    pub identity: Identity,
    /// Numbers a row, zeros of sparse rows and each of several vectors too; 0 for a cross-encoder.
    pub dimension: u32,
    /// What the embedding of a text is.
    #[serde(skip_serializing_if = "RowForm::is_dense")]
    pub rows: RowForm,
    /// Tokens after which a text is cut; absent if there is no limit.
    pub max_tokens: Option<u32>,
    /// Device on which the model really computes, whatever was asked for: `cpu`, `cuda:0`. A model that can compute on more
    /// than one must say it, as the host keeps embeddings of each apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// How two embeddings are compared; absent for cosine.
    pub similarity: Option<Similarity>,
    /// Tokens in a batch that keep the model busy; absent for what the host takes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_tokens: Option<u32>,
    /// True if the model scores pairs (`predict`) instead of encoding texts.
    pub cross_encoder: bool,
    /// True if encoding a text is about as fast as reading its embedding from a file; the host then keeps none.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cheap: bool,
    /// Named prompts and instructions (protocol 3.4).
    pub prompts: Prompts,
    /// Parameters of the model, if known.
    pub parameters: Option<u64>,
    /// Licence of the weights, if known; `license` is read, too.
    #[serde(alias = "license")]
    pub licence: Option<String>,
    /// Where the model is described.
    pub reference: Option<String>,
    /// Languages, e.g. `ind-Latn`.
    pub languages: Vec<String>,
    /// Anything else that belongs in `model_meta.json`, under the reference's key names.
    pub meta: BTreeMap<String, serde_json::Value>,
}

/// What the embedding of a text is. All but the first cross the plugin interface by the method `encode_rows`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RowForm {
    /// One row of numbers.
    #[default]
    Dense,
    /// One row of numbers of which most are zero, as SPLADE gives them.
    Sparse,
    /// Several vectors, compared by MaxSim, as ColBERT gives them.
    MultiVector,
}

impl RowForm {
    /// True for one row of numbers.
    pub fn is_dense(&self) -> bool {
        *self == Self::Dense
    }

    /// The name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Sparse => "sparse",
            Self::MultiVector => "multi-vector",
        }
    }
}

/// Who a model is: two models with equal identities give equal embeddings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Identity {
    /// Name as `organisation/model`.
    pub name: String,
    /// Revision of the weights.
    pub revision: String,
    /// Hash of the weights; empty if there are none.
    pub weights: String,
    /// Number format of the computation: `f32`, `bf16` or `f16`.
    pub dtype: String,
}

/// The prompts of a model; the host picks one by protocol 3.4 and gives it to `encode`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Prompts {
    /// Prompts by name: `{task}-{role}`, `{task}`, `{type}-{role}`, `{type}`, `query` or `document`.
    pub named: BTreeMap<String, String>,
    /// Template with `{instruction}` for a model that follows instructions; absent for one that does not.
    pub instruction_template: Option<String>,
    /// True if the instruction applies to documents too.
    pub instruct_documents: bool,
    /// Prompt for a text whose instruction is empty; absent for none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty_instruction: Option<String>,
    /// What is put before texts as it stands here, whatever template and instruction say; by the same names as `named`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub whole: BTreeMap<String, String>,
    /// Name of the prompt for texts that nothing else covers.
    pub default: Option<String>,
    /// True if the model makes its prompts itself: it is given the name of the task in place of a prompt.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub task_names: bool,
    /// Tokens around a text that say what it is for; absent for a model that was trained without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub brackets: Option<Brackets>,
}

/// One token before and one behind a text, by its role, as SGPT has them (Muennighoff 2022, arXiv:2202.08904). They are
/// put around the tokens of the text, beyond its maximum length, so that they never merge with them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Brackets {
    /// Around queries, and around texts without a role.
    pub query: [String; 2],
    /// Around documents.
    pub document: [String; 2],
}

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// `query`
    Query,
    /// `document`
    Document,
}

impl Role {
    /// All values in the reference's order.
    pub const ALL: &'static [Self] = &[Self::Query, Self::Document];

    /// The value as cards and results write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Document => "document",
        }
    }
}

impl JsonSchema for Role {
    fn schema_name() -> Cow<'static, str> {
        "Role".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["query", "document"] })
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// How two embeddings are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// Cosine of the angle.
    #[default]
    Cosine,
    /// Inner product.
    Dot,
    /// Minus the Euclidean distance.
    Euclidean,
    /// Minus the Manhattan distance.
    Manhattan,
}

impl Similarity {
    /// True if only the direction of an embedding counts, so that its length may be made 1.
    pub fn is_of_directions(self) -> bool {
        match self {
            Self::Cosine => true,
            Self::Dot | Self::Euclidean | Self::Manhattan => false,
        }
    }

    /// True if it is an inner product of the embeddings, once their lengths are as [`Self::is_of_directions`] has them.
    pub fn is_product(self) -> bool {
        match self {
            Self::Cosine | Self::Dot => true,
            Self::Euclidean | Self::Manhattan => false,
        }
    }

    /// True if it is computed from an inner product and the lengths of both embeddings.
    pub fn needs_norms(self) -> bool {
        match self {
            Self::Euclidean => true,
            Self::Cosine | Self::Dot | Self::Manhattan => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_of_the_licence_are_read() {
        for key in ["licence", "license"] {
            let info: ModelInfo = serde_json::from_str(&format!("{{\"{key}\": \"mit\"}}")).unwrap();
            assert_eq!(info.licence.as_deref(), Some("mit"), "{key}");
        }
    }
}
