//! Dates that are said from now: `today`, `now`, `-7d`, `startOf:month`, `startOf:month-1m`.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan};

use super::cell::Cell;

/// How a relative date is written, for messages.
pub(crate) const EXAMPLES: &str =
    "today, -7d, +2w, startOf:month, endOf:year, startOf:month-1m (units d, w, m, y; all in UTC)";

/// The day that `text` says, seen from `now`; `None` when it is no relative date.
pub(crate) fn date(text: &str, now: Timestamp) -> Option<Cell> {
    let now = TimeZone::UTC.to_datetime(now);
    let (base, offsets) = split(text);
    let day = match base {
        "" if !offsets.is_empty() => now,
        "today" => now,
        _ => anchor(base, now)?,
    };
    Some(Cell::Text(shift(day, offsets, false)?.date().to_string()))
}

/// The moment that `text` says, seen from `now`; `None` when it is no relative date.
pub(crate) fn datetime(text: &str, now: Timestamp) -> Option<Cell> {
    let now = TimeZone::UTC.to_datetime(now);
    let (base, offsets) = split(text);
    let moment = match base {
        "" if !offsets.is_empty() => now,
        "now" => now,
        "today" => now.date().to_datetime(jiff::civil::Time::midnight()),
        _ => anchor(base, now)?,
    };
    let moment = shift(moment, offsets, true)?;
    Some(Cell::Int(
        TimeZone::UTC.to_timestamp(moment).ok()?.as_microsecond(),
    ))
}

/// `startOf:month-1m` into `startOf:month` and `-1m`.
fn split(text: &str) -> (&str, &str) {
    text.find(['+', '-'])
        .map_or((text, ""), |at| text.split_at(at))
}

fn anchor(base: &str, now: DateTime) -> Option<DateTime> {
    let (edge, unit) = base.split_once(':')?;
    let today = now.date();
    let (first, length) = match unit {
        "day" => (today, 1.day()),
        "week" => (
            today
                .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
                .ok()?,
            1.week(),
        ),
        "month" => (today.first_of_month(), 1.month()),
        "quarter" => {
            let month = (today.month() - 1) / 3 * 3 + 1;
            (Date::new(today.year(), month, 1).ok()?, 3.months())
        }
        "year" => (today.first_of_year(), 1.year()),
        _ => return None,
    };
    let start = first.to_datetime(jiff::civil::Time::midnight());
    match edge {
        "startOf" => Some(start),
        "endOf" => start
            .checked_add(length)
            .ok()?
            .checked_sub(1.microsecond())
            .ok(),
        _ => None,
    }
}

fn shift(mut at: DateTime, offsets: &str, hours: bool) -> Option<DateTime> {
    let mut rest = offsets;
    while !rest.is_empty() {
        let (sign, tail) = rest.split_at_checked(1)?;
        let unit_at = tail.find(|c: char| !c.is_ascii_digit())?;
        let (digits, tail) = tail.split_at_checked(unit_at)?;
        let (unit, tail) = tail.split_at_checked(1)?;
        let count: i64 = digits.parse().ok().filter(|n| *n <= 100_000)?;
        let count = if sign == "-" { -count } else { count };
        let span: Span = match unit {
            "h" if hours => count.hours(),
            "d" => count.days(),
            "w" => count.weeks(),
            "m" => Span::new().try_months(count).ok()?,
            "y" => Span::new().try_years(count).ok()?,
            _ => return None,
        };
        at = at.checked_add(span).ok()?;
        rest = tail;
        if !rest.is_empty() && !rest.starts_with(['+', '-']) {
            return None;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<String> {
        match date(text, "2026-03-31T13:45:00Z".parse().unwrap()) {
            Some(Cell::Text(day)) => Some(day),
            _ => None,
        }
    }

    #[test]
    fn days_are_said_from_today() {
        for (text, expected) in [
            ("today", "2026-03-31"),
            ("-7d", "2026-03-24"),
            ("+1m", "2026-04-30"),
            ("today+1d", "2026-04-01"),
            ("startOf:month", "2026-03-01"),
            ("endOf:month", "2026-03-31"),
            ("startOf:week", "2026-03-30"),
            ("startOf:quarter-1d", "2025-12-31"),
            ("startOf:month-1m", "2026-02-01"),
            ("startOf:year+1y-1d", "2026-12-31"),
        ] {
            assert_eq!(day(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_relative_date_is_none() {
        for text in [
            "",
            "yesterday",
            "7d",
            "-d",
            "-7x",
            "-7",
            "startOf:",
            "startOf:century",
            "-9999999d",
            "-1d1d",
            "-é",
            "2026-03-01",
            "-99999y",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_said_from_now() {
        let now: Timestamp = "2026-03-31T13:45:00Z".parse().unwrap();
        let at = |text: &str| datetime(text, now);
        let micros = |text: &str| {
            Some(Cell::Int(
                text.parse::<Timestamp>().unwrap().as_microsecond(),
            ))
        };
        assert_eq!(at("now"), micros("2026-03-31T13:45:00Z"));
        assert_eq!(at("-2h"), micros("2026-03-31T11:45:00Z"));
        assert_eq!(at("today"), micros("2026-03-31T00:00:00Z"));
        assert_eq!(at("endOf:day"), micros("2026-03-31T23:59:59.999999Z"));
    }
}
