//! Starts processes from one thread that lives as long as this process.
//!
//! A worker asks the system to end it with its host. What the system watches is the thread that started the worker: one that a
//! thread of a run had started would be ended with that thread, while another one still reads from it.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use mteb_base::threads;

/// A command, and where its process goes.
struct Order {
    command: Command,
    reply: SyncSender<io::Result<Child>>,
}

/// The way to the thread, once it runs.
static THREAD: Mutex<Option<Sender<Order>>> = Mutex::new(None);

/// Starts `command`.
///
/// # Errors
/// If the system gives no process.
pub fn start(mut command: Command) -> io::Result<Child> {
    // Where there is no room for the thread, this one has to do.
    let Ok(orders) = orders() else { return command.spawn() };
    let (reply, answer) = sync_channel(1);
    let gone = || io::Error::other("the thread that starts workers is gone");
    orders.send(Order { command, reply }).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

/// The way to the thread, which is made on the first call.
fn orders() -> io::Result<Sender<Order>> {
    let mut thread = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(orders) = &*thread {
        return Ok(orders.clone());
    }
    let (orders, taken) = channel::<Order>();
    let work = move || {
        for Order { mut command, reply } in taken {
            // Whoever ordered it may have gone; the process ends with its streams then.
            let _ = reply.send(command.spawn());
        }
    };
    Builder::new().stack_size(threads::stack()).name("starter".to_owned()).spawn(work)?;
    *thread = Some(orders.clone());
    Ok(orders)
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_process_outlives_the_thread_that_asked_for_it() {
        let begin = || {
            let mut command = Command::new("setpriv");
            command.args(["--pdeathsig", "KILL", "sh", "-c", "echo ready; exec sleep 60"]);
            let mut child = start({
                command.stdout(Stdio::piped());
                command
            })
            .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            (child, line)
        };
        let (mut child, line) = std::thread::spawn(begin).join().unwrap();
        assert_eq!(line, "ready\n");
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(child.try_wait().unwrap(), None, "it ended with the thread");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
