//! The ways to the process that has the model. The two pipes of an interpreter, on which nobody waits longer
//! than it lives: a process that it left behind may hold them open. And the socket of the user's own
//! process, in a folder that nobody else can enter.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;
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

/// Files in the folder: where questions are asked, and where numbers come back.
const SOCKET: &str = "socket";

const MEMORY: &str = "memory";

/// The way to the process.
pub struct Served {
    /// Takes questions.
    pub input: UnixStream,
    /// Gives answers.
    pub output: UnixStream,
    /// Has the numbers.
    pub memory: File,
}

/// Connects to the process that serves its model in `folder`.
///
/// # Errors
/// If nobody serves there.
pub fn connect(folder: &Path) -> io::Result<Served> {
    let memory = File::open(folder.join(MEMORY))?;
    let input = UnixStream::connect(folder.join(SOCKET))?;
    let output = input.try_clone()?;
    Ok(Served { input, output, memory })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;
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

    #[test]
    fn both_ways_lead_to_the_process_that_listens() {
        let folder = std::env::temp_dir().join(format!("mteb-live-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        assert!(connect(&folder).is_err(), "nobody serves");
        std::fs::write(folder.join(MEMORY), "numbers").unwrap();
        let listener = UnixListener::bind(folder.join(SOCKET)).unwrap();
        let mut served = connect(&folder).unwrap();
        let (mut other, _) = listener.accept().unwrap();
        served.input.write_all(b"asked").unwrap();
        let mut asked = [0; 5];
        other.read_exact(&mut asked).unwrap();
        other.write_all(&asked).unwrap();
        drop(other);
        let mut answer = String::new();
        served.output.read_to_string(&mut answer).unwrap();
        assert_eq!(answer, "asked");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
