//! The type of a task from its rows, and the columns that the type needs, or why nobody can guess
//! them.

use mteb_data::Table;
use mteb_tasks::{TaskType, facts};

use super::columns::{CellKind, ColumnFacts, Taken, column_facts};

/// What others call a column, in the order in which they are looked for.
const CALLED: [(&str, &[&str]); 10] = [
    (
        "sentence1",
        &[
            "sentence_1",
            "text1",
            "text_1",
            "s1",
            "premise",
            "question1",
            "sentence_a",
            "text_a",
            "source",
            "src",
            "kalimat1",
        ],
    ),
    (
        "sentence2",
        &[
            "sentence_2",
            "text2",
            "text_2",
            "s2",
            "hypothesis",
            "question2",
            "sentence_b",
            "text_b",
            "target",
            "tgt",
            "kalimat2",
        ],
    ),
    (
        "text",
        &[
            "sentence", "content", "body", "review", "tweet", "comment", "question", "query", "document",
            "teks", "kalimat", "isi",
        ],
    ),
    ("sentences", &["text", "sentence", "content", "document", "title", "teks"]),
    (
        "label",
        &["labels", "class", "category", "topic", "intent", "sentiment", "emotion", "target", "kategori"],
    ),
    ("labels", &["label", "class", "category", "topic", "cluster", "gold", "is_duplicate", "target"]),
    (
        "score",
        &["similarity", "similarity_score", "relatedness", "gold_score", "rating", "label", "nilai", "skor"],
    ),
    ("value", &["rating", "score", "stars", "target", "label", "nilai"]),
    ("relevance", &["scores", "score", "ratings"]),
    ("human_summaries", &["references", "reference_summaries"]),
];

/// What the rows of a file are taken for.
#[derive(Clone, Debug, PartialEq)]
pub struct RowGuess {
    /// Type of the task.
    pub task_type: TaskType,
    /// The columns that it needs, in the order of the type.
    pub columns: Vec<Taken>,
    /// Lowest and highest score that people gave, of types that have a scale.
    pub range: Option<[f64; 2]>,
    /// Types that the same columns would fit, too.
    pub others: Vec<TaskType>,
}

/// Guesses the type of the task whose rows are in `table`, unless it is `asked` for; columns that are `named` (protocol's name, file's
/// name) are taken as they are.
///
/// # Errors
/// If the columns do not show it.
pub fn guess_rows(
    table: &Table,
    asked: Option<TaskType>,
    named: &[(String, String)],
) -> Result<RowGuess, GuessError> {
    let all = column_facts(table);
    if let Some((_, absent)) = named.iter().find(|(_, from)| all.iter().all(|column| column.name != *from)) {
        return Err(GuessError::Absent { column: absent.clone(), found: names(&all) });
    }
    let (task_type, others) = match asked {
        Some(task_type) => (task_type, Vec::new()),
        None => guess_type(&all, named)?,
    };
    let columns = Choice { all: &all, named, taken: Vec::new() }.of_type(task_type)?;
    let gold = facts(task_type).score_column();
    let from = columns.iter().find(|taken| Some(taken.column) == gold).map(|taken| taken.from.as_str());
    let range = from.and_then(|from| all.iter().find(|column| column.name == from)?.range);
    Ok(RowGuess { task_type, columns, range, others })
}

