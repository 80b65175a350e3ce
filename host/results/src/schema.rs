//! The JSON Schema of a result file.

use serde_json::{Value, json};

/// JSON Schema of a result file. A file may hold the token `NaN` where the schema says number.
pub fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ResultFile",
        "description": "Results of one model on one task, in the layout of mteb's version 2 files.",
        "type": "object",
        "required": ["dataset_revision", "task_name", "mteb_version", "scores", "evaluation_time"],
        "properties": {
            "dataset_revision": { "type": "string", "description": "Pinned revision of the data." },
            "task_name": { "type": "string" },
            "mteb_version": { "type": "string", "description": "Version of mteb whose protocol the scores follow." },
            "scores": {
                "type": "object",
                "description": "Split name = list of entries, one a subset.",
                "additionalProperties": { "type": "array", "items": { "$ref": "#/$defs/entry" } }
            },
            "evaluation_time": { "type": ["number", "null"], "description": "Seconds." },
            "kg_co2_emissions": { "type": ["number", "null"] },
            "date": { "type": ["number", "null"], "description": "Unix seconds." },
            "evaluation_phases": {
                "type": ["array", "null"],
                "items": {
                    "type": "object",
                    "required": ["name", "start", "end", "split", "subset"],
                    "properties": {
                        "name": { "type": "string" },
                        "start": { "type": "number" },
                        "end": { "type": "number" },
                        "split": { "type": "string" },
                        "subset": { "type": "string" }
                    }
                }
            },
            "footprint": {
                "type": "object",
                "description": "Peak memory in MB (1,048,576 bytes) and parameters of the model; the rest is under `mteb_host.footprint`.",
                "properties": {
                    "memory_mb": { "type": ["number", "null"] },
                    "model_parameters": { "type": ["integer", "null"] }
                }
            },
            "mteb_host": { "type": "object", "description": "Who scored, the identity of the model, and the prompt that went before texts, by their role." }
        },
        "$defs": {
            "entry": {
                "type": "object",
                "description": "Scores by name, rounded to six decimals, then these keys.",
                "required": ["main_score", "hf_subset", "languages"],
                "properties": {
                    "main_score": { "type": ["number", "null"] },
                    "hf_subset": { "type": "string" },
                    "languages": { "type": "array", "items": { "type": "string" } },
                    "mteb_version": { "type": ["string", "null"] }
                }
            }
        }
    })
}
