//! A hub on this machine that ends with the test.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The server of `../shared`, serving its mirror of datasets.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Its address, as `http://127.0.0.1:1234`.
    pub address: String,
}

impl Server {
    /// Starts the server with more arguments, as `--fail-every 3`.
    ///
    /// # Errors
    /// If Python cannot be started.
    pub fn start(shared: &Path, arguments: &[&str]) -> io::Result<Self> {
        Self::of(shared, &shared.join("hub"), arguments)
    }

    /// Starts the server over another mirror, laid out as `datasets/<organisation>/<name>/<revision>/`.
    ///
    /// # Errors
    /// If Python cannot be started.
    pub fn of(shared: &Path, mirror: &Path, arguments: &[&str]) -> io::Result<Self> {
        let mut command = Command::new("python3");
        command.arg(shared.join("tools/serve_hub.py")).arg(mirror).args(arguments);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut address = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut address)?;
        }
        Ok(Self { process, address: address.trim().to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A process that has ended already needs no end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
