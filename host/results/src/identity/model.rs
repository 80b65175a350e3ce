//! The model of a score: who it is, what computes it, and in which numbers.

use std::collections::{BTreeMap, BTreeSet};

use mteb_base::suggest::list_names;
use mteb_json::Json;
use mteb_plugin_api::v1::{LOADING, ModelConfig};
use mteb_plugin_api::{ModelInfo, chosen_options};
use mteb_workers::plugins::{FoundPlugin, variables_of_plugins};
use serde_json::Value;

use super::model_content;
use crate::similarity_of;

/// Facts that count, and what they are called in a message. What else a file holds of a model is for people.
const FACTS: [(&str, &str); 17] = [
    ("asked", "name"),
    ("name", "name"),
    ("revision", "revision"),
    ("weights", "weights"),
    ("files", "files beside the weights"),
    ("dtype", "number format"),
    ("device", "device"),
    ("max_tokens", "maximum length"),
    ("dimension", "dimension"),
    ("rows", "form of embeddings"),
    ("similarity", "similarity"),
    ("brackets", "brackets"),
    ("loading", "settings of its card"),
    ("options", "model options"),
    ("compression", "size of embeddings"),
    ("first_stage", "first stage"),
    ("code", "plugin"),
];

/// Under what a model says the files, by the names that messages give them, of which it is made beside its weights, each with a
/// hash: modules and data of the user's own code.
pub const SOURCES: &str = "sources";

/// What counted before files held everything; the plugin stood for its code.
const OLD_FACTS: [(&str, &str); 8] = [
    ("name", "name"),
    ("revision", "revision"),
    ("weights", "weights"),
    ("dtype", "number format"),
    ("max_tokens", "maximum length"),
    ("similarity", "similarity"),
    ("plugin", "plugin"),
    ("plugin_version", "plugin"),
];

/// The identity of a running model, as a result file holds it.
pub fn model_facts(info: &ModelInfo, plugin: &FoundPlugin, config: &ModelConfig) -> Json {
    let text = |text: &str| Json::from(text);
    let prompts = serde_json::to_value(&info.prompts).map_or(Json::Null, Json::from);
    let brackets = prompts.get("brackets").cloned().unwrap_or(Json::Null);
    let code = plugin.code();
    let mut facts = vec![
        ("name", text(&info.identity.name)),
        ("revision", text(&info.identity.revision)),
        ("weights", text(&info.identity.weights)),
        ("dtype", text(&info.identity.dtype)),
        ("device", info.device.as_deref().map_or(Json::Null, |device| text(kind_of_device(device)))),
        ("dimension", Json::Int(i64::from(info.dimension))),
        ("max_tokens", info.max_tokens.map_or(Json::Null, |tokens| Json::Int(i64::from(tokens)))),
        ("similarity", text(similarity_of(info))),
        ("plugin", text(&plugin.manifest.name)),
        ("plugin_version", text(plugin.version())),
        ("code", text(&code)),
        ("brackets", brackets),
        ("prompts", prompts),
    ];
    if !info.rows.is_dense() {
        facts.push(("rows", text(info.rows.name())));
    }
    if let Some(options) = chosen_options(&config.options) {
        facts.push(("options", Json::from(Value::Object(options.clone()))));
    }
    if let Some(loading) = config.options.get(LOADING) {
        facts.push((LOADING, Json::from(loading.clone())));
    }
    let variables = variables_of_plugins();
    if !variables.is_empty() {
        facts.push(("variables", Json::texts(&variables)));
    }
    if let Some(sources) = info.meta.get(SOURCES) {
        facts.push((SOURCES, Json::from(sources.clone())));
    }
    if let Some(endpoint) = info.meta.get("endpoint") {
        facts.push(("endpoint", Json::from(endpoint.clone())));
    }
    if let Some(files) = own_files(config) {
        facts.insert(3, ("files", text(&files)));
    }
    if let Some(asked) = name_that_tells(plugin, config) {
        facts.insert(0, ("asked", text(asked)));
    }
    Json::object(facts)
}

/// The name that was asked for, where it belongs to the model: a plugin of others may bring two models that say the same of
/// themselves; where files make the model, they tell.
pub fn name_that_tells<'a>(plugin: &FoundPlugin, config: &'a ModelConfig) -> Option<&'a str> {
    (config.folder.is_none() && !plugin.installed).then_some(config.name.as_str())
}

