//! A worker's streams with a deadline: a worker that neither reads nor writes must not hold the host.

use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use mteb_base::interrupt;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// How often a wait looks whether the run is to end.
const LOOK: Duration = Duration::from_millis(100);

/// A pipe whose reads and writes end with [`io::ErrorKind::TimedOut`] at the deadline.
pub struct DeadlinePipe<F> {
    file: F,
    deadline: Option<Instant>,
}

impl<F: AsFd> DeadlinePipe<F> {
    /// The pipe without a deadline.
    ///
    /// # Errors
    /// If the system refuses to make it non-blocking.
    pub fn new(file: F) -> io::Result<Self> {
        let flags = fcntl_getfl(&file)?;
        fcntl_setfl(&file, flags | OFlags::NONBLOCK)?;
        Ok(Self { file, deadline: None })
    }

    /// Sets the deadline.
    pub fn until(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Waits until the pipe is ready.
    fn wait(&self, flags: PollFlags) -> io::Result<()> {
        loop {
            let left =
                self.deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() || interrupt::requested() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let wait = left.min(LOOK);
            let wait = Timespec { tv_sec: 0, tv_nsec: i64::from(wait.subsec_nanos()) };
            match poll(&mut [PollFd::new(&self.file, flags)], Some(&wait)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl<F: AsFd + Read> Read for DeadlinePipe<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(PollFlags::IN)?,
                answer => return answer,
            }
        }
    }
}

impl<F: AsFd + Write> Write for DeadlinePipe<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.file.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(PollFlags::OUT)?,
                answer => return answer,
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_without_a_reader_or_writer_at_work_ends_at_the_deadline() {
        let (read, write) = io::pipe().unwrap();
        let (mut read, mut write) = (DeadlinePipe::new(read).unwrap(), DeadlinePipe::new(write).unwrap());
        read.until(Some(Instant::now() + Duration::from_millis(5)));
        assert_eq!(read.read(&mut [0; 4]).unwrap_err().kind(), io::ErrorKind::TimedOut);
        write.until(Some(Instant::now() + Duration::from_millis(5)));
        let full = write.write_all(&vec![1; 1 << 22]).unwrap_err();
        assert_eq!(full.kind(), io::ErrorKind::TimedOut);
        read.until(None);
        assert_eq!(read.read(&mut [0; 4]).unwrap(), 4);
    }
}
