//! A plain load generator: `load ADDRESS COUNT CONNECTIONS BODY_FILE` sends one body so many times over so many connections, reads whole
//! replies and throws them away. It prints the seconds as JSON.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, count, connections, body] = arguments.as_slice() else {
        return Err("expected ADDRESS COUNT CONNECTIONS BODY_FILE".into());
    };
    let (count, connections): (usize, usize) = (count.parse()?, connections.parse()?);
    let host = address.trim_start_matches("http://").to_owned();
    let body = std::fs::read_to_string(body)?;
    let request = Arc::new(format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    ));
    let begin = Instant::now();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let asked = Arc::new(AtomicUsize::new(0));
    let answered = runtime.block_on(async {
        let tasks: Vec<_> = (0..connections)
            .map(|_| tokio::spawn(ask(host.clone(), Arc::clone(&request), Arc::clone(&asked), count)))
            .collect();
        let mut answered = 0;
        for task in tasks {
            answered += task.await??;
        }
        Ok::<usize, Box<dyn Error>>(answered)
    })?;
    println!("{{\"seconds\": {}, \"answers\": {answered}}}", begin.elapsed().as_secs_f64());
    Ok(())
}

/// Asks over one connection until all is asked; gives the number of replies.
async fn ask(
    host: String,
    request: Arc<String>,
    asked: Arc<AtomicUsize>,
    count: usize,
) -> std::io::Result<usize> {
    let mut stream = TcpStream::connect(&host).await?;
    stream.set_nodelay(true)?;
    let (mut bytes, mut answered) = (Vec::with_capacity(1 << 12), 0);
    while asked.fetch_add(1, Ordering::Relaxed) < count {
        stream.write_all(request.as_bytes()).await?;
        let whole = loop {
            if let Some(length) = reply_length(&bytes).filter(|length| bytes.len() >= *length) {
                break length;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        };
        bytes.drain(..whole);
        answered += 1;
    }
    Ok(answered)
}

/// Bytes of the first reply in `bytes`, if its head is there.
fn reply_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head]).ok()?.to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    Some(head + length.unwrap_or(0))
}