/// The type, and others that fit the same columns.
fn guess_type(
    all: &[ColumnFacts],
    named: &[(String, String)],
) -> Result<(TaskType, Vec<TaskType>), GuessError> {
    let has =
        |name: &str| named.iter().any(|(column, _)| column == name) || all.iter().any(|one| one.name == name);
    if has("human_summaries") && has("machine_summaries") {
        return Ok((TaskType::Summarization, Vec::new()));
    }
    if has("sentences") && has("labels") {
        return Ok((TaskType::Clustering, Vec::new()));
    }
    let used: Vec<&ColumnFacts> = all.iter().filter(|column| !column.is_id()).collect();
    let texts = used.iter().filter(|column| is_text(column)).count();
    let numbers = used.iter().filter(|column| column.kind == CellKind::Number);
    let gold: Vec<&&ColumnFacts> =
        numbers.chain(used.iter().filter(|column| column.kind == CellKind::Truth)).collect();
    // Of several numbers that one is meant which is called as a score or a label is.
    let is_named = |column: &&&ColumnFacts| {
        let of_gold = ["label", "labels", "score", "value"];
        let known =
            CALLED.iter().filter(|(name, _)| of_gold.contains(name)).flat_map(|(_, names)| names.iter());
        of_gold.iter().chain(known).any(|name| column.name.eq_ignore_ascii_case(name))
    };
    let called: Vec<&&ColumnFacts> = gold.iter().filter(|column| is_named(column)).copied().collect();
    let gold = if gold.len() > 1 && called.len() == 1 { called } else { gold };
    let names_labels = |column: &&&ColumnFacts| column.kind == CellKind::Text && column.may_be_label();
    let labels = used.iter().filter(names_labels).count();
    let lists = used.iter().filter(|column| column.kind == CellKind::List).count();
    match (texts, gold.as_slice()) {
        (2.., [one]) if one.is_binary() => Ok((TaskType::PairClassification, vec![TaskType::Sts])),
        (2.., [_]) => Ok((TaskType::Sts, Vec::new())),
        (2.., []) if labels == 0 && lists == 0 => Ok((TaskType::BitextMining, Vec::new())),
        (1, []) if labels == 1 => Ok((TaskType::Classification, vec![TaskType::Clustering])),
        (1, []) if lists == 1 => Ok((TaskType::MultilabelClassification, vec![TaskType::Clustering])),
        (1, [one]) if labels == 0 && one.may_be_label() => {
            Ok((TaskType::Classification, vec![TaskType::Regression, TaskType::Clustering]))
        }
        (1, [_]) if labels == 0 => Ok((TaskType::Regression, Vec::new())),
        _ => Err(GuessError::NoType { found: names(all) }),
    }
}

/// True of a column of texts that are no labels.
fn is_text(column: &ColumnFacts) -> bool {
    column.kind == CellKind::Text && !column.may_be_label()
}

/// Columns with what they hold, for messages.
fn names(all: &[ColumnFacts]) -> String {
    let shown: Vec<String> =
        all.iter().map(|column| format!("`{}` ({})", column.name, column.shown())).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// The choice of columns, each for one purpose.
struct Choice<'a> {
    all: &'a [ColumnFacts],
    named: &'a [(String, String)],
    taken: Vec<Taken>,
}

impl Choice<'_> {
    fn of_type(mut self, task_type: TaskType) -> Result<Vec<Taken>, GuessError> {
        let facts = facts(task_type);
        let gold = facts.label_column().or(facts.number_column());
        // What people judged is chosen first: it is told from texts more easily than texts from each other.
        for column in gold.into_iter().chain(facts.text_columns.iter().copied()) {
            if facts.optional_columns.contains(&column) {
                continue;
            }
            let is_fit = fit(task_type, column, Some(column) == gold);
            let from = self.find(column, &is_fit).ok_or_else(|| GuessError::NoColumn {
                column,
                task_type,
                found: names(self.all),
            })?;
            self.taken.push(Taken { column, from });
        }
        let place = |taken: &Taken| facts.text_columns.iter().position(|column| *column == taken.column);
        self.taken.sort_by_key(|taken| place(taken).unwrap_or(usize::MAX));
        Ok(self.taken)
    }

    /// The column that is named, else the one that is called so, else one that others call so, else the first one that is fit.
    fn find(&self, wanted: &str, is_fit: &dyn Fn(&ColumnFacts) -> bool) -> Option<String> {
        if let Some((_, from)) = self.named.iter().find(|(column, _)| column == wanted) {
            return Some(from.clone());
        }
        let is_free = |column: &&ColumnFacts| {
            let is_named = self.named.iter().any(|(_, from)| *from == column.name);
            !is_named && self.taken.iter().all(|taken| taken.from != column.name)
        };
        let free: Vec<&ColumnFacts> = self.all.iter().filter(is_free).collect();
        let called =
            |name: &str| free.iter().find(|column| column.name.eq_ignore_ascii_case(name) && is_fit(column));
        let others =
            CALLED.iter().find(|(name, _)| *name == wanted).map_or(&[] as &[&str], |(_, names)| names);
        let found = called(wanted)
            .or_else(|| others.iter().find_map(|name| called(name)))
            .or_else(|| free.iter().find(|column| !column.is_id() && is_fit(column)));
        found.map(|column| column.name.clone())
    }
}

