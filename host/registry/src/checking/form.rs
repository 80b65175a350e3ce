//! Checks a card or a registry: its form, as its JSON Schema has it, then its meaning. Of a card
//! whose form is at fault, the rest is checked.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use mteb_base::suggest::near;
use mteb_card::{ModelCard, Registry, TaskCard, TaskType};
use mteb_graded::judge::{card_schema, parse_card};
use mteb_plugin_api::schema;
use serde_json::{Map, Value, json};

use super::form_keys::keys;
use super::form_message::{form_faults, steps, without_quotes};
use super::meaning::{check_card, check_registry, check_rest};
use super::model_meaning::check_model_card;
use crate::reading::text::{Text, is_card, is_judge_card, is_model_card};
use crate::{Fault, Locator};

/// What a TOML file describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One task.
    Card,
    /// Several tasks.
    Registry,
    /// One model.
    ModelCard,
    /// One judge of graded relevance.
    JudgeCard,
}

/// A schema and what checks it, compiled once: that takes several times as long as to check a card.
struct Form {
    schema: Value,
    validator: Result<Validator, Box<ValidationError<'static>>>,
}

static CARD: LazyLock<Form> = LazyLock::new(|| Form::new(schema::task_card()));
static REGISTRY: LazyLock<Form> = LazyLock::new(|| Form::new(schema::registry()));
static MODEL_CARD: LazyLock<Form> = LazyLock::new(|| Form::new(schema::model_card()));
static JUDGE_CARD: LazyLock<Form> = LazyLock::new(|| Form::new(card_schema()));

fn form_of(kind: Kind) -> &'static LazyLock<Form> {
    match kind {
        Kind::Card => &CARD,
        Kind::Registry => &REGISTRY,
        Kind::ModelCard => &MODEL_CARD,
        Kind::JudgeCard => &JUDGE_CARD,
    }
}

/// What `text` describes: a task if it has a type, a model if it lies where model cards do, a judge
/// if it has an endpoint, else several tasks.
pub fn kind_of(text: &Text) -> Kind {
    match &text.path {
        _ if is_card(text) => Kind::Card,
        Some(path) if is_model_card(path) => Kind::ModelCard,
        _ if is_judge_card(text) => Kind::JudgeCard,
        _ => Kind::Registry,
    }
}

/// Everything that is wrong with `text` itself: with its form, and with its meaning as far as that
/// does not depend on what is wrong with the form. A task card goes through
/// [`declare_and_check`](crate::declaring::declare_and_check): its form may name a type of its own.
pub fn text_faults(text: &Text, kind: Kind) -> Vec<Fault> {
    let locator = Locator::new(&text.file, text.text());
    match parse_value(text, &locator) {
        Ok(value) => value_faults(&value, text, kind, &locator),
        Err(faults) => faults,
    }
}

/// Reads `text` as a value that JSON can hold.
///
/// # Errors
/// What is wrong with it, if it is no TOML or has dates and the like.
pub fn parse_value(text: &Text, locator: &Locator) -> Result<Value, Vec<Fault>> {
    let value = toml::from_str(text.text()).map_err(|error| {
        let unquoted = error.span().and_then(|span| without_quotes(text.text(), span.start));
        let message = unquoted.unwrap_or_else(|| no_value(error.message()));
        vec![locator.fault_at(error.span(), message)]
    })?;
    let foreign = locator.faults_at_values();
    if foreign.is_empty() { Ok(value) } else { Err(foreign) }
}

/// What is wrong with the form of `text`, which holds `value`, else with its meaning.
pub fn value_faults(value: &Value, text: &Text, kind: Kind, locator: &Locator) -> Vec<Fault> {
    let form = form_of(kind);
    let mut faults = form.faults(value, locator);
    if !faults.is_empty() {
        let rest = Some(kind).filter(|kind| *kind == Kind::Card).and_then(|_| form.rest(value));
        faults.extend(rest.into_iter().flat_map(|rest| check_rest(&rest.card, &rest.touched, locator)));
        faults.sort();
        return faults;
    }
    let meaning = match kind {
        Kind::Card => toml::from_str::<TaskCard>(text.text()).map(|card| check_card(&card, locator)),
        Kind::Registry => {
            toml::from_str::<Registry>(text.text()).map(|registry| check_registry(&registry, locator))
        }
        Kind::ModelCard => {
            toml::from_str::<ModelCard>(text.text()).map(|card| check_model_card(&card, locator, &text.file))
        }
        Kind::JudgeCard => Ok(judge_faults(text)),
    };
    meaning.unwrap_or_else(|error| vec![locator.fault_at(error.span(), no_value(error.message()))])
}

/// What a judge's card says that cannot be.
fn judge_faults(text: &Text) -> Vec<Fault> {
    let found = parse_card(&text.file, text.text()).err().map(|error| error.to_string());
    let message = |said: String| match said.strip_prefix(&format!("{}: ", text.file)) {
        Some(message) => message.to_owned(),
        None => said,
    };
    found.map(|said| Fault::of_file(&text.file, message(said))).into_iter().collect()
}

