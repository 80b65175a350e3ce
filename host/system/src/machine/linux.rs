//! Linux: what `/proc` says of the processor and of NVIDIA's driver, and the kernel of cores.

use std::fs;
use std::path::Path;

pub fn name() -> Option<String> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

pub fn processor() -> Option<String> {
    of_key(&fs::read_to_string("/proc/cpuinfo").ok()?, "model name")
}

pub fn graphics_cards() -> Vec<Option<String>> {
    let cards = fs::read_dir("/proc/driver/nvidia/gpus").into_iter().flatten().flatten();
    let mut cards: Vec<_> = cards.map(|card| card.path().join("information")).collect();
    cards.sort();
    cards.iter().map(|card| of_key(&fs::read_to_string(card).ok()?, "Model")).collect()
}

pub fn graphics_driver() -> Option<String> {
    version(&fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

pub fn energy_counters() -> Option<&'static Path> {
    Some(Path::new("/sys/class/powercap"))
}

pub fn allowed_cores() -> Option<usize> {
    let cores = rustix::thread::sched_getaffinity(None).ok()?;
    Some(cores.count() as usize)
}

pub fn free_memory() -> Option<u64> {
    free(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// What can be taken without ending others: memory that is free or only keeps files, and what may be paged out to.
fn free(text: &str) -> Option<u64> {
    let kilobytes = |key: &str| of_key(text, key)?.strip_suffix(" kB")?.trim().parse::<u64>().ok();
    Some((kilobytes("MemAvailable")? + kilobytes("SwapFree").unwrap_or(0)) << 10)
}

/// The value of the first line `key: value`.
fn of_key(text: &str, key: &str) -> Option<String> {
    let mut pairs = text.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(found, _)| found.trim() == key).map(|(_, value)| value.trim().to_owned())
}

/// The first word that is numbers and full stops.
fn version(text: &str) -> Option<String> {
    let is_version =
        |word: &&str| word.contains('.') && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.split_whitespace().find(is_version).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_behind_its_key() {
        let text = "processor\t: 0\nmodel name\t: Xeon(R) @ 2.0GHz: fast\nmodel name\t: other\n";
        assert_eq!(of_key(text, "model name").as_deref(), Some("Xeon(R) @ 2.0GHz: fast"));
        assert_eq!(of_key(text, "Model"), None);
    }

    #[test]
    fn what_keeps_files_and_what_may_be_paged_out_to_is_free() {
        let text =
            "MemTotal:       24582240 kB\nMemFree:  1 kB\nMemAvailable:   1024 kB\nSwapFree:  512 kB\n";
        assert_eq!(free(text), Some(1536 << 10));
        assert_eq!(free(&text.replace("SwapFree", "Other")), Some(1 << 20));
        assert_eq!(free("MemTotal: 5 kB\n"), None);
    }

    #[test]
    fn the_version_of_the_driver_is_found_among_words() {
        let text =
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\n";
        assert_eq!(version(text).as_deref(), Some("550.54.15"));
        assert_eq!(version("GCC version"), None);
    }
}
