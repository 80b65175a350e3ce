//! Other systems: no names.

use std::path::Path;

pub fn name() -> Option<String> {
    None
}

pub fn processor() -> Option<String> {
    None
}

pub fn graphics_cards() -> Vec<Option<String>> {
    Vec::new()
}

pub fn graphics_driver() -> Option<String> {
    None
}

pub fn allowed_cores() -> Option<usize> {
    None
}

pub fn energy_counters() -> Option<&'static Path> {
    None
}

pub fn free_memory() -> Option<u64> {
    None
}
