//! The name of a model where the host decides it: from the user, else from the model's folder. The
//! `[api]` table of a card that does not come with mteb-host cannot redirect a name that already
//! exists to an address of its own.

use std::path::Path;

use mteb_cache::UNPINNED;
use mteb_card::ApiCard;
use mteb_plugin_api::ModelInfo;
use mteb_registry::{FoundCard, ModelCards};
use mteb_source::{ModelFolder, is_repository_name};
use mteb_workers::plugins::Catalog;

use super::ModelError;
use super::error::Listener;
use super::local::{LocalModel, Unread, proposal};
use super::python::{hub_name, is_code, kind_of};

/// Who says what a model is called.
#[derive(Default)]
pub enum Naming {
    /// The model, the hub or a card.
    #[default]
    ByItself,
    /// The user, of code of their own, or of a model that Python loads.
    OfCode {
        /// Name, if one is given.
        name: Option<String>,
        /// True if a revision is given, which covers what nobody sees.
        is_pinned: bool,
    },
    /// The folder and the user.
    OfFolder(Box<LocalModel>),
}

impl Naming {
    /// Makes what the host knows the identity of the model.
    ///
    /// # Errors
    /// If the files of its folder cannot be read.
    pub fn identify(&self, info: &mut ModelInfo) -> Result<(), Unread> {
        match self {
            Self::ByItself => {}
            Self::OfCode { name, is_pinned } => {
                if let Some(name) = name {
                    info.identity.name.clone_from(name);
                }
                if *is_pinned {
                    info.meta.remove(UNPINNED);
                }
            }
            Self::OfFolder(local) => {
                local.identify(&mut info.identity)?;
                if local.needs_others() {
                    info.meta.insert(UNPINNED.to_owned(), true.into());
                }
            }
        }
        Ok(())
    }

    /// Who says what the model asked for as `asked` in `folder`, if it has one, is called, where the user has `given` a name, a revision, or
    /// none; `is_installed` if a plugin of the host runs it.
    ///
    /// # Errors
    /// If the user names a model that has a name already, or gives it what is no name.
    pub fn of(
        asked: &str,
        given: (Option<String>, Option<String>),
        folder: Option<&ModelFolder>,
        is_installed: bool,
        listener: &dyn Listener,
    ) -> Result<Self, ModelError> {
        if let Some(name) = given.0.as_ref().filter(|name| !is_repository_name(name)) {
            return Err(ModelError::Name(format!(
                "`--name`: expected a name such as `organisation/model`, of letters, digits, `-`, `_` and `.`, \
                 found: {name}"
            )));
        }
        if is_code(asked) {
            return Ok(Self::OfCode { is_pinned: given.1.is_some(), name: given.0 });
        }
        let Some(folder) = folder.filter(|folder| folder.revision.is_none()) else {
            return match given.0 {
                None => Ok(Self::ByItself),
                // Two programs may compute one model, each with results of its own.
                Some(name) if kind_of(asked).is_some() => {
                    Ok(Self::OfCode { name: Some(name), is_pinned: false })
                }
                Some(_) => Err(ModelError::Name(format!(
                    "expected `--name` only for a model in a folder or in Python, found it with {asked}, which has a \
                     name; leave it out"
                ))),
            };
        };
        if let (None, Some(name)) = (&given.0, proposal(&folder.path)) {
            listener.say(&format!(
                "{}: the model's files name it {name}; `--name {name}` uses that name in results",
                folder.path.display()
            ));
        }
        Ok(Self::OfFolder(Box::new(LocalModel::new(asked, &folder.path, given, is_installed))))
    }
}

/// `found`, the card of the model called `name`, with the table `[api]` that counts. A model in
/// Python has none. That of a card which is no part of the host is skipped with a warning where a
/// plugin, the host or a folder has a model of that name.
pub fn with_own_endpoint(
    name: &str,
    mut found: FoundCard,
    catalog: &Catalog,
    listener: &dyn Listener,
) -> FoundCard {
    let is_python = kind_of(name).is_some();
    if found.is_embedded {
        found.card.api = found.card.api.filter(|_| !is_python);
        return found;
    }
    let Some(api) = found.card.api.take() else { return found };
    let of_binary = ModelCards::of_binary().card(&found.card.name).ok().flatten();
    let owner = if is_python {
        "computed in Python"
    } else if catalog.provides(name) {
        "provided by a plugin"
    } else if Path::new(hub_name(name)).is_dir() {
        "in a folder of that name"
    } else if of_binary
        .as_ref()
        .is_some_and(|own| own.card.api.as_ref().is_none_or(|own| !is_same(own, &api)))
    {
        "described by a card that comes with mteb-host"
    } else {
        found.card.api = Some(api);
        return found;
    };
    listener.warn(&format!(
        "{}: expected no table `[api]` for {name}, which is {owner}, found one in a card that does not come \
         with mteb-host: it is ignored; a card with its own name can use that server",
        found.file
    ));
    of_binary.filter(|own| own.card.api.is_some() && !is_python).unwrap_or(found)
}

/// True if the same model is asked at the same place, whatever else is said of it.
fn is_same(own: &ApiCard, other: &ApiCard) -> bool {
    (own.style, &own.model, &own.url) == (other.style, &other.model, &other.url)
}
