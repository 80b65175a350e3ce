//! Names that a hub or a card gives: of repositories, revisions and files. None may lead out of its folder.

use std::collections::HashMap;

use crate::{HubError, RemoteFile, Repository};

/// Most bytes of one part of a path, as file systems have it.
const LONGEST_PART: usize = 255;

/// Most bytes of a path inside a repository.
const LONGEST_PATH: usize = 1024;

/// Checks the name and the revision of a repository.
///
/// # Errors
/// If they are no `organisation/name` and no commit, branch or tag.
pub(crate) fn check_repository(repository: &Repository) -> Result<(), HubError> {
    let is_word = |word: &str| {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        !word.is_empty()
            && word.len() <= 96
            && word.bytes().all(allowed)
            && !word.contains("..")
            && word != "."
    };
    let Repository { id, revision, .. } = repository;
    // `--` stands for `/` in the cache, so such a name could be another repository's.
    let is_name = id.split('/').all(is_word) && id.split('/').count() <= 2 && !id.contains("--");
    if !is_name {
        return Err(HubError::RepositoryName(id.clone()));
    }
    if !is_inside(revision) {
        return Err(HubError::Revision { id: id.clone(), revision: revision.clone() });
    }
    Ok(())
}

/// Checks the path of a file inside its repository.
///
/// # Errors
/// If it leads out of the repository, or no file can have it.
pub(crate) fn check_file(repository: &Repository, file: &str) -> Result<(), HubError> {
    if is_inside(file) {
        return Ok(());
    }
    let file = file.chars().take(200).collect();
    Err(HubError::UnsafePath { repository: Box::new(repository.clone()), file })
}

/// The files of distinct names, which are to lie side by side on any file system.
///
/// # Errors
/// As [`check_file`], and if two of them differ by case alone.
pub(crate) fn distinct_files<'a>(
    repository: &Repository,
    files: &'a [RemoteFile],
) -> Result<Vec<&'a RemoteFile>, HubError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    let mut distinct = Vec::new();
    for file in files {
        check_file(repository, &file.path)?;
        match seen.insert(file.path.to_lowercase(), &file.path) {
            None => distinct.push(file),
            Some(before) if before == file.path => {}
            Some(_) => {
                let (repository, file) = (Box::new(repository.clone()), file.path.clone());
                return Err(HubError::SameButCase { repository, file });
            }
        }
    }
    Ok(distinct)
}

/// True for a path of plain parts, which stays below the folder that it is joined to.
fn is_inside(path: &str) -> bool {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && part.len() <= LONGEST_PART;
    let steers = |character: char| character.is_control() || character == '\\';
    path.len() <= LONGEST_PATH && !path.contains(steers) && path.split('/').all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_inside_its_repository() {
        let repository = Repository::dataset("lab/numbers", "main");
        for file in ["a", "data/ind Latn#1.csv", ".gitattributes", "é/…"] {
            assert!(check_file(&repository, file).is_ok(), "{file}");
        }
        let long = "a/".repeat(600) + "a";
        for file in
            ["", "/a", "..", "a/../b", "./a", "a//b", "a/", "a\\b", "a\0b", "a\nb", &"a".repeat(256), &long]
        {
            assert!(check_file(&repository, file).is_err(), "{file:?}");
        }
    }

    #[test]
    fn two_files_of_one_name_but_for_case_are_refused() {
        let repository = Repository::dataset("lab/numbers", "main");
        let files =
            |names: [&str; 2]| names.map(|path| RemoteFile { path: path.to_owned(), size: 1, hash: None });
        let distinct = |names| distinct_files(&repository, &files(names)).map(|files| files.len()).ok();
        assert_eq!(distinct(["a.csv", "b.csv"]), Some(2));
        assert_eq!(distinct(["a.csv", "a.csv"]), Some(1));
        assert_eq!(distinct(["a.csv", "A.csv"]), None);
    }

    #[test]
    fn a_card_cannot_name_a_place_outside_the_cache() {
        let check = |id, revision| check_repository(&Repository::dataset(id, revision));
        for (id, revision) in [("lab/numbers", "main"), ("squad", "v1.0"), ("lab/n.1_2-3", "refs/pr/1")] {
            assert!(check(id, revision).is_ok(), "{id} {revision}");
        }
        for (id, revision) in [
            ("", "main"),
            ("..", "main"),
            ("lab/..", "main"),
            ("a/b/c", "main"),
            ("lab/a?b", "main"),
            ("lab--a/b", "main"),
            ("lab/numbers", ""),
            ("lab/numbers", "../../outside"),
            ("lab/numbers", "/etc/passwd"),
        ] {
            assert!(check(id, revision).is_err(), "{id} {revision}");
        }
    }
}
