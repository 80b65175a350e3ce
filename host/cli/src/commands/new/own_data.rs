//! Looks at the user's own file or folder: which splits and parts it has, what type of task fits them, and what its columns are.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use mteb_card::Part;
use mteb_data::{Column, DataError, Folder, ReadRows, Table, TextForm, Wanted, open_rows};
use mteb_inspect::guess::{
    ColumnFacts, RowGuess, Taken, broken_numbers, column_facts, guess_rows, language, part_columns,
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

/// Looks at `path`; what is `asked` for and `named` is taken as it is.
///
/// # Errors
/// What was expected and found.
pub fn look_at(
    path: &Path,
    form: Option<&TextForm>,
    asked: Option<TaskType>,
    named: &[(String, String)],
) -> Result<OwnData, String> {
    let wanted = Wanted::All.written(form.cloned().map(Arc::new));
    if path.is_file() {
        let table = open_rows(path, &wanted).and_then(|mut rows| rows.read_rows(usize::MAX)).map_err(said)?;
        let found = of_rows(&table, "test", None, asked, named)?;
        if found.holds_out {
            return Err(format!(
                "{}: expected training rows besides those to score, which a {} needs, found one file; name a \
                 folder with `train.csv` and `test.csv`",
                path.display(),
                found.task_type
            ));
        }
        return Ok(found);
    }
    let folder = Folder::open(path, &part_names()).map_err(said)?;
    let configs: Vec<&str> = folder.configs().collect();
    let has = |part: Part| configs.contains(&part.as_str());
    if has(Part::Corpus) && has(Part::Qrels) {
        return of_search(&folder, &wanted, asked);
    }
    let config = match configs.as_slice() {
        [] => return Err(format!("{}: expected files of rows, found none in a supported format", path.display())),
        [one] => *one,
        many => folder.default_config().ok_or_else(|| {
            format!(
                "{}: expected files of splits as `train.csv` and `test.csv`, or corpus, queries and qrels, found the folders {}; \
                 docs/local-data.md says how a card names subsets",
                path.display(),
                many.join(", ")
            )
        })?,
    };
    let splits = folder.splits(config).map_err(said)?;
    let is_training = |split: &&&str| split.starts_with("train");
    let scored = ["test", "validation", "dev"].iter().find(|name| splits.contains(name)).copied();
    let scored = scored.or_else(|| splits.iter().find(|split| !is_training(split)).copied());
    let scored = scored.or(splits.first().copied()).unwrap_or("test").to_owned();
    let training = splits.iter().find(|split| is_training(split) && **split != scored);
    let learned = training.map(|split| read(&folder, (config, split), &wanted)).transpose()?;
    let table = read(&folder, (config, &scored), &wanted)?;
    of_rows(&table, &scored, training.copied().zip(learned.as_ref()), asked, named)
}

fn of_rows(
    table: &Table,
    split: &str,
    training: Option<(&str, &Table)>,
    asked: Option<TaskType>,
    named: &[(String, String)],
) -> Result<OwnData, String> {
    let learned = training.map(|(_, rows)| rows);
    let training = training.map(|(name, _)| name);
    let all = column_facts(table);
    if asked.is_none()
        && let Some(why) = all.iter().find_map(|column| broken_numbers(table, column, named))
    {
        return Err(why);
    }
    let guess = match learned.and_then(|rows| guess_learned(rows, asked, named)) {
        Some(of_training) => {
            let columns =
                of_training.columns.iter().map(|taken| (taken.column.to_owned(), taken.from.clone()));
            let columns: Vec<(String, String)> = columns.collect();
            let guess = guess_rows(table, Some(of_training.task_type), &columns);
            RowGuess { others: of_training.others, ..guess.map_err(|error| error.to_string())? }
        }
        None => guess_rows(table, asked, named).map_err(|error| error.to_string())?,
    };
    let learns = facts(guess.task_type).learns;
    if guess.task_type == TaskType::Regression && training.is_none() {
        return Err(
            "expected training rows besides those to score, which a Regression needs, found one split; name a \
             folder with `train.csv` and `test.csv`"
                .to_owned(),
        );
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

fn read(folder: &Folder, (config, split): (&str, &str), wanted: &Wanted) -> Result<Table, String> {
    let rows = folder.rows(config, split, wanted.clone());
    rows.and_then(|mut rows| rows.read_rows(usize::MAX)).map_err(said)
}

fn of_search(folder: &Folder, wanted: &Wanted, asked: Option<TaskType>) -> Result<OwnData, String> {
    let (mut parts, mut seen, mut found, mut split) = (Vec::new(), Vec::new(), Vec::new(), "test".to_owned());
    let mut spoken = None;
    for part in Part::of_rankings() {
        let Some(config) = part.file_names().find(|name| folder.has_config(name)) else { continue };
        let splits = folder.splits(config).map_err(said)?;
        let of = ["test", "validation", "dev"].iter().find(|name| splits.contains(name)).copied();
        let Some(of) = of.or(splits.first().copied()) else { continue };
        // A file for each split is called so; of one file for all the card says which split it is.
        let files = folder.file_names(config, of).unwrap_or_default();
        if part == Part::Qrels && files.iter().any(|file| file.contains('/')) {
            split = of.to_owned();
        }
        let table = read(folder, (config, of), wanted)?;
        let taken = part_columns(part, &table).map_err(|column| {
            let names: Vec<&str> = table.names().collect();
            format!(
                "{}: expected a column for `{column}`, found {}; a card names it under `[dataset.parts.{}]`",
                table.location(0),
                names.join(", "),
                part.as_str()
            )
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
            return Err(format!("expected rows for the type {asked}, found a corpus with qrels"));
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

fn said(error: DataError) -> String {
    error.to_string()
}
