//! What a pickle of `torch.save` is made of, and why a file cannot be read.

use tch::Kind;

/// A value on the stack of the machine.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Anything that is of no interest here.
    Other,
    /// A whole number.
    Whole(i64),
    /// A text.
    Text(String),
    /// A tuple or a list.
    List(Vec<Value>),
    /// A dictionary in its order.
    Dict(Vec<(Value, Value)>),
    /// A class or function, as `module.name`.
    Global(String),
    /// The bytes behind tensors.
    Storage(Storage),
    /// A tensor.
    Tensor(TensorValue),
    /// Where a tuple or a run of items begins.
    Mark,
}

/// The bytes behind tensors.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// Name of the bytes in the file.
    pub key: String,
    /// Number format.
    pub kind: Kind,
}

/// A tensor as a view of a storage.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorValue {
    /// The bytes.
    pub storage: Storage,
    /// First number.
    pub offset: i64,
    /// Size of each dimension.
    pub size: Vec<i64>,
    /// Step of each dimension.
    pub stride: Vec<i64>,
}

impl Value {
    /// The whole number.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Self::Whole(number) => Some(*number),
            _ => None,
        }
    }

    /// The items of a tuple or list.
    pub fn list(&self) -> &[Self] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The whole numbers of a tuple or list.
    pub fn wholes(&self) -> Vec<i64> {
        self.list().iter().filter_map(Self::whole).collect()
    }
}

/// Why such a file cannot be read, in one line.
#[derive(Debug, thiserror::Error)]
pub enum PickleError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The archive is damaged or cut.
    #[error("the archive is damaged: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// The pickle holds something else than tensors by name.
    #[error("{0}")]
    Content(String),
    /// The file is whole, and of a form that no loader takes for weights by name, or holds numbers that are not computed.
    #[error("{0}")]
    Form(String),
    /// A tensor does not fit the bytes that belong to it.
    #[error("tensor `{name}`: expected {expected} bytes, found {found}")]
    Short {
        /// Name of the tensor, or of its storage.
        name: String,
        /// Bytes it needs.
        expected: usize,
        /// Bytes there are.
        found: usize,
    },
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] tch::TchError),
}
