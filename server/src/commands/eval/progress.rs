//! How far an evaluation is, on a terminal: told of what takes longer than half a second.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use tracer_core::analysis::Progress;

/// Nothing is told of what takes less, and what is told is renewed as often.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows progress until it is dropped.
pub struct Shown {
    /// What is shown.
    pub progress: Arc<Progress>,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Shown {
    /// Begins.
    pub fn start() -> Shown {
        let progress = Arc::new(Progress::default());
        let watched = progress.clone();
        let (stop, stopped) = channel::<()>();
        let is_wanted = std::io::stderr().is_terminal() || std::env::var_os("JITLENS_PROGRESS").is_some();
        let thread = is_wanted.then(|| {
            let watch = move || {
                let mut shown = false;
                while stopped.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    if let Some(text) = line(&watched) {
                        let _ = write!(std::io::stderr(), "\r{text}\x1b[K");
                        shown = true;
                    }
                }
                if shown {
                    let _ = write!(std::io::stderr(), "\r\x1b[K");
                }
            };
            (stop, std::thread::spawn(watch))
        });
        Shown { progress, thread }
    }
}

/// `evaluating: 34 % of 1.2e10 operations`; more than expected where loops of unknown length go on.
fn line(progress: &Progress) -> Option<String> {
    let (done, total) = (progress.done.load(Ordering::Relaxed), progress.total.load(Ordering::Relaxed));
    match total {
        0 => None,
        total if done <= total => {
            Some(format!("evaluating: {} % of {:.1e} operations", done.saturating_mul(100) / total, total as f64))
        }
        _ => Some(format!("evaluating: {:.1e} operations", done as f64)),
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.thread.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_told_where_the_whole_is_known() {
        let progress = Progress::default();
        assert_eq!(line(&progress), None);
        progress.total.store(1_000_000, Ordering::Relaxed);
        progress.done.store(340_000, Ordering::Relaxed);
        assert_eq!(line(&progress).as_deref(), Some("evaluating: 34 % of 1.0e6 operations"));
        progress.done.store(2_000_000, Ordering::Relaxed);
        assert_eq!(line(&progress).as_deref(), Some("evaluating: 2.0e6 operations"));
    }
}
