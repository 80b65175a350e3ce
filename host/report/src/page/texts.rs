//! The texts of the page: in English and Indonesian, and in languages that registries provide as
//! files; names and shares as the page shows them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use mteb_base::suggest::hint;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{percent, visible, visible_line};

/// The texts of the host.
const TEXTS: &str = include_str!("assets/texts.json");

/// The language whose texts stand where another lacks one.
pub const ENGLISH: &str = "en";

/// Letters of the name of a language, and of one of its texts.
const LONGEST_NAME: usize = 60;
const LONGEST_TEXT: usize = 2_000;

/// The languages that a page has, by their codes.
#[derive(Clone, Debug)]
pub struct PageLanguages(BTreeMap<String, LanguageFile>);

/// The file `page/CODE.toml` beside a registry: the texts of the page in one more language.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageFile {
    /// Version of the form; always 1.
    pub schema: u32,
    /// What the language calls itself.
    pub name: String,
    /// The texts by their keys; English stands where one is absent.
    pub texts: BTreeMap<String, String>,
}

/// What is wrong or odd in the file of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageFault {
    /// The path to the value; empty for the whole file.
    pub path: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// True if the file can be used all the same.
    pub is_warning: bool,
}

impl Default for PageLanguages {
    /// English and Indonesian.
    fn default() -> Self {
        let all: BTreeMap<String, BTreeMap<String, String>> = serde_json::from_str(TEXTS).unwrap_or_default();
        let name = |code: &str| if code == ENGLISH { "English" } else { "Bahasa Indonesia" }.to_owned();
        let language = |(code, texts): (String, _)| {
            let file = LanguageFile { schema: 1, name: name(&code), texts };
            (code, file)
        };
        Self(all.into_iter().map(language).collect())
    }
}

impl PageLanguages {
    /// Adds a language, or what a file says otherwise than the one that is there.
    pub fn add(&mut self, code: &str, file: LanguageFile) {
        let known = self.0.entry(code.to_owned()).or_default();
        known.name = file.name;
        known.texts.extend(file.texts);
    }

    /// The codes of the languages, sorted.
    pub fn codes(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).collect()
    }

    /// The texts of a language, with those of English where it lacks some.
    pub(super) fn texts(&self, code: &str) -> BTreeMap<String, String> {
        let of = |code: &str| self.0.get(code).map(|file| file.texts.clone()).unwrap_or_default();
        let mut texts = of(ENGLISH);
        texts.extend(of(code));
        texts
    }

    /// The codes and names, for who chooses one.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(code, file)| (code.as_str(), file.name.as_str()))
    }

    /// The texts as the page carries them.
    pub(super) fn json(&self) -> Value {
        let visible_texts = |file: &LanguageFile| -> BTreeMap<String, String> {
            file.texts.iter().map(|(key, text)| (key.clone(), visible(text).into_owned())).collect()
        };
        self.0.iter().map(|(code, file)| (code.clone(), json!(visible_texts(file)))).collect()
    }
}

