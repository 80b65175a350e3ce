//! The key of a row, and its form in memory and in files: `f32`, little-endian.

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

/// The bytes of one row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a>(pub &'a [u8]);

impl Row<'_> {
    /// Copies the numbers.
    pub fn read_into(self, out: &mut [f32]) {
        for (value, bytes) in out.iter_mut().zip(self.0.as_chunks().0) {
            *value = f32::from_le_bytes(*bytes);
        }
    }

    /// Appends the bytes of a row.
    pub fn append(row: &[f32], bytes: &mut Vec<u8>) {
        bytes.extend(row.iter().flat_map(|value| value.to_le_bytes()));
    }
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
