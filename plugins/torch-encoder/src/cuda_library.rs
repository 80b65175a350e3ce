//! The part of libtorch that computes on GPUs. It is a library of its own, and loaded when a GPU is asked for: one build of this
//! plugin runs on a libtorch with it and on one without, and who computes on the processor does not pay for it.
#![allow(unsafe_code, reason = "to load a library is to run its code")]

use std::ffi::{c_int, c_uint};
use std::path::{Path, PathBuf};

use libloading::Library;

/// The library, beside that for the processor.
const NAME: &str = "libtorch_cuda.so";
/// The library that this plugin links.
const PROCESSOR: &str = "libtorch_cpu.so";
/// The library of NVIDIA's driver.
const DRIVER: &str = "libcuda.so.1";

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR`.
const MAJOR: c_int = 75;
/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR`.
const MINOR: c_int = 76;

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
        return open(Path::new(NAME));
    };
    let path = folder.join(NAME);
    if path.exists() { open(&path) } else { CudaLibrary::Absent(folder) }
}

/// True if this system has NVIDIA's driver.
pub fn has_driver() -> bool {
    // SAFETY: the driver's library is made to be loaded by any program; whoever computes on the GPU loads it too.
    unsafe { Library::new(DRIVER) }.is_ok_and(|library| {
        std::mem::forget(library);
        true
    })
}

/// What NVIDIA calls the compute capability of a GPU, major and minor number; `None` where the driver does not say.
///
/// libtorch does not pass it on to programs in other languages than Python and C++.
pub fn compute_capability(number: usize) -> Option<[c_int; 2]> {
    let number = c_int::try_from(number).ok()?;
    // SAFETY: the driver's library is made to be loaded by any program.
    let driver = unsafe { Library::new(DRIVER) }.ok()?;
    // SAFETY: these functions have these forms in every version of the driver (cuda.h; `CUdevice` and `CUresult` are of the size
    // of an `int`), and all pointers are to numbers that live as long as the calls. Devices have the numbers that libtorch gives
    // them, as both look at `CUDA_VISIBLE_DEVICES`.
    let found = unsafe {
        let init = driver.get::<unsafe extern "C" fn(c_uint) -> c_int>(b"cuInit\0").ok()?;
        let get = driver.get::<unsafe extern "C" fn(*mut c_int, c_int) -> c_int>(b"cuDeviceGet\0").ok()?;
        let ask = driver
            .get::<unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int>(b"cuDeviceGetAttribute\0")
            .ok()?;
        let (mut device, mut found) = (0, [0; 2]);
        let is_there = init(0) == 0 && get(&raw mut device, number) == 0;
        let [major, minor] = &mut found;
        let is_said =
            is_there && ask(&raw mut *major, MAJOR, device) == 0 && ask(&raw mut *minor, MINOR, device) == 0;
        is_said.then_some(found)
    };
    // It stays in use.
    std::mem::forget(driver);
    found
}

fn open(path: &Path) -> CudaLibrary {
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
    fn a_gpu_that_is_not_there_has_no_capability() {
        assert_eq!(compute_capability(usize::MAX), None);
        assert_eq!(compute_capability(1 << 20), None);
    }

    #[test]
    fn what_is_no_library_is_said_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        std::fs::write(&path, "no library").unwrap();
        let CudaLibrary::Broken(reason) = open(&path) else { panic!("a text was loaded") };
        assert!(reason.contains(NAME), "{reason}");
    }
}
