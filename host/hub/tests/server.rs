//! A fetch from a real server over HTTP: whole, through faults, again without it, and refused.
//!
//! The server lies in `../shared`, seen from the project root; without it the tests say that they
//! check nothing, and fail where `CI` is `true`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it did not expect")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use mteb_hub::{Access, Hub, HubError, NoReport, Progress, RemoteFile, Report, Repository};

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A server that ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Serves `mirror` with more arguments; `None`, with a message, where the server is absent.
    #[track_caller]
    fn start(mirror: &Path, arguments: &[&str]) -> Option<Self> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tools/serve_hub.py");
        if !program.is_file() {
            mteb_host_tests::absent(format!("no {}", program.display()));
            return None;
        }
        let mut command = Command::new("python3");
        command.arg(program).arg(mirror).args(arguments).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut address = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Some(Self { process, address: address.trim().to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A mirror with one dataset of small and large files.
fn mirror(folder: &Path) -> PathBuf {
    let dataset = folder.join("mirror/datasets/lab/numbers").join(COMMIT);
    fs::create_dir_all(dataset.join("data")).unwrap();
    fs::write(dataset.join("README.md"), "# Numbers\n").unwrap();
    for file in 0..5 {
        let bytes: Vec<u8> = (0..200_000_u32).map(|place| ((place * 31 + file) % 251) as u8).collect();
        fs::write(dataset.join(format!("data/part-{file}.bin")), bytes).unwrap();
    }
    folder.join("mirror")
}

fn access(folder: &Path, server: &str) -> Access {
    Access {
        offline: false,
        offline_by_variable: false,
        cache: folder.join("cache"),
        listings: folder.join("listings"),
        refresh_lists: false,
        stopped: || false,
        endpoint: Some(server.to_owned()),
        token: None,
        timeout: Duration::from_secs(30),
        fault: None,
    }
}

fn numbers() -> Repository {
    Repository::dataset("lab/numbers", COMMIT)
}

fn fetch_all(hub: &Hub, report: &dyn Report) -> Result<(PathBuf, Vec<RemoteFile>), HubError> {
    let files = hub.files(&numbers())?;
    Ok((hub.fetch(&numbers(), &files, report)?, files))
}

fn assert_same(mirror: &Path, snapshot: &Path, files: &[RemoteFile]) {
    assert_eq!(files.len(), 6);
    for file in files {
        let expected = fs::read(mirror.join("datasets/lab/numbers").join(COMMIT).join(&file.path)).unwrap();
        assert!(fs::read(snapshot.join(&file.path)).unwrap() == expected, "{}", file.path);
    }
}

/// Keeps the last progress that it was told.
#[derive(Default)]
struct Last(Mutex<Progress>);

impl Report for Last {
    fn progress(&self, progress: Progress) {
        *self.0.lock().unwrap() = progress;
    }
}

#[test]
fn files_lie_where_other_tools_look_and_are_there_without_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror(folder.path());
    let Some(server) = Server::start(&mirror, &[]) else { return };
    let last = Last::default();
    let (snapshot, files) = fetch_all(&Hub::new(access(folder.path(), &server.address)), &last).unwrap();
    assert_same(&mirror, &snapshot, &files);
    let last = *last.0.lock().unwrap();
    assert_eq!((last.files_done, last.bytes_done), (6, 5 * 200_000 + 10));

    assert_eq!(snapshot, folder.path().join("cache/datasets--lab--numbers/snapshots").join(COMMIT));
    let link = fs::read_link(snapshot.join("data/part-0.bin")).unwrap();
    assert!(link.starts_with("../../../blobs"), "{}", link.display());

    drop(server);
    let without_server = Hub::new(access(folder.path(), "http://127.0.0.1:9"));
    assert_same(&mirror, &fetch_all(&without_server, &NoReport).unwrap().0, &files);
    let offline = Hub::new(Access { offline: true, ..access(folder.path(), "http://127.0.0.1:9") });
    assert_same(&mirror, &fetch_all(&offline, &NoReport).unwrap().0, &files);
}

#[test]
fn refusals_and_cut_connections_change_no_byte() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror(folder.path());
    // Files are fetched side by side: whatever their order, none may meet six faults in a row,
    // after which it is given up.
    let faults = ["--fail-every", "7", "--truncate-every", "4"];
    let Some(server) = Server::start(&mirror, &faults) else { return };
    let hub = Hub::new(access(folder.path(), &server.address));
    let (snapshot, files) = fetch_all(&hub, &NoReport).unwrap();
    assert_same(&mirror, &snapshot, &files);
    let blobs = fs::read_dir(folder.path().join("cache/datasets--lab--numbers/blobs")).unwrap();
    let names = blobs.map(|blob| blob.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.ends_with(".incomplete")));
}

