//! What a mirror needs of an object store: to list, read and write whole objects, each under a name.

use std::error::Error;
use std::ops::Deref;

/// What went wrong in a store, whatever store it is; its message is one line without credentials.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// A store of objects, in which names have slashes as paths do.
pub trait Objects {
    /// All objects whose names begin with `below`, a slash and something more, in any order.
    ///
    /// # Errors
    /// If the store does not answer, or refuses.
    fn list(&self, below: &str) -> Result<Vec<String>, StoreError>;

    /// The object of this name; `None` if there is none.
    ///
    /// # Errors
    /// As [`Self::list`].
    fn read(&self, name: &str) -> Result<Option<Object>, StoreError>;

    /// The objects of these names, in their order; a store may be asked for several at once.
    ///
    /// # Errors
    /// As [`Self::list`].
    fn read_all(&self, names: &[String]) -> Result<Vec<Option<Object>>, StoreError> {
        names.iter().map(|name| self.read(name)).collect()
    }

    /// Writes an object, whole or not at all; gives its tag, or `None` if another one is there than `over` says.
    ///
    /// # Errors
    /// As [`Self::list`].
    fn write(&self, name: &str, bytes: &[u8], over: Over<'_>) -> Result<Option<String>, StoreError>;
}

/// Whatever points to objects.
impl<P: Deref<Target: Objects>> Objects for P {
    fn list(&self, below: &str) -> Result<Vec<String>, StoreError> {
        (**self).list(below)
    }

    fn read(&self, name: &str) -> Result<Option<Object>, StoreError> {
        (**self).read(name)
    }

    fn read_all(&self, names: &[String]) -> Result<Vec<Option<Object>>, StoreError> {
        (**self).read_all(names)
    }

    fn write(&self, name: &str, bytes: &[u8], over: Over<'_>) -> Result<Option<String>, StoreError> {
        (**self).write(name, bytes, over)
    }
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What changes with its bytes (`ETag`).
    pub tag: String,
}

/// In whose place an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over<'a> {
    /// Whatever is there.
    Anything,
    /// Nothing: there is to be none of this name.
    Nothing,
    /// The object with this tag.
    Tagged(&'a str),
}
