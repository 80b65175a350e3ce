//! The part of libtorch that computes on GPUs. It is a library of its own, and loaded when a GPU is asked for: one build of this
//! plugin runs on a libtorch with it and on one without, and who computes on the processor does not pay for it.
#![allow(unsafe_code, reason = "to load a library is to run its code")]

use std::path::{Path, PathBuf};

use libloading::Library;

/// The library, beside that for the processor.
const NAME: &str = "libtorch_cuda.so";
/// The library that this plugin links.
const PROCESSOR: &str = "libtorch_cpu.so";
/// The library of NVIDIA's driver.
const DRIVER: &str = "libcuda.so.1";

/// What became of loading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CudaLibrary {
    /// It is loaded; devices are counted from now on.
    Loaded,
    /// The libtorch in this folder has none.
    Absent(PathBuf),
    /// The system cannot load it, for this reason.
    Broken(String),
}

/// Loads the library from where the system found libtorch. A second call costs nothing.
///
/// It links the library for the processor by its name, and so makes itself known to the one that is loaded already, whatever the scope
/// of its symbols. libtorch asks once who has, so that this comes before all else that asks for devices.
pub fn load() -> CudaLibrary {
    let Some(folder) = folder_of(PROCESSOR, &mteb_system::process::mapped_files(None)) else {
        // Linked into the plugin, or a system that does not say what is mapped: the loader knows where libraries are.
        return opened(Path::new(NAME));
    };
    let path = folder.join(NAME);
    if path.exists() { opened(&path) } else { CudaLibrary::Absent(folder) }
}

/// True if this system has NVIDIA's driver.
pub fn has_driver() -> bool {
    // SAFETY: the driver's library is made to be loaded by any program; whoever computes on the GPU loads it too.
    unsafe { Library::new(DRIVER) }.is_ok_and(|library| {
        std::mem::forget(library);
        true
    })
}

fn opened(path: &Path) -> CudaLibrary {
    // SAFETY: the library belongs to the libtorch that this plugin runs on already, and is made to be loaded beside it.
    match unsafe { Library::new(path) } {
        Ok(library) => {
            // What it has registered stays in use.
            std::mem::forget(library);
            CudaLibrary::Loaded
        }
        Err(error) => CudaLibrary::Broken(error.to_string()),
    }
}

/// The folder of the library of this name, if it is among the files that are mapped.
fn folder_of(name: &str, mapped: &[PathBuf]) -> Option<PathBuf> {
    let found = mapped.iter().find(|path| path.file_name().is_some_and(|file| file == name));
    found?.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_that_of_the_library_which_is_mapped() {
        let mapped = ["/lib/libc.so.6", "/opt/a b/torch/lib/libtorch_cpu.so"].map(PathBuf::from);
        assert_eq!(folder_of(PROCESSOR, &mapped), Some("/opt/a b/torch/lib".into()));
        assert_eq!(folder_of(NAME, &mapped), None);
    }

    #[test]
    fn what_is_no_library_is_said_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        std::fs::write(&path, "no library").unwrap();
        let CudaLibrary::Broken(reason) = opened(&path) else { panic!("a text was loaded") };
        assert!(reason.contains(NAME), "{reason}");
    }
}
