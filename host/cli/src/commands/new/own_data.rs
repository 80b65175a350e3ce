//! Looks at the user's own file or folder: which splits and parts it has, what type of task fits them, and what its columns are.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mteb_card::Part;
use mteb_data::{Column, DataError, Folder, ReadRows, Table, TextForm, Wanted, open_rows};
use mteb_inspect::guess::{
    BrokenNumbers, ColumnFacts, GuessError, RowGuess, Taken, broken_numbers, column_facts, guess_rows,
    language, part_columns,
};
use mteb_tasks::{TaskType, facts, part_names};

/// Rows that are looked at for the language.
const SAMPLE: usize = 200;

/// What was found.
#[derive(Debug)]
pub struct OwnData {
    /// The type of task that fits.
    pub task_type: TaskType,
    /// Types that fit the same columns, too.
    pub others: Vec<TaskType>,
    /// Columns that the file calls otherwise than the protocol.
    pub columns: Vec<Taken>,
    /// The same of parts of a search.
    pub parts: Vec<(Part, Vec<Taken>)>,
    /// Split that is scored.
    pub split: String,
    /// True if some rows of that split must be learned from.
    pub holds_out: bool,
    /// Split with training rows, where it is not called `train`.
    pub train_split: Option<String>,
    /// The two labels of a classification that has no more, which the card makes 0 and 1.
    pub labels: Option<[String; 2]>,
    /// Lowest and highest score.
    pub range: Option<[f64; 2]>,
    /// The language of most texts.
    pub language: Option<String>,
    /// Lines that say what was seen.
    pub seen: Vec<String>,
}

/// Why no task is made of a file or a folder.
#[derive(Debug, thiserror::Error)]
pub enum OwnDataError {
    /// It cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Its columns fit no type.
    #[error(transparent)]
    Guess(#[from] GuessError),
    /// A column has numbers, but for some cells.
    #[error(transparent)]
    Numbers(#[from] BrokenNumbers),
    /// The type learns from training rows, and there is one file.
    #[error(
        "{}: expected training rows besides those to score, which a {task_type} needs, found one file; name a folder with \
         `train.csv` and `test.csv`",
        .path.display()
    )]
    OneFile {
        /// The file.
        path: PathBuf,
        /// The type.
        task_type: TaskType,
    },
    /// A regression needs training rows, and there is one split.
    #[error(
        "expected training rows besides those to score, which a Regression needs, found one split; name a folder with \
         `train.csv` and `test.csv`"
    )]
    OneSplit,
    /// No file of the folder has rows.
    #[error("{}: expected files of rows, found none in a supported format", .path.display())]
    NoRows {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds several ones, none of which is the data of a whole task.
    #[error(
        "{}: expected files of splits as `train.csv` and `test.csv`, or corpus, queries and qrels, found the folders {found}; \
         docs/local-data.md says how a card names subsets",
        .path.display()
    )]
    Folders {
        /// The folder.
        path: PathBuf,
        /// Those in it.
        found: String,
    },
    /// A part of a search lacks a column.
    #[error(
        "{location}: expected a column for `{column}`, found {found}; a card names it under `[dataset.parts.{}]`",
        .part.as_str()
    )]
    NoColumn {
        /// Where the part begins.
        location: String,
        /// What the protocol calls the column.
        column: &'static str,
        /// The columns that there are.
        found: String,
        /// The part.
        part: Part,
    },
    /// The folder is that of a search, and another type was asked for.
    #[error("expected rows for the type {asked}, found a corpus with qrels")]
    Search {
        /// The type.
        asked: TaskType,
    },
}

