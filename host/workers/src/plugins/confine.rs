//! What a worker gives up before it loads a plugin: the terminal, new rights, writing to files and devices, calls that reach other
//! processes, core dumps, memory without end; and that other processes look into it.

use std::path::Path;

use mteb_system::confine as system;
use serde::{Deserialize, Serialize};

pub use system::Purpose;

/// What the kernel keeps a process from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confined {
    /// The terminal of the user.
    pub terminal: bool,
    /// Writing elsewhere than to its temporary folder and to devices that compute.
    pub writing: bool,
    /// Signals to processes that it has not started.
    pub signals: bool,
    /// Calls of the system by which it would reach other processes, or make devices.
    pub calls: bool,
    /// Looking from what it starts into itself.
    pub hidden: bool,
}

/// Confines this process and all it starts, which serves the process `host`; says what the kernel keeps it from.
///
/// Reading stays free: a plugin needs its libraries, its model and its data, wherever they are. Writing is left below
/// `temporary` and to the devices of its `purpose`. More than `memory` bytes of its own are refused to this process and to
/// each that it starts; what it only reserves, or shares with others, does not count. What the kernel does not offer is skipped.
///
/// No other thread may run yet: what is given up holds for this one, and for those that it starts.
pub fn confine(temporary: Option<&Path>, memory: Option<u64>, purpose: Purpose, host: u32) -> Confined {
    let terminal = system::leave_terminal();
    system::without_core();
    memory.into_iter().for_each(system::bound_memory);
    // The host can start it again.
    system::first_to_go();
    system::without_new_rights();
    system::without_rights();
    let written = system::write_only_below(temporary, purpose);
    // What the plugin starts must not reach back into it: the answers of its worker are in its memory and its open files. The host takes
    // the rows of one that parses from its open files.
    let hidden = purpose == Purpose::Computation && system::hide();
    let calls = system::refuse_calls(purpose, written, host);
    Confined { terminal, writing: written.is_kept, signals: written.are_signals_kept, calls, hidden }
}
