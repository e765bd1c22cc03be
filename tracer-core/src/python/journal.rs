//! Mutable state that can be taken back.
//!
//! A branch on an unknown condition runs both sides. Whatever the first side writes is noted in a journal (the old
//! contents, once per object), so that it can be undone before the second side runs and both outcomes can be joined.
//! Noting costs only the writer, and only while such a branch runs; copying the heap would cost always.

use std::any::Any;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::Rc;

thread_local! {
    static EPOCH: Cell<u64> = const { Cell::new(0) };
    static LAST_EPOCH: Cell<u64> = const { Cell::new(0) };
    static ENTRIES: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    static CLASS_CHANGES: Cell<u64> = const { Cell::new(1) };
}

/// Counts changes of classes: what was looked up in one holds while the count stays.
#[inline]
pub fn class_changes() -> u64 {
    CLASS_CHANGES.get()
}

/// Notes that a class may have changed.
pub fn note_class_change() {
    CLASS_CHANGES.set(CLASS_CHANGES.get() + 1);
}

struct Entry {
    object: Rc<dyn Journaled>,
    old: Box<dyn Any>,
    old_epoch: u64,
}

/// Contents that two branches may leave different.
pub trait Join: Clone + 'static {
    /// What is known of the contents when either `self` or `other` may be them.
    fn join(&self, other: &Self) -> Self;
}

/// A mutable cell whose writes the journal sees.
#[derive(Debug)]
pub struct Mutable<T> {
    value: RefCell<T>,
    epoch: Cell<u64>,
    /// What is written stays, whichever branch wrote it: a cache.
    cache: Cell<bool>,
}

impl<T: Join> Mutable<T> {
    /// A new cell.
    pub fn new(value: T) -> Rc<Mutable<T>> {
        // An object made inside a branch needs no note: nothing outside refers to it before the branch.
        Rc::new(Mutable { value: RefCell::new(value), epoch: Cell::new(EPOCH.get()), cache: Cell::new(false) })
    }
    /// Says that what is written depends on no branch: it is not taken back.
    pub fn make_cache(&self) {
        self.cache.set(true);
    }
    /// Reads.
    #[inline]
    pub fn read(&self) -> Ref<'_, T> {
        self.value.borrow()
    }
    /// Writes.
    #[inline]
    pub fn write(self: &Rc<Self>) -> RefMut<'_, T> {
        let epoch = EPOCH.get();
        if epoch != 0 && self.epoch.get() != epoch && !self.cache.get() {
            self.note(epoch);
        }
        self.value.borrow_mut()
    }
    /// Brings contents up to date that follow from something else: no write that a branch would take back.
    pub fn refresh(&self, update: impl FnOnce(&mut T)) {
        // Whoever reads them just now has read them before the change.
        if let Ok(mut contents) = self.value.try_borrow_mut() {
            update(&mut contents);
        }
    }
    #[cold]
    fn note(self: &Rc<Self>, epoch: u64) {
        let entry = Entry {
            object: self.clone(),
            old: Box::new(self.value.borrow().clone()),
            old_epoch: self.epoch.replace(epoch),
        };
        ENTRIES.with_borrow_mut(|entries| entries.push(entry));
    }
}

trait Journaled {
    /// Puts `old` back and returns what was there.
    fn restore(&self, old: Box<dyn Any>, epoch: u64) -> Box<dyn Any>;
    fn snapshot(&self) -> Box<dyn Any>;
    /// Sets the contents to the join of what is there and `other`.
    fn join_with(&self, other: &dyn Any);
    fn address(&self) -> usize;
}

impl<T: Join> Journaled for Mutable<T> {
    fn restore(&self, old: Box<dyn Any>, epoch: u64) -> Box<dyn Any> {
        self.epoch.set(epoch);
        let old = *old.downcast::<T>().expect("the journal keeps contents of the same type");
        Box::new(self.value.replace(old))
    }
    fn snapshot(&self) -> Box<dyn Any> {
        Box::new(self.value.borrow().clone())
    }
    fn join_with(&self, other: &dyn Any) {
        let other = other.downcast_ref::<T>().expect("the journal keeps contents of the same type");
        let joined = self.value.borrow().join(other);
        *self.value.borrow_mut() = joined;
    }
    fn address(&self) -> usize {
        std::ptr::from_ref(self).cast::<()>() as usize
    }
}

