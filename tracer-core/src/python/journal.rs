//! Mutable state that can be taken back.
//!
//! A branch on an unknown condition runs both sides. Whatever the first side writes is noted in a journal (the old
//! contents, once per object), so that it can be undone before the second side runs and both outcomes can be joined.
//! Noting costs only the writer, and only while such a branch runs; copying the heap would cost always.

use std::any::Any;
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::rounds::Counter;

thread_local! {
    static EPOCH: Cell<u64> = const { Cell::new(0) };
    static LAST_EPOCH: Cell<u64> = const { Cell::new(0) };
    static ENTRIES: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    static AGE: Cell<u32> = const { Cell::new(0) };
    static LAST_AGE: Cell<u32> = const { Cell::new(0) };
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

/// A new age begins: what is made from now on is told from what there was before.
pub fn grow_older() -> u32 {
    LAST_AGE.set(LAST_AGE.get().saturating_add(1));
    AGE.set(LAST_AGE.get());
    AGE.get()
}

/// Runs something whose objects are as old as the program.
pub fn as_old_as_the_program<R>(body: impl FnOnce() -> R) -> R {
    let age = AGE.replace(0);
    let result = body();
    AGE.set(age);
    result
}

/// The age in which things are made now.
#[inline]
pub fn age() -> u32 {
    AGE.get()
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
    /// What any round of a loop finds, where the first three find `self`, `first` and `second`.
    fn any_round(&self, _first: &Self, second: &Self, _counter: &Counter) -> Self {
        self.join(second)
    }
    /// Whether what a round has left of this, which any round finds, is what the next one was said to find.
    fn goes_on(&self, _after: &Self, _counter: &Counter) -> bool {
        true
    }
    /// What the last of so many rounds leaves, where the first finds `start` and any finds `any` and leaves `after`.
    fn after_rounds(_start: &Self, any: &Self, after: &Self, _counter: &Counter, _count: i64) -> Self {
        any.join(after)
    }
}

/// A mutable cell whose writes the journal sees.
#[derive(Debug)]
pub struct Mutable<T> {
    value: RefCell<T>,
    epoch: Cell<u64>,
    /// What is written stays, whichever branch wrote it: a cache.
    cache: Cell<bool>,
    /// The age in which it was made.
    born: u32,
}

impl<T: Join> Mutable<T> {
    /// A new cell.
    pub fn new(value: T) -> Rc<Mutable<T>> {
        // An object made inside a branch needs no note: nothing outside refers to it before the branch.
        Rc::new(Mutable {
            value: RefCell::new(value),
            epoch: Cell::new(EPOCH.get()),
            cache: Cell::new(false),
            born: AGE.get(),
        })
    }
    /// The age in which it was made: see [`grow_older`].
    #[inline]
    pub fn born(&self) -> u32 {
        self.born
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
    /// Writes, where no branch is under way that would have to know.
    #[inline(always)]
    pub fn write_outside(&self) -> Option<RefMut<'_, T>> {
        match EPOCH.get() {
            0 => self.value.try_borrow_mut().ok(),
            _ => None,
        }
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
    /// Replaces the contents, as a write.
    fn put(self: Rc<Self>, contents: Box<dyn Any>);
    /// [`Join::any_round`] of what is there; `joined`: only the join of all.
    fn any_round(&self, later: [Option<&dyn Any>; 2], counter: &Counter, joined: bool) -> Box<dyn Any>;
    /// [`Join::goes_on`] of what is there.
    fn goes_on(&self, after: Option<&dyn Any>, counter: &Counter) -> bool;
    /// [`Join::after_rounds`] of what is there.
    fn after_rounds(&self, left: [Option<&dyn Any>; 2], counter: &Counter, count: i64) -> Box<dyn Any>;
}

fn contents<T: Join>(any: &dyn Any) -> &T {
    any.downcast_ref::<T>().expect("the journal keeps contents of the same type")
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
    fn put(self: Rc<Self>, new: Box<dyn Any>) {
        let new = *new.downcast::<T>().expect("the journal keeps contents of the same type");
        *self.write() = new;
    }
    fn any_round(&self, [first, second]: [Option<&dyn Any>; 2], counter: &Counter, joined: bool) -> Box<dyn Any> {
        let start = self.value.borrow();
        let first = first.map_or(&*start, contents::<T>);
        let second = second.map_or(first, contents::<T>);
        Box::new(match joined {
            true => start.join(first).join(second),
            false => start.any_round(first, second, counter),
        })
    }
    fn goes_on(&self, after: Option<&dyn Any>, counter: &Counter) -> bool {
        let any = self.value.borrow();
        any.goes_on(after.map_or(&*any, contents::<T>), counter)
    }
    fn after_rounds(&self, [any, after]: [Option<&dyn Any>; 2], counter: &Counter, count: i64) -> Box<dyn Any> {
        let start = self.value.borrow();
        let any = any.map_or(&*start, contents::<T>);
        Box::new(T::after_rounds(&start, any, after.map_or(any, contents::<T>), counter, count))
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
#[inline]
pub fn speculating() -> bool {
    EPOCH.get() != 0
}

/// Which branch is under way: 0 where none is.
pub fn branch() -> u64 {
    EPOCH.get()
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
        // Of several notes of this branch the first has what was there before it; of those of the other the first of its list,
        // which was taken back first, has what was left at the end.
        let mut theirs = FxHashMap::default();
        for (object, left) in &other.changed {
            theirs.entry(object.address()).or_insert(left);
        }
        let mut touched = FxHashSet::default();
        let mine = ENTRIES.with_borrow_mut(|entries| entries.split_off(self.start));
        let mine: Vec<Entry> = mine.into_iter().filter(|entry| touched.insert(entry.object.address())).collect();
        for entry in &mine {
            match theirs.get(&entry.object.address()) {
                Some(left) => entry.object.join_with(left.as_ref()),
                None => entry.object.join_with(entry.old.as_ref()),
            }
        }
        ENTRIES.with_borrow_mut(|entries| entries.extend(mine));
        // Objects that only the other changed: the outer branch has to note them before they are joined.
        let outer = self.outer_epoch;
        self.keep();
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

/// What two rounds of a loop, taken back, have changed.
pub struct Trial {
    objects: Vec<Tried>,
}

struct Tried {
    object: Rc<dyn Journaled>,
    /// What was in it after the first and the second round, where that round has changed it.
    left: [Option<Box<dyn Any>>; 2],
    /// Whether what any round finds in it did not hold.
    failed: bool,
}

impl Outcome {
    /// What the branch left in an object, if it has changed it.
    fn of(&self, object: &Rc<dyn Journaled>) -> Option<&dyn Any> {
        let address = object.address();
        // The note that was taken first has what was left at the end.
        let (_, left) = self.changed.iter().find(|(other, _)| other.address() == address)?;
        Some(left.as_ref())
    }
    fn into_objects(self) -> Vec<(Rc<dyn Journaled>, Box<dyn Any>)> {
        let mut seen = FxHashSet::default();
        self.changed.into_iter().filter(|(object, _)| seen.insert(object.address())).collect()
    }
}

impl Trial {
    /// Of what the first and the second round had left.
    pub fn new(first: Outcome, second: Outcome) -> Trial {
        let tried = |object, left| Tried { object, left, failed: false };
        let mut objects: Vec<Tried> =
            first.into_objects().into_iter().map(|(object, left)| tried(object, [Some(left), None])).collect();
        for (object, left) in second.into_objects() {
            match objects.iter_mut().find(|tried| tried.object.address() == object.address()) {
                Some(tried) => tried.left[1] = Some(left),
                None => objects.push(tried(object, [None, Some(left)])),
            }
        }
        Trial { objects }
    }
    /// Starts a branch in which everything is as any round finds it.
    pub fn enter(&self, counter: &Counter) -> Branch {
        let branch = Branch::start();
        for Tried { object, left: [first, second], failed } in &self.objects {
            let found = object.any_round([first.as_deref(), second.as_deref()], counter, *failed);
            object.clone().put(found);
        }
        branch
    }
    /// Whether a round has left everything as the next round was said to find it; what it has not is only joined from now on.
    pub fn goes_on(&mut self, round: &Outcome, counter: &Counter) -> bool {
        let mut all = true;
        for tried in self.objects.iter_mut().filter(|tried| !tried.failed) {
            tried.failed = !tried.object.goes_on(round.of(&tried.object), counter);
            all &= !tried.failed;
        }
        all
    }
    /// Leaves what so many rounds leave, where any round finds `any` and leaves `after`.
    pub fn leave(any: Outcome, after: Outcome, counter: &Counter, count: i64) {
        note_class_change();
        let changed = |any: Option<&dyn Any>, after: Option<&dyn Any>, object: Rc<dyn Journaled>| {
            let left = object.after_rounds([any, after], counter, count);
            object.put(left);
        };
        let any = any.into_objects();
        for (object, any) in &any {
            changed(Some(any.as_ref()), after.of(object), object.clone());
        }
        let seen: FxHashSet<usize> = any.iter().map(|(object, _)| object.address()).collect();
        for (object, after) in after.into_objects() {
            if !seen.contains(&object.address()) {
                changed(None, Some(after.as_ref()), object);
            }
        }
    }
}

/// Forgets every branch: called at the start of a run.
pub fn reset() {
    EPOCH.set(0);
    ENTRIES.with_borrow_mut(Vec::clear);
}
