//! Asks HTTP endpoints many questions at once: paced, retried, within a budget, and without ever telling the key.

mod account;
mod address;
mod breaker;
mod call;
mod client;
mod endpoint;
mod error;
mod gate;
mod overload;
mod pace;
mod pieces;
mod policy;
#[cfg(feature = "s3")]
pub mod s3;
#[cfg(test)]
mod served;
mod traces;
mod transport;
mod verdict;
mod views;

pub use account::{Budget, Figures, OverBudget, Prices};
pub use address::{Address, AddressError};
pub use call::{Bounds, Call, Charge, Read, Unfit, Usage};
pub use client::{Client, Flow, Watcher};
pub use endpoint::{Endpoint, EndpointError, Secret};
pub use error::Failure;
pub use policy::Policy;
