//! Linux: what `/proc` says of processes.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use super::family::Life;

/// The kernel counts processor time for user space in hundredths of a second, whatever its own clock.
const TICK: Duration = Duration::from_millis(10);

/// Where the running program lies, whatever its name.
const IMAGE: &str = "/proc/self/exe";

pub fn image() -> io::Result<PathBuf> {
    let image = PathBuf::from(IMAGE);
    if image.exists() { Ok(image) } else { std::env::current_exe() }
}

#[allow(unsafe_code, reason = "nothing safe makes this call of the system")]
pub fn keep_files_from_programs() {
    const FIRST: libc::c_uint = 3;
    // SAFETY: the call takes three numbers and touches no memory of ours. It closes nothing here, and marks what programs do not inherit;
    // what is to be inherited is said where a program is started. A kernel before 5.11 does not know it, and changes nothing.
    let _ =
        unsafe { libc::syscall(libc::SYS_close_range, FIRST, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

pub fn missing() -> Option<&'static str> {
    (!Path::new(IMAGE).exists())
        .then_some("the system's folder /proc, by which plugins are found and started")
}

pub fn is_made_for_each(path: &Path, is_link: bool) -> bool {
    is_link && path.starts_with("/proc")
}

pub fn mapped_files(process: Option<u32>) -> Vec<PathBuf> {
    let maps = fs::read_to_string(file(process, "maps")).unwrap_or_default();
    let mut paths: Vec<PathBuf> =
        maps.lines().filter_map(|line| Some(line.get(line.find('/')?..)?.into())).collect();
    paths.sort();
    paths.dedup();
    paths
}

pub fn children(process: u32) -> Vec<u32> {
    let threads = fs::read_dir(file(Some(process), "task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>())
        .collect()
}

pub fn processor_time(process: Option<u32>) -> Option<Duration> {
    let stat = fs::read_to_string(file(process, "stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace().skip(11);
    let (user, system): (u32, u32) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(TICK * user + TICK * system)
}

pub fn peak_memory(process: Option<u32>) -> Option<u64> {
    bytes(process, "VmHWM:")
}

pub fn resident_memory(process: Option<u32>) -> Option<u64> {
    bytes(process, "VmRSS:")
}

pub fn anonymous_memory(process: Option<u32>) -> Option<u64> {
    bytes(process, "RssAnon:")
}

pub fn address_space() -> Option<u64> {
    bytes(None, "VmSize:")
}

pub fn bounded_memory() -> Option<u64> {
    bytes(None, "VmData:")
}

pub fn numbering() -> Option<String> {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    let space = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{} {}", boot.trim(), space.display()))
}

pub fn life(process: u32) -> Option<Life> {
    let stat = fs::read_to_string(file(Some(process), "stat")).ok()?;
    // The name of the program, in brackets, may hold anything.
    let mut fields = stat.get(stat.rfind(')')? + 1..)?.split_ascii_whitespace();
    let has_ended = matches!(fields.next()?, "Z" | "X" | "x");
    Some(Life { began: fields.nth(18)?.parse().ok()?, has_ended })
}

pub fn ignored_signals() -> Vec<i32> {
    let mask =
        status(None, "SigIgn:").and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

pub fn core_numbers() -> Vec<usize> {
    let list = status(None, "Cpus_allowed_list:").unwrap_or_default();
    list.trim().split(',').flat_map(range).collect()
}

/// The numbers of `3` or `0-3`.
fn range(text: &str) -> Vec<usize> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    first
        .parse()
        .ok()
        .zip(last.parse().ok())
        .map(|(first, last)| (first..=last).collect())
        .unwrap_or_default()
}

/// A line of what the kernel says of a process, in bytes.
fn bytes(process: Option<u32>, name: &str) -> Option<u64> {
    let kilobytes: u64 = status(process, name)?.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kilobytes << 10)
}

/// A line of what the kernel says of a process, without its name.
fn status(process: Option<u32>, name: &str) -> Option<String> {
    let status = fs::read_to_string(file(process, "status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned)
}

fn file(process: Option<u32>, name: &str) -> String {
    process.map_or_else(|| format!("/proc/self/{name}"), |process| format!("/proc/{process}/{name}"))
}
