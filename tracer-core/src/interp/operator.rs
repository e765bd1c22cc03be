//! Operators.

use std::rc::Rc;

use num_traits::ToPrimitive;
use smallvec::SmallVec;

use super::Interp;
use super::choices::choices_of;
use super::number::{self, Number};
use super::spans;
use crate::module::{BinaryOp, Symbol, UnaryOp};
use crate::python::container::join_values;
use crate::python::halt::{Halt, Step};
use crate::python::span::Spanned;
use crate::python::{Args, Dict, Guess, List, Set, Value};
use crate::repro::Op;

/// How an operator is written, and the names of its methods: plain, reflected, in place.
pub fn spelling(op: BinaryOp) -> (&'static str, Symbol, Symbol, Symbol) {
    use BinaryOp::*;
    match op {
        Add => ("+", sym!("__add__"), sym!("__radd__"), sym!("__iadd__")),
        Sub => ("-", sym!("__sub__"), sym!("__rsub__"), sym!("__isub__")),
        Mul => ("*", sym!("__mul__"), sym!("__rmul__"), sym!("__imul__")),
        MatMul => ("@", sym!("__matmul__"), sym!("__rmatmul__"), sym!("__imatmul__")),
        Div => ("/", sym!("__truediv__"), sym!("__rtruediv__"), sym!("__itruediv__")),
        FloorDiv => ("//", sym!("__floordiv__"), sym!("__rfloordiv__"), sym!("__ifloordiv__")),
        Mod => ("%", sym!("__mod__"), sym!("__rmod__"), sym!("__imod__")),
        Pow => ("** or pow()", sym!("__pow__"), sym!("__rpow__"), sym!("__ipow__")),
        LShift => ("<<", sym!("__lshift__"), sym!("__rlshift__"), sym!("__ilshift__")),
        RShift => (">>", sym!("__rshift__"), sym!("__rrshift__"), sym!("__irshift__")),
        BitAnd => ("&", sym!("__and__"), sym!("__rand__"), sym!("__iand__")),
        BitOr => ("|", sym!("__or__"), sym!("__ror__"), sym!("__ior__")),
        BitXor => ("^", sym!("__xor__"), sym!("__rxor__"), sym!("__ixor__")),
    }
}

/// The name of the method of the left side that implements an operator.
pub(super) fn method_of(op: BinaryOp) -> Symbol {
    spelling(op).1
}

/// In which of its three ways a special method implements an operator.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// `__add__`
    Plain,
    /// `__radd__`
    Reflected,
    /// `__iadd__`
    InPlace,
}

/// The operator that a special method of this name implements.
pub fn named(name: &str) -> Option<(BinaryOp, Way)> {
    BinaryOp::ALL.into_iter().find_map(|op| {
        let (_, plain, reflected, in_place) = spelling(op);
        let ways = [(plain, Way::Plain), (reflected, Way::Reflected), (in_place, Way::InPlace)];
        ways.into_iter().find_map(|(own, way)| (own.as_str() == name).then_some((op, way)))
    })
}

