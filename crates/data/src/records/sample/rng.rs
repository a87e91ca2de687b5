/// A small generator of numbers (SplitMix64): the same seed gives the same shop on every
/// machine and with every version of every library.
#[derive(Clone, Debug)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `from` to `to`, both included.
    pub(super) fn range(&mut self, from: i64, to: i64) -> i64 {
        let span = to.abs_diff(from).saturating_add(1);
        from.saturating_add_unsigned(self.next() % span)
    }

    /// One of the items.
    pub(super) fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let last = i64::try_from(items.len()).ok()? - 1;
        usize::try_from(self.range(0, last.max(0)))
            .ok()
            .and_then(|index| items.get(index))
    }

    /// True in so many of a hundred cases.
    pub(super) fn percent(&mut self, chance: i64) -> bool {
        self.range(1, 100) <= chance
    }
}
