//! What a process gives up before it runs what others wrote. What the kernel does not offer is left out, and said.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(test, not(target_os = "linux")))]
mod portable;

use std::path::Path;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// Leaves no core file.
pub fn without_core() {
    // A limit of one byte also keeps a core from a program that the system pipes it to.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(1), maximum: Some(1) });
}

/// More memory of its own than `bytes` is refused to this process and to each that it starts, for good.
pub fn bound_memory(bytes: u64) {
    let _ = setrlimit(Resource::Data, Rlimit { current: Some(bytes), maximum: Some(bytes) });
}

/// The same until another bound is set; never more than one that was set for good.
pub fn bound_memory_for_now(bytes: u64) {
    let maximum = getrlimit(Resource::Data).maximum;
    let current = Some(maximum.map_or(bytes, |maximum| maximum.min(bytes)));
    let _ = setrlimit(Resource::Data, Rlimit { current, maximum });
}

/// Where memory runs out, this process is to go before any other.
pub fn first_to_go() {
    system::first_to_go();
}

/// No program that this process starts gains rights.
pub fn without_new_rights() {
    system::without_new_rights();
}

/// Takes from this thread and all that it starts the right to write elsewhere than below `places` and to where devices are and
/// processes describe themselves, and to send signals to others; true if the kernel keeps them to it.
pub fn write_only_below<'a>(places: impl IntoIterator<Item = &'a Path>) -> bool {
    system::write_only_below(&mut places.into_iter())
}

/// Takes the network from this thread and all that it starts; true if the kernel keeps them from it.
pub fn without_network() -> bool {
    system::without_network()
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::path::PathBuf;
    use std::thread;

    use super::*;

    #[test]
    fn a_thread_without_the_network_reaches_none() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        // What is given up holds for the thread.
        let reaches = |give_up: fn() -> bool| {
            thread::spawn(move || (give_up(), TcpStream::connect(address).is_ok())).join().unwrap()
        };
        let (is_kept, is_reached) = reaches(without_network);
        if !is_kept {
            mteb_host_tests::skip("the kernel keeps no process from the network");
        }
        assert_eq!(is_reached, !is_kept);
        assert_eq!(reaches(portable::without_network), (false, true), "the twin says that it keeps nobody");
        assert!(TcpStream::connect(address).is_ok(), "other threads reach it");
    }

    #[test]
    fn a_thread_writes_where_it_may_and_nowhere_else() {
        type WriteOnly = fn(&mut dyn Iterator<Item = &Path>) -> bool;
        let (left, right) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let places: [PathBuf; 2] = [left.path().to_owned(), right.path().to_owned()];
        let writes = |give_up: WriteOnly| {
            let places = places.clone();
            let written = move || {
                let is_kept = give_up(&mut std::iter::once(places[0].as_path()));
                (is_kept, places.map(|place| std::fs::write(place.join("file"), "text").is_ok()))
            };
            thread::spawn(written).join().unwrap()
        };
        let (is_kept, written) = writes(|places| write_only_below(places));
        assert_eq!(written, [true, !is_kept]);
        let (is_kept, written) = writes(portable::write_only_below);
        assert_eq!((is_kept, written), (false, [true, true]), "the twin says that it keeps nobody");
    }

    #[test]
    fn what_a_twin_cannot_take_it_leaves() {
        portable::first_to_go();
        portable::without_new_rights();
        thread::spawn(|| {
            without_new_rights();
            assert!(cfg!(not(target_os = "linux")) || linux_says_no_new_rights());
        })
        .join()
        .unwrap();
    }

    fn linux_says_no_new_rights() -> bool {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        status.lines().any(|line| line.split_whitespace().eq(["NoNewPrivs:", "1"]))
    }
}
