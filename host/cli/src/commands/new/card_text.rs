//! The text of a card.

use std::fmt::Write as _;

use mteb_card::Part;
use mteb_data::TextForm;
use mteb_inspect::guess::Taken;
use mteb_tasks::TaskType;

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
