//! Hostile input and hostile machines, by topic: nothing of the user's is lost, no foreign code runs, one bad file costs one unit.

mod cards;
mod files;
mod hub;
mod memory;
mod results;
mod streams;
mod trust;
