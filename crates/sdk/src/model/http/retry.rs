use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Duration;

use http::{HeaderMap, header};

use crate::model::{ModelError, ModelErrorKind};

/// How often a failed request is tried again.
pub(super) const RETRIES: usize = 2;
/// The longest pause before a retry, whatever the provider asks for.
const LONGEST: Duration = Duration::from_secs(60);

/// How long to wait before the next attempt: what the provider asks for, else a pause that doubles,
/// and is up to a quarter longer by chance, so that many callers do not come back at once.
pub(super) fn pause(error: &ModelError, first: Duration, failed_before: usize) -> Duration {
    let chance = RandomState::new().build_hasher().finish();
    pause_with(error, first, failed_before, chance)
}

fn pause_with(error: &ModelError, first: Duration, failed_before: usize, chance: u64) -> Duration {
    if let ModelErrorKind::RateLimited {
        retry_after: Some(wait),
    } = error.kind
    {
        return wait.min(LONGEST);
    }
    let doublings = u32::try_from(failed_before).unwrap_or(u32::MAX).min(16);
    let percent = 100 + u32::try_from(chance % 26).unwrap_or_default();
    let plain = first.saturating_mul(2_u32.pow(doublings)).min(LONGEST);
    (plain * percent / 100).min(LONGEST)
}

/// What a response says about when to come back: seconds, or milliseconds in a field of its own.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number =
        |name: &str| -> Option<f64> { headers.get(name)?.to_str().ok()?.trim().parse().ok() };
    let milliseconds = number("retry-after-ms").map(|wait| wait / 1000.0);
    let seconds = milliseconds.or_else(|| number(header::RETRY_AFTER.as_str()))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{pause_with, retry_after};
    use crate::model::{ModelError, ModelErrorKind};

    fn error(kind: ModelErrorKind) -> ModelError {
        ModelError::new("openai", "tiny", kind, "")
    }

    #[test]
    fn pauses_double_and_are_spread_by_up_to_a_quarter() {
        let first = Duration::from_millis(400);
        let unavailable = error(ModelErrorKind::Unavailable);
        for (failed_before, plain) in [(0, 400), (1, 800), (2, 1600)] {
            for chance in 0..26 {
                let pause = pause_with(&unavailable, first, failed_before, chance);
                let expected = Duration::from_millis(plain * (100 + chance) / 100);
                assert_eq!(pause, expected);
            }
        }
    }

    #[test]
    fn no_pause_is_too_long_to_be_told() {
        let unavailable = error(ModelErrorKind::Unavailable);
        let longest = Duration::from_secs(60);
        assert_eq!(pause_with(&unavailable, Duration::MAX, 1, 25), longest);
    }

    #[test]
    fn the_providers_own_wish_counts_within_reason() {
        let asked = |wait| {
            let kind = ModelErrorKind::RateLimited {
                retry_after: Some(Duration::from_secs(wait)),
            };
            pause_with(&error(kind), Duration::from_millis(1), 0, 25)
        };
        assert_eq!(asked(7), Duration::from_secs(7));
        assert_eq!(asked(86_400), Duration::from_secs(60));
    }

    #[test]
    fn retry_after_is_read_in_seconds_and_milliseconds() {
        let read = |name: &'static str, value: &'static str| {
            let mut headers = http::HeaderMap::new();
            headers.insert(name, http::HeaderValue::from_static(value));
            retry_after(&headers)
        };
        assert_eq!(read("retry-after", "2"), Some(Duration::from_secs(2)));
        assert_eq!(read("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(
            read("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(read("retry-after", "soon"), None);
        assert_eq!(read("retry-after", "-1"), None);
    }
}
