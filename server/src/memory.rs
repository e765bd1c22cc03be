//! How much memory a run may use.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tracer_core::analysis::Limits;

/// A run that finds the process to hold more than this is stopped, and what it knows is kept.
const MOST_BYTES: usize = 1 << 30;

/// The limits of a run, its memory among them.
pub fn limits() -> Limits {
    let default = Limits::default();
    Limits { overdrawn: Some(overdrawn), crowded: Some(crowded), fuel: fuel().unwrap_or(default.fuel), ..default }
}

/// The expressions that a run may evaluate, by the environment: for tests that try what happens when they are used up.
fn fuel() -> Option<u64> {
    std::env::var("JITLENS_FUEL").ok()?.parse().ok()
}

/// What earlier runs of a command have left, which is not counted.
static LEFT: AtomicUsize = AtomicUsize::new(0);
/// No more of it is left out of the count.
const MOST_LEFT: usize = 3 * MOST_BYTES;

/// The next runs of this process belong to something else that a command was asked for: what the ones before have left is none of theirs.
pub fn begin() {
    let held = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem);
    LEFT.store(held.min(MOST_LEFT), Ordering::Relaxed);
}

/// What the process holds beside that.
fn held() -> usize {
    let left = LEFT.load(Ordering::Relaxed);
    memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem.saturating_sub(left))
}

/// Whether the process holds so much that there is room for little else.
fn crowded() -> bool {
    held() > MOST_BYTES / 4 * 3
}

/// Whether a run of this process was told that it holds too much.
static SHORT: AtomicBool = AtomicBool::new(false);

fn overdrawn() -> bool {
    let too_much = held() > MOST_BYTES;
    SHORT.fetch_or(too_much, Ordering::Relaxed);
    too_much
}

/// Whether a run of this process was short of memory.
pub fn was_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_earlier_runs_have_left_is_not_counted() {
        let held_before = held();
        let left = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(held() >= held_before + (32 << 20));
        begin();
        assert!(held() < 32 << 20);
        drop(left);
    }
}