/// What the reader of TOML says, but for its own depth and types.
fn no_value(message: &str) -> String {
    // To a schema 1e3 is a whole number.
    if let Some(rest) = message.strip_prefix("invalid type: floating point `")
        && let Some((found, expected)) = rest.split_once("`, expected ")
        && (expected.starts_with(['u', 'i']) || expected.contains("integer"))
    {
        return format!("expected a whole number without a point or exponent, found: {found}");
    }
    if message.contains("number out of range") {
        return "expected a whole number of at most 9223372036854775807, found a larger one".to_owned();
    }
    if message.contains("recursion limit") || message.contains("recurse further") {
        return "expected lists and tables at most 80 deep, found deeper ones".to_owned();
    }
    message.to_owned()
}

/// True if a schema only does not know a type that a pack has declared, or that the card with the
/// content `root` declares, be its declaration at fault.
fn is_declared_type(error: &ValidationError, root: &Value) -> bool {
    matches!(error.kind(), ValidationErrorKind::Enum { .. })
        && error.instance_path().to_string() == "/type"
        && (root.get("task_type").is_some() || error.instance().as_str().is_some_and(is_declared))
}

/// True if `name` is a type that a pack or a card has declared.
fn is_declared(name: &str) -> bool {
    TaskType::named(name).is_some_and(|known| known.declared().is_some())
}

impl Form {
    fn new(schema: Value) -> Self {
        let validator = jsonschema::validator_for(&schema).map_err(Box::new);
        Self { schema, validator }
    }

    fn faults(&self, value: &Value, locator: &Locator) -> Vec<Fault> {
        let validator = match &self.validator {
            Ok(validator) => validator,
            Err(error) => return vec![Fault::of_file("schema", error.to_string())],
        };
        validator
            .iter_errors(value)
            .filter(|error| !is_declared_type(error, value))
            .flat_map(|error| form_faults(&error, value, &self.schema, locator))
            .collect()
    }

    /// What of a card whose form is at fault can be checked all the same.
    fn rest(&self, value: &Value) -> Option<Rest> {
        let errors = self.validator.as_ref().ok()?.iter_errors(value);
        Rest::of(errors.filter(|error| !is_declared_type(error, value)), value, &self.schema)
    }
}

/// The table of which single options are left out, since each of the others can be told of by itself.
const OPTIONS: &str = "protocol";

/// Most unknown keys of one table of a card that is looked at any further.
const MOST: usize = 100;

/// A card without what is at fault, and the keys at its top that this may have changed: what depends on them is not known.
pub struct Rest {
    /// The card.
    pub card: TaskCard,
    /// Those keys.
    pub touched: BTreeSet<String>,
}

impl Rest {
    /// The rest of the card whose content is `root`; `None` if too much of it is at fault.
    pub fn of<'a>(
        errors: impl Iterator<Item = ValidationError<'a>>,
        root: &Value,
        schema: &Value,
    ) -> Option<Self> {
        let mut table = root.as_object()?.clone();
        let mut touched = BTreeSet::new();
        let top = keys(schema, &[], root);
        for error in errors {
            let path = steps(&error);
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            match (error.kind(), path.as_slice()) {
                (ValidationErrorKind::AdditionalProperties { unexpected }, _) => {
                    if unexpected.len() > MOST {
                        return None;
                    }
                    for key in unexpected.iter().map(String::as_str) {
                        leave_out(&mut table, &[&path[..], &[key]].concat());
                        // It may be meant for a key of the top that it is near, or for a table that has it.
                        let tables = top.iter().filter(|table| keys(schema, &[table], root).contains(&key));
                        let meant = near(key, top.iter().copied()).into_iter().chain(tables.copied());
                        touched.extend(meant.map(str::to_owned));
                    }
                }
                (ValidationErrorKind::Required { property }, []) => {
                    touched.insert(property.as_str()?.to_owned());
                }
                (_, []) => return None,
                (_, path) => leave_out(&mut table, path),
            }
            touched.extend(path.first().map(|key| (*key).to_owned()));
        }
        // What no card may lack.
        let any = [("schema", json!(1)), ("name", json!("Any")), ("description", json!("any"))];
        let any = any.into_iter().chain([("type", json!(TaskType::ALL[0].as_str()))]);
        for (key, value) in any.filter(|(key, _)| touched.contains(*key)) {
            table.insert(key.to_owned(), value);
        }
        let card = serde_json::from_value(Value::Object(table)).ok()?;
        Some(Self { card, touched })
    }
}

/// Leaves out what `path` leads to: a key of the top with all that is in it, or an option.
fn leave_out(table: &mut Map<String, Value>, path: &[&str]) {
    match path {
        [OPTIONS, option, ..] => {
            if let Some(Value::Object(options)) = table.get_mut(OPTIONS) {
                options.remove(*option);
            }
        }
        [key, ..] => {
            table.remove(*key);
        }
        [] => {}
    }
}
