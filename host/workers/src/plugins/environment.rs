//! Which variables of the environment a worker sees: those that say how to compute, and those that the user has allowed.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use mteb_base::threads;
use mteb_files::hex;
use mteb_system::allocator;
use sha2::{Digest, Sha256};

use super::private::is_fixed;

/// Variables that say where things are and how to compute.
const KEPT: [&str; 31] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    LOADER,
    "LD_PRELOAD",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "CUDA_PATH",
    "CUDA_CACHE_PATH",
    "CUDA_MODULE_LOADING",
    "CUDA_LAUNCH_BLOCKING",
    "CUBLAS_WORKSPACE_CONFIG",
    "NVIDIA_VISIBLE_DEVICES",
    "NVIDIA_TF32_OVERRIDE",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_ALLOC_CONF",
    "ATEN_CPU_CAPABILITY",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "TOKENIZERS_PARALLELISM",
    "GLIBC_TUNABLES",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
];

/// Begin of the names of variables that are meant for plugins.
const OF_PLUGINS: &str = "MTEB_PLUGIN_";

/// Begins of the names of such variables, and of those that are meant for plugins.
const KEPT_BEGINS: [&str; 8] = [OF_PLUGINS, "LC_", "OMP_", "GOMP_", "KMP_", "MKL_", "ONEDNN_", "MALLOC_"];

/// Ends of names that tell of a secret, whatever their begin.
const SECRET_ENDS: [&str; 5] = ["KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS"];

/// Variables that list folders of code. One that is relative or empty would make the current folder a source of it.
pub const FOLDERS_OF_CODE: [&str; 2] = [LOADER, "PYTHONPATH"];

/// Variable that lists folders of libraries for plugins that link some: they are looked at behind those beside the plugin. The
/// Python package names the folder of its torch.
const LIBRARIES: &str = "MTEB_HOST_LIBRARIES";

/// Variable by which the loader of libraries is told folders.
pub const LOADER: &str = "LD_LIBRARY_PATH";

/// The folders in which the worker of a plugin that looks for libraries in the folders `own` finds them: those that the user
/// has named for every program, its own, then those that are named for plugins alone.
pub fn library_folders(own: &[PathBuf]) -> Vec<PathBuf> {
    let listed = |name: &str| {
        let list = std::env::var_os(name).and_then(|list| fixed_folders(&list)).unwrap_or_default();
        std::env::split_paths(&list).filter(|folder| !folder.as_os_str().is_empty()).collect::<Vec<_>>()
    };
    [listed(LOADER), own.to_vec(), listed(LIBRARIES)].concat()
}

/// The environment of a worker that is `granted` these variables beside the usual ones. Numbers of threads are as high as
/// helps.
pub fn of_worker(granted: &[String]) -> Vec<(OsString, OsString)> {
    let all = std::env::vars_os();
    all.filter(|(name, _)| {
        name.to_str().is_some_and(|name| is_kept(name) || granted.iter().any(|granted| granted == name))
    })
    .filter_map(|(name, value)| {
        if FOLDERS_OF_CODE.iter().any(|folders| name == *folders) {
            return fixed_folders(&value).map(|folders| (name, folders));
        }
        let counts = name.to_str().is_some_and(threads::counts_threads);
        let is_too_high = counts && value.to_str().is_some_and(|value| threads::too_many(value).is_some());
        Some((name, if is_too_high { threads::most().to_string().into() } else { value }))
    })
    .collect()
}

/// Variables by which the libraries of plugins are told how many threads compute: those of OpenMP, MKL, OpenBLAS and torch, and of Rust's.
const THREADS: [&str; 2] = ["OMP_NUM_THREADS", threads::THREADS];

/// Tells libraries to compute with `count` threads, where the user has not said how many; 0 tells nothing.
pub fn add_threads(variables: &mut Vec<(OsString, OsString)>, count: usize) {
    for name in THREADS.iter().filter(|_| count > 0) {
        if variables.iter().all(|(found, _)| found != name) {
            variables.push(((*name).into(), count.to_string().into()));
        }
    }
}

