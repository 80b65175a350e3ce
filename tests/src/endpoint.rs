//! An HTTP endpoint on this machine that embeds and scores in the forms of all providers, and misbehaves on purpose.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// What the endpoint does with a request that it does not answer well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misdeed {
    /// Says that it was asked too much, and wants 50 ms of peace.
    TooMuch,
    /// Status 500.
    Fails,
    /// Closes the connection.
    Resets,
    /// Keeps the connection open and says nothing.
    Silent,
    /// A page of HTML with status 200.
    Page,
    /// The first half of the reply, with a length that fits it.
    Cut,
    /// A row with a number that is none.
    NotANumber,
    /// One row too few.
    FewerRows,
    /// The rows in another order, with their numbers.
    Swapped,
    /// Rows that are one number short.
    Shorter,
    /// A row of zeros.
    Zeros,
    /// Status 401, with the key that was sent.
    Denied,
    /// Status 400 for a request with an empty text or one of more than 300 bytes.
    Picky,
    /// Answers, but has no word for it.
    None,
}

/// What the endpoint was asked.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Path.
    pub path: String,
    /// Headers in lower case.
    pub headers: String,
    /// The question.
    pub body: Value,
    /// True if it was answered well.
    pub answered: bool,
}

/// The endpoint; it ends with the test.
#[derive(Debug)]
pub struct Endpoint {
    /// Its address, as `http://127.0.0.1:1234`.
    pub address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// What turns texts into rows.
pub type Embed = fn(&[&str]) -> Vec<Vec<f32>>;

/// Longer than any test waits.
const SILENCE: Duration = Duration::from_secs(3600);

struct Shared {
    embed: Embed,
    misdeed: Misdeed,
    every: usize,
    count: AtomicUsize,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Endpoint {
    /// An endpoint that embeds by `embed` and does `misdeed` to every `every`-th request, the first included.
    ///
    /// # Errors
    /// If it cannot listen.
    pub fn start(embed: Embed, misdeed: Misdeed, every: usize) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared =
            Arc::new(Shared { embed, misdeed, every, count: AtomicUsize::new(0), asked: Arc::clone(&asked) });
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                // A client that goes away ends its thread.
                std::thread::spawn(move || serve(&stream, &shared));
            }
        });
        Ok(Self { address, asked })
    }

    /// All that it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut input = BufReader::new(stream.try_clone()?);
    while let Some(asked) = read(&mut input)? {
        let number = shared.count.fetch_add(1, Ordering::Relaxed);
        let misdeed = if number.is_multiple_of(shared.every) { shared.misdeed } else { Misdeed::None };
        let note = |asked: Asked| shared.asked.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
        match reply(&asked, shared.embed, misdeed) {
            Some((status, headers, body)) => {
                note(Asked { answered: status == 200 && misdeed == Misdeed::None, ..asked });
                let mut output = stream;
                let length = body.len();
                write!(
                    output,
                    "HTTP/1.1 {status} Said\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n"
                )?;
                output.write_all(body.as_bytes())?;
            }
            None => {
                note(asked);
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read(input: &mut BufReader<TcpStream>) -> io::Result<Option<Asked>> {
    let (mut first, mut headers) = (String::new(), String::new());
    if input.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    loop {
        let mut line = String::new();
        input.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        headers.push_str(&line);
    }
    let length = headers.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let mut body = vec![0; length.unwrap_or_default()];
    input.read_exact(&mut body)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Ok(Some(Asked { path, headers, body, answered: false }))
}

/// Status, further headers and body; `None` to close the connection.
fn reply(asked: &Asked, embed: Embed, misdeed: Misdeed) -> Option<(u16, &'static str, String)> {
    let said = |message: &str| json!({"error": {"message": message}}).to_string();
    match misdeed {
        Misdeed::TooMuch => return Some((429, "retry-after: 0.05\r\n", said("slow down"))),
        Misdeed::Fails => return Some((500, "", said("it broke"))),
        Misdeed::Resets => return None,
        Misdeed::Silent => {
            std::thread::sleep(SILENCE);
            return None;
        }
        Misdeed::Page => return Some((200, "", "<html><body>Please wait</body></html>".to_owned())),
        Misdeed::Denied => return Some((401, "", said(&format!("wrong key: {}", asked.headers)))),
        _ => {}
    }
    let texts = texts_of(&asked.body);
    let is_unwanted = |text: &String| text.is_empty() || text.len() > 300;
    if misdeed == Misdeed::Picky && texts.iter().any(is_unwanted) {
        return Some((400, "", said("expected texts of 1 to 300 bytes, the maximum length")));
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut rows: Vec<(usize, Vec<f32>)> = embed(&texts).into_iter().enumerate().collect();
    match misdeed {
        Misdeed::FewerRows => drop(rows.pop()),
        Misdeed::Swapped => rows.reverse(),
        Misdeed::Shorter => rows.iter_mut().for_each(|(_, row)| row.truncate(row.len().saturating_sub(1))),
        Misdeed::Zeros => rows[0].1.fill(0.0),
        _ => {}
    }
    let query = asked.body.get("query").and_then(Value::as_str);
    let body = match query {
        Some(query) => scores(&asked.path, &rows, &embed(&[query])[0]),
        None => embeddings(&asked.path, &rows),
    };
    let mut body = body?.to_string();
    match misdeed {
        Misdeed::Cut => body.truncate(body.len() / 2),
        Misdeed::NotANumber => body = body.replacen("[0.", "[NaN, 0.", 1).replacen("[-0.", "[NaN, -0.", 1),
        _ => {}
    }
    Some((200, "", body))
}

/// The texts of a question, wherever its form has them.
fn texts_of(body: &Value) -> Vec<String> {
    let plain = ["input", "texts", "inputs", "documents"].iter().find_map(|key| body.get(key)?.as_array());
    if let Some(texts) = plain {
        return texts.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    }
    let requests = body.get("requests").and_then(Value::as_array).into_iter().flatten();
    requests
        .filter_map(|request| Some(request.pointer("/content/parts/0/text")?.as_str()?.to_owned()))
        .collect()
}

/// A reply with embeddings in the form that belongs to `path`.
fn embeddings(path: &str, rows: &[(usize, Vec<f32>)]) -> Option<Value> {
    let plain: Vec<&Vec<f32>> = rows.iter().map(|(_, row)| row).collect();
    let tokens = json!({"prompt_tokens": rows.len(), "total_tokens": rows.len()});
    let named = |name: &str| -> Vec<Value> { plain.iter().map(|row| json!({name: row})).collect() };
    Some(match path.rsplit('/').next()? {
        "embeddings" => {
            let data = rows.iter().map(|(index, row)| json!({"index": index, "embedding": row}));
            json!({"data": data.collect::<Vec<_>>(), "usage": tokens})
        }
        "embed" if path.starts_with("/models/") => json!({"results": named("embedding"), "usage": tokens}),
        "embed" if path.starts_with("/api/") => json!({"embeddings": plain, "prompt_eval_count": rows.len()}),
        "embed" if path.starts_with("/v2/") => json!({"embeddings": {"float": plain}}),
        "embed" => json!(plain),
        last if last.ends_with(":batchEmbedContents") => json!({"embeddings": named("values")}),
        _ => return None,
    })
}

/// A reply with scores, best first: the inner product with the query.
fn scores(path: &str, rows: &[(usize, Vec<f32>)], query: &[f32]) -> Option<Value> {
    let score = |row: &[f32]| row.iter().zip(query).map(|(left, right)| left * right).sum::<f32>();
    let mut scored: Vec<(usize, f32)> = rows.iter().map(|(index, row)| (*index, score(row))).collect();
    scored.sort_by(|left, right| right.1.total_cmp(&left.1));
    let named = |name: &str| -> Vec<Value> {
        scored.iter().map(|(index, score)| json!({"index": index, name: score})).collect()
    };
    Some(match path {
        "/rerank" => json!(named("score")),
        "/v1/voyage/rerank" => json!({"data": named("relevance_score")}),
        path if path.ends_with("rerank") => json!({"results": named("relevance_score")}),
        _ => return None,
    })
}
