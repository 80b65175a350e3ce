//! Sends what a shard leaves to a store of objects while it is scored, in a thread of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use mteb_shards::{Mirror, MirrorError};

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

/// Why what a shard leaves is not in its store.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// The store refuses, or what it has is of another plan.
    #[error("{}", fault_at(.address, .source))]
    Refused {
        /// Where the shard's files are in it.
        address: String,
        /// What went wrong there.
        source: MirrorError,
    },
    /// The system starts no thread.
    #[error("cannot start a thread that sends results: {0}")]
    NoThread(#[source] io::Error),
    /// The thread ended before its work did.
    #[error("{address}: cannot send results: the thread that does it has ended")]
    ThreadEnded {
        /// Where the files were to go.
        address: String,
    },
    /// The shard has ended, and some of its files are here alone.
    #[error("{why}; results are in {}, and the same command sends them", .folder.display())]
    Unsent {
        /// Why they were not sent.
        #[source]
        why: Box<UploadError>,
        /// Where they are.
        folder: PathBuf,
    },
}

fn refused_at(address: &str) -> impl Fn(MirrorError) -> UploadError {
    move |source| UploadError::Refused { address: address.to_owned(), source }
}

impl Uploads {
    /// Brings what the `store` at an address has of `shard` of the plan with this hash into its `folder`; from then on sends what is new
    /// there.
    ///
    /// # Errors
    /// If the store cannot be asked, or what is there is of another plan.
    pub fn begin(
        (store, address): (Store, &str),
        (plan, shard): (&str, usize),
        folder: &Path,
    ) -> Result<Self, UploadError> {
        let mut mirror = Mirror::new(store, &shard.to_string(), folder, units_of);
        let address = format!("{address}/{shard}");
        let fetched = mirror.fetch_shard(plan).map_err(refused_at(&address))?;
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
        let thread = Builder::new().name("uploads".to_owned()).spawn(send).map_err(UploadError::NoThread)?;
        Ok(Self { address, folder: folder.to_owned(), going_on, thread })
    }

    /// Sends the rest; gives where all is.
    ///
    /// # Errors
    /// If it cannot be sent; what was scored stays in the folder of the shard.
    pub fn end(self) -> Result<String, UploadError> {
        let Self { address, folder, going_on, thread } = self;
        drop(going_on);
        let sent = match thread.join() {
            Ok(mut mirror) => mirror.send().map_err(refused_at(&address)),
            Err(_) => Err(UploadError::ThreadEnded { address: address.clone() }),
        };
        match sent {
            Ok(_) => Ok(address),
            Err(why) => Err(UploadError::Unsent { why: Box::new(why), folder }),
        }
    }
}
