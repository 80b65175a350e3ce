//! The public results repository as it is: what is read of it, and tables that equal those of the reference.

// Helpers stand outside of the tests themselves.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod facts;
mod figures;
mod marks;
mod page;
mod paper;
mod reading;
mod reference;
mod shared;
