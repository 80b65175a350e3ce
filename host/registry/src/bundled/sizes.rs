//! How many texts and characters a task has, as far as the reference counted them.

use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!(concat!(env!("OUT_DIR"), "/sizes.tsv"));

/// The texts of a task, of all its splits and subsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Texts, each counted once a column and split.
    pub texts: u64,
    /// Their characters.
    pub characters: u64,
}

/// The size of the task `name`; `None` where nobody counted.
pub fn size(name: &str) -> Option<Size> {
    static SIZES: OnceLock<HashMap<&str, Size>> = OnceLock::new();
    SIZES.get_or_init(|| TABLE.lines().filter_map(read).collect()).get(name).copied()
}

fn read(line: &'static str) -> Option<(&'static str, Size)> {
    let mut cells = line.split('\t');
    let (name, texts, characters) = (cells.next()?, cells.next()?, cells.next()?);
    Some((name, Size { texts: texts.parse().ok()?, characters: characters.parse().ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_that_the_reference_counted() {
        assert_eq!(size("SciFact"), Some(Size { texts: 5_483, characters: 7_798_555 }));
        assert_eq!(size("NoSuchTask"), None);
    }
}
