//! Checks who may write to a path: one that others can change is not trusted.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, Metadata};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use mteb_system::process::is_made_for_each;

/// Links that are followed before a path counts as one without end, as the system counts them.
const MOST_LINKS: usize = 40;

const GROUP_WRITES: u32 = 0o020;
const ALL_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// Checks that nobody but the user and the administrator can change what `path` leads to: the file or folder, every
/// folder above it, and every link on the way. Of a place that is absent, what is above it is checked.
///
/// A folder like `/tmp`, where all may write but each only to what is his own, may lie above the place.
///
/// # Errors
/// The first folder, file or link that others can change.
pub fn check_way(path: &Path) -> Result<(), OpenPlace> {
    let (places, is_whole) = places(path).map_err(OpenPlace::unknown(path))?;
    for (number, (place, found)) in places.iter().enumerate() {
        let is_above = !is_whole || number + 1 < places.len();
        check(place, found, is_above)?;
    }
    Ok(())
}

/// Checks the same of a folder and of all that lies right in it; a folder that is absent holds nothing.
///
/// # Errors
/// The first folder, file or link that others can change.
pub fn check_entries(folder: &Path) -> Result<(), OpenPlace> {
    check_way(folder)?;
    let cannot = OpenPlace::unknown(folder);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(&cannot)?,
    };
    for entry in entries {
        let entry = entry.map_err(&cannot)?;
        let (place, found) = (entry.path(), entry.metadata().map_err(&cannot)?);
        check_alone(&place, &found)?;
        if found.is_symlink() {
            check_way(&place)?;
        }
    }
    Ok(())
}

/// Checks the same of the file or folder alone, of which the system says `found`.
///
/// # Errors
/// If others can change it.
pub fn check_alone(path: &Path, found: &Metadata) -> Result<(), OpenPlace> {
    check(path, found, false)
}

/// True if `path` leads to the same place in whatever folder a process stands: it is absolute, and no link on its way is one
/// that the system makes again for each process, as `/proc/self/cwd` or `/dev/fd/3`.
pub fn is_fixed(path: &Path) -> bool {
    let is_of_process = |(place, found): &(PathBuf, Metadata)| is_made_for_each(place, found.is_symlink());
    path.is_absolute() && !places(path).is_ok_and(|(places, _)| places.iter().any(is_of_process))
}

/// Makes a folder, and those above it that are absent, to which only the user may write.
///
/// # Errors
/// If it cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o755).create(path)
}

fn check(place: &Path, found: &Metadata, is_above: bool) -> Result<(), OpenPlace> {
    let (path, owner, mode) = (|| place.to_owned(), found.uid(), found.mode());
    let user = rustix::process::geteuid().as_raw();
    if owner != user && owner != 0 {
        return Err(OpenPlace::OtherOwner { path: path(), owner });
    }
    let is_guarded = is_above && found.is_dir() && mode & STICKY != 0;
    if found.is_symlink() || is_guarded {
        return Ok(());
    }
    if mode & ALL_WRITE != 0 {
        return Err(OpenPlace::Everyone(path()));
    }
    if mode & GROUP_WRITES != 0 && !is_private_group(found.gid(), user) {
        return Err(OpenPlace::Group { path: path(), group: found.gid() });
    }
    Ok(())
}

/// Many systems give each user a group of his own, to which no other belongs.
fn is_private_group(group: u32, user: u32) -> bool {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    user != 0 && is_alone(group, user, &read("/etc/passwd"), &read("/etc/group"))
}

/// True if these lists of users and groups say that `group` is the main group of `user`, and of nobody else.
fn is_alone(group: u32, user: u32, users: &str, groups: &str) -> bool {
    let rows = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect()
    };
    let number = |row: &[String], field: usize| row.get(field).and_then(|text| text.parse::<u32>().ok());
    let main: Vec<_> = rows(users).into_iter().filter(|row| number(row, 3) == Some(group)).collect();
    let [only] = main.as_slice() else { return false };
    let others = |row: &Vec<String>| {
        row.get(3).is_some_and(|members| members.split(',').any(|name| !name.is_empty() && *name != only[0]))
    };
    let named: Vec<_> = rows(groups).into_iter().filter(|row| number(row, 2) == Some(group)).collect();
    number(only, 2) == Some(user) && !named.is_empty() && !named.iter().any(others)
}

/// Every folder, link and file on the way to `path`, from the root, and whether the way ends at something.
fn places(path: &Path) -> io::Result<(Vec<(PathBuf, Metadata)>, bool)> {
    let mut left: Vec<OsString> = names(&std::path::absolute(path)?);
    let mut at = PathBuf::from("/");
    let mut places = vec![(at.clone(), fs::symlink_metadata(&at)?)];
    let mut links = 0;
    while let Some(name) = left.pop() {
        if name == ".." {
            at.pop();
            continue;
        }
        let next = if name == "/" { PathBuf::from("/") } else { at.join(name) };
        let found = match fs::symlink_metadata(&next) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((places, false)),
            found => found?,
        };
        places.push((next.clone(), found.clone()));
        if !found.is_symlink() {
            at = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(io::Error::other("too many links"));
        }
        left.extend(names(&fs::read_link(&next)?));
    }
    Ok((places, true))
}

