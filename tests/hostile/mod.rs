//! Hostile input and hostile machines, by topic: nothing of the user's is lost, no foreign code runs, one bad file costs one unit.

mod asked_once;
mod authority;
mod cards;
mod files;
mod foreign_results;
mod hub;
mod interpreters;
mod kinds;
mod leniency;
mod limited;
mod limits;
mod lists;
mod memory;
mod namespaces;
mod proxies;
mod results;
mod silence;
mod streams;
mod trust;
mod unnoticed;
