//! What a loop watches, to tell when it teaches nothing new any more.

use crate::interp::Interp;
use crate::interp::doubt::MANY_DOUBTS;
use crate::interp::function::Run;
use crate::python::Value;

/// Rounds without news after which a loop over arrays is widened.
const QUIET_ROUNDS: u32 = 3;
/// A loop does at least this much work on arrays before it is widened.
const LEAST_WORK: u64 = 1_500;
/// A loop spends at least this much fuel before it is widened without work on arrays.
const LEAST_FUEL: u64 = 120_000_000;
/// So much fuel for one operation on arrays makes a loop one of Python, whatever arrays it looks at now and then.
const FUEL_OF_WORK: u64 = 100_000;
/// So many rounds that branch on what is not known, and as much fuel, make a loop whose outcome is not known: no round brings it back.
const DOUBTED_ROUNDS: u32 = 64;
const DOUBTED_FUEL: u64 = LEAST_FUEL / 40;
/// So many branches on what is not known are as much work as a loop does before it is widened: each of them keeps what its sides change.
/// Where rounds still bring news, it is so many times as much; where the run had many before, it is less.
const MOST_DOUBTS: u64 = 2_000;
const NEWS: u64 = 8;
/// So many rounds that may have returned, and as much fuel, make a loop one that waits for something that is not known: an answer, a
/// file, a test of numbers.
const WAITED_ROUNDS: u32 = 16;
const WAITED_FUEL: u64 = LEAST_FUEL / 400;

/// So often a widened loop runs again from a round that differs from those before: at least, and while that is little work.
const SPLITS: u32 = 8;
const MOST_SPLITS: u32 = 128;
const MOST_WORK: u64 = 60 * LEAST_WORK;
/// A loop that has done so much work, and spent so much, runs no further round that differs once the last one of them brought no news.
const MUCH_WORK: u64 = 10 * LEAST_WORK;
const MUCH_FUEL: u64 = LEAST_FUEL / 4;

/// What a loop watches.
pub(super) struct Watch {
    pub(super) work: u64,
    pub(super) fuel: u64,
    pub(super) novelty: u64,
    pub(super) quiet: u32,
    pub(super) rounds: u64,
    pub(super) yields: u64,
    /// Local variables before the round, where the loop may be widened behind it.
    pub(super) locals: Option<Vec<Value>>,
    /// How often it was widened until a round that differs.
    pub(super) splits: u32,
    /// What was new before the last of these rounds.
    split_at: u64,
    /// What it spends before it is widened without work on arrays.
    least_fuel: u64,
    /// How many exceptions had been reported before the loop.
    reported: usize,
    /// Branches on what is not known that there were before the loop, and before the round.
    first_doubts: u64,
    doubts: u64,
    /// What was seen before the round that is not known.
    unknowns: u64,
    /// Rounds that had branches on what is not known, or saw something that is not known.
    doubted: u32,
}

impl Watch {
    pub(super) fn new(run: &Run<'_>) -> Watch {
        let it = run.it;
        Watch {
            work: it.array_work.get(),
            fuel: it.fuel.get(),
            novelty: it.novelty.get(),
            quiet: 0,
            rounds: 0,
            yields: run.yields,
            locals: None,
            splits: 0,
            split_at: 0,
            least_fuel: LEAST_FUEL,
            reported: it.reported.borrow().len(),
            first_doubts: it.doubts.get(),
            doubts: it.doubts.get(),
            unknowns: it.unknowns.get(),
            doubted: 0,
        }
    }

    /// From a round on that differs from those before.
    pub(super) fn again(&self, run: &Run<'_>) -> Watch {
        let Watch { work, fuel, least_fuel, .. } = *self;
        let (splits, split_at) = (self.splits + 1, run.it.novelty.get());
        Watch { splits, split_at, work, fuel, least_fuel, quiet: 1, rounds: self.rounds, ..Watch::new(run) }
    }

    /// Whether the loop may run another round that differs for itself.
    pub(super) fn may_split(&self, run: &Run<'_>) -> bool {
        let work = run.it.array_work.get() - self.work;
        let teaches = run.it.novelty.get() != self.split_at || work < MUCH_WORK || self.spent(run.it) < MUCH_FUEL;
        teaches && (self.splits < SPLITS || self.splits < MOST_SPLITS && work < MOST_WORK)
    }

