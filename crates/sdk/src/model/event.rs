use crate::id::CallId;

/// Something that happened while a model answers.
///
/// Shown at [`ModelSink`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelEvent {
    /// More text for the reader.
    Text(String),
    /// More of what the model thinks.
    Reasoning(String),
    /// A call begins.
    CallStarted {
        /// Our id of it.
        id: CallId,
        /// The tool.
        name: String,
    },
    /// More of a call's arguments, as the model writes them.
    CallArguments {
        /// Our id of the call.
        id: CallId,
        /// The next piece of its argument text.
        delta: String,
    },
    /// The answer broke off and is asked for again: what was told of it so far is void.
    Restarted,
}

/// Takes what happens while a model answers.
///
/// ```
/// use toolcrib::model::{ModelEvent, ModelSink};
///
/// let mut heard = String::new();
/// let mut sink = |event| {
///     if let ModelEvent::Text(delta) = event {
///         heard.push_str(&delta);
///     }
/// };
/// sink.event(ModelEvent::Text("Hello".to_owned()));
/// assert_eq!(heard, "Hello");
/// ```
pub trait ModelSink: Send {
    /// Takes one event; must not block.
    fn event(&mut self, event: ModelEvent);
}

impl<F: FnMut(ModelEvent) + Send> ModelSink for F {
    fn event(&mut self, event: ModelEvent) {
        self(event);
    }
}
