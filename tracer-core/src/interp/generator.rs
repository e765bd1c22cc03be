//! Generators: a run that rests at each `yield` ([`super::resting`]), or else one on a stack of its own, switched to and
//! from there.

use std::rc::Rc;

use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};

use super::function::{Lost, Run, is_lost};
use super::resting::Activation;
use super::{Interp, RECURSION_LIMIT};
use crate::python::container::forgotten;
use crate::python::halt::{Exception, Halt, Raised, Step, Why};
use crate::python::{Args, Function, Iter, Value};

/// What a resumed generator gets that is not just asked for its next item.
pub enum Sent {
    /// `send(value)`
    Value(Value),
    /// `throw(exception)`
    Throw(Box<Exception>),
}

/// What came of asking a generator for its next item. It fits into machine registers: a result that stands in memory is waited
/// for, once for every item.
pub enum Given {
    /// The item is where it was asked for.
    Item,
    /// There is none.
    Over,
    /// The body failed.
    Failed(Box<Halt>),
}

impl Given {
    /// Whether there is an item.
    ///
    /// # Errors
    /// What the body raised.
    pub fn step(self) -> Step<bool> {
        match self {
            Given::Item => Ok(true),
            Given::Over => Ok(false),
            Given::Failed(halt) => Err(*halt),
        }
    }
}

/// How a body ended; `None` where it rests and has given an item.
pub type End = Option<Box<Step<Value>>>;

/// Where a running generator yields to; what it is resumed with, where that is not `next`, waits in [`Interp::sent`].
pub type Channel<'a> = Yielder<(), Value>;

/// A generator that has started or will.
pub struct Generator {
    body: Body,
    started: bool,
    /// How many `try` and `with` of its body are around where it rests: what happens elsewhere meanwhile is none of theirs.
    caught: u32,
    /// The exceptions that its body is handling where it rests.
    #[allow(clippy::vec_box, reason = "they are moved from the interpreter and back")]
    handled: Vec<Box<Exception>>,
    /// What it returned, for `yield from`.
    pub returned: Value,
    /// What stands for its items once it has yielded in a branch on an unknown condition.
    lost: Option<Lost>,
}

/// What is left to run of a generator.
enum Body {
    /// An activation that rests.
    Rests(Activation),
    /// One on a stack of its own, the lowest address of that, and its function.
    Waits(Coroutine<(), Value, Step<Value>, DefaultStack>, usize, Rc<Function>),
    /// Nothing.
    Over,
}

/// Native stack of a generator; only touched pages cost memory.
const STACK: usize = 512 * 1024;

/// Makes the generator of a call.
pub fn start(it: &Rc<Interp>, function: &Rc<Function>, mut args: Args) -> Step<Value> {
    let (body, lost) = match Activation::of_call(it, function, &mut args)? {
        Some(activation) => (Body::Rests(activation), None),
        None => {
            let lost = Lost::default();
            (on_stack(it, function, args, &lost)?, Some(lost))
        }
    };
    let generator = Generator { body, started: false, caught: 0, handled: Vec::new(), returned: Value::None, lost };
    Ok(Value::Iter(Iter::generator(generator)))
}

/// The run of a call on a stack of its own.
fn on_stack(it: &Rc<Interp>, function: &Rc<Function>, args: Args, lost: &Lost) -> Step<Body> {
    let stack = match it.spare_stacks.borrow_mut().pop() {
        Some(stack) => stack,
        None => DefaultStack::new(STACK).map_err(|_| Halt::unknown("no stack for another generator"))?,
    };
    // Arguments are bound now: a wrong call fails here, not at the first item.
    let function = function.clone();
    let body = function.clone();
    let frame = {
        let (unit, id) = function.body();
        let mut run = Run::new(it, &function.module, unit, unit.module.code(id), &function.captured);
        run.bind(&function, args)?;
        run.frame
    };
    let limit = stack.limit().get();
    let owner = it.clone();
    let shared = lost.clone();
    let coroutine = Coroutine::with_stack(stack, move |channel: &Channel<'_>, ()| {
        let (unit, id) = function.body();
        let mut run = Run::with_locals(&owner, &function.module, unit, unit.module.code(id), &function.captured, frame);
        run.function = Some(&function);
        run.body_id = Some(id);
        run.channel = Some(channel);
        run.lost = Some(shared);
        match owner.sent.take().map(|sent| *sent) {
            Some(Sent::Throw(exception)) => Err(Halt::Raise(exception)),
            _ if run.user => run.enter(&function).and_then(|()| run.body()),
            _ => run.body(),
        }
    });
    Ok(Body::Waits(coroutine, limit, body))
}

