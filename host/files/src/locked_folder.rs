//! A folder whose files several processes change in turn: what one has written is what the next one finds.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::claim::{Attempt, Claim, Claimant, Holder, is_lost, remove_unclaimed};
use crate::leftover::Form;
use crate::wait::{Flock, Wait, try_flock, try_shared};
use crate::write::{PERMISSIONS, remove_leftovers, write_beside};

/// Name of the claim in the folder.
const CLAIM: &str = ".mteb-host-claim";

/// How often a process that was stopped may do its work once more.
const TRIES: usize = 8;

/// A folder to which no other process of this program writes meanwhile, on this machine or another.
#[derive(Debug)]
pub struct LockedFolder {
    path: PathBuf,
    /// The open folder; the system's lock goes with it, which is all that versions before the claims know.
    folder: File,
    /// Absent where the file system has no claims.
    claim: Option<Claim>,
}

impl LockedFolder {
    /// Waits until nobody writes to the folder at `path`, which is made if it is absent; but not longer than any writer needs.
    ///
    /// What a killed process has left there is removed. The claim of one that has ended, or is stopped, is taken over. A lock of the
    /// system that another program, or a version before the claims, does not let go of is an error.
    ///
    /// # Errors
    /// If the folder cannot be made or opened; [`ErrorKind::TimedOut`] if another program does not let go of it;
    /// [`ErrorKind::Unsupported`] if the file system keeps nobody from writing at the same time.
    pub fn new(path: &Path) -> io::Result<Self> {
        Self::waiting(path, Wait::new(), Claimant::new(path.join(CLAIM)))
    }

    /// Does `change`, and does it once more if this process was stopped meanwhile and another one has written.
    ///
    /// # Errors
    /// As [`Self::new`], and what `change` says.
    pub fn change<T>(path: &Path, mut change: impl FnMut(Self) -> io::Result<T>) -> io::Result<T> {
        let mut tries = TRIES;
        loop {
            tries -= 1;
            match change(Self::new(path)?) {
                Err(error) if is_lost(&error) && tries > 0 => {}
                done => return done,
            }
        }
    }

    fn waiting(path: &Path, mut wait: Wait, claimant: Claimant) -> io::Result<Self> {
        fs::create_dir_all(path)?;
        let folder = File::open(path)?;
        let (claim, mut refusal) = match wait_for_claim(path, &mut wait, claimant)? {
            Ok(claim) => (Some(claim), None),
            Err(refusal) => (None, Some(refusal)),
        };
        let has_outlasted = claim.as_ref().is_some_and(|claim| claim.has_outlasted);
        // Of all who know claims only one has that of the folder; the system's lock is for the others, and a stopped process that still
        // shares it is in nobody's way.
        let try_lock = if claim.is_some() { try_shared } else { try_flock };
        loop {
            match (try_lock(&folder), refusal) {
                (Flock::Taken, _) => {
                    // Who writes has its temporary file locked, or, as a version before, the folder.
                    remove_leftovers(path, Form::WRITING);
                    break;
                }
                (Flock::Absent, Some(refusal)) => return Err(unsafe_folder(path, &refusal)),
                (Flock::Absent, None) => break,
                // A stopped holder of the claim has the lock, too; it loses only the claim.
                (Flock::Busy, _) if has_outlasted => break,
                (Flock::Busy, still) => {
                    wait.pause(path, &format!("`fuser {}` names who holds it", path.display()))?;
                    refusal = still;
                }
            }
        }
        if let Some(claim) = &claim {
            remove_unclaimed(path, claim);
        }
        Ok(Self { path: path.to_owned(), folder, claim })
    }

    /// Writes the file `name` of the folder, and lets go of the folder.
    ///
    /// # Errors
    /// If it cannot be written; [`ErrorKind::StaleNetworkFileHandle`] if this process was stopped and another one has written since, so
    /// that what was read in the folder may hold no more.
    pub fn write(self, name: &Path, bytes: &[u8]) -> io::Result<()> {
        let Self { path, folder, claim } = self;
        let Some(claim) = claim else { return write_beside(&path, &folder, name, bytes) };
        claim.file().write_all(bytes)?;
        claim.file().sync_all()?;
        claim.commit(&path.join(name), PERMISSIONS)?;
        // The name, too, is to survive a loss of power; some file systems cannot promise that.
        let _ = folder.sync_all();
        Ok(())
    }
}

