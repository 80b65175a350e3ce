//! The two pipes of the interpreter, on which nobody waits longer than it lives: a process that it left behind may hold them open.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::Child;
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, poll};

/// Bytes that a pipe takes at once as soon as it takes any.
const AT_ONCE: usize = 4096;

/// One of the pipes.
pub struct Watched<T> {
    pipe: T,
    /// Can be read once the process has ended; absent where the kernel has no such thing.
    process: Option<Arc<OwnedFd>>,
}

/// A handle of the process, which tells when it has ended.
pub fn handle(child: &Child) -> Option<Arc<OwnedFd>> {
    mteb_system::parent::end_of(child).map(Arc::new)
}

impl<T: AsFd> Watched<T> {
    /// A pipe of the process with this handle.
    pub fn new(pipe: T, process: Option<Arc<OwnedFd>>) -> Self {
        Self { pipe, process }
    }

    /// Waits until the pipe is ready.
    ///
    /// # Errors
    /// If the process has ended, and has left nothing in the pipe.
    fn wait(&self, for_what: PollFlags) -> io::Result<()> {
        let Some(process) = &self.process else { return Ok(()) };
        let mut both = [poll_fd(self.pipe.as_fd(), for_what), poll_fd(process.as_fd(), PollFlags::IN)];
        while let Err(error) = poll(&mut both, None) {
            if error != rustix::io::Errno::INTR {
                return Err(error.into());
            }
        }
        if both[0].revents().is_empty() { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}

fn poll_fd(descriptor: BorrowedFd<'_>, flags: PollFlags) -> PollFd<'_> {
    PollFd::from_borrowed_fd(descriptor, flags)
}

impl<T: Read + AsFd> Read for Watched<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.wait(PollFlags::IN)?;
        self.pipe.read(buffer)
    }
}

impl<T: Write + AsFd> Write for Watched<T> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.wait(PollFlags::OUT)?;
        self.pipe.write(&buffer[..buffer.len().min(AT_ONCE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pipe.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_end_of_a_process_is_seen_though_another_one_holds_its_pipes() {
        let script = "printf last; sleep 60 & echo $! >&2";
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let process = handle(&child);
        assert!(process.is_some(), "Linux since 5.3");
        let mut output = Watched::new(child.stdout.take().unwrap(), process.clone());
        let mut input = Watched::new(child.stdin.take().unwrap(), process);
        let mut said = [0; 4];
        output.read_exact(&mut said).unwrap();
        assert_eq!(&said, b"last");
        assert_eq!(output.read(&mut said).unwrap_err().kind(), ErrorKind::UnexpectedEof);
        assert!(input.write_all(&vec![0; 1 << 20]).is_err());
        let mut left = String::new();
        let mut errors = child.stderr.take().unwrap();
        let mut digit = [0; 1];
        while errors.read(&mut digit).unwrap() == 1 && digit != *b"\n" {
            left.push(char::from(digit[0]));
        }
        Command::new("kill").arg(left).status().unwrap();
        child.wait().unwrap();
    }
}
