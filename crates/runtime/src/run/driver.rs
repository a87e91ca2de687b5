//! Works on one run until it ends or waits.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcrib::agent::step::{Finish, Next};
use toolcrib::id::CallId;
use toolcrib::message::check_pairs;
use toolcrib::state::CallState;
use toolcrib_counter::{AgentScope, CallMode, CounterError, FromRun, Level, Principal};
use toolcrib_data::platform::runs::{self, Lease, RunState};

use super::prompt::Frame;
use super::state::LoadedRun;
use super::take_up::until;
use super::tell;
use crate::stream::{Chunk, StreamWriter};
use crate::{Agent, Runtime, RuntimeError};

const RENEW: Duration = Duration::from_secs(5);

/// One server's work on one run.
pub(super) struct Drive<'a> {
    pub(super) runtime: &'a Runtime,
    pub(super) lease: Lease,
    pub(super) principal: Principal,
    pub(super) agent: Agent,
    pub(super) scope: AgentScope,
    pub(super) writer: StreamWriter,
    pub(super) cancel: CancellationToken,
    /// How many steps there were when the run was taken up.
    pub(super) begun_at: usize,
}

/// Whether the driver has more to do.
pub(super) enum Turn {
    GoOn,
    Over,
}

pub(super) async fn release(
    runtime: &Runtime,
    lease: &Lease,
    state: RunState,
    finish: &Value,
) -> Result<(), RuntimeError> {
    let mut unit = runtime.store().unit().await?;
    let now = runtime.store().clock().micros();
    if !runs::release(&mut unit, lease, state, Some(finish), now).await? {
        return Err(CounterError::LeaseLost.into());
    }
    unit.commit().await?;
    Ok(())
}

