//! Configs and splits of a dataset whose README names none: file names decide, as they do for
//! `datasets` 5.2.

use std::collections::{HashMap, HashSet};

use crate::front_matter::Config;
use crate::input::{format_of, is_readable};
use crate::named_splits::{NamedSplits, Splits};
use crate::saved::without_states;

/// The words that name a split, in the order in which splits are listed.
const SPLITS: [(&str, &[&str]); 3] = [
    ("train", &["train", "training"]),
    ("validation", &["validation", "valid", "dev", "val"]),
    ("test", &["test", "testing", "eval", "evaluation"]),
];

/// True if a split may be called `name` by the words for training, validation and test: one called
/// otherwise is no split of its kind.
pub fn is_split_word(name: &str) -> bool {
    SPLITS.iter().any(|(_, words)| words.contains(&name))
}

/// What may stand around such a word.
const SEPARATORS: &str = "-._ 0123456789";

/// Files that describe a dataset and hold no rows.
const NO_DATA: [&str; 4] = ["config.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json"];

/// Names by which a file or a folder is more than a split of rows: it is a config of its own.
#[derive(Clone, Debug, Default)]
pub struct PartNames {
    /// All of them.
    pub all: Vec<&'static str>,
    /// Those beside which nothing is rows: where there are configs of all of these, a stray file
    /// would be taken for something that it is not. Of none there are always rows.
    pub without_rows: Vec<&'static str>,
}

/// The configs of a dataset with these `files`, which are relative and sorted.
///
/// The first is `default` with the splits that `datasets` finds. Beside it, each folder of files is
/// a config of its own, and so is a file that is called as one of `parts`. Where all of those are
/// found that have no rows beside them, there is no `default`.
///
/// A split or a part is read from files of one format; those of another one that are called so too
/// are its rivals.
pub fn configs_by_name(files: &[String], parts: &PartNames) -> Vec<Config> {
    let is_part = |name: &str| parts.all.contains(&name);
    let all: Vec<&str> = files.iter().map(String::as_str).collect();
    let data: Vec<&str> = without_states(&all).into_iter().filter(|file| is_data(file)).collect();
    let (of_parts, rows): (Vec<&str>, Vec<&str>) =
        data.iter().partition(|file| !file.contains('/') && is_part(stem(file)));
    let mut configs = Vec::new();
    let mut splits = NamedSplits::from(splits_by_name(&rows));
    let beside =
        |file: &&str| !file.contains('/') || file.strip_prefix("data/").is_some_and(|f| !f.contains('/'));
    for file in rows.iter().copied().filter(beside) {
        // `test_expert.csv` is in the split `test` for the reference; whoever asks for its own name
        // gets it too.
        if shard_split(file).is_none() && !splits.has(stem(file)) {
            splits.add(stem(file), file);
        }
    }
    if !splits.is_empty() {
        let rivals = rivals_by_word(&splits, &rows);
        configs.push(Config { rivals, ..config("default", splits.into_splits()) });
    }
    for file in of_parts {
        let name = stem(file);
        match configs.iter_mut().find(|found| found.name == name) {
            Some(found) => found.rivals.push((name.to_owned(), file.to_owned())),
            None => configs.push(config(name, vec![(name.to_owned(), vec![globset::escape(file)])])),
        }
    }
    // Each folder comes once, and is looked for among the configs that were there before.
    let places = configs.iter().enumerate().map(|(place, config)| (config.name.clone(), place));
    let places: HashMap<String, usize> = places.collect();
    for (folder, files) in folders(&rows) {
        match places.get(folder).map(|place| &mut configs[*place]) {
            // The file of a part takes precedence over a folder of that part.
            Some(found) if is_part(folder) => {
                found.rivals.extend(files.iter().map(|file| (folder.to_owned(), (*file).to_owned())));
            }
            Some(_) => {}
            None => {
                let (splits, rivals) = folder_splits(&files);
                configs.push(Config { rivals, ..config(folder, splits) });
            }
        }
    }
    let has = |name: &str| configs.iter().any(|config| config.name == name);
    if !parts.without_rows.is_empty() && parts.without_rows.iter().all(|name| has(name)) {
        configs.retain(|config| config.name != "default");
    }
    configs
}

