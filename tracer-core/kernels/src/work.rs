//! Large work on several threads. It is cut into parts by its sizes alone, so that it gives the same bits on any number of them.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

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

fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Does the parts of a buffer, of so many elements each, with their numbers. Threads are started by the first work that is cut.
pub fn parts<T: Send>(out: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    let stop = Stop::here();
    let size = size.max(1);
    if out.len() <= size || processors() == 1 {
        for (i, part) in out.chunks_mut(size).enumerate() {
            if stop.asked() {
                return;
            }
            work(i, part);
        }
        return;
    }
    out.par_chunks_mut(size).enumerate().for_each(|(i, part)| {
        if !stop.asked() {
            work(i, part);
        }
    });
}

/// The results of so many pieces of work, in their order.
pub fn collect<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    if count <= 1 || processors() == 1 {
        return (0..count).map(work).collect();
    }
    (0..count).into_par_iter().map(work).collect()
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
