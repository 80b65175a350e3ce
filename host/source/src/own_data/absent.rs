//! What is said where data of the user's own is not where it is looked for: which file was
//! expected, what is there, and which files nobody reads.

use std::collections::HashSet;

use mteb_base::suggest::{near, some};
use mteb_card::{Part, TaskCard};
use mteb_data::{DataError, Folder, SAVED_ADVICE, is_readable, saved_files};

use crate::layout::{UnitOf, layout_of};

/// Files that a message names.
const SHOWN: usize = 8;

/// `error` in the words of files, if it is that a config or a split is absent in a folder whose
/// files say by their names what they are; else as it is.
pub fn in_words_of_files(error: DataError, folder: &Folder, unit: UnitOf) -> DataError {
    let UnitOf { card, split, subset } = unit;
    let part = layout_of(card).part_of_splits();
    if !folder.is_by_name() {
        return error;
    }
    let message = match &error {
        // Without judgements the other files count as rows, which are in the config `default`.
        DataError::Missing { what: "split", place, .. }
            if part != Part::Rows && place.ends_with(", config default") =>
        {
            absent_part(folder, part.as_str(), part.as_str())
        }
        DataError::Missing { what: "split", name, place, .. } => {
            absent_split(folder, card, split, name, place)
        }
        DataError::Missing { what: "config", name, place, .. } => match place.rsplit_once(", part ") {
            Some((_, part)) => absent_part(folder, part, name),
            None if card.subset(subset).is_some() => absent_subset(folder, name, split),
            None => return error,
        },
        _ => return error,
    };
    let message = match unread_arrow(folder) {
        Some(unread) => format!("{message}; {unread}"),
        None => message,
    };
    DataError::Malformed { place: folder.path().display().to_string(), message }
}

/// The Arrow files that `save_to_disk` wrote among rows in other formats, in words with what to do; `None` if there are none.
pub fn unread_arrow(folder: &Folder) -> Option<String> {
    let saved = saved_files(folder.all_files().collect::<Vec<_>>().into_iter());
    let names = some(saved.iter().copied());
    (!saved.is_empty()).then(|| {
        format!("the output of `save_to_disk` is not read: {names}; {SAVED_ADVICE}, or move it away")
    })
}

/// `expected the split `test` in a file as `test.csv`, found train.csv and uji.csv; …`
fn absent_split(folder: &Folder, card: &TaskCard, evaluated: &str, split: &str, place: &str) -> String {
    let config =
        place.rsplit_once(", config ").map(|(_, config)| config).filter(|config| *config != "default");
    let below = config.map_or(String::new(), |config| format!("{config}/"));
    let found = found(folder, &below);
    let message = format!(
        "expected the split `{split}` in a file as `{below}{split}.csv` or `{below}{split}.jsonl`, found {found}"
    );
    let own = folder.all_files().filter_map(|file| file.strip_prefix(&below));
    let unread = own.filter(|file| stem(file) == split).find(|file| !is_readable(file));
    if let Some(file) = unread {
        return format!(
            "{message}; the format of `{file}` is not supported: write its rows as CSV or JSON lines"
        );
    }
    let splits = folder.splits(config.unwrap_or("default")).unwrap_or_default();
    let train = card.dataset.training_split();
    let is_train = split == train && split != evaluated;
    let others: Vec<&str> = by_file(folder, config.unwrap_or("default"), &splits)
        .into_iter()
        .filter(|other| *other != train && *other != evaluated)
        .collect();
    let meant = match others.as_slice() {
        [other] => Some(*other),
        _ => near(split, others.iter().copied()).first().copied(),
    };
    match meant {
        Some(other) if is_train => format!(
            "{message}; if `{other}` is meant, write `train_split = \"{other}\"` under `[dataset]` of the card"
        ),
        Some(other) => {
            format!("{message}; if `{other}` is meant, write `eval_splits = [\"{other}\"]` in the card")
        }
        None => message,
    }
}

/// The splits without those whose files another one has, too, which is called as the file:
/// `dev.csv` is `dev` before it is `validation`.
fn by_file<'a>(folder: &Folder, config: &str, splits: &[&'a str]) -> Vec<&'a str> {
    let files = |split: &&'a str| (*split, folder.file_names(config, split).unwrap_or_default());
    let splits: Vec<(&str, Vec<String>)> = splits.iter().map(files).collect();
    let is_called = |split: &str, files: &[String]| files.iter().any(|file| stem(file) == split);
    let called = splits.iter().filter(|(split, files)| is_called(split, files));
    let rivals: HashSet<&Vec<String>> = called.map(|(_, files)| files).collect();
    let is_own = |(split, files): &&(&str, Vec<String>)| is_called(split, files) || !rivals.contains(files);
    splits.iter().filter(is_own).map(|(split, _)| *split).collect()
}

/// `expected the part `qrels` in a file as `qrels.tsv` or `qrels/test.tsv`, found …`
fn absent_part(folder: &Folder, part: &str, configs: &str) -> String {
    let usual: &[&str] = match part {
        "qrels" => &["qrels.tsv", "qrels/test.tsv"],
        _ => &[],
    };
    let own_config = configs.split("` or `").last().unwrap_or(part);
    let expected = match (own_config == part, usual) {
        (true, []) => format!("`{part}.jsonl`"),
        (true, usual) => usual.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(" or "),
        (false, []) => format!("`{own_config}/{part}.jsonl`"),
        (false, _) => format!("`{own_config}/test.tsv`"),
    };
    let is_optional = Part::from_name(part).is_some_and(|part| !part.is_needed());
    let asked_for = if is_optional {
        format!(", which the card has options for (`[dataset.parts.{part}]`),")
    } else {
        String::new()
    };
    let message =
        format!("expected the part `{part}`{asked_for} in a file as {expected}, found {}", found(folder, ""));
    let stray: Vec<&str> = folder
        .all_files()
        .filter(|file| is_readable(file) && !file.contains('/') && !is_part(stem(file)))
        .collect();
    match stray.as_slice() {
        [file] => format!(
            "{message}; if `{file}` is meant, rename it, or write `file = \"{file}\"` under \
             `[dataset.parts.{part}]`"
        ),
        _ => message,
    }
}

/// `expected the files of the subset `ind` in the folder `ind`, as `ind/test.csv`, found ind.csv;
/// …`
fn absent_subset(folder: &Folder, config: &str, split: &str) -> String {
    let message = format!(
        "expected the files of the subset `{config}` in the folder `{config}`, as `{config}/{split}.csv`, found {}",
        found(folder, "")
    );
    let mut own = folder.all_files().filter(|file| is_readable(file) && !file.contains('/'));
    match own.find(|file| stem(file) == config) {
        Some(file) => {
            let suffixes = file.strip_prefix(config).unwrap_or_default();
            format!("{message}; move `{file}` to `{config}/{split}{suffixes}`")
        }
        None => message,
    }
}

/// The files in a folder of the dataset, of many only the first.
fn found(folder: &Folder, below: &str) -> String {
    let mut files = folder.all_files().filter(|file| file.starts_with(below)).peekable();
    if files.peek().is_none() {
        return "none".to_owned();
    }
    let shown: Vec<&str> = files.by_ref().take(SHOWN).collect();
    let more = if files.next().is_some() { ", …" } else { "" };
    shown.join(", ") + more
}

fn is_part(name: &str) -> bool {
    Part::of_rankings().flat_map(Part::file_names).any(|known| known == name)
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}