/// The splits of `files` and the globs of each, as `datasets` finds them.
pub fn splits_by_name(files: &[&str]) -> Splits {
    let files = of_main_format(without_states(files).into_iter().filter(|file| is_data(file)).collect());
    let mut splits = NamedSplits::default();
    for file in &files {
        if let Some(split) = shard_split(file) {
            splits.add(split, file);
        }
    }
    if !splits.is_empty() {
        let mut splits = splits.into_splits();
        let place = |split: &str| SPLITS.iter().position(|(name, _)| *name == split).unwrap_or(SPLITS.len());
        splits.sort_by(|(a, _), (b, _)| (place(a), a).cmp(&(place(b), b)));
        return splits;
    }
    for in_folders in [true, false] {
        for (split, words) in SPLITS {
            for word in words {
                for file in files.iter().filter(|file| has_word(file, word, in_folders)) {
                    splits.add(split, file);
                }
            }
        }
        if !splits.is_empty() {
            return splits.into_splits();
        }
    }
    files.iter().for_each(|file| splits.add("train", file));
    splits.into_splits()
}

fn is_data(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_special = |step: &str| step.starts_with('.') || step.starts_with("__");
    is_readable(file) && !NO_DATA.contains(&name) && !file.split('/').any(is_special)
}

/// Where files are of several formats, the most frequent one of those that are named by a split
/// holds the data; of all, if none is named so.
fn of_main_format(files: Vec<&str>) -> Vec<&str> {
    let named: Vec<&str> = files.iter().copied().filter(|file| is_named_by_split(file)).collect();
    let decide = if named.is_empty() { &files } else { &named };
    let mut counts: HashMap<&str, usize> = HashMap::new();
    decide.iter().for_each(|file| *counts.entry(format_of(file)).or_default() += 1);
    let main =
        decide.iter().map(|file| format_of(file)).max_by_key(|format| (counts[format], *format == "parquet"));
    files.iter().copied().filter(|file| Some(format_of(file)) == main).collect()
}

fn is_named_by_split(file: &str) -> bool {
    let words = || SPLITS.iter().flat_map(|(_, words)| words.iter());
    shard_split(file).is_some()
        || words().any(|word| has_word(file, word, true) || has_word(file, word, false))
}

/// The split of `data/test-00000-of-00001.parquet` and the like.
fn shard_split(file: &str) -> Option<&str> {
    let (front, total) =
        file.strip_prefix("data/").filter(|name| !name.contains('/'))?.rsplit_once("-of-")?;
    let (split, number) = front.rsplit_once('-')?;
    let digits = |text: &str| text.len() >= 5 && text.bytes().take(5).all(|byte| byte.is_ascii_digit());
    (digits(number) && number.len() == 5 && digits(total)).then_some(split)
}

/// True if `word` stands on its own in a folder's or in the file's name.
fn has_word(file: &str, word: &str, in_folders: bool) -> bool {
    let (folders, name) = file.rsplit_once('/').unwrap_or(("", file));
    let is_end = |rest: Option<char>, may_end: bool| rest.map_or(may_end, |next| SEPARATORS.contains(next));
    let stands_alone = |text: &str, may_end: bool| {
        text.match_indices(word).any(|(start, _)| {
            is_end(text[..start].chars().next_back(), true)
                && is_end(text[start + word.len()..].chars().next(), may_end)
        })
    };
    if in_folders {
        folders.split('/').any(|folder| stands_alone(folder, true))
    } else {
        stands_alone(name, false)
    }
}

/// Folders with the files right in them; `data` itself is none, and is left out of the names.
fn folders<'a>(files: &[&'a str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut folders: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for file in files {
        let Some((folder, _)) = file.rsplit_once('/').filter(|(folder, _)| *folder != "data") else {
            continue;
        };
        let folder = folder.strip_prefix("data/").unwrap_or(folder);
        let place = *places.entry(folder).or_insert(folders.len());
        match folders.get_mut(place) {
            Some((_, files)) => files.push(file),
            None => folders.push((folder, vec![file])),
        }
    }
    folders
}

/// The splits of the files of a folder, each of one format, and the files of other formats that are
/// called as one of them too.
fn folder_splits(files: &[&str]) -> (Splits, Vec<(String, String)>) {
    let (mut splits, mut rivals) = (NamedSplits::default(), Vec::new());
    let mut left = files.to_vec();
    while !left.is_empty() {
        let main = of_main_format(left.clone());
        let taken: HashSet<&str> = main.iter().copied().collect();
        let (new, alike): (Vec<&str>, Vec<&str>) =
            main.into_iter().partition(|file| !splits.has(folder_split(file)));
        new.iter().for_each(|file| splits.add(folder_split(file), file));
        rivals.extend(alike.iter().map(|file| (folder_split(file).to_owned(), (*file).to_owned())));
        left.retain(|file| !taken.contains(file));
    }
    (splits.into_splits(), rivals)
}

