//! Clocks that are read, and what happened since.

use crate::interp::Interp;
use crate::interp::events::Event;
use crate::python::journal;

/// What a program did since it read a clock.
#[derive(Copy, Clone, Default)]
pub(super) struct SinceClock {
    dispatched: bool,
    waited: bool,
}

impl Interp {
    /// A compiled function is called: it runs while the program goes on.
    pub fn note_dispatched(&self) {
        if let Some(since) = self.effects.since_clock.get()
            && !self.effects.is_tracing()
        {
            self.effects.since_clock.set(Some(SinceClock { dispatched: true, ..since }));
        }
    }

    /// The program waits for results.
    pub fn note_waited(&self) {
        if let Some(since) = self.effects.since_clock.get() {
            self.effects.since_clock.set(Some(SinceClock { waited: true, ..since }));
        }
    }

    /// A clock is read.
    pub(super) fn note_clock(&self) {
        if let Some(SinceClock { dispatched: true, waited: false }) =
            self.effects.since_clock.replace(Some(SinceClock::default()))
            && !journal::speculating()
            && let Some((site, _)) = self.user_stack.borrow().last()
        {
            self.events.note(Event::Unsynced { site: *site });
        }
    }
}
