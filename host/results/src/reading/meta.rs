//! What `model_meta.json` of any age says of a model.

use mteb_json::{JsonError, read_past_tokens};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fault::ResultFault;

/// The facts that tables need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Name of the model.
    pub name: Option<String>,
    /// Its revision.
    pub revision: Option<String>,
    /// True if `experiment_kwargs` says that something is not as usual.
    pub is_experiment: bool,
    /// Parameters, those of the table of tokens included.
    pub parameters: Option<u64>,
    /// Numbers an embedding, the largest where there are several.
    pub dimension: Option<u32>,
    /// Tokens after which a text is cut.
    pub max_tokens: Option<u32>,
    /// Day of its release.
    pub release_date: Option<String>,
    /// Licence of the weights.
    pub license: Option<String>,
    /// True if the weights can be had.
    pub open_weights: Option<bool>,
    /// True if it is told what to do.
    pub use_instructions: Option<bool>,
    /// Where it is described.
    pub reference: Option<String>,
}

/// Reads the text of a `model_meta.json`.
///
/// # Errors
/// What was expected and what was found.
pub fn read_meta(text: &str) -> Result<Meta, ResultFault> {
    let value: Value = read_past_tokens(text, |text| serde_json::from_str(text)).map_err(JsonError::from)?;
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let whole = |value: &Value| {
        value.as_u64().or_else(|| value.as_f64().filter(|number| *number >= 0.0).map(|number| number as u64))
    };
    let small = |value: &Value| whole(value).and_then(|number| u32::try_from(number).ok());
    let dimension = match &value["embed_dim"] {
        Value::Array(several) => several.iter().filter_map(small).max(),
        one => small(one),
    };
    Ok(Meta {
        name: text("name"),
        revision: text("revision"),
        is_experiment: value["experiment_kwargs"].as_object().is_some_and(|options| !options.is_empty()),
        parameters: whole(&value["n_parameters"]),
        dimension,
        max_tokens: small(&value["max_tokens"]),
        release_date: text("release_date"),
        license: text("license"),
        open_weights: value["open_weights"].as_bool(),
        use_instructions: value["use_instructions"].as_bool(),
        reference: text("reference"),
    })
}

#[cfg(test)]
mod tests {
    use super::read_meta;

    #[test]
    fn cards_of_any_age_are_read() {
        let meta = read_meta(
            r#"{"name": "a/b", "revision": null, "max_tokens": Infinity, "embed_dim": [64, 768],
                "n_parameters": 1.0e9, "experiment_kwargs": {}}"#,
        )
        .unwrap();
        assert_eq!(
            (meta.dimension, meta.max_tokens, meta.parameters),
            (Some(768), None, Some(1_000_000_000))
        );
        assert!(!meta.is_experiment && meta.revision.is_none());
        assert!(read_meta(r#"{"experiment_kwargs": {"dim": 64}}"#).unwrap().is_experiment);
    }
}
