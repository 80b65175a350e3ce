//! Cards of the binary that are read before a registry names them, while plugins are looked for.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use mteb_card::TaskCard;

use super::source::embedded_cards_of_tasks;
use super::text::Text;
use crate::checking::form::{Kind, compile};

static CARDS: OnceLock<HashMap<String, Arc<TaskCard>>> = OnceLock::new();

/// Reads every card of a task in the binary, and prepares the check of others.
pub fn read_ahead() {
    CARDS.get_or_init(|| {
        let read = |text: Text| Some((text.file.clone(), Arc::new(text.parse().ok()?)));
        embedded_cards_of_tasks().filter_map(read).collect()
    });
    compile(Kind::Card);
}

/// The card of `text`, if it is of the binary and was read ahead.
pub fn read_before(text: &Text) -> Option<Arc<TaskCard>> {
    text.json()?;
    CARDS.get()?.get(&text.file).cloned()
}