/// The split that a file in a folder of its own config is called by.
fn folder_split(file: &str) -> &str {
    let known = SPLITS.iter().find(|(_, words)| words.iter().any(|word| has_word(file, word, false)));
    let exact = SPLITS.iter().any(|(split, _)| *split == stem(file));
    known.filter(|_| exact || file.contains("-of-")).map_or(stem(file), |(split, _)| split)
}

/// The `files` that are called as a split, lie beside its files, and are not in it.
fn rivals_by_word(splits: &NamedSplits, files: &[&str]) -> Vec<(String, String)> {
    let folders = splits.as_slice().iter().map(|(_, globs)| globs.iter().map(|glob| folder(glob)).collect());
    let folders: Vec<HashSet<&str>> = folders.collect();
    let mut rivals = Vec::new();
    for file in files {
        for place in called(splits, file) {
            // `test.csv` beside the folder `test`, too.
            let is_beside = folder(file).is_empty() || folders[place].contains(folder(file));
            if is_beside && !splits.holds(place, file) {
                rivals.push((splits.name(place).to_owned(), (*file).to_owned()));
            }
        }
    }
    rivals
}

/// The places of the splits that `file` is called as, in order: by its own name, and by the words
/// of a split.
fn called(splits: &NamedSplits, file: &str) -> Vec<usize> {
    let by_word = SPLITS.iter().filter(|(_, words)| words.iter().any(|word| has_word(file, word, false)));
    let names = by_word.map(|(split, _)| *split).chain([stem(file)]);
    let mut places: Vec<usize> = names.filter_map(|name| splits.place(name)).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The folder of a file; what lies in `data` counts as beside it.
fn folder(file: &str) -> &str {
    file.rsplit_once('/').map(|(folder, _)| folder).filter(|folder| *folder != "data").unwrap_or_default()
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

fn config(name: &str, splits: Splits) -> Config {
    Config { name: name.to_owned(), is_default: false, data_dir: None, splits, rivals: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> PartNames {
        PartNames {
            all: vec!["corpus", "queries", "qrels", "excluded"],
            without_rows: vec!["corpus", "qrels"],
        }
    }

    fn splits(files: &[&str]) -> Vec<String> {
        let shown = |(split, globs): (String, Vec<String>)| format!("{split}: {}", globs.join(" "));
        splits_by_name(files).into_iter().map(shown).collect()
    }

    #[test]
    fn splits_are_found_in_the_order_of_the_reference() {
        assert_eq!(
            splits(&["data/test-00000-of-00001.parquet", "data/train-00000-of-00001.parquet", "dev.csv"]),
            ["train: data/train-00000-of-00001.parquet", "test: data/test-00000-of-00001.parquet"]
        );
        assert_eq!(splits(&["a/test/1.csv", "train/x.csv"]), ["train: train/x.csv", "test: a/test/1.csv"]);
        assert_eq!(
            splits(&["my-eval.jsonl", "my_dev.jsonl", "contest.jsonl", "dataset_infos.json"]),
            ["validation: my_dev.jsonl", "test: my-eval.jsonl"]
        );
        assert_eq!(splits(&["a.csv", "b.csv", "notes.json"]), ["train: a.csv b.csv"]);
        assert_eq!(splits(&["kept/a.json", "kept/b.json", "test.csv"]), ["test: test.csv"]);
    }

    #[test]
    fn splits_hold_the_files_that_the_reference_puts_there() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/data/names.json");
        let cases: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        for case in cases.as_array().unwrap() {
            let files: Vec<&str> =
                case["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
            let found: serde_json::Map<String, serde_json::Value> = splits_by_name(&files)
                .into_iter()
                .map(|(split, mut globs)| {
                    globs.sort();
                    (split, globs.into())
                })
                .collect();
            assert_eq!(serde_json::Value::Object(found), case["splits"], "{files:?}");
        }
    }

    #[test]
    fn files_of_parts_are_configs_of_their_own_and_nothing_beside_them_is_rows() {
        let files = ["corpus.jsonl", "excluded.jsonl", "qrels/test.tsv", "queries.jsonl", "stray.csv"];
        let files = files.map(str::to_owned);
        let names = |parts: &PartNames| -> Vec<String> {
            configs_by_name(&files, parts).into_iter().map(|config| config.name).collect()
        };
        assert_eq!(names(&parts()), ["corpus", "excluded", "queries", "qrels"]);
        assert_eq!(names(&PartNames::default()), ["default", "qrels"]);
        let qrels = &configs_by_name(&files, &parts())[3];
        assert_eq!(qrels.splits, [("test".to_owned(), vec!["qrels/test.tsv".to_owned()])]);
    }

    #[test]
    fn what_describes_arrow_files_is_no_split() {
        let files =
            ["test/data-00000-of-00001.arrow", "test/dataset_info.json", "test/state.json", "train.jsonl"];
        assert_eq!(splits(&files), ["train: train.jsonl"]);
        let configs = configs_by_name(&files.map(str::to_owned), &parts());
        assert_eq!(configs.iter().map(|config| config.name.as_str()).collect::<Vec<_>>(), ["default"]);
        assert_eq!(
            splits(&["test/state.json", "train.json"]),
            ["test: test/state.json"],
            "rows may be called so"
        );
    }

    #[test]
    fn files_that_are_called_alike_in_other_formats_are_rivals() {
        let rivals = |files: &[&str]| -> Vec<String> {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            let configs = configs_by_name(&files, &parts());
            let all =
                configs.iter().flat_map(|config| config.rivals.iter().map(|rival| (&config.name, rival)));
            all.map(|(config, (split, file))| format!("{config}/{split}: {file}")).collect()
        };
        assert_eq!(rivals(&["test.csv", "test.jsonl", "train.csv"]), ["default/test: test.jsonl"]);
        assert_eq!(rivals(&["test.csv", "uji.csv", "uji.tsv"]), ["default/uji: uji.tsv"]);
        assert_eq!(rivals(&["test.csv", "test/any.csv"]), ["default/test: test.csv"]);
        assert_eq!(rivals(&["jav/test.csv", "test.csv"]), [""; 0]);
        assert_eq!(rivals(&["qrels.jsonl", "qrels.tsv"]), ["qrels/qrels: qrels.tsv"]);
        assert_eq!(rivals(&["qrels.tsv", "qrels/test.tsv"]), ["qrels/qrels: qrels/test.tsv"]);
        let both = ["default/test: ind/test.csv", "ind/test: ind/test.csv"];
        assert_eq!(rivals(&["ind/test.csv", "ind/test.jsonl"]), both);
        let sound =
            ["data/test-00000-of-00001.parquet", "dev.csv", "my_train.csv", "notes.json", "queries.jsonl"];
        assert_eq!(rivals(&sound), [""; 0]);
    }

    /// Nothing is looked for one by one: that took minutes for so many.
    #[test]
    fn each_of_many_files_may_be_a_split_or_a_config_of_its_own() {
        let names = (0..20_000).flat_map(|number| {
            [format!("x{number}.csv"), format!("d{number}/x.csv"), format!("all/{number}.csv")]
        });
        let mut files: Vec<String> = names.chain(["test.csv".to_owned()]).collect();
        files.sort();
        let configs = configs_by_name(&files, &parts());
        assert_eq!((configs.len(), configs[0].splits.len()), (20_002, 20_001));
        assert_eq!((configs[1].name.as_str(), configs[1].splits.len()), ("all", 20_000));
    }

    #[test]
    fn each_split_of_a_folder_may_have_a_format_of_its_own() {
        let jav = |files: &[&str]| {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            configs_by_name(&files, &parts()).into_iter().find(|config| config.name == "jav").unwrap()
        };
        let split = |name: &str, file: &str| (name.to_owned(), vec![file.to_owned()]);
        let both = [split("test", "jav/test.parquet"), split("train", "jav/train.jsonl")];
        assert_eq!(jav(&["jav/test.parquet", "jav/train.jsonl"]).splits, both);
        let three = jav(&["jav/test.parquet", "jav/train.csv", "jav/train.jsonl"]);
        assert_eq!(three.splits, both);
        assert_eq!(three.rivals, [("train".to_owned(), "jav/train.csv".to_owned())]);
    }

    #[test]
    fn a_file_is_found_under_its_own_name_too() {
        let configs = configs_by_name(&["test_expert.csv".to_owned(), "train.csv".to_owned()], &parts());
        let names: Vec<&str> = configs[0].splits.iter().map(|(split, _)| split.as_str()).collect();
        assert_eq!(names, ["train", "test", "test_expert"]);
    }
}
