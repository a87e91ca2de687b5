//! Medians of rounds: one round in which a neighbour had the machine does not count.

use std::time::Duration;

/// How many rounds are measured.
pub(crate) const ROUNDS: usize = 7;

/// The value that as many lie below as above.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of the ratios of pairs that were measured together.
pub(crate) fn median_ratio(values: &[f64], beside: &[f64]) -> f64 {
    let ratios = values.iter().zip(beside);
    median(ratios.map(|(value, beside)| value / beside).collect())
}

/// The value that 99 of 100 lie below.
pub(crate) fn ninety_ninth(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values
        .get(values.len() * 99 / 100)
        .copied()
        .unwrap_or(f64::NAN)
}

pub(crate) fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

pub(crate) fn per_second(count: u32, time: Duration) -> f64 {
    f64::from(count) / time.as_secs_f64()
}
