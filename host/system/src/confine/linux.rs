//! Linux: Landlock, `no_new_privs`, and the order in which processes go where memory runs out.

use std::fs;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope,
};

pub fn first_to_go() {
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
}

pub fn without_new_rights() {
    let _ = rustix::thread::set_no_new_privs(true);
}

pub fn write_only_below(places: &mut dyn Iterator<Item = &Path>) -> bool {
    let restricted = restrict_writing(places);
    matches!(restricted, Ok(RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced))
}

fn restrict_writing(places: &mut dyn Iterator<Item = &Path>) -> Result<RulesetStatus, RulesetError> {
    let writing = AccessFs::from_write(ABI::V5);
    let ruleset = Ruleset::default().handle_access(writing)?.scope(Scope::Signal)?.create()?;
    let places = ["/dev", "/proc/self"].map(Path::new).into_iter().chain(places);
    let rules = places
        .filter_map(|place| PathFd::new(place).ok())
        .map(|place| Ok::<_, RulesetError>(PathBeneath::new(place, writing)));
    Ok(ruleset.add_rules(rules)?.restrict_self()?.ruleset)
}

pub fn without_network() -> bool {
    matches!(restrict_network(), Ok(RulesetStatus::FullyEnforced))
}

fn restrict_network() -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default().handle_access(AccessNet::from_all(ABI::V5))?.create()?;
    Ok(ruleset.restrict_self()?.ruleset)
}
