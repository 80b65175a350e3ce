//! A hub on this machine that lies as it is told: about commits, hashes, names, lengths and pages.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::json;

/// The one commit of the one repository.
pub const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// The bytes of each of its files: a task of pairs.
pub const ROWS: &str = "sentence1,sentence2,score\nsatu,one,5\ndua,two,4\ntiga,four,1\nempat,three,2\n";

/// SHA-256 of [`ROWS`], which is its ETag.
pub const HASH: &str = "ca40641bcb417cffb4d353338bf2aff1aa4ec3c5550194f0c8686aba454487eb";

/// The bytes of each file whose name begins with `more`: pairs that change the score of the task.
pub const MORE_ROWS: &str = "sentence1,sentence2,score\nlima,enam,1\ntujuh,delapan,5\nsembilan,sembilan,2\n";

/// SHA-256 of [`MORE_ROWS`].
const MORE_HASH: &str = "6f401b03e04b8d7660bad8d82d610d3de50e558fe019e86e55b31a939d255ca4";

/// What the hub lies about.
#[derive(Clone, Debug)]
pub enum Lie {
    /// Nothing.
    Truth,
    /// The commit, in `X-Repo-Commit` and of a branch.
    Commit(String),
    /// The hash of every file.
    Etag(String),
    /// The names in the list of files.
    Names(Vec<String>),
    /// The size in the list of files.
    ListedSize(u64),
    /// The hash in the list of files.
    ListedHash(String),
    /// The list has this hash, and the files have ETags that are none.
    ListedHashAlone(String),
    /// The length of a file when it is asked for alone.
    Length(u64),
    /// Bodies are cut in the middle, and parts that are asked for begin at the beginning.
    CutsAndStartsAnew,
    /// Parts that are asked for are announced as others, in words as these of `Content-Range`.
    OtherPart(String),
    /// Bodies end in the middle, cleanly, and the rest is none that can be asked for.
    EndsEarly,
    /// The body of a file has no end.
    EndlessBody,
    /// A byte of a body now and then.
    Drips,
    /// No answer at all.
    Silent,
    /// Every page has a next one, with a new file.
    EndlessPages,
    /// Every page has a next one, and brings nothing.
    EmptyPages,
    /// Every page says that it is the next one.
    SamePage,
    /// The list has two pages, and the first names the second without its host.
    PagesFromTheRoot,
    /// This many files, all on one page.
    Entries(usize),
    /// Every address leads to another one.
    Redirects,
    /// Files lie at this other address.
    FilesAt(String),
    /// Files are sent compressed, unasked.
    Compressed,
    /// A page for people instead of the list of files.
    PageForPeople,
    /// A page for people instead of a file.
    FilesForPeople,
    /// This status, whatever is asked.
    Status(u16),
}

/// A hub with the repository `lab/lies`, as a dataset and as a model; it ends with the test.
#[derive(Debug)]
pub struct LyingHub {
    /// Its address, as `http://127.0.0.1:1234`.
    pub address: String,
    place: String,
    asked: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
    lie: Arc<Mutex<Lie>>,
}

/// A connection, plain or not.
pub trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

impl LyingHub {
    /// Starts a hub that tells this lie.
    ///
    /// # Errors
    /// If no port can be had.
    pub fn start(lie: Lie) -> io::Result<Self> {
        Self::start_over(lie, "http", |stream| Some(Box::new(stream)))
    }

    /// Starts a hub whose addresses begin with `scheme`, and whose connections are wrapped first.
    ///
    /// # Errors
    /// If no port can be had.
    pub fn start_over(
        lie: Lie,
        scheme: &str,
        wrap: impl Fn(TcpStream) -> Option<Box<dyn Stream>> + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let wrap = Arc::new(wrap);
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let place = listener.local_addr()?.to_string();
        let (asked, ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let lie = Arc::new(Mutex::new(lie));
        let hub = Self { address: format!("{scheme}://{place}"), place, asked, ended, lie: Arc::clone(&lie) };
        let (asked, ended, address) = (Arc::clone(&hub.asked), Arc::clone(&hub.ended), hub.address.clone());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                let talk = Talk {
                    lie: lie.lock().unwrap_or_else(PoisonError::into_inner).clone(),
                    address: address.clone(),
                    asked: Arc::clone(&asked),
                    ended: Arc::clone(&ended),
                };
                let wrap = Arc::clone(&wrap);
                thread::spawn(move || wrap(stream).map(|stream| talk.hold(stream)));
            }
        });
        Ok(hub)
    }

    /// Tells another lie from now on.
    pub fn tell(&self, lie: Lie) {
        *self.lie.lock().unwrap_or_else(PoisonError::into_inner) = lie;
    }

    /// How many requests have come.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Drop for LyingHub {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for a connection, so that it sees the end.
        let _ = TcpStream::connect(&self.place);
    }
}

