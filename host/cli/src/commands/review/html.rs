//! The page in which an annotator labels: one file, which asks nobody for anything.

use maud::{DOCTYPE, PreEscaped, html};
use serde_json::{Value, json};

use super::items::{Choices, Items};
use super::store::Labels;

const STYLE: &str = include_str!("../../../templates/review/review.css");

/// It works on `data`, which stands before it.
const SCRIPT: &str = include_str!("../../../templates/review/review.js");

/// What stands in every page.
const MARK: &str = "<!-- The page in which an annotator labels rows;";

/// Whoever finds the file reads here where it comes from.
const COMMENT: &str = "<!-- The page in which an annotator labels rows; `mteb-host review TASK --annotator NAME --html FILE` fills it. -->";

/// The page asks for nothing: neither its texts nor its script can reach a network.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

/// True of the text of a page that was written before.
pub fn is_page(text: &str) -> bool {
    text.contains(MARK)
}

/// The page of an annotator. It has the texts and the guideline, and never a label of the data.
pub fn page(items: &Items, annotator: &str, guideline: &str, done: &Labels) -> String {
    let script = format!(
        "\n\"use strict\";\nconst data = {};\n{SCRIPT}",
        json_in_script(&data(items, annotator, guideline, done))
    );
    let page = html! {
        (DOCTYPE)
        (PreEscaped(COMMENT))
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                title { "Review" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 #task {}
                p #description {}
                details { summary { "Guideline" } pre #guideline {} }
                p #place.small aria-live="polite" {}
                main #texts {}
                div #answers role="group" aria-label="Labels" {}
                p {
                    button #back { "Back" }
                    button #next { "Next" }
                    button #save { "Save the labels" }
                }
                p.small {
                    "Number keys answer, the arrow keys move between rows. Labels stay in this browser until they \
                     are saved."
                }
                script { (PreEscaped(script)) }
            }
        }
    };
    page.into_string()
}

/// What the script works on.
fn data(items: &Items, annotator: &str, guideline: &str, done: &Labels) -> Value {
    let choices = match &items.choices {
        Choices::Labels(labels) => json!({ "labels": labels }),
        Choices::Scale([low, high]) => json!({ "low": low, "high": high }),
    };
    let rows: Vec<Value> =
        items.all.iter().map(|item| json!({ "key": item.key, "texts": item.texts })).collect();
    json!({
        "task": items.name, "description": items.description, "annotator": annotator, "guideline": guideline,
        "choices": choices, "rows": rows, "done": done,
    })
}

/// `value` as text that ends no script in which it stands.
fn json_in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::super::items::Item;
    use super::*;

    #[test]
    fn no_text_of_the_data_is_read_as_html() {
        let text = "</script><script>alert(1)</script><!-- {{data}}";
        let items = Items {
            name: "T".to_owned(),
            description: text.to_owned(),
            choices: Choices::Labels(vec![text.to_owned()]),
            all: vec![Item {
                key: "k".to_owned(),
                texts: vec![("text".to_owned(), text.to_owned())],
                gold: "the label of the data".to_owned(),
                location: String::new(),
            }],
        };
        let page = page(&items, "ann", text, &Labels::new());
        assert_eq!((page.matches("<script>").count(), page.matches("</script>").count()), (1, 1));
        assert!(is_page(&page) && !page.contains("the label of the data"));
        let data = page.split("const data = ").nth(1).and_then(|rest| rest.split(";\n").next());
        let data: Value = serde_json::from_str(data.unwrap()).unwrap();
        assert_eq!(
            (&data["guideline"], &data["rows"][0]["texts"][0][1]),
            (&Value::from(text), &Value::from(text))
        );
    }
}
