//! Large work on several threads. It is cut into parts by its sizes alone, so that it gives the same bits on any number of them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// So many simple operations are worth waking other threads for.
pub const LARGE: usize = 1 << 18;

/// Elements of a part of a simple loop: what it reads and writes stays in a processor's own cache.
pub const PART: usize = 1 << 15;

thread_local! {
    static CANCEL: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Sets the flag that stops the large work of this thread: what is left of it is not done, and its results mean nothing. The one
/// before is given back.
pub fn set_cancel(flag: Option<Arc<AtomicBool>>) -> Option<Arc<AtomicBool>> {
    CANCEL.with(|cancel| cancel.replace(flag))
}

/// Tells whether the work of a thread is to be stopped; may be asked on others.
#[derive(Clone, Debug)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// That of this thread.
    pub fn here() -> Stop {
        Stop(CANCEL.with(|cancel| cancel.borrow().clone()))
    }
    /// Whether it is.
    pub fn asked(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// How many threads work at a time.
pub(crate) fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Does the parts of a buffer, of so many elements each, with their numbers. Whoever asks works along with the threads, which the
/// first work that is cut starts.
pub fn parts<T: Send>(out: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let size = size.max(1);
    let count = out.len().div_ceil(size);
    share(out.chunks_mut(size), count, work);
}

/// The results of so many pieces of work, in their order; of work that was stopped some are missing.
pub fn collect<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    let mut all: Vec<Option<R>> = Vec::new();
    all.resize_with(count, || None);
    parts(&mut all, 1, |i, place| place[0] = Some(work(i)));
    all.into_iter().flatten().collect()
}

/// Hands out so many items, with their numbers, to this thread and to as many others as there are processors.
pub fn share<I: Send>(items: impl Iterator<Item = I> + Send, count: usize, work: impl Fn(usize, I) + Sync) {
    let stop = Stop::here();
    let queue = Mutex::new(items.enumerate());
    let run = || {
        while !stop.asked() {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((i, item)) = next else { return };
            work(i, item);
        }
    };
    // Asking for the processors reads files the first time.
    let threads = if count > 1 { processors().min(count) } else { 1 };
    match threads {
        0 | 1 => run(),
        threads => rayon::in_place_scope(|scope| {
            for _ in 1..threads {
                // What is cut once more there stops with it.
                scope.spawn(|_| {
                    let before = set_cancel(stop.0.clone());
                    run();
                    set_cancel(before);
                });
            }
            run();
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once() {
        let mut out = vec![0usize; 1_000];
        parts(&mut out, 64, |i, part| part.iter_mut().enumerate().for_each(|(j, x)| *x += i * 64 + j));
        assert!(out.iter().enumerate().all(|(i, x)| i == *x));
        assert_eq!(collect(5, |i| i * i), [0, 1, 4, 9, 16]);
    }

    #[test]
    fn what_is_cancelled_is_left_undone() {
        let flag = Arc::new(AtomicBool::new(true));
        let before = set_cancel(Some(flag.clone()));
        let mut out = vec![0; 100];
        parts(&mut out, 10, |_, part| part.fill(1));
        assert_eq!(out, [0; 100]);
        flag.store(false, Ordering::Relaxed);
        parts(&mut out, 10, |_, part| part.fill(1));
        assert_eq!(out, [1; 100]);
        set_cancel(before);
    }
}
