//! An endpoint on this machine that answers every question after a fixed time: `slow_endpoint MILLISECONDS REPLY_FILE`. It says its address on
//! the first line of standard output, and ends with its standard input.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let pause =
        Duration::from_millis(arguments.next().ok_or("expected the milliseconds of an answer")?.parse()?);
    let body = std::fs::read(arguments.next().ok_or("expected a file with the reply")?)?;
    let mut reply = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    reply.push_str(std::str::from_utf8(&body)?);
    let reply = Arc::new(reply.into_bytes());
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(listen(pause, reply))?;
    Ok(())
}

async fn listen(pause: Duration, reply: Arc<Vec<u8>>) -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        let reply = Arc::clone(&reply);
        // A client that goes away ends its task.
        tokio::spawn(async move { serve(stream, pause, &reply).await });
    }
}

async fn serve(mut stream: TcpStream, pause: Duration, reply: &[u8]) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut bytes = Vec::with_capacity(1 << 14);
    loop {
        let whole = loop {
            if let Some(length) = request_length(&bytes).filter(|length| bytes.len() >= *length) {
                break length;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
        };
        bytes.drain(..whole);
        tokio::time::sleep(pause).await;
        stream.write_all(reply).await?;
    }
}

/// Bytes of the first request in `bytes`, if its head is there.
fn request_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let text = std::str::from_utf8(&bytes[..head]).ok()?.to_ascii_lowercase();
    let length = text.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    Some(head + length.unwrap_or(0))
}
