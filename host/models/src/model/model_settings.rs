//! What is known of a model beside its files, added to its own info.

use mteb_card::ModelCard;
use mteb_plugin_api::{Brackets, ModelInfo, Prompts, RowForm, Similarity};
use mteb_results::{EXPERIMENT_OPTIONS, similarity_name};
use serde_json::{Map, Value};

use super::local::Unread;
use super::naming::Naming;
use crate::encode::PromptFile;

/// What the user and the model's card say of a model.
pub struct ModelSettings {
    /// Its card.
    pub card: Option<ModelCard>,
    /// The user's prompts.
    pub prompts: Option<PromptFile>,
    /// Tokens behind which the user has texts cut.
    pub max_tokens: Option<u32>,
    /// How the user has embeddings compared.
    pub similarity: Option<Similarity>,
    /// What the prompts need around texts.
    pub brackets: Option<Brackets>,
    /// Number format, if the user asks for one.
    pub dtype: Option<&'static str>,
    /// Who the model is, if that is for the host to say.
    pub naming: Naming,
    /// What the user chose of what its plugin declares.
    pub options: Map<String, Value>,
}

/// A model that does not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It truncates no texts to so few tokens.
    #[error(
        "expected a model that truncates texts to {0} tokens, found one that cannot; leave out `--max-tokens`"
    )]
    MaxTokens(u32),
    /// It computes in another format.
    #[error("expected a model that computes in {asked}, found one that {found}; leave out `--dtype`")]
    Dtype {
        /// The format that was asked for.
        asked: String,
        /// What it does, in words.
        found: String,
    },
    /// Its vectors are compared in one way alone.
    #[error(
        "expected a model with one vector per text for `--similarity`, found one with several, which are compared only \
         by MaxSim; leave out `--similarity`"
    )]
    Similarity,
    /// It puts no brackets around texts.
    #[error(
        "expected a plugin that puts brackets around texts, as the model's prompts need it, found one that cannot"
    )]
    Brackets,
    /// Nobody can tell who it is.
    #[error(transparent)]
    Unread(#[from] Unread),
}

impl ModelSettings {
    /// Adds the settings to what a model says of itself.
    ///
    /// # Errors
    /// If the model does not do what it was asked for.
    pub fn complete(&self, info: &mut ModelInfo) -> Result<(), Unfit> {
        if let Some(asked) = self.max_tokens
            && info.max_tokens.is_none_or(|found| found > asked)
        {
            return Err(Unfit::MaxTokens(asked));
        }
        if let Some(asked) = self.dtype {
            computes_in(asked, &info.identity.dtype)?;
        }
        if self.similarity.is_some() && info.rows == RowForm::MultiVector {
            return Err(Unfit::Similarity);
        }
        if self.brackets.is_some() && info.prompts.brackets != self.brackets {
            return Err(Unfit::Brackets);
        }
        self.naming.identify(info)?;
        if let Some(card) = &self.card {
            card.complete(info);
        }
        let by_itself = info.clone();
        if let Some(prompts) = &self.prompts {
            prompts.apply(&mut info.prompts);
        }
        info.prompts.brackets.clone_from(&self.brackets);
        info.similarity = self.similarity.or(info.similarity);
        self.note_experiment(info, &by_itself);
        Ok(())
    }

    /// Notes what the user chose that the model does not do `by_itself`: its results are kept apart.
    fn note_experiment(&self, info: &mut ModelInfo, by_itself: &ModelInfo) {
        let mut chosen = self.options.clone();
        if let Some(tokens) = self.max_tokens {
            chosen.insert("max_tokens".to_owned(), tokens.into());
        }
        if let Some(dtype) = self.dtype.filter(|dtype| *dtype != Dtype::F32.name()) {
            chosen.insert("dtype".to_owned(), dtype.into());
        }
        if info.similarity.unwrap_or_default() != by_itself.similarity.unwrap_or_default() {
            let name = similarity_name(info.similarity.unwrap_or_default());
            chosen.insert("similarity".to_owned(), name.into());
        }
        if let Some(prompts) = self.prompts.as_ref().filter(|prompts| {
            prompts.brackets.is_some()
                || Prompts { brackets: None, ..info.prompts.clone() }
                    != Prompts { brackets: None, ..by_itself.prompts.clone() }
        }) {
            chosen.insert("prompts".to_owned(), prompts.hash().into());
        }
        if chosen.is_empty() {
            return;
        }
        let options =
            info.meta.entry(EXPERIMENT_OPTIONS.to_owned()).or_insert_with(|| Value::Object(Map::new()));
        match options.as_object_mut() {
            Some(options) => options.extend(chosen),
            None => *options = Value::Object(chosen),
        }
    }
}

/// An error unless a model that computes in `found`, as it says, does what was `asked`. float32 is what a model computes in that
/// does not name one of the others.
fn computes_in(asked: &str, found: &str) -> Result<(), Unfit> {
    let others = [Dtype::Bf16, Dtype::F16].map(Dtype::name);
    if found == asked || asked == Dtype::F32.name() && !others.contains(&found) {
        return Ok(());
    }
    let found =
        if found.is_empty() { "does not say in which".to_owned() } else { format!("computes in {found}") };
    Err(Unfit::Dtype { asked: asked.to_owned(), found })
}

/// The number format in which a model computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dtype {
    /// What the plugin takes by itself.
    #[default]
    Auto,
    /// 32 bits, IEEE 754.
    F32,
    /// 16 bits, with the exponent of 32.
    Bf16,
    /// 16 bits, IEEE 754.
    F16,
}

impl Dtype {
    /// The name that plugins know.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_format_that_was_asked_for_is_the_one_that_the_model_names() {
        for (asked, found) in [("bf16", "bf16"), ("f32", "f32"), ("f32", ""), ("f32", "float64")] {
            assert!(computes_in(asked, found).is_ok(), "{asked}, {found}");
        }
        for (asked, found, said) in [
            ("bf16", "f32", "computes in f32"),
            ("bf16", "", "does not say in which"),
            ("f32", "bf16", "computes in bf16"),
        ] {
            let refusal = computes_in(asked, found).unwrap_err().to_string();
            let expected = format!(
                "expected a model that computes in {asked}, found one that {said}; leave out `--dtype`"
            );
            assert_eq!(refusal, expected);
        }
    }
}
