//! A headless Chromium, and what a page did in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mteb_host_tests::absent;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::devtools::DevTools;

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
pub fn chromium() -> Option<PathBuf> {
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
