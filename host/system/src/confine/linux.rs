//! Linux: Landlock, seccomp, `no_new_privs`, capabilities, sessions, and the order in which processes go where memory runs out.

pub use super::calls::refuse as refuse_calls;

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

use super::purpose::{Purpose, Written};

pub fn first_to_go() {
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

pub fn hide() -> bool {
    // The kernel shows the memory, the open files and the variables of such a process to the administrator alone.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok()
}

pub fn hide_where_workers_look() {
    if !has_landlock() {
        hide();
    }
}

/// True if the kernel keeps a process that gives up writing from looking into others.
fn has_landlock() -> bool {
    let strict = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    strict.handle_access(AccessFs::WriteFile).and_then(Ruleset::create).is_ok()
}

pub fn without_new_rights() {
    let _ = rustix::thread::set_no_new_privs(true);
}

pub fn without_rights() {
    give_up();
}

pub fn write_only_below(places: &mut dyn Iterator<Item = &Path>, purpose: Purpose) -> Written {
    match restrict_writing(places, purpose) {
        Ok(RulesetStatus::FullyEnforced) => Written { is_kept: true, are_signals_kept: true },
        Ok(RulesetStatus::PartiallyEnforced) => Written { is_kept: true, are_signals_kept: false },
        _ => Written::default(),
    }
}

fn restrict_writing(
    places: &mut dyn Iterator<Item = &Path>,
    purpose: Purpose,
) -> Result<RulesetStatus, RulesetError> {
    let all = AccessFs::from_write(ABI::V5);
    let writing = all & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    let ruleset = Ruleset::default().handle_access(all)?.scope(Scope::Signal)?.create()?;
    let devices = match purpose {
        Purpose::Computation => of_computations(),
        Purpose::Parser => of_all(),
    };
    let places = [PathBuf::from("/proc/self")].into_iter().chain(devices).chain(places.map(Path::to_owned));
    let rules = places
        .filter_map(|place| PathFd::new(&place).ok().map(|opened| (place.is_dir(), opened)))
        .map(|(is_folder, place)| {
            let access: BitFlags<AccessFs> =
                if is_folder { writing } else { writing & AccessFs::from_file(ABI::V5) };
            Ok::<_, RulesetError>(PathBeneath::new(place, access))
        });
    Ok(ruleset.add_rules(rules)?.restrict_self()?.ruleset)
}

pub fn without_network() -> bool {
    matches!(restrict_network(), Ok(RulesetStatus::FullyEnforced))
}

fn restrict_network() -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessNet::from_all(ABI::V5))?.create()?;
    Ok(ruleset.restrict_self()?.ruleset)
}

/// What a process of the administrator keeps: to read files whoever owns them, as it does without confinement, and to keep memory from
/// being paged out, as graphics cards ask for.
const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH.union(CapabilitySet::IPC_LOCK);

/// Gives up all other rights of the administrator for good, as far as this process has any.
pub fn give_up() {
    let Ok(found) = capabilities(None) else { return };
    if found.permitted.is_empty() {
        return;
    }
    for number in 0..u64::BITS {
        let one = CapabilitySet::from_bits_retain(1 << number);
        if !KEPT.contains(one) {
            // Numbers that this kernel does not know are refused; so is all without the right to do this.
            let _ = remove_capability_from_bounding_set(one);
        }
    }
    let _ = clear_ambient_capability_set();
    let kept = found.permitted & KEPT;
    let _ = set_capabilities(
        None,
        CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() },
    );
}

/// Those that every program may expect, the folder of shared memory among them.
const USUAL: [&str; 6] = ["null", "zero", "full", "random", "urandom", "shm"];

/// Begins of the names of what computes: cards of NVIDIA (also in Jetson and below Windows), AMD, Intel and other makers.
const COMPUTES: [&str; 13] = [
    "nvidia",
    "nvhost",
    "nvmap",
    "nvgpu",
    "nvsciipc",
    "dxg",
    "dri",
    "kfd",
    "accel",
    "davinci",
    "hisi_hdc",
    "devmm_svm",
    "neuron",
];

/// Where a process that computes may write below `/dev`.
fn of_computations() -> Vec<PathBuf> {
    let names = fs::read_dir("/dev").into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_one = |name: &str| USUAL.contains(&name) || COMPUTES.iter().any(|begin| name.starts_with(begin));
    names.filter(|name| name.to_str().is_some_and(is_one)).map(|name| Path::new("/dev").join(name)).collect()
}

/// Where any process may write below `/dev`.
fn of_all() -> Vec<PathBuf> {
    USUAL[..5].iter().map(|name| Path::new("/dev").join(name)).collect()
}
