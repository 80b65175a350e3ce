//! A headless Chromium, talked to in its DevTools protocol through two pipes (JSON that ends with a zero
//! byte), and what a page did in it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use mteb_host_tests::absent;
use serde_json::{Value, json};
use tempfile::TempDir;

/// What keeps the browser from talking to anybody, and from resting.
const ARGUMENTS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-quic",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--password-store=basic",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

/// A page in a browser of its own.
pub struct Page {
    tools: DevTools,
    _folder: TempDir,
}

/// Where Chromium is. `None`, after a line that says so, where it is not installed; a failure where `CI` is `true`.
fn chromium() -> Option<PathBuf> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let found = found.into_iter().map(PathBuf::from).find(|path| path.is_file());
    if found.is_none() {
        absent("no Chromium: `apt-get install chromium`");
    }
    found
}

impl Page {
    /// Opens `file` with this fragment in a window of this size.
    pub fn open(file: &Path, fragment: &str, size: (u32, u32)) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let (width, height) = size;
        let own = [
            format!("--user-data-dir={}", folder.path().display()),
            format!("--window-size={width},{height}"),
        ];
        let arguments: Vec<&str> = ARGUMENTS.into_iter().chain(own.iter().map(String::as_str)).collect();
        let page = Self { tools: DevTools::start(&chromium()?, &arguments), _folder: folder };
        for domain in ["Log", "Runtime", "Network", "Page"] {
            page.tools.call(&format!("{domain}.enable"), json!({}));
        }
        page.resize(size);
        let address = format!("file://{}#{fragment}", file.display());
        let opened = page.tools.call("Page.navigate", json!({ "url": address }));
        assert_eq!(opened.get("errorText"), None, "{address}");
        page.until("loaded", || !page.tools.events("Page.loadEventFired").is_empty());
        Some(page)
    }

    /// Makes the window as large as a device.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let device = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tools.call("Emulation.setDeviceMetricsOverride", device);
    }

    /// Makes the system prefer a colour scheme: `light` or `dark`.
    pub fn prefer(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.tools.call("Emulation.setEmulatedMedia", json!({ "features": [feature] }));
    }

    /// Shows the page as it is printed.
    pub fn print(&self) {
        self.tools.call("Emulation.setEmulatedMedia", json!({ "media": "print" }));
        self.value("void dispatchEvent(new Event('beforeprint'))");
    }

    /// Presses a key and lets it go: `Tab`, `Enter`, `Escape` or `ArrowRight`.
    pub fn press(&self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "ArrowRight" => (39, ""),
            _ => panic!("expected `Tab`, `Enter`, `Escape` or `ArrowRight`, found: {key}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event = json!({
                "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "nativeVirtualKeyCode": code, "text": text
            });
            self.tools.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Runs a script in the page.
    pub fn run(&self, script: &str) {
        self.evaluate(&format!("{script}\n;0")).unwrap();
    }

    /// What an expression, or the promise that it is, gives in the page.
    pub fn value(&self, expression: &str) -> Value {
        let text = self
            .evaluate(&format!("Promise.resolve({expression}).then(given => JSON.stringify(given))"))
            .unwrap();
        text.as_str().map_or(Value::Null, |text| serde_json::from_str(text).unwrap())
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        // What it asks for may not be there yet.
        self.until(expression, || self.evaluate(expression) == Ok(Value::Bool(true)));
    }

    /// What the page asked others for.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.tools.events("Network.requestWillBeSent");
        let addresses = asked.iter().map(|event| event["request"]["url"].as_str().unwrap().to_owned());
        addresses
            .filter(|address| !["file://", "about:", "data:"].iter().any(|own| address.starts_with(own)))
            .collect()
    }

    /// Errors and warnings of the page, and whatever else it writes to its console.
    pub fn complaints(&self) -> Vec<String> {
        let kinds = ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
        kinds.iter().flat_map(|kind| self.tools.events(kind)).map(|event| event.to_string()).collect()
    }

    /// Moves the pointer to the middle of the first element that a selector finds, as a hand does.
    pub fn point(&self, selector: &str) {
        let place = self.value(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        let event = json!({ "type": "mouseMoved", "x": place[0], "y": place[1] });
        self.tools.call("Input.dispatchMouseEvent", event);
    }

    /// The names of the models that are drawn, from top to bottom.
    pub fn models(&self) -> Vec<String> {
        let rows = "[...document.querySelectorAll('#board tbody tr[data-row]')]";
        let names = self.value(&format!("{rows}.map(row => row.querySelector('bdi').textContent)"));
        names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }

    /// What a script gives, or what it threw.
    fn evaluate(&self, script: &str) -> Result<Value, String> {
        let asked = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let mut given = self.tools.call("Runtime.evaluate", asked);
        match given.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string()),
            None => Ok(given["result"]["value"].take()),
        }
    }

    fn until(&self, what: &str, is_true: impl Fn() -> bool) {
        let start = Instant::now();
        while !is_true() {
            assert!(start.elapsed() < Duration::from_secs(20), "never true: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Chromium reads questions from file 3 and writes answers to file 4.
const PIPES: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one tab; it ends with the test.
struct DevTools {
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
