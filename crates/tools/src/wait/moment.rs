//! A moment written as RFC 3339: `2026-11-30T18:05:00.5+01:00`.
//!
//! Not here: dates without a time, local times, other calendars.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: i64 = 86_400;

/// The moment that a text names; `None` when the text is not exactly of that form.
pub(super) fn parse(text: &str) -> Option<SystemTime> {
    let mut rest = text;
    let year = number(&mut rest, 4, 0..=9999)?;
    sign(&mut rest, "-")?;
    let month = number(&mut rest, 2, 1..=12)?;
    sign(&mut rest, "-")?;
    let day = number(&mut rest, 2, 1..=days_in(year, month))?;
    sign(&mut rest, "Tt")?;
    let hour = number(&mut rest, 2, 0..=23)?;
    sign(&mut rest, ":")?;
    let minute = number(&mut rest, 2, 0..=59)?;
    sign(&mut rest, ":")?;
    // A leap second is the first one after it.
    let second = number(&mut rest, 2, 0..=60)?;
    let fraction = fraction(&mut rest)?;
    let offset_s = offset(rest)?;
    let of_day = hour * 3600 + minute * 60 + second;
    let unix_s = days_since_1970(year, month, day) * SECONDS_PER_DAY + of_day - offset_s;
    let distance = Duration::from_secs(unix_s.unsigned_abs());
    let whole = if unix_s < 0 {
        UNIX_EPOCH.checked_sub(distance)?
    } else {
        UNIX_EPOCH.checked_add(distance)?
    };
    whole.checked_add(fraction)
}

/// Takes a number of exactly this many digits.
fn number(rest: &mut &str, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let (number, after) = rest.split_at_checked(digits)?;
    *rest = after;
    let all_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    let number = all_digits.then(|| number.parse().ok()).flatten()?;
    range.contains(&number).then_some(number)
}

/// Takes one of these characters.
fn sign(rest: &mut &str, signs: &str) -> Option<char> {
    let sign = rest.chars().next().filter(|&sign| signs.contains(sign))?;
    *rest = &rest[sign.len_utf8()..];
    Some(sign)
}

/// Takes a fraction of a second, if there is one; digits below a nanosecond count as zero.
fn fraction(rest: &mut &str) -> Option<Duration> {
    if sign(rest, ".").is_none() {
        return Some(Duration::ZERO);
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (fraction, after) = rest.split_at(digits);
    *rest = after;
    let nanoseconds: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    (digits > 0).then(|| nanoseconds.parse().ok()).flatten().map(Duration::from_nanos)
}

/// The offset from UTC in seconds, which must be all that is left.
fn offset(mut rest: &str) -> Option<i64> {
    let direction = match sign(&mut rest, "Zz+-")? {
        '+' => 1,
        '-' => -1,
        _ => return rest.is_empty().then_some(0),
    };
    let hours = number(&mut rest, 2, 0..=23)?;
    sign(&mut rest, ":")?;
    let minutes = number(&mut rest, 2, 0..=59)?;
    rest.is_empty().then_some(direction * (hours * 3600 + minutes * 60))
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01 to this date of the Gregorian calendar; years run from March here, so that
/// the leap day is their last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}
