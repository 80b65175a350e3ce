//! What a row is found by.

use rayon::prelude::*;

/// Bytes of a key: enough that two of a billion texts share one with a chance of about 10⁻²¹.
pub const KEY_BYTES: usize = 16;

/// Names one text as a model is given it: with its role and prompt, under one model identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [u8; KEY_BYTES]);

impl Key {
    /// The keys of `texts`, in order. `identity` is the hash of the model identity; `role` the number by which a
    /// role crosses the plugin interface.
    pub fn of_texts(identity: &[u8; 32], role: u32, prompt: &str, texts: &[&str]) -> Vec<Self> {
        let mut begin = blake3::Hasher::new_keyed(identity);
        begin.update(&role.to_le_bytes());
        // The length keeps a prompt's end apart from a text's begin.
        begin.update(&(prompt.len() as u64).to_le_bytes());
        begin.update(prompt.as_bytes());
        let key = |text: &&str| Self(short(begin.clone().update(text.as_bytes()).finalize()));
        texts.par_iter().map(key).collect()
    }
}

/// The first bytes of a hash.
pub fn short(hash: blake3::Hash) -> [u8; KEY_BYTES] {
    let mut short = [0; KEY_BYTES];
    short.copy_from_slice(&hash.as_bytes()[..KEY_BYTES]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_identity_role_prompt_and_text() {
        let key = |identity: u8, role, prompt, text| Key::of_texts(&[identity; 32], role, prompt, &[text])[0];
        let base = key(1, 0, "query: ", "a text");
        assert_eq!(base, key(1, 0, "query: ", "a text"));
        assert_ne!(base, key(2, 0, "query: ", "a text"));
        assert_ne!(base, key(1, 1, "query: ", "a text"));
        assert_ne!(base, key(1, 0, "", "query: a text"));
        assert_ne!(base, key(1, 0, "query: ", "another text"));
    }
}