/// Whether a column may be taken for `wanted`.
fn fit(task_type: TaskType, wanted: &str, is_gold: bool) -> impl Fn(&ColumnFacts) -> bool + use<> {
    let is_list = task_type == TaskType::Summarization;
    let wants_relevance = wanted == "relevance";
    move |column: &ColumnFacts| match (is_gold, task_type) {
        (_, TaskType::Summarization) if wants_relevance => {
            matches!(column.kind, CellKind::Weights | CellKind::List)
        }
        (false, _) if is_list => column.kind == CellKind::List,
        (false, _) => is_text(column) || (column.kind == CellKind::Text && column.distinct > 1),
        (true, TaskType::MultilabelClassification) => column.kind == CellKind::List,
        (true, TaskType::Clustering) => column.may_be_label() || column.kind == CellKind::List,
        (true, TaskType::PairClassification) => column.is_binary(),
        (true, TaskType::Classification) => column.may_be_label(),
        (true, _) => matches!(column.kind, CellKind::Number | CellKind::Truth),
    }
}

/// Columns that no guess fits; `found` shows all of them, with what they hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GuessError {
    /// A column that was named is not there.
    #[error("expected a column `{column}`, found {found}")]
    Absent {
        /// Its name.
        column: String,
        /// The columns that are there.
        found: String,
    },
    /// The columns fit no type, or several.
    #[error(
        "expected columns that show the type of the task, found {found}; name it with `--type`, and its columns \
         with `--column`"
    )]
    NoType {
        /// The columns that are there.
        found: String,
    },
    /// The type needs a column that none of them can be.
    #[error(
        "expected a column for `{column}` of the type {task_type}, found {found}; name it with `--column {column}=NAME`"
    )]
    NoColumn {
        /// What the type calls it.
        column: &'static str,
        /// The type.
        task_type: TaskType,
        /// The columns that are there.
        found: String,
    },
}

#[cfg(test)]
mod tests {
    use mteb_data::read_json_lines;

    use super::*;

    fn guess(rows: &str) -> Result<RowGuess, GuessError> {
        guess_rows(&read_json_lines("rows", rows.as_bytes()).unwrap(), None, &[])
    }

    fn taken(guess: &RowGuess) -> Vec<(&str, &str)> {
        guess.columns.iter().map(|taken| (taken.column, taken.from.as_str())).collect()
    }

    #[test]
    fn two_texts_and_a_number_are_similarities_and_two_values_a_yes_or_no() {
        let rows = "{\"no\": 1, \"nilai\": 4.5, \"kiri\": \"Harga beras naik.\", \"kanan\": \"Beras makin mahal.\"}\n\
                    {\"no\": 2, \"nilai\": 0, \"kiri\": \"Hujan turun.\", \"kanan\": \"Ia ke pasar.\"}\n";
        let found = guess(rows).unwrap();
        assert_eq!(found.task_type, TaskType::Sts);
        assert_eq!(taken(&found), [("sentence1", "kiri"), ("sentence2", "kanan"), ("score", "nilai")]);
        assert_eq!(found.range, Some([0.0, 4.5]));
        let pairs = guess(&rows.replace("4.5", "1")).unwrap();
        assert_eq!((pairs.task_type, pairs.columns[2].column), (TaskType::PairClassification, "labels"));
    }

    #[test]
    fn a_text_and_a_repeated_word_are_a_classification_and_a_text_with_numbers_a_regression() {
        let row = |text: &str, gold: &str| format!("{{\"tweet\": \"{text}\", \"gold\": {gold}}}\n");
        let rows = row("Hujan lagi", "\"cuaca\"") + &row("Macet lagi", "\"lalu lintas\"");
        let labelled = guess(&(rows.clone() + &rows.replace("lagi", "terus"))).unwrap();
        assert_eq!(labelled.task_type, TaskType::Classification);
        assert_eq!(taken(&labelled), [("text", "tweet"), ("label", "gold")]);
        let numbers = row("Enak", "4.5") + &row("Hambar", "1.5") + &row("Biasa", "3.25");
        assert_eq!(guess(&numbers).unwrap().task_type, TaskType::Regression);
    }

    #[test]
    fn what_cannot_be_told_is_asked_for() {
        let said = guess("{\"text\": \"Hujan lagi hari ini\"}\n{\"text\": \"Besok cerah\"}\n")
            .unwrap_err()
            .to_string();
        assert!(said.contains("`--type`") && said.contains("`text` (texts of"), "{said}");
    }
}
