use proptest::prelude::*;

use super::{
    Bounds, CallText, Closing, Finish, Next, Offer, Step, ending_text, next, results, transcript,
};
use crate::id::CallId;
use crate::message::{AssistantMessage, AssistantPart, ToolCall, check_pairs};
use crate::state::{CallState, WaitingFor};

/// What the world does to a call when it is handed out, or decides on it later.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Succeeds,
    Fails,
    IsRefused,
    AsksAndIsApproved,
    AsksAndIsRejected,
    AsksAndExpires,
    AsksAndIsSuperseded,
}

fn fates() -> impl Strategy<Value = Vec<Vec<Fate>>> {
    let fate = prop_oneof![
        Just(Fate::Succeeds),
        Just(Fate::Fails),
        Just(Fate::IsRefused),
        Just(Fate::AsksAndIsApproved),
        Just(Fate::AsksAndIsRejected),
        Just(Fate::AsksAndExpires),
        Just(Fate::AsksAndIsSuperseded),
    ];
    prop::collection::vec(prop::collection::vec(fate, 0..4), 1..6)
}

/// A run in a world that follows a script; what ran is counted by call.
#[derive(Debug, Default)]
struct World {
    script: Vec<Vec<Fate>>,
    steps: Vec<Step>,
    ran: Vec<CallId>,
    approved: Vec<CallId>,
    /// Whether every call asks for the same.
    is_monotonous: bool,
    /// How often the model was offered nothing.
    without_tools: usize,
}

impl World {
    fn new(script: &[Vec<Fate>]) -> Self {
        Self {
            script: script.to_vec(),
            ..Self::default()
        }
    }

    fn fate(&self, id: CallId) -> Fate {
        let step = self.steps.len() - 1;
        let at = self.steps[step]
            .calls
            .iter()
            .position(|call| call.id == id)
            .unwrap();
        self.script[step][at]
    }

    fn set(&mut self, id: CallId, state: CallState) {
        let call = self
            .steps
            .last_mut()
            .unwrap()
            .calls
            .iter_mut()
            .find(|call| call.id == id)
            .unwrap();
        assert!(!call.state.is_ending(), "an ended call is touched again");
        call.state = state;
        if state.is_ending() {
            call.result = Some(CallText {
                content: ending_text(state).to_owned(),
                is_error: state != CallState::Succeeded,
            });
        }
    }

    fn ask_model(&mut self) {
        let fates = self
            .script
            .get(self.steps.len())
            .cloned()
            .unwrap_or_default();
        let step = self.steps.len();
        let parts = fates
            .iter()
            .map(|_| {
                let arguments = if self.is_monotonous {
                    "{}".to_owned()
                } else {
                    format!("{{\"step\":{step}}}")
                };
                AssistantPart::ToolCall(ToolCall::new("t", arguments))
            })
            .collect();
        if self.steps.len() >= self.script.len() {
            self.script.push(Vec::new());
        }
        self.steps.push(Step::asked(AssistantMessage { parts }));
    }

    fn run(&mut self, id: CallId) {
        let state = self
            .steps
            .last()
            .unwrap()
            .calls
            .iter()
            .find(|call| call.id == id)
            .unwrap()
            .state;
        if state == CallState::Approved {
            assert!(self.approved.contains(&id));
            self.ran.push(id);
            self.set(id, CallState::Succeeded);
            return;
        }
        match self.fate(id) {
            Fate::Succeeds => {
                self.ran.push(id);
                self.set(id, CallState::Succeeded);
            }
            Fate::Fails => {
                self.ran.push(id);
                self.set(id, CallState::Failed);
            }
            Fate::IsRefused => self.set(id, CallState::Refused),
            _ => self.set(id, CallState::Waiting(WaitingFor::Approval)),
        }
    }

    fn decide_one(&mut self) {
        let waiting = self
            .steps
            .last()
            .unwrap()
            .calls
            .iter()
            .find(|call| call.state.waiting_for().is_some())
            .unwrap()
            .id;
        match self.fate(waiting) {
            Fate::AsksAndIsApproved => {
                self.approved.push(waiting);
                self.set(waiting, CallState::Approved);
            }
            Fate::AsksAndIsRejected => self.set(waiting, CallState::Rejected),
            Fate::AsksAndExpires => self.set(waiting, CallState::Expired),
            _ => self.set(waiting, CallState::Superseded),
        }
    }

    /// Runs to the end. `crash` says at which decision points the driver is lost and begins anew
    /// from the rows alone: nothing but `steps` is carried over, so a decision may be made twice
    /// but not done twice.
    fn drive(&mut self, bounds: Bounds, crash: &[bool], stop_at: Option<usize>) -> Finish {
        let mut bounds = bounds;
        for turn in 0..1000 {
            bounds.stopped |= stop_at.is_some_and(|at| turn >= at);
            if crash.get(turn).copied().unwrap_or(false) {
                assert_eq!(next(&self.steps, bounds), next(&self.steps, bounds));
                continue;
            }
            match next(&self.steps, bounds) {
                Next::CallModel(offer) => {
                    self.without_tools += usize::from(offer == Offer::Nothing);
                    check_pairs(&transcript(&self.steps)).unwrap();
                    self.ask_model();
                }
                // A crash between two calls of a step: only the first is done before the next look.
                Next::RunCalls(calls) => self.run(calls[0]),
                Next::Wait => self.decide_one(),
                Next::CloseCalls { calls, why } => {
                    calls.into_iter().for_each(|id| self.set(id, why.ending()));
                }
                Next::Finish(finish) => return finish,
            }
        }
        panic!("the run has no end");
    }
}

