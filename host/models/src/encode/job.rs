//! Texts that are to be encoded alike.

use mteb_tasks::Role;

/// Texts of one role and prompt that are to be encoded.
#[derive(Clone, Debug)]
pub(super) struct EncodeJob<'a> {
    /// Their numbers.
    pub missing: Vec<usize>,
    pub role: Option<Role>,
    pub prompt: &'a str,
}
