//! The page in which an annotator labels: one file, which asks nobody for anything.

use serde_json::{Value, json};

use super::items::{Choices, Items};
use super::store::Labels;

const PAGE: &str = include_str!("../../../templates/review/review.html");

/// What stands in every page.
const MARK: &str = "<!-- The page in which an annotator labels rows;";

/// True of the text of a page that was written before.
pub fn is_page(text: &str) -> bool {
    text.contains(MARK)
}

/// The page of an annotator. It has the texts and the guideline, and never a label of the data.
pub fn page(items: &Items, annotator: &str, guideline: &str, done: &Labels) -> String {
    let choices = match &items.choices {
        Choices::Labels(labels) => json!({ "labels": labels }),
        Choices::Scale([low, high]) => json!({ "low": low, "high": high }),
    };
    let rows: Vec<Value> =
        items.all.iter().map(|item| json!({ "key": item.key, "texts": item.texts })).collect();
    let data = json!({
        "task": items.name, "description": items.description, "annotator": annotator, "guideline": guideline,
        "choices": choices, "rows": rows, "done": done,
    });
    // No text ends the script in which it stands.
    let data = data
        .to_string()
        .replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029");
    PAGE.replacen("\"{{data}}\"", &data, 1)
}
