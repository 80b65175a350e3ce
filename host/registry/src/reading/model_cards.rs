//! Model cards: the files under `models/` beside registries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mteb_card::ModelCard;

use super::folder::toml_files;
use super::named::{find_registry, registry_folders};
use super::source::{embedded_model_card, embedded_model_cards};
use super::text::{MODELS, Text, read_text};
use crate::checking::form::{Kind, text_faults};
use crate::checking::model_meaning::{check_model_card, file_of};
use crate::{Fault, Locator, RegistrySource};

/// A model card and where it was found.
#[derive(Clone, Debug)]
pub struct FoundCard {
    /// The card.
    pub card: ModelCard,
    /// Its file, for messages.
    pub file: String,
    /// True if it is part of the binary.
    pub is_embedded: bool,
    text: Text,
}

/// The model cards of all registries, those that were named first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCards {
    /// Folders of registries, in order of precedence.
    folders: Vec<PathBuf>,
}

impl ModelCards {
    /// The cards beside the registries called `named`, those of the folders of registries, and those of the binary.
    pub fn beside(named: &[String]) -> Self {
        let named = named.iter().filter_map(|name| find_registry(name).ok());
        let folder = |source| match source {
            RegistrySource::File(path) => Some(path.parent().unwrap_or(Path::new("")).to_owned()),
            RegistrySource::Embedded(_) => None,
        };
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in named.filter_map(folder).chain(registry_folders()) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        Self { folders }
    }

    /// The cards of the binary alone.
    pub fn of_binary() -> Self {
        Self { folders: Vec::new() }
    }

    /// The card of the model called `name`; `None` if it has none, which is no fault.
    ///
    /// # Errors
    /// If its file cannot be read, is no model card, or is called otherwise than the model.
    pub fn card(&self, name: &str) -> Result<Option<FoundCard>, Fault> {
        let file = file_of(name);
        if file.contains(['\\', '\0']) || file.starts_with('.') {
            return Ok(None);
        }
        for folder in self.folders.iter().map(|folder| folder.join(MODELS)) {
            let path = folder.join(&file);
            // Whatever stands there under the model's name is meant; what is no file is refused by its kind.
            if path.symlink_metadata().is_ok() {
                return FoundCard::read(read_text(&path)?).map(Some);
            }
            let others = toml_files(&folder).unwrap_or_default().into_iter();
            let misnamed = others.filter_map(|path| read_text(&path).ok()).find(|text| is_of(text, name));
            if let Some(text) = misnamed {
                return FoundCard::read(text).map(Some);
            }
        }
        embedded_model_card(&file).map(FoundCard::read).transpose()
    }

    /// The card of the model called `name` in a folder, with none of the binary's; nothing if it cannot be read.
    pub fn own_card(&self, name: &str) -> Option<FoundCard> {
        let found = self.card(name).ok().flatten()?;
        found.text.path.is_some().then_some(found)
    }

    /// All cards, sorted by file, and what is wrong with others.
    pub fn all(&self) -> (Vec<FoundCard>, Vec<Fault>) {
        let mut texts: BTreeMap<String, Result<Text, Fault>> = BTreeMap::new();
        let folders = self.folders.iter().map(|folder| toml_files(&folder.join(MODELS)).unwrap_or_default());
        for path in folders.flatten() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            texts.entry(name).or_insert_with(|| read_text(&path));
        }
        for (name, text) in embedded_model_cards() {
            texts.entry(name).or_insert(Ok(text));
        }
        let (mut cards, mut faults) = (Vec::new(), Vec::new());
        for text in texts.into_values() {
            match text.and_then(FoundCard::read) {
                Ok(card) => cards.push(card),
                Err(fault) => faults.push(fault),
            }
        }
        (cards, faults)
    }
}

impl FoundCard {
    /// The card of `text`.
    ///
    /// # Errors
    /// If it is no model card, or its file is called otherwise.
    pub fn read(text: Text) -> Result<Self, Fault> {
        // The files of the binary are checked by `validate` and the tests alone.
        if text.path.is_some()
            && let Some(fault) = text_faults(&text, Kind::ModelCard).into_iter().next()
        {
            return Err(fault);
        }
        let locator = Locator::new(&text.file, text.text());
        let card: ModelCard =
            text.parse().map_err(|error| locator.fault_at(error.span(), error.message()))?;
        match check_model_card(&card, &locator, &text.file).into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(Self { card, file: text.file.clone(), is_embedded: text.path.is_none(), text }),
        }
    }

    /// A card that was not read from a text.
    pub fn of(card: ModelCard, file: &str, is_embedded: bool) -> Self {
        Self { card, file: file.to_owned(), is_embedded, text: Text::new(file.to_owned(), String::new()) }
    }

    /// A fault at the value of `key`.
    pub fn fault(&self, key: &str, message: String) -> Fault {
        Locator::new(&self.text.file, self.text.text()).fault(&[key], message)
    }
}

fn is_of(text: &Text, model: &str) -> bool {
    text.parse::<ModelCard>().is_ok_and(|card| card.name == model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_of_the_binary_is_read_and_found_by_its_name() {
        let all = ModelCards::beside(&[]);
        let (cards, faults) = all.all();
        assert_eq!(faults, []);
        assert!(cards.len() > 40);
        for FoundCard { card, .. } in cards {
            assert_eq!(all.card(&card.name).unwrap().unwrap().card, card);
        }
        assert!(all.card("nobody/none").unwrap().is_none());
        assert!(all.card("../secret").unwrap().is_none());
    }
}