/// The parts of a path, the last one first.
fn names(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    parts.rev().map(|part| part.as_os_str().to_owned()).collect()
}

/// A place that others can change, or of which nobody can tell who can; the message fits behind "found that".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPlace {
    /// It is another user's.
    #[error("{} belongs to another user (number {owner})", .path.display())]
    OtherOwner {
        /// File, folder or link.
        path: PathBuf,
        /// Number of its owner.
        owner: u32,
    },
    /// All users may write to it.
    #[error("everyone may write to {}", .0.display())]
    Everyone(PathBuf),
    /// All users of a group may write to it.
    #[error("a group (number {group}) may write to {}", .path.display())]
    Group {
        /// File or folder.
        path: PathBuf,
        /// Number of the group.
        group: u32,
    },
    /// Its permissions cannot be read.
    #[error("the permissions of {} cannot be read: {source}", .path.display())]
    Unknown {
        /// The place.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl OpenPlace {
    /// What the system said when it was asked for the permissions of `path`.
    pub(super) fn unknown(path: impl Into<PathBuf>) -> impl Fn(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Unknown { path: path.clone(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder(path: &Path, mode: u32) {
        fs::create_dir_all(path).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn is_open(checked: Result<(), OpenPlace>, place: &Path) {
        assert_eq!(checked.unwrap_err().to_string(), format!("everyone may write to {}", place.display()));
    }

    #[test]
    fn a_place_below_a_folder_that_all_may_write_is_nobodys_own() {
        let root = tempfile::tempdir().unwrap();
        let (open, below) = (root.path().join("open"), root.path().join("open/below"));
        folder(&below, 0o755);
        check_way(&below).unwrap();
        folder(&open, 0o777);
        is_open(check_way(&below), &open);
        is_open(check_way(&open.join("absent")), &open);
        folder(&open, 0o1777);
        check_way(&below).expect("there each can only change what is his own");
        check_way(&open.join("absent")).unwrap();
        assert!(check_way(&open).is_err(), "all may put files into it");
    }

    #[test]
    fn whatever_lies_in_a_folder_is_looked_at_and_what_lies_deeper_is_not() {
        let root = tempfile::tempdir().unwrap();
        let inside = root.path().join("folder");
        check_entries(&inside).expect("it is absent");
        folder(&inside.join("package/open"), 0o777);
        folder(&inside.join("package"), 0o755);
        folder(&inside, 0o755);
        check_entries(&inside).unwrap();
        let file = inside.join("some.pth");
        fs::write(&file, "").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        is_open(check_entries(&inside), &file);
        fs::remove_file(&file).unwrap();
        symlink("package/open", &file).unwrap();
        let open = inside.join("package/open");
        is_open(check_entries(&inside), &open);
    }

    #[test]
    fn a_link_is_followed_to_where_it_leads() {
        let root = tempfile::tempdir().unwrap();
        folder(&root.path().join("open"), 0o777);
        folder(&root.path().join("open/below"), 0o755);
        let (first, second) = (root.path().join("first"), root.path().join("second"));
        symlink("open/below", &first).unwrap();
        symlink("./first", &second).unwrap();
        is_open(check_way(&second), &root.path().join("open"));
        symlink("loop", root.path().join("loop")).unwrap();
        assert!(check_way(&root.path().join("loop")).unwrap_err().to_string().contains("too many links"));
    }

    #[test]
    fn a_place_of_a_process_is_not_fixed() {
        let root = tempfile::tempdir().unwrap();
        let link = root.path().join("link");
        symlink("/proc/self/cwd", &link).unwrap();
        for path in [Path::new("/proc/self/cwd/below"), &link, Path::new("below"), Path::new("/dev/fd/0")] {
            assert!(!is_fixed(path), "{}", path.display());
        }
        assert!(is_fixed(root.path()) && is_fixed(Path::new("/no/such/place")));
    }

    #[test]
    fn a_group_with_no_other_member_is_the_users_own() {
        let users =
            "root:x:0:0:root:/root:/bin/sh\nani:x:1000:1000::/home/ani:/bin/sh\nbudi:x:1001:50::/:/bin/sh\n";
        let groups = "root:x:0:\nani:x:1000:ani\nstaff:x:50:budi,ani\n";
        assert!(is_alone(1000, 1000, users, groups));
        assert!(!is_alone(50, 1001, users, groups), "ani is a member too");
        assert!(!is_alone(1000, 1001, users, groups), "it is the group of ani");
        assert!(!is_alone(1000, 1000, users, ""), "nothing is known of it");
    }
}
