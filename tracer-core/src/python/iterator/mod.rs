//! Iterators: over containers, those of native functions, and generators.

pub(super) mod quick;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::columns::Columns;
use super::container::{List, forgotten, guess_of, join_values};
use super::halt::{Halt, Step, Why};
use super::journal;
use super::live::Live;
use super::tuples::Tuples;
use super::value::{Guess, Value};
pub use super::walking::Pairs;
use super::walking::{next_of_all, next_pair};
use crate::interp::{Generator, Given, Interp};

/// The next item of a native iterator; `None` at its end.
pub type NextFn = Box<dyn FnMut(&Rc<Interp>) -> Step<Option<Value>>>;

/// Items that an iterator looks at once its position is lost, to learn of which kind they are.
const LOOK_AHEAD: usize = 4;
/// Items that it gives from then on.
const GIVEN: u16 = 400;
/// So many items of a long sequence are looked at to learn whether they are of one kind.
const LONGEST_LOOKED_AT: usize = 4096;

thread_local! {
    static LOOKING_AHEAD: Cell<bool> = const { Cell::new(false) };
}

/// An iterator.
pub struct Iter {
    /// `type(it).__name__`
    pub name: &'static str,
    kind: RefCell<IterKind>,
    /// The generator, where it is one that does not run just now.
    generator: Cell<Option<Box<Generator>>>,
    /// The branch in which it was made, or that it belongs to: see [`journal::branch`].
    of_branch: Cell<u64>,
    /// The age in which it was made.
    born: u32,
    /// Items left, where that is known without running anything.
    remaining: Cell<Option<usize>>,
    result: RefCell<Value>,
    /// The item given last: what comes is taken to be of its kind once the position is lost.
    last: RefCell<Value>,
}

/// What an iterator walks.
pub enum IterKind {
    /// A list, live.
    List(List, usize),
    /// A dict, its views or a set, or a list from behind, live.
    Live(Box<Live>),
    /// Items that do not change.
    Items(Rc<[Value]>, usize),
    /// A range: next item, step, items left.
    Range(i64, i64, i64),
    /// Iterators side by side, as `zip` walks them.
    Zip(Box<[Value]>),
    /// Containers side by side, which nobody else walks.
    Columns(Box<Columns>),
    /// An iterator with the number of its next item, as `enumerate` walks it.
    Enumerate(Value, i64),
    /// Each item of an iterator with the one behind it, as `pairwise` walks it.
    Pairs(Box<Pairs>),
    /// Tuples of items that stand still.
    Tuples(Box<Tuples>),
    /// A function of ours.
    Native(NextFn),
    /// A generator: it stands beside, or runs.
    Generator,
    /// Not known what comes.
    Unknown(Why),
    /// Not known how many and with which numbers, but items of this kind; so many more are given on demand.
    Sample(Value, Why, u16),
    /// These items, of which any may be one too many: what else is walked with them is not known.
    Open(Rc<[Value]>, Why),
    /// At its end.
    Done,
    /// A function of ours that runs.
    Busy,
}

/// How an iterator put its next item into a slot.
pub enum Put {
    /// It did.
    Done,
    /// There is none.
    Over,
    /// A generator has to run for it, taken out: [`Iter::resumed`] puts it back.
    Generator(Box<Generator>),
    /// A function of ours, or other iterators, have to run for it: [`Iter::next`] asks them.
    Driven,
    /// It is not at hand.
    Away,
}

