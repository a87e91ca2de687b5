use std::collections::VecDeque;

use serde_json::Value;

/// The ids of the records that a unit makes.
#[derive(Debug, Default)]
pub(crate) struct NewIds {
    /// Those to give in place of new ones, in order.
    again: VecDeque<Value>,
    given: Vec<Value>,
}

impl NewIds {
    pub(crate) fn again(ids: Vec<Value>) -> Self {
        Self {
            again: ids.into(),
            given: Vec::new(),
        }
    }

    /// The ids to give to the next `count` records; none where they get new ones.
    pub(crate) fn next(&mut self, count: usize) -> Vec<Value> {
        let count = count.min(self.again.len());
        self.again.drain(..count).collect()
    }

    pub(crate) fn note(&mut self, ids: impl IntoIterator<Item = Value>) {
        self.given.extend(ids);
    }

    pub(crate) fn take_given(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.given)
    }
}
