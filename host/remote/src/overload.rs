//! Tells an endpoint that slows its callers down from one that answers nobody, and when one wants
//! to be asked again.

use std::time::{Duration, SystemTime};

use hyper::HeaderMap;

/// 429s in a row of one call, while nobody is answered, after which it is given up. With the pauses between them that takes a minute or
/// two, and so longer than limits by the minute.
const MOST: u32 = 10;

/// What a call was told that asked too much.
#[derive(Debug, Default)]
pub struct Overload {
    in_a_row: u32,
    /// Calls that had been answered at the last 429.
    answered: u64,
}

impl Overload {
    /// Another 429 came, and `answered` calls, of whoever, were answered so far.
    pub fn add(&mut self, answered: u64) {
        self.in_a_row = if answered == self.answered { self.in_a_row.saturating_add(1) } else { 1 };
        self.answered = answered;
    }

    /// True if the endpoint answers nobody.
    pub fn is_lasting(&self) -> bool {
        self.in_a_row >= MOST
    }
}

/// The time to wait that `headers` ask for at the time `now`.
pub fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let milliseconds = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|wait| Duration::try_from_secs_f64(wait / 1000.0).ok()) {
        return Some(wait);
    }
    let asked = text("retry-after")?;
    if let Ok(seconds) = asked.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(asked).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::iter::repeat_n;
    use std::time::UNIX_EPOCH;

    use super::*;

    fn after(answered: impl IntoIterator<Item = u64>) -> bool {
        let mut overload = Overload::default();
        answered.into_iter().for_each(|answered| overload.add(answered));
        overload.is_lasting()
    }

    #[test]
    fn an_endpoint_that_answers_nobody_is_given_up_and_one_that_answers_others_is_not() {
        assert!(!after([0; 9]));
        assert!(after([0; 10]));
        assert!(!after(0..1000));
        assert!(!after(repeat_n(0, 9).chain(repeat_n(1, 9))));
        assert!(after(repeat_n(0, 9).chain(repeat_n(1, 10))));
    }

    fn asked(name: &'static str, value: &'static str) -> Option<Duration> {
        let headers = HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())]);
        retry_after(&headers, UNIX_EPOCH + Duration::from_secs(784_111_777))
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        assert_eq!(asked("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("retry-after", "0.25"), Some(Duration::from_millis(250)));
        assert_eq!(asked("retry-after-ms", "120"), Some(Duration::from_millis(120)));
        assert_eq!(asked("retry-after", "Sun, 06 Nov 1994 08:49:39 GMT"), Some(Duration::from_secs(2)));
        assert_eq!(asked("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT"), Some(Duration::ZERO));
        for nonsense in ["soon", "-1", "NaN", ""] {
            assert_eq!(asked("retry-after", nonsense), None, "{nonsense}");
        }
    }
}
