//! What the hub reads of a dataset card: metadata before its title, and its reference in BibTeX.

use serde_json::Value;

use super::facts::Facts;

/// Line before and behind the metadata.
const FENCE: &str = "---";

/// Task types as the hub calls what they are used for.
const CATEGORIES: [(&str, &str); 11] = [
    ("BitextMining", "translation"),
    ("Classification", "text-classification"),
    ("Clustering", "text-classification"),
    ("InstructionReranking", "text-ranking"),
    ("InstructionRetrieval", "text-retrieval"),
    ("MultilabelClassification", "text-classification"),
    ("PairClassification", "text-classification"),
    ("Reranking", "text-ranking"),
    ("Retrieval", "text-retrieval"),
    ("STS", "sentence-similarity"),
    ("Summarization", "summarization"),
];

/// Languages that the hub knows by a code of two letters.
const SHORT: [(&str, &str); 4] = [("eng", "en"), ("ind", "id"), ("jav", "jv"), ("sun", "su")];

/// Numbers of rows below which a dataset is of a size, as the hub calls it.
const SIZES: [(u64, &str); 4] =
    [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")];

/// `text` without metadata before its title.
pub fn without(text: &str) -> &str {
    let inner = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    inner.map_or(text, |(_, rest)| rest.trim_start_matches('\n'))
}

/// The metadata of a dataset, as YAML between two lines.
pub fn matter(facts: &Facts<'_>) -> String {
    let (task, card) = (facts.task, facts.card);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let kind = text(&task["type"]);
    let category =
        CATEGORIES.iter().find(|(name, _)| *name == kind).map_or("other", |(_, category)| category);
    let mut lines = vec![
        FENCE.to_owned(),
        format!("dataset_name: {}", text(card.pointer("/dataset/name").unwrap_or(&task["dataset"]))),
        format!("pretty_name: {}", text(&task["name"])),
    ];
    let mut list = |key: &str, values: &[String]| {
        lines.push(format!("{key}:"));
        lines.extend(values.iter().map(|value| format!("- {value}")));
    };
    list("language", &languages(&task["languages"]));
    list("license", &[text(&card["license"])]);
    list("annotations_creators", &[creator(&text(&card["annotations"])).to_owned()]);
    list("language_creators", &[creator(&text(&card["sample_creation"])).to_owned()]);
    list("source_datasets", &["original".to_owned()]);
    list("task_categories", &[category.to_owned()]);
    list("size_categories", &[size(facts.stats).to_owned()]);
    list("tags", &["mteb".to_owned(), "text".to_owned()]);
    lines.push(FENCE.to_owned());
    lines.join("\n") + "\n\n"
}

/// The reference of a dataset in BibTeX, as a block of code.
pub fn bibtex(facts: &Facts<'_>) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let name = text(&facts.task["name"]);
    let year = text(&facts.card["date"][1]).chars().take(4).collect::<String>();
    format!(
        "```bibtex\n@misc{{mteb_host_{key},\n  title = {{{{{name}}}}},\n  author = {{{{The mteb-host authors}}}},\n  \
         year = {{{year}}},\n  note = {{Dataset {dataset}, revision {revision}}},\n  \
         howpublished = {{\\url{{{reference}}}}}\n}}\n```\n",
        key = name.to_lowercase(),
        dataset = text(&facts.task["dataset"]).replace('_', "\\_"),
        revision = text(&facts.task["revision"]),
        reference = text(&facts.card["reference"]),
    )
}

/// Each language once, as the hub calls it.
fn languages(named: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for named in named.as_array().into_iter().flatten().filter_map(Value::as_str) {
        let code = named.split('-').next().unwrap_or(named);
        let code = SHORT.iter().find(|(long, _)| *long == code).map_or(code, |(_, short)| short).to_owned();
        if !found.contains(&code) {
            found.push(code);
        }
    }
    found
}

/// Who made something, in the hub's words, of what a task card says of it.
fn creator(said: &str) -> &'static str {
    match said {
        "LM-generated"
        | "LM-generated and reviewed"
        | "LM-generated and verified"
        | "automatic"
        | "automatic-and-reviewed"
        | "algorithmic" => "machine-generated",
        "found" | "derived" => "found",
        "" => "no-annotation",
        _ => "expert-generated",
    }
}

/// The size by the rows of all parts.
fn size(stats: &Value) -> &'static str {
    let parts = stats["units"][0]["parts"].as_object().into_iter().flatten();
    let rows: u64 = parts.filter_map(|(_, part)| part["rows"].as_u64()).sum();
    SIZES.iter().find(|(below, _)| rows < *below).map_or("n>1M", |(_, size)| size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn metadata_is_put_before_the_title_once() {
        let card = "# A\n\ntext\n";
        assert_eq!(without(card), card);
        assert_eq!(without(&format!("---\nlanguage:\n- id\n---\n\n{card}")), card);
    }

    #[test]
    fn languages_creators_and_sizes_are_those_of_the_hub() {
        assert_eq!(languages(&json!(["ind-Latn", "sun-Latn", "ind-Arab", "ban-Latn"])), ["id", "su", "ban"]);
        assert_eq!(creator("LM-generated and reviewed"), "machine-generated");
        assert_eq!(creator("human-annotated"), "expert-generated");
        let rows =
            |rows: u64| json!({"units": [{"parts": {"corpus": {"rows": rows}, "queries": {"rows": 1}}}]});
        assert_eq!([size(&rows(998)), size(&rows(999))], ["n<1K", "1K<n<10K"]);
    }
}
