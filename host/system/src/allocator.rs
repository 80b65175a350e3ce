//! What glibc's allocator does with memory that is freed.

/// Variables by which it is told: the one that [`KEEPS_MEMORY`] is a value of, and how others begin.
pub const VARIABLES: [&str; 2] = ["GLIBC_TUNABLES", "MALLOC_"];

/// Has up to a gigabyte of freed memory stay with the process. An encoder takes and gives back the same few megabytes for every layer. By
/// itself glibc hands them back to the system each time, which has to empty them again: a fifth of the time of short texts.
pub const KEEPS_MEMORY: &str = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=1073741824";