/// One connection.
struct Talk {
    lie: Lie,
    address: String,
    asked: Arc<AtomicUsize>,
    ended: Arc<AtomicBool>,
}

/// What is asked for.
struct Request {
    method: String,
    path: String,
    query: String,
    start: usize,
}

/// What is answered.
struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    /// Bytes that are announced, if not those of the body.
    length: Option<u64>,
}

impl Talk {
    fn hold(&self, mut stream: impl Stream) {
        let Ok(request) = read_request(&mut stream) else { return };
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        if matches!(self.lie, Lie::Silent) {
            self.wait();
            return;
        }
        let reply = self.reply(&request, number);
        // A client that goes away early is none of the hub's concern.
        let _ = self.send(&mut stream, &request, reply);
    }

    fn reply(&self, request: &Request, number: usize) -> Reply {
        let parts: Vec<&str> = request.path.trim_matches('/').split('/').collect();
        match (&self.lie, parts.as_slice()) {
            (Lie::Status(status), _) => Reply::new(*status, ""),
            (Lie::Redirects, _) => {
                Reply::new(302, "").with("Location", format!("{}/on/{number}", self.address))
            }
            (_, ["api", _, "lab", "lies", "tree", ..]) => self.list(request, number),
            (_, ["api", _, "lab", "lies", ..]) => {
                Reply::new(200, &json!({ "id": "lab/lies", "sha": self.commit() }).to_string())
            }
            (Lie::FilesAt(address), [.., "resolve", _, file]) => {
                Reply::new(302, "").with("Location", format!("{address}/{file}"))
            }
            (_, ["datasets", "lab", "lies", "resolve", _, ..] | ["lab", "lies", "resolve", _, ..]) => {
                self.file(request)
            }
            _ => Reply::new(404, "").with("X-Error-Code", "RepoNotFound".to_owned()),
        }
    }

    fn list(&self, request: &Request, number: usize) -> Reply {
        let entry = |path: &str, size: u64| match &self.lie {
            Lie::ListedHash(hash) | Lie::ListedHashAlone(hash) => {
                json!({ "type": "file", "path": path, "size": size, "lfs": { "oid": hash } })
            }
            _ => json!({ "type": "file", "path": path, "size": size }),
        };
        let size = match self.lie {
            Lie::ListedSize(size) => size,
            _ => ROWS.len() as u64,
        };
        let size_of = |name: &str| if is_more(name) { MORE_ROWS.len() as u64 } else { size };
        let next = |cursor: usize| {
            let address = format!("{}{}?recursive=true&cursor={cursor}", self.address, request.path);
            format!("<{address}>; rel=\"next\"")
        };
        let list = |entries: Vec<serde_json::Value>| Reply::new(200, &json!(entries).to_string());
        match &self.lie {
            Lie::Names(names) => list(names.iter().map(|name| entry(name, size_of(name))).collect()),
            Lie::EndlessPages => {
                list(vec![entry(&format!("part-{number}.csv"), size)]).with("Link", next(number))
            }
            Lie::EmptyPages => list(Vec::new()).with("Link", next(number)),
            Lie::SamePage => list(vec![entry("test.csv", size)]).with("Link", next(0)),
            Lie::PagesFromTheRoot if request.query.contains("cursor") => list(vec![entry("test.csv", size)]),
            Lie::PagesFromTheRoot => {
                let next = format!("<{}?recursive=true&cursor=1>; rel=\"next\"", request.path);
                list(vec![entry("README.md", size)]).with("Link", next)
            }
            Lie::Entries(count) => {
                list((0..*count).map(|file| entry(&format!("{file}.csv"), size)).collect())
            }
            Lie::PageForPeople => {
                Reply::new(200, "<!DOCTYPE html>\n<html><body>Please log in.</body></html>")
                    .with("Content-Type", "text/html".to_owned())
            }
            _ => {
                debug_assert!(request.query.contains("recursive"));
                list(vec![entry("test.csv", size)])
            }
        }
    }

