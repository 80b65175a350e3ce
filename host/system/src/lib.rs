//! What each operating system does in its own way. Everything that only Linux has stands here, beside a twin for other systems that
//! does what can be done there: nobody else asks which system this is.

pub mod allocator;
pub mod confine;
pub mod machine;
pub mod memory_file;
pub mod parent;
pub mod process;
pub mod tile_data;

/// What a twin for other systems cannot do, one clause each; nothing on Linux, where the kernel itself is asked.
pub fn lacking() -> &'static [&'static str] {
    if cfg!(target_os = "linux") { &[] } else { &ELSEWHERE }
}

/// On any system but Linux.
const ELSEWHERE: [&str; 3] = [
    "plugins can write wherever you can, and the parser of data files can reach the network",
    "a plugin that truncates the memory it shares with mteb-host ends mteb-host",
    "a worker outlives a killed mteb-host until it has answered",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_lacks_nothing_that_is_known_beforehand() {
        assert_eq!(lacking().is_empty(), cfg!(target_os = "linux"));
        assert!(ELSEWHERE.iter().all(|clause| !clause.ends_with('.')));
    }
}
