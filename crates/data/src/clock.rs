use std::sync::{Arc, Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// Tells the time; tests set their own.
#[derive(Clone, Debug, Default)]
pub struct Clock(Source);

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Manual(Arc<Mutex<Timestamp>>),
}

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands still at a moment, in microseconds since 1970.
    #[must_use]
    pub fn stopped_at(micros: i64) -> Option<Self> {
        let at = Timestamp::from_microsecond(micros).ok()?;
        Some(ManualClock::at(at).clock())
    }

    /// The present moment, in UTC.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place that asks the machine"
    )]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::now(),
            Source::Manual(at) => *at.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// The present moment in microseconds since 1970, as it is stored.
    #[must_use]
    pub fn micros(&self) -> i64 {
        self.now().as_microsecond()
    }
}

/// A clock that stands still until it is moved.
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<Mutex<Timestamp>>);

impl ManualClock {
    /// A clock that shows `at`.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(at)))
    }

    /// The clock to hand to the code under test.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock(Source::Manual(Arc::clone(&self.0)))
    }

    /// Moves the clock by `by`, backwards when negative.
    pub fn advance(&self, by: SignedDuration) {
        let mut at = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *at = at.saturating_add(by).unwrap_or(*at);
    }
}