#[test]
fn a_download_that_was_cut_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror(folder.path());
    let Some(server) = Server::start(&mirror, &[]) else { return };
    let (_, files) = fetch_all(&Hub::new(access(folder.path(), &server.address)), &NoReport).unwrap();
    let snapshot = folder.path().join("cache/datasets--lab--numbers/snapshots").join(COMMIT);
    let blob = snapshot.join("data/part-1.bin").canonicalize().unwrap();
    let bytes = fs::read(&blob).unwrap();
    fs::write(format!("{}.incomplete", blob.display()), &bytes[..150_000]).unwrap();
    fs::remove_file(&blob).unwrap();

    let last = Last::default();
    let hub = Hub::new(access(folder.path(), &server.address));
    assert_same(&mirror, &hub.fetch(&numbers(), &files, &last).unwrap(), &files);
    assert_eq!(last.0.lock().unwrap().bytes_done, 50_000);
}

#[test]
fn bytes_with_another_hash_are_thrown_away_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror(folder.path());
    let Some(server) = Server::start(&mirror, &[]) else { return };
    let hub = Hub::new(access(folder.path(), &server.address));
    let (snapshot, files) = fetch_all(&hub, &NoReport).unwrap();
    let blob = snapshot.join("data/part-1.bin").canonicalize().unwrap();
    let part = format!("{}.incomplete", blob.display());
    fs::write(&part, vec![7; 150_000]).unwrap();
    fs::remove_file(&blob).unwrap();

    let error = hub.fetch(&numbers(), &files, &NoReport).unwrap_err();
    assert!(matches!(&error, HubError::Damaged { file, .. } if file == "data/part-1.bin"), "{error}");
    assert!(!Path::new(&part).exists());
    assert_same(&mirror, &hub.fetch(&numbers(), &files, &NoReport).unwrap(), &files);
}

#[test]
fn what_will_not_pass_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mirror = mirror(folder.path());
    let Some(server) = Server::start(&mirror, &["--token", "secret"]) else { return };
    let anonymous = Hub::new(access(folder.path(), &server.address));
    let error = anonymous.files(&numbers()).unwrap_err().to_string();
    assert_eq!(
        error,
        format!(
            "dataset lab/numbers at {COMMIT}: it is gated or private, and no token was given; accept its conditions \
             on its page and set HF_TOKEN to a token that may read it"
        )
    );
    let token = Some("secret".to_owned());
    let known = Hub::new(Access { token, ..access(folder.path(), &server.address) });
    assert_eq!(known.files(&numbers()).unwrap().len(), 6);
    let error = known.files(&Repository::dataset("lab/letters", COMMIT)).unwrap_err();
    assert!(matches!(error, HubError::NoRepository { .. }), "{error}");
    let absent = RemoteFile { path: "data/part-9.bin".to_owned(), size: 1, hash: None };
    let error = known.fetch(&numbers(), &[absent], &NoReport).unwrap_err();
    assert!(matches!(&error, HubError::NoFile { file, .. } if file == "data/part-9.bin"), "{error}");
    let outside = RemoteFile { path: "../outside".to_owned(), size: 1, hash: None };
    let error = known.fetch(&numbers(), &[outside], &NoReport).unwrap_err();
    assert!(matches!(error, HubError::UnsafePath { .. }), "{error}");
    let offline = Hub::new(Access { offline: true, ..access(&folder.path().join("new"), &server.address) });
    assert!(matches!(offline.files(&numbers()).unwrap_err(), HubError::Offline { .. }));
}

#[test]
fn a_download_that_the_environment_forbids_names_the_variable() {
    let folder = tempfile::tempdir().unwrap();
    let said = |offline_by_variable: bool| {
        let access = access(folder.path(), "http://127.0.0.1:9");
        let hub = Hub::new(Access { offline: true, offline_by_variable, ..access });
        hub.files(&numbers()).unwrap_err().to_string()
    };
    let by_variable = said(true);
    assert!(
        by_variable.ends_with(
            "this run is offline because `HF_HUB_OFFLINE` is set; unset it, or run `mteb-host fetch` without it first"
        ),
        "{by_variable}"
    );
    let by_option = said(false);
    assert!(
        by_option.ends_with("this run is offline; run `mteb-host fetch` with a network first"),
        "{by_option}"
    );
}
