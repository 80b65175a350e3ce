//! What files of code must be: no longer than can be read at one sitting, and, but for `host/system`, free of
//! what only one system has, so that the rest compiles for every system.

use std::path::Path;

/// Most lines of a file.
const MOST: usize = 400;

/// Endings of files of code.
const CODE: [&str; 2] = ["rs", "py"];

/// A table: one checkpoint a function.
const TABLE: &str = "tests/golden/torch/catalogue.py";

/// What is wrong with the length of the file `name`.
pub fn length_fault(name: &Path, text: &str) -> Option<String> {
    let is_code = name.extension().is_some_and(|ending| CODE.iter().any(|code| ending == *code));
    let lines = text.lines().count();
    if !is_code || lines <= MOST || name == Path::new(TABLE) {
        return None;
    }
    let name = name.display();
    Some(format!("{name}: expected at most {MOST} lines, found {lines}; give each concept a file"))
}

/// The crate that may ask which system it is.
const CRATE: &str = "host/system";

/// Folders of the crates that are built for users.
const CRATES: [&str; 4] = ["host", "indonesia", "plugin-api", "plugins"];

/// What only Linux has, and the question which system it is, as code has them.
const OF_ONE_SYSTEM: [&str; 20] = [
    "target_os",
    "target_vendor",
    "os::linux",
    "os::macos",
    "\"/proc",
    "\"/sys/",
    "\"/dev/shm",
    "memfd",
    "fcntl_add_seals",
    "fcntl_get_seals",
    "landlock::",
    "prctl",
    "parent_process_death_signal",
    "no_new_privs",
    "pidfd",
    "sched_getaffinity",
    "sched_setaffinity",
    "epoll",
    "inotify",
    "OFlags::TMPFILE",
];

/// One line for each place in the file `name` that belongs into `host/system`. Comments and tests, which run on Linux, do not count.
pub fn system_faults(name: &Path, text: &str) -> Vec<String> {
    let is_built =
        CRATES.iter().any(|folder| name.starts_with(folder)) && name.iter().any(|part| part == "src");
    let is_code = name.extension().is_some_and(|ending| ending == "rs");
    if !is_built || !is_code || name.starts_with(CRATE) || name.ends_with("tests.rs") {
        return Vec::new();
    }
    let code = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    let lines = code.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with("//"));
    let faults = lines.filter_map(|(line, number)| {
        let found = OF_ONE_SYSTEM.iter().find(|word| line.contains(**word))?;
        let name = name.display();
        Some(format!(
            "{name}:{number}: expected what only one system has in {CRATE}, beside its twin for others, found `{found}` here"
        ))
    });
    faults.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_is_too_long_is_named_and_a_table_or_a_document_may_be_long() {
        let fault = |name: &str, lines: usize| length_fault(Path::new(name), &"x\n".repeat(lines));
        assert_eq!(fault("a.rs", MOST), None);
        assert_eq!(fault(TABLE, MOST + 1), None);
        assert_eq!(fault("a.md", MOST + 1), None);
        let expected = "a.rs: expected at most 400 lines, found 401; give each concept a file";
        assert_eq!(fault("a.rs", MOST + 1).as_deref(), Some(expected));
    }

    #[test]
    fn what_only_linux_has_is_found_outside_its_crate_but_not_in_comments_and_tests() {
        let text = "//! Reads \"/proc/self/maps\".\nfn image() -> &'static str {\n    \"/proc/self/exe\"\n}\n\n\
                    #[cfg(test)]\nmod tests {\n    const MAPS: &str = \"/proc/self/maps\";\n}\n";
        let of = |name: &str| system_faults(Path::new(name), text);
        let expected = "host/engine/src/a.rs:3: expected what only one system has in host/system, beside its twin for others, \
                        found `\"/proc` here";
        assert_eq!(of("host/engine/src/a.rs"), [expected]);
        for elsewhere in
            ["host/system/src/a.rs", "tests/cli/a.rs", "host/search/examples/a.rs", "plugins/a/src/a.md"]
        {
            assert_eq!(of(elsewhere), [""; 0], "{elsewhere}");
        }
        let asked = "#[cfg(target_os = \"linux\")]\nfn f() {}\n";
        assert_eq!(system_faults(Path::new("plugins/torch-encoder/src/b.rs"), asked).len(), 1);
    }
}
