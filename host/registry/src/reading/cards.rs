//! The cards that were read, each file once, and the errors in them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use mteb_card::TaskCard;
use rayon::prelude::*;

use super::source::embedded_cards_of_tasks;
use super::text::Text;
use crate::checking::form::{Kind, text_faults};
use crate::declaring::declare_and_check;
use crate::{Fault, Locator, Origin};

/// Cards by file.
#[derive(Debug, Default)]
pub struct Cards {
    /// True if the files of the binary are checked, too. They were already checked when the binary
    /// was built.
    thorough: bool,
    /// `None` for a card with an error.
    read: HashMap<String, Option<Arc<TaskCard>>>,
}

impl Cards {
    /// Cards of which those of the binary are checked too.
    pub fn thorough() -> Self {
        Self { thorough: true, ..Self::default() }
    }

    /// Number of cards in files, and of those of the binary and of packs.
    pub fn counts(&self) -> (usize, usize) {
        let in_files = self.read.keys().filter(|file| Path::new(file).is_absolute()).count();
        (in_files, self.read.len() - in_files)
    }

    /// True if the card in `file` was read.
    pub fn has(&self, file: &str) -> bool {
        self.read.contains_key(file)
    }

    /// True if the form of `text` is checked.
    pub fn is_checked(&self, text: &Text) -> bool {
        self.thorough || !text.is_of_program()
    }

    /// Reads those `texts` that need no check in parallel, so that each card is ready when it is
    /// requested.
    pub fn read_unchecked(&mut self, texts: &[Text]) {
        let waiting = texts.par_iter().filter(|text| !self.is_checked(text) && !self.has(&text.file));
        // Errors in the other cards are reported when those cards are requested.
        let read = waiting
            .filter_map(|text| Some((text.file.clone(), Some(Arc::new(text.parse::<TaskCard>().ok()?)))));
        let read: Vec<_> = read.collect();
        self.read.extend(read);
    }

    /// Checks a text unless it is part of the binary; true if it has no error.
    pub fn check(&self, text: &Text, kind: Kind, faults: &mut Vec<Fault>) -> bool {
        let found = match kind {
            _ if !self.is_checked(text) => Vec::new(),
            Kind::Card => declare_and_check(text),
            _ => text_faults(text, kind),
        };
        let is_sound = found.is_empty();
        faults.extend(found);
        is_sound
    }

    /// The card in `text`; `None` if it has an error.
    pub fn card(&mut self, text: &Text, faults: &mut Vec<Fault>) -> Option<Arc<TaskCard>> {
        let file = text.path.as_deref().map(|path| canonical(path).display().to_string());
        let file = file.unwrap_or_else(|| text.file.clone());
        if let Some(card) = self.read.get(&file) {
            return card.clone();
        }
        let is_sound = self.check(text, Kind::Card, faults);
        let card = match read_before(text).map_or_else(|| text.parse().map(Arc::new), Ok) {
            _ if !is_sound => None,
            Ok(card) => Some(card),
            Err(error) => {
                faults.push(Locator::new(&text.file, text.text()).fault_at(error.span(), error.message()));
                None
            }
        };
        self.read.insert(file, card.clone());
        card
    }

    /// The card of a task whose mean with others the task `whole` of `text` is, the one at `index`
    /// of its `members`.
    pub fn member(
        &mut self,
        text: &Text,
        whole: &TaskCard,
        index: usize,
        faults: &mut Vec<Fault>,
    ) -> Option<(Arc<TaskCard>, Origin)> {
        let name = &whole.members[index];
        let found = match text.beside(name) {
            Ok(Some(found)) => Ok((self.card(&found, faults)?, origin(&found))),
            Ok(None) => Err(format!("expected the card {name}.toml next to this one, found none")),
            Err(fault) => Err(fault.to_string()),
        };
        let found = found.and_then(|(card, origin)| {
            if !card.members.is_empty() {
                return Err(format!("expected a task with its own data, found one with members: {name}"));
            }
            let measure = |card: &TaskCard| format!("{} by {}", card.task_type, card.main_score());
            if measure(&card) != measure(whole) {
                let (expected, found) = (measure(whole), measure(&card));
                return Err(format!(
                    "expected a task of the type {expected}, like the mean, found: {name}, {found}"
                ));
            }
            Ok((card, origin))
        });
        let fault = |message: String| {
            Locator::new(&text.file, text.text()).fault(&["members", &index.to_string()], message)
        };
        found.map_err(|message| faults.push(fault(message))).ok()
    }
}

/// Where a card came from.
pub fn origin(text: &Text) -> Origin {
    text.path.clone().map_or_else(|| Origin::Embedded(text.file.clone()), Origin::File)
}

/// A file by its one name, links followed; by the given one if it cannot be found.
pub fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

static CARDS: OnceLock<HashMap<String, Arc<TaskCard>>> = OnceLock::new();

/// Number of cards that a thread reads at a time: about as many as one compressed block holds.
const READ_TOGETHER: usize = 16;

/// Reads every card of a task in the binary, for commands that go over all of them; others read
/// the cards that they need in [`Cards::card`].
pub fn read_ahead() {
    CARDS.get_or_init(|| {
        let read = |text: &Text| Some((text.file.clone(), Arc::new(text.parse::<TaskCard>().ok()?)));
        let texts: Vec<Text> = embedded_cards_of_tasks().collect();
        texts.par_iter().with_min_len(READ_TOGETHER).filter_map(read).collect()
    });
}

/// The card of `text`, if it is of the binary and was read ahead.
fn read_before(text: &Text) -> Option<Arc<TaskCard>> {
    text.json()?;
    CARDS.get()?.get(&text.file).cloned()
}