impl Drive<'_> {
    /// Renews the lease until it is lost; answers only then.
    pub(super) async fn keep_lease(&self) -> RuntimeError {
        loop {
            tokio::time::sleep(RENEW).await;
            let renewed = async {
                let store = self.runtime.store();
                let mut unit = store.unit().await?;
                let until = until(store.clock().micros());
                let run = runs::renew(&mut unit, &self.lease, until).await?;
                unit.commit().await?;
                Ok::<_, RuntimeError>(run)
            };
            match renewed.await {
                // Who asked for it was connected to another server, whose notice was lost.
                Ok(Some(run)) if run.stop_requested => self.cancel.cancel(),
                Ok(Some(_)) => {}
                Ok(None) => return CounterError::LeaseLost.into(),
                Err(error) => {
                    tracing::warn!(%error, run = %self.lease.run, "the lease could not be renewed");
                }
            }
        }
    }

    pub(super) async fn load(&self) -> Result<LoadedRun, RuntimeError> {
        let mut snapshot = self.runtime.store().snapshot().await?;
        let row = runs::get(&mut snapshot, self.lease.org, self.lease.run).await?;
        let row = row
            .filter(|row| row.epoch == self.lease.epoch)
            .ok_or(CounterError::LeaseLost)?;
        Ok(LoadedRun::load(&mut snapshot, row).await?)
    }

    pub(super) async fn work(&self, loaded: &LoadedRun) -> Result<(), RuntimeError> {
        let views = self
            .runtime
            .approval_views(loaded, self.principal.user)
            .await?;
        self.writer.send(&tell::start(loaded));
        if let Some(data) = loaded.trial_notice() {
            let id = "trial".to_owned();
            self.writer.send(&Chunk::DataNotice { id, data });
        }
        tell::steps(loaded, &views)
            .iter()
            .for_each(|chunk| self.writer.send(chunk));
        let frame = Frame::new(
            self.runtime.counter().registry(),
            &self.principal,
            &self.agent,
            &self.scope,
        )
        .await;
        while let Turn::GoOn = self.turn(&frame).await? {}
        Ok(())
    }

    async fn turn(&self, frame: &Frame) -> Result<Turn, RuntimeError> {
        // A server that goes down leaves the run, between two things, to the next one.
        if self.runtime.shutdown().is_cancelled() {
            return Ok(Turn::Over);
        }
        let run = self.load().await?;
        // A server died while a hook looked at what they answered.
        let ran = run.calls().filter(|call| call.row.state == CallState::Ran);
        let ran: Vec<CallId> = ran.map(|call| call.row.id).collect();
        if !ran.is_empty() {
            for id in ran {
                self.run_call(id).await?;
            }
            return Ok(Turn::GoOn);
        }
        match run.next(self.agent.max_steps) {
            Next::CallModel(offer) => self.model_step(&run, frame, offer).await,
            Next::RunCalls(calls) => {
                self.run_calls(&run, &calls).await?;
                Ok(Turn::GoOn)
            }
            Next::CloseCalls { calls, why } => {
                self.runtime
                    .counter()
                    .close_calls(self.lease.org, Some(&self.lease), &calls, why)
                    .await?;
                self.tell_calls(&calls).await?;
                Ok(Turn::GoOn)
            }
            Next::Wait => self.wait().await,
            Next::Finish(finish) => self.finish(&run, finish).await,
        }
    }

    /// Runs calls side by side where each only reads, else one after the other; those of a trial, too:
    /// each makes what was written before again, and they would wait for one another in the database.
    async fn run_calls(&self, run: &LoadedRun, ids: &[CallId]) -> Result<(), RuntimeError> {
        let registry = self.runtime.counter().registry();
        let reads = |id: &CallId| {
            run.calls()
                .find(|call| call.row.id == *id)
                .is_some_and(|call| {
                    registry
                        .find(&call.row.tool, &self.principal, Some(&self.scope))
                        .is_none_or(|tool| tool.level() == Level::ReadOnly)
                })
        };
        let is_real = run.mode == CallMode::Real;
        if is_real && ids.len() > 1 && ids.iter().all(reads) {
            for outcome in join_all(ids.iter().map(|id| self.run_call(*id))).await {
                outcome?;
            }
            return Ok(());
        }
        for id in ids {
            if self.cancel.is_cancelled() {
                break;
            }
            self.run_call(*id).await?;
        }
        Ok(())
    }

    async fn run_call(&self, id: CallId) -> Result<(), RuntimeError> {
        let from = FromRun {
            lease: &self.lease,
            agent: &self.scope,
        };
        let outcome = self
            .runtime
            .counter()
            .resume(&self.principal, id, Some(from), self.cancel.clone())
            .await;
        match outcome {
            Ok(_) => {}
            // It was decided or closed in the meantime; the next look at the rows shows how.
            Err(CounterError::WrongState(_)) => {}
            Err(error) => return Err(error.into()),
        }
        self.tell_calls(&[id]).await
    }

    /// Tells where calls stand now.
    pub(super) async fn tell_calls(&self, ids: &[CallId]) -> Result<(), RuntimeError> {
        let run = self.load().await?;
        let views = self
            .runtime
            .approval_views(&run, self.principal.user)
            .await?;
        for call in run.calls().filter(|call| ids.contains(&call.row.id)) {
            tell::now(call, &views)
                .iter()
                .for_each(|chunk| self.writer.send(chunk));
        }
        Ok(())
    }

    /// Leaves the run waiting, unless something came in the meantime.
    async fn wait(&self) -> Result<Turn, RuntimeError> {
        let store = self.runtime.store();
        let mut unit = store.unit().await?;
        let row = runs::lock(&mut unit, self.lease.org, self.lease.run).await?;
        let row = row
            .filter(|row| row.epoch == self.lease.epoch)
            .ok_or(CounterError::LeaseLost)?;
        let run = LoadedRun::load(&mut unit, row).await?;
        if run.next(self.agent.max_steps) != Next::Wait {
            return Ok(Turn::GoOn);
        }
        if !runs::release(
            &mut unit,
            &self.lease,
            RunState::Waiting,
            None,
            store.clock().micros(),
        )
        .await?
        {
            return Err(CounterError::LeaseLost.into());
        }
        unit.commit().await?;
        self.end(&run, "waiting");
        Ok(Turn::Over)
    }

    async fn finish(&self, run: &LoadedRun, finish: Finish) -> Result<Turn, RuntimeError> {
        if check_pairs(&run.whole_transcript()).is_err() {
            tracing::error!(run = %self.lease.run, "a finished run has a call without a result");
        }
        let (state, name) = match finish {
            Finish::Answered => (RunState::Done, "answered"),
            Finish::StepLimit => (RunState::Done, "step_limit"),
            Finish::Repeated => (RunState::Done, "repeated"),
            // The agents of a server have no stop conditions of their own.
            Finish::Condition => (RunState::Done, "condition"),
            Finish::Aborted => (RunState::Done, "aborted"),
            Finish::Stopped => (RunState::Stopped, "stopped"),
        };
        release(self.runtime, &self.lease, state, &json!({"finish": name})).await?;
        let mut ended = run.clone();
        ended.row.state = state;
        ended.row.finish = Some(json!({"finish": name}));
        if let Some(notice) = ended.notice() {
            self.writer.send(&Chunk::DataNotice {
                id: "notice".to_owned(),
                data: notice,
            });
        }
        if state == RunState::Stopped {
            self.writer.send(&Chunk::Abort);
        } else {
            self.end(run, "done");
        }
        Ok(Turn::Over)
    }

    fn end(&self, run: &LoadedRun, state: &str) {
        let mut total = (Some(0_u64), Some(0_u64));
        for step in &run.steps {
            let usage = step.row.answer.meta.usage.unwrap_or_default();
            total.0 = total
                .0
                .zip(usage.input_tokens)
                .map(|(sum, more)| sum + more);
            total.1 = total
                .1
                .zip(usage.output_tokens)
                .map(|(sum, more)| sum + more);
        }
        let usage = json!({"inputTokens": total.0, "outputTokens": total.1});
        self.writer.send(&Chunk::Finish {
            message_metadata: json!({"usage": usage, "state": state}),
        });
    }
}
