//! Other systems: which program runs, and nothing more.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::family::Life;

pub fn image() -> io::Result<PathBuf> {
    std::env::current_exe()
}

pub fn keep_files_from_programs() {}

pub fn missing() -> Option<&'static str> {
    None
}

pub fn is_made_for_each(path: &Path, is_link: bool) -> bool {
    path.starts_with("/dev/fd") || is_link && path.starts_with("/proc")
}

pub fn mapped_files(_process: Option<u32>) -> Vec<PathBuf> {
    Vec::new()
}

pub fn children(_process: u32) -> Vec<u32> {
    Vec::new()
}

pub fn processor_time(_process: Option<u32>) -> Option<Duration> {
    None
}

pub fn peak_memory(_process: Option<u32>) -> Option<u64> {
    None
}

pub fn resident_memory(_process: Option<u32>) -> Option<u64> {
    None
}

pub fn anonymous_memory(_process: Option<u32>) -> Option<u64> {
    None
}

pub fn address_space() -> Option<u64> {
    None
}

pub fn bounded_memory() -> Option<u64> {
    None
}

pub fn numbering() -> Option<String> {
    None
}

pub fn life(_process: u32) -> Option<Life> {
    None
}

pub fn ignored_signals() -> Vec<i32> {
    Vec::new()
}

pub fn core_numbers() -> Vec<usize> {
    Vec::new()
}
