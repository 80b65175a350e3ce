//! Linux: the devices that a computation writes to. Terminals, disks and memory are none.

use std::fs;
use std::path::{Path, PathBuf};

/// Those that every program may expect, the folder of shared memory among them.
const USUAL: [&str; 6] = ["null", "zero", "full", "random", "urandom", "shm"];

/// Begins of the names of what computes: cards of NVIDIA (also in Jetson and below Windows), AMD, Intel and other makers.
const COMPUTES: [&str; 13] = [
    "nvidia",
    "nvhost",
    "nvmap",
    "nvgpu",
    "nvsciipc",
    "dxg",
    "dri",
    "kfd",
    "accel",
    "davinci",
    "hisi_hdc",
    "devmm_svm",
    "neuron",
];

/// Where a process that computes may write below `/dev`.
pub fn of_computations() -> Vec<PathBuf> {
    let names = fs::read_dir("/dev").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_one = |name: &str| USUAL.contains(&name) || COMPUTES.iter().any(|begin| name.starts_with(begin));
    names.filter(|name| name.to_str().is_some_and(is_one)).map(|name| Path::new("/dev").join(name)).collect()
}

/// Where any process may write below `/dev`.
pub fn of_all() -> Vec<PathBuf> {
    USUAL[..5].iter().map(|name| Path::new("/dev").join(name)).collect()
}
