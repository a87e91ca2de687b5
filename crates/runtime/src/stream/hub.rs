use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, watch};
use toolcrib::id::RunId;

use super::Chunk;
use super::log::End;

/// The runs that are told live by this server.
#[derive(Debug)]
pub(crate) struct Hub {
    runs: Mutex<HashMap<RunId, Arc<Live>>>,
    /// The runs of which some server tells more.
    notices: broadcast::Sender<RunId>,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            runs: Mutex::default(),
            notices: broadcast::Sender::new(NOTICES),
        }
    }
}

/// How many notices wait for somebody who follows; further ones are made up for by looking.
const NOTICES: usize = 1024;

/// One telling of a run: by one driver, from the run's beginning to where that driver leaves it.
#[derive(Debug)]
struct Live {
    frames: Mutex<Vec<Arc<str>>>,
    /// How many frames there are, and whether more will come.
    progress: watch::Sender<Progress>,
    /// Whether somebody tells it; readers may come first.
    is_told: AtomicBool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    frames: usize,
    /// The protocol's own end was told.
    is_whole: bool,
    is_over: bool,
}

impl Live {
    fn new() -> Arc<Self> {
        Arc::new(Self {
            frames: Mutex::default(),
            progress: watch::Sender::new(Progress::default()),
            is_told: AtomicBool::new(false),
        })
    }

    fn push(&self, told: &str) {
        let count = {
            let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
            frames.push(told.into());
            frames.len()
        };
        self.progress
            .send_modify(|progress| progress.frames = count);
    }

    fn end(&self) {
        self.progress
            .send_modify(|progress| progress.is_over = true);
    }
}

impl Hub {
    fn runs(&self) -> MutexGuard<'_, HashMap<RunId, Arc<Live>>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a run from its beginning. A run that nobody tells yet is waited for.
    pub(crate) fn join(&self, run: RunId) -> StreamReader {
        StreamReader::of(self.runs().entry(run).or_insert_with(Live::new))
    }

    /// Begins to tell a run to those who wait for it. One that is told already is told anew: its
    /// driver has left it, and is only about to say so.
    pub(crate) fn tell(self: &Arc<Self>, run: RunId) -> StreamWriter {
        let mut runs = self.runs();
        let waiting = runs
            .get(&run)
            .filter(|live| !live.is_told.load(Ordering::Relaxed));
        let live = waiting.map_or_else(Live::new, Arc::clone);
        live.is_told.store(true, Ordering::Relaxed);
        runs.insert(run, Arc::clone(&live));
        StreamWriter {
            live,
            hub: Arc::clone(self),
            run,
        }
    }

    /// Begins to tell a run, if somebody waits for it and nobody tells it here.
    pub(crate) fn tell_waiting(self: &Arc<Self>, run: RunId) -> Option<StreamWriter> {
        let runs = self.runs();
        let live = runs.get(&run).map(Arc::clone)?;
        let was_told = live.is_told.swap(true, Ordering::Relaxed);
        (!was_told).then(|| StreamWriter {
            live,
            hub: Arc::clone(self),
            run,
        })
    }

    /// What is given notice of from now on.
    pub(crate) fn notices(&self) -> broadcast::Receiver<RunId> {
        self.notices.subscribe()
    }

    /// Says that some server tells more of a run.
    pub(crate) fn notice(&self, run: RunId) {
        // Nobody follows any run: then nobody has to know.
        drop(self.notices.send(run));
    }

    /// Lets go of readers who wait for a run that nobody is going to tell.
    pub(crate) fn forget_untold(&self, run: RunId) {
        let mut runs = self.runs();
        let untold = runs
            .get(&run)
            .is_some_and(|live| !live.is_told.load(Ordering::Relaxed));
        if untold && let Some(live) = runs.remove(&run) {
            live.end();
        }
    }
}

/// Tells a run. When it is dropped, the readers are told that nothing more comes.
#[derive(Debug)]
pub(crate) struct StreamWriter {
    live: Arc<Live>,
    hub: Arc<Hub>,
    run: RunId,
}

impl StreamWriter {
    pub(crate) fn send(&self, chunk: &Chunk) {
        self.live.push(&chunk.frame());
        self.live
            .progress
            .send_modify(|progress| progress.is_whole = chunk.is_end());
    }

    /// Tells what another server told, and how it ended if it did.
    pub(super) fn forward(&self, told: &str, end: Option<End>) {
        if !told.is_empty() {
            self.live.push(told);
        }
        self.live
            .progress
            .send_modify(|progress| progress.is_whole = end == Some(End::Whole));
    }

    /// Reads what this tells, from its beginning.
    pub(crate) fn reader(&self) -> StreamReader {
        StreamReader::of(&self.live)
    }
}

impl Drop for StreamWriter {
    fn drop(&mut self) {
        let mut runs = self.hub.runs();
        // Another driver may tell the run by now.
        if runs
            .get(&self.run)
            .is_some_and(|live| Arc::ptr_eq(live, &self.live))
        {
            runs.remove(&self.run);
        }
        self.live.end();
    }
}

/// Reads what is told of a run, from its beginning on.
#[derive(Debug)]
pub struct StreamReader {
    live: Arc<Live>,
    progress: watch::Receiver<Progress>,
    at: usize,
}

impl StreamReader {
    fn of(live: &Arc<Live>) -> Self {
        Self {
            progress: live.progress.subscribe(),
            live: Arc::clone(live),
            at: 0,
        }
    }

    /// The next frames; none when nothing more comes.
    pub async fn next(&mut self) -> Option<Vec<Arc<str>>> {
        let at = self.at;
        // The sender lives as long as `live`, which is held here.
        drop(
            self.progress
                .wait_for(|progress| progress.frames > at || progress.is_over)
                .await,
        );
        let frames = self
            .live
            .frames
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let new: Vec<Arc<str>> = frames
            .get(at..)
            .map(<[Arc<str>]>::to_vec)
            .unwrap_or_default();
        self.at = frames.len();
        if new.is_empty() { None } else { Some(new) }
    }

    /// Whether the run was told to an end of the protocol. Otherwise its driver was lost, and the
    /// reader has to come back rather than to take it for complete.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.progress.borrow().is_whole
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolcrib::id::RunId;

    use super::Hub;
    use crate::stream::Chunk;

    #[tokio::test]
    async fn readers_who_come_first_hear_all_and_a_new_telling_is_not_ended_by_the_old_one() {
        let (hub, run) = (Arc::new(Hub::default()), RunId::mint());
        let mut early = hub.join(run);
        let first = hub.tell(run);
        first.send(&Chunk::StartStep);
        assert_eq!(early.next().await.unwrap().len(), 1);
        // The next driver begins before the first one has gone.
        let second = hub.tell(run);
        drop(first);
        assert!(early.next().await.is_none());
        assert!(!early.is_whole(), "the first telling had no end");
        let mut late = hub.join(run);
        second.send(&Chunk::Abort);
        assert_eq!(late.next().await.unwrap().len(), 1);
        drop(second);
        assert!(late.next().await.is_none());
        assert!(late.is_whole());
    }

    #[tokio::test]
    async fn readers_of_a_run_that_nobody_tells_are_let_go() {
        let (hub, run) = (Arc::new(Hub::default()), RunId::mint());
        let mut reader = hub.join(run);
        hub.forget_untold(run);
        assert!(reader.next().await.is_none());
        let writer = hub.tell(run);
        let mut reader = hub.join(run);
        hub.forget_untold(run);
        writer.send(&Chunk::StartStep);
        assert!(reader.next().await.is_some(), "what is told stays");
    }
}