/// The claim of a folder, or why it has none.
fn wait_for_claim(
    path: &Path,
    wait: &mut Wait,
    mut claimant: Claimant,
) -> io::Result<Result<Claim, io::Error>> {
    let mut last: Option<Holder> = None;
    loop {
        match claimant.attempt()? {
            Attempt::Taken(claim) => return Ok(Ok(claim)),
            Attempt::Refused(error) => return Ok(Err(error)),
            Attempt::Held(holder) => {
                if last.as_ref().is_some_and(|last| !last.is(&holder)) {
                    wait.begin_anew();
                }
                let who = match holder.process_here() {
                    Some(process) => format!("the process {process} holds it"),
                    None => format!(
                        "on this machine or another; if none runs, remove {}",
                        path.join(CLAIM).display()
                    ),
                };
                wait.pause(path, &who)?;
                last = Some(holder);
            }
        }
    }
}

fn unsafe_folder(path: &Path, refusal: &io::Error) -> io::Error {
    let message = format!(
        "{}: expected a file system on which a folder can be locked or renamed, so that no other run's results are lost, found one that \
         does neither ({refusal}); choose another folder",
        path.display()
    );
    io::Error::new(ErrorKind::Unsupported, message)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    use super::*;
    use crate::leftover::mark;

    /// Waits for nobody; who shows no sign of life at a second look has lost its claim.
    fn at_once(path: &Path) -> io::Result<LockedFolder> {
        let wait = Wait::of(Duration::from_millis(50));
        LockedFolder::waiting(path, wait, Claimant::new(path.join(CLAIM)))
    }

    /// The same; who shows no sign of life between two looks has lost its claim.
    fn impatient(path: &Path) -> LockedFolder {
        let claimant = Claimant::patient(path.join(CLAIM), Duration::ZERO);
        LockedFolder::waiting(path, Wait::new(), claimant).unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_that_another_program_keeps_locked_is_not_waited_for_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let held = at_once(folder.path()).unwrap();
        let error = at_once(folder.path()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(error.to_string().contains("locked by another program"), "{error}");
        assert!(
            error.to_string().contains(&format!("the process {} holds it", std::process::id())),
            "{error}"
        );
        drop(held);
        at_once(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn the_lock_of_a_version_before_the_claims_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let before = File::open(folder.path()).unwrap();
        assert_eq!(try_flock(&before), Flock::Taken);
        let error = at_once(folder.path()).unwrap_err();
        assert!(error.to_string().contains("`fuser "), "{error}");
        drop(before);
        let claimed = at_once(folder.path()).unwrap();
        assert_eq!(try_flock(&File::open(folder.path()).unwrap()), Flock::Busy, "it waits for this one, too");
        drop(claimed);
    }

    #[test]
    fn who_writes_whole_files_waits_for_nobody_and_holds_up_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let other = File::open(folder.path()).unwrap();
        assert_eq!(try_flock(&other), Flock::Taken);
        let left = folder.path().join(".mteb-host-write-0123456789abcdef");
        fs::write(&left, "half").unwrap();
        fs::set_permissions(&left, mark()).unwrap();
        crate::write(&folder.path().join("whole"), b"whole").unwrap();
        assert!(left.exists(), "it may be that of who has locked the folder");
        drop(other);
        // One that is stopped in the middle, as another one takes the folder.
        let mut builder = Form::WRITING.builder();
        builder.permissions(mark());
        let stopped = crate::write::locked_file(folder.path(), &builder).unwrap();
        at_once(folder.path()).unwrap().write(Path::new("all"), b"all").unwrap();
        assert!(!left.exists() && stopped.path().exists());
        crate::write::persist(stopped, &folder.path().join("late"), PERMISSIONS).unwrap();
        assert_eq!(names(folder.path()), ["all", "late", "whole"]);
    }

    #[test]
    fn a_stopped_holder_that_was_outlasted_cannot_write_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |folder: LockedFolder, text: &str| folder.write(Path::new("result.json"), text.as_bytes());
        let stopped = at_once(folder.path()).unwrap();
        write(impatient(folder.path()), "of the other").unwrap();
        let error = write(stopped, "of the stopped one").unwrap_err();
        assert!(is_lost(&error), "{error}");
        assert_eq!(fs::read(folder.path().join("result.json")).unwrap(), b"of the other");
        // It is at the last moment that it was stopped, while the other one is at work.
        let stopped = at_once(folder.path()).unwrap();
        let other = impatient(folder.path());
        assert!(is_lost(&write(stopped, "of the stopped one").unwrap_err()));
        write(other, "of the other again").unwrap();
        assert_eq!(fs::read(folder.path().join("result.json")).unwrap(), b"of the other again");
        assert_eq!(names(folder.path()), ["result.json"]);
    }

    #[test]
    fn a_stopped_holder_is_outlasted_once_and_holds_up_nobody_after_that() {
        let folder = tempfile::tempdir().unwrap();
        let stopped = at_once(folder.path()).unwrap();
        impatient(folder.path()).write(Path::new("one"), b"one").unwrap();
        // It still has its part of the system's lock, and no claim.
        at_once(folder.path()).unwrap().write(Path::new("two"), b"two").unwrap();
        crate::write(&folder.path().join("three"), b"three").unwrap();
        assert!(is_lost(&stopped.write(Path::new("one"), b"late").unwrap_err()));
        assert_eq!(names(folder.path()), ["one", "three", "two"]);
        assert_eq!(fs::read(folder.path().join("one")).unwrap(), b"one");
    }

    #[test]
    fn what_was_taken_over_is_done_once_more() {
        let folder = tempfile::tempdir().unwrap();
        let (file, mut rounds) = (folder.path().join("all"), 0);
        let done = LockedFolder::change(folder.path(), |own| {
            rounds += 1;
            let found = fs::read_to_string(&file).unwrap_or_default();
            if rounds == 1 {
                impatient(folder.path()).write(Path::new("all"), b"theirs ").unwrap();
            }
            own.write(Path::new("all"), format!("{found}mine").as_bytes())
        });
        done.unwrap();
        assert_eq!((rounds, fs::read_to_string(&file).unwrap().as_str()), (2, "theirs mine"));
    }

    #[test]
    fn the_claim_of_a_killed_process_is_taken_over_at_once_and_that_of_another_machine_once_it_is_silent() {
        let folder = tempfile::tempdir().unwrap();
        let claim = folder.path().join(CLAIM);
        let left = |name: &str| {
            fs::create_dir(&claim).unwrap();
            fs::write(claim.join(name), "half").unwrap();
        };
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let mine = crate::Owner::this("0123456789abcdef").to_string();
        let id = child.id();
        child.wait().unwrap();
        let dead = mine.replace(&format!("-{}-", std::process::id()), &format!("-{id}-"));
        left(&dead);
        let taken = at_once(folder.path()).unwrap();
        assert!(!taken.claim.as_ref().unwrap().has_outlasted);
        drop(taken);
        left(&format!("0000000000000001-{id}-7-0123456789abcdef"));
        assert!(at_once(folder.path()).is_err(), "it may be at work");
        assert!(impatient(folder.path()).claim.unwrap().has_outlasted);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn what_is_no_claim_of_ours_is_neither_taken_over_nor_removed() {
        let folder = tempfile::tempdir().unwrap();
        let claim = folder.path().join(CLAIM);
        fs::create_dir(&claim).unwrap();
        fs::write(claim.join("notes"), "mine").unwrap();
        let claimant = Claimant::patient(claim.clone(), Duration::ZERO);
        let error = LockedFolder::waiting(folder.path(), Wait::of(Duration::ZERO), claimant).unwrap_err();
        assert!(error.to_string().contains("if none runs, remove "), "{error}");
        assert_eq!(fs::read(claim.join("notes")).unwrap(), b"mine");
    }

    #[test]
    fn what_those_who_waited_and_were_killed_have_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let left = |name: &str, file: &str| {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join(file), "").unwrap();
        };
        let mine = crate::Owner::this("0123456789abcdef").to_string();
        let ended = mine.replace("-0123456789abcdef", "1-0123456789abcdef");
        left(".mteb-host-claim-AAAAAAAAAAAAAAAA", &ended);
        left(".mteb-host-claim-BBBBBBBBBBBBBBBB", &mine);
        left(".mteb-host-claim-CCCCCCCCCCCCCCCC", "notes");
        drop(at_once(folder.path()).unwrap());
        assert_eq!(
            names(folder.path()),
            [".mteb-host-claim-BBBBBBBBBBBBBBBB", ".mteb-host-claim-CCCCCCCCCCCCCCCC"]
        );
    }

    #[test]
    fn a_file_is_replaced_and_what_a_killed_writer_left_is_removed() {
        type Write = fn(&Path, &[u8]) -> io::Result<()>;
        let locked: Write = |file, bytes| {
            LockedFolder::new(file.parent().unwrap())?.write(file.file_name().unwrap().as_ref(), bytes)
        };
        for write in [locked, crate::write] {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("below/result.json");
            write(&file, b"one").unwrap();
            let left = file.with_file_name(".mteb-host-write-0123456789abcdef");
            let empty = file.with_file_name(".mteb-host-write-0123456789abcdeF");
            let own = file.with_file_name(".mteb-host-write-AAAAAAAAAAAAAAAA");
            let (notes, folder) = (file.with_file_name(".write-notes"), left.with_extension("d"));
            for file in [&left, &notes, &own] {
                fs::write(file, "half").unwrap();
            }
            fs::set_permissions(&left, mark()).unwrap();
            fs::write(&empty, "").unwrap();
            fs::create_dir(&folder).unwrap();
            write(&file, b"two").unwrap();
            assert_eq!(fs::read(&file).unwrap(), b"two");
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o644);
            assert!(!left.exists() && !empty.exists(), "what is marked goes");
            assert!(own.exists() && notes.exists() && folder.exists(), "only what is ours goes");
        }
    }
}
