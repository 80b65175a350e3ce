//! Sizes as people write them: `20G`, `512M`.

use std::fmt;
use std::str::FromStr;

/// The units, smallest first; each is 1,024 times the one before it.
const UNITS: [&str; 5] = ["", "K", "M", "G", "T"];

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

/// A text that is no size.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a size such as `20G`, `512M` or `0`, found: {0}")]
pub struct ByteSizeError(String);

impl FromStr for ByteSize {
    type Err = ByteSizeError;

    fn from_str(text: &str) -> Result<Self, ByteSizeError> {
        let split = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (digits, suffix) = text.split_at(split);
        let suffix = suffix.trim().to_ascii_uppercase();
        let unit = suffix.trim_end_matches('B').trim_end_matches('I');
        let power = UNITS.iter().position(|known| *known == unit);
        let bytes = digits.parse::<u64>().ok().zip(power).and_then(|(number, power)| {
            number.checked_mul(1024_u64.checked_pow(u32::try_from(power).ok()?)?)
        });
        bytes.map(Self).ok_or_else(|| ByteSizeError(text.to_owned()))
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut size = self.0 as f64;
        let mut unit = 0;
        while size >= 1024.0 && unit + 1 < UNITS.len() {
            size /= 1024.0;
            unit += 1;
        }
        match unit {
            0 => write!(formatter, "{} B", self.0),
            _ => write!(formatter, "{size:.1} {}B", UNITS[unit]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_has_digits_and_perhaps_a_unit() {
        let parsed = |text: &str| text.parse::<ByteSize>().map(|size| size.0);
        assert_eq!(parsed("20G"), Ok(20 << 30));
        assert_eq!(parsed("512 MiB"), Ok(512 << 20));
        assert_eq!(parsed("3kb"), Ok(3 << 10));
        assert_eq!(parsed("0"), Ok(0));
        assert_eq!(
            parsed("much").unwrap_err().to_string(),
            "expected a size such as `20G`, `512M` or `0`, found: much"
        );
        assert!(parsed("-1").is_err() && parsed("99999999T").is_err() && parsed("").is_err());
    }

    #[test]
    fn a_size_is_shown_in_the_largest_unit_that_fits() {
        assert_eq!(ByteSize(512).to_string(), "512 B");
        assert_eq!(ByteSize(20 << 30).to_string(), "20.0 GB");
        assert_eq!(ByteSize(1536).to_string(), "1.5 KB");
    }
}
