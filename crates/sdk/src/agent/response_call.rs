use crate::model::{AnswerMeta, FinishReason, Usage};

/// One HTTP call of a model, as [`GenerateResult::response_calls`](crate::GenerateResult::response_calls)
/// lists them: those that were tried again too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseCall {
    /// The step that it belongs to, from 0.
    pub step: usize,
    /// The model, as the provider names it.
    pub model: String,
    /// Why the model stopped; unknown of a call that failed.
    pub finish: Option<FinishReason>,
    /// Tokens, where the provider says.
    pub usage: Option<Usage>,
    /// From the asking to the end, in milliseconds; of the last call of a step, retries and the
    /// pauses before them included.
    pub latency_ms: u64,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// Set on a call that failed and was tried again: what went wrong.
    pub retried: Option<String>,
}

impl ResponseCall {
    pub(super) fn of(step: usize, meta: &AnswerMeta) -> impl Iterator<Item = Self> {
        let failed = meta.retried.iter().map(move |attempt| Self {
            step,
            model: meta.model.clone(),
            finish: None,
            usage: None,
            latency_ms: attempt.latency_ms,
            request_id: None,
            retried: Some(attempt.error.clone()),
        });
        let last = Self {
            step,
            model: meta.model.clone(),
            finish: Some(meta.finish.clone()),
            usage: meta.usage,
            latency_ms: meta.latency_ms,
            request_id: meta.request_id.clone(),
            retried: None,
        };
        failed.chain(std::iter::once(last))
    }
}