impl LanguageFile {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is no TOML, or of another form.
    pub fn read(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// What is wrong with it, and which texts it lacks.
    pub fn faults(&self, code: &str) -> Vec<LanguageFault> {
        let english = PageLanguages::default().texts(ENGLISH);
        let fault = |path: &[&str], message: String| LanguageFault {
            path: path.iter().map(|part| (*part).to_owned()).collect(),
            message,
            is_warning: false,
        };
        let mut faults = Vec::new();
        if !is_code(code) {
            let found = visible_line(code);
            faults.push(fault(&[], format!("expected a file named after its language code, such as `jv.toml` or `zh-Hant.toml`, found: {found}")));
        }
        if self.schema != 1 {
            faults.push(fault(&["schema"], format!("expected schema 1, found {}", self.schema)));
        }
        if self.name.trim().is_empty() || self.name.chars().count() > LONGEST_NAME {
            let message = format!("expected what the language calls itself, in 1 to {LONGEST_NAME} letters");
            faults.push(fault(&["name"], message));
        }
        for (key, text) in &self.texts {
            let Some(own) = english.get(key) else {
                let near = hint(key, english.keys().map(String::as_str), "");
                faults.push(fault(
                    &["texts", key],
                    format!("expected the key of a text of the page, found: {}{near}", visible_line(key)),
                ));
                continue;
            };
            let (expected, found) = (places(own), places(text));
            if expected != found {
                let names = |names: &BTreeSet<&str>| {
                    names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ")
                };
                let [expected, found] = [expected, found]
                    .map(|names_of| if names_of.is_empty() { "none".to_owned() } else { names(&names_of) });
                faults.push(fault(
                    &["texts", key],
                    format!("expected these places to be filled: {expected}; found: {found}"),
                ));
            }
            if text.chars().count() > LONGEST_TEXT {
                faults.push(fault(
                    &["texts", key],
                    format!("expected at most {LONGEST_TEXT} letters, found more"),
                ));
            }
        }
        let missing: Vec<&str> =
            english.keys().filter(|key| !self.texts.contains_key(*key)).map(String::as_str).collect();
        if !missing.is_empty() {
            let message = format!(
                "{} of {} texts are missing and stay English: {}",
                missing.len(),
                english.len(),
                missing.join(", ")
            );
            faults.push(LanguageFault { is_warning: true, ..fault(&["texts"], message) });
        }
        faults
    }
}

/// True if `code` may stand for a language: `jv`, `zh-Hant`, `pt-BR`; a script and a region may
/// follow it, and nothing else, so that every browser takes it.
fn is_code(code: &str) -> bool {
    let mut parts = code.split('-').peekable();
    let is = |part: &str, lengths: &[usize], is_of: fn(&u8) -> bool| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| is_of(&byte))
    };
    let is_language = parts.next().is_some_and(|part| is(part, &[2, 3], u8::is_ascii_lowercase));
    let _ = parts.next_if(|part| is(part, &[4], u8::is_ascii_alphabetic));
    let _ =
        parts.next_if(|part| is(part, &[2], u8::is_ascii_uppercase) || is(part, &[3], u8::is_ascii_digit));
    is_language && parts.next().is_none()
}

/// The places of a text that are filled, as `n` of `{n} models`.
fn places(text: &str) -> BTreeSet<&str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).collect()
}

/// The texts by their keys. An element whose text stands here names its key in `data-text`, by which the script changes the language.
pub(super) struct Words(BTreeMap<String, String>);

impl Words {
    /// The texts in `language`.
    pub fn new(languages: &PageLanguages, language: &str) -> Self {
        Self(languages.texts(language))
    }

    /// The text of a key; nothing in it is unseen.
    pub fn text(&self, key: &str) -> Cow<'_, str> {
        visible(&self.0[key])
    }

    /// A text within a line.
    pub fn span(&self, key: &str) -> Markup {
        html! { span data-text=(key) { (self.text(key)) } }
    }

    /// A text as a paragraph.
    pub fn paragraph(&self, key: &str) -> Markup {
        html! { p data-text=(key) { (self.text(key)) } }
    }

    /// A text as the title of a view.
    pub fn title(&self, key: &str) -> Markup {
        html! { h2 data-text=(key) { (self.text(key)) } }
    }
}

/// A name as the page shows it: what nobody would see is visible, and no name is longer than a page.
pub fn show_name(name: &str) -> String {
    let name = visible(name);
    if name.chars().count() <= 400 {
        return name.into_owned();
    }
    name.chars().take(400).chain(['…']).collect()
}

