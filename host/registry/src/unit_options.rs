//! What a card says of how its rows are shaped and scored.

use std::collections::BTreeSet;

use mteb_base::suggest::list_names;
use mteb_card::{Protocol, TaskCard, TypeEvaluator, defaults};
use mteb_json::Json;

/// Keys of `[dataset]` that name the data beside those that say where it is; the data's own facts cover both.
const NAMES: [&str; 2] = ["revision", "name"];

/// Keys of declarations that change no score, or are options of their own: a sentence, the files, the main score, options with defaults.
const ELSEWHERE: [&str; 5] = ["about", "evaluator", "evaluator_files", "main_score", "options"];

/// All that the card says of how a unit of `subset` is made and scored, beside its data and prompts.
pub fn options_of_unit(card: &TaskCard, subset: &str) -> Json {
    let places = card.dataset.all_places().map(|(field, _)| field);
    let mut dataset = json(&card.dataset);
    if let Json::Map(entries) = &mut dataset {
        entries.retain(|(key, _)| !places.contains(&key.as_str()) && !NAMES.contains(&key.as_str()));
    }
    let own = card.subset(subset).map(|subset| {
        let mut own = json(subset);
        if let Json::Map(entries) = &mut own {
            entries.retain(|(key, _)| matches!(key.as_str(), "config" | "columns" | "hold_out"));
        }
        own
    });
    let evaluator = card.task_type.declared().map(|declared| declared.evaluator.code());
    let measures = card.protocol.extra_measures.iter().filter_map(|measure| measure.of_pack());
    let measures = measures.filter_map(|measure| {
        Some((measure.to_string(), Json::from(measure.declared()?.evaluator.code().as_str())))
    });
    let mut options = Json::object([
        ("type", Json::from(card.task_type.as_str())),
        ("main_score", Json::from(card.main_score())),
        ("evaluator", evaluator.map_or(Json::Map(Vec::new()), |code| Json::from(code.as_str()))),
        ("measures", Json::Map(measures.collect())),
        ("declaration", Json::Map(declaration(card))),
        ("protocol", json(&protocol(card))),
        ("dataset", dataset),
        ("subset", own.unwrap_or(Json::Map(Vec::new()))),
    ]);
    if let Json::Map(entries) = &mut options {
        entries.retain(|(_, value)| *value != Json::Map(Vec::new()));
    }
    options
}

/// What is declared of the card's own type and measures, beside names and sentences: of those that a card declares all that their scores
/// depend on, of those of a pack, whose declaration is part of its code, which score the outcomes give.
fn declaration(card: &TaskCard) -> Vec<(String, Json)> {
    let mut all = Vec::new();
    if let Some(declared) = card.task_type.declared() {
        let is_in_card = matches!(declared.evaluator, TypeEvaluator::Python { .. });
        let entries = entries(&declared.declaration).into_iter();
        let kept =
            entries.filter(|(key, _)| key == "outcomes" || is_in_card && !ELSEWHERE.contains(&key.as_str()));
        all.extend(kept.map(|(key, value)| (format!("type.{key}"), value)));
    }
    for measure in card.protocol.extra_measures.iter().filter_map(|measure| measure.of_pack()) {
        let Some(declared) = measure.declared() else { continue };
        if matches!(declared.evaluator, TypeEvaluator::Python { .. }) {
            let kept = entries(&declared.declaration).into_iter();
            let kept = kept.filter(|(key, _)| !ELSEWHERE.contains(&key.as_str()));
            all.push((format!("measure {}", declared.name), Json::Map(kept.collect())));
        }
    }
    all
}

fn entries(declaration: &impl serde::Serialize) -> Vec<(String, Json)> {
    match json(declaration) {
        Json::Map(entries) => entries,
        _ => Vec::new(),
    }
}

/// What the card says of the evaluation; options of a type that is declared with those that hold anyway.
fn protocol(card: &TaskCard) -> Protocol {
    let own = match card.task_type.declared() {
        Some(declared) => declared.declaration.options_with(&card.protocol.own),
        None => card.protocol.own.clone(),
    };
    Protocol { own, ..card.protocol.clone() }
}

/// The options without those that are written out at their defaults: equal for cards that ask for the same of the same files.
pub fn effective(options: &Json, unit: (&str, &str)) -> Json {
    change_options(options, |value| defaults::leave_out_defaults(value, unit))
}

/// The same as results had it before places of parts and splits of subsamples were compared by what they mean.
pub fn plainly_effective(options: &Json, subset: &str) -> Json {
    change_options(options, |value| defaults::leave_out_plain_defaults(value, subset))
}

