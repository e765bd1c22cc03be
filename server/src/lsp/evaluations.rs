//! Evaluations and reproducers under way, and what stops them: the button of their progress, the request's end, of evaluations an edit of
//! their program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tower_lsp::jsonrpc::{Error, ErrorCode};
use tower_lsp::ls_types::Uri;

/// An evaluation of a program's function; ends it when it is dropped.
#[derive(Clone, Debug)]
pub struct Running {
    /// The program whose edits stop it.
    program: Option<Uri>,
    /// What the run looks at.
    pub cancel: Arc<AtomicBool>,
    edited: Arc<AtomicBool>,
    /// Told when it is stopped, so that nobody waits for the work to notice.
    told: Arc<Notify>,
    /// The token of its progress, where that is shown.
    token: Arc<Mutex<Option<String>>>,
}

impl Running {
    /// Says what its progress is called.
    pub fn shown_as(&self, token: &str) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.to_owned());
    }

    /// Ends when it is stopped, at once.
    pub async fn stopped(&self) {
        // Who begins to wait later finds what was left for one.
        self.told.notified().await;
    }

    fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.told.notify_one();
    }

    /// Why it was stopped, if it was.
    ///
    /// # Errors
    /// What the protocol has for that.
    pub fn check(&self) -> Result<(), Error> {
        if self.edited.load(Ordering::Relaxed) {
            return Err(Error::content_modified());
        }
        let cancelled = self.cancel.load(Ordering::Relaxed);
        if cancelled { Err(Error::new(ErrorCode::RequestCancelled)) } else { Ok(()) }
    }
}

/// Stops what runs when it is dropped: with the request that waits for it.
pub struct Guard<'a> {
    all: &'a Evaluations,
    /// What is stopped.
    pub running: Running,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.running.cancel.store(true, Ordering::Relaxed);
        self.all.all().retain(|other| !Arc::ptr_eq(&other.cancel, &self.running.cancel));
    }
}

fn is_of(running: &Running, programs: &[Uri]) -> bool {
    running.program.as_ref().is_some_and(|program| programs.contains(program))
}

/// All of them.
#[derive(Default)]
pub struct Evaluations(Mutex<Vec<Running>>);

impl Evaluations {
    fn all(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One begins; edits of a program stop it.
    pub fn begin(&self, program: Option<Uri>) -> Guard<'_> {
        let running = Running {
            program,
            cancel: Arc::default(),
            edited: Arc::default(),
            told: Arc::default(),
            token: Arc::default(),
        };
        self.all().push(running.clone());
        Guard { all: self, running }
    }

    /// Stops those of programs whose text is another one now.
    pub fn edited(&self, programs: &[Uri]) {
        for running in self.all().iter().filter(|running| is_of(running, programs)) {
            running.edited.store(true, Ordering::Relaxed);
            running.stop();
        }
    }

    /// Stops the one whose progress has a name.
    pub fn cancel(&self, token: &str) {
        let is_it =
            |running: &&Running| running.token.lock().unwrap_or_else(PoisonError::into_inner).as_deref() == Some(token);
        self.all().iter().filter(is_it).for_each(Running::stop);
    }
}