/// A share as a whole number of hundredths of a percent, rounded as every table rounds it: two forms of one score show one number.
pub fn to_hundredths(share: Option<f64>) -> Value {
    let digits = |share: f64| percent(share).chars().filter(|digit| *digit != '.').collect::<String>();
    share.and_then(|share| digits(share).parse::<i64>().ok()).map_or(Value::Null, Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts() {
        let languages = PageLanguages::default();
        let keys = |code: &str| languages.0[code].texts.keys().collect::<Vec<_>>();
        assert_eq!(languages.codes(), ["en", "id"]);
        assert!(keys("en").len() > 80);
        assert_eq!(keys("en"), keys("id"));
        for (code, file) in &languages.0 {
            assert_eq!(file.faults(code), [], "{code}");
        }
    }

    fn file(lines: &str) -> LanguageFile {
        LanguageFile::read(&format!("schema = 1\nname = \"Basa Jawa\"\n[texts]\n{lines}")).unwrap()
    }

    #[test]
    fn a_language_that_lacks_texts_has_the_english_ones_and_they_are_named() {
        let own = file("board = \"Papan\"\n");
        let faults = own.faults("jv");
        assert_eq!((faults.len(), faults[0].is_warning), (1, true));
        assert!(
            faults[0].message.contains("stay English: ") && faults[0].message.contains(", tasks,"),
            "{faults:?}"
        );
        let mut languages = PageLanguages::default();
        languages.add("jv", own);
        let texts = languages.texts("jv");
        assert_eq!((texts["board"].as_str(), texts["tasks"].as_str()), ("Papan", "Tasks"));
        assert_eq!(languages.json()["jv"], json!({ "board": "Papan" }));
    }

    #[test]
    fn what_no_page_shows_and_what_would_lose_a_number_is_a_fault() {
        let own = file("bord = \"x\"\nshown = \"model\"\n");
        let faults: Vec<String> = own
            .faults("javanese")
            .into_iter()
            .filter(|fault| !fault.is_warning)
            .map(|fault| fault.message)
            .collect();
        assert!(faults[0].starts_with("expected a file named after its language code"), "{faults:?}");
        assert!(faults[1].contains("found: bord (near it: board"), "{faults:?}");
        assert_eq!(faults[2], "expected these places to be filled: {all}, {n}; found: none");
        assert!(["jv", "zh-Hant", "pt-BR", "min"].iter().all(|code| is_code(code)));
        assert!(!["", "JV", "a", "jv-", "jv/..", "jv-12", "jv-Latn-Latn"].iter().any(|code| is_code(code)));
    }

    #[test]
    fn the_script_asks_for_no_text_that_is_not_there() {
        let script = concat!(
            include_str!("assets/script/base.js"),
            include_str!("assets/script/filters.js"),
            include_str!("assets/script/board.js"),
            include_str!("assets/script/chosen-languages.js"),
            include_str!("assets/script/export.js"),
            include_str!("assets/script/charts.js"),
            include_str!("assets/script/compare.js"),
            include_str!("assets/script/tasks.js"),
            include_str!("assets/script/heat.js"),
            include_str!("assets/script/languages.js"),
            include_str!("assets/script/model-view.js"),
            include_str!("assets/script/map.js"),
            include_str!("assets/script/graded.js"),
        );
        let texts = PageLanguages::default().texts(ENGLISH);
        let after = |mark: &'static str, end: char| {
            script.split(mark).skip(1).filter_map(move |rest| rest.split(end).next())
        };
        let asked = after("text(\"", '"');
        let missing: Vec<&str> = asked.filter(|key| !texts.contains_key(*key)).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }

    #[test]
    fn a_share_is_rounded_as_tables_round_it() {
        let shares = [0.681_25, 0.683_75, -0.001_526_775, -0.000_01, 1.0, 0.0, f64::NAN];
        let shown = shares.map(|share| to_hundredths(Some(share)));
        let expected = [6_812, 6_838, -15, 0, 10_000, 0].map(Value::from);
        assert_eq!((&shown[..6], &shown[6]), (&expected[..], &Value::Null));
    }
}
