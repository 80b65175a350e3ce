//! Dataset cards of a benchmark, in English and in the language of its texts, as the hub shows them.

use isolang::Language;
use mteb_tasks::facts;

use super::card_text::CardText;
use super::names::Names;
use super::samples::samples;
use super::template::fill;

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