fn change_options(options: &Json, change: impl Fn(&mut serde_json::Value)) -> Json {
    match serde_json::from_str::<serde_json::Value>(&options.to_python(0)) {
        Ok(mut value) => {
            change(&mut value);
            Json::from(value)
        }
        // What no reader of JSON knows is no default either.
        Err(_) => options.clone(),
    }
}

/// The options of the unit (split, subset) that differ, by name; `None` if none does. One that is written out at its default is
/// not there.
pub fn option_changes(before: &Json, now: &Json, unit: (&str, &str)) -> Option<String> {
    let (before, now) = (flat(&effective(before, unit)), flat(&effective(now, unit)));
    let find = |all: &[(String, Json)], name: &str| {
        all.iter().find(|(found, _)| found == name).map(|(_, value)| value.clone())
    };
    let names: BTreeSet<&String> = before.iter().chain(&now).map(|(name, _)| name).collect();
    let changed: Vec<String> =
        names.into_iter().filter(|name| find(&before, name) != find(&now, name)).cloned().collect();
    (!changed.is_empty()).then(|| list_names(&changed))
}

/// What of the options that a plan was made for is not so now, each with both values; `None` if nothing changed.
pub fn option_difference(planned: &Json, now: &Json, unit: (&str, &str)) -> Option<String> {
    let (before, now) = (flat(&effective(planned, unit)), flat(&effective(now, unit)));
    let shown = |all: &[(String, Json)], name: &str| {
        let found = all.iter().find(|(found, _)| found == name);
        found.map_or_else(|| "not set".to_owned(), |(_, value)| value.to_python(0))
    };
    let names: BTreeSet<&String> = before.iter().chain(&now).map(|(name, _)| name).collect();
    let differing = names.into_iter().filter_map(|name| {
        let (planned, found) = (shown(&before, name), shown(&now, name));
        (planned != found).then(|| format!("`{name}` was {planned}, is {found}"))
    });
    let differing: Vec<String> = differing.collect();
    (!differing.is_empty()).then(|| differing.join("; "))
}

/// The options with those of `protocol`, `dataset` and `subset` among them.
fn flat(options: &Json) -> Vec<(String, Json)> {
    let mut flat = Vec::new();
    for (name, value) in options.as_map().unwrap_or_default() {
        match value.as_map() {
            Some(inner) => flat.extend(inner.iter().cloned()),
            None => flat.push((name.clone(), value.clone())),
        }
    }
    flat
}

fn json(value: &impl serde::Serialize) -> Json {
    serde_json::to_value(value).map_or(Json::Null, Json::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(more: &str) -> Json {
        let text = format!(
            "schema = 1\nname = \"T\"\ntype = \"Classification\"\ndescription = \"d\"\nlanguages = [\"ind-Latn\"]\n{more}"
        );
        options_of_unit(&TaskCard::from_toml(&text).unwrap(), "default")
    }

    #[test]
    fn what_shapes_rows_or_scores_counts_and_where_data_lies_does_not() {
        let plain = options("[dataset]\npath = \"a.csv\"\n");
        let change = |more: &str| option_changes(&plain, &options(more), ("test", "default"));
        assert_eq!(change("[dataset]\npath = \"b.csv\"\n"), None);
        let drawn = "[dataset]\npath = \"a.csv\"\n[protocol]\nsamples_per_label = 16\n";
        assert_eq!(change(drawn).as_deref(), Some("samples_per_label"));
        let first = "[dataset]\npath = \"a.csv\"\nfirst_rows = 5\ncolumns = { text = \"kalimat\" }\n";
        assert_eq!(change(first).as_deref(), Some("columns, first_rows"));
        assert_eq!(
            change("main_score = \"f1\"\n[dataset]\npath = \"a.csv\"\n").as_deref(),
            Some("main_score")
        );
    }

    #[test]
    fn an_option_written_out_at_its_default_changes_nothing() {
        let plain = options("[dataset]\npath = \"a.csv\"\n");
        let written = options(
            "main_score = \"accuracy\"\n[dataset]\npath = \"a.csv\"\ntrain_split = \"train\"\n[protocol]\nsamples_per_label = 8\n",
        );
        assert_ne!(plain, written, "a result holds what its card says");
        assert_eq!(option_changes(&plain, &written, ("test", "default")), None);
        assert_eq!(option_changes(&written, &plain, ("test", "default")), None);
        let fewer = options("[dataset]\npath = \"a.csv\"\n[protocol]\nexperiments = 3\n");
        assert_eq!(option_changes(&written, &fewer, ("test", "default")).as_deref(), Some("experiments"));
    }

    #[test]
    fn options_outlast_their_way_through_a_file() {
        let options = options("[dataset]\npath = \"a.csv\"\n[protocol]\nmax_score = 4\nk_values = [1, 5]\n");
        assert_eq!(Json::parse(&options.to_python(2)).unwrap(), options);
    }
}
