//! Bytes as text: what is no UTF-8 is said with its line.

use std::str::Utf8Error;

use crate::DataError;

/// The text in `bytes`.
///
/// # Errors
/// If the bytes are no UTF-8.
pub fn utf8<'a>(place: &str, bytes: &'a [u8]) -> Result<&'a str, DataError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = &bytes[..error.valid_up_to()];
        let line = valid.iter().filter(|&&byte| byte == b'\n').count() + 1;
        not_utf8(&format!("{place}, line {line}"), bytes, error)
    })
}

/// The fault that `bytes` at `place` are no UTF-8.
pub fn not_utf8(place: &str, bytes: &[u8], error: Utf8Error) -> DataError {
    let message = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        "expected UTF-8 text, found UTF-16; save the file as UTF-8".to_owned()
    } else {
        let found = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
        format!("expected UTF-8 text, found the byte 0x{found:02x}; save the file as UTF-8")
    };
    DataError::Malformed { place: place.to_owned(), message }
}
