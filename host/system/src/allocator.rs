//! What glibc's allocator does with memory that is freed.

/// The variable, and its value, that has up to a gigabyte of freed memory stay with a process. An encoder takes and gives back the same
/// few megabytes for every layer. By itself glibc hands them back to the system each time, which has to empty them again: a fifth of the
/// time of short texts.
pub const KEEPS_MEMORY: (&str, &str) =
    ("GLIBC_TUNABLES", "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=1073741824");

/// Whether the allocator is told something by a variable of this name.
pub fn is_told_by(name: &str) -> bool {
    name.starts_with(KEEPS_MEMORY.0) || name.starts_with("MALLOC_")
}
