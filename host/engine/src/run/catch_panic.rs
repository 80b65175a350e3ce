//! A panic of an evaluator fails its unit, not the run.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::UnitError;

/// Does `work`, of which a panic is an error of the unit.
///
/// # Errors
/// That of `work`, or its panic.
pub fn catch_panic<R>(work: impl FnOnce() -> Result<R, UnitError>) -> Result<R, UnitError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(UnitError::Panic(panic_message(payload.as_ref()))))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
