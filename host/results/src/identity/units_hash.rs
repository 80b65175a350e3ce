//! One hash over what the units of a split were made from, as a mean of tasks keeps it of its
//! members.

use mteb_files::hex;
use sha2::{Digest, Sha256};

/// Hash over subsets and what they were made from; `None` if that is not known of one of them.
pub(crate) fn hash_of_units<'a, T: AsRef<str>>(
    units: impl Iterator<Item = Option<(&'a str, T)>>,
) -> Option<String> {
    let mut hasher = Sha256::new();
    for unit in units {
        let (subset, made_from) = unit?;
        for part in [subset, made_from.as_ref()] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Some(hex(&hasher.finalize()))
}
