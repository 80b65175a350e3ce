//! The texts of the page in the language in which it opens.

use std::borrow::Cow;
use std::collections::BTreeMap;

use maud::{Markup, html};

use super::texts::PageLanguages;
use crate::visible;

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
