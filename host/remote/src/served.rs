//! An endpoint of the tests, which says the same to everybody.

use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::TcpListener;
use std::thread::spawn;

use crate::{Address, Endpoint};

/// An endpoint that answers all with this head, and an empty text.
pub fn endpoint(head: &'static str) -> Endpoint {
    endpoint_with(head, Vec::new())
}

/// An endpoint that answers all with this head and this text.
pub fn endpoint_with(head: &'static str, text: Vec<u8>) -> Endpoint {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut line, mut length) = (String::new(), 0_usize);
            while stream.read_line(&mut line).unwrap() > 2 {
                if let Some(found) = line.to_lowercase().strip_prefix("content-length:") {
                    length = found.trim().parse().unwrap();
                }
                line.clear();
            }
            stream.read_exact(&mut vec![0; length]).unwrap();
            let length = text.len();
            let reply = format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n");
            // The client may have heard enough before the end.
            let _ = stream.get_mut().write_all(&[reply.as_bytes(), &text].concat());
        }
    });
    Endpoint::new(Address::new(&address).unwrap(), None).unwrap()
}
