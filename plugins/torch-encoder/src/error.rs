//! What can be wrong with a model folder or its computation.

use std::path::PathBuf;

use mteb_plugin_api::v1::{PluginError, code};
use tch::TchError;

/// A failure of this plugin, one line each.
#[derive(Debug, thiserror::Error)]
pub enum TorchError {
    /// The model was named but no folder with its files is available.
    #[error(
        "model {0}: expected a folder with the model's files, found none; give a folder, or `--hub-dir DIR`"
    )]
    NoFolder(String),
    /// A file is absent.
    #[error("{}: expected {expected}, found none", .path.display())]
    Missing {
        /// The folder or file.
        path: PathBuf,
        /// What should be there.
        expected: &'static str,
    },
    /// A file is there but not as it must be.
    #[error("{}: {message}", .path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What was expected and what was found.
        message: String,
    },
    /// The model is as it should be, and needs something that this plugin does not have; other libraries may.
    #[error("{}: {message}", .path.display())]
    Unsupported {
        /// The file that asks for it.
        path: PathBuf,
        /// What was expected and what was found.
        message: String,
    },
    /// The architecture is not among those of this plugin.
    #[error("{}: expected a model_type among {known}, found: {found}", .path.display())]
    UnknownArchitecture {
        /// The configuration file.
        path: PathBuf,
        /// Its model_type.
        found: String,
        /// Those that are known.
        known: String,
    },
    /// A weight is absent or of another shape.
    #[error("{}: weight `{name}`: expected {expected}, found {found}", .folder.display())]
    Weight {
        /// The folder of the weights.
        folder: PathBuf,
        /// Name of the tensor.
        name: String,
        /// What the architecture needs.
        expected: String,
        /// What the files hold.
        found: String,
    },
    /// An option of the model is not as it must be.
    #[error("the option `{name}` of the model: {message}")]
    Option {
        /// Its name.
        name: &'static str,
        /// What is wrong.
        message: String,
    },
    /// The device or number format cannot be had.
    #[error("{0}")]
    Device(String),
    /// A text could not be tokenised.
    #[error("the tokenizer failed: {0}")]
    Tokenizer(String),
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(String),
    /// Memory ran out.
    #[error("memory ran out: {0}")]
    Memory(String),
}

impl From<TchError> for TorchError {
    /// Keeps the first line; the rest is a backtrace of another language.
    fn from(error: TchError) -> Self {
        let text = error.to_string();
        let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason given").to_owned();
        // All but the first two are what parts of libtorch say that allocate by themselves: C++, oneDNN, and cuBLAS and cuDNN, of which
        // each thread has one of its own, made with its first product.
        let signs = [
            "out of memory",
            "can't allocate memory",
            "bad_alloc",
            "could not create a primitive",
            "_STATUS_ALLOC_FAILED",
        ];
        if signs.iter().any(|sign| line.contains(sign)) { Self::Memory(line) } else { Self::Torch(line) }
    }
}

impl From<TorchError> for PluginError {
    fn from(error: TorchError) -> Self {
        let code = match &error {
            TorchError::Memory(_) => code::OUT_OF_MEMORY,
            TorchError::Torch(_) => code::FAILED,
            TorchError::NoFolder(_) => code::NOT_FOUND,
            TorchError::Unsupported { .. } | TorchError::UnknownArchitecture { .. } => code::UNSUPPORTED,
            _ => code::INVALID_INPUT,
        };
        Self::new(code, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_runs_out_is_known_by_the_words_of_every_library() {
        for words in [
            "CUDA out of memory. Tried to allocate 2.00 GiB.",
            "[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory",
            "std::bad_alloc",
            "could not create a primitive",
            "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
            "cuDNN error: CUDNN_STATUS_ALLOC_FAILED",
        ] {
            let error = TorchError::from(TchError::Torch(format!("{words}\nException raised from …")));
            assert!(matches!(&error, TorchError::Memory(line) if line.ends_with(words)), "{error}");
        }
        let other = "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasSgemm`";
        assert!(matches!(TorchError::from(TchError::Torch(other.to_owned())), TorchError::Torch(_)));
    }
}
