//! Hostile input and hostile machines, by topic: nothing of the user's is lost, no foreign code runs, one bad file costs one unit.

mod asked_once;
mod cards;
mod files;
mod hub;
mod interpreters;
mod kinds;
mod leniency;
mod limits;
mod lists;
mod memory;
mod results;
mod streams;
mod surroundings;
mod trust;
mod unnoticed;
