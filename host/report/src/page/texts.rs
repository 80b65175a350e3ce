//! The texts of the page, in English and Indonesian.

use std::collections::BTreeMap;

use serde_json::Value;

/// The texts as the page carries them.
pub(super) const TEXTS: &str = include_str!("assets/texts.json");

/// The language in which a page opens; it carries both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Indonesian.
    Indonesian,
}

impl Language {
    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Indonesian => "id",
        }
    }

    /// Its texts.
    pub(super) fn texts(self) -> BTreeMap<String, String> {
        let all: Value = serde_json::from_str(TEXTS).unwrap_or_default();
        let own = all[self.code()].as_object().cloned().unwrap_or_default();
        own.into_iter().filter_map(|(key, text)| Some((key, text.as_str()?.to_owned()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_have_the_same_texts() {
        let keys = |language: Language| language.texts().into_keys().collect::<Vec<_>>();
        assert!(keys(Language::English).len() > 80);
        assert_eq!(keys(Language::English), keys(Language::Indonesian));
    }

    #[test]
    fn the_script_asks_for_no_text_that_is_not_there() {
        let script = concat!(
            include_str!("assets/page.html"),
            include_str!("assets/script/base.js"),
            include_str!("assets/script/filters.js"),
            include_str!("assets/script/board.js"),
            include_str!("assets/script/export.js"),
            include_str!("assets/script/charts.js"),
            include_str!("assets/script/compare.js"),
            include_str!("assets/script/tasks.js"),
            include_str!("assets/script/languages.js"),
            include_str!("assets/script/model.js"),
            include_str!("assets/script/graded.js"),
        );
        let texts = Language::English.texts();
        let after = |mark: &'static str, end: char| {
            script.split(mark).skip(1).filter_map(move |rest| rest.split(end).next())
        };
        let asked = after("text(\"", '"').chain(after("{{text:", '}')).chain(after("data-text=\"", '"'));
        let missing: Vec<&str> = asked.filter(|key| !texts.contains_key(*key)).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
