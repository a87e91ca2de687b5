use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::step::{Bounds, Step};
use super::{Observer, StopWhen};
use crate::model::{SharedModel, ToolChoice};

/// What becomes of a call whose tool nobody knows.
///
/// Said with [`Client::unknown_tools`](crate::Client::unknown_tools).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownTools {
    /// The run ends as an invalid request; nothing of that answer runs.
    #[default]
    InvalidRequest,
    /// The model is told the nearest names, and goes on.
    TellModel,
}

/// What the next step is to be like; see [`Client::prepare_step`](crate::Client::prepare_step).
#[derive(Debug)]
pub struct StepPlan<'a> {
    /// The number of the step, from 0.
    pub step: usize,
    /// The steps before it.
    pub steps: &'a [Step],
    /// The instructions.
    pub system: String,
    /// Whether a tool may, must or must not be called.
    pub tool_choice: ToolChoice,
    /// How much the model may vary.
    pub temperature: Option<f64>,
    /// The language model that is asked.
    pub model: SharedModel,
    pub(super) only: Option<BTreeSet<String>>,
}

impl StepPlan<'_> {
    /// Offers these tools of the run and no others; the others can't be called in this step
    /// either.
    pub fn only<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.only = Some(names.into_iter().map(str::to_owned).collect());
    }
}

pub(super) type Prepare = Arc<dyn Fn(&mut StepPlan<'_>) + Send + Sync>;

/// How runs are driven.
#[derive(Clone)]
pub(super) struct Options {
    pub(super) cancel: CancellationToken,
    pub(super) unknown_tools: UnknownTools,
    pub(super) stop_when: Vec<StopWhen>,
    pub(super) prepare: Option<Prepare>,
    pub(super) observers: Vec<Arc<dyn Observer>>,
    pub(super) call_timeout: Option<Duration>,
    pub(super) stop_deadline: Duration,
    pub(super) repeats: usize,
    pub(super) context_tokens: Option<u64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            cancel: CancellationToken::new(),
            unknown_tools: UnknownTools::default(),
            stop_when: Vec::new(),
            prepare: None,
            observers: Vec::new(),
            call_timeout: None,
            stop_deadline: Duration::from_secs(1),
            repeats: Bounds::REPEATS,
            context_tokens: None,
        }
    }
}
