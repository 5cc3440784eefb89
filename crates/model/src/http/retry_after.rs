//! How long a provider wants to be left alone, from the headers of its answer.
//!
//! Not here: what is made of it (`fanfold-agent`).

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The wait in milliseconds: `retry-after-ms`, or `Retry-After` in seconds or as a date. A date
/// counts from the answer's own `Date`, so that a wrong clock here does not matter, or else from `now`.
pub(super) fn retry_after_ms(headers: &HeaderMap, now: SystemTime) -> Option<u64> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(ms) = text("retry-after-ms").and_then(|text| whole(text, 1.0)) {
        return Some(ms);
    }
    let wait = text(RETRY_AFTER.as_str())?;
    if let Some(ms) = whole(wait, 1_000.0) {
        return Some(ms);
    }
    let until = unix_seconds(wait)?;
    let answered = text(DATE.as_str()).and_then(unix_seconds);
    let answered =
        answered.or_else(|| now.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs()))?;
    Some(until.saturating_sub(answered).saturating_mul(1_000))
}

/// A decimal number of units as whole milliseconds, rounded up.
fn whole(text: &str, unit_ms: f64) -> Option<u64> {
    let number: f64 = text.parse().ok()?;
    // The cast saturates, and what is no number or negative is no wait.
    (number >= 0.0).then(|| (number * unit_ms).ceil() as u64)
}

/// The seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that
/// HTTP servers may still send.
fn unix_seconds(date: &str) -> Option<u64> {
    let parts: Vec<&str> = date.split([' ', ':']).collect();
    let &[_, day, month, year, hour, minute, second, "GMT"] = parts.as_slice() else {
        return None;
    };
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    let number = |text: &str, most: u64| text.parse().ok().filter(|number| *number <= most);
    let (day, year) = (number(day, 31).filter(|day| *day > 0)?, number(year, 9_999)?);
    let days = days_since_1970(year, month, day)?;
    Some(days * 86_400 + number(hour, 23)? * 3_600 + number(minute, 59)? * 60 + number(second, 60)?)
}

/// Days of the Gregorian calendar, counted in years that begin in March, so that the leap day is last.
fn days_since_1970(year: u64, month: u64, day: u64) -> Option<u64> {
    let year = if month <= 2 { year.checked_sub(1)? } else { year };
    let since_march = (month + 9) % 12;
    let day_of_year = (153 * since_march + 2) / 5 + day - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year;
    days.checked_sub(719_468)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::header::HeaderName;

    use super::*;

    fn wait(headers: &[(&'static str, &str)], now_s: u64) -> Option<u64> {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()))
            .collect();
        retry_after_ms(&headers, UNIX_EPOCH + Duration::from_secs(now_s))
    }

    #[test]
    fn seconds_milliseconds_and_nonsense() {
        let table = [
            ("retry-after", "0", Some(0)),
            ("retry-after", "7", Some(7_000)),
            ("retry-after", " 1.5 ", Some(1_500)),
            ("retry-after", "0.0001", Some(1)),
            ("retry-after", "1e300", Some(u64::MAX)),
            ("retry-after", "-1", None),
            ("retry-after", "nan", None),
            ("retry-after", "soon", None),
            ("retry-after", "", None),
            ("retry-after-ms", "250", Some(250)),
            ("x-other", "7", None),
        ];
        for (name, value, expected) in table {
            assert_eq!(wait(&[(name, value)], 0), expected, "{name}: {value}");
        }
        assert_eq!(wait(&[("retry-after", "7"), ("retry-after-ms", "10")], 0), Some(10));
        assert_eq!(wait(&[("retry-after", "7"), ("retry-after-ms", "x")], 0), Some(7_000));
    }

    #[test]
    fn a_date_counts_from_the_answers_own_date() {
        let until = ("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
        let date = ("date", "Sun, 06 Nov 1994 08:49:30 GMT");
        assert_eq!(wait(&[until, date], 0), Some(7_000));
        assert_eq!(wait(&[until], 784_111_770), Some(7_000));
        assert_eq!(wait(&[until], 784_111_777), Some(0));
        assert_eq!(wait(&[until], 999_111_777), Some(0));
    }

    #[test]
    fn dates() {
        let table = [
            ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(784_111_777)),
            ("Tue, 29 Feb 2000 23:59:59 GMT", Some(951_868_799)),
            ("Wed, 01 Mar 2000 00:00:00 GMT", Some(951_868_800)),
            ("Mon, 30 Nov 2026 21:30:00 GMT", Some(1_796_074_200)),
            ("Wed, 31 Dec 1969 23:59:59 GMT", None),
            ("Sat, 01 Jan 0000 00:00:00 GMT", None),
            ("Sun, 00 Nov 1994 08:49:37 GMT", None),
            ("Sun, 06 Nox 1994 08:49:37 GMT", None),
            ("Sun, 06 Nov 1994 24:49:37 GMT", None),
            ("Sun, 06 Nov 1994 08:49:37 CET", None),
            ("Sunday, 06-Nov-94 08:49:37 GMT", None),
            ("Sun, 06 Nov 99999999999999999999 08:49:37 GMT", None),
        ];
        for (date, expected) in table {
            assert_eq!(unix_seconds(date), expected, "{date}");
        }
    }
}
