//! A key in the writings that put digits of a few bits in the place of bytes, and in those that exchange letters: hexadecimal digits,
//! base32, base64 and the like.

/// Digits of four bits, of five and of six. Small letters and capitals are the same where parts of them are looked for.
const ALPHABETS: [&[u8]; 6] = [
    b"0123456789abcdef",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    b"0123456789ABCDEFGHIJKLMNOPQRSTUV",
    // Of Crockford, and of `z-base-32`.
    b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    b"ybndrfg8ejkmcpqxot1uwisza345h769",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
];

/// The key in the writings of which a part may stand in a text.
pub fn writings(key: &[u8]) -> Vec<Vec<u8>> {
    let backwards: Vec<u8> = key.iter().rev().copied().collect();
    let mut writings = vec![key.to_vec(), key.iter().map(|letter| rotated(*letter)).collect()];
    for bytes in [key, &backwards] {
        for alphabet in ALPHABETS {
            let bits = alphabet.len().ilog2() as usize;
            // Behind more bytes the digits begin as behind none again.
            writings.extend((0..bits).map(|before| digits(bytes, before, alphabet, bits)));
        }
    }
    // Of two bytes a letter, as some systems have texts in memory.
    let wide: Vec<u8> = key.iter().flat_map(|letter| [*letter, 0]).collect();
    for alphabet in [ALPHABETS[0], ALPHABETS[5]] {
        let bits = alphabet.len().ilog2() as usize;
        writings.extend((0..bits).map(|before| digits(&wide, before, alphabet, bits)));
    }
    writings
}

/// A letter thirteen further on.
fn rotated(letter: u8) -> u8 {
    match letter {
        b'a'..=b'z' => (letter - b'a' + 13) % 26 + b'a',
        b'A'..=b'Z' => (letter - b'A' + 13) % 26 + b'A',
        other => other,
    }
}

/// `bytes` in digits of so many bits as they are behind `before` others, without the ends that depend on what stands beside them.
fn digits(bytes: &[u8], before: usize, alphabet: &[u8], bits: usize) -> Vec<u8> {
    let mut padded = vec![0; before];
    padded.extend_from_slice(bytes);
    let (begin, end) = ((before * 8).div_ceil(bits), padded.len() * 8 / bits);
    let bit = |at: usize| padded[at / 8] >> (7 - at % 8) & 1;
    let digit = |place: usize| (place * bits..(place + 1) * bits).fold(0, |digit, at| digit << 1 | bit(at));
    (begin..end).map(|place| alphabet[usize::from(digit(place))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_usual_encoders() {
        // RFC 4648, section 10, without the last digit, which depends on what follows.
        assert_eq!(digits(b"foobar", 0, ALPHABETS[5], 6), b"Zm9vYmFy");
        assert_eq!(digits(b"foob", 0, ALPHABETS[1], 5), b"MZXW6Y");
        assert_eq!(digits(b"foob", 0, ALPHABETS[2], 5), b"CPNMUO");
        assert_eq!(digits(b"fo", 0, ALPHABETS[0], 4), b"666f");
        assert_eq!(digits(b"oobar", 1, ALPHABETS[5], 6), b"9vYmFy");
        assert_eq!("uryyb-1".bytes().map(rotated).collect::<Vec<_>>(), b"hello-1");
    }
}
