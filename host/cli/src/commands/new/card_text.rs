//! The text of a card, and the dataset cards of a benchmark, in English and in the language of its
//! texts, as the hub shows them.

use std::fmt::Write as _;

use isolang::Language;
use mteb_card::Part;
use mteb_data::TextForm;
use mteb_inspect::guess::Taken;
use mteb_tasks::{TaskType, facts};

use super::names::Names;
use super::template::{fill, samples};

/// What a card says.
#[derive(Clone, Debug)]
pub struct CardText {
    /// Name of the task.
    pub name: String,
    /// Its type.
    pub task_type: TaskType,
    /// One or two sentences.
    pub description: String,
    /// Languages, as `ind-Latn`.
    pub languages: Vec<String>,
    /// Licence of the data.
    pub licence: Option<String>,
    /// Splits that are scored, where they are not `test`.
    pub eval_split: Option<String>,
    /// Split with training rows, where it is not `train`.
    pub train_split: Option<String>,
    /// Where the data is, from the card.
    pub path: String,
    /// Columns that the file calls otherwise.
    pub columns: Vec<Taken>,
    /// The same of parts of a search.
    pub parts: Vec<(Part, Vec<Taken>)>,
    /// How the files are written, where not as usual.
    pub form: TextForm,
    /// True if some of the rows are learned from.
    pub holds_out: bool,
    /// Labels that become 0 and 1.
    pub labels: Option<[String; 2]>,
    /// Lines of `[protocol]`.
    pub protocol: Vec<String>,
    /// Further tables.
    pub more: String,
}

impl CardText {
    /// The TOML of the card.
    pub fn toml(&self) -> String {
        let mut text = String::from("schema = 1\n");
        let mut line = |key: &str, value: String| {
            let _ = writeln!(text, "{key} = {value}");
        };
        line("name", quote(&self.name));
        line("type", quote(self.task_type.as_str()));
        line("description", quote(&self.description));
        if let Some(split) = &self.eval_split {
            line("eval_splits", format!("[{}]", quote(split)));
        }
        line("languages", list(&self.languages));
        if let Some(licence) = &self.licence {
            line("license", quote(licence));
        }
        let _ = write!(text, "\n[dataset]\npath = {}\n", quote(&self.path));
        let TextForm { delimiter, decimal, encoding } = &self.form;
        let marks = [("delimiter", delimiter), ("decimal", decimal)];
        let marks = marks.into_iter().filter_map(|(key, mark)| Some((key, mark.as_ref()?.to_string())));
        for (key, value) in marks.chain(encoding.iter().map(|name| ("encoding", name.clone()))) {
            let _ = writeln!(text, "{key} = {}", quote(&value));
        }
        if let Some(split) = &self.train_split {
            let _ = writeln!(text, "train_split = {}", quote(split));
        }
        if !self.columns.is_empty() {
            let _ = writeln!(text, "columns = {}", map(&self.columns));
        }
        if let Some([negative, positive]) = &self.labels {
            let _ = writeln!(text, "label_map = {{ {} = 0, {} = 1 }}", quote(negative), quote(positive));
        }
        if self.holds_out {
            text.push_str("hold_out = { share = 0.5 }\n");
        }
        for (part, columns) in &self.parts {
            let _ = write!(text, "\n[dataset.parts.{}]\ncolumns = {}\n", part.as_str(), map(columns));
        }
        if !self.protocol.is_empty() {
            let _ = write!(text, "\n[protocol]\n{}\n", self.protocol.join("\n"));
        }
        text + &self.more
    }
}

/// A TOML string.
pub fn quote(text: &str) -> String {
    toml::Value::from(text).to_string()
}

/// A TOML list of strings.
pub fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quote(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn map(columns: &[Taken]) -> String {
    let pairs: Vec<String> =
        columns.iter().map(|taken| format!("{} = {}", taken.column, quote(&taken.from))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

const ENGLISH: &str = include_str!("../../../templates/benchmark/dataset.en.md.txt");
const INDONESIAN: &str = include_str!("../../../templates/benchmark/dataset.id.md.txt");
const OTHER: &str = include_str!("../../../templates/benchmark/dataset.other.md.txt");

/// The dataset cards of the task of `card`: names of files and texts.
pub fn dataset_cards(benchmark: &Names, card: &CardText) -> Vec<(String, String)> {
    let task = &card.name;
    let first = card.languages.first().map_or("eng-Latn", String::as_str);
    let second = on_the_hub(first);
    let mut cards = vec![(format!("{task}.md"), text(ENGLISH, benchmark, card))];
    match second.as_str() {
        "en" => {}
        "id" => cards.push((format!("{task}.id.md"), text(INDONESIAN, benchmark, card))),
        other => cards.push((format!("{task}.{other}.md"), text(OTHER, benchmark, card))),
    }
    cards
}

fn text(template: &str, benchmark: &Names, card: &CardText) -> String {
    let task = &card.name;
    let lines = |of: &dyn Fn(&String) -> String| {
        let lines: Vec<String> =
            card.languages.iter().map(|language| format!("- {}", of(language))).collect();
        lines.join("\n")
    };
    let files = samples(card.task_type).iter().map(|(file, _)| {
        let split = if file.starts_with("train") { "train" } else { "test" };
        format!("  - split: {split}\n    path: {file}")
    });
    let key = task.to_lowercase();
    let bibtex = format!(
        "{{{key},\n  title = {{{{{task}}}}},\n  author = {{{{The authors of {}}}}},\n  year = {{…}},\n  note = {{Revision 1}}\n}}",
        benchmark.given
    );
    fill(
        template,
        &[
            ("dataset", &format!("{}/{key}", benchmark.kebab)),
            ("task", task),
            ("languages_yaml", &lines(&|language| on_the_hub(language))),
            ("licence", card.licence.as_deref().unwrap_or("unknown")),
            ("category", facts(card.task_type).hub_category),
            ("files_yaml", &files.collect::<Vec<_>>().join("\n")),
            ("about", &card.description),
            ("type", card.task_type.as_str()),
            ("languages", &card.languages.join(", ")),
            ("language_name", &language_name(card.languages.first().map_or("", String::as_str))),
            ("main_score", card.task_type.main_score()),
            ("bibtex", &bibtex),
        ],
    )
}

/// The English name of the language of `ind-Latn`.
pub fn language_name(code: &str) -> String {
    let language = code.split('-').next().unwrap_or(code);
    Language::from_639_3(language).map_or_else(|| code.to_owned(), |language| language.to_name().to_owned())
}

/// The shortest code that the hub knows for the language of `ind-Latn`: `id`.
fn on_the_hub(code: &str) -> String {
    let long = code.split('-').next().unwrap_or(code);
    let short = Language::from_639_3(long).and_then(|language| language.to_639_1());
    short.unwrap_or(long).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_a_name_and_a_code_on_the_hub() {
        assert_eq!(
            (language_name("ind-Latn").as_str(), on_the_hub("ind-Latn").as_str()),
            ("Indonesian", "id")
        );
        assert_eq!(on_the_hub("ban-Latn"), "ban");
    }
}
