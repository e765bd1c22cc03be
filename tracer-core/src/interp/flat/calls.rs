//! Calls.

use std::ops::Range;
use std::rc::Rc;

use super::handlers::{attempt, fields, inside};
use super::inline::{After, Wanted};
use super::op::{At, Flat, Op, Reg};
use crate::interp::function::Run;
use crate::interp::generator;
use crate::module::{Expr, ExprId, Symbol};
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Function, Instance, Short, Value};

/// Calls a builtin method whose function was left out.
pub(super) fn builtin_call<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Call { builtin, dst, base, count, .. });
    if !run.reg(base).is_unbound() {
        return call(run, flat, op, at);
    }
    let it = run.it;
    let args = &mut run.frame.locals[base as usize + 1..][..usize::from(count) + 1];
    match builtin.and_then(|builtin| builtin.call(it, args)) {
        Some(value) => {
            for arg in args {
                Value::clear(arg);
            }
            if run.user && run.needs_door(&value) {
                fields!(op, Call { expr, .. });
                run.saw(expr, &value);
            }
            run.done(at, dst, value)
        }
        None => builtin_call_other(run, flat, op, at),
    }
}

/// Looks the builtin method up after all.
#[inline(never)]
fn builtin_call_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Call { base, expr, .. });
    let Expr::Call(callee, _) = run.module.expr(expr) else { return at };
    let name = run.attribute_name(*callee);
    let method = run.it.builtin_method(run.reg(base + 1), name);
    if let Some(method) = method {
        run.done(at, base, method);
    }
    call(run, flat, op, at)
}

impl Run<'_> {
    /// What a function gives that has a shorter way for such arguments; they are gone then.
    #[inline(always)]
    fn shortly(&mut self, base: Reg, args: Range<usize>) -> Option<Value> {
        match self.reg(base) {
            Value::Function(function) if let Some(short) = function.short.get() => {
                let handed_on = self.is_handed_on(function, args.clone());
                if handed_on { None } else { self.by_short(short, args) }
            }
            Value::Class(class) if class.is_shortened.get() => self.made_shortly(base, args),
            _ => None,
        }
    }

    /// An instance of a class that has a shorter way to make one: the class is what that is given first.
    #[inline(never)]
    fn made_shortly(&mut self, base: Reg, args: Range<usize>) -> Option<Value> {
        let Value::Class(class) = self.reg(base) else { return None };
        let init = self.it.short_init(class)?;
        let is_behind = args.start == usize::from(base) + 1;
        match init.short.get() {
            Some(short) if is_behind && !self.is_handed_on(&init, args.clone()) => {
                self.by_short(short, usize::from(base)..args.end)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn by_short(&mut self, short: Short, args: Range<usize>) -> Option<Value> {
        let args = &mut self.frame.locals[args];
        if !self.it.is_unwatched() {
            return None;
        }
        let value = short(self.it, args)?;
        args.iter_mut().for_each(Value::clear);
        Some(value)
    }

    /// The `__call__` of an instance's class, where it takes so many arguments.
    fn call_of(&self, instance: &Instance, given: usize) -> Option<Rc<Function>> {
        let function = self.it.special_of(&instance.class_ref(), self.it.types.names.call)?;
        (function.plain_arity == Some(given as u32 + 1) && self.it.is_unwatched()).then_some(function)
    }
}

pub(super) fn unread<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Unread { base, dst, expr, end });
    if let Value::Unknown(_) = run.reg(base) {
        inside!(run, flat, at);
        run.frame.locals[base as usize] = Value::Unbound;
        let value = attempt!(run, at, run.eval(expr));
        run.done(at, dst, value);
        return end;
    }
    at + 1
}

pub(super) fn call<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Call { base, count, method, site, .. });
    let (first, given) = given(run, base, count, method);
    match run.reg(base) {
        // Such a copy is made where the next two conditions hold.
        Value::Function(function)
            if let Some(copy) = run.copy_at(flat, site, function, first, given)
                && run.is_quiet_call(first..first + given) =>
        {
            run.enter_copy(flat, copy, given)
        }
        Value::Native(native) if native.quick.get().is_some() => call_quick(run, flat, op, at),
        _ => call_without(run, flat, op, at),
    }
}

/// Calls a builtin that has a short way for plain arguments.
#[inline(never)]
fn call_quick<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Call { dst, base, count, method, .. });
    let (first, given) = given(run, base, count, method);
    let args = &mut run.frame.locals[usize::from(base)..first + given];
    if let Some((Value::Native(native), args)) = args.split_first_mut()
        && let Some(args) = args.get_mut(first - usize::from(base) - 1..)
        && let Some(quick) = native.quick.get()
        && let Some(value) = quick(run.it, args)
    {
        args.iter_mut().for_each(Value::clear);
        return run.done(at, dst, value);
    }
    call_without(run, flat, op, at)
}

