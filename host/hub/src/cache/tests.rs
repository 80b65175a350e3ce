//! What the cache makes, and what it leaves alone.

use std::os::unix::fs::symlink;

use super::*;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

struct Given {
    folder: tempfile::TempDir,
    cache: Cache,
    at: AtCommit,
    etag: Etag,
}

/// A cache that holds the bytes `abc` of the dataset lab/numbers, beside a folder with a file of the user.
fn given() -> Given {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::new(&folder.path().join("hub"));
    let at = AtCommit {
        repository: Repository::dataset("lab/numbers", "main"),
        commit: Commit::parse(COMMIT).unwrap(),
    };
    fs::write(cache.blobs(&at.repository).unwrap().join("abc"), "1").unwrap();
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("own/a.csv"), "mine").unwrap();
    Given { folder, cache, at, etag: Etag::parse("abc").unwrap() }
}

impl Given {
    fn snapshot(&self) -> PathBuf {
        let folder = self.cache.snapshot(&self.at);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn link(&self, file: &str) -> Result<(), String> {
        self.cache.link(&self.at, file, &self.etag).map_err(|error| self.shown(&error))
    }

    fn shown(&self, error: &HubError) -> String {
        error.to_string().replace(&format!("{}/", self.folder.path().display()), "")
    }

    fn assert_untouched(&self) {
        assert_eq!(fs::read_to_string(self.folder.path().join("own/a.csv")).unwrap(), "mine");
        assert_eq!(fs::read_dir(self.folder.path().join("own")).unwrap().count(), 1);
    }
}

#[test]
fn a_file_is_a_link_to_its_bytes_and_a_dangling_link_is_made_anew() {
    let given = given();
    assert_eq!(given.cache.holds(&given.at, "data/a.csv").ok(), Some(false));
    given.link("data/a.csv").unwrap();
    assert_eq!(given.cache.holds(&given.at, "data/a.csv").ok(), Some(true));
    let path = given.snapshot().join("b.csv");
    symlink("../../blobs/gone", &path).unwrap();
    assert_eq!(given.cache.holds(&given.at, "b.csv").ok(), Some(false));
    given.link("b.csv").unwrap();
    assert_eq!(fs::read_to_string(path).unwrap(), "1");
}

#[test]
fn a_link_that_leads_out_is_neither_followed_nor_replaced() {
    let given = given();
    let path = given.snapshot().join("a.csv");
    symlink(given.folder.path().join("own/a.csv"), &path).unwrap();
    let message =
        "hub/datasets--lab--numbers/snapshots/0123456789abcdef0123456789abcdef01234567/a.csv: expected";
    assert!(given.link("a.csv").unwrap_err().starts_with(message));
    let error = given.shown(&given.cache.holds(&given.at, "a.csv").unwrap_err());
    assert!(error.starts_with(message) && error.contains("own/a.csv"), "{error}");
    assert!(path.symlink_metadata().unwrap().is_symlink());
    given.assert_untouched();
}

#[test]
fn a_folder_that_is_a_link_is_not_entered() {
    let given = given();
    symlink(given.folder.path().join("own"), given.snapshot().join("data")).unwrap();
    let error = given.link("data/b.csv").unwrap_err();
    assert!(error.contains("data: expected a folder, found a link"), "{error}");
    given.assert_untouched();
}

#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let given = given();
    fs::write(given.snapshot().join("a.csv"), "mine").unwrap();
    assert!(given.link("a.csv").unwrap_err().contains("found a file"));
    assert_eq!(fs::read_to_string(given.snapshot().join("a.csv")).unwrap(), "mine");
}

#[test]
fn a_damaged_note_of_a_branch_is_named() {
    let given = given();
    given.cache.note_commit(&given.at).unwrap();
    assert_eq!(given.cache.commit(&given.at.repository).unwrap().unwrap().as_str(), COMMIT);
    let note = given.folder.path().join("hub/datasets--lab--numbers/refs/main");
    fs::write(&note, "../../../own").unwrap();
    let error = given.shown(&given.cache.commit(&given.at.repository).unwrap_err());
    assert_eq!(
        error,
        "hub/datasets--lab--numbers/refs/main: expected a commit of 40 hex digits, found: ../../../own; remove the file"
    );
    fs::remove_file(&note).unwrap();
    symlink(given.folder.path().join("own/a.csv"), &note).unwrap();
    assert!(given.cache.note_commit(&given.at).is_err());
    given.assert_untouched();
}

#[test]
fn a_copied_file_is_held_to_what_the_hub_lists() {
    let given = given();
    fs::write(given.snapshot().join("a.csv"), "hello\n").unwrap();
    let listed =
        |size: u64, hash: &str| RemoteFile { path: "a.csv".to_owned(), size, hash: Some(hash.to_owned()) };
    let check = |file: &RemoteFile| given.cache.check(&given.at, file).map_err(|error| given.shown(&error));
    let own = "ce013625030ba8dba906f756967f9e9ca394464a";
    assert_eq!(check(&listed(6, own)), Ok(()));
    let error = check(&listed(9, own)).unwrap_err();
    assert!(error.contains("a.csv: expected 9 bytes, as the hub lists it, found 6 bytes"), "{error}");
    let error = check(&listed(6, &"0".repeat(40))).unwrap_err();
    assert!(
        error.contains(&format!("expected the hash {}, as the hub lists it", "0".repeat(40)))
            && error.contains(own),
        "{error}"
    );
}

#[test]
fn a_blob_that_git_named_is_held_to_its_name() {
    let given = given();
    let name = "ce013625030ba8dba906f756967f9e9ca394464a";
    let blob = given.cache.blobs(&given.at.repository).unwrap().join(name);
    fs::write(&blob, "hello\n").unwrap();
    symlink(format!("../../blobs/{name}"), given.snapshot().join("a.csv")).unwrap();
    let file = RemoteFile { path: "a.csv".to_owned(), size: 6, hash: None };
    assert!(given.cache.check(&given.at, &file).is_ok());
    fs::write(&blob, "hullo\n").unwrap();
    let error = given.shown(&given.cache.check(&given.at, &file).unwrap_err());
    assert!(error.contains(&format!("expected the bytes whose hash is its name, {name}, found ")), "{error}");
    // A blob of another form of name is looked at where its size is not the listed one.
    let long = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    fs::write(given.cache.blobs(&given.at.repository).unwrap().join(long), "hello, all\n").unwrap();
    symlink(format!("../../blobs/{long}"), given.snapshot().join("b.csv")).unwrap();
    let listed = |size| RemoteFile { path: "b.csv".to_owned(), size, hash: Some(long.to_owned()) };
    assert!(given.cache.check(&given.at, &listed(11)).is_ok());
    assert!(given.cache.check(&given.at, &listed(6)).is_err());
}
