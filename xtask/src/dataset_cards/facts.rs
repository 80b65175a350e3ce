//! What the task card and the data say of a dataset, as Markdown tables.

use serde_json::{Map, Value};

use super::words::Words;

/// What is known of one dataset.
pub struct Facts<'a> {
    /// The task as `mteb-host list` shows it.
    pub task: &'a Value,
    /// The task card.
    pub card: &'a Value,
    /// What `mteb-host stats` says.
    pub stats: &'a Value,
    /// What the gate measured of artefacts.
    pub artefacts: &'a [Value],
}

impl Facts<'_> {
    /// The facts in the language of `words`: of the card, then of the texts. Lengths are in characters.
    pub fn markdown(&self, words: &Words) -> String {
        let mut rows = self.of_card(words);
        let mut texts = Vec::new();
        for (place, unit) in self.stats["units"].as_array().into_iter().flatten().enumerate() {
            // Subsets of one task of the pack differ in their judgements alone.
            let parts = unit["parts"].as_object().filter(|_| place == 0);
            for (name, part) in parts.into_iter().flatten() {
                let name = match name.as_str() {
                    "rows" => words.evaluation,
                    "train" => words.training,
                    other => other,
                };
                texts.extend(lengths(name, part, words));
                rows.extend(labels(name, part, words));
                rows.extend(scores(name, part, words));
            }
            let subset = unit["subset"].as_str().filter(|subset| *subset != "default");
            rows.extend(judgements(&unit["judgements"], subset, words));
            if let Some(same) = unit["train_overlap"]["exact"].as_u64() {
                rows.push([words.overlap.to_owned(), same.to_string()]);
            }
        }
        rows.extend(self.artefacts.iter().map(|found| row(found, words)));
        let facts = table(&[words.fact, words.value], &[], &rows);
        format!("{facts}\n{}", table(&words.texts, &[2, 3, 4, 5, 6, 7], &texts))
    }

    fn of_card(&self, words: &Words) -> Vec<[String; 2]> {
        let (task, card) = (self.task, self.card);
        let name = format!("`{}`", text(&task["dataset"]));
        let kind = format!(
            "{}, {}, {} {}",
            text(&task["name"]),
            text(&task["type"]),
            words.revision,
            text(&task["revision"])
        );
        [
            (words.name, name),
            (words.task, kind),
            (words.main_score, format!("`{}`", text(&task["main_score"]))),
            (words.languages, list(&card["languages"])),
            (words.domains, list(&card["domains"])),
            (words.annotations, text(&card["annotations"]).to_owned()),
            (words.licence, text(&card["license"]).to_owned()),
        ]
        .map(|(fact, value)| [fact.to_owned(), value])
        .into()
    }
}

fn lengths(name: &str, part: &Value, words: &Words) -> Vec<[String; 8]> {
    let row = |(column, stats): (&String, &Value)| {
        let characters = &stats["characters"];
        let mean = characters["mean"].as_f64().unwrap_or_default();
        [
            name.to_owned(),
            format!("`{column}`"),
            part["rows"].to_string(),
            stats["count"].to_string(),
            characters["min"].to_string(),
            characters["p50"].to_string(),
            words.number(mean, 1),
            characters["max"].to_string(),
        ]
    };
    part["texts"].as_object().into_iter().flatten().map(row).collect()
}

fn labels(name: &str, part: &Value, words: &Words) -> Option<[String; 2]> {
    let counts = part["labels"]["counts"].as_object()?;
    let counts: Vec<String> = counts.iter().map(|(label, count)| format!("{label} {count}")).collect();
    Some([format!("{} ({name})", words.labels), format!("{}: {}", counts.len(), counts.join(", "))])
}

fn scores(name: &str, part: &Value, words: &Words) -> Option<[String; 2]> {
    let (scores, number) = (part["scores"].as_object()?, |key: &str| part["scores"][key].as_f64());
    let range = format!(
        "{}: {} {} {}, {} {}",
        scores.get("count")?,
        words.number(number("min")?, 2),
        words.to,
        words.number(number("max")?, 2),
        words.mean,
        words.number(number("mean")?, 2),
    );
    Some([format!("{} ({name})", words.scores), range])
}

