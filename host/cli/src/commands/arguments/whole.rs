//! Whole numbers among the arguments, refused in words where they are out of bounds.

use std::num::IntErrorKind;

use super::value_error::ValueError;

/// Reads a whole number of at least `least` and, where there is such, at most `most`.
pub fn whole<T: TryFrom<u64>>(
    least: u64,
    most: Option<u64>,
) -> impl Fn(&str) -> Result<T, ValueError> + Clone {
    move |text| {
        let refused = || match most {
            Some(most) => ValueError::Whole { least, most },
            None => ValueError::TooSmall { least },
        };
        let too_large = || if most.is_some() { refused() } else { ValueError::TooLarge };
        match text.parse::<u64>() {
            Ok(number) if number >= least && most.is_none_or(|most| number <= most) => {
                T::try_from(number).map_err(|_| too_large())
            }
            Err(error) if *error.kind() == IntErrorKind::PosOverflow => Err(too_large()),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_out_of_bounds_is_answered_with_them() {
        let (open, closed) = (whole::<u32>(1, None), whole::<u16>(1, Some(1000)));
        assert_eq!((open("1"), closed("1000")), (Ok(1), Ok(1000)));
        for text in ["0", "-1", "x", "1.5", ""] {
            assert_eq!(
                open(text).unwrap_err().to_string(),
                "expected a whole number of at least 1",
                "{text}"
            );
        }
        for text in ["4294967296", "99999999999999999999"] {
            assert_eq!(open(text).unwrap_err().to_string(), "expected a smaller number", "{text}");
            assert_eq!(
                closed(text).unwrap_err().to_string(),
                "expected a whole number from 1 to 1000",
                "{text}"
            );
        }
    }
}
