//! Asks HTTP endpoints many questions at once: paced, retried, within a budget, and without ever telling the key.

mod account;
mod address;
mod breaker;
mod call;
mod client;
mod endpoint;
mod error;
mod gate;
mod json_values;
mod overload;
mod pace;
mod pieces;
mod policy;
#[cfg(test)]
mod replies;
#[cfg(feature = "s3")]
pub mod s3;
mod secret;
#[cfg(test)]
mod served;
mod traces;
mod transport;
mod verdict;
mod views;
mod writings;

pub use account::{Budget, Figures, OverBudget, Prices};
pub use address::{Address, AddressError};
pub use call::{Bounds, Call, Charge, Read, Unfit, Usage};
pub use client::{Client, Flow, Watcher};
pub use endpoint::{Endpoint, EndpointError};
pub use error::Failure;
pub use policy::Policy;
pub use secret::Secret;
