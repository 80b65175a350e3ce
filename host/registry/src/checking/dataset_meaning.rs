//! Checks that what a card says of its dataset and of the parts of it fits together and fits the
//! task type.

use std::path::Path;

use mteb_base::suggest::hint;
use mteb_card::{DataPlace, Dataset, Layout, Part, PartSource, TaskCard};
use mteb_data::TextForm;
use mteb_tasks::{facts, needs_training};

use super::columns_meaning::check_columns;
use crate::reading::place::NO_PATH;

/// Calls `add` with the path and the message of each fault.
pub fn check_dataset(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    check_source(card, add);
    check_text_form(&card.dataset, add);
    check_layout(card, add);
    check_changes(&card.dataset, add);
    check_split_labels(card, add);
    check_subsample(card, add);
    check_merged(card, add);
    check_columns(card, add);
    check_parts(card, add);
    if card.task_type.is_ranking() {
        for option in row_options(&card.dataset) {
            let message = format!("a task of type {} has no option `{option}`", card.task_type);
            add(&["dataset", option], message);
        }
    }
}

fn check_source(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let dataset = &card.dataset;
    let named = dataset.places().count();
    if named != 1 {
        let [others @ .., last] = dataset.all_places().map(|(field, _)| format!("`{field}`"));
        let others = others.join(", ");
        add(&["dataset"], format!("expected exactly one of {others} and {last}, found {named}"));
    }
    for (field, name) in [("hub", &dataset.hub), ("name", &dataset.name)] {
        let Some(name) = name else { continue };
        let is_part = |part: &str| !part.is_empty() && !part.starts_with('.');
        if name.split('/').count() != 2 || !name.split('/').all(is_part) {
            add(&["dataset", field], format!("expected `organisation/name`, found: {name}"));
        }
    }
    if dataset.path.as_deref() == Some("") {
        add(&["dataset", "path"], NO_PATH.to_owned());
    }
    if let Some(path) = dataset.path.as_ref().filter(|path| Path::new(path).is_absolute()) {
        add(
            &["dataset", "path"],
            format!("expected a path relative to the card's folder, found an absolute one: {path}"),
        );
    }
    if dataset.hub.is_some() && dataset.name.is_some() {
        add(&["dataset", "name"], "a dataset of the hub has the name that `hub` says".to_owned());
    }
    let Some(pin) = dataset.place().and_then(DataPlace::pin) else { return };
    let revision = dataset.revision.as_deref().unwrap_or("");
    let is_pinned =
        pin.digits.contains(&revision.len()) && revision.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_pinned && card.unsupported.is_none() {
        let found =
            dataset.revision.as_ref().map_or_else(|| " none".to_owned(), |found| format!(": {found:?}"));
        add(&["dataset", "revision"], format!("expected a `revision`, {}, found{found}", pin.words));
    }
}

fn check_layout(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let (layout, for_ranking) = match card.dataset.layout {
        Layout::ConfigPerSubset => return,
        Layout::LangColumn => ("lang-column", false),
        Layout::ParallelColumns => ("parallel-columns", false),
        Layout::PartSuffix => ("part-suffix", true),
        Layout::Belebele => ("belebele", true),
    };
    if card.task_type.is_ranking() != for_ranking {
        add(&["dataset", "layout"], format!("a task of type {} has no layout `{layout}`", card.task_type));
    }
    if card.subsets.is_empty() {
        add(&["dataset", "layout"], format!("layout `{layout}`: expected subsets, found none"));
    }
}

fn check_changes(dataset: &Dataset, add: &mut dyn FnMut(&[&str], String)) {
    for (split, _) in dataset.merge_splits.iter().filter(|(_, merged)| merged.is_empty()) {
        add(&["dataset", "merge_splits", split], "expected at least one split, found none".to_owned());
    }
    for (split, merged) in &dataset.merge_splits {
        if let Some(twice) = merged.iter().enumerate().find(|(place, part)| merged[..*place].contains(part)) {
            let message =
                format!("expected each split once, found `{}` twice: its rows would count twice", twice.1);
            add(&["dataset", "merge_splits", split], message);
        }
    }
    for (column, _) in dataset.join.iter().filter(|(_, join)| join.columns().is_empty()) {
        add(&["dataset", "join", column], "expected at least one column, found none".to_owned());
    }
    for (option, count) in [("first_rows", dataset.first_rows), ("fold", dataset.fold)] {
        if count == Some(0) {
            add(&["dataset", option], "expected at least 1, found 0".to_owned());
        }
    }
    if let Some(soft) = dataset.soft_labels.as_ref().filter(|soft| soft.classes.len() < 2) {
        let message = format!("expected at least 2 classes, found {}", soft.classes.len());
        add(&["dataset", "soft_labels", "classes"], message);
    }
    if dataset.subsample.as_ref().is_some_and(|subsample| subsample.rows == 0) {
        add(&["dataset", "subsample", "rows"], "expected at least 1, found 0".to_owned());
    }
}