impl Generator {
    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.body, Body::Over)
    }
    /// The function whose body it runs, and what a generator expression that rests has its items from; `None` at its end.
    pub fn made_of(&self) -> Option<(Rc<Function>, Option<Value>)> {
        match &self.body {
            Body::Rests(activation) => Some(activation.made_of()),
            Body::Waits(_, _, function) => Some((function.clone(), None)),
            Body::Over => None,
        }
    }
    /// Whether it has run at all.
    pub fn started(&self) -> bool {
        self.started
    }

    /// Resumes with a value; `None` at its end ([`Generator::returned`] then has its result).
    ///
    /// # Errors
    /// What the body raises.
    pub fn send(&mut self, it: &Rc<Interp>, value: Value) -> Step<Option<Value>> {
        self.resume(it, (!matches!(value, Value::None)).then(|| Sent::Value(value)))
    }

    /// Resumes by raising an exception where it waits.
    ///
    /// # Errors
    /// What the body raises, or the exception itself.
    pub fn throw(&mut self, it: &Rc<Interp>, exception: Box<Exception>) -> Step<Option<Value>> {
        self.resume(it, Some(Sent::Throw(exception)))
    }

    /// Ends without having run.
    pub fn give_up(&mut self) {
        self.body = Body::Over;
    }

    fn resume(&mut self, it: &Rc<Interp>, sent: Option<Sent>) -> Step<Option<Value>> {
        if !self.is_over() {
            it.sent.set(sent.map(Box::new));
        }
        self.go_on(it)
    }

    /// Runs to the next item: [`Generator::send`] of `None`.
    ///
    /// # Errors
    /// What the body raises.
    pub fn go_on(&mut self, it: &Rc<Interp>) -> Step<Option<Value>> {
        let mut item = Value::Unbound;
        Ok(self.put_next(it, &mut item).step()?.then_some(item))
    }

    /// Runs to the next item and puts it into a slot.
    #[inline(always)]
    pub fn put_next(&mut self, it: &Rc<Interp>, slot: &mut Value) -> Given {
        if self.is_over() {
            return Given::Over;
        }
        let depth = it.depth.get();
        if depth >= RECURSION_LIMIT {
            return too_deep(it);
        }
        it.depth.set(depth + 1);
        let started = std::mem::replace(&mut self.started, true);
        let catching = it.catching.get();
        let handled = it.handled.borrow().len();
        it.catching.set(catching + self.caught);
        if !self.handled.is_empty() {
            it.handled.borrow_mut().append(&mut self.handled);
        }
        let end = match &mut self.body {
            Body::Rests(activation) => match it.is_stack_low() {
                false => activation.put_next(started, slot),
                true => go_on_elsewhere(it, activation, started, slot),
            },
            Body::Waits(coroutine, limit, _) => {
                let outer_limit = it.stack_limit.replace(*limit);
                let result = coroutine.resume(());
                it.stack_limit.set(outer_limit);
                match result {
                    CoroutineResult::Yield(item) => {
                        Value::put(slot, item);
                        None
                    }
                    CoroutineResult::Return(result) => Some(Box::new(result)),
                }
            }
            Body::Over => Some(Box::new(Ok(Value::None))),
        };
        it.depth.set(depth);
        self.caught = it.catching.replace(catching).saturating_sub(catching);
        if it.handled.borrow().len() > handled {
            self.handled = it.handled.borrow_mut().split_off(handled);
        }
        match end {
            None => Given::Item,
            Some(end) => self.end(it, *end),
        }
    }

    /// Whether it has yielded in a branch on an unknown condition.
    #[inline(always)]
    pub fn is_lost(&self) -> bool {
        match &self.body {
            Body::Rests(activation) => activation.is_lost(),
            _ => is_lost(&self.lost),
        }
    }

    /// Takes out what stands for its items, once it has yielded in a branch on an unknown condition.
    pub fn take_lost(&self) -> Option<Value> {
        match &self.body {
            Body::Rests(activation) => activation.take_lost(),
            _ => self.lost.as_ref()?.take(),
        }
    }

    #[inline(never)]
    fn end(&mut self, it: &Rc<Interp>, result: Step<Value>) -> Given {
        match std::mem::replace(&mut self.body, Body::Over) {
            Body::Rests(mut activation) => {
                let left = activation.take_iterator();
                self.lost = activation.recycle();
                if let (Err(Halt::Unknown(why)), Some((function, iterator))) = (&result, left)
                    && let Err(stop) = rest_of(it, &function, iterator, why)
                {
                    return Given::Failed(Box::new(stop));
                }
            }
            Body::Waits(coroutine, ..) => {
                let mut spare = it.spare_stacks.borrow_mut();
                if spare.len() < 64 {
                    spare.push(coroutine.into_stack());
                }
            }
            Body::Over => {}
        }
        match result {
            Ok(returned) => {
                self.returned = returned;
                Given::Over
            }
            Err(halt) => Given::Failed(Box::new(stopped_within(it, halt))),
        }
    }
}