/// A branch under way. Ended by [`Branch::undo`] or [`Branch::keep`].
#[must_use]
pub struct Branch {
    start: usize,
    outer_epoch: u64,
}

/// What an undone branch had left behind.
pub struct Outcome {
    changed: Vec<(Rc<dyn Journaled>, Box<dyn Any>)>,
}

/// Whether a branch is under way.
pub fn speculating() -> bool {
    EPOCH.get() != 0
}

impl Branch {
    /// Starts noting.
    pub fn start() -> Branch {
        let epoch = LAST_EPOCH.get() + 1;
        LAST_EPOCH.set(epoch);
        Branch { start: ENTRIES.with_borrow(|entries| entries.len()), outer_epoch: EPOCH.replace(epoch) }
    }

    /// Takes back every write since the start, and returns what they had made.
    pub fn undo(self) -> Outcome {
        note_class_change();
        let mut changed = Vec::new();
        let entries = ENTRIES.with_borrow_mut(|entries| entries.split_off(self.start));
        for entry in entries.into_iter().rev() {
            let left = entry.object.restore(entry.old, entry.old_epoch);
            changed.push((entry.object, left));
        }
        EPOCH.set(self.outer_epoch);
        Outcome { changed }
    }

    /// Keeps every write since the start (an outer branch still notes them).
    pub fn keep(self) {
        EPOCH.set(self.outer_epoch);
        ENTRIES.with_borrow_mut(|entries| {
            if self.outer_epoch == 0 {
                entries.truncate(self.start);
            } else {
                for entry in &entries[self.start..] {
                    // The outer branch has its own, older note of this object, or takes this one over.
                    let _ = entry;
                }
            }
        });
    }

    /// Keeps every write, joined with what another branch from the same start had left.
    pub fn keep_joined(self, other: Outcome) {
        note_class_change();
        // Objects that this branch changed: join with the other's contents, or with the old ones.
        let mine: Vec<(Rc<dyn Journaled>, Option<Box<dyn Any>>)> =
            ENTRIES.with_borrow(|entries| entries[self.start..].iter().map(|e| (e.object.clone(), None)).collect());
        let mut touched = rustc_hash::FxHashSet::default();
        for (object, _) in &mine {
            let address = object.address();
            if !touched.insert(address) {
                continue;
            }
            match other.changed.iter().rev().find(|(o, _)| o.address() == address) {
                Some((_, left)) => object.join_with(left.as_ref()),
                None => {
                    let old = ENTRIES.with_borrow(|entries| {
                        entries[self.start..].iter().position(|e| e.object.address() == address)
                    });
                    if let Some(at) = old {
                        ENTRIES.with_borrow(|entries| object.join_with(entries[self.start + at].old.as_ref()));
                    }
                }
            }
        }
        // Objects that only the other changed: the outer branch has to note them before they are joined.
        let start = self.start;
        let outer = self.outer_epoch;
        self.keep();
        let _ = start;
        for (object, left) in other.changed {
            if touched.insert(object.address()) {
                if outer != 0 {
                    let old = object.snapshot();
                    ENTRIES
                        .with_borrow_mut(|entries| entries.push(Entry { object: object.clone(), old, old_epoch: 0 }));
                }
                object.join_with(left.as_ref());
            }
        }
    }
}

impl Outcome {
    /// Applies what the undone branch had left, as if it had been kept.
    pub fn redo(self) {
        note_class_change();
        let outer = EPOCH.get();
        for (object, left) in self.changed.into_iter().rev() {
            let old = object.restore(left, outer);
            if outer != 0 {
                ENTRIES.with_borrow_mut(|entries| entries.push(Entry { object, old, old_epoch: 0 }));
            }
        }
    }
}

/// Forgets every branch: called at the start of a run.
pub fn reset() {
    EPOCH.set(0);
    ENTRIES.with_borrow_mut(Vec::clear);
}
