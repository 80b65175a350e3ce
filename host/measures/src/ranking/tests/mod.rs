//! The ranking measures beside the reference (fixtures from `tests/golden/ranking`) and by hand.

mod cases;
mod fixtures;
mod invariants;
