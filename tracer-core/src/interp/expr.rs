//! Expressions. [`Run::eval`] is the door that every value passes through.

use std::fmt::Write;
use std::rc::Rc;

use smallvec::SmallVec;

use super::builtins::plainly_formatted;
use super::function::Run;
use super::printed::not_known;
use super::quick::{Plain, arithmetic};
use super::used_up::Use;
use crate::module::{Arg, Body, Collect, Comprehension, Const, Expr, ExprId, FStringPart, Place, Symbol};
use crate::python::container::{DictItems, SetItems};
use crate::python::halt::{Halt, Origin, Step, Why};
use crate::python::{Dict, Guess, List, Set, Unknown, Value};
use crate::repro::Op;
use crate::trace::marks;

impl Run<'_> {
    /// Evaluates one expression. Every value that the editor can show passes through here.
    ///
    /// # Errors
    /// Exceptions, with this expression as their innermost place if they have none yet; stops. Not knowing becomes an
    /// unknown value in the user's code, and travels on in a library's.
    #[inline]
    pub fn eval(&mut self, expr: ExprId) -> Step<Value> {
        match self.module.expr(expr) {
            // What stands in a variable and is not shown needs nothing of the door.
            Expr::Name(Place::Local(slot), _) => {
                if let Some(value) = self.unshown(&self.frame.locals[*slot as usize]) {
                    return Ok(value);
                }
            }
            Expr::Name(Place::Cell(index), _) if !self.looks() => {
                if let Some(value) = self.unshown(&self.cell(*index).read()) {
                    return Ok(value);
                }
            }
            Expr::Name(Place::Global(slot), _) if !self.looks() => {
                if let Some(value) = self.home.slots.read().get(*slot as usize).and_then(|value| self.unshown(value)) {
                    return Ok(value);
                }
            }
            Expr::Constant(Const::Int(value)) => return Ok(Value::Int(*value)),
            Expr::Constant(Const::None) => return Ok(Value::None),
            Expr::Binary(..) | Expr::Compare(..) | Expr::Subscript(..) | Expr::Unary(..) => {
                if let Some(number) = self.quick(expr) {
                    self.it.spend()?;
                    return Ok(number.into());
                }
            }
            _ => {}
        }
        self.eval_at_door(expr)
    }

    /// Whether all that this code reads has to pass the door.
    #[inline(always)]
    fn looks(&self) -> bool {
        self.user && (self.it.watch.on.get() || self.it.effects.keeps_reads())
    }

    /// The value of a variable that is known, and that no editor shows.
    #[inline(always)]
    fn unshown(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Int(value) => Some(Value::Int(*value)),
            Value::Float(value) => Some(Value::Float(*value)),
            Value::Unbound | Value::Unknown(_) => None,
            Value::Array(_) | Value::Object(_) if self.user => None,
            Value::Instance(instance) if self.user && instance.is_shown() => None,
            value => Some(value.clone()),
        }
    }

    /// A variable's value in place, where reading it needs nothing of the door.
    #[inline]
    pub(super) fn peek(&self, expr: ExprId) -> Option<&Value> {
        match self.module.expr(expr) {
            Expr::Name(Place::Local(slot), _) => match &self.frame.locals[*slot as usize] {
                Value::Unbound | Value::Unknown(_) => None,
                Value::Array(_) | Value::Object(_) if self.user => None,
                Value::Instance(instance) if self.user && instance.is_shown() => None,
                value => Some(value),
            },
            _ => None,
        }
    }

    /// The integer of an operand that is a variable or a constant.
    #[inline]
    fn small_int(&self, expr: ExprId) -> Option<i64> {
        match self.module.expr(expr) {
            Expr::Name(Place::Local(slot), _) => match &self.frame.locals[*slot as usize] {
                Value::Int(value) => Some(*value),
                _ => None,
            },
            Expr::Constant(Const::Int(value)) => Some(*value),
            _ => None,
        }
    }

    fn eval_at_door(&mut self, expr: ExprId) -> Step<Value> {
        self.it.spend()?;
        if self.user && self.it.watch.on.get() {
            return self.eval_watched(expr);
        }
        self.eval_plain(expr)
    }

    #[inline]
    pub(super) fn eval_plain(&mut self, expr: ExprId) -> Step<Value> {
        match self.eval_kind(expr) {
            Ok(value) => {
                if self.user {
                    self.saw(expr, &value);
                    if self.it.effects.keeps_reads() {
                        self.reads(expr, &value);
                    }
                }
                Ok(value)
            }
            Err(halt) => self.halted(expr, halt),
        }
    }

    #[inline]
    pub(super) fn saw(&mut self, expr: ExprId, value: &Value) {
        if let Value::Array(_) | Value::Object(_) | Value::Instance(_) | Value::Unknown(_) = value
            && self.it.recorder.saw(self.file, expr, self.module.exprs.len(), value)
        {
            self.it.novelty.set(self.it.novelty.get() + 1);
        }
        if let Value::Unknown(unknown) = value {
            self.it.unknowns.set(self.it.unknowns.get() + 1);
            if self.it.catching.get() > 0
                && !unknown.is_sure
                && matches!(self.module.expr(expr), Expr::Call(..) | Expr::Binary(..) | Expr::Compare(..))
            {
                self.it.unsure.set(self.it.unsure.get() + 1);
            }
        }
    }

    #[cold]
    pub(super) fn halted(&mut self, expr: ExprId, halt: Halt) -> Step<Value> {
        match halt {
            Halt::Unknown(why) if self.user => {
                let site = Some(self.site(self.module.span(expr)));
                self.it.note_loss();
                self.it.unsure.set(self.it.unsure.get() + 1);
                self.forget_changed(expr, &why);
                self.lose_runs(expr);
                let value = Value::Unknown(Rc::new(Unknown { site, ..Unknown::new(why, Guess::Any) }));
                self.saw(expr, &value);
                Ok(value)
            }
            Halt::Raise(mut exception) if self.user => {
                exception.origin.get_or_insert(Origin::User);
                if exception.frames.is_empty() {
                    self.place(&mut exception, self.module.span(expr));
                    self.note_operands(&mut exception, expr);
                }
                Err(Halt::Raise(exception))
            }
            mut other => {
                if let Halt::Raise(exception) = &mut other {
                    let own = if self.home.unit.ours { Origin::Model } else { Origin::Library };
                    exception.origin.get_or_insert(own);
                }
                if super::debugging() && !self.user {
                    self.tell(expr, &other);
                }
                Err(other)
            }
        }
    }

    /// Says where in a library something went wrong: for those who write preludes (`JITLENS_DEBUG=1`).
    fn tell(&self, expr: ExprId, halt: &Halt) {
        let span = self.module.span(expr);
        let what = match halt {
            Halt::Raise(exception) => format!("{:?}", exception.what),
            Halt::Unknown(why) => format!("unknown: {}", why.0),
            Halt::Stop(stop) => format!("{stop:?}"),
        };
        let what: String = what.chars().take(200).collect();
        eprintln!("in {} ({}) at byte {}: {what}", self.home.name, self.code.qualname, span.start);
    }

    /// Runs `body` with new equations marked as written at this expression, in the user's code.
    #[inline]
    pub fn marked<T>(&mut self, expr: ExprId, body: impl FnOnce(&mut Self) -> T) -> T {
        if !self.user {
            return body(self);
        }
        if self.it.repro.on.get() {
            self.stand_at(expr);
        }
        let before = self.it.engine.set_source(marks::of_source(self.file, expr));
        let result = body(self);
        self.it.engine.set_source(before);
        result
    }

    fn eval_kind(&mut self, id: ExprId) -> Step<Value> {
        let module = self.module;
        match module.expr(id) {
            Expr::Name(place, name) => self.load(*place, *name),
            Expr::Constant(constant) => Ok(match constant {
                Const::None => Value::None,
                Const::Bool(value) => Value::Bool(*value),
                Const::Int(value) => Value::Int(*value),
                Const::Float(value) => Value::Float(*value),
                constant => self.kept_constant(id, constant),
            }),
            Expr::Attribute(value, name) => {
                if let Some(Value::Instance(instance)) = self.peek(*value)
                    && let Some(own) = self.it.own_attr(instance, *name)
                {
                    return Ok(own);
                }
                if !self.user
                    && let Some(value) = self.peek(*value)
                {
                    return self.it.getattr(value, *name);
                }
                let value = self.eval(*value)?;
                self.attribute_of(id, &value, *name)
            }
            Expr::Call(function, args) => self.call_expr(id, *function, args),
            Expr::Binary(op, left, right) => {
                let left = self.eval(*left)?;
                let right = self.eval(*right)?;
                if let (Some(x), Some(y)) = (Plain::of(&left), Plain::of(&right))
                    && let Some(number) = arithmetic(*op, x, y)
                {
                    return Ok(number.into());
                }
                self.marked(id, |run| run.it.binary(*op, &left, &right))
            }
            Expr::Subscript(value, index) => {
                if let (Some(value @ (Value::List(_) | Value::Tuple(_) | Value::Dict(_))), Some(index)) =
                    (self.peek(*value), self.small_int(*index))
                {
                    return self.it.getitem(value, &Value::Int(index));
                }
                let value = self.eval(*value)?;
                let index = self.eval(*index)?;
                self.stand_at(id);
                self.marked(id, |run| {
                    let outcome = run.it.getitem(&value, &index);
                    run.it.blamed(|| Op::Item, &[&value, &index], outcome)
                })
            }
            Expr::Compare(left, rest) => self.marked(id, |run| run.compare_expr(*left, rest)),
            Expr::Unary(op, value) => {
                let value = self.eval(*value)?;
                self.marked(id, |run| run.unary_expr(*op, &value))
            }
            Expr::Tuple(items) => {
                if items.iter().any(|i| matches!(module.expr(*i), Expr::Starred(_))) {
                    return Ok(Value::tuple(self.display(items)?));
                }
                let mut values: SmallVec<[Value; 4]> = SmallVec::with_capacity(items.len());
                for item in items {
                    values.push(self.eval(*item)?);
                }
                Ok(Value::Tuple(values.into_iter().collect()))
            }
            Expr::List(items) => Ok(Value::List(List::new(self.display(items)?))),
            Expr::Set(items) => {
                let values = self.display(items)?;
                let mut set = SetItems::default();
                for value in &values {
                    set.insert(self.it.key(value)?);
                }
                Ok(Value::Set(Set::new(set)))
            }
            Expr::Dict(items) => self.dict_display(items),
            Expr::Slice(lower, upper, step) => {
                let mut part = |e: &Option<ExprId>| e.map_or(Ok(Value::None), |e| self.eval(e));
                let (lower, upper, step) = (part(lower)?, part(upper)?, part(step)?);
                Ok(Value::Slice(Rc::new([lower, upper, step])))
            }
            Expr::And(values) => self.and_or(values, true),
            Expr::Or(values) => self.and_or(values, false),
            Expr::IfExp { test, body, orelse } => self.if_expression(*test, *body, *orelse),
            Expr::Lambda(code, defaults) => self.make_function(*code, defaults, None),
            Expr::Comprehension(code, first) => {
                let iterator = self.first_iterator(*first)?;
                self.run_comprehension(*code, iterator)
            }
            Expr::Walrus(place, _, value) => {
                let value = self.eval(*value)?;
                self.store(*place, value.clone());
                Ok(value)
            }
            Expr::Starred(value) => self.eval(*value),
            Expr::FString(parts) => self.f_string(parts, Reader::Program),
            Expr::Yield(value) => {
                let value = value.map_or(Ok(Value::None), |v| self.eval(v))?;
                self.yield_value(value)
            }
            Expr::YieldFrom(value) => {
                let value = self.eval(*value)?;
                self.yield_from(&value)
            }
            Expr::Await(value) => {
                let value = self.eval(*value)?;
                self.it.awaited(&value)
            }
            Expr::Error => Ok(Value::unknown("this text could not be parsed")),
        }
    }

    /// `value.name`, of the attribute expression `id`.
    pub(super) fn attribute_of(&mut self, id: ExprId, value: &Value, name: Symbol) -> Step<Value> {
        if !self.user {
            return self.it.getattr(value, name);
        }
        match self.marked(id, |run| run.it.getattr(value, name)) {
            Ok(found) => Ok(found),
            Err(halt) => self.removed_name(id, value, name, halt)?,
        }
    }

    /// The value of a constant on the heap: made once.
    fn kept_constant(&self, id: ExprId, constant: &Const) -> Value {
        let mut kept = self.unit.constants.borrow_mut();
        kept.entry(id.0).or_insert_with(|| constant_value(constant)).clone()
    }

    /// Items of a tuple, list or set display.
    fn display(&mut self, items: &[ExprId]) -> Step<Vec<Value>> {
        let mut values = Vec::with_capacity(items.len());
        for item in items {
            let starred = matches!(self.module.expr(*item), Expr::Starred(_));
            let value = self.eval(*item)?;
            if starred {
                if let Value::Unknown(unknown) = &value {
                    return Err(Halt::Unknown(unknown.why.clone()));
                }
                self.it
                    .extend_vec(&mut values, &value)
                    .map_err(|halt| self.it.not_iterable_behind("Value", &value, halt))?;
            } else {
                values.push(value);
            }
        }
        Ok(values)
    }

    fn dict_display(&mut self, items: &[(Option<ExprId>, ExprId)]) -> Step<Value> {
        let dict = Dict::new(DictItems::default());
        for (key, value) in items {
            match key {
                Some(key) => {
                    let key = self.eval(*key)?;
                    let value = self.eval(*value)?;
                    if let Value::Unknown(unknown) = &key {
                        dict.forget(unknown.why.clone());
                        continue;
                    }
                    let key = self.it.key(&key)?;
                    dict.write().insert(key, value);
                }
                None => {
                    let other = self.eval(*value)?;
                    self.it.update_dict(&dict, &other)?;
                }
            }
        }
        Ok(Value::Dict(dict))
    }

    /// Runs the clauses of a comprehension whose iterator is in its first slot.
    pub fn comprehension(&mut self, comprehension: &Comprehension) -> Step<Value> {
        let mut out = match comprehension.collect {
            Collect::List(_) => Collected::List(Vec::new()),
            Collect::Set(_) => Collected::Set(SetItems::default()),
            Collect::Dict(..) => Collected::Dict(DictItems::default()),
            Collect::Generator(_) => Collected::Nothing,
        };
        let first = std::mem::replace(&mut self.frame.locals[0], Value::Unbound);
        match self.clause(comprehension, 0, first, &mut out) {
            Ok(_) => {}
            Err(Halt::Unknown(why)) if !matches!(comprehension.collect, Collect::Generator(_)) => {
                return Ok(match comprehension.collect {
                    Collect::List(_) => Value::List(List::vague(why)),
                    Collect::Set(_) => Value::Set(Set::vague(why)),
                    _ => Value::Dict(Dict::vague(why)),
                });
            }
            Err(halt) => return Err(halt),
        }
        Ok(match out {
            Collected::List(items) => Value::list(items),
            Collected::Into(list) => Value::List(list),
            Collected::Set(items) => Value::Set(Set::new(items)),
            Collected::Dict(items) => Value::Dict(Dict::new(items)),
            Collected::Nothing | Collected::Used(_) | Collected::Lost | Collected::Perhaps(_) => Value::None,
        })
    }

    /// Runs the clauses of a generator expression, whose iterator is in its first slot, and hands the elements on.
    pub(super) fn elements(&mut self, taker: Use) -> Step<Use> {
        let Body::Comprehension(comprehension) = &self.code.body else { return Ok(taker) };
        let first = std::mem::replace(&mut self.frame.locals[0], Value::Unbound);
        let mut out = Collected::Used(taker);
        let it = self.it;
        self.clause(comprehension, 0, first, &mut out).map_err(|halt| super::generator::stopped_within(it, halt))?;
        match out {
            Collected::Used(taker) => Ok(taker),
            _ => unreachable!("it collects what it was given"),
        }
    }

    /// Takes an element of a comprehension: whether who takes the elements has enough.
    #[inline]
    pub(super) fn collect(&mut self, out: &mut Collected, key: Option<Value>, value: Value) -> Step<bool> {
        match (out, key) {
            (Collected::List(items), _) => items.push(value),
            (Collected::Into(list), _) => list.append([value]),
            (Collected::Set(items), _) => {
                items.insert(self.it.key(&value)?);
            }
            (Collected::Dict(items), Some(key)) => {
                items.insert(self.it.key(&key)?, value);
            }
            (Collected::Used(taker), _) => {
                self.it.spend()?;
                return taker.take(self.it, value);
            }
            (Collected::Lost | Collected::Perhaps(_), _) => {}
            _ => drop(self.yield_value(value)?),
        }
        Ok(false)
    }

    /// An argument of a call whose text, if it is a text, nobody reads: numbers in it are not computed.
    pub(super) fn eval_unread(&mut self, expr: ExprId) -> Step<Value> {
        match self.module.expr(expr) {
            Expr::FString(parts) => {
                let reader = if self.it.printing.is_read() { Reader::Output } else { Reader::Nobody };
                match self.f_string(parts, reader) {
                    Ok(text) => Ok(text),
                    Err(halt) => self.halted(expr, halt),
                }
            }
            _ if self.it.printing.is_read() => self.eval(expr),
            Expr::Call(function, args) => match (self.module.expr(*function), &args[..]) {
                (Expr::Name(..), [Arg::Positional(argument)]) => self.convert_unread(expr, *function, *argument),
                _ => self.eval(expr),
            },
            _ => self.eval(expr),
        }
    }

    /// `float(x)` and the like, whose number nobody reads.
    fn convert_unread(&mut self, call: ExprId, function: ExprId, argument: ExprId) -> Step<Value> {
        let t = &self.it.types;
        let guess = match self.peek_global(function) {
            Some(Value::Class(class)) if Rc::ptr_eq(&class, &t.float) => Guess::Float,
            Some(Value::Class(class)) if Rc::ptr_eq(&class, &t.int) => Guess::Int,
            Some(Value::Class(class)) if Rc::ptr_eq(&class, &t.bool_) => Guess::Bool,
            _ => return self.eval(call),
        };
        self.it.spend()?;
        let callee = self.eval(function)?;
        let value = self.eval(argument)?;
        let it = self.it;
        let convert = |run: &mut Self| match value {
            Value::Array(_) | Value::Object(_) => {
                it.engine.without_computing(|| run.it.call_with(&callee, [value.clone()]))
            }
            _ => run.it.call_with(&callee, [value.clone()]),
        };
        match self.marked(call, convert) {
            Ok(number) => Ok(number),
            Err(Halt::Unknown(_)) if matches!(value, Value::Array(_) | Value::Object(_)) => {
                Ok(Value::unknown_of(guess, "a number nobody reads"))
            }
            Err(halt) => self.halted(call, halt),
        }
    }

    /// What a name stands for that is no variable of a function.
    fn peek_global(&self, expr: ExprId) -> Option<Value> {
        match self.module.expr(expr) {
            Expr::Name(place @ Place::Global(_), name) => self.load(*place, *name).ok(),
            _ => None,
        }
    }

    fn f_string(&mut self, parts: &[FStringPart], reader: Reader) -> Step<Value> {
        let mut text = self.it.spare_text.take();
        text.clear();
        let mut unknown = None;
        for part in parts {
            match part {
                FStringPart::Text(piece) => text.push_str(piece),
                FStringPart::Value { value: expr, conversion, spec } => {
                    let value = self.eval(*expr)?;
                    if conversion.is_none() && spec.is_empty() {
                        match &value {
                            Value::Str(piece) => {
                                self.it.spend_text(piece.len())?;
                                text.push_str(piece);
                                continue;
                            }
                            Value::Int(number) => {
                                let _ = write!(text, "{number}");
                                continue;
                            }
                            _ => {}
                        }
                    }
                    if reader == Reader::Program
                        && self.keeps_reads()
                        && let Value::Array(array) = &value
                        && array.is_tracer()
                    {
                        self.formats(*expr);
                    }
                    if self.user
                        && self.it.effects.is_tracing()
                        && matches!(value, Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Instance(_))
                    {
                        self.note_text(*expr, &value);
                    }
                    if let (None, [FStringPart::Text(spec)]) = (conversion, &spec[..])
                        && plainly_formatted(&mut text, &value, spec)
                    {
                        continue;
                    }
                    let spec = self.f_string(spec, Reader::Program)?;
                    let it = self.it;
                    let formatted = || it.format_value(&value, *conversion, &spec);
                    let piece = match &value {
                        Value::Array(_) | Value::Object(_) if reader == Reader::Nobody => match it
                            .engine
                            .without_computing(formatted)
                        {
                            Err(Halt::Unknown(_)) => Value::unknown_of(crate::python::Guess::Str, "text nobody reads"),
                            piece => piece?,
                        },
                        _ if reader == Reader::Output => match formatted() {
                            Err(Halt::Unknown(why)) => Value::unknown_of(crate::python::Guess::Str, why.0),
                            piece => piece?,
                        },
                        _ => formatted()?,
                    };
                    match piece {
                        Value::Str(piece) => {
                            self.it.spend_text(piece.len())?;
                            text.push_str(&piece);
                        }
                        // A model's message is worth reading without the numbers of an array.
                        _ if self.it.vague_text.get() && self.home.unit.ours => text.push('…'),
                        Value::Unknown(why) if reader == Reader::Output => {
                            let why = if let Value::Unknown(unknown) = &value { &unknown.why } else { &why.why };
                            text.push_str(&not_known(&why.0));
                        }
                        other => unknown = Some(other),
                    }
                }
            }
        }
        Ok(match unknown {
            Some(_) => Value::unknown_of(crate::python::Guess::Str, "text with an unknown part"),
            None => {
                let made = Value::str(&text);
                self.it.spare_text.set(text);
                made
            }
        })
    }
}

