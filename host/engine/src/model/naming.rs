//! Who a model is, where that is for the host to say: what the user calls it, and what its folder says.

use std::path::Path;

use mteb_plugin_api::ModelInfo;

use super::local::{LocalModel, proposal};
use super::python::kind_of;
use super::{ModelChoice, ModelError};
use crate::Observer;
use crate::cache::UNPINNED;
use crate::source::{ModelFolder, is_repository_name};

/// Who says what a model is called.
#[derive(Default)]
pub enum Naming {
    /// The model, the hub or a card.
    #[default]
    ByItself,
    /// The user, of code of their own.
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
    pub fn identify(&self, info: &mut ModelInfo) -> Result<(), String> {
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
}

impl ModelChoice {
    /// Who says what the model in `folder`, if it has one, is called; `is_installed` if a plugin of the host runs it.
    ///
    /// # Errors
    /// If the user names a model that has a name already, or gives it what is no name.
    pub(super) fn naming(
        &self,
        folder: Option<&ModelFolder>,
        is_installed: bool,
        observer: &dyn Observer,
    ) -> Result<Naming, ModelError> {
        self.check_name()?;
        if self.is_code() {
            let (name, is_pinned) = (self.called.clone(), self.revision.is_some());
            return Ok(Naming::OfCode { name, is_pinned });
        }
        let Some(folder) = folder.filter(|folder| folder.revision.is_none()) else {
            return match &self.called {
                None => Ok(Naming::ByItself),
                Some(_) => Err(ModelError::Name(format!(
                    "expected `--name` beside a model in a folder or in a Python file, found it beside {}, which has a name; leave it out",
                    self.name
                ))),
            };
        };
        if self.called.is_none()
            && let Some(name) = proposal(&folder.path)
        {
            observer.say(&format!(
                "{}: the model's files call it {name}; results call it so with `--name {name}`",
                folder.path.display()
            ));
        }
        let given = (self.called.clone(), self.revision.clone());
        Ok(Naming::OfFolder(Box::new(LocalModel::new(&self.name, &folder.path, given, is_installed))))
    }

    /// True for code of the user's own.
    pub(super) fn is_code(&self) -> bool {
        kind_of(&self.name).is_some_and(|(kind, _)| kind == "python")
    }

    fn check_name(&self) -> Result<(), ModelError> {
        match &self.called {
            Some(name) if !is_repository_name(name) => Err(ModelError::Name(format!(
                "`--name`: expected a name as `organisation/model`, of letters, digits, `-`, `_` and `.`, found: {name}"
            ))),
            _ => Ok(()),
        }
    }

    /// Names and revisions that the model of `info` had in results before folders had identities of their own, other than it has now.
    pub fn former_identities(&self, info: &ModelInfo) -> Vec<(String, String)> {
        let folder = Path::new(super::python::hub_name(&self.name));
        if self.is_code() || !folder.is_dir() {
            return Vec::new();
        }
        let mut former = super::local::former_identities(&self.name, folder, info);
        former.retain(|(name, revision)| (name, revision) != (&info.identity.name, &info.identity.revision));
        former
    }
}
