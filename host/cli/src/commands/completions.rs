//! `mteb-host completions` and `mteb-host man`: what shells complete, and the pages of the manual, both made from the command line.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::exit::Exit;
use crate::output;

/// What the program is called.
const PROGRAM: &str = "mteb-host";

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to print the script for.
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder for the pages, e.g. `~/.local/share/man/man1`; existing pages with the same names are
    /// overwritten.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl CompletionsArgs {
    /// Prints the script for `command`.
    pub fn run(self, mut command: Command) -> Exit {
        let mut script = Vec::new();
        generate(self.shell, &mut command, PROGRAM, &mut script);
        output::print(String::from_utf8_lossy(&script).trim_end())
    }
}

impl ManArgs {
    /// Writes the pages of `command`.
    pub fn run(self, command: Command) -> Exit {
        let written = std::fs::create_dir_all(&self.folder)
            .and_then(|()| clap_mangen::generate_to(command, &self.folder));
        match written {
            Ok(()) => {
                output::print(&format!("{}: man pages of {PROGRAM} and its commands", self.folder.display()))
            }
            Err(error) => {
                output::failed(format!("{}: cannot write man pages: {error}", self.folder.display()))
            }
        }
    }
}