/// Labels of several levels: only some types of tasks have them.
fn check_split_labels(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let Some(split) = &card.dataset.split_labels else { return };
    if split.at.is_empty() {
        let message = "expected the separator of two levels, found \"\"".to_owned();
        add(&["dataset", "split_labels", "at"], message);
    }
    if split.most == Some(0) {
        add(&["dataset", "split_labels", "most"], "expected at least 1, found 0".to_owned());
    }
    if !facts(card.task_type).has_levels {
        let message = format!("a task of type {} has no option `split_labels`", card.task_type);
        add(&["dataset", "split_labels"], message);
    }
}

/// Splits that the task does not read: nothing would be drawn of them, and the others would be
/// scored whole.
fn check_subsample(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let Some(named) = card.dataset.subsample.as_ref().and_then(|subsample| subsample.splits.as_ref()) else {
        return;
    };
    let place = ["dataset", "subsample", "splits"];
    if named.is_empty() {
        add(
            &place,
            "expected at least one split, found none; without `splits`, the scored splits are used"
                .to_owned(),
        );
    }
    for (index, split) in named.iter().enumerate() {
        if let Some(message) = unread(card, split) {
            add(&[place[0], place[1], place[2], &index.to_string()], message);
        }
    }
}

/// Splits that the task does not read: what they would be merged from is scored by nobody.
fn check_merged(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    for split in card.dataset.merge_splits.keys() {
        if let Some(message) = unread(card, split) {
            add(&["dataset", "merge_splits", split], message);
        }
    }
}

/// What is wrong with the name of a split, unless the task reads it.
fn unread(card: &TaskCard, split: &str) -> Option<String> {
    let mut known: Vec<&str> = card.eval_splits.iter().map(String::as_str).collect();
    let training = card.dataset.training_split();
    if needs_training(card) && !known.contains(&training) {
        known.push(training);
    }
    let near = hint(split, known.iter().copied(), "");
    (!known.contains(&split))
        .then(|| format!("expected one of the splits {}, found: {split}{near}", known.join(", ")))
}

/// The options of `dataset` that change rows.
fn row_options(dataset: &Dataset) -> impl Iterator<Item = &'static str> {
    let options = [
        ("unfold", dataset.unfold),
        ("join", !dataset.join.is_empty()),
        ("drop_blank", !dataset.drop_blank.is_empty()),
        ("keep", !dataset.keep.is_empty()),
        ("drop", !dataset.drop.is_empty()),
        ("once", !dataset.once.is_empty()),
        ("soft_labels", dataset.soft_labels.is_some()),
        ("label_map", !dataset.label_map.is_empty()),
        ("split_labels", dataset.split_labels.is_some()),
        ("drop_single_labels", dataset.drop_single_labels),
        ("encode_labels", dataset.encode_labels),
        ("hold_out", dataset.hold_out.is_some()),
        ("subsample", dataset.subsample.is_some()),
        ("fold", dataset.fold.is_some()),
    ];
    options.into_iter().filter(|(_, is_set)| *is_set).map(|(option, _)| option)
}

/// How the text files of a dataset are written, where its card says so.
pub fn text_form(dataset: &Dataset) -> Option<TextForm> {
    let Dataset { delimiter, decimal, encoding, .. } = dataset;
    let form = TextForm { delimiter: *delimiter, decimal: *decimal, encoding: encoding.clone() };
    (form != TextForm::default()).then_some(form)
}

