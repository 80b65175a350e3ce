//! Memory that the host and one worker share: embedding rows cross without a copy through a pipe.
#![allow(unsafe_code)] // Mapping memory that another process writes; see each block.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use memmap2::{MmapMut, MmapOptions};
use mteb_system::memory_file;

/// Bytes that are looked at at a time.
const BLOCK: usize = 1 << 18;

/// A growing block of `f32` that lives in a memory file.
pub struct SharedMemory {
    file: File,
    map: Option<MmapMut>,
}

impl SharedMemory {
    /// A new empty block, which nobody can make shorter again.
    ///
    /// # Errors
    /// If the system gives no memory file.
    pub fn create() -> io::Result<Self> {
        let file = memory_file::create("mteb-host")?;
        memory_file::keep_length(&file)?;
        Ok(Self { file, map: None })
    }

    /// Runs `start`, whose child processes inherit the block's descriptor; others do not.
    ///
    /// # Errors
    /// If the descriptor cannot be handed on, or `start` fails.
    pub fn shared_with_children<R>(&self, start: impl FnOnce() -> io::Result<R>) -> io::Result<R> {
        memory_file::inherit(&self.file, true)?;
        let started = start();
        memory_file::inherit(&self.file, false)?;
        started
    }

    /// The block that the parent process passed as descriptor `number`.
    ///
    /// # Errors
    /// If the number is no descriptor of a memory file.
    pub fn inherited(number: RawFd) -> io::Result<Self> {
        if number <= 2 {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a memory file"));
        }
        // SAFETY: the parent made this descriptor for this process, names it once on the command line, and
        // nothing else in this process uses its number.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(number) });
        memory_file::inherit(&file, false)?;
        Ok(Self { file, map: None })
    }

    /// A path by which this process opens the block and writes from its start.
    ///
    /// # Errors
    /// If the system has none.
    pub fn path(&self) -> io::Result<PathBuf> {
        memory_file::path_of(&self.file)
    }

    /// Number by which a worker inherits the block.
    pub fn descriptor(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Bytes of the memory file, whoever made it as long.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn size(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Numbers that somebody has written there.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn written(&self) -> io::Result<u64> {
        Ok(memory_file::written(&self.file)? / size_of::<f32>() as u64)
    }

    /// CRC-32 of the first `length` numbers, none of which takes memory by being looked at.
    ///
    /// # Errors
    /// If the block is shorter.
    pub fn checksum(&self, length: usize) -> io::Result<u32> {
        let (mut hasher, mut block) = (crc32fast::Hasher::new(), vec![0; BLOCK]);
        let bytes = length * size_of::<f32>();
        let mut place = 0;
        while place < bytes {
            let part = &mut block[..BLOCK.min(bytes - place)];
            self.file.read_exact_at(part, place as u64)?;
            hasher.update(part);
            place += part.len();
        }
        Ok(hasher.finalize())
    }

    /// A copy of the first `length` numbers, which whoever still writes to the block cannot change.
    ///
    /// # Errors
    /// If the block is shorter, or there is no room for the copy.
    pub fn copy(&self, length: usize) -> io::Result<Vec<f32>> {
        mteb_files::check_room::<f32>(length)?;
        let mut copy = vec![0.0; length];
        self.file.read_exact_at(bytemuck::cast_slice_mut(&mut copy), 0)?;
        Ok(copy)
    }

    /// The first `length` numbers, growing the block if it is smaller.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn floats(&mut self, length: usize) -> io::Result<&mut [f32]> {
        let bytes = length * size_of::<f32>();
        if self.map.as_ref().is_none_or(|map| map.len() < bytes) {
            self.map = Some(self.grown(bytes)?);
        }
        let map = self.map.as_mut().ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: a mapping starts at a page, so it is aligned for `f32`, it holds at least `bytes` bytes, and
        // every bit pattern is an `f32`. The worker alone maps the block: the host copies from the file.
        Ok(unsafe { std::slice::from_raw_parts_mut(map.as_mut_ptr().cast::<f32>(), length) })
    }

    /// The first `length` bytes, growing the block if it is smaller.
    ///
    /// # Errors
    /// If the system has no memory left.
    pub fn bytes(&mut self, length: usize) -> io::Result<&mut [u8]> {
        if self.map.as_ref().is_none_or(|map| map.len() < length) {
            self.map = Some(self.grown(length)?);
        }
        let map = self.map.as_mut().ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(&mut map[..length])
    }

    fn grown(&self, bytes: usize) -> io::Result<MmapMut> {
        let size = bytes.max(1).next_multiple_of(1 << 20);
        if self.size()? < size as u64 {
            self.file.set_len(size as u64)?;
        }
        // SAFETY: the file is a memory file that only this host and its worker hold, and a seal keeps either
        // from making it shorter, so no access of the mapping can fault.
        let map = unsafe { MmapOptions::new().len(size).map_mut(&self.file) }?;
        // What a plugin may leave behind by `fork` must not write into the rows of a later batch.
        memory_file::keep_from_forks(&map);
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_side_writes_the_other_reads() {
        let host = SharedMemory::create().unwrap();
        let copy = rustix::io::dup(&host.file).unwrap();
        let mut worker = SharedMemory { file: File::from(copy), map: None };
        worker.floats(3).unwrap().copy_from_slice(&[1.0, 2.0, 3.0]);
        let copy = host.copy(3).unwrap();
        worker.floats(1 << 20).unwrap()[(1 << 20) - 1] = 4.0;
        assert_eq!(host.copy(1 << 20).unwrap()[(1 << 20) - 1], 4.0);
        worker.floats(1).unwrap()[0] = 9.0;
        let ours = crc32fast::hash(bytemuck::cast_slice(&host.copy(1 << 17).unwrap()));
        assert_eq!(host.checksum(1 << 17).unwrap(), ours);
        assert_eq!(copy, [1.0, 2.0, 3.0], "a copy stays");
        assert_eq!(host.copy(3).unwrap(), [9.0, 2.0, 3.0]);
        assert!(host.copy(1 << 24).is_err(), "nobody wrote so many");
    }

    #[test]
    fn standard_streams_are_no_memory() {
        assert!(SharedMemory::inherited(1).is_err());
    }
}