/// Hash of the files beside the weights in a folder of the user's own: modules, pooling, tokenizer, settings. Those of a commit
/// change with the commit.
fn own_files(config: &ModelConfig) -> Option<String> {
    let folder = config.folder.as_ref().filter(|_| config.revision.is_none())?;
    Some(
        model_content::hash_small_files(folder.as_ref())
            .unwrap_or_else(|error| format!("cannot be read: {error}")),
    )
}

/// What of the model that a file speaks of is no longer so; `Err` if the file does not say enough, with what it does say.
///
/// # Errors
/// If the file was written before it held all facts: what differs of those that it has.
pub fn model_changes(before: &Json, now: &Json) -> Result<Option<String>, Option<String>> {
    if before.get("code").is_some() {
        let several = ["variables", SOURCES].into_iter().flat_map(|key| differing_names(key, before, now));
        return Ok(name_changes(differing(&FACTS, before, now).chain(several)));
    }
    Err(name_changes(differing(&OLD_FACTS, before, now)).filter(|_| before.as_map().is_some()))
}

/// What of the model that a plan was made for is not so `now`, each with both values. What the plan does not say, as the device where
/// none was named, may be anything.
pub fn model_differences(planned: &Json, now: &Json) -> Vec<String> {
    let facts = FACTS.iter().chain(&[("prompts", "prompts")]);
    let differing = facts.filter_map(|(key, name)| {
        let (before, found) = (planned.get(key), now.get(key));
        if before == found || (*key == "device" && before.is_none()) {
            return None;
        }
        let shown = |value: Option<&Json>| value.map_or_else(|| "none".to_owned(), in_short);
        Some(format!("{name} was {}, is {}", shown(before), shown(found)))
    });
    let several = ["variables", SOURCES].into_iter().flat_map(|key| {
        differing_names(key, planned, now).map(move |name| {
            let shown = |json: &Json| {
                json.get(key).and_then(|all| all.get(&name)).map_or_else(|| "none".to_owned(), in_short)
            };
            format!("{name} was {}, is {}", shown(planned), shown(now))
        })
    });
    differing.chain(several).collect()
}

/// A value as a message shows it.
fn in_short(value: &Json) -> String {
    const MOST: usize = 120;
    let text = value.as_text().map_or_else(|| value.to_python(0), |text| format!("`{text}`"));
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn name_changes(changed: impl Iterator<Item = String>) -> Option<String> {
    let mut seen = BTreeSet::new();
    let changed: Vec<String> = changed.filter(|name| seen.insert(name.clone())).collect();
    (!changed.is_empty()).then(|| list_names(&changed))
}

fn differing<'a>(
    facts: &'a [(&str, &str)],
    before: &'a Json,
    now: &'a Json,
) -> impl Iterator<Item = String> + 'a {
    let value = |json: &Json, key: &str| json.get(key).cloned().unwrap_or(Json::Null);
    let is_other = move |(key, _): &&(&str, &str)| value(before, key) != value(now, key);
    let called = move |(key, name): &(&str, &str)| match *key {
        // A model of the host's own plugins is not asked for by a name: it is the plugin that was or is of others.
        "asked" if before.get(key).is_none() || now.get(key).is_none() => "plugin".to_owned(),
        _ => (*name).to_owned(),
    };
    facts.iter().filter(is_other).map(called)
}

/// The names under `key`, of variables of the environment that are meant for plugins or of files, that had another value, or none.
fn differing_names(key: &str, before: &Json, now: &Json) -> impl Iterator<Item = String> + use<> {
    let given = |json: &Json| -> BTreeMap<String, Json> {
        let given = json.get(key).and_then(Json::as_map).unwrap_or_default();
        given.iter().cloned().collect()
    };
    let (before, now) = (given(before), given(now));
    let names: BTreeSet<String> = before.keys().chain(now.keys()).cloned().collect();
    names.into_iter().filter(move |name| before.get(name) != now.get(name))
}

/// Two GPUs of a machine count as the same.
fn kind_of_device(device: &str) -> &str {
    device.split_once(':').map_or(device, |(kind, _)| kind)
}