/// The register of the first argument, and how many there are. A receiver that is not there is no argument.
#[inline(always)]
fn given(run: &Run<'_>, base: Reg, count: u8, method: bool) -> (usize, usize) {
    let skipped = method && run.reg(base + 1).is_unbound();
    (base as usize + 1 + usize::from(skipped), usize::from(count) + usize::from(method && !skipped))
}

/// Calls what no copy stands there for.
#[inline(never)]
fn call_without<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Call { dst, base, count, method, expr, .. });
    let (first, given) = given(run, base, count, method);
    if let Value::Function(function) = run.reg(base)
        && function.memo.get().is_some()
    {
        let function = function.clone();
        if let Some(next) = run.call_kept(flat, op, at, expr, &function, first..first + given) {
            return next;
        }
    }
    if let Some(value) = run.shortly(base, first..first + given) {
        return called(run, flat, op, at, Ok(value));
    }
    match run.reg(base) {
        Value::Function(function)
            if function.plain_arity == Some(given as u32) && !run.is_handed_on(function, first..first + given) =>
        {
            let wanted = Wanted { at, function: base, after: After::Put(dst), window: first };
            match run.new_copy(flat, op, function, &wanted, given) {
                Some(copy) if run.is_quiet_call(first..first + given) => run.enter_copy(flat, copy, given),
                _ => call_function(run, flat, op, at, first..first + given),
            }
        }
        Value::Function(function)
            if function.plain_arity != Some(given as u32) && !run.is_handed_on(function, first..first + given) =>
        {
            let function = function.clone();
            if function.code().is_generator {
                inside!(run, flat, at);
                Value::clear(&mut run.frame.locals[base as usize]);
                let args = Args::of(
                    run.frame.locals[first..first + given].iter_mut().map(|arg| std::mem::replace(arg, Value::Unbound)),
                );
                run.stand_at(expr);
                let result = run.marked(expr, |run| generator::start(run.it, &function, args));
                return called(run, flat, op, at, result);
            }
            run.show_window(flat);
            match run.call_bound(expr, &function, first..first + given, &[]) {
                Some(result) => {
                    Value::clear(&mut run.frame.locals[base as usize]);
                    called(run, flat, op, at, result)
                }
                None => call_other(run, flat, op, at),
            }
        }
        Value::Native(native)
            if let Some(direct) = &native.direct
                && (direct.arity.0..=direct.arity.1).contains(&given) =>
        {
            let direct = direct.run;
            run.show_window(flat);
            let result = run.call_direct(expr, direct, first..first + given);
            match result {
                Ok(value) => {
                    if run.user && run.needs_door(&value) {
                        run.saw(expr, &value);
                    }
                    run.done(at, dst, value)
                }
                Err(halt) => call_failed(run, flat, op, at, halt),
            }
        }
        Value::Class(class) if !method && class.root == Root::Exception && class.is_builtin() => {
            // Python's own exceptions keep what they are called with.
            let class = class.clone();
            let args = run.frame.locals[first..first + given].iter_mut();
            let given = Value::tuple(args.map(|arg| std::mem::replace(arg, Value::Unbound)));
            run.done(at, dst, Value::Instance(Instance::with_payload(class, given)))
        }
        Value::Class(class)
            if class.is_builtin()
                && !method
                && let Some(value) = run.it.plainly_made(class, &run.frame.locals[first..first + given]) =>
        {
            for arg in &mut run.frame.locals[first..first + given] {
                Value::clear(arg);
            }
            run.done(at, dst, value)
        }
        Value::Class(class) if !method => {
            match run.it.plain_init(class, given).filter(|init| !run.user || !init.module.unit.ours) {
                Some(init) => make_instance(run, flat, op, at, init, first..first + given),
                None => make_with_defaults(run, flat, op, at, first + given),
            }
        }
        Value::Instance(instance)
            if let Some(function) = run.call_of(instance, given)
                && !run.is_handed_on(&function, first..first + given) =>
        {
            let receiver = run.taken_from(base);
            run.show_window(flat);
            let result = run.call_hot(expr, &function, Some(&receiver), first..first + given);
            called(run, flat, op, at, result)
        }
        _ => call_other(run, flat, op, at),
    }
}

/// Makes an instance of a class whose `__init__` has other parameters than there are arguments.
#[inline(never)]
fn make_with_defaults<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, end: usize) -> At {
    fields!(op, Call { base, expr, .. });
    let Value::Class(class) = run.reg(base).clone() else { return at };
    if run.it.program_init(&class).is_none_or(|init| init.module.unit.ours) {
        return call_other(run, flat, op, at);
    }
    run.show_window(flat);
    match run.made_bound(expr, &class, base, end, &[]) {
        Some(result) => called(run, flat, op, at, result),
        None => {
            Value::put(&mut run.frame.locals[base as usize], Value::Class(class));
            call_other(run, flat, op, at)
        }
    }
}

