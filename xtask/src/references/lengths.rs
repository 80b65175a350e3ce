//! Checks that no file of code is too long to read at one sitting.

use std::path::Path;

/// Most lines of a file.
const MOST: usize = 400;

/// Endings of files of code.
const CODE: [&str; 2] = ["rs", "py"];

/// A table: one checkpoint a function.
const TABLE: &str = "tests/golden/torch/catalogue.py";

/// What is wrong with the length of the file `name`.
pub fn fault(name: &Path, text: &str) -> Option<String> {
    let is_code = name.extension().is_some_and(|ending| CODE.iter().any(|code| ending == *code));
    let lines = text.lines().count();
    if !is_code || lines <= MOST || name == Path::new(TABLE) {
        return None;
    }
    let name = name.display();
    Some(format!("{name}: expected at most {MOST} lines, found {lines}; give each concept a file"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_is_too_long_is_named_and_a_table_or_a_document_may_be_long() {
        let fault = |name: &str, lines: usize| fault(Path::new(name), &"x\n".repeat(lines));
        assert_eq!(fault("a.rs", MOST), None);
        assert_eq!(fault(TABLE, MOST + 1), None);
        assert_eq!(fault("a.md", MOST + 1), None);
        let expected = "a.rs: expected at most 400 lines, found 401; give each concept a file";
        assert_eq!(fault("a.rs", MOST + 1).as_deref(), Some(expected));
    }
}
