//! The threads that runs run on. Each has a large stack, and is used again: its memory is warm.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

/// Native stack of a run; only touched pages cost memory.
pub const STACK: usize = 1 << 30;

/// How a job ended.
pub type Outcome<T> = Result<T, Box<dyn Any + Send>>;

type Job = Box<dyn FnOnce(&mut Kept) + Send>;

/// What a thread keeps from one job for the next.
pub type Kept = Option<Box<dyn Any>>;

/// Threads that wait for the next job, or will.
static IDLE: Mutex<Vec<Sender<Job>>> = Mutex::new(Vec::new());

/// Where a job answers, before it tidies up.
pub struct Reply<T> {
    answer: Sender<Outcome<T>>,
    thread: Sender<Job>,
}

impl<T> Reply<T> {
    /// Answers, and says whether the thread is fit for another job: it may be given one at once, which waits.
    pub fn send(self, result: T, fit: bool) {
        if fit && let Ok(mut idle) = IDLE.lock() {
            idle.push(self.thread);
        }
        // Who asked may be gone.
        let _ = self.answer.send(Ok(result));
    }
}

/// Runs a job on a thread with a large stack; `None` where no such thread can be had.
pub fn run<T: Send + 'static>(job: impl FnOnce(&mut Kept, Reply<T>) + Send + 'static) -> Option<Outcome<T>> {
    let idle = IDLE.lock().ok().and_then(|mut idle| idle.pop());
    let worker = match idle {
        Some(worker) => worker,
        None => spawn()?,
    };
    let (answer, wait) = channel();
    let reply = Reply { answer: answer.clone(), thread: worker.clone() };
    let whole = move |kept: &mut Kept| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| job(kept, reply))) {
            *kept = None;
            let _ = answer.send(Err(panic));
        }
    };
    worker.send(Box::new(whole)).ok()?;
    wait.recv().ok()
}

fn spawn() -> Option<Sender<Job>> {
    let (sender, jobs) = channel::<Job>();
    let worker = std::thread::Builder::new().name("trace".into()).stack_size(STACK);
    // The thread ends when nobody can send to it any more.
    let work = || {
        let mut kept: Kept = None;
        jobs.into_iter().for_each(|job| job(&mut kept));
    };
    worker.spawn(work).ok()?;
    Some(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_used_again_unless_its_job_panicked_or_says_no() {
        // Other tests take and give back threads meanwhile: this one holds all that are idle.
        let held: Vec<_> = std::mem::take(&mut *IDLE.lock().unwrap());
        let here = || std::thread::current().id();
        let id = |fit: bool| run(move |_, reply| reply.send(here(), fit)).and_then(Result::ok);
        let ids: Vec<_> = (0..40).map(|_| id(true)).collect();
        assert!(ids.iter().enumerate().any(|(i, first)| ids[i + 1..].contains(first)), "no thread was used again");
        let unfit: Vec<_> = (0..8).map(|_| id(false)).collect();
        let later: Vec<_> = (0..8).map(|_| id(true)).collect();
        assert!(unfit.iter().all(|gone| gone.is_some() && !later.contains(gone)), "an unfit thread was used again");
        assert!(run(|_, _: Reply<()>| std::panic::resume_unwind(Box::new("a bug"))).is_some_and(|o| o.is_err()));
        assert!(id(true).is_some());
        drop(held);
    }
}