    fn file(&self, request: &Request) -> Reply {
        if matches!(self.lie, Lie::FilesForPeople) {
            return Reply::new(200, "<html>Please log in.</html>")
                .with("Content-Type", "text/html".to_owned());
        }
        let etag = match &self.lie {
            Lie::Etag(etag) => etag.clone(),
            Lie::ListedHashAlone(_) => "v1".to_owned(),
            _ if is_more(&request.path) => MORE_HASH.to_owned(),
            _ => HASH.to_owned(),
        };
        let whole = if is_more(&request.path) { MORE_ROWS } else { ROWS }.as_bytes();
        let starts_anew = matches!(self.lie, Lie::CutsAndStartsAnew);
        let start = if starts_anew { 0 } else { request.start.min(whole.len()) };
        let status = if start > 0 { 206 } else { 200 };
        let mut reply = Reply { body: whole[start..].to_vec(), ..Reply::new(status, "") };
        reply = reply.with("ETag", format!("\"{etag}\"")).with("X-Repo-Commit", self.commit());
        match &self.lie {
            Lie::CutsAndStartsAnew if request.method == "GET" => {
                reply.length = Some(whole.len() as u64);
                reply.body.truncate(whole.len() / 2);
            }
            Lie::EndsEarly if request.start >= whole.len() / 2 => {
                reply = Reply::new(416, "").with("Content-Range", format!("bytes */{}", whole.len() / 2));
            }
            Lie::EndsEarly if request.method == "GET" => reply.body.truncate(whole.len() / 2 - start),
            Lie::Length(length) if request.method == "HEAD" => reply.length = Some(*length),
            Lie::OtherPart(range) if status == 206 => reply = reply.with("Content-Range", range.clone()),
            Lie::Compressed => reply = reply.with("Content-Encoding", "gzip".to_owned()),
            _ => {}
        }
        reply
    }

    fn commit(&self) -> String {
        match &self.lie {
            Lie::Commit(commit) => commit.clone(),
            _ => COMMIT.to_owned(),
        }
    }

    fn send(&self, stream: &mut impl Stream, request: &Request, reply: Reply) -> io::Result<()> {
        let is_endless = matches!(self.lie, Lie::EndlessBody) && request.method == "GET" && is_file(request);
        let mut head = format!("HTTP/1.1 {} X\r\nConnection: close\r\n", reply.status);
        if !is_endless {
            let length = reply.length.unwrap_or(reply.body.len() as u64);
            head += &format!("Content-Length: {length}\r\n");
        }
        for (name, value) in &reply.headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes())?;
        if request.method == "HEAD" {
            return stream.flush();
        }
        if matches!(self.lie, Lie::Drips) {
            for byte in &reply.body {
                stream.write_all(&[*byte])?;
                stream.flush()?;
                thread::sleep(Duration::from_millis(300));
            }
        }
        stream.write_all(&reply.body)?;
        while is_endless && !self.ended.load(Ordering::Relaxed) {
            stream.write_all(&[b'x'; 4096])?;
        }
        stream.flush()
    }

    /// Holds the connection until the test ends.
    fn wait(&self) {
        while !self.ended.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Reply {
    fn new(status: u16, body: &str) -> Self {
        Self { status, headers: Vec::new(), body: body.as_bytes().to_vec(), length: None }
    }

    fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }
}

fn is_more(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("more"))
}

fn is_file(request: &Request) -> bool {
    request.path.contains("/resolve/")
}

fn read_request(stream: &mut impl Read) -> io::Result<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let mut words = head.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let address = words.next().unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let range = head.to_lowercase();
    let range = range.split_once("range: bytes=").and_then(|(_, rest)| rest.split('-').next()?.parse().ok());
    Ok(Request { method, path: path.to_owned(), query: query.to_owned(), start: range.unwrap_or_default() })
}
