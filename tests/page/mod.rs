//! The page of `mteb-host report` in a real browser.
mod behaviour;
mod browser;
mod data;
mod explore;
mod extremes;
mod filtered;
mod graded;
mod languages;
mod results;