impl Iter {
    /// An iterator of this kind.
    pub fn new(name: &'static str, kind: IterKind) -> Rc<Iter> {
        Rc::new(Iter {
            name,
            kind: RefCell::new(kind),
            generator: Cell::new(None),
            of_branch: Cell::new(journal::branch()),
            born: journal::age(),
            remaining: Cell::new(None),
            result: RefCell::new(Value::None),
            last: RefCell::new(Value::Unbound),
        })
    }
    /// The iterator of a generator.
    pub fn generator(generator: Generator) -> Rc<Iter> {
        let iter = Iter::new("generator", IterKind::Generator);
        iter.generator.set(Some(Box::new(generator)));
        iter
    }
    /// An iterator that a function of ours drives.
    pub fn native(name: &'static str, next: impl FnMut(&Rc<Interp>) -> Step<Option<Value>> + 'static) -> Value {
        Value::Iter(Iter::new(name, IterKind::Native(Box::new(next))))
    }
    /// Each item of an iterator with the one behind it.
    pub fn pairs(items: Value) -> Value {
        let pairs = Pairs { items, last: [Value::Unbound, Value::Unbound] };
        Value::Iter(Iter::new("pairwise", IterKind::Pairs(Box::new(pairs))))
    }
    /// An iterator over tuples of items that stand still.
    pub fn tuples(name: &'static str, tuples: Tuples) -> Value {
        Value::Iter(Iter::new(name, IterKind::Tuples(Box::new(tuples))))
    }
    /// An iterator over items.
    pub fn items(name: &'static str, items: impl Into<Rc<[Value]>>) -> Value {
        Value::Iter(Iter::new(name, IterKind::Items(items.into(), 0)))
    }
    /// An iterator over something that may change meanwhile.
    pub fn live(name: &'static str, live: Live) -> Value {
        Value::Iter(Iter::new(name, IterKind::Live(Box::new(live))))
    }
    /// Whether the branch that is under way began after it was made: its position would have to be taken back.
    fn is_older_than_branch(&self) -> bool {
        self.of_branch.get() < journal::branch()
    }
    /// Whether others hold it beside the one who asks.
    fn is_shared(self: &Rc<Self>) -> bool {
        Rc::strong_count(self) > 1
    }
    /// Whoever asks alone holds it, and goes on with it in this branch only: its position is not lost in it.
    pub fn goes_on_here(self: &Rc<Self>) {
        if !self.is_shared() {
            self.of_branch.set(journal::branch());
        }
    }
    /// The age in which it was made: see [`journal::grow_older`].
    pub fn born(&self) -> u32 {
        self.born
    }
    /// Whether it is a generator.
    pub fn is_generator(&self) -> bool {
        self.name == "generator"
    }
    /// Why the items are not known, if they are not.
    pub fn why_unknown(&self) -> Option<Why> {
        match &*self.kind.borrow() {
            IterKind::Unknown(why) => Some(why.clone()),
            _ => None,
        }
    }
    /// The number of items left, if known without running anything.
    pub fn remaining(&self) -> Option<usize> {
        match &*self.kind.borrow() {
            IterKind::List(list, at) => Some(list.read().len().saturating_sub(*at)),
            IterKind::Live(live) => Some(live.remaining()),
            IterKind::Items(items, at) => Some(items.len().saturating_sub(*at)),
            IterKind::Range(_, _, left) => Some(*left as usize),
            IterKind::Done => Some(0),
            IterKind::Enumerate(inner, _) => remaining(inner),
            IterKind::Columns(columns) => columns.remaining(),
            IterKind::Zip(inner) => {
                inner.iter().map(remaining).try_fold(usize::MAX, |least, left| Some(least.min(left?)))
            }
            _ => self.remaining.get(),
        }
    }

    /// What is made of what it walks, unless it runs just now.
    pub fn with_kind<T>(&self, make: impl FnOnce(&IterKind) -> Option<T>) -> Option<T> {
        make(&*self.kind.try_borrow().ok()?)
    }

    /// What holds of the generator, where it is one that does not run just now.
    pub fn with_waiting(&self, holds: impl FnOnce(&Generator) -> bool) -> bool {
        let generator = self.generator.take();
        let found = generator.as_deref().is_some_and(holds);
        self.generator.set(generator);
        found
    }

    /// Side by side, as `zip` walks them.
    pub fn zip(iterators: Vec<Value>) -> Value {
        let kind = match Columns::of(&iterators) {
            Some(columns) => IterKind::Columns(Box::new(columns)),
            None => IterKind::Zip(iterators.into()),
        };
        Value::Iter(Iter::new("zip", kind))
    }

    /// The items of an iterator with their numbers, as `enumerate` walks it.
    pub fn enumerate(iterator: Value, first: i64) -> Value {
        let kind = match Columns::numbered(&iterator, first) {
            Some(columns) => IterKind::Columns(Box::new(columns)),
            None => IterKind::Enumerate(iterator, first),
        };
        Value::Iter(Iter::new("enumerate", kind))
    }

    /// Of a range: the next item, the step, and how many items are left.
    pub fn range_left(&self) -> Option<(i64, i64, i64)> {
        match &*self.kind.borrow() {
            IterKind::Range(next, step, left) => Some((*next, *step, *left)),
            _ => None,
        }
    }

