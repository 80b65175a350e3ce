//! Other systems and processors: no tile registers.

pub fn permitted() -> bool {
    false
}