/// Goes perhaps on with a generator expression whose next element is not known.
#[cold]
fn rest_of(it: &Rc<Interp>, function: &Function, iterator: Value, why: &Why) -> Step<()> {
    let (unit, id) = function.body();
    let mut run = Run::new(it, &function.module, unit, unit.module.code(id), &function.captured);
    let result = it.with_stack(|| run.rest_of_generator(iterator, why));
    run.recycle();
    result
}

#[cold]
#[inline(never)]
fn go_on_elsewhere(it: &Interp, activation: &mut Activation, started: bool, slot: &mut Value) -> End {
    it.with_stack(|| activation.put_next(started, slot))
}

#[cold]
#[inline(never)]
fn too_deep(it: &Interp) -> Given {
    it.sent.set(None);
    Given::Failed(Box::new(Halt::raise("RecursionError", "maximum recursion depth exceeded")))
}

/// `StopIteration` out of a generator's body would look like its end: Python makes another exception of it.
pub(super) fn stopped_within(it: &Rc<Interp>, halt: Halt) -> Halt {
    match halt {
        Halt::Raise(mut exception) if it.is_exception(&exception, "StopIteration") => {
            exception.what = Raised::Native(sym!("RuntimeError"), "generator raised StopIteration".into());
            Halt::Raise(exception)
        }
        halt => halt,
    }
}

/// What a `yield` gives that something was sent to.
#[cold]
#[inline(never)]
pub(super) fn received(sent: Sent) -> Step<Value> {
    match sent {
        Sent::Value(value) => Ok(value),
        Sent::Throw(exception) => Err(Halt::Raise(exception)),
    }
}

