//! What `pyvenv.cfg` names as the folder of the interpreter, however a Python may read it.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What ends a line for `str.splitlines` of Python, by which the interpreter reads the file; `site.py` reads it as a text file.
const LINE_ENDS: [char; 10] =
    ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

/// The same for a text file.
const TEXT_LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Every folder that a configuration names as `home`: the first one counts for the interpreter, the last one for `site.py`.
///
/// # Errors
/// One line if the file cannot be read.
pub fn homes(configuration: &Path) -> Result<Vec<PathBuf>, String> {
    match mteb_files::read_to_string(configuration, mteb_files::TEXT) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(format!("{} cannot be read: {error}", configuration.display())),
        Ok(text) => Ok(named(&text)),
    }
}

fn named(text: &str) -> Vec<PathBuf> {
    let lines = text.split(LINE_ENDS).chain(text.split(TEXT_LINE_ENDS));
    let pairs = lines.filter_map(|line| line.split_once('='));
    let homes = pairs.filter(|(key, _)| stripped(key).eq_ignore_ascii_case("home"));
    let mut homes: Vec<PathBuf> = homes.map(|(_, folder)| PathBuf::from(stripped(folder))).collect();
    homes.sort();
    homes.dedup();
    homes
}

/// What `str.strip` of Python leaves, which takes four separators for spaces, too; and no mark of the order of bytes.
fn stripped(text: &str) -> &str {
    let is_space =
        |letter: char| letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}' | '\u{feff}');
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_python_may_take_for_home_is_named() {
        let found = |text: &str| -> Vec<String> {
            named(text).iter().map(|home| home.display().to_string()).collect()
        };
        for text in
            ["home = /a", "\tHOME=/a \r\n", "x = 1\rhome = /a\n", "x=1\u{1c}home = /a", "home\u{b}= /a\u{c}"]
        {
            assert!(found(text).contains(&"/a".to_owned()), "{text:?}: {:?}", found(text));
        }
        assert_eq!(found("home = /b\nversion = 3\nhome = /a\n"), ["/a", "/b"]);
        assert_eq!(found("#home = /a\nhomes = /b\n"), [""; 0]);
    }
}
