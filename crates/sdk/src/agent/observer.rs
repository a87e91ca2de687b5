use super::{GenerateError, GenerateResult};
use crate::model::{Answer, ModelError, ModelRequest};

/// Sees a run from outside, without a say in it. Each method does nothing unless it is written.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use toolcrib::model::ModelRequest;
/// use toolcrib::{Client, Observer};
///
/// #[derive(Default)]
/// struct Count(AtomicUsize);
///
/// impl Observer for Count {
///     fn before_model_call(&self, _step: usize, _request: &ModelRequest) {
///         self.0.fetch_add(1, Ordering::Relaxed);
///     }
/// }
///
/// let client = Client::new().observe(Count::default());
/// ```
pub trait Observer: Send + Sync + 'static {
    /// A run begins.
    fn before_generate(&self, start: &GenerateStart<'_>) {
        let _ = start;
    }

    /// The model is about to be asked; a retried asking counts once.
    fn before_model_call(&self, step: usize, request: &ModelRequest) {
        let _ = (step, request);
    }

    /// The model has answered, or failed to.
    fn after_model_call(&self, step: usize, answer: Result<&Answer, &ModelError>) {
        let _ = (step, answer);
    }

    /// The run is over.
    fn after_generate(&self, outcome: Result<&GenerateResult, &GenerateError>) {
        let _ = outcome;
    }
}

/// What a run begins with.
///
/// Told to an [`Observer`].
#[derive(Clone, Copy, Debug)]
pub struct GenerateStart<'a> {
    /// The provider of the language model.
    pub provider: &'a str,
    /// The language model.
    pub model: &'a str,
    /// How many messages there are.
    pub messages: usize,
    /// How many tools are offered.
    pub tools: usize,
}
