//! The name of a model where the host decides it: from the user, else from the model's folder.

use mteb_cache::UNPINNED;
use mteb_plugin_api::ModelInfo;
use mteb_source::{ModelFolder, is_repository_name};

use super::ModelError;
use super::listener::Listener;
use super::local::{LocalModel, Unread, proposal};
use super::python::{is_code, kind_of};

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
