//! A provider of language models on this machine, in the form of OpenAI's and Anthropic's interfaces, which
//! counts what it was asked and misbehaves on purpose; and a judge of the tests, with what it leaves.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mteb_host_tests::Run;
use serde_json::{Value, json};

use super::{LAW, lines, run_graded, succeed};

/// What the provider does with a question that it does not answer well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misdeed {
    /// Says that it was asked too much, and wants 20 ms of peace.
    TooMuch,
    /// Status 500.
    Fails,
    /// Closes the connection.
    Resets,
    /// Answers after the time that the card allows.
    Slow,
    /// A page of HTML with status 200.
    Page,
    /// The first half of the reply, with a length that fits it.
    Cut,
    /// A score of 11.
    OutOfRange,
    /// The score as a text.
    AsText,
    /// No choice in the reply.
    NoChoices,
    /// Status 401, with the key that was sent.
    Denied,
    /// The score twice, of which the last is 9.
    Twice,
    /// Words without a score.
    Prose,
    /// Status 400.
    Refuses,
    /// Refuses `max_tokens` as OpenAI's models that reason do, and answers where the limit is called `max_completion_tokens`.
    WantsCompletionTokens,
    /// Refuses `max_completion_tokens` as servers do that do not know it, and answers where the limit is called `max_tokens`.
    WantsTokens,
    /// A score in the name of the model `other`.
    OtherModel,
    /// A score in nobody's name.
    Nameless,
    /// A score whose reason has parts of the key that was sent.
    KeyParts,
    /// Answers, but has no word for it.
    None,
}

/// Which questions the provider does not answer well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Every so many-th, by the order in which they come; the first is not one of them, but for 1.
    Every(usize),
    /// All after so many.
    After(usize),
    /// Those of about one text in so many, however often and whenever it comes.
    OfTexts(u64),
    /// Those of about one query in so many.
    OfQueries(u64),
}

/// A question.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Path and headers in lower case.
    pub head: String,
    /// The question.
    pub body: Value,
    /// True if it was answered well.
    pub answered: bool,
}

/// The provider; it ends with the test.
#[derive(Debug)]
pub struct Provider {
    /// Its address, as `http://127.0.0.1:1234`.
    pub address: String,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    misdeed: Misdeed,
    when: When,
    /// Time that an answer takes.
    pause: Duration,
    count: AtomicUsize,
    answered: AtomicUsize,
    asked: Mutex<Vec<Asked>>,
}

impl Provider {
    /// A provider that does `misdeed` to every `every`-th question, the first not included, and takes `pause` for an answer.
    pub fn start(misdeed: Misdeed, every: usize, pause: Duration) -> Self {
        Self::start_when(misdeed, When::Every(every), pause)
    }

    /// A provider that does `misdeed` to the questions of `when`, and takes `pause` for an answer.
    pub fn start_when(misdeed: Misdeed, when: When, pause: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let (count, answered) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let shared = Arc::new(Shared { misdeed, when, pause, count, answered, asked: Mutex::default() });
        let of_threads = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&of_threads);
                // A client that goes away ends its thread.
                std::thread::spawn(move || serve(&stream, &shared));
            }
        });
        Self { address, shared }
    }

    /// All that it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// How many questions it has answered well.
    pub fn answered(&self) -> usize {
        self.shared.answered.load(Ordering::SeqCst)
    }

    /// How often each question was answered well.
    pub fn answers(&self) -> HashMap<String, usize> {
        let mut answers = HashMap::new();
        for asked in self.asked().into_iter().filter(|asked| asked.answered) {
            *answers.entry(question(&asked.body)).or_default() += 1;
        }
        answers
    }
}

/// The text of a question, without the rubric.
pub fn question(body: &Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    match &messages.last().unwrap()["content"] {
        Value::String(text) => text.clone(),
        parts => parts.as_array().unwrap().iter().map(|part| part["text"].as_str().unwrap()).collect(),
    }
}

/// The score that the judge gives: by the text alone, from 0 to 10 in steps of a half.
pub fn score(question: &str) -> f64 {
    ((hash(question) >> 32) % 21) as f64 / 2.0
}

fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Misdeed {
    /// True if it is done to a question of this body.
    fn is_done_to(self, body: &Value) -> bool {
        match self {
            Self::WantsCompletionTokens => body.get("max_tokens").is_some(),
            Self::WantsTokens => body.get("max_completion_tokens").is_some(),
            _ => true,
        }
    }
}

impl When {
    /// True if the question with the text `question`, the `number`-th from 0, is one of them.
    pub fn is_of(self, number: usize, question: &str) -> bool {
        let is_chosen = |text: &str, share: u64| (hash(text) >> 16).is_multiple_of(share);
        match self {
            Self::Every(every) => (number + 1).is_multiple_of(every),
            Self::After(good) => number >= good,
            Self::OfTexts(share) => is_chosen(question, share),
            Self::OfQueries(share) => {
                is_chosen(question.split("<document").next().unwrap_or_default(), share)
            }
        }
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    let mut input = BufReader::new(stream.try_clone()?);
    while let Some(asked) = read(&mut input)? {
        let number = shared.count.fetch_add(1, Ordering::SeqCst);
        let is_misdeed =
            shared.when.is_of(number, &question(&asked.body)) && shared.misdeed.is_done_to(&asked.body);
        let misdeed = if is_misdeed { shared.misdeed } else { Misdeed::None };
        std::thread::sleep(if misdeed == Misdeed::Slow { Duration::from_millis(1500) } else { shared.pause });
        let reply = reply(&asked, misdeed);
        let answered = misdeed == Misdeed::None;
        shared.asked.lock().unwrap().push(Asked { answered, ..asked });
        shared.answered.fetch_add(usize::from(answered), Ordering::SeqCst);
        let Some((status, headers, body)) = reply else { return Ok(()) };
        let mut output = stream;
        let length = body.len();
        let head = format!("HTTP/1.1 {status} Said\r\n{headers}content-length: {length}\r\n\r\n");
        output.write_all((head + &body).as_bytes())?;
    }
    Ok(())
}

fn read(input: &mut BufReader<TcpStream>) -> io::Result<Option<Asked>> {
    let mut head = String::new();
    loop {
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line.to_lowercase());
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    input.read_exact(&mut body)?;
    Ok(Some(Asked { head, body: serde_json::from_slice(&body)?, answered: false }))
}

/// A key as somebody may write it who wants to be understood by others than its owner.
fn parts_of_key(head: &str) -> String {
    let key =
        head.lines().find_map(|line| line.strip_prefix("authorization: bearer ")).unwrap_or("none").trim();
    let backwards: String = key.chars().rev().collect();
    let spaced: Vec<String> = key.chars().map(String::from).collect();
    format!(
        "cut {} capitals {} backwards {backwards} spaced {} base64 c2stdGVzdC0wMTIzNDU2Nzg5YWJjZGVm",
        &key[key.len().min(4)..],
        key.to_uppercase(),
        spaced.join(" ")
    )
}

/// Status, further headers and body; `None` to close the connection.
fn reply(asked: &Asked, misdeed: Misdeed) -> Option<(u16, &'static str, String)> {
    let said = |message: &str| json!({"error": {"message": message}}).to_string();
    let score = match misdeed {
        Misdeed::TooMuch => return Some((429, "retry-after: 0.02\r\n", said("slow down"))),
        Misdeed::Fails => return Some((500, "", said("it broke"))),
        Misdeed::Resets => return None,
        Misdeed::Refuses => return Some((400, "", said("no such parameter"))),
        Misdeed::WantsCompletionTokens => {
            let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
            return Some((400, "", said(message)));
        }
        Misdeed::WantsTokens => {
            return Some((422, "", said("Unrecognized request argument supplied: max_completion_tokens")));
        }
        Misdeed::Page => return Some((200, "", "<html><body>Please wait</body></html>".to_owned())),
        Misdeed::NoChoices => return Some((200, "", json!({"choices": [], "content": []}).to_string())),
        Misdeed::Denied => return Some((401, "", said(&format!("wrong key: {}", asked.head)))),
        Misdeed::OutOfRange => json!(11),
        Misdeed::AsText => json!("7"),
        _ => json!(score(&question(&asked.body))),
    };
    let reasoning = match misdeed {
        Misdeed::KeyParts => parts_of_key(&asked.head),
        _ => "as the test has it".to_owned(),
    };
    let mut text = json!({"reasoning": reasoning, "score": score}).to_string();
    if misdeed == Misdeed::Prose {
        text = "I like this document.".to_owned();
    }
    if misdeed == Misdeed::Twice {
        text = text.replace('}', ",\"score\":9}");
    }
    let mut body = if asked.head.starts_with("post /v1/messages") {
        json!({
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
            "usage": {"input_tokens": 100, "cache_read_input_tokens": 300, "output_tokens": 20},
        })
    } else {
        json!({
            "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 400, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 300}},
        })
    }
    .to_string();
    let model = match misdeed {
        Misdeed::OtherModel => json!("other"),
        Misdeed::Nameless => json!(""),
        _ => asked.body["model"].clone(),
    };
    body = body.replacen('{', &format!("{{\"model\":{model},"), 1);
    if misdeed == Misdeed::Cut {
        body.truncate(body.len() / 2);
    }
    Some((200, "", body))
}

pub const STORE: &str = "graded/judgements/reader.jsonl";

/// A folder with a pool of depth `depth`, and the card of a judge at `provider`.
pub fn prepare_pool(provider: &Provider, depth: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["rank", "hashing", "bm25", "--task", LAW, "--quiet"]);
    succeed(folder.path(), &["pool", "--task", LAW, "--depth", &depth.to_string()]);
    card(folder.path(), &provider.address, 3);
    folder
}

