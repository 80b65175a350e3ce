//! Git addresses, and the registries of repositories that the tests make.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use super::address::Protocol;
use super::contents::check_entries;
use super::program::TreeEntry;
use super::*;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]);
    let output = command.args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Commits all in `folder`; gives the hash.
fn commit(folder: &Path) -> String {
    if !folder.join(".git").exists() {
        git(folder, &["init", "--quiet", "--initial-branch=main"]);
    }
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "a commit"]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A repository with one registry, and its commit.
fn repository() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("cards")).unwrap();
    fs::write(folder.path().join("desa.toml"), "schema = 1\nname = \"desa\"\ncards = [\"cards\"]\n").unwrap();
    fs::write(folder.path().join("cards/data.csv"), "a,b\n1,2\n").unwrap();
    let hash = commit(folder.path());
    (folder, hash)
}

fn fetched(repository: &Path, commit: &str, root: &Path) -> Result<PathBuf, String> {
    let address = Address::read(&format!("git+file://{}@{commit}", repository.display()))?;
    let Named::Commit(hash) = &address.named else { return Err(no_commit(&address, false)) };
    let kept = Kept::at(root, &address, hash);
    if !kept.exists() {
        kept.fetch(&address, hash)?;
    }
    registry_file(&kept.checked()?, &address)
}

#[test]
fn an_address_is_a_repository_a_commit_and_a_file() {
    let read = |text: &str| Address::read(text).unwrap();
    let plain = read(&format!("https://example.org/a/b.git@{COMMIT}"));
    assert_eq!((plain.url.as_str(), plain.protocol), ("https://example.org/a/b.git", Protocol::Https));
    assert_eq!((plain.named, plain.file), (Named::Commit(COMMIT.to_owned()), None));
    let within = read(&format!("git+https://example.org/a@{}:sub/mine.toml", COMMIT.to_uppercase()));
    assert_eq!(within.file.as_deref(), Some("sub/mine.toml"));
    assert_eq!(within.pinned(COMMIT), format!("https://example.org/a@{COMMIT}:sub/mine.toml"));
    let user = read("git+ssh://git@example.org/a/b");
    assert_eq!((user.url.as_str(), user.named), ("ssh://git@example.org/a/b", Named::Nothing));
    assert_eq!(read("https://example.org/a@feature/x").named, Named::Reference("feature/x".to_owned()));
}

#[test]
fn addresses_that_would_be_options_or_programs_or_tell_secrets_are_refused() {
    let refused = [
        "ext::sh -c touch% /tmp/x",
        "git+ext::sh",
        "git+-oProxyCommand=x",
        "git@example.org:a/b",
        "http://example.org/a@1",
        "git://example.org/a",
        "file:///nowhere/at/all",
        "git+ssh://-oProxyCommand=x/a",
        "git+ssh://-lroot@example.org/a",
        "https:///a",
        "https://user:token@example.org/a",
        "https://token@example.org/a",
        "https://example.org/a b",
        "https://example.org/a@--upload-pack=x",
        "https://example.org/a@main:../x.toml",
        "https://example.org/a@main:/etc/x.toml",
        "https://example.org/a@main:data.csv",
        "https://example.org",
    ];
    for text in refused {
        assert!(Address::read(text).is_err(), "{text}: {:?}", Address::read(text));
    }
    assert!(refused[..3].iter().all(|text| is_git_address(text)));
    for file in ["desa.toml", "a@b.toml", "indonesia@1", "./x/y.toml"] {
        assert!(!is_git_address(file), "{file}");
    }
}

#[test]
fn a_commit_is_fetched_once_and_checked_at_each_use() {
    let (repository, first) = repository();
    let cache = tempfile::tempdir().unwrap();
    // A later commit is not read, and hooks and filters of the repository are not run.
    fs::write(repository.path().join(".gitattributes"), "*.csv filter=evil\n").unwrap();
    fs::write(repository.path().join("cards/data.csv"), "a,b\n3,4\n").unwrap();
    let second = commit(repository.path());
    let file = fetched(repository.path(), &first, cache.path()).unwrap();
    let data = file.with_file_name("cards").join("data.csv");
    assert_eq!(fs::read_to_string(&data).unwrap(), "a,b\n1,2\n");
    assert!(fs::metadata(&data).unwrap().permissions().readonly());
    let other = fetched(repository.path(), &second, cache.path()).unwrap();
    assert_eq!(fs::read_to_string(other.with_file_name("cards").join("data.csv")).unwrap(), "a,b\n3,4\n");
    // Without the repository, from the cache; what was changed or added there is not read.
    let gone = repository.path().with_extension("gone");
    fs::rename(repository.path(), &gone).unwrap();
    fs::create_dir(repository.path()).unwrap();
    assert_eq!(fetched(repository.path(), &first, cache.path()), Ok(file.clone()));
    fs::write(file.with_file_name("more.toml"), "").unwrap();
    let said = fetched(repository.path(), &first, cache.path()).unwrap_err();
    assert!(said.contains("expected the files of the commit alone, found "), "{said}");
    fs::remove_file(file.with_file_name("more.toml")).unwrap();
    fs::remove_file(&data).unwrap();
    fs::write(&data, "a,b\n1,9\n").unwrap();
    let said = fetched(repository.path(), &first, cache.path()).unwrap_err();
    assert!(said.contains("expected cards/data.csv as it was fetched, found another"), "{said}");
    fs::remove_dir_all(&gone).unwrap();
}

