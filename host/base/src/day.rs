//! Days as cards and options write them, such as `2024-01-31`: whether the calendar has them.

/// Why a text is no day of the calendar.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DayError {
    /// It is not written as one.
    #[error("expected a day such as 2025-01-31")]
    Form,
    /// No year has such a month.
    #[error("expected a month from 01 to 12")]
    Month,
    /// The month has no such day.
    #[error("expected a day from 01 to {last} in {month}")]
    Day {
        /// Year and month, such as `2024-01`.
        month: String,
        /// Last day of the month.
        last: u32,
    },
}

/// Checks that `text` is a day of the calendar.
///
/// # Errors
/// What was expected.
pub fn check_day(text: &str) -> Result<(), DayError> {
    match text.split('-').count() {
        3 => check_day_or_month_or_year(text),
        _ => Err(DayError::Form),
    }
}

/// Checks that `text` is a day of the calendar, or a month or a year, such as `2024-01` or `2024`.
///
/// # Errors
/// What was expected.
pub fn check_day_or_month_or_year(text: &str) -> Result<(), DayError> {
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let has_digits_alone = parts.iter().all(|part| part.bytes().all(|digit| digit.is_ascii_digit()));
    if !has_digits_alone || ![&[4][..], &[4, 2], &[4, 2, 2]].contains(&lengths.as_slice()) {
        return Err(DayError::Form);
    }
    let number = |place: usize| parts.get(place).and_then(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month)) = (number(0), number(1)) else { return Ok(()) };
    let last = last_day(year, month).ok_or(DayError::Month)?;
    match number(2) {
        Some(day) if !(1..=last).contains(&day) => Err(DayError::Day { month: parts[..2].join("-"), last }),
        _ => Ok(()),
    }
}

/// The last day of a month of the Gregorian calendar; `None` if there is no such month.
fn last_day(year: u32, month: u32) -> Option<u32> {
    let is_leap_year = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => Some(if is_leap_year { 29 } else { 28 }),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_that_no_calendar_has_is_told_of_its_month() {
        for day in ["2024-02-29", "2000-02-29", "2026-12-31", "2026-04-30"] {
            assert_eq!(check_day(day), Ok(()), "{day}");
        }
        for (day, expected) in [
            ("2026-02-30", "expected a day from 01 to 28 in 2026-02"),
            ("1900-02-29", "expected a day from 01 to 28 in 1900-02"),
            ("2026-04-31", "expected a day from 01 to 30 in 2026-04"),
            ("2026-01-00", "expected a day from 01 to 31 in 2026-01"),
            ("2026-13-01", "expected a month from 01 to 12"),
            ("2026-00-10", "expected a month from 01 to 12"),
            ("2026-1-1", "expected a day such as 2025-01-31"),
            ("2026-01", "expected a day such as 2025-01-31"),
            ("2026-01-+1", "expected a day such as 2025-01-31"),
            ("soon", "expected a day such as 2025-01-31"),
        ] {
            assert_eq!(check_day(day).unwrap_err().to_string(), expected, "{day}");
        }
    }

    #[test]
    fn a_year_and_a_month_are_taken_where_they_may_stand() {
        for text in ["2024", "2024-12", "2024-12-31"] {
            assert_eq!(check_day_or_month_or_year(text), Ok(()), "{text}");
        }
        assert_eq!(check_day_or_month_or_year("2024-13"), Err(DayError::Month));
        assert_eq!(check_day_or_month_or_year("24"), Err(DayError::Form));
        assert_eq!(check_day_or_month_or_year(""), Err(DayError::Form));
    }
}