proptest! {
    /// Every call has exactly one result, nothing unapproved runs, and a run that is interrupted
    /// again and again ends as one that goes straight through.
    #[test]
    fn every_call_has_one_result_and_resumed_is_straight_through(
        script in fates(),
        crash in prop::collection::vec(any::<bool>(), 0..60),
        max_steps in 0_usize..7,
        stop_at in prop::option::of(0_usize..30),
        is_monotonous in any::<bool>(),
    ) {
        let bounds = Bounds::steps(max_steps);
        let world = || World { is_monotonous, ..World::new(&script) };
        let mut straight = world();
        let straight_finish = straight.drive(bounds, &[], None);
        let mut resumed = world();
        let resumed_finish = resumed.drive(bounds, &crash, None);
        prop_assert_eq!(straight_finish, resumed_finish);
        let states = |world: &World| -> Vec<Vec<CallState>> {
            world.steps.iter().map(|step| step.calls.iter().map(|call| call.state).collect()).collect()
        };
        prop_assert_eq!(states(&straight), states(&resumed));
        prop_assert!(straight.steps.len() <= max_steps.max(1));

        let mut stopped = world();
        stopped.drive(bounds, &crash, stop_at);
        for world in [&straight, &resumed, &stopped] {
            prop_assert!(check_pairs(&transcript(&world.steps)).is_ok());
            let mut ran = world.ran.clone();
            ran.sort();
            ran.dedup();
            prop_assert_eq!(ran.len(), world.ran.len(), "a call ran twice");
            for call in world.steps.iter().flat_map(|step| &step.calls) {
                prop_assert!(call.state.is_ending());
                let may_have_run = matches!(call.state, CallState::Succeeded | CallState::Failed);
                prop_assert_eq!(world.ran.contains(&call.id), may_have_run);
            }
        }
    }
}

#[test]
fn the_last_step_leaves_its_calls_not_started() {
    let mut world = World::new(&[vec![Fate::Succeeds]]);
    let finish = world.drive(Bounds::steps(1), &[], None);
    assert_eq!(finish, Finish::StepLimit);
    assert_eq!(world.steps[0].calls[0].state, CallState::NotStarted);
    assert!(world.ran.is_empty());
}

#[test]
fn the_same_call_again_and_again_is_warned_about_and_then_not_run() {
    let script = vec![vec![Fate::Succeeds]; 9];
    let mut world = World {
        is_monotonous: true,
        ..World::new(&script)
    };
    let finish = world.drive(Bounds::steps(20), &[], None);
    assert_eq!(
        finish,
        Finish::Repeated,
        "it asks even where nothing is offered"
    );
    assert_eq!(world.ran.len(), 3);
    assert_eq!(world.without_tools, 1);
    assert_eq!(world.steps.len(), 5);
    let told = |steps: usize| results(&world.steps[..steps])[0].content.clone();
    assert!(!told(2).contains("three times"));
    assert!(told(3).contains("three times in a row"));
    assert_eq!(world.steps[3].calls[0].state, Closing::Repeated.ending());
    let mut endless = World {
        is_monotonous: true,
        ..World::new(&script)
    };
    let bounds = Bounds {
        repeats: 0,
        ..Bounds::steps(20)
    };
    assert_eq!(endless.drive(bounds, &[], None), Finish::Answered);
    assert_eq!(endless.ran.len(), 9);
}

#[test]
fn what_is_not_repeated_runs_beside_what_is() {
    let ask = |names: &[&str]| {
        let calls = names.iter().map(|name| ToolCall::new(*name, "{}"));
        Step::asked(AssistantMessage {
            parts: calls.map(AssistantPart::ToolCall).collect(),
        })
    };
    let ended = |mut step: Step| {
        for call in &mut step.calls {
            call.state = CallState::Succeeded;
            call.result = Some(CallText {
                content: "ok".into(),
                is_error: false,
            });
        }
        step
    };
    let mut steps: Vec<Step> = (0..3).map(|_| ended(ask(&["same"]))).collect();
    steps.push(ask(&["same", "other"]));
    let same = steps[3].calls[0].id;
    let other = steps[3].calls[1].id;
    let close = Next::CloseCalls {
        calls: vec![same],
        why: Closing::Repeated,
    };
    assert_eq!(next(&steps, Bounds::steps(20)), close);
    steps[3].calls[0].state = CallState::NotStarted;
    assert_eq!(next(&steps, Bounds::steps(20)), Next::RunCalls(vec![other]));
    steps[3].calls[1].state = CallState::Succeeded;
    assert_eq!(
        next(&steps, Bounds::steps(20)),
        Next::CallModel(Offer::Tools)
    );
}