impl Interp {
    /// `a op b`
    ///
    /// # Errors
    /// What the operation raises.
    #[inline]
    pub fn binary(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Value> {
        let floats = match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                if let Some(value) = number::fitting(op, *x, *y) {
                    return Ok(Value::Int(value));
                }
                None
            }
            (Value::Float(x), Value::Float(y)) => Some((*x, *y)),
            (Value::Float(x), Value::Int(y)) => Some((*x, *y as f64)),
            (Value::Int(x), Value::Float(y)) => Some((*x as f64, *y)),
            _ => None,
        };
        if let Some((x, y)) = floats {
            match op {
                BinaryOp::Add => return Ok(Value::Float(x + y)),
                BinaryOp::Sub => return Ok(Value::Float(x - y)),
                BinaryOp::Mul => return Ok(Value::Float(x * y)),
                BinaryOp::Div if y != 0.0 => return Ok(Value::Float(x / y)),
                _ => {}
            }
        }
        let outcome = match self.try_binary(op, a, b, false) {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => Err(self.unsupported(spelling(op).0, a, b)),
            Err(halt) => Err(halt),
        };
        self.blamed(|| Op::Binary(op), &[a, b], outcome)
    }

    /// `a op b` where the method of the class of `a` has been asked, and does not know.
    ///
    /// # Errors
    /// What the operation raises.
    pub(super) fn binary_behind(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Value> {
        let outcome = match self.try_binary(op, a, b, true) {
            Ok(found) => found.ok_or_else(|| self.unsupported(spelling(op).0, a, b)),
            Err(halt) => Err(halt),
        };
        self.blamed(|| Op::Binary(op), &[a, b], outcome)
    }

    fn unsupported(&self, op: &str, a: &Value, b: &Value) -> Halt {
        let (a, b) = (self.operand_type_name(a), self.operand_type_name(b));
        Halt::type_error(format!("unsupported operand type(s) for {op}: '{a}' and '{b}'"))
    }

    /// `a op b`; whether the method of the class of `a` was asked first, and does not know.
    fn try_binary(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value, asked: bool) -> Step<Option<Value>> {
        if let (Some(x), Some(y)) = (Number::of(a), Number::of(b))
            && !matches!((a, b), (Value::Instance(_), _) | (_, Value::Instance(_)))
        {
            if let (Value::Bool(x), Value::Bool(y)) = (a, b) {
                match op {
                    BinaryOp::BitAnd => return Ok(Some(Value::Bool(x & y))),
                    BinaryOp::BitOr => return Ok(Some(Value::Bool(x | y))),
                    BinaryOp::BitXor => return Ok(Some(Value::Bool(x ^ y))),
                    _ => {}
                }
            }
            return number::binary(op, &x, &y);
        }
        // A subclass's reflected method goes first; then left, then right.
        if let Some(value) = self.instance_binary(op, a, b, asked)? {
            return Ok(Some(value));
        }
        if let (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) = (a, b) {
            if let Some(value) = self.binary_of_meant(op, a, b)? {
                return Ok(Some(value));
            }
            if let Some(value) = self.binary_of_choices(op, a, b)? {
                return Ok(Some(value));
            }
            if matches!((a, b), (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)))
                && unknown.guess != Guess::Any
            {
                // An array with a scalar that is not known: the framework knows what comes out.
                if let Some(value) = self.framework_binary(op, a, b)? {
                    return Ok(Some(value));
                }
            }
            return Ok(Some(self.unknown_binary(op, a, b)));
        }
        if let Some(value) = self.framework_binary(op, a, b)? {
            return Ok(Some(value));
        }
        self.builtin_binary(op, a, b)
    }

    /// `a op b` for what is meant by sides that may be `None`, which has no operators, but is printed.
    fn binary_of_meant(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        if a.unless_none().is_none() && b.unless_none().is_none() || op == BinaryOp::Mod && a.base().as_str().is_some()
        {
            return Ok(None);
        }
        let meant = |value: &Value| match value {
            Value::Unknown(unknown) => self.meant(unknown),
            _ => None,
        };
        let (x, y) = (meant(a).unwrap_or_else(|| a.clone()), meant(b).unwrap_or_else(|| b.clone()));
        match self.try_binary(op, &x, &y, false) {
            Err(Halt::Raise(_) | Halt::Unknown(_)) => Ok(None),
            result => result,
        }
    }

    /// `a op b` for each of the few values that one side may be, where they all give something.
    fn binary_of_choices(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        let (all, left) = match (choices_of(a), choices_of(b)) {
            (Some(all), None) => (all, true),
            (None, Some(all)) => (all, false),
            _ => return Ok(None),
        };
        let mut joined: Option<Value> = None;
        for one in all.iter() {
            let found = if left { self.try_binary(op, one, b, false) } else { self.try_binary(op, a, one, false) };
            let value = match found {
                Ok(Some(value)) => value,
                Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
                Ok(None) | Err(_) => return Ok(None),
            };
            joined = Some(joined.map_or_else(|| value.clone(), |before| join_values(&before, &value)));
        }
        Ok(joined)
    }

    fn framework_binary(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        // NumPy's arrays yield to the framework's own, as their priority says.
        if matches!(a, Value::Array(_)) || matches!(b, Value::Array(_)) {
            let hooks = self.array_hooks()?;
            if let Some(value) = hooks.binary(self, op, a, b)? {
                return Ok(Some(value));
            }
        }
        if let Value::Object(object) = a
            && let Some(value) = object.clone().binary(self, op, b, false)?
        {
            return Ok(Some(value));
        }
        if let Value::Object(object) = b
            && let Some(value) = object.clone().binary(self, op, a, true)?
        {
            return Ok(Some(value));
        }
        Ok(None)
    }

    /// `a op b` where the right side knows how, by a method of its own.
    ///
    /// # Errors
    /// What that raises.
    pub(super) fn reflected_alone(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        match b {
            Value::Instance(_) => {
                let value = self.call_special(b, spelling(op).2, [a.clone()])?;
                Ok(value.filter(|value| !matches!(value, Value::NotImplemented)))
            }
            Value::Array(_) | Value::Object(_) => self.framework_binary(op, a, b),
            _ => Ok(None),
        }
    }

    fn instance_binary(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value, mut asked: bool) -> Step<Option<Value>> {
        if !matches!(
            (a, b),
            (Value::Instance(_), _) | (_, Value::Instance(_)) | (Value::Class(_), _) | (_, Value::Class(_))
        ) {
            return Ok(None);
        }
        let (_, plain, reflected, _) = spelling(op);
        let right_first = match (a, b) {
            (Value::Instance(x), Value::Instance(y)) => {
                let (x, y) = (x.class(), y.class());
                // Only where it is another method than that of the left side's class.
                !Rc::ptr_eq(&x, &y)
                    && y.derives(&x)
                    && y.lookup(reflected).is_some_and(|own| x.lookup(reflected).is_none_or(|base| !own.is(&base)))
            }
            (_, Value::Instance(y)) => y.payload().is_some_and(|p| Rc::ptr_eq(&self.class_of(p), &self.class_of(a))),
            _ => false,
        };
        let order = if right_first { [(b, a, reflected), (a, b, plain)] } else { [(a, b, plain), (b, a, reflected)] };
        // Of two objects of one class the right one is not asked.
        let is_same = matches!((a, b), (Value::Instance(x), Value::Instance(y)) if Rc::ptr_eq(&x.class(), &y.class()));
        for (receiver, other, name) in order.into_iter().take(if is_same { 1 } else { 2 }) {
            // The left side is asked first, also where it is no object of the program's.
            if name == reflected
                && !right_first
                && let Value::Object(object) = other
                && let Some(value) = object.clone().binary(self, op, receiver, false)?
            {
                return Ok(Some(value));
            }
            if let Value::Instance(_) | Value::Class(_) = receiver
                && !std::mem::take(&mut asked)
                && let Some(value) = self.call_special(receiver, name, [other.clone()])?
                && !matches!(value, Value::NotImplemented)
            {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.binary_of_views(op, a, b)? {
            return Ok(Some(value));
        }
        let (base_a, base_b) = (a.base(), b.base());
        if !base_a.is(a) || !base_b.is(b) {
            if let (Some(x), Some(y)) = (Number::of(base_a), Number::of(base_b)) {
                return number::binary(op, &x, &y);
            }
            // A subclass of a dictionary finds keys in its own way.
            if let (BinaryOp::Mod, Value::Str(format)) = (op, base_a) {
                return self.percent_format(format, b).map(Some);
            }
            if !matches!((base_a, base_b), (Value::Instance(_), _) | (_, Value::Instance(_))) {
                return self.try_binary(op, base_a, base_b, false);
            }
        }
        for side in [a, b] {
            // What a class itself can do is its metaclass's, which comes with its bases.
            let class = match side {
                Value::Instance(instance) => instance.class(),
                Value::Class(class) => class.clone(),
                _ => continue,
            };
            if class.may_have_more() {
                return Err(class.of_unknown_base());
            }
        }
        Ok(None)
    }

    /// Calls a special method found in the class of `receiver`, if the program (or a framework's Python) defines it.
    ///
    /// # Errors
    /// What the method raises.
    pub fn call_special(
        self: &Rc<Self>,
        receiver: &Value,
        name: Symbol,
        args: impl IntoIterator<Item = Value>,
    ) -> Step<Option<Value>> {
        let class = match receiver {
            Value::Instance(instance) => instance.class(),
            Value::Class(class) => match &class.metaclass {
                Some(meta) => meta.clone(),
                None if class.may_have_more() && is_of_metaclasses(name) => return Err(class.of_unknown_base()),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if let Some(function) = self.special_of(&class, name) {
            let mut given: SmallVec<[Value; 4]> = SmallVec::new();
            given.push(receiver.clone());
            for arg in args {
                given.push(arg);
            }
            if let Some(short) = function.short.get()
                && self.is_unwatched()
                && let Some(value) = short(self, &mut given)
            {
                return Ok(Some(value));
            }
            return match self.call_flat(&function, &mut given) {
                Some(result) => result.map(Some),
                None => self.call(&Value::Function(function), Args::of(given)).map(Some),
            };
        }
        let Some(method) = class.lookup_defined(name) else { return Ok(None) };
        if method.is_none() {
            return Ok(None);
        }
        let (callee, bound) = self.bind_found(method, receiver, &class)?;
        let mut call = crate::python::Args::none();
        call.positional.extend(bound);
        call.positional.extend(args);
        if let Value::Function(function) = &callee
            && let Some(result) = self.call_flat(function, &mut call.positional)
        {
            return result.map(Some);
        }
        self.call(&callee, call).map(Some)
    }

    /// What is known of `a op b` when one side is not known.
    fn unknown_binary(&self, op: BinaryOp, a: &Value, b: &Value) -> Value {
        use Guess::*;
        let why = match (a, b) {
            (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) => unknown.why.0.clone(),
            _ => "unknown".into(),
        };
        let (x, y) = (crate::python::container::guess_of(a), crate::python::container::guess_of(b));
        let numeric = |g| matches!(g, Bool | Int | Float | Complex);
        let guess = match op {
            BinaryOp::Add | BinaryOp::Mod if x == Str => Str,
            _ if !numeric(x) || !numeric(y) => Any,
            BinaryOp::Div => {
                if x == Complex || y == Complex {
                    Complex
                } else {
                    Float
                }
            }
            BinaryOp::Pow if x != Float && y != Float => match b {
                Value::Int(exponent) if *exponent >= 0 && x != Complex => Int,
                Value::Int(_) if x != Complex => Float,
                _ => Any,
            },
            BinaryOp::Pow if x == Float && matches!(y, Int | Bool) => Float,
            BinaryOp::Pow => Any,
            BinaryOp::MatMul => Any,
            _ if x == Complex || y == Complex => Complex,
            _ if x == Float || y == Float => Float,
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor if x == Bool && y == Bool => Bool,
            _ => Int,
        };
        let is_divisor =
            matches!(b, Value::Int(_) | Value::Float(_)) && !matches!(b, Value::Int(0) | Value::Float(0.0));
        let is_sure = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => numeric(guess),
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod => numeric(guess) && guess != Complex && is_divisor,
            _ => false,
        };
        match spans::binary(op, a, b) {
            Some(Spanned::Within(span)) => Value::within(span, why),
            Some(Spanned::Exactly(number)) => Value::Int(number),
            None if is_sure => Value::unknown_surely_of(guess, why),
            None => Value::unknown_of(guess, why),
        }
    }

    /// `x + y` of texts.
    ///
    /// # Errors
    /// As [`Interp::spend_text`].
    pub(super) fn concatenated(&self, x: &str, y: &str) -> Step<Value> {
        self.spend_text(x.len() + y.len())?;
        let mut text = String::with_capacity(x.len() + y.len());
        text.push_str(x);
        text.push_str(y);
        Ok(Value::from(text))
    }

    fn builtin_binary(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        use BinaryOp::*;
        Ok(Some(match (op, a, b) {
            (Add, Value::Str(x), Value::Str(y)) => self.concatenated(x, y)?,
            (Add, Value::Str(_), _) => {
                return Err(Halt::type_error(format!(
                    "can only concatenate str (not \"{}\") to str",
                    self.operand_type_name(b)
                )));
            }
            (Add, Value::Bytes(x), Value::Bytes(y)) => Value::Bytes([&x[..], &y[..]].concat().into()),
            (Add, Value::Bytes(_), _) => {
                return Err(Halt::type_error(format!("can't concat {} to bytes", self.operand_type_name(b))));
            }
            (Add, Value::Tuple(x), Value::Tuple(y)) => {
                self.spend_many(x.len() + y.len())?;
                Value::tuple(x.iter().chain(y.iter()).cloned())
            }
            (Add, Value::Tuple(_), _) => {
                return Err(Halt::type_error(format!(
                    "can only concatenate tuple (not \"{}\") to tuple",
                    self.operand_type_name(b)
                )));
            }
            (Add, Value::List(x), Value::List(y)) => {
                if let Some(why) = x.why_vague().or(y.why_vague()) {
                    return Ok(Some(Value::List(List::vague(why))));
                }
                self.spend_many(x.read().len() + y.read().len())?;
                let items = x.read().iter().chain(y.read().iter()).cloned().collect();
                Value::list(items)
            }
            (Add, Value::List(_), _) => {
                return Err(Halt::type_error(format!(
                    "can only concatenate list (not \"{}\") to list",
                    self.operand_type_name(b)
                )));
            }
            (Mul, Value::Str(_) | Value::Bytes(_) | Value::Tuple(_) | Value::List(_), n)
            | (Mul, n, Value::Str(_) | Value::Bytes(_) | Value::Tuple(_) | Value::List(_)) => {
                let sequence =
                    if matches!(a, Value::Str(_) | Value::Bytes(_) | Value::Tuple(_) | Value::List(_)) { a } else { b };
                let Some(count) = self.try_index(n)? else {
                    return Err(Halt::type_error(format!(
                        "can't multiply sequence by non-int of type '{}'",
                        self.type_name(n)
                    )));
                };
                self.repeat(sequence, count.max(0) as usize)?
            }
            (Mod, Value::Str(format), _) => self.percent_format(format, b)?,
            (Mod, Value::Bytes(format), _) => super::builtins::percent_format_bytes(self, format, b)?,
            (BitOr, Value::Dict(x), Value::Dict(_)) => {
                self.spend_many(x.read().len())?;
                let merged = Dict::new(x.read().clone());
                if let Some(why) = x.why_vague() {
                    merged.forget(why);
                }
                self.update_dict(&merged, b)?;
                Value::Dict(merged)
            }
            (
                BitOr | BitAnd | Sub | BitXor,
                Value::Set(x) | Value::FrozenSet(x),
                Value::Set(y) | Value::FrozenSet(y),
            ) => {
                if let Some(why) = x.why_vague().or(y.why_vague()) {
                    let vague = Set::vague(why);
                    return Ok(Some(if matches!(a, Value::Set(_)) {
                        Value::Set(vague)
                    } else {
                        Value::FrozenSet(vague)
                    }));
                }
                let (p, q) = (x.read(), y.read());
                self.spend_many(p.len() + q.len())?;
                let items = match op {
                    BitOr => p.union(&q).cloned().collect(),
                    BitAnd => p.intersection(&q).cloned().collect(),
                    Sub => p.difference(&q).cloned().collect(),
                    _ => p.symmetric_difference(&q).cloned().collect(),
                };
                if matches!(a, Value::Set(_)) { Value::Set(Set::new(items)) } else { Value::FrozenSet(Set::new(items)) }
            }
            (BitOr, Value::Class(_) | Value::None, Value::Class(_) | Value::None) if !(a.is_none() && b.is_none()) => {
                let typing = self.import(sym!("typing"))?;
                let either = self.getattr(&typing, sym!("_either"))?;
                self.call_with(&either, [a.clone(), b.clone()])?
            }
            (BitOr, Value::Native(native), _) if self.is_native_class(a) => {
                return self.builtin_binary(op, &Value::Class(self.class_of_native(native)), b);
            }
            (BitOr, _, Value::Native(native)) if self.is_native_class(b) => {
                return self.builtin_binary(op, a, &Value::Class(self.class_of_native(native)));
            }
            (BitOr, _, _) if self.is_typing(a) || self.is_typing(b) => Value::unknown("a union of types"),
            _ => return Ok(None),
        }))
    }

    fn is_typing(&self, value: &Value) -> bool {
        match value {
            Value::Instance(instance) => instance.class().module.as_str() == "typing",
            Value::Class(_) | Value::None => false,
            _ => false,
        }
    }

    /// `sequence * count`
    pub(super) fn repeat(&self, sequence: &Value, count: usize) -> Step<Value> {
        let total = |len: usize| len.checked_mul(count).ok_or_else(|| Halt::raise("MemoryError", ""));
        Ok(match sequence {
            Value::Str(text) => {
                self.spend_many(total(text.len())? / 16)?;
                Value::from(text.repeat(count))
            }
            Value::Bytes(bytes) => {
                self.spend_many(total(bytes.len())? / 16)?;
                Value::Bytes(bytes.repeat(count).into())
            }
            Value::Tuple(items) => {
                let n = total(items.len())?;
                self.spend_many(n)?;
                Value::tuple(items.iter().cycle().take(n).cloned())
            }
            Value::List(list) => {
                if let Some(why) = list.why_vague() {
                    return Ok(Value::List(List::vague(why)));
                }
                let items = list.read();
                let n = total(items.len())?;
                match self.spend_many(n) {
                    Ok(()) if let [only] = &items[..] => Value::list(vec![only.clone(); n]),
                    Ok(()) => Value::list(items.iter().cycle().take(n).cloned().collect()),
                    Err(Halt::Unknown(why)) => Value::List(List::vague(why)),
                    Err(halt) => return Err(halt),
                }
            }
            _ => unreachable!("only sequences are repeated"),
        })
    }

    /// `op a`
    ///
    /// # Errors
    /// What the operation raises.
    pub fn unary(self: &Rc<Self>, op: UnaryOp, a: &Value) -> Step<Value> {
        let (symbol, method) = match op {
            UnaryOp::Neg => ("-", sym!("__neg__")),
            UnaryOp::Pos => ("+", sym!("__pos__")),
            UnaryOp::Invert => ("~", sym!("__invert__")),
            UnaryOp::Not => unreachable!("`not` is evaluated by its truth"),
        };
        match a {
            Value::Array(array) => return self.array_hooks()?.unary(self, op, array),
            Value::Object(object) => {
                if let Some(value) = object.clone().unary(self, op)? {
                    return Ok(value);
                }
            }
            Value::Unknown(unknown) if unknown.or_none.is_some() => {
                return self.of_meant(unknown, |held| self.unary(op, held));
            }
            Value::Unknown(unknown) => {
                let guess = if unknown.guess == Guess::Bool { Guess::Int } else { unknown.guess };
                return Ok(Value::unknown_of(guess, unknown.why.0.clone()));
            }
            Value::Instance(_) | Value::Class(_) => {
                if let Some(value) = self.call_special(a, method, [])? {
                    return Ok(value);
                }
            }
            _ => {}
        }
        match (op, Number::of(a)) {
            (UnaryOp::Neg, Some(Number::Int(x))) => Ok(match x.checked_neg() {
                Some(value) => Value::Int(value),
                None => Value::big(-num_bigint::BigInt::from(x)),
            }),
            (UnaryOp::Neg, Some(Number::Big(x))) => Ok(Value::big(-x)),
            (UnaryOp::Neg, Some(Number::Float(x))) => Ok(Value::Float(-x)),
            (UnaryOp::Neg, Some(Number::Complex(x))) => Ok(Value::Complex(Rc::new(-x))),
            (UnaryOp::Pos, Some(Number::Int(x))) => Ok(Value::Int(x)),
            (UnaryOp::Pos, Some(_)) => Ok(a.base().clone()),
            (UnaryOp::Invert, Some(Number::Int(x))) => Ok(Value::Int(!x)),
            (UnaryOp::Invert, Some(Number::Big(x))) => Ok(Value::big(-x - 1)),
            _ => Err(Halt::type_error(format!("bad operand type for unary {symbol}: '{}'", self.operand_type_name(a)))),
        }
    }

    /// The integer that a value stands for as an index (`__index__`); `None` where it is no integer.
    ///
    /// # Errors
    /// What `__index__` raises.
    pub fn try_index(self: &Rc<Self>, value: &Value) -> Step<Option<i64>> {
        Ok(match value {
            Value::Int(value) => Some(*value),
            Value::Bool(value) => Some(*value as i64),
            Value::BigInt(value) => Some(value.to_i64().unwrap_or(if value.sign() == num_bigint::Sign::Minus {
                i64::MIN
            } else {
                i64::MAX
            })),
            Value::Array(array) => match self.array_hooks()?.number(self, array, "index")? {
                Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
                number => number.as_int(),
            },
            Value::Object(object) => match object.clone().number(self, "index")? {
                Some(Value::Unknown(unknown)) => return Err(Halt::Unknown(unknown.why.clone())),
                Some(value) => value.as_int(),
                None => None,
            },
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            Value::Instance(instance) => match instance.payload() {
                Some(payload) if payload.as_int().is_some() => payload.as_int(),
                _ => match self.call_special(value, sym!("__index__"), [])? {
                    Some(index) => index.as_int(),
                    None => None,
                },
            },
            _ => None,
        })
    }

    /// The integer that a value stands for as an index.
    ///
    /// # Errors
    /// `TypeError` where it is no integer.
    pub fn index(self: &Rc<Self>, value: &Value) -> Step<i64> {
        match self.try_index(value)? {
            Some(index) => Ok(index),
            None => Err(Halt::type_error(format!(
                "'{}' object cannot be interpreted as an integer",
                self.operand_type_name(value)
            ))),
        }
    }
}

/// Whether classes have a special method only where their metaclass, which comes with their bases, says so.
fn is_of_metaclasses(name: Symbol) -> bool {
    matches!(
        name.as_str(),
        "__iter__"
            | "__len__"
            | "__contains__"
            | "__lt__"
            | "__le__"
            | "__gt__"
            | "__ge__"
            | "__neg__"
            | "__pos__"
            | "__invert__"
            | "__abs__"
            | "__round__"
            | "__setitem__"
            | "__delitem__"
            | "__int__"
            | "__float__"
            | "__index__"
            | "__next__"
            | "__reversed__"
    )
}