    /// Of a range: sets the next item, and how many items are left.
    pub fn set_range(&self, item: i64, items: i64) {
        if let IterKind::Range(next, _, left) = &mut *self.kind.borrow_mut() {
            (*next, *left) = (item, items);
        }
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// What the iterator raises; unknown when what comes is not known.
    pub fn next(self: &Rc<Self>, it: &Rc<Interp>) -> Step<Option<Value>> {
        if journal::speculating() && self.is_older_than_branch() && (!LOOKING_AHEAD.get() || self.is_shared()) {
            self.lose_position(it)?;
        }
        let mut kind = self.kind.borrow_mut();
        match &mut *kind {
            IterKind::Range(_, _, 0) => return Ok(None),
            IterKind::Range(next, step, left) => {
                *left -= 1;
                let item = *next;
                *next = item.wrapping_add(*step);
                return Ok(Some(Value::Int(item)));
            }
            IterKind::Generator => {
                drop(kind);
                return self.go_on(it);
            }
            IterKind::Native(_) | IterKind::Zip(_) | IterKind::Enumerate(..) | IterKind::Pairs(_) => {
                let taken = std::mem::replace(&mut *kind, IterKind::Busy);
                drop(kind);
                return self.driven(it, taken);
            }
            _ => drop(kind),
        }
        self.step(it)
    }

    /// Resumes the generator, which does not run.
    fn go_on(&self, it: &Rc<Interp>) -> Step<Option<Value>> {
        match self.generator.take() {
            Some(generator) => self.resumed(it, generator),
            None => Err(Halt::value_error("generator already executing")),
        }
    }

    /// The next item of a generator that was taken out meanwhile, and is put back.
    ///
    /// # Errors
    /// What its body raises.
    pub fn resumed(&self, it: &Rc<Interp>, generator: Box<Generator>) -> Step<Option<Value>> {
        let mut item = Value::Unbound;
        Ok(self.resumed_into(it, generator, &mut item).step()?.then_some(item))
    }

    /// As [`Iter::resumed`]: the item goes into a slot.
    #[inline(always)]
    pub fn resumed_into(&self, it: &Rc<Interp>, mut generator: Box<Generator>, slot: &mut Value) -> Given {
        match generator.put_next(it, slot) {
            Given::Item if !generator.is_lost() => {
                self.generator.set(Some(generator));
                self.last.borrow_mut().copy_from(slot);
                Given::Item
            }
            given => self.ended_into(generator, given, slot),
        }
    }

    #[inline(never)]
    fn ended_into(&self, generator: Box<Generator>, given: Given, slot: &mut Value) -> Given {
        let result = given.step().map(|given| given.then(|| std::mem::replace(slot, Value::Unbound)));
        match self.ended(generator, result) {
            Ok(Some(item)) => {
                *slot = item;
                Given::Item
            }
            Ok(None) => Given::Over,
            Err(halt) => Given::Failed(Box::new(halt)),
        }
    }

    /// Puts back what was taken out.
    #[inline]
    fn put_back(&self, kind: IterKind) {
        let busy = std::mem::replace(&mut *self.kind.borrow_mut(), kind);
        debug_assert!(matches!(busy, IterKind::Busy));
        // There is nothing in it.
        std::mem::forget(busy);
    }

    /// A generator ended, or cannot say any more what it gives.
    #[inline(never)]
    fn ended(&self, generator: Box<Generator>, result: Step<Option<Value>>) -> Step<Option<Value>> {
        let sample = generator.take_lost();
        if let Some(sample) = sample {
            let why = Why("a generator that yields on an unknown condition".into());
            *self.kind.borrow_mut() = IterKind::Sample(sample.clone(), why, GIVEN);
            return match result {
                Err(Halt::Stop(stop)) => Err(Halt::Stop(stop)),
                _ => Ok(Some(sample)),
            };
        }
        if let Ok(None) = &result {
            *self.result.borrow_mut() = generator.returned.clone();
        }
        match &result {
            Ok(Some(_)) => self.generator.set(Some(generator)),
            Ok(None) | Err(Halt::Raise(_) | Halt::Stop(_)) => *self.kind.borrow_mut() = IterKind::Done,
            Err(Halt::Unknown(why)) => *self.kind.borrow_mut() = IterKind::Unknown(why.clone()),
        }
        if let Ok(Some(item)) = &result {
            self.last.borrow_mut().copy_from(item);
        }
        result
    }

    /// The next item of a function of ours, or of other iterators, that was taken out meanwhile.
    fn driven(&self, it: &Rc<Interp>, mut taken: IterKind) -> Step<Option<Value>> {
        let result = match &mut taken {
            IterKind::Native(next) => next(it),
            IterKind::Zip(inner) => next_of_all(it, inner),
            IterKind::Enumerate(inner, at) => it.next(inner).map(|item| {
                item.map(|item| {
                    *at += 1;
                    Value::tuple([Value::Int(*at - 1), item])
                })
            }),
            IterKind::Pairs(pairs) => next_pair(it, pairs),
            _ => return Ok(None),
        };
        if let Some(left) = self.remaining.get() {
            self.remaining.set(Some(left.saturating_sub(1)));
        }
        let done = matches!(result, Ok(None) | Err(Halt::Raise(_) | Halt::Stop(_)));
        self.put_back(if done { IterKind::Done } else { taken });
        if let Ok(Some(item)) = &result {
            self.last.borrow_mut().copy_from(item);
        }
        result
    }

    /// These items, of which any may be one too many.
    pub fn open(name: &'static str, items: Vec<Value>, why: Why) -> Value {
        Value::Iter(Iter::new(name, IterKind::Open(items.into(), why)))
    }

    /// Any number of items of this kind.
    pub fn of_kind(name: &'static str, item: Value, why: Why) -> Value {
        Value::Iter(Iter::new(name, IterKind::Sample(item, why, 0)))
    }

    /// The items of an iterator any of which may be one too many.
    pub fn open_items(&self) -> Option<(Rc<[Value]>, Why)> {
        match &*self.kind.borrow() {
            IterKind::Open(items, why) => Some((items.clone(), why.clone())),
            _ => None,
        }
    }

    /// The items left, where nothing has to run for them; all have the kind of the last one where they are more than so many.
    pub fn plain_items(self: &Rc<Self>, it: &Rc<Interp>, most: usize, why: &Why) -> Option<Result<Vec<Value>, Value>> {
        if !self.is_quick() {
            return None;
        }
        let mut items = Vec::new();
        while items.len() <= most {
            match self.next(it).ok()? {
                Some(item) => items.push(item),
                None => return Some(Ok(items)),
            }
        }
        let mut kind = items.iter().map(|item| forgotten(item, why)).reduce(|a, b| join_values(&a, &b))?;
        for _ in 0..LONGEST_LOOKED_AT {
            match self.next(it).ok()? {
                Some(item) => kind = join_values(&kind, &forgotten(&item, why)),
                None => return Some(Err(kind)),
            }
            if kind.is_unknown() && guess_of(&kind) != Guess::Any {
                return Some(Err(kind));
            }
        }
        Some(Err(Value::unknown(why.0.clone())))
    }

    /// What an iterator whose position is lost gives.
    pub fn sample(&self) -> Option<(Value, Why)> {
        match &*self.kind.borrow() {
            IterKind::Sample(item, why, _) => Some((item.clone(), why.clone())),
            IterKind::Open(items, why) => {
                let any = items.iter().map(|item| forgotten(item, why)).reduce(|a, b| join_values(&a, &b));
                Some((any.unwrap_or_else(|| Value::unknown(why.0.clone())), why.clone()))
            }
            _ => None,
        }
    }

    /// The position cannot be taken back: from now on it gives items of the kind of those that were left.
    ///
    /// # Errors
    /// What ends the whole run.
    pub fn lose_position(&self, it: &Rc<Interp>) -> Step<()> {
        let nothing_ahead = match &*self.kind.borrow() {
            IterKind::Unknown(_) | IterKind::Sample(..) | IterKind::Open(..) | IterKind::Done | IterKind::Busy => true,
            IterKind::Generator => !self.with_waiting(|_| true),
            _ => false,
        };
        if nothing_ahead {
            return Ok(());
        }
        let why = Why("advanced on one of two branches".into());
        // What runs from here on is left behind with this iterator, but for iterators that others hold as well.
        LOOKING_AHEAD.set(true);
        let found = self.look_ahead(it, &why);
        LOOKING_AHEAD.set(false);
        drop(self.generator.take());
        *self.kind.borrow_mut() = match found? {
            Some(item) => IterKind::Sample(item, why, GIVEN),
            None => IterKind::Unknown(why),
        };
        Ok(())
    }

    fn look_ahead(&self, it: &Rc<Interp>, why: &Why) -> Step<Option<Value>> {
        let mut sample = match &*self.last.borrow() {
            Value::Unbound => None,
            item => Some(forgotten(item, why)),
        };
        for _ in 0..LOOK_AHEAD {
            match self.step(it) {
                Ok(Some(item)) => {
                    let item = forgotten(&item, why);
                    sample = Some(sample.map_or_else(|| item.clone(), |before| join_values(&before, &item)));
                }
                Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
                Ok(None) | Err(_) => break,
            }
        }
        Ok(sample)
    }

    fn step(&self, it: &Rc<Interp>) -> Step<Option<Value>> {
        let mut kind = self.kind.borrow_mut();
        match &mut *kind {
            IterKind::List(list, at) => {
                let contents = list.contents();
                if let Some(why) = &contents.vague {
                    return Err(Halt::Unknown(why.clone()));
                }
                let item = contents.items.get(*at).cloned();
                drop(contents);
                *at += 1;
                if item.is_none() {
                    *kind = IterKind::Done;
                }
                Ok(item)
            }
            IterKind::Items(items, at) => {
                let item = items.get(*at).cloned();
                *at += 1;
                Ok(item)
            }
            IterKind::Live(live) => {
                let next = live.next(it);
                if let Ok(None) = next {
                    *kind = IterKind::Done;
                }
                next
            }
            IterKind::Range(next, step, left) => {
                if *left == 0 {
                    return Ok(None);
                }
                *left -= 1;
                let item = *next;
                *next = item.wrapping_add(*step);
                Ok(Some(Value::Int(item)))
            }
            IterKind::Unknown(why) | IterKind::Open(_, why) => Err(Halt::Unknown(why.clone())),
            IterKind::Sample(_, why, 0) => Err(Halt::Unknown(why.clone())),
            IterKind::Sample(item, _, left) => {
                *left -= 1;
                Ok(Some(item.clone()))
            }
            IterKind::Done => Ok(None),
            IterKind::Busy => Err(Halt::value_error("generator already executing")),
            IterKind::Generator => {
                drop(kind);
                self.go_on(it)
            }
            IterKind::Tuples(tuples) => Ok(tuples.advance().then(|| tuples.tuple())),
            IterKind::Columns(columns) => {
                let row = columns.row();
                match row {
                    Some(Some(row)) => return Ok(Some(row)),
                    Some(None) => *kind = IterKind::Done,
                    // Each of them says what becomes of its items.
                    None => *kind = IterKind::Zip(columns.iterators()),
                }
                drop(kind);
                self.step(it)
            }
            IterKind::Native(_) | IterKind::Zip(_) | IterKind::Enumerate(..) | IterKind::Pairs(_) => {
                let taken = std::mem::replace(&mut *kind, IterKind::Busy);
                drop(kind);
                self.driven(it, taken)
            }
        }
    }

    /// Runs a generator with something sent or thrown in: see [`Generator`].
    ///
    /// # Errors
    /// What the generator raises.
    pub fn with_generator<T>(
        &self,
        run: impl FnOnce(&mut Generator) -> Step<T>,
        ended: impl FnOnce() -> Step<T>,
    ) -> Step<T> {
        let Some(mut generator) = self.generator.take() else { return ended() };
        let result = run(&mut generator);
        if generator.is_over() {
            *self.result.borrow_mut() = generator.returned.clone();
            *self.kind.borrow_mut() = IterKind::Done;
        } else {
            self.generator.set(Some(generator));
        }
        result
    }
}

/// How many items are left of an iterator, where that is known without running anything.
fn remaining(iterator: &Value) -> Option<usize> {
    match iterator {
        Value::Iter(iter) => iter.remaining(),
        _ => None,
    }
}

impl Iter {
    /// What an ended generator returned.
    pub fn with_result(&self) -> Value {
        self.result.borrow().clone()
    }
    /// Notes how many items are left.
    pub fn set_remaining(&self, items: usize) {
        self.remaining.set(Some(items));
    }
}
