//! How much memory a run may use.

use std::sync::atomic::{AtomicBool, Ordering};

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

/// Whether the process holds so much that there is room for little else.
fn crowded() -> bool {
    memory_stats::memory_stats().is_some_and(|stats| stats.physical_mem > MOST_BYTES / 4 * 3)
}

/// Whether a run of this process was told that it holds too much.
static SHORT: AtomicBool = AtomicBool::new(false);

fn overdrawn() -> bool {
    let too_much = memory_stats::memory_stats().is_some_and(|stats| stats.physical_mem > MOST_BYTES);
    SHORT.fetch_or(too_much, Ordering::Relaxed);
    too_much
}

/// Whether a run of this process was short of memory.
pub fn was_short() -> bool {
    SHORT.load(Ordering::Relaxed)
}
