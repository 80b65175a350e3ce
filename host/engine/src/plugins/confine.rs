//! What a worker gives up before it loads a plugin: new rights, writing to files, core dumps, memory without end.

use std::fs;
use std::path::Path;

use landlock::{
    ABI, AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope,
};
use rustix::process::{Resource, Rlimit, setrlimit};

/// Confines this process and all it starts; true if the kernel keeps it from writing.
///
/// Reading stays free: a plugin needs its libraries, its model and its data, wherever they are. Writing is left below
/// `temporary` and in `/dev` (GPUs, shared memory). More than `memory` bytes of its own are refused to this process and to
/// each that it starts; what it only reserves, or shares with others, does not count. What the kernel does not offer is left out.
pub fn confine(temporary: Option<&Path>, memory: Option<u64>) -> bool {
    // A limit of one byte also keeps a core from a program that the system pipes it to.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(1), maximum: Some(1) });
    if memory.is_some() {
        let _ = setrlimit(Resource::Data, Rlimit { current: memory, maximum: memory });
    }
    // Where memory runs out, the worker is to go before any other process: the host can start it again.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    let _ = rustix::thread::set_no_new_privs(true);
    matches!(restrict(temporary), Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced))
}

fn restrict(temporary: Option<&Path>) -> Result<RulesetStatus, RulesetError> {
    let writing = AccessFs::from_write(ABI::V5);
    let ruleset = Ruleset::default().handle_access(writing)?.scope(Scope::Signal)?.create()?;
    let places = ["/dev", "/proc/self"].map(Path::new).into_iter().chain(temporary);
    let rules = places
        .filter_map(|place| PathFd::new(place).ok())
        .map(|place| Ok::<_, RulesetError>(PathBeneath::new(place, writing)));
    Ok(ruleset.add_rules(rules)?.restrict_self()?.ruleset)
}
