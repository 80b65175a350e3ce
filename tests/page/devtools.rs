//! Talks to a Chromium in its DevTools protocol, through two pipes: JSON that ends with a zero byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Chromium reads questions from file 3 and writes answers to file 4.
const PIPES: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one tab; it ends with the test.
pub struct DevTools {
    browser: Child,
    questions: Mutex<ChildStdin>,
    answers: Mutex<Receiver<Value>>,
    /// What the browser said by itself.
    events: Arc<Mutex<Vec<Value>>>,
    asked: AtomicU64,
    /// The name of the tab's session.
    session: Option<String>,
}

impl DevTools {
    /// Starts the browser and opens an empty tab.
    pub fn start(program: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", PIPES]).arg(program).args(arguments).arg("--remote-debugging-pipe");
        let mut browser = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (said, questions) = (browser.stdout.take().unwrap(), browser.stdin.take().unwrap());
        let (sender, answers) = channel();
        let events = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&events);
        thread::spawn(move || {
            for message in messages(said) {
                if message.get("id").is_none() {
                    seen.lock().unwrap().push(message);
                } else if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut tools = Self {
            browser,
            questions: Mutex::new(questions),
            answers: Mutex::new(answers),
            events,
            asked: AtomicU64::new(0),
            session: None,
        };
        let tab = tools.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = json!({ "targetId": tab["targetId"], "flatten": true });
        let attached = tools.call("Target.attachToTarget", attached);
        tools.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        tools
    }

    /// Asks, and gives the result.
    pub fn call(&self, method: &str, parameters: Value) -> Value {
        let answers = self.answers.lock().unwrap();
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        self.send(number, method, parameters).unwrap();
        let mut answer = answers.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
        assert_eq!(answer["id"], number, "{method}: {answer}");
        assert_eq!(answer.get("error"), None, "{method}");
        answer["result"].take()
    }

    /// What the browser said of this kind so far, in order.
    pub fn events(&self, kind: &str) -> Vec<Value> {
        let events = self.events.lock().unwrap();
        events.iter().filter(|event| event["method"] == kind).map(|event| event["params"].clone()).collect()
    }

    fn send(&self, number: u64, method: &str, parameters: Value) -> std::io::Result<()> {
        let mut question = json!({ "id": number, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            question["sessionId"] = session.as_str().into();
        }
        let mut questions = self.questions.lock().unwrap();
        questions.write_all(format!("{question}\0").as_bytes())?;
        questions.flush()
    }
}

impl Drop for DevTools {
    fn drop(&mut self) {
        // A browser that is asked ends its own processes; one that is gone already needs nothing.
        self.session = None;
        let _ = self.send(self.asked.load(Ordering::Relaxed), "Browser.close", json!({}));
        let start = Instant::now();
        while matches!(self.browser.try_wait(), Ok(None)) && start.elapsed() < Duration::from_secs(10) {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

/// What stands between zero bytes, up to the end of the browser.
fn messages(said: impl Read) -> impl Iterator<Item = Value> {
    let parts = BufReader::new(said).split(0);
    parts.map_while(Result::ok).map(|message| serde_json::from_slice(&message).unwrap())
}
