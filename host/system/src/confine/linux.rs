//! Linux: Landlock, seccomp, `no_new_privs`, capabilities, sessions, and the order in which processes go where memory runs out.

use std::fs;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use super::purpose::{Purpose, Written};

use rustix::process::{DumpableBehavior, set_dumpable_behavior};

pub use super::calls::refuse as refuse_calls;

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
    super::capabilities::give_up();
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
        Purpose::Computation => super::devices::of_computations(),
        Purpose::Parser => super::devices::of_all(),
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
