//! Why a file of `torch.save` cannot be read.

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
