//! A headless Chromium, and what a page did in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Network};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;
use tempfile::TempDir;

/// What keeps the browser from talking to anybody.
const QUIET: [&str; 7] = [
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
];

/// A page in a browser of its own.
pub struct Page {
    pub tab: Arc<Tab>,
    /// Addresses that the page asked for, itself left out.
    requests: Arc<Mutex<Vec<String>>>,
    /// Errors and warnings of its console.
    complaints: Arc<Mutex<Vec<String>>>,
    _browser: Browser,
    _folder: TempDir,
}

/// Where Chromium is. `None`, after a line that says so, where it is not installed; a failure where `CI` is `true`.
pub fn chromium() -> Option<PathBuf> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let found = found.into_iter().map(PathBuf::from).find(|path| path.is_file());
    if found.is_none() {
        let in_ci = std::env::var("CI").is_ok_and(|value| value == "true");
        assert!(!in_ci, "Chromium is needed in CI: apt-get install chromium");
        eprintln!("skipped: Chromium is not installed");
    }
    found
}

impl Page {
    /// Opens `file` with this fragment in a window of this size.
    pub fn open(file: &Path, fragment: &str, size: (u32, u32)) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let options = LaunchOptions::default_builder()
            .path(Some(chromium()?))
            .sandbox(false)
            .window_size(Some(size))
            .user_data_dir(Some(folder.path().to_owned()))
            .idle_browser_timeout(Duration::from_secs(120))
            .args(QUIET.iter().map(OsStr::new).collect())
            .build()
            .unwrap();
        let browser = Browser::new(options).unwrap();
        let tab = browser.new_tab().unwrap();
        let (requests, complaints) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let (asked, said) = (Arc::clone(&requests), Arc::clone(&complaints));
        tab.add_event_listener(Arc::new(move |event: &Event| match event {
            Event::NetworkRequestWillBeSent(event) => {
                asked.lock().unwrap().push(event.params.request.url.clone())
            }
            Event::LogEntryAdded(event) => said.lock().unwrap().push(event.params.entry.text.clone()),
            Event::RuntimeExceptionThrown(event) => {
                said.lock().unwrap().push(format!("{:?}", event.params.exception_details));
            }
            Event::RuntimeConsoleAPICalled(event) => {
                said.lock().unwrap().push(format!("{:?}", event.params.args))
            }
            _ => {}
        }))
        .unwrap();
        tab.enable_log().unwrap().enable_runtime().unwrap();
        tab.call_method(Network::Enable {
            max_total_buffer_size: None,
            max_resource_buffer_size: None,
            max_post_data_size: None,
            report_direct_socket_traffic: None,
            enable_durable_messages: None,
        })
        .unwrap();
        let page = Self { tab, requests, complaints, _browser: browser, _folder: folder };
        page.resize(size);
        page.tab.navigate_to(&format!("file://{}#{fragment}", file.display())).unwrap();
        page.tab.wait_until_navigated().unwrap();
        Some(page)
    }

    /// Makes the window as large as a device.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let device = Emulation::SetDeviceMetricsOverride {
            width,
            height,
            device_scale_factor: 1.0,
            mobile: false,
            scale: None,
            screen_width: None,
            screen_height: None,
            position_x: None,
            position_y: None,
            dont_set_visible_size: None,
            screen_orientation: None,
            viewport: None,
            display_feature: None,
            device_posture: None,
        };
        self.tab.call_method(device).unwrap();
    }

    /// What an expression gives in the page.
    pub fn value(&self, expression: &str) -> Value {
        let text = self.tab.evaluate(&format!("JSON.stringify({expression})"), true).unwrap().value;
        text.and_then(|text| serde_json::from_str(text.as_str()?).ok()).unwrap_or(Value::Null)
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != Value::Bool(true) {
            assert!(start.elapsed() < Duration::from_secs(20), "never true: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What the page asked others for.
    pub fn requests(&self) -> Vec<String> {
        let all = self.requests.lock().unwrap();
        all.iter()
            .filter(|address| !address.starts_with("file://") && !address.starts_with("about:"))
            .cloned()
            .collect()
    }

    /// Errors and warnings of the page.
    pub fn complaints(&self) -> Vec<String> {
        self.complaints.lock().unwrap().clone()
    }

    /// The names of the models that are shown, from top to bottom.
    pub fn models(&self) -> Vec<String> {
        let rows = "[...document.querySelectorAll('#board tbody tr')].filter(row => !row.hidden)";
        let names = self.value(&format!("{rows}.map(row => row.querySelector('bdi').textContent)"));
        names.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}