#[test]
fn names_that_move_are_answered_with_the_commit_that_they_stand_for_now() {
    let (repository, hash) = repository();
    let cache = tempfile::tempdir().unwrap();
    git(repository.path(), &["tag", "--annotate", "v1", "--message", "first"]);
    let address = format!("git+file://{}", repository.path().canonicalize().unwrap().display());
    for name in ["main", "v1", &hash[..12]] {
        let said = fetched(repository.path(), name, cache.path()).unwrap_err();
        let expected = format!("found the branch, tag or short hash `{name}`; now it is `{address}@{hash}`");
        assert!(said.ends_with(&expected), "{said}");
    }
    let said = fetched(repository.path(), "absent", cache.path()).unwrap_err();
    assert!(said.ends_with("`absent`, which the repository does not have"), "{said}");
    let tag = git(repository.path(), &["rev-parse", "v1"]);
    let said = fetched(repository.path(), &tag, cache.path()).unwrap_err();
    assert!(said.contains(&format!("found that of a tag; its commit is {hash}")), "{said}");
    assert!(fetched(repository.path(), COMMIT, cache.path()).is_err());
}

#[test]
fn links_that_leave_the_commit_and_submodules_are_refused() {
    let (inside, _) = repository();
    symlink("cards/data.csv", inside.path().join("same.csv")).unwrap();
    let hash = commit(inside.path());
    let cache = tempfile::tempdir().unwrap();
    let file = fetched(inside.path(), &hash, cache.path()).unwrap();
    assert_eq!(fs::read_to_string(file.with_file_name("same.csv")).unwrap(), "a,b\n1,2\n");
    for target in ["/etc/passwd", "../../../../outside", "nowhere"] {
        let (outside, _) = repository();
        symlink(target, outside.path().join("cards/link.csv")).unwrap();
        let hash = commit(outside.path());
        let said = fetched(outside.path(), &hash, cache.path()).unwrap_err();
        assert!(said.contains(&format!("found cards/link.csv -> {target}")), "{said}");
    }
    let (outer, _) = repository();
    let source = inside.path().to_string_lossy().into_owned();
    git(outer.path(), &["submodule", "--quiet", "add", &source, "sub"]);
    let hash = commit(outer.path());
    let said = fetched(outer.path(), &hash, cache.path()).unwrap_err();
    assert!(said.contains("expected a commit without submodules, found one: sub"), "{said}");
}

#[test]
fn paths_that_lead_out_are_refused() {
    let entry = |path: &str| TreeEntry {
        mode: "100644".to_owned(),
        object: COMMIT.to_owned(),
        size: Some(1),
        path: path.to_owned(),
    };
    for path in ["../x", "a/../../x", "/x", ".git/config", "a/.GIT/hooks/x", "a\\b", ""] {
        assert!(check_entries(&[entry(path)]).is_err(), "{path}");
    }
    assert!(check_entries(&[entry("a"), entry("a")]).is_err());
    assert_eq!(check_entries(&[entry("a/b.toml"), entry(".gitattributes")]), Ok(()));
}

#[test]
fn of_several_registries_one_is_named() {
    let (folder, _) = repository();
    fs::write(folder.path().join("kota.toml"), "schema = 1\nname = \"kota\"\ncards = [\"cards\"]\n").unwrap();
    let hash = commit(folder.path());
    let cache = tempfile::tempdir().unwrap();
    let said = fetched(folder.path(), &hash, cache.path()).unwrap_err();
    assert!(said.contains("found desa.toml, kota.toml; name one as `…@COMMIT:desa.toml`"), "{said}");
    let file = fetched(folder.path(), &format!("{hash}:kota.toml"), cache.path()).unwrap();
    assert!(file.ends_with("kota.toml"), "{}", file.display());
}
