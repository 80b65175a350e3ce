//! The options that a plugin hears beyond what every model has: those that the user chooses
//! (`--model-option`), checked against what the plugin declares, and settings of the reference's
//! loader that override a model's files, from the model's card.

use mteb_base::suggest::hint_of_many;
use mteb_plugin_api::v1::LOADING;
use mteb_plugin_api::{Loading, Manifest, ModelOption};
use mteb_registry::FoundCard;
use mteb_workers::plugins::FoundPlugin;
use serde_json::{Map, Value, json};

use super::{ModelError, python};

/// The values of the options `given` to `model`, a model of the plugin of `manifest`. One that is the model's own is left out: the model
/// is the same.
///
/// # Errors
/// If the plugin declares no such option, or another type; if one is given twice.
pub fn choose_options(
    given: &[(String, String)],
    manifest: &Manifest,
    model: &str,
) -> Result<Map<String, Value>, ModelError> {
    let declared = ModelOption::declared(manifest, model);
    let mut chosen = Map::new();
    let mut seen: Vec<&str> = Vec::new();
    for (name, text) in given {
        let fault = |what: String| ModelError::Option(format!("--model-option {name}: {what}"));
        let Some(option) = declared.iter().find(|option| option.name == *name) else {
            let names: Vec<&str> = declared.iter().map(|option| option.name.as_str()).collect();
            let known = match names.is_empty() {
                true => "; the plugin declares none for this model".to_owned(),
                false => hint_of_many(name, names, &format!("mteb-host show model {model}")),
            };
            let plugin = &manifest.name;
            return Err(fault(format!(
                "expected an option that the plugin {plugin} declares for the model {model}, found another{known}"
            )));
        };
        if seen.contains(&name.as_str()) {
            return Err(fault("expected each option once, found it twice".to_owned()));
        }
        seen.push(name);
        let value = option.read(text).map_err(|what| fault(format!("{what} ({})", option.text)))?;
        if option.default.as_ref() != Some(&value) {
            chosen.insert(name.clone(), value);
        }
    }
    // The same options are the same model, in whichever order they are given.
    chosen.sort_keys();
    Ok(chosen)
}

/// The option by which `plugin` hears of the settings that count for the model called `name`; none where there are none. A model
/// that a plugin brings by its very name, the user's own code, and the reference's loader know by themselves.
///
/// # Errors
/// If the reference does what cannot be done here, or the plugin cannot obey.
pub fn loading_option(
    name: &str,
    plugin: &FoundPlugin,
    found: Option<&FoundCard>,
) -> Result<Map<String, Value>, ModelError> {
    let kind = python::kind_of(name).map(|(kind, _)| kind);
    let loading = found.and_then(|found| found.card.loading.as_ref());
    let loading = loading.filter(|_| !plugin.manifest.models.iter().any(|model| model == name));
    let Some(loading) = loading.filter(|_| matches!(kind, None | Some("st"))) else {
        return Ok(Map::new());
    };
    if let Some(beyond) = &loading.beyond {
        return Err(ModelError::Loading(format!(
            "model {name}: {beyond}, which its files do not say; run mteb's own code with `--model mteb:{}`",
            python::hub_name(name)
        )));
    }
    // Only a library that fills up texts sees how they are filled up; that there is something to do it with, every one needs.
    let loading: Loading = match kind {
        Some(_) => loading.clone(),
        None => Loading { pad_token: loading.pad_token.clone(), ..loading.without_batches() },
    };
    if loading.is_empty() {
        return Ok(Map::new());
    }
    if !plugin.manifest.features.iter().any(|feature| feature == LOADING) {
        return Err(ModelError::Loading(format!(
            "model {name}: expected `{LOADING}` among the features of the plugin {}, because the model's card \
             has settings that the files lack, found none; rebuild the plugin",
            plugin.manifest.name
        )));
    }
    Ok(Map::from_iter([(LOADING.to_owned(), json!(loading))]))
}

#[cfg(test)]
mod tests {
    use mteb_plugin_api::OptionType;

    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<Value, String> {
        let window =
            ModelOption::new("window", OptionType::Integer, "Tokens per window.").at_least(1.0).or(8);
        let features = vec![window.feature()];
        let manifest = Manifest { features, ..Manifest::model("mine", "1", &["mine"]) };
        let given: Vec<(String, String)> =
            given.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        choose_options(&given, &manifest, "mine").map(Value::Object).map_err(|error| error.to_string())
    }

    #[test]
    fn options_are_those_that_the_plugin_declares() {
        assert_eq!(read(&[("window", "64")]), Ok(serde_json::json!({"window": 64})));
        assert_eq!(read(&[("window", "8")]), Ok(serde_json::json!({})), "the model's own");
        assert_eq!(
            read(&[("windw", "64")]).unwrap_err(),
            "--model-option windw: expected an option that the plugin mine declares for the model mine, found another (near it: window; \
             `mteb-host show model mine` shows all)"
        );
        assert_eq!(
            read(&[("window", "0")]).unwrap_err(),
            "--model-option window: expected an integer from 1, found: 0 (Tokens per window.)"
        );
        assert!(read(&[("window", "1"), ("window", "2")]).unwrap_err().ends_with("found it twice"));
    }
}
