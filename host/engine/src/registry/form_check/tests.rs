//! Tests of the check of forms.

use mteb_plugin_api::schema;
use serde_json::json;

use super::*;

/// Keywords that say nothing of a value's form.
const WORDS: [&str; 7] = ["$defs", "$schema", "default", "description", "format", "title", "$ref"];

const KEYWORDS: [&str; 14] = [
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "enum",
    "items",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "oneOf",
    "properties",
    "required",
    "type",
];

fn check_keywords(schema: &Value) {
    let Some(table) = schema.as_object() else { return };
    for (keyword, value) in table {
        assert!(
            KEYWORDS.contains(&keyword.as_str()) || WORDS.contains(&keyword.as_str()),
            "`{keyword}` is not checked"
        );
        match keyword.as_str() {
            "properties" | "$defs" => value.as_object().unwrap().values().for_each(check_keywords),
            "anyOf" | "oneOf" => value.as_array().unwrap().iter().for_each(check_keywords),
            "items" | "additionalProperties" => check_keywords(value),
            _ => {}
        }
    }
}

#[test]
fn every_keyword_of_the_schemas_is_checked() {
    for schema in [schema::task_card(), schema::registry(), schema::model_card()] {
        check_keywords(&schema);
    }
}

/// The places of the errors, and what is expected there.
fn said(schema: &Value, value: &Value) -> Vec<String> {
    let said = |error: &FormError| {
        let expected = match &error.expected {
            Expected::Type(types) => format!("type {}", types.join("|")),
            Expected::Const(value) => format!("const {value}"),
            Expected::Enum(values) => format!("one of {}", values.len()),
            Expected::Minimum(limit) => format!("at least {limit}"),
            Expected::Maximum(limit) => format!("at most {limit}"),
            Expected::MinItems(limit) => format!("{limit} items or more"),
            Expected::MaxItems(limit) => format!("{limit} items or fewer"),
            Expected::Required(key) => format!("key {key}"),
            Expected::KnownKeys(keys) => format!("not {}", keys.join(" ")),
            Expected::AnyOf(branches) => format!("any of {}", branches.len()),
            Expected::OneOf(branches) => format!("one of {} schemas", branches.len()),
            Expected::OnlyOneOf => "only one".to_owned(),
            Expected::Nothing => "nothing".to_owned(),
        };
        format!("{}: {expected}", error.path.join("/"))
    };
    form_errors(schema, value).iter().map(said).collect()
}

#[test]
fn each_keyword_finds_what_it_forbids_and_lets_the_rest_pass() {
    let cases = [
        (json!({"type": "integer"}), json!([1, -1, 2.0]), json!([1.5, "1", null])),
        (json!({"type": ["string", "null"]}), json!(["a", null]), json!([1, [], {}])),
        (json!({"const": "a"}), json!(["a"]), json!(["b", 1])),
        (json!({"enum": ["a", "b"]}), json!(["a", "b"]), json!(["c", null])),
        (json!({"minimum": 0, "maximum": 255}), json!([0, 255, 0.5, "-1"]), json!([-1, 256, -0.1])),
        (json!({"maximum": 1.0}), json!([1, 1.0]), json!([2, 1.01])),
        (json!({"minItems": 2, "maxItems": 2}), json!([[1, 2], "a"]), json!([[1], [1, 2, 3]])),
        (json!({"required": ["a"]}), json!([{"a": null}, []]), json!([{}])),
        (json!({"additionalProperties": false}), json!([{}, 1]), json!([{"a": 1}])),
        (json!({"additionalProperties": {"type": "null"}}), json!([{"a": null}]), json!([{"a": 1}])),
        (json!({"properties": {"a": {"type": "null"}}}), json!([{"b": 1}]), json!([{"a": 1}])),
        (json!({"items": {"type": "null"}}), json!([[null], []]), json!([[1]])),
        (json!({"anyOf": [{"type": "null"}, {"const": 1}]}), json!([null, 1]), json!([2])),
        (json!({"oneOf": [{"type": "integer"}, {"const": 1}]}), json!([2]), json!([1, null])),
        (json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "null"}}}), json!([null]), json!([1])),
        (json!(true), json!([1]), json!([])),
        (json!(false), json!([]), json!([1])),
    ];
    for (schema, good, bad) in cases {
        for value in good.as_array().unwrap() {
            assert_eq!(said(&schema, value), [""; 0], "{schema}: {value}");
        }
        for value in bad.as_array().unwrap() {
            assert_eq!(said(&schema, value).len(), 1, "{schema}: {value}");
        }
    }
}

#[test]
fn errors_have_their_place_in_order() {
    let schema = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "list": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "either": {"anyOf": [{"type": "null"}, {"properties": {"a": {"const": "b"}}, "type": "object"}]},
        },
        "required": ["name", "list", "other"],
    });
    let value = json!({"z": 1, "list": [1, 0, "x"], "either": {"a": "c"}});
    assert_eq!(
        said(&schema, &value),
        [
            ": key name",
            ": key other",
            "list/1: at least 1",
            "list/2: type integer",
            "either: any of 2",
            ": not z"
        ]
    );
    let errors = form_errors(&schema, &value);
    let Expected::AnyOf(branches) = &errors[4].expected else { panic!("expected two branches") };
    assert_eq!(branches[1][0].path, ["either", "a"]);
}
