use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::watch;
use toolcrib::id::RunId;

use super::Chunk;

/// The runs that are told live by this server.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    runs: Mutex<HashMap<RunId, Arc<Live>>>,
}

#[derive(Debug)]
struct Live {
    frames: Mutex<Vec<Arc<str>>>,
    /// How many frames there are, and whether more will come.
    progress: watch::Sender<Progress>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    frames: usize,
    ended: bool,
}

impl Hub {
    fn live(&self, run: RunId) -> Arc<Live> {
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        let live = runs.entry(run).or_insert_with(|| {
            Arc::new(Live {
                frames: Mutex::default(),
                progress: watch::Sender::new(Progress::default()),
            })
        });
        Arc::clone(live)
    }

    /// Reads a run from its beginning. A run that nobody tells yet is waited for.
    pub(crate) fn join(&self, run: RunId) -> StreamReader {
        let live = self.live(run);
        StreamReader {
            progress: live.progress.subscribe(),
            live,
            at: 0,
        }
    }

    /// Begins to tell a run.
    pub(crate) fn tell(self: &Arc<Self>, run: RunId) -> StreamWriter {
        StreamWriter {
            live: self.live(run),
            hub: Arc::clone(self),
            run,
        }
    }

    /// Forgets a run that nobody is going to tell.
    pub(crate) fn forget(&self, run: RunId) {
        let live = self
            .runs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&run);
        if let Some(live) = live {
            live.progress.send_modify(|progress| progress.ended = true);
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
        let frames = {
            let mut frames = self
                .live
                .frames
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            frames.push(chunk.frame().into());
            frames.len()
        };
        self.live
            .progress
            .send_modify(|progress| progress.frames = frames);
    }
}

impl Drop for StreamWriter {
    fn drop(&mut self) {
        self.hub.forget(self.run);
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
    /// The next frames; none when the run is told to its end.
    pub async fn next(&mut self) -> Option<Vec<Arc<str>>> {
        let at = self.at;
        let seen = self
            .progress
            .wait_for(|progress| progress.frames > at || progress.ended)
            .await;
        let _ = seen.is_ok();
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
}
