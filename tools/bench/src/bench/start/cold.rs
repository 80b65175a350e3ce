//! Takes files out of the system's cache, which needs no rights but to read them.

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::path::Path;

use rustix::fs::{Advice, fadvise};
use rustix::io::{Errno, ReadWriteFlags, preadv2};

/// Distance between the places that are looked at.
const STEP: u64 = 1 << 20;

/// Asks the system to forget a file's content; false if some of it is still there, as it is while a program uses it.
pub fn forget(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    // What is not on the disk yet cannot be forgotten.
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    let length = file.metadata()?.len();
    let mut place = 0;
    while place < length {
        let mut byte = [0];
        let found = preadv2(&file, &mut [IoSliceMut::new(&mut byte)], place, ReadWriteFlags::NOWAIT);
        // What would have to be waited for is not in memory.
        if found != Err(Errno::AGAIN) {
            return Ok(false);
        }
        place += STEP;
    }
    Ok(true)
}
