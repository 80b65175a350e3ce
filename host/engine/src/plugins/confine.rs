//! What a worker gives up before it loads a plugin: new rights, writing to files, core dumps, memory without end.

use std::path::Path;

use mteb_system::confine as system;

/// Confines this process and all it starts; true if the kernel keeps it from writing.
///
/// Reading stays free: a plugin needs its libraries, its model and its data, wherever they are. Writing is left below
/// `temporary` and in `/dev` (GPUs, shared memory). More than `memory` bytes of its own are refused to this process and to
/// each that it starts; what it only reserves, or shares with others, does not count. What the kernel does not offer is left out.
pub fn confine(temporary: Option<&Path>, memory: Option<u64>) -> bool {
    system::without_core();
    memory.into_iter().for_each(system::bound_memory);
    // The host can start it again.
    system::first_to_go();
    system::without_new_rights();
    system::write_only_below(temporary)
}