/// Tells the allocator to keep what is freed, where the user has not told it anything.
pub fn add_allocator(variables: &mut Vec<(OsString, OsString)>) {
    if !variables.iter().any(|(name, _)| name.to_str().is_some_and(allocator::is_told_by)) {
        let (name, value) = allocator::KEEPS_MEMORY;
        variables.push((name.into(), value.into()));
    }
}

/// Those of a list of folders that are the same in every folder; `None` if none is.
pub fn fixed_folders(list: &OsStr) -> Option<OsString> {
    let is_end = |byte: &u8| matches!(byte, b':' | b';');
    let folders = list.as_bytes().split(is_end).map(|folder| Path::new(OsStr::from_bytes(folder)));
    let fixed: Vec<&Path> = folders.filter(|folder| is_fixed(folder)).collect();
    std::env::join_paths(&fixed).ok().filter(|_| !fixed.is_empty())
}

/// The variables that are meant for plugins, which may change what a model gives: name = the first 16 digits of the SHA-256
/// of the value.
pub fn of_plugins() -> BTreeMap<String, String> {
    let given = std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let given = given.filter(|(name, _)| name.starts_with(OF_PLUGINS) && is_kept(name));
    let short = |value: &OsString| hex(&Sha256::digest(value.as_bytes())[..8]);
    given.map(|(name, value)| (name, short(&value))).collect()
}

fn is_kept(name: &str) -> bool {
    if SECRET_ENDS.iter().any(|end| name.to_ascii_uppercase().ends_with(end)) {
        return false;
    }
    KEPT.contains(&name) || KEPT_BEGINS.iter().any(|begin| name.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allocator_keeps_memory_unless_the_user_tells_it_something() {
        for told in [None, Some("GLIBC_TUNABLES"), Some("MALLOC_ARENA_MAX")] {
            let given: Vec<_> = told.iter().map(|name| (OsString::from(name), OsString::from("1"))).collect();
            let mut variables = given.clone();
            add_allocator(&mut variables);
            let expected = match told {
                None => vec![("GLIBC_TUNABLES".into(), allocator::KEEPS_MEMORY.1.into())],
                Some(_) => given,
            };
            assert_eq!(variables, expected);
        }
    }

    #[test]
    fn of_folders_of_code_those_that_are_the_same_everywhere_are_kept() {
        let kept = |list: &str| fixed_folders(list.as_ref()).map(|kept| kept.into_string().unwrap());
        assert_eq!(kept("/a:/b/c"), Some("/a:/b/c".to_owned()));
        assert_eq!(kept(":/a:.:b/c;.:/proc/self/cwd:"), Some("/a".to_owned()));
        assert_eq!([kept(""), kept("."), kept("/proc/self/cwd/x")], [None, None, None]);
    }

    #[test]
    fn the_user_says_how_many_threads_compute_and_then_the_host() {
        let mut variables = vec![("OMP_NUM_THREADS".into(), "7".into())];
        add_threads(&mut variables, 0);
        assert_eq!(variables.len(), 1);
        add_threads(&mut variables, 3);
        let told = |name: &str, count: &str| (OsString::from(name), OsString::from(count));
        assert_eq!(variables, [told("OMP_NUM_THREADS", "7"), told("RAYON_NUM_THREADS", "3")]);
    }

    #[test]
    fn what_steers_a_computation_is_kept_and_what_may_be_a_secret_is_not() {
        for name in ["PATH", "LC_ALL", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"] {
            assert!(is_kept(name), "{name}");
        }
        for name in
            ["HF_TOKEN", "OPENAI_API_KEY", "AWS_PROFILE", "HTTPS_PROXY", "SSH_AUTH_SOCK", "OMP_API_KEY"]
        {
            assert!(!is_kept(name), "{name}");
        }
    }
}
