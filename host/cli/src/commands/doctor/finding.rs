//! One thing that `mteb-host doctor` has looked at.

/// What was found, and what to do about it.
#[derive(Debug)]
pub struct Finding {
    /// What was found.
    pub what: String,
    /// What to do; absent where nothing is wrong.
    pub advice: Option<String>,
}

/// Something with which nothing is wrong.
pub fn fine(what: String) -> Finding {
    Finding { what, advice: None }
}

/// Something about which there is something to do.
pub fn amiss(what: String, advice: &str) -> Finding {
    Finding { what, advice: Some(advice.to_owned()) }
}
