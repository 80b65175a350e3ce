//! When an endpoint wants to be asked again (RFC 9110, 10.2.3, and the finer header that some send).

use std::time::{Duration, SystemTime};

use hyper::HeaderMap;

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
    use std::time::UNIX_EPOCH;

    use super::*;

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
