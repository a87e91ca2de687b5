use std::fmt;
use std::sync::Arc;

use super::step::Step;
use crate::model::Usage;

type Predicate = Arc<dyn Fn(&[Step]) -> bool + Send + Sync>;

/// When a run ends besides at an answer and at its step limit. Asked after each step, once its
/// calls have ended.
///
/// ```
/// use toolcrib::{Client, StopWhen};
///
/// let client = Client::new()
///     .stop_when(StopWhen::tool_called("send_mail"))
///     .stop_when(StopWhen::tokens(20_000))
///     .stop_when(StopWhen::custom(|steps| steps.iter().map(|step| step.calls.len()).sum::<usize>() > 30));
/// ```
#[derive(Clone)]
pub struct StopWhen(Kind);

#[derive(Clone)]
enum Kind {
    ToolCalled(String),
    Tokens(u64),
    Custom(Predicate),
}

impl StopWhen {
    /// The last step called this tool.
    #[must_use]
    pub fn tool_called(name: impl Into<String>) -> Self {
        Self(Kind::ToolCalled(name.into()))
    }

    /// The steps so far have used this many tokens, in and out; what a provider does not count is
    /// not counted.
    #[must_use]
    pub fn tokens(most: u64) -> Self {
        Self(Kind::Tokens(most))
    }

    /// A condition of one's own.
    #[must_use]
    pub fn custom(holds: impl Fn(&[Step]) -> bool + Send + Sync + 'static) -> Self {
        Self(Kind::Custom(Arc::new(holds)))
    }

    pub(super) fn holds(&self, steps: &[Step], usages: impl Iterator<Item = Usage>) -> bool {
        match &self.0 {
            Kind::ToolCalled(name) => steps
                .last()
                .is_some_and(|step| step.calls.iter().any(|call| call.name == *name)),
            Kind::Tokens(most) => {
                // A provider may count as high as a number goes.
                let used = usages.flat_map(|usage| [usage.input_tokens, usage.output_tokens]);
                used.flatten().fold(0, u64::saturating_add) >= *most
            }
            Kind::Custom(holds) => holds(steps),
        }
    }
}

impl fmt::Debug for StopWhen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::ToolCalled(name) => write!(f, "ToolCalled({name})"),
            Kind::Tokens(most) => write!(f, "Tokens({most})"),
            Kind::Custom(_) => f.write_str("Custom"),
        }
    }
}