/// The card `reader.toml` of a judge that is asked so often before a pair counts as failed.
pub fn card(folder: &Path, address: &str, attempts: u32) {
    let text = format!(
        "schema = 1\nname = \"reader\"\ntitle = \"a judge of the tests\"\nthreshold = 6.0\n\
         [endpoint]\nstyle = \"openai\"\nurl = \"{address}/v1\"\nmodel = \"m-1\"\n\
         [prompt]\nlanguage = \"en\"\nversion = 1\n\
         [prices]\ncurrency = \"USD\"\ninput = 10.0\ncached = 1.0\noutput = 100.0\n\
         [limits]\nconcurrency = 8\nattempts = {attempts}\nseconds = 1\n"
    );
    fs::write(folder.join("reader.toml"), text).unwrap();
}

pub fn judge(folder: &Path, arguments: &[&str]) -> Run {
    run_graded(folder, &[&["judge", "--judge", "reader.toml", "--quiet"], arguments].concat())
}

/// The judgements of the store, without its head.
pub fn judgements(folder: &Path) -> Vec<Value> {
    lines(&folder.join(STORE)).split_off(1)
}

/// The names of the pairs of the pool.
pub fn pairs(folder: &Path) -> Vec<String> {
    let pool = lines(&folder.join(format!("graded/pools/{LAW}/test/default.jsonl")));
    let mut pairs: Vec<String> =
        pool.iter().filter_map(|line| Some(line["pair"].as_str()?.to_owned())).collect();
    pairs.sort_unstable();
    pairs
}

/// Every pair of the pool stands in the store once, with the score that the provider gave.
pub fn assert_all_judged(folder: &Path, provider: &Provider) {
    let judged = judgements(folder);
    let mut found: Vec<String> =
        judged.iter().map(|line| line["pair"].as_str().unwrap().to_owned()).collect();
    found.sort_unstable();
    assert_eq!(found, pairs(folder));
    let mut scores: Vec<f64> = judged.iter().map(|line| line["score"].as_f64().unwrap()).collect();
    let mut expected: Vec<f64> = provider.answers().keys().map(|question| score(question)).collect();
    scores.sort_unstable_by(f64::total_cmp);
    expected.sort_unstable_by(f64::total_cmp);
    assert_eq!(scores, expected);
}