/// Calls `add` with the path and the message of each fault.
fn check_text_form(dataset: &Dataset, add: &mut dyn FnMut(&[&str], String)) {
    let form = text_form(dataset).unwrap_or_default();
    for (field, message) in form.faults() {
        add(&["dataset", field], message);
    }
    if let Some(plugin) = &dataset.plugin {
        let fields = [
            ("delimiter", form.delimiter.is_some()),
            ("decimal", form.decimal.is_some()),
            ("encoding", form.encoding.is_some()),
            ("multiline_cells", dataset.multiline_cells),
        ];
        for (field, _) in fields.into_iter().filter(|(_, is_set)| *is_set) {
            let message = format!("rows of the task pack `{plugin}` are not a text file: remove it");
            add(&["dataset", field], message);
        }
    }
}

/// Names that stand for what a unit is called, in the names of config, split and file.
const STAND_INS: [&str; 2] = ["{subset}", "{split}"];

/// Calls `add` with the path and the message of each fault.
pub fn check_parts(card: &TaskCard, add: &mut dyn FnMut(&[&str], String)) {
    let parts: Vec<&str> =
        Part::ALL.iter().filter(|part| has_part(card, **part)).map(|part| part.as_str()).collect();
    for (part, source) in &card.dataset.parts {
        if !parts.contains(&part.as_str()) {
            let near = hint(part, parts.iter().copied(), "");
            let (task_type, known) = (card.task_type, parts.join(", "));
            let message =
                format!("expected a part of a task of type {task_type} ({known}), found: {part}{near}");
            add(&["dataset", "parts", part], message);
        }
        check_places(card, part, source, add);
        check_part_changes(part, source, add);
        check_left_out(part, source, add);
    }
}

/// True if data of the task may have the part.
fn has_part(card: &TaskCard, part: Part) -> bool {
    part.is_of_rankings() == card.task_type.is_ranking() && (part != Part::Train || needs_training(card))
}

fn check_places(card: &TaskCard, part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    for (key, name) in [("config", &source.config), ("split", &source.split), ("file", &source.file)] {
        let Some(name) = name else { continue };
        let rest = STAND_INS.iter().fold(name.clone(), |name, stand_in| name.replace(stand_in, ""));
        if rest.contains(['{', '}']) {
            let message = format!("expected `{}` or none, found: {name}", STAND_INS.join("`, `"));
            add(&["dataset", "parts", part, key], message);
        }
        if name.contains(STAND_INS[0]) && card.subsets.is_empty() {
            let message = "expected subsets for `{subset}`, found none".to_owned();
            add(&["dataset", "parts", part, key], message);
        }
    }
}

fn check_part_changes(part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    for (column, _) in source.join.iter().filter(|(_, join)| join.columns().is_empty()) {
        let place = ["dataset", "parts", part, "join", column];
        add(&place, "expected at least one column, found none".to_owned());
    }
    if source.grade.is_some() && part != Part::Qrels.as_str() {
        let message = format!("only `qrels` has grades, not `{part}`");
        add(&["dataset", "parts", part, "grade"], message);
    }
    let is_rows = [Part::Rows, Part::Train].iter().any(|rows| rows.as_str() == part);
    for (column, _) in
        source.keep.iter().filter(|(_, values)| !is_rows && values.iter().any(|value| value == STAND_INS[1]))
    {
        let message = format!("only `rows` and `train` are stored by `{{split}}`, not `{part}`");
        add(&["dataset", "parts", part, "keep", column], message);
    }
    if source.unfold && source.columns.is_empty() {
        let message = "expected `columns` with the lists, found none".to_owned();
        add(&["dataset", "parts", part, "unfold"], message);
    }
}

/// Columns that the part does not have: nothing would be left out.
fn check_left_out(part: &str, source: &PartSource, add: &mut dyn FnMut(&[&str], String)) {
    let known = Part::from_name(part).map(Part::columns).unwrap_or_default();
    if known.is_empty() {
        return;
    }
    for (index, name) in source.without.iter().enumerate().filter(|(_, name)| !known.contains(&name.as_str()))
    {
        let near = hint(name, known.iter().copied(), "");
        let message = format!("expected one of the columns {}, found: {name}{near}", known.join(", "));
        add(&["dataset", "parts", part, "without", &index.to_string()], message);
    }
}
