//! Other systems: nothing is given up, and nobody is told otherwise.

use std::path::Path;

pub fn first_to_go() {}

pub fn without_new_rights() {}

pub fn write_only_below(_places: &mut dyn Iterator<Item = &Path>) -> bool {
    false
}

pub fn without_network() -> bool {
    false
}