/// Looks at `path`; what is `asked` for and `named` is taken as it is.
///
/// # Errors
/// What was expected and found.
pub fn look_at(
    path: &Path,
    form: Option<&TextForm>,
    asked: Option<TaskType>,
    named: &[(String, String)],
) -> Result<OwnData, OwnDataError> {
    let wanted = Wanted::All.written(form.cloned().map(Arc::new));
    if path.is_file() {
        let table = open_rows(path, &wanted).and_then(|mut rows| rows.read_rows(usize::MAX))?;
        let found = look_at_rows(&table, "test", None, asked, named)?;
        if found.holds_out {
            return Err(OwnDataError::OneFile { path: path.to_owned(), task_type: found.task_type });
        }
        return Ok(found);
    }
    let folder = Folder::open(path, &part_names())?;
    let configs: Vec<&str> = folder.configs().collect();
    let has = |part: Part| configs.contains(&part.as_str());
    if has(Part::Corpus) && has(Part::Qrels) {
        return look_at_search(&folder, &wanted, asked);
    }
    let config = match configs.as_slice() {
        [] => return Err(OwnDataError::NoRows { path: path.to_owned() }),
        [one] => *one,
        many => folder
            .default_config()
            .ok_or_else(|| OwnDataError::Folders { path: path.to_owned(), found: many.join(", ") })?,
    };
    let splits = folder.splits(config)?;
    let is_training = |split: &&&str| split.starts_with("train");
    let scored = ["test", "validation", "dev"].iter().find(|name| splits.contains(name)).copied();
    let scored = scored.or_else(|| splits.iter().find(|split| !is_training(split)).copied());
    let scored = scored.or(splits.first().copied()).unwrap_or("test").to_owned();
    let training = splits.iter().find(|split| is_training(split) && **split != scored);
    let learned = training.map(|split| read_table(&folder, (config, split), &wanted)).transpose()?;
    let table = read_table(&folder, (config, &scored), &wanted)?;
    look_at_rows(&table, &scored, training.copied().zip(learned.as_ref()), asked, named)
}

fn look_at_rows(
    table: &Table,
    split: &str,
    training: Option<(&str, &Table)>,
    asked: Option<TaskType>,
    named: &[(String, String)],
) -> Result<OwnData, OwnDataError> {
    let learned = training.map(|(_, rows)| rows);
    let training = training.map(|(name, _)| name);
    let all = column_facts(table);
    if asked.is_none()
        && let Some(why) = all.iter().find_map(|column| broken_numbers(table, column, named))
    {
        return Err(why.into());
    }
    let guess = match learned.and_then(|rows| guess_learned(rows, asked, named)) {
        Some(of_training) => {
            let columns =
                of_training.columns.iter().map(|taken| (taken.column.to_owned(), taken.from.clone()));
            let columns: Vec<(String, String)> = columns.collect();
            let guess = guess_rows(table, Some(of_training.task_type), &columns);
            RowGuess { others: of_training.others, ..guess? }
        }
        None => guess_rows(table, asked, named)?,
    };
    let learns = facts(guess.task_type).learns;
    if guess.task_type == TaskType::Regression && training.is_none() {
        return Err(OwnDataError::OneSplit);
    }
    let mut seen: Vec<String> = guess.columns.iter().map(|taken| line(taken, &all)).collect();
    let labels = two_labels(learned.unwrap_or(table), guess.task_type, &guess.columns);
    if let Some([negative, positive]) = &labels {
        seen.push(format!(
            "`{negative}` becomes 0 and `{positive}` becomes 1, the positive class of average precision"
        ));
    }
    let texts = guess.columns.iter().filter_map(|taken| match table.get(&taken.from)? {
        Column::Text(texts) => Some((0..texts.len().min(SAMPLE)).map(|row| &texts[row])),
        _ => None,
    });
    Ok(OwnData {
        task_type: guess.task_type,
        others: guess.others,
        language: language(texts.flatten()),
        columns: guess.columns.into_iter().filter(|taken| taken.column != taken.from).collect(),
        parts: Vec::new(),
        split: split.to_owned(),
        holds_out: learns && training.is_none(),
        train_split: training.filter(|name| learns && *name != "train").map(str::to_owned),
        labels,
        range: guess.range,
        seen,
    })
}