fn judgements(stats: &Value, subset: Option<&str>, words: &Words) -> Vec<[String; 2]> {
    let Some(found) = stats["grades"].as_object() else { return Vec::new() };
    let whole = found.keys().all(|grade| grade.parse::<i64>().is_ok());
    let grades = if whole { counts(found, words) } else { range(found, words) };
    let all = format!("{}, {} {}; {grades}", stats["judgements"], stats["judged_queries"], words.queries);
    let named = |fact: &str| subset.map_or(fact.to_owned(), |subset| format!("{fact} ({subset})"));
    let mut rows = vec![[named(words.judgements), all]];
    for (key, fact) in [("relevant_per_query", words.relevant), ("candidates_per_query", words.candidates)] {
        rows.extend(stats[key].as_f64().map(|mean| [named(fact), words.number(mean, 2)]));
    }
    rows
}

/// How often each grade occurs, the highest first.
fn counts(grades: &Map<String, Value>, words: &Words) -> String {
    let counts: Vec<String> =
        grades.iter().rev().map(|(grade, count)| format!("{} {grade}: {count}", words.grade)).collect();
    counts.join(", ")
}

/// The least and the highest of continuous grades, and their mean.
fn range(grades: &Map<String, Value>, words: &Words) -> String {
    let grades = grades.iter().map(|(grade, count)| Some((grade.parse().ok()?, count.as_f64()?)));
    let grades: Vec<(f64, f64)> = grades.flatten().collect();
    let least = grades.iter().map(|(grade, _)| *grade).fold(f64::INFINITY, f64::min);
    let most = grades.iter().map(|(grade, _)| *grade).fold(f64::NEG_INFINITY, f64::max);
    let count: f64 = grades.iter().map(|(_, count)| count).sum();
    let mean = grades.iter().map(|(grade, count)| grade * count).sum::<f64>() / count;
    let number = |value| words.number(value, 2);
    format!(
        "{} {} {} {}, {} {}",
        words.grade,
        number(least),
        words.to,
        number(most),
        words.mean,
        number(mean)
    )
}

/// A Markdown table; the columns of `numbers` are aligned to the right.
fn table<const N: usize>(heads: &[&str; N], numbers: &[usize], rows: &[[String; N]]) -> String {
    let rule: Vec<&str> =
        (0..N).map(|column| if numbers.contains(&column) { "---:" } else { "---" }).collect();
    let mut lines = vec![format!("| {} |", heads.join(" | ")), format!("|{}|", rule.join("|"))];
    lines.extend(rows.iter().map(|row| format!("| {} |", row.join(" | "))));
    lines.join("\n") + "\n"
}

fn list(value: &Value) -> String {
    value.as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(", ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The figures of the task `name` in what `mteb-host validate --data --json` says.
pub fn of(gate: &Value, name: &str) -> Vec<Value> {
    let tasks = gate["tasks"].as_array().into_iter().flatten().filter(|task| task["task"] == name);
    let examined = tasks.flat_map(|task| task["examined"].as_array().into_iter().flatten());
    examined.flat_map(|one| one["artefacts"].as_array().into_iter().flatten()).cloned().collect()
}

/// What was measured, then the figure with chance and limits.
pub fn row(found: &Value, words: &Words) -> [String; 2] {
    let number = |key: &str, places| found[key].as_f64().map(|number| words.number(number, places));
    let measure = word(&found["measure"], words);
    let value = number("value", 3).unwrap_or_default();
    let limits = [(words.chance, "chance"), (words.least, "least"), (words.most, "most")];
    let limits = limits.into_iter().filter_map(|(word, key)| Some(format!("; {word} {}", number(key, 2)?)));
    [word(&found["check"], words), format!("{measure} {value}{}", limits.collect::<String>())]
}

fn word(of: &Value, words: &Words) -> String {
    let of = of.as_str().unwrap_or_default();
    words.artefacts.iter().find(|(name, _)| *name == of).map_or(of, |(_, word)| word).to_owned()
}

/// The badge of a task whose texts and judgements are by a language model, as the host tells it.
const BY_MODEL: &str = "LM-written, LM-judged";

/// The paragraph, with an empty line behind it; nothing where people wrote or judged.
pub fn paragraph(task: &Value, card: &Value, words: &Words) -> String {
    let date = |place: usize| card["date"][place].as_str().unwrap_or_default();
    if task["provenance"] != BY_MODEL {
        return String::new();
    }
    words.provenance.replace("{first}", date(0)).replace("{last}", date(1)) + "\n\n"
}
