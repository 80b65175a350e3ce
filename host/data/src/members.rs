//! The members of a gzip file, one after the other. Zero bytes behind a member are no part of it: tapes and block devices pad
//! files so, and `gzip`, Python and pandas pass over them.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// What the members of a gzip file hold.
pub struct Members<R> {
    /// The member that is read; `None` at the end, and once the file is damaged.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    /// The members of `packed`.
    pub fn new(packed: R) -> Self {
        Self { member: Some(GzDecoder::new(packed)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let rest = self.member.take().map(GzDecoder::into_inner);
            self.member = rest.map(behind_zeros).transpose()?.flatten().map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// The rest of a file from its first byte on that is not zero; `None` if there is none.
fn behind_zeros<R: BufRead>(mut rest: R) -> io::Result<Option<R>> {
    loop {
        let buffered = rest.fill_buf()?;
        if buffered.is_empty() {
            return Ok(None);
        }
        let zeros = buffered.iter().take_while(|&&byte| byte == 0).count();
        let is_over = zeros < buffered.len();
        rest.consume(zeros);
        if is_over {
            return Ok(Some(rest));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn unpacked(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        Members::new(io::BufReader::with_capacity(7, bytes)).read_to_string(&mut text).map(|_| text)
    }

    #[test]
    fn members_follow_each_other_with_or_without_zeros_between() {
        let zeros = [0; 1000];
        assert_eq!(unpacked(&[packed("a"), packed("b")].concat()).unwrap(), "ab");
        assert_eq!(unpacked(&[&packed("a"), &zeros[..], &packed("b"), &zeros[..]].concat()).unwrap(), "ab");
    }

    #[test]
    fn other_bytes_behind_a_member_and_a_cut_member_are_faults() {
        assert!(unpacked(&[&packed("a"), &b"xyz"[..]].concat()).is_err());
        assert!(unpacked(&[&packed("a"), &[0, 0, 7][..]].concat()).is_err());
        let whole = packed("some text that is cut");
        assert!(unpacked(&whole[..whole.len() - 3]).is_err());
        assert!(unpacked(&[0; 20]).is_err(), "zeros alone are no gzip data");
    }
}