/// Who reads a text.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Reader {
    /// It may fail, but what it says is of no interest.
    Nobody,
    /// Whoever reads what is printed, with notes in it for what is not known.
    Output,
    Program,
}

/// What a comprehension collects its elements in.
pub(super) enum Collected {
    /// Elements are made and dropped: not all of those before them are known.
    Lost,
    /// The same: who takes the elements may have had enough before.
    Perhaps(Why),
    Used(Use),
    List(Vec<Value>),
    /// A list that a loop has added elements to.
    Into(List),
    Set(SetItems),
    Dict(DictItems),
    Nothing,
}

impl Collected {
    /// See [`Use::take_unknown`].
    pub(super) fn take_unknown(&mut self, why: &Why) -> Option<bool> {
        match self {
            Collected::Used(taker) => taker.take_unknown(why),
            _ => None,
        }
    }
    /// Why it is not known whether the elements that were taken are enough.
    pub(super) fn why_enough(&self) -> Option<&Why> {
        match self {
            Collected::Used(taker) => taker.why_maybe(),
            Collected::Perhaps(why) => Some(why),
            _ => None,
        }
    }
}

/// The value of a constant.
pub fn constant_value(constant: &Const) -> Value {
    match constant {
        Const::None => Value::None,
        Const::Ellipsis => Value::Ellipsis,
        Const::Bool(value) => Value::Bool(*value),
        Const::Int(value) => Value::Int(*value),
        Const::BigInt(value) => Value::BigInt(Rc::new(value.clone())),
        Const::Float(value) => Value::Float(*value),
        Const::Imaginary(value) => Value::Complex(Rc::new(num_complex::Complex64::new(0.0, *value))),
        Const::Str(text) => Value::str(text),
        Const::Bytes(bytes) => Value::Bytes(Rc::from(bytes.as_slice())),
    }
}