    /// Called before each round: keeps the variables if the loop may be widened behind it.
    #[inline]
    pub(super) fn before_round(&mut self, it: &Interp, locals: &[Value]) {
        if self.may_end(it) {
            self.keep(locals);
        }
    }

    /// Called after rounds that may have returned, with their number.
    pub(super) fn may_have_returned(&mut self, rounds: u32) {
        if rounds >= WAITED_ROUNDS {
            self.least_fuel = WAITED_FUEL;
        }
    }

    /// The loop does not end by itself: what it counts to is nothing that the program comes to.
    pub(super) fn is_endless(&mut self) {
        self.least_fuel = DOUBTED_FUEL;
    }

    /// A round brought something new.
    #[inline(never)]
    fn news(&mut self, it: &Interp) {
        self.quiet = 0;
        // The program itself has ended: what the rest counts to is nothing that it comes to.
        if it.reported.borrow().len() > self.reported {
            self.least_fuel = self.least_fuel.min(DOUBTED_FUEL);
        }
    }

    /// A round had branches on what is not known, or saw something that is not known.
    #[cold]
    #[inline(never)]
    fn doubt(&mut self, it: &Interp) {
        self.doubts = it.doubts.get();
        self.unknowns = it.unknowns.get();
        self.doubted += 1;
        if self.doubted == DOUBTED_ROUNDS {
            self.least_fuel = self.least_fuel.min(DOUBTED_FUEL);
        }
        let doubts = self.doubts - self.first_doubts;
        let most = MOST_DOUBTS >> (self.first_doubts / MANY_DOUBTS).min(8);
        if doubts > most && self.quiet >= QUIET_ROUNDS || doubts > NEWS * most {
            self.least_fuel = 0;
        }
    }

    /// Whether what it spends is Python's, with next to no work on arrays.
    #[inline(always)]
    fn is_python(&self, it: &Interp) -> bool {
        let work = it.array_work.get() - self.work;
        work == 0 || work.saturating_mul(FUEL_OF_WORK) < self.spent(it)
    }

    /// The fuel that it has spent.
    #[inline(always)]
    fn spent(&self, it: &Interp) -> u64 {
        self.fuel.saturating_sub(it.fuel.get())
    }

    /// Whether the loop may be widened behind its next round.
    #[inline(always)]
    pub(super) fn may_end(&self, it: &Interp) -> bool {
        match self.is_python(it) {
            true => self.spent(it) > self.least_fuel,
            false => self.quiet + 1 >= QUIET_ROUNDS,
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn keep(&mut self, locals: &[Value]) {
        locals.clone_into(self.locals.get_or_insert_default());
    }

    /// Called after each round: counts it where it has brought no news, no doubts and nothing unknown, and the variables are not kept.
    #[inline(always)]
    pub(super) fn passes(&mut self, it: &Interp, yields: u64) -> bool {
        let is_quiet = yields == self.yields
            && it.novelty.get() == self.novelty
            && it.unknowns.get() == self.unknowns
            && it.doubts.get() == self.doubts
            && self.locals.is_none();
        if is_quiet {
            self.rounds += 1;
            self.quiet += 1;
        }
        is_quiet
    }

    /// Called after each round: whether the loop may have done enough to be widened now ([`Watch::is_enough`]).
    #[inline(always)]
    pub(super) fn round(&mut self, it: &Interp, yields: u64) -> bool {
        self.rounds += 1;
        // Who takes the items decides how long a generator runs.
        if yields != self.yields {
            return false;
        }
        let novelty = it.novelty.get();
        match novelty == self.novelty {
            true => self.quiet += 1,
            false => self.news(it),
        }
        self.novelty = novelty;
        if it.unknowns.get() != self.unknowns || it.doubts.get() != self.doubts {
            self.doubt(it);
        }
        self.locals.is_some()
    }

    /// Whether a loop that may be widened has done enough.
    #[cold]
    #[inline(never)]
    pub(super) fn is_enough(&self, it: &Interp) -> bool {
        let work = it.array_work.get() - self.work;
        if self.is_python(it) {
            // Python alone runs as long as the budget lasts.
            return self.spent(it) > self.least_fuel;
        }
        self.quiet >= QUIET_ROUNDS && (work > LEAST_WORK || self.spent(it) > self.least_fuel.min(LEAST_FUEL / 40))
    }
}
