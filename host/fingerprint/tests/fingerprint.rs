//! What the cache of parsed rows is keyed by: a changed reader changes it, a changed comment does not.

#![allow(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

use mteb_fingerprint::{Fingerprint, packages_below};

fn of(code: &str) -> u64 {
    let mut fingerprint = Fingerprint::default();
    fingerprint.add_code(code).unwrap();
    fingerprint.finish()
}

#[test]
fn comments_documentation_and_layout_do_not_count() {
    let plain =
        "#[derive(Debug)] struct Rows { next: usize, } fn read(text: &str) -> usize { text.len() + 1 }";
    let dressed = "//! Reads rows.\n\n/// Rows.\n#[derive(Debug)]\nstruct Rows {\n    /// The next one.\n    next: usize,\n}\n\
                   // Counts.\nfn read(text: &str) -> usize {\n    /* all */ text.len() + 1\n}\n";
    assert_eq!(of(dressed), of(plain));
}

#[test]
fn every_word_of_a_reader_counts() {
    let code = "#[derive(Debug)] fn read(text: &str) -> usize { text.len() + 1 }";
    for changed in ["text.len() + 2", "text.len() - 1", "text.trim().len() + 1", "(text.len() + 1)"] {
        assert_ne!(of(&code.replace("text.len() + 1", changed)), of(code), "{changed}");
    }
    assert_ne!(of(&code.replace("Debug", "Clone")), of(code), "attributes count");
    assert_ne!(of("const SEPARATOR: &str = \"a b\";"), of("const SEPARATOR: &str = \"a  b\";"));
}

#[test]
fn what_the_readers_are_built_from_counts_and_other_packages_do_not() {
    let package = |name: &str, version: &str, needs: &str| {
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndependencies = [\n{needs}]\n\n")
    };
    let lock = |csv: &str, clap: &str| {
        package("mteb-data", "0.1.0", " \"csv\",\n")
            + &package("csv", csv, " \"memchr\",\n")
            + &package("memchr", "2", "")
            + &package("clap", clap, "")
    };
    let before = packages_below("mteb-data", &lock("1.3.0", "4.0.0"));
    assert_eq!(
        before.iter().map(String::as_str).collect::<Vec<_>>(),
        ["csv 1.3.0", "memchr 2", "mteb-data 0.1.0"]
    );
    assert_eq!(packages_below("mteb-data", &lock("1.3.0", "4.1.0")), before);
    assert_ne!(packages_below("mteb-data", &lock("1.4.0", "4.0.0")), before);
}
