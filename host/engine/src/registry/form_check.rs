//! Checks a value against a JSON Schema, with the keywords that the schemas of cards and registries have.

use serde_json::{Map, Value};

/// A value that is not as its schema has it.
pub struct FormError<'a> {
    /// Keys and numbers of items that lead to the value.
    pub path: Vec<String>,
    /// The value.
    pub found: &'a Value,
    /// What it should have been.
    pub expected: Expected<'a>,
}

/// What a schema expects where it found something else.
pub enum Expected<'a> {
    /// One of these types.
    Type(Vec<&'a str>),
    /// This value.
    Const(&'a Value),
    /// One of these values.
    Enum(&'a [Value]),
    /// A number of at least this.
    Minimum(&'a Value),
    /// A number of at most this.
    Maximum(&'a Value),
    /// At least so many items.
    MinItems(u64),
    /// At most so many items.
    MaxItems(u64),
    /// This key, which is missing.
    Required(&'a str),
    /// No keys but the known ones; these are others.
    KnownKeys(Vec<&'a str>),
    /// What one of several schemas has; the errors of each.
    AnyOf(Vec<Vec<FormError<'a>>>),
    /// What exactly one of several schemas has, and none does; the errors of each.
    OneOf(Vec<Vec<FormError<'a>>>),
    /// What exactly one of several schemas has, and more than one does.
    OnlyOneOf,
    /// Nothing at all.
    Nothing,
}

/// Everything in `value` that is not as `schema` has it: of a table first what it lacks, then what is in it.
pub fn form_errors<'a>(schema: &'a Value, value: &'a Value) -> Vec<FormError<'a>> {
    let mut check = Check { root: schema, path: Vec::new(), errors: Vec::new() };
    check.value(schema, value);
    check.errors
}

struct Check<'a> {
    root: &'a Value,
    path: Vec<String>,
    errors: Vec<FormError<'a>>,
}

impl<'a> Check<'a> {
    fn value(&mut self, schema: &'a Value, found: &'a Value) {
        let Some(schema) = schema.as_object() else {
            if schema == &Value::Bool(false) {
                self.expected(found, Expected::Nothing);
            }
            return;
        };
        self.type_and_words(schema, found);
        self.bounds(schema, found);
        if let Value::Object(table) = found {
            self.table(schema, table, found);
        }
        if let (Some(items), Value::Array(list)) = (schema.get("items"), found) {
            for (number, item) in list.iter().enumerate() {
                self.below(number.to_string(), items, item);
            }
        }
        self.branches(schema, found);
        if let Some(target) = text(schema, "$ref").and_then(|name| name.strip_prefix('#'))
            && let Some(schema) = self.root.pointer(target)
        {
            self.value(schema, found);
        }
    }

    fn type_and_words(&mut self, schema: &'a Map<String, Value>, found: &'a Value) {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(name)) => vec![name],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if !types.is_empty() && !types.iter().any(|name| is_of_type(found, name)) {
            self.expected(found, Expected::Type(types));
        }
        if let Some(value) = schema.get("const").filter(|value| *value != found) {
            self.expected(found, Expected::Const(value));
        }
        if let Some(Value::Array(values)) = schema.get("enum")
            && !values.contains(found)
        {
            self.expected(found, Expected::Enum(values));
        }
    }

    fn bounds(&mut self, schema: &'a Map<String, Value>, found: &'a Value) {
        if let Some(limit) = schema.get("minimum").filter(|limit| is_below(found, limit)) {
            self.expected(found, Expected::Minimum(limit));
        }
        if let Some(limit) = schema.get("maximum").filter(|limit| is_below(limit, found)) {
            self.expected(found, Expected::Maximum(limit));
        }
        let Value::Array(list) = found else { return };
        let limit = |key| schema.get(key).and_then(Value::as_u64);
        if let Some(limit) = limit("minItems").filter(|limit| (list.len() as u64) < *limit) {
            self.expected(found, Expected::MinItems(limit));
        }
        if let Some(limit) = limit("maxItems").filter(|limit| list.len() as u64 > *limit) {
            self.expected(found, Expected::MaxItems(limit));
        }
    }

    /// The keys of a table: those that it lacks, what is wrong in it, and those that nobody knows.
    fn table(&mut self, schema: &'a Map<String, Value>, table: &'a Map<String, Value>, found: &'a Value) {
        let required = schema.get("required").and_then(Value::as_array);
        for key in required.into_iter().flatten().filter_map(Value::as_str) {
            if !table.contains_key(key) {
                self.expected(found, Expected::Required(key));
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        let others = schema.get("additionalProperties");
        let mut unknown = Vec::new();
        for (key, value) in table {
            match (properties.and_then(|known| known.get(key)), others) {
                (Some(schema), _) => self.below(key.clone(), schema, value),
                (None, Some(Value::Bool(false))) => unknown.push(key.as_str()),
                (None, Some(schema)) => self.below(key.clone(), schema, value),
                (None, None) => {}
            }
        }
        if !unknown.is_empty() {
            self.expected(found, Expected::KnownKeys(unknown));
        }
    }

    fn branches(&mut self, schema: &'a Map<String, Value>, found: &'a Value) {
        if let Some(Value::Array(branches)) = schema.get("anyOf") {
            let errors = self.errors_of_each(branches, found);
            if errors.iter().all(|errors| !errors.is_empty()) {
                self.expected(found, Expected::AnyOf(errors));
            }
        }
        if let Some(Value::Array(branches)) = schema.get("oneOf") {
            let errors = self.errors_of_each(branches, found);
            match errors.iter().filter(|errors| errors.is_empty()).count() {
                0 => self.expected(found, Expected::OneOf(errors)),
                1 => {}
                _ => self.expected(found, Expected::OnlyOneOf),
            }
        }
    }

    fn errors_of_each(&mut self, branches: &'a [Value], found: &'a Value) -> Vec<Vec<FormError<'a>>> {
        let before = std::mem::take(&mut self.errors);
        let errors = branches.iter().map(|branch| {
            self.value(branch, found);
            std::mem::take(&mut self.errors)
        });
        let errors = errors.collect();
        self.errors = before;
        errors
    }

    fn below(&mut self, step: String, schema: &'a Value, found: &'a Value) {
        self.path.push(step);
        self.value(schema, found);
        self.path.pop();
    }

    fn expected(&mut self, found: &'a Value, expected: Expected<'a>) {
        self.errors.push(FormError { path: self.path.clone(), found, expected });
    }
}

fn text<'a>(schema: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    schema.get(key).and_then(Value::as_str)
}

/// True if `value` is of the type of JSON Schema that `name` names. A number without a fraction is an integer.
fn is_of_type(value: &Value, name: &str) -> bool {
    match value {
        Value::Null => name == "null",
        Value::Bool(_) => name == "boolean",
        Value::String(_) => name == "string",
        Value::Array(_) => name == "array",
        Value::Object(_) => name == "object",
        Value::Number(number) => {
            let is_whole = || number.as_f64().is_some_and(|number| number.fract() == 0.0);
            name == "number" || name == "integer" && (!number.is_f64() || is_whole())
        }
    }
}

/// True if both are numbers and the first is less than the second.
fn is_below(left: &Value, right: &Value) -> bool {
    let whole = |value: &Value| value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from));
    match (whole(left), whole(right)) {
        (Some(left), Some(right)) => left < right,
        _ => left.as_f64().zip(right.as_f64()).is_some_and(|(left, right)| left < right),
    }
}

#[cfg(test)]
mod tests;