impl Run<'_> {
    /// `yield value`
    #[inline]
    pub fn yield_value(&mut self, value: Value) -> Step<Value> {
        match self.suspend(value) {
            Ok(None) => Ok(Value::None),
            Ok(Some(sent)) => received(*sent),
            Err(value) => self.yield_oddly(value),
        }
    }

    /// Hands an item on and rests: what it goes on with, where that is not just the next item. The item comes back where it
    /// can't be handed on.
    #[inline(always)]
    pub(super) fn suspend(&mut self, value: Value) -> Result<Option<Box<Sent>>, Value> {
        let Some(channel) = self.channel else { return Err(value) };
        if self.branches > 0 || self.is_lost() {
            return Err(value);
        }
        let it = self.it;
        self.yields += 1;
        let limit = it.stack_limit.get();
        channel.suspend(value);
        it.stack_limit.set(limit);
        Ok(it.sent.take())
    }

    #[cold]
    #[inline(never)]
    fn yield_oddly(&mut self, value: Value) -> Step<Value> {
        if !self.is_generators() {
            return Err(Halt::unknown("a `yield` outside a generator"));
        }
        self.yields += 1;
        self.keep_by_kind(&value);
        Ok(Value::None)
    }

    /// In a branch that will be taken back nothing may run but this generator: it goes on to its end, and what it would have
    /// given is kept by kind.
    #[cold]
    #[inline(never)]
    fn keep_by_kind(&mut self, value: &Value) {
        let lost = self.lost.get_or_insert_default();
        let why = crate::python::Why("a generator that yields on an unknown condition".into());
        let item = forgotten(value, &why);
        lost.add(item);
    }

    /// `yield from iterable`: what is sent and thrown goes on to the iterator.
    ///
    /// # Errors
    /// What the iterator raises.
    pub fn yield_from(&mut self, iterable: &Value) -> Step<Value> {
        let it = self.it;
        let iterator = it.iterate(iterable)?;
        let mut given = it.advance(&iterator, None)?;
        loop {
            let item = match given {
                Ok(item) => item,
                Err(result) => return Ok(result),
            };
            it.spend()?;
            let sent = match self.suspend(item) {
                Ok(sent) => sent,
                Err(item) => {
                    self.yield_oddly(item)?;
                    None
                }
            };
            given = it.advance(&iterator, sent.map(|sent| *sent))?;
        }
    }
}

impl Interp {
    /// The next item of an iterator that something may be sent or thrown to, or what it ends with.
    pub(super) fn advance(self: &Rc<Self>, iterator: &Value, sent: Option<Sent>) -> Step<Result<Value, Value>> {
        let Value::Iter(iter) = iterator else { return self.advance_object(iterator, sent) };
        let item = match sent {
            None => iter.next(self)?,
            Some(Sent::Throw(exception)) if iter.is_generator() => {
                let again = exception.clone();
                iter.with_generator(|g| g.throw(self, exception), || Err(Halt::Raise(again)))?
            }
            Some(Sent::Throw(exception)) => return Err(Halt::Raise(exception)),
            Some(Sent::Value(value)) if iter.is_generator() => {
                iter.with_generator(|g| g.send(self, value), || Ok(None))?
            }
            Some(Sent::Value(_)) => {
                let class = self.type_name(iterator);
                return Err(Halt::raise("AttributeError", format!("'{class}' object has no attribute 'send'")));
            }
        };
        Ok(item.ok_or_else(|| self.generator_result(iter)))
    }

    /// [`Interp::advance`] of an object of the program's.
    fn advance_object(self: &Rc<Self>, iterator: &Value, sent: Option<Sent>) -> Step<Result<Value, Value>> {
        let (name, argument) = match sent {
            None => (sym!("__next__"), None),
            Some(Sent::Value(value)) => (sym!("send"), Some(value)),
            Some(Sent::Throw(exception)) => match self.find_attr(iterator, sym!("throw"))? {
                Some(_) => (sym!("throw"), Some(self.exception_instance(&exception)?)),
                None => return Err(Halt::Raise(exception)),
            },
        };
        let given = self.while_catching(|| {
            let method = self.getattr(iterator, name)?;
            self.call(&method, Args::of(argument))
        });
        match given {
            Err(Halt::Raise(exception)) if self.is_exception(&exception, "StopIteration") => {
                let args = self.getattr(&self.exception_instance(&exception)?, sym!("args"))?;
                Ok(Err(self.to_vec(&args)?.into_iter().next().unwrap_or(Value::None)))
            }
            given => given.map(Ok),
        }
    }
}