/// What training rows are taken for, if they are those of a type that learns from them. There
/// are more of them than of rows to score, in which each label may occur only once.
fn guess_learned(rows: &Table, asked: Option<TaskType>, named: &[(String, String)]) -> Option<RowGuess> {
    guess_rows(rows, asked, named).ok().filter(|guess| facts(guess.task_type).learns)
}

/// The two labels of a classification, sorted, if they are texts and there are no more.
fn two_labels(table: &Table, task_type: TaskType, columns: &[Taken]) -> Option<[String; 2]> {
    let label =
        columns.iter().find(|taken| taken.column == "label" && task_type == TaskType::Classification)?;
    let Some(Column::Text(cells)) = table.get(&label.from) else { return None };
    let all: BTreeSet<&str> = cells.iter().collect();
    <[&str; 2]>::try_from(Vec::from_iter(all)).ok().map(|both| both.map(str::to_owned))
}

fn line(taken: &Taken, all: &[ColumnFacts]) -> String {
    let holds =
        all.iter().find(|column| column.name == taken.from).map(ColumnFacts::shown).unwrap_or_default();
    format!("`{}` is used as `{}`: {holds}", taken.from, taken.column)
}

fn read_table(folder: &Folder, (config, split): (&str, &str), wanted: &Wanted) -> Result<Table, DataError> {
    let rows = folder.rows(config, split, wanted.clone());
    rows.and_then(|mut rows| rows.read_rows(usize::MAX))
}

fn look_at_search(
    folder: &Folder,
    wanted: &Wanted,
    asked: Option<TaskType>,
) -> Result<OwnData, OwnDataError> {
    let (mut parts, mut seen, mut found, mut split) = (Vec::new(), Vec::new(), Vec::new(), "test".to_owned());
    let mut spoken = None;
    for part in Part::of_rankings() {
        let Some(config) = part.file_names().find(|name| folder.has_config(name)) else { continue };
        let splits = folder.splits(config)?;
        let of = ["test", "validation", "dev"].iter().find(|name| splits.contains(name)).copied();
        let Some(of) = of.or(splits.first().copied()) else { continue };
        // A file for each split is called so; of one file for all the card says which split it is.
        let files = folder.file_names(config, of).unwrap_or_default();
        if part == Part::Qrels && files.iter().any(|file| file.contains('/')) {
            split = of.to_owned();
        }
        let table = read_table(folder, (config, of), wanted)?;
        let taken = part_columns(part, &table).map_err(|column| OwnDataError::NoColumn {
            location: table.location(0),
            column,
            found: table.names().collect::<Vec<_>>().join(", "),
            part,
        })?;
        if part == Part::Corpus {
            let text = taken.iter().find(|taken| taken.column == "text").map_or("text", |taken| &taken.from);
            if let Some(Column::Text(texts)) = table.get(text) {
                spoken = language((0..texts.len().min(SAMPLE)).map(|row| &texts[row]));
            }
        }
        seen.push(format!("`{config}`: {} rows", table.rows()));
        seen.extend(taken.iter().map(|taken| format!("`{}` is used as `{}`", taken.from, taken.column)));
        if !taken.is_empty() {
            parts.push((part, taken));
        }
        found.push(part);
    }
    let has = |part: Part| found.contains(&part);
    let task_type = match asked {
        Some(asked) if asked.is_ranking() => asked,
        Some(asked) => {
            return Err(OwnDataError::Search { asked });
        }
        None if has(Part::QrelDiff) => TaskType::InstructionReranking,
        None if has(Part::Instruction) => TaskType::InstructionRetrieval,
        None if has(Part::TopRanked) => TaskType::Reranking,
        None => TaskType::Retrieval,
    };
    Ok(OwnData {
        task_type,
        others: Vec::new(),
        columns: Vec::new(),
        parts,
        split,
        holds_out: false,
        train_split: None,
        labels: None,
        range: None,
        language: spoken,
        seen,
    })
}
