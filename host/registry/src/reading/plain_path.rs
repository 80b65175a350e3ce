//! Paths as people write them.

use std::path::{Component, Path, PathBuf};

/// The same path without `.` in it, and without folders that the `..` behind them leaves again; what a link leads to stays.
pub fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        let is_folder = matches!(plain.components().next_back(), Some(Component::Normal(_)));
        if component == Component::ParentDir && is_folder && plain.is_dir() && !plain.is_symlink() {
            plain.pop();
        } else {
            plain.push(component);
        }
    }
    if plain.as_os_str().is_empty() { PathBuf::from(".") } else { plain }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_folder_is_left_again_unless_a_link_leads_there() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        fs::create_dir_all(at("cards/sub")).unwrap();
        std::os::unix::fs::symlink(at("cards/sub"), at("link")).unwrap();
        assert_eq!(plain_path(&at("cards/sub/../../data/a.csv")), at("data/a.csv"));
        assert_eq!(plain_path(&at("./cards/./a.csv")), at("cards/a.csv"));
        assert_eq!(plain_path(&at("link/../a.csv")), at("link/../a.csv"));
        assert_eq!(plain_path(&at("absent/../a.csv")), at("absent/../a.csv"));
        assert_eq!(plain_path(Path::new("./a.csv")), Path::new("./a.csv"));
        assert_eq!(plain_path(Path::new("")), Path::new("."));
    }
}
