//! The page of `mteb-host report` in a real browser.
mod accessibility;
mod behaviour;
mod browser;
mod data;
mod devtools;
mod explore;
mod filtered;
mod graded;
mod hostile;
mod languages;
mod measured;
mod paper;
mod results;
mod speed;