impl Run<'_> {
    /// An instance of a class whose instances are made by its `__init__` alone, which is given what is in the registers behind
    /// the class, some of it by name; all of them are emptied. `None`, and the arguments are left, where there is more to do.
    fn made_bound(
        &mut self,
        expr: ExprId,
        class: &Rc<Class>,
        base: Reg,
        end: usize,
        names: &[Symbol],
    ) -> Option<Step<Value>> {
        let init = self.it.program_init(class)?;
        if self.user && init.module.unit.ours || !self.it.is_unwatched() {
            return None;
        }
        let instance = Value::Instance(Instance::made_at(class.clone(), self.made_by(expr)));
        Value::put(&mut self.frame.locals[base as usize], instance.clone());
        // The instance stands before the arguments.
        let result = self.call_bound(expr, &init, base as usize..end, names);
        Value::clear(&mut self.frame.locals[base as usize]);
        Some(self.it.initialized(&instance, &init, result?).map(|()| instance))
    }
}

/// Makes an instance of a class whose instances are made by its `__init__` alone.
#[inline(never)]
fn make_instance<'a>(
    run: &mut Run<'a>,
    flat: &'a Flat,
    op: &'a Op,
    at: At,
    init: Rc<Function>,
    args: Range<usize>,
) -> At {
    fields!(op, Call { dst, base, site, expr, .. });
    let Value::Class(class) = run.taken_from(base) else { return at };
    // The function and the instance stand before the arguments.
    let wanted = Wanted { at, function: base, after: After::Made(base + 1, dst), window: base as usize + 2 };
    let given = args.len() + 1;
    let copy = match run.copy_at(flat, site, &init, wanted.window, given) {
        None => run.new_copy(flat, op, &init, &wanted, given),
        copy => copy,
    };
    if let Some(copy) = copy
        && run.is_quiet_call(args.clone())
    {
        let instance = Value::Instance(Instance::made_at(class, run.made_by(expr)));
        return run.enter_making(flat, copy, init, instance, args);
    }
    run.show_window(flat);
    match run.instance_by(expr, class, &init, args) {
        Ok(instance) => run.done(at, dst, instance),
        Err(halt) => call_failed(run, flat, op, at, halt),
    }
}

/// Calls a function with as many arguments as it has parameters.
#[inline(never)]
fn call_function<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, args: Range<usize>) -> At {
    fields!(op, Call { base, expr, .. });
    // It stays where it stands: the next call mostly is of the same one.
    let Value::Function(function) = run.reg(base) else { return at };
    let function = function.clone();
    run.show_window(flat);
    let result = run.call_hot(expr, &function, None, args);
    called(run, flat, op, at, result)
}

/// What comes of a call goes where it belongs.
#[inline(always)]
pub(super) fn called<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, result: Step<Value>) -> At {
    fields!(op, Call { dst, expr, .. });
    match result {
        Ok(Value::Int(number)) => run.done_int(at, dst, number),
        Ok(Value::Float(number)) => run.done_float(at, dst, number),
        Ok(value) => {
            if run.user && run.needs_door(&value) {
                run.saw(expr, &value);
            }
            run.done(at, dst, value)
        }
        Err(halt) => call_failed(run, flat, op, at, halt),
    }
}

#[cold]
#[inline(never)]
pub(super) fn call_failed<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At, halt: Halt) -> At {
    if flat.window.is_some() {
        return run.fails(at, halt);
    }
    fields!(op, Call { dst, expr, .. });
    let value = attempt!(run, at, run.halted(expr, halt));
    run.done(at, dst, value)
}

/// Calls with arguments given by name.
pub(super) fn call_named<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, CallNamed { dst, base, count, method, names, expr });
    let names = &flat.keywords[names as usize];
    let (first, given) = given(run, base, count, method);
    let args = first..first + given + names.len();
    if let Value::Function(function) = run.reg(base)
        && !run.is_handed_on(function, args.clone())
    {
        let function = function.clone();
        run.show_window(flat);
        if let Some(result) = run.call_bound(expr, &function, args.clone(), names) {
            Value::clear(&mut run.frame.locals[base as usize]);
            return match result {
                Ok(value) => {
                    if run.user && run.needs_door(&value) {
                        run.saw(expr, &value);
                    }
                    run.done(at, dst, value)
                }
                Err(halt) => run.copy_failed(flat, op, at, halt),
            };
        }
    }
    inside!(run, flat, at);
    let callee = run.taken_from(base);
    if let Value::Class(class) = &callee
        && !method
        && let Some(made) = run.made_bound(expr, class, base, args.end, names)
    {
        let value = attempt!(run, at, run.finish(expr, made));
        return run.done(at, dst, value);
    }
    let result = run.call_with_names(expr, &callee, args, names);
    let value = attempt!(run, at, run.finish(expr, result));
    run.done(at, dst, value)
}

#[inline(never)]
fn call_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    inside!(run, flat, at);
    fields!(op, Call { dst, base, count, method, expr, .. });
    let value = attempt!(run, at, run.flat_call(base as usize, count as usize, method, expr));
    run.done(at, dst, value)
}
