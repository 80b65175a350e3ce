//! An endpoint of the tests, which says the same to everybody, and tests of replies that say more
//! than was asked for.

use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::TcpListener;
use std::thread::spawn;
use std::time::Duration;

use crate::{Address, Bounds, Budget, Call, Client, Endpoint, Failure, Policy, Prices, Read};

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

#[test]
fn a_reply_of_more_than_was_asked_for_is_not_parsed() {
    let pause = Duration::from_millis(1);
    let policy = Policy { first_pause: pause, longest_pause: pause, ..Policy::default() };
    let bounds = Bounds { bytes: 1 << 20, values: 10_000 };
    let ask = |text: Vec<u8>| {
        let endpoint = endpoint_with("200 OK", text);
        let client = Client::new(endpoint, policy, Prices::default(), Budget::default()).unwrap();
        let call = Call { path: "embeddings".to_owned(), body: b"{}".to_vec(), bounds, ..Call::default() };
        client.one(&call, |reply| Ok(Read { value: reply.len(), usage: None }))
    };
    assert_eq!(ask(b"[[],[]]".to_vec()), Ok(7));
    let failure = ask([b"[", &b"[],".repeat(300_000)[..], b"[]]"].concat()).unwrap_err().to_string();
    assert!(failure.contains("expected a reply of at most 10000 values"), "{failure}");
    let failure = ask(vec![b' '; 3 << 20]).unwrap_err();
    let Failure::Unfit { attempts, message, .. } = &failure else { panic!("{failure:?}") };
    assert_eq!(*attempts, 3, "what is no answer is asked for three times");
    assert!(message.contains("the reply has more than 1048576 bytes"), "{message}");
}

#[test]
fn of_what_is_no_answer_the_begin_is_read() {
    let text = [br#"{"error": {"message": "no"}, "more": ["#, &b"[],".repeat(3 << 20)[..], b"[]]}"].concat();
    let endpoint = endpoint_with("400 Bad Request", text);
    let client = Client::new(endpoint, Policy::default(), Prices::default(), Budget::default()).unwrap();
    let call = Call { path: "embeddings".to_owned(), body: b"{}".to_vec(), ..Call::default() };
    let failure = client.one(&call, |_| Ok(Read { value: (), usage: None })).unwrap_err();
    let Failure::Refused { status, message, .. } = &failure else { panic!("{failure:?}") };
    assert!(*status == 400 && message.chars().count() <= 301, "{message}");
}
