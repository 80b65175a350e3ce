//! A model that lives in the user's own process, which serves it by a socket in a folder that nobody else can enter.

use std::fs::File;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

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
    use std::io::{Read, Write};
    use std::os::unix::net::UnixListener;

    use super::*;

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
