use crate::id::CallId;
use crate::model::ModelEvent;
use crate::state::CallState;

/// Something that happened in a run.
///
/// Shown at [`GenerateSink`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GenerateEvent {
    /// The model is asked.
    StepStarted {
        /// The number of the step, from 0.
        step: usize,
    },
    /// The model says something.
    Model(ModelEvent),
    /// A call ended, or waits for somebody.
    Call {
        /// The call.
        id: CallId,
        /// The tool.
        name: String,
        /// Where it stands now.
        state: CallState,
        /// What the model will read of it; empty while it waits.
        content: String,
    },
}

/// Takes what happens in a run.
///
/// ```
/// use toolcrib::{GenerateEvent, GenerateSink};
///
/// let mut steps = 0;
/// let mut sink = |event| {
///     if matches!(event, GenerateEvent::StepStarted { .. }) {
///         steps += 1;
///     }
/// };
/// sink.event(GenerateEvent::StepStarted { step: 0 });
/// assert_eq!(steps, 1);
/// ```
pub trait GenerateSink: Send {
    /// Takes one event; must not block.
    fn event(&mut self, event: GenerateEvent);
}

impl<F: FnMut(GenerateEvent) + Send> GenerateSink for F {
    fn event(&mut self, event: GenerateEvent) {
        self(event);
    }
}
