//! Patience: where the numbers behind a loop matter more than the time that it takes, a loop that teaches nothing new any more is not
//! widened but run to its end, as long as its numbers are known and a budget lasts.

use std::cell::Cell;

use super::rounds::Rounds;
use crate::interp::Interp;
use crate::interp::function::Run;
use crate::python::journal;

/// Where of so many results one is known, the numbers of a loop are known.
const MOST_LOST: u64 = 8;

/// So many rounds go on in all loops whose statements are recorded.
const MOST_RECORDED: u64 = 4_000;

/// How long loops go on for their numbers alone, or for what a reproducer says of them.
#[derive(Default)]
pub struct Patience {
    /// The rounds that have gone on because they are recorded.
    recorded: Cell<u64>,
    on: Cell<bool>,
    /// The fuel that is kept for the rest of the program.
    least_fuel: Cell<u64>,
    /// Tells whether the process holds so much memory that loops should end.
    crowded: Cell<Option<fn() -> bool>>,
    /// What there was too little of.
    used_up: Cell<Option<&'static str>>,
}

impl Patience {
    /// Loops go on: for half of this fuel, and while memory is not crowded.
    pub fn begin(&self, fuel: u64, crowded: Option<fn() -> bool>) {
        self.on.set(true);
        self.least_fuel.set(fuel / 2);
        self.crowded.set(crowded);
        self.used_up.set(None);
    }

    /// What there was too little of for a loop to be run to its end, if there was.
    pub fn used_up(&self) -> Option<&'static str> {
        self.used_up.get()
    }

    /// Whether a loop goes on because its rounds are recorded.
    fn records(&self, it: &Interp) -> bool {
        let recorded = self.recorded.get();
        let enough = recorded >= MOST_RECORDED || it.fuel.get() <= crate::interp::DEFAULT_FUEL / 2;
        if enough || journal::speculating() || it.in_widened_loop.get() {
            return false;
        }
        self.recorded.set(recorded + 1);
        true
    }

    /// Whether loops still go on.
    fn lasts(&self, it: &Interp) -> bool {
        if !self.on.get() {
            return false;
        }
        let used_up = match () {
            () if it.fuel.get() <= self.least_fuel.get() => "evaluated expressions",
            () if it.engine.starved.get() => "operations",
            () if self.crowded.get().is_some_and(|crowded| crowded()) => "memory",
            () => return true,
        };
        self.used_up.set(Some(used_up));
        self.on.set(false);
        it.engine.hasty.set(false);
        false
    }
}

impl Run<'_> {
    /// Whether a loop that could be widened goes on in its stead.
    pub(super) fn goes_on(&self, rounds: &mut Rounds) -> bool {
        let it = self.it;
        let is_recorded = it.repro.takes_rounds(it.engine.is_traced());
        let goes_on = is_recorded && it.patience.records(it) || self.lasts(rounds);
        if is_recorded && !goes_on {
            it.repro.leaves_rounds_out();
        }
        goes_on
    }

    /// Whether a loop goes on for its numbers.
    fn lasts(&self, rounds: &mut Rounds) -> bool {
        let it = self.it;
        if !it.patience.lasts(it) || journal::speculating() || it.in_widened_loop.get() {
            return false;
        }
        let (known, lost) = it.engine.eager_results.get();
        let (known_before, lost_before) = std::mem::replace(&mut rounds.results, (known, lost));
        let (known, lost) = (known - known_before, lost - lost_before);
        // Where nothing is known of what a round gives, more rounds tell no more.
        let goes_on = lost == 0 || known.saturating_mul(MOST_LOST) >= lost;
        if goes_on {
            // Each round's numbers are computed in it: they would be too many at once.
            it.engine.hasty.set(true);
            it.repro.round_ended(&mut rounds.noted);
        }
        goes_on
    }
}
