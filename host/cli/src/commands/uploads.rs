//! Sends what a shard leaves to a store of objects while it is scored, in a thread of its own.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use mteb_shards::Mirror;

use super::objects::{Store, fault_at, units_of};
use crate::output;

/// Between two looks at what is new.
const PAUSE: Duration = Duration::from_secs(5);

/// What a shard leaves, on its way to a store.
pub struct Uploads {
    /// Where it goes.
    address: String,
    folder: PathBuf,
    /// Dropped, it ends the thread.
    going_on: Sender<()>,
    thread: JoinHandle<Mirror<Store>>,
}

impl Uploads {
    /// Brings what the `store` at an address has of `shard` of the plan with this hash into its `folder`; from then on sends what is new
    /// there.
    ///
    /// # Errors
    /// One line: the store cannot be asked, or what is there is of another plan.
    pub fn begin(
        (store, address): (Store, &str),
        (plan, shard): (&str, usize),
        folder: &Path,
    ) -> Result<Self, String> {
        let mut mirror = Mirror::new(store, &shard.to_string(), folder, units_of);
        let address = format!("{address}/{shard}");
        let fetched = mirror.fetch_shard(plan).map_err(|why| fault_at(&address, &why))?;
        if fetched > 0 {
            output::say(format!("{} of {address} downloaded", output::count(fetched, "file")));
        }
        let (going_on, ended) = channel::<()>();
        let place = address.clone();
        let send = move || {
            let mut is_warned = false;
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if let Err(why) = mirror.send()
                    && !is_warned
                {
                    is_warned = true;
                    output::warn(format!("{}; it is tried again", fault_at(&place, &why)));
                }
            }
            mirror
        };
        let thread = Builder::new().name("uploads".to_owned()).spawn(send);
        let thread = thread.map_err(|error| format!("cannot start a thread that sends results: {error}"))?;
        Ok(Self { address, folder: folder.to_owned(), going_on, thread })
    }

    /// Sends the rest; gives where all is.
    ///
    /// # Errors
    /// One line: what was scored stays in the folder of the shard.
    pub fn end(self) -> Result<String, String> {
        let Self { address, folder, going_on, thread } = self;
        drop(going_on);
        let sent = match thread.join() {
            Ok(mut mirror) => mirror.send().map_err(|why| fault_at(&address, &why)),
            Err(_) => Err(format!("{address}: cannot send results: the thread that does it has ended")),
        };
        match sent {
            Ok(_) => Ok(address),
            Err(why) => {
                Err(format!("{why}; results are in {}, and the same command sends them", folder.display()))
            }
        }
    }
}
