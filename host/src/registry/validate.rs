//! Checks whole files: every fault of the schema with its place, then every fault of the meaning.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use mteb_plugin_api::card::TaskCard;
use mteb_plugin_api::{Registry, schema};
use serde_json::Value;

use super::pattern::TaskPattern;
use super::reader::{card_of, is_card};
use super::source::{RegistrySource, Text, registry_named};
use super::{Fault, Locator, Registries, check_card, check_registry};
use crate::plugins::Catalog;

/// A schema, compiled once: that takes several times as long as to check a card.
type Form = LazyLock<Result<Validator, String>>;

static CARD_FORM: Form = LazyLock::new(|| compiled(&schema::task_card()));

static REGISTRY_FORM: Form = LazyLock::new(|| compiled(&schema::registry()));

/// What was checked, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// Number of files and cards.
    pub checked: usize,
    /// Faults in the order of files.
    pub faults: Vec<Fault>,
}

impl Validation {
    /// Takes in another validation.
    pub fn add(&mut self, other: Self) {
        self.checked += other.checked;
        self.faults.extend(other.faults);
    }
}

/// Checks a card, a registry with all its cards, or every TOML file of a folder.
pub fn validate(what: &str, is_folder: bool, catalog: &Catalog) -> Validation {
    let source = if is_folder {
        RegistrySource::File(std::path::Path::new(what).join("folder"))
    } else {
        match registry_named(what) {
            Ok(source) => source,
            Err(fault) => return Validation { checked: 1, faults: vec![fault] },
        }
    };
    let texts = if is_folder { source.cards(".") } else { source.read().map(|text| vec![text]) };
    let texts = match texts {
        Ok(texts) => texts,
        Err(fault) => return Validation { checked: 1, faults: vec![fault] },
    };
    let mut checked = 0;
    let mut faults = BTreeSet::new();
    for text in &texts {
        checked += 1;
        faults.extend(text_faults(text));
        if !is_card(text) {
            let cards = card_texts(&source, text, catalog);
            checked += cards.len();
            faults.extend(cards.iter().flat_map(text_faults));
        }
    }
    if !is_folder {
        let loaded = Registries::load(&[what.to_owned()], catalog);
        let known: BTreeSet<(String, usize)> =
            faults.iter().map(|fault: &Fault| (fault.file.clone(), fault.line)).collect();
        let new =
            loaded.faults.into_iter().filter(|fault| !known.contains(&(fault.file.clone(), fault.line)));
        faults.extend(new);
    }
    Validation { checked, faults: faults.into_iter().collect() }
}

/// Cards that a registry names, as texts.
fn card_texts(source: &RegistrySource, text: &Text, catalog: &Catalog) -> Vec<Text> {
    let Ok(registry) = text.parse::<Registry>() else { return Vec::new() };
    let mut texts: Vec<Text> = if registry.tasks.is_empty() {
        registry.cards.iter().filter_map(|entry| source.cards(entry).ok()).flatten().collect()
    } else {
        let names = registry.tasks.iter().map(|task| TaskPattern::new(task));
        let cards = names.filter_map(|pattern| card_of(source, &registry, pattern.name()).ok());
        cards.flat_map(with_members).collect()
    };
    for pack in &registry.packs {
        let cards = catalog.plugin(pack).map(|plugin| &plugin.cards).into_iter().flatten();
        texts.extend(cards.map(|(name, card)| Text::new(format!("{pack}/{name}"), card.clone())));
    }
    texts
}

fn with_members(text: Text) -> Vec<Text> {
    let members = text.parse::<TaskCard>().map(|card| card.members).unwrap_or_default();
    let members: Vec<Text> = members.iter().filter_map(|name| text.beside(name).ok()?).collect();
    std::iter::once(text).chain(members).collect()
}

/// Faults of one text: those of the schema, or if there is none those of the meaning.
fn text_faults(text: &Text) -> Vec<Fault> {
    let locator = Locator::new(&text.file, &text.text);
    let value: Value = match toml::from_str(&text.text) {
        Ok(value) => value,
        Err(error) => return vec![locator.fault_at(error.span(), error.message())],
    };
    let is_card = value.get("type").is_some();
    let form = if is_card { &CARD_FORM } else { &REGISTRY_FORM };
    let faults = schema_faults(form, &value, &locator);
    if !faults.is_empty() {
        return faults;
    }
    if is_card { card_faults(text, &locator) } else { registry_faults(text, &locator) }
}

fn card_faults(text: &Text, locator: &Locator) -> Vec<Fault> {
    match TaskCard::from_toml(&text.text) {
        Ok(card) => check_card(&card, locator),
        Err(error) => vec![locator.fault_at(error.span, error.message)],
    }
}

fn registry_faults(text: &Text, locator: &Locator) -> Vec<Fault> {
    match toml::from_str::<Registry>(&text.text) {
        Ok(registry) => check_registry(&registry, locator),
        Err(error) => vec![locator.fault_at(error.span(), error.message())],
    }
}

fn compiled(schema: &Value) -> Result<Validator, String> {
    jsonschema::validator_for(schema).map_err(|error| error.to_string())
}

fn schema_faults(form: &Form, value: &Value, locator: &Locator) -> Vec<Fault> {
    let validator = match &**form {
        Ok(validator) => validator,
        Err(error) => return vec![Fault::of_file("schema", error)],
    };
    validator
        .iter_errors(value)
        .map(|error| {
            let pointer = error.instance_path().to_string();
            let path: Vec<String> =
                pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            let place = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
            let message = format!("{place}{}", message(&error));
            match error.kind() {
                ValidationErrorKind::AdditionalProperties { unexpected } => {
                    let key = unexpected.first().map(String::as_str);
                    locator.fault_at_key(&path.into_iter().chain(key).collect::<Vec<_>>(), message)
                }
                _ => locator.fault(&path, message),
            }
        })
        .collect()
}

/// The fault in the words of this project: what is allowed, and what was found.
fn message(error: &ValidationError) -> String {
    match error.kind() {
        ValidationErrorKind::Enum { options } => {
            let options: Vec<&str> =
                options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let (found, shown) = (error.instance(), options.join(", "));
            format!("expected one of {shown}; found: {found}")
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            format!("unknown key `{}`; `mteb-host schema` lists the keys", unexpected.join("`, `"))
        }
        ValidationErrorKind::Required { property } => format!("expected the key {property}, found none"),
        _ => error.to_string(),
    }
}
