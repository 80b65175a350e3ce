//! A terminal without a person: a program writes to it, and the test reads.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A pseudo-terminal.
#[derive(Debug)]
pub struct Terminal {
    controller: File,
    /// The side of the program.
    side: OwnedFd,
}

impl Terminal {
    /// A terminal of so many columns.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn new(columns: u16) -> io::Result<Self> {
        Self::of(columns, 24)
    }

    /// A terminal of so many columns and rows; 0 for what it does not know.
    ///
    /// # Errors
    /// If the system gives none.
    pub fn of(columns: u16, rows: u16) -> io::Result<Self> {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
        grantpt(&controller)?;
        unlockpt(&controller)?;
        let name = ptsname(&controller, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let side = rustix::fs::open(name, flags, rustix::fs::Mode::empty())?;
        tcsetwinsize(&side, Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 })?;
        Ok(Self { controller: File::from(controller), side })
    }

    /// The terminal as a stream of a program.
    ///
    /// # Errors
    /// If the system gives no further file.
    pub fn stream(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.side.try_clone()?))
    }

    /// Runs `command` with standard output and standard error on the terminal; gives its exit code and all that it wrote.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(self, command: &mut Command) -> io::Result<(Option<i32>, String)> {
        command.stdin(Stdio::null());
        self.read(command)
    }

    /// The same of a `command` that asks, and is given `answers`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn answer(mut self, command: &mut Command, answers: &str) -> io::Result<(Option<i32>, String)> {
        command.stdin(self.stream()?);
        self.controller.write_all(answers.as_bytes())?;
        self.read(command)
    }

    fn read(self, command: &mut Command) -> io::Result<(Option<i32>, String)> {
        command.stdout(self.stream()?).stderr(self.stream()?);
        let mut child: Child = command.spawn()?;
        // The command keeps its own copies of the terminal, and the terminal ends with the last copy.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        drop(self.side);
        let mut written = Vec::new();
        let mut controller = self.controller;
        // The end of a terminal is an error: there is nobody on the other side.
        let _ = controller.read_to_end(&mut written);
        Ok((child.wait()?.code(), String::from_utf8_lossy(&written).replace("\r\n", "\n")))
    }
}
