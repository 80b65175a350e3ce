//! The ranking measures beside the reference (fixtures from `tests/golden/ranking/make_measures.py`) and by hand.

mod cases;
mod fixtures;
mod invariants;
mod known;
