//! Comparisons, membership, identity; keys.

use std::cmp::Ordering;
use std::rc::Rc;

use super::clauses::MOST_BEHIND;
use super::function::Run;
use super::number::{Number, order_of};
use super::{Interp, spans};
use crate::module::{CompareOp, ExprId, Symbol};
use crate::python::class::Equality;
use crate::python::halt::{Halt, Step, Why};
use crate::python::key::values_equal;
use crate::python::{Guess, Key, Value};
use crate::repro::Op;

impl Run<'_> {
    /// A comparison, chained or not.
    pub fn compare_expr(&mut self, left: ExprId, rest: &[(CompareOp, ExprId)]) -> Step<Value> {
        if let [(op, right)] = rest {
            let left = self.eval(left)?;
            let right = self.eval(*right)?;
            if let (Value::Int(x), Value::Int(y)) = (&left, &right)
                && !matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::In | CompareOp::NotIn)
            {
                return Ok(Value::Bool(ordered(*op, x.cmp(y))));
            }
            return self.it.compare(*op, &left, &right);
        }
        let left = self.eval(left)?;
        let right = self.eval(rest[0].1)?;
        self.chained(left, right, rest)
    }

    /// A chained comparison whose first two operands are evaluated.
    pub(super) fn chained(&mut self, mut left: Value, mut right: Value, rest: &[(CompareOp, ExprId)]) -> Step<Value> {
        let mut behind = rest.iter().skip(1);
        for (op, _) in rest {
            let result = self.it.compare(*op, &left, &right)?;
            let Some((_, next)) = behind.next() else { return Ok(result) };
            match self.it.truth_or_unknown(&result)? {
                Ok(true) => left = std::mem::replace(&mut right, self.eval(*next)?),
                Ok(false) => return Ok(result),
                Err(why) => return Ok(Value::unknown_of(Guess::Bool, why.0)),
            }
        }
        unreachable!("a comparison has at least one operator")
    }
}

impl Interp {
    /// `a op b`
    ///
    /// # Errors
    /// What the comparison raises.
    pub fn compare(self: &Rc<Self>, op: CompareOp, a: &Value, b: &Value) -> Step<Value> {
        use CompareOp::*;
        match op {
            Is | IsNot => {
                if a.is_unknown() || b.is_unknown() {
                    return Ok(self.unknown_identity(op, a, b));
                }
                match !a.is(b) && may_be(a, b) {
                    true => Ok(either_object()),
                    false => Ok(Value::Bool(a.is(b) == (op == Is))),
                }
            }
            In | NotIn => {
                let found = match self.contains(b, a)? {
                    Value::Bool(found) => found,
                    other => return Ok(other),
                };
                Ok(Value::Bool(found == (op == In)))
            }
            _ => {
                let outcome = self.rich_compare(op, a, b, false);
                self.blamed(|| Op::Compare(op), &[a, b], outcome)
            }
        }
    }

    /// `a op b` where the method of the class of `a` has been asked, and does not know.
    ///
    /// # Errors
    /// What the comparison raises.
    pub(super) fn compare_behind(self: &Rc<Self>, op: CompareOp, a: &Value, b: &Value) -> Step<Value> {
        let outcome = self.rich_compare(op, a, b, true);
        self.blamed(|| Op::Compare(op), &[a, b], outcome)
    }

    fn unknown_identity(&self, op: CompareOp, a: &Value, b: &Value) -> Value {
        let (unknown, other) = match (a, b) {
            (Value::Unknown(unknown), other) | (other, Value::Unknown(unknown)) => (unknown, other),
            _ => unreachable!("one side is unknown"),
        };
        // A number or text is never None.
        if other.is_none() && unknown.guess != Guess::Any {
            return Value::Bool(op == CompareOp::IsNot);
        }
        Value::unknown_of(Guess::Bool, unknown.why.0.clone())
    }

    /// `a op b`; whether the method of the class of `a` was asked first, and does not know.
    fn rich_compare(self: &Rc<Self>, op: CompareOp, a: &Value, b: &Value, mut asked: bool) -> Step<Value> {
        use CompareOp::*;
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => return Ok(Value::Bool(ordered(op, x.cmp(y)))),
            (Value::Float(x), Value::Float(y)) => {
                // NaN is unequal to everything, and in no order.
                return Ok(Value::Bool(x.partial_cmp(y).map_or(op == NotEq, |o| ordered(op, o))));
            }
            (Value::Str(x), Value::Str(y)) if matches!(op, Eq | NotEq) => {
                return Ok(Value::Bool((op == Eq) == (x == y)));
            }
            _ => {}
        }
        if matches!(a, Value::Instance(_) | Value::Class(_)) || matches!(b, Value::Instance(_) | Value::Class(_)) {
            let (plain, reflected) = names(op);
            let right_first = match (a, b) {
                (Value::Instance(x), Value::Instance(y)) => {
                    let (x, y) = (x.class(), y.class());
                    !Rc::ptr_eq(&x, &y) && y.derives(&x)
                }
                _ => false,
            };
            let order =
                if right_first { [(b, a, reflected), (a, b, plain)] } else { [(a, b, plain), (b, a, reflected)] };
            for (receiver, other, name) in order {
                if !std::mem::take(&mut asked)
                    && let Some(value) = self.call_special(receiver, name, [other.clone()])?
                    && !matches!(value, Value::NotImplemented)
                {
                    return Ok(value);
                }
                // `str` and its like have a `__ne__` of their own, which comes before the one that asks `__eq__`.
                if name == sym!("__ne__")
                    && !matches!(receiver, Value::Instance(instance) if instance.payload().is_some())
                    && let Some(value) = self.call_special(receiver, sym!("__eq__"), [other.clone()])?
                    && !matches!(value, Value::NotImplemented)
                {
                    return match self.truth_or_unknown(&value)? {
                        Ok(equal) => Ok(Value::Bool(!equal)),
                        Err(why) => Ok(Value::unknown_of(Guess::Bool, why.0)),
                    };
                }
            }
        }
        if matches!((a, b), (Value::Instance(_), _) | (_, Value::Instance(_)))
            && let Some(value) = self.compare_views(op, a, b)?
        {
            return Ok(value);
        }
        // What has no `==` of its own is equal to itself alone.
        if matches!(op, Eq | NotEq) && !a.is(b) && may_be(a, b) {
            return Ok(either_object());
        }
        let (a, b) = (a.base(), b.base());
        // `None` has no order.
        if !matches!(op, Eq | NotEq)
            && let (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) = (a, b)
            && (a.unless_none().is_some() || b.unless_none().is_some())
        {
            let (x, y) = (a.unless_none().unwrap_or(a), b.unless_none().unwrap_or(b));
            self.unsure.set(self.unsure.get() + 1);
            return match self.rich_compare(op, x, y, false) {
                Err(Halt::Raise(_)) => Ok(Value::unknown(unknown.why.0.clone())),
                result => result,
            };
        }
        if let Some(value) = self.framework_compare(op, a, b)? {
            return Ok(value);
        }
        if let (Value::Unknown(unknown), other) | (other, Value::Unknown(unknown)) = (a, b) {
            if let Some(truth) = spans::compare(self, op, a, b) {
                return Ok(Value::Bool(truth));
            }
            let guess = if unknown.guess == Guess::Any || matches!(other, Value::Array(_) | Value::Object(_)) {
                Guess::Any
            } else {
                Guess::Bool
            };
            return Ok(Value::unknown_of(guess, unknown.why.0.clone()));
        }
        match op {
            Eq | NotEq => Ok(match self.equal(a, b)? {
                Ok(equal) => Value::Bool(equal == (op == Eq)),
                Err(why) => Value::unknown_of(Guess::Bool, why.0),
            }),
            _ => match self.order(a, b)? {
                Some(Some(ordering)) => Ok(Value::Bool(ordered(op, ordering))),
                Some(None) => Ok(Value::Bool(false)),
                None => {
                    if let (Value::Set(x) | Value::FrozenSet(x), Value::Set(y) | Value::FrozenSet(y)) = (a, b) {
                        if let Some(why) = x.why_vague().or(y.why_vague()) {
                            return Ok(Value::unknown_of(Guess::Bool, why.0));
                        }
                        let (x, y) = (x.read(), y.read());
                        return Ok(Value::Bool(match op {
                            LtE => x.is_subset(&y),
                            Lt => x.is_subset(&y) && x.len() < y.len(),
                            GtE => y.is_subset(&x),
                            _ => y.is_subset(&x) && y.len() < x.len(),
                        }));
                    }
                    Err(Halt::type_error(format!(
                        "'{}' not supported between instances of '{}' and '{}'",
                        symbol(op),
                        self.operand_type_name(a),
                        self.operand_type_name(b)
                    )))
                }
            },
        }
    }

    fn framework_compare(self: &Rc<Self>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        if matches!(a, Value::Array(_)) || matches!(b, Value::Array(_)) {
            let hooks = self.array_hooks()?;
            if let Some(value) = hooks.compare(self, op, a, b)? {
                return Ok(Some(value));
            }
        }
        if let Value::Object(object) = a
            && let Some(value) = object.clone().compare(self, op, b, false)?
        {
            return Ok(Some(value));
        }
        if let Value::Object(object) = b
            && let Some(value) = object.clone().compare(self, op, a, true)?
        {
            return Ok(Some(value));
        }
        Ok(None)
    }

    /// Whether two values are equal, items compared by their own `==`; the reason where that is not known.
    ///
    /// # Errors
    /// What a comparison of items raises.
    pub fn equal(self: &Rc<Self>, a: &Value, b: &Value) -> Step<Result<bool, crate::python::Why>> {
        use Value::*;
        let items = |x: &[Value], y: &[Value]| -> Step<Result<bool, crate::python::Why>> {
            if x.len() != y.len() {
                return Ok(Ok(false));
            }
            for (x, y) in x.iter().zip(y) {
                match self.items_equal(x, y)? {
                    Ok(true) => {}
                    other => return Ok(other),
                }
            }
            Ok(Ok(true))
        };
        match (a, b) {
            (Tuple(x), Tuple(y)) => items(x, y),
            (List(x), List(y)) => {
                if let Some(why) = x.why_vague().or(y.why_vague()) {
                    return Ok(Err(why));
                }
                if x.same(y) {
                    return Ok(Ok(true));
                }
                let (x, y) = (x.read().clone(), y.read().clone());
                items(&x, &y)
            }
            (Dict(x), Dict(y)) => {
                if let Some(why) = x.why_vague().or(y.why_vague()) {
                    return Ok(Err(why));
                }
                if x.read().len() != y.read().len() {
                    return Ok(Ok(false));
                }
                let pairs: Vec<(Value, Option<Value>)> =
                    x.read().iter().map(|(k, v)| (v.clone(), y.read().get(k).cloned())).collect();
                for (v, w) in pairs {
                    let Some(w) = w else { return Ok(Ok(false)) };
                    match self.items_equal(&v, &w)? {
                        Ok(true) => {}
                        other => return Ok(other),
                    }
                }
                Ok(Ok(true))
            }
            (Set(x) | FrozenSet(x), Set(y) | FrozenSet(y)) => {
                if x.same(y) {
                    return Ok(Ok(true));
                }
                Ok(match x.why_vague().or(y.why_vague()) {
                    Some(why) => Err(why),
                    Option::None => Ok(values_equal(a, b)),
                })
            }
            (Slice(x), Slice(y)) => items(&x[..], &y[..]),
            (Unknown(unknown), _) | (_, Unknown(unknown)) => Ok(Err(unknown.why.clone())),
            _ => Ok(Ok(values_equal(a, b))),
        }
    }

    /// `x is y or x == y`, as containers compare their items.
    ///
    /// # Errors
    /// What the comparison raises.
    pub fn items_equal(self: &Rc<Self>, x: &Value, y: &Value) -> Step<Result<bool, crate::python::Why>> {
        if x.is(y) {
            return Ok(Ok(true));
        }
        if !nests(x) || !nests(y) {
            let result = self.rich_compare(CompareOp::Eq, x, y, false)?;
            return self.truth_or_unknown(&result);
        }
        self.nested(" in comparison", || {
            let result = self.rich_compare(CompareOp::Eq, x, y, false)?;
            self.truth_or_unknown(&result)
        })
    }

    /// The order of two values of builtin types; `Some(None)` for NaN; `None` where they have no order.
    fn order(self: &Rc<Self>, a: &Value, b: &Value) -> Step<Option<Option<Ordering>>> {
        use Value::*;
        if let (Some(x), Some(y)) = (Number::of(a), Number::of(b)) {
            return Ok(match (&x, &y) {
                (Number::Complex(_), _) | (_, Number::Complex(_)) => Option::None,
                (Number::Int(x), Number::Int(y)) => Some(Some(x.cmp(y))),
                (Number::Big(x), Number::Big(y)) => Some(Some(x.cmp(y))),
                (Number::Big(x), Number::Int(y)) => Some(Some(x.cmp(&(*y).into()))),
                (Number::Int(x), Number::Big(y)) => Some(Some(num_bigint::BigInt::from(*x).cmp(y))),
                (Number::Float(x), Number::Float(y)) => Some(x.partial_cmp(y)),
                (Number::Float(x), whole) => Some(order_of(&whole.big(), *x).map(Ordering::reverse)),
                (whole, Number::Float(y)) => Some(order_of(&whole.big(), *y)),
            });
        }
        let sequence = |x: &[Value], y: &[Value]| -> Step<Option<Option<Ordering>>> {
            for (x, y) in x.iter().zip(y) {
                match self.items_equal(x, y)? {
                    Ok(true) => continue,
                    Ok(false) => {
                        let less = self.nested(" in comparison", || self.rich_compare(CompareOp::Lt, x, y, false))?;
                        return match self.truth_or_unknown(&less)? {
                            Ok(true) => Ok(Some(Some(Ordering::Less))),
                            Ok(false) => Ok(Some(Some(Ordering::Greater))),
                            Err(why) => Err(Halt::Unknown(why)),
                        };
                    }
                    Err(why) => return Err(Halt::Unknown(why)),
                }
            }
            Ok(Some(Some(x.len().cmp(&y.len()))))
        };
        match (a, b) {
            (Str(x), Str(y)) => Ok(Some(Some(x.cmp(y)))),
            (Bytes(x), Bytes(y)) => Ok(Some(Some(x.cmp(y)))),
            (Tuple(x), Tuple(y)) => sequence(x, y),
            (List(x), List(y)) => {
                if let Some(why) = x.why_vague().or(y.why_vague()) {
                    return Err(Halt::Unknown(why));
                }
                let (x, y) = (x.read().clone(), y.read().clone());
                sequence(&x, &y)
            }
            _ => Ok(Option::None),
        }
    }

    /// `a < b`, for sorting.
    ///
    /// # Errors
    /// What the comparison raises; unknown where its truth is.
    pub fn less(self: &Rc<Self>, a: &Value, b: &Value) -> Step<bool> {
        let result = self.rich_compare(CompareOp::Lt, a, b, false)?;
        self.truth(&result)
    }

    /// `item in container`; unknown as an unknown value.
    ///
    /// # Errors
    /// What the comparison raises.
    pub fn contains(self: &Rc<Self>, container: &Value, item: &Value) -> Step<Value> {
        if let Some(view) = self.fresh_view(container)? {
            return self.contains(&view, item);
        }
        if let Value::Instance(_) | Value::Class(_) = container
            && let Some(value) = self.call_special(container, sym!("__contains__"), [item.clone()])?
        {
            return match self.truth_or_unknown(&value)? {
                Ok(found) => Ok(Value::Bool(found)),
                Err(why) => Ok(Value::unknown_of(Guess::Bool, why.0)),
            };
        }
        let vague = |why: crate::python::Why| Ok(Value::unknown_of(Guess::Bool, why.0));
        match (container.base(), item) {
            (Value::Unknown(unknown), _) => match self.of_meant(unknown, |held| self.contains(held, item)) {
                Err(Halt::Unknown(why)) => vague(why),
                result => result,
            },
            (Value::Str(text), _) => match item {
                Value::Unknown(unknown) => vague(unknown.why.clone()),
                _ => match item.as_str() {
                    Some(piece) => Ok(Value::Bool(text.contains(piece))),
                    None => Err(Halt::type_error(format!(
                        "'in <string>' requires string as left operand, not {}",
                        self.type_name(item)
                    ))),
                },
            },
            (Value::Bytes(bytes), _) => match item.base() {
                Value::Unknown(unknown) => vague(unknown.why.clone()),
                Value::Bytes(piece) => {
                    let found = piece.is_empty() || bytes.windows(piece.len()).any(|window| *window == piece[..]);
                    Ok(Value::Bool(found))
                }
                item => match self.try_index(item)? {
                    Some(byte) => Ok(Value::Bool(bytes.iter().any(|b| i64::from(*b) == byte))),
                    None => Err(Halt::type_error(format!(
                        "a bytes-like object is required, not '{}'",
                        self.operand_type_name(item)
                    ))),
                },
            },
            (Value::Dict(dict), _) => {
                if let Value::Unknown(unknown) = item {
                    return vague(unknown.why.clone());
                }
                let key = self.key(item)?;
                let found = dict.read().contains_key(&key);
                match dict.why_vague() {
                    Some(why) if !found => vague(why),
                    _ => Ok(Value::Bool(found)),
                }
            }
            (Value::Set(set) | Value::FrozenSet(set), _) => {
                if let Value::Unknown(unknown) = item {
                    return vague(unknown.why.clone());
                }
                let key = self.key(item)?;
                match set.why_vague() {
                    Some(why) => vague(why),
                    None => Ok(Value::Bool(set.read().contains(&key))),
                }
            }
            (Value::Range(range), Value::Int(value)) => {
                let offset = *value as i128 - range.start as i128;
                let step = range.step as i128;
                let inside = offset % step == 0 && offset / step >= 0 && offset / step < range.len() as i128;
                Ok(Value::Bool(inside))
            }
            (Value::Array(_), _) => {
                let method = self.getattr(container, sym!("__contains__"))?;
                let found = self.call_with(&method, [item.clone()])?;
                match self.truth_or_unknown(&found)? {
                    Ok(found) => Ok(Value::Bool(found)),
                    Err(why) => Ok(Value::unknown_of(Guess::Bool, why.0)),
                }
            }
            (Value::Object(_), _) => {
                if let Some(method) = self.find_attr(container, sym!("__contains__"))? {
                    return self.call_with(&method, [item.clone()]);
                }
                self.contains_by_iteration(container, item)
            }
            _ => self.contains_by_iteration(container, item),
        }
    }

    fn contains_by_iteration(self: &Rc<Self>, container: &Value, item: &Value) -> Step<Value> {
        let iterator = match self.while_catching(|| self.iterate(container)) {
            Ok(iterator) => iterator,
            Err(Halt::Raise(_)) => {
                return Err(Halt::type_error(format!(
                    "argument of type '{}' is not iterable",
                    self.operand_type_name(container)
                )));
            }
            Err(halt) => return Err(halt),
        };
        let mut maybe = None;
        let look = |maybe: &mut Option<Why>, most: usize| {
            for _ in 0..most {
                self.spend_more(4)?;
                match self.next(&iterator) {
                    Ok(Some(candidate)) => match self.items_equal(&candidate, item)? {
                        Ok(true) => return Ok(true),
                        Ok(false) => {}
                        Err(why) => {
                            if maybe.replace(why).is_none() {
                                return Ok(false);
                            }
                        }
                    },
                    Ok(None) => return Ok(false),
                    Err(Halt::Unknown(why)) => {
                        maybe.replace(why);
                        return Ok(false);
                    }
                    Err(halt) => return Err(halt),
                }
            }
            Ok(false)
        };
        let mut found = look(&mut maybe, usize::MAX)?;
        if !found && maybe.is_some() {
            found = self.perhaps_on(&iterator, || look(&mut maybe, MOST_BEHIND))? == Some(true);
        }
        Ok(match maybe {
            Some(why) if !found => Value::unknown_of(Guess::Bool, why.0),
            _ => Value::Bool(found),
        })
    }

    /// What an object's class computes as its hash; `None` where the class leaves that to its base.
    ///
    /// # Errors
    /// What `__hash__` raises; unknown where it gives something that is not known.
    pub fn own_hash(self: &Rc<Self>, value: &Value) -> Step<Option<i64>> {
        let Value::Instance(instance) = value else { return Ok(None) };
        let class = instance.class();
        // A field may be what is not hashed, or be no attribute of the instance's own: the class's code says so.
        if !matches!(class.equality(), Equality::Custom | Equality::Unhashable | Equality::Fields(_)) {
            return Ok(None);
        }
        let Some((method, owner)) = class.lookup_where(sym!("__hash__")) else { return Ok(None) };
        if owner.is_builtin() || method.is_none() {
            return Ok(None);
        }
        match self.call_with(&method, [value.clone()])? {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            Value::BigInt(big) => {
                use num_traits::ToPrimitive;
                Ok((&*big & num_bigint::BigInt::from(u64::MAX >> 1)).to_i64())
            }
            hash => match hash.as_int() {
                Some(hash) => Ok(Some(hash)),
                None => Err(Halt::type_error("__hash__ method should return an integer")),
            },
        }
    }

    /// Finds out the numbers in a value that it hashes as.
    fn settle(self: &Rc<Self>, value: &Value) -> Step<()> {
        match value {
            Value::Object(object) => object.settle(self),
            Value::Tuple(items) => items.iter().try_for_each(|item| self.settle(item)),
            Value::Instance(instance) => match instance.payload() {
                Some(payload @ Value::Tuple(_)) => self.settle(payload),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The key of a value: what dicts and sets file it under.
    ///
    /// # Errors
    /// `TypeError` for an unhashable value; unknown for one that is not known.
    pub fn key(self: &Rc<Self>, value: &Value) -> Step<Key> {
        if let Value::Instance(instance) = value
            && instance.stands_for_others()
            && instance.payload().is_none()
        {
            return match self.own_hash(value)? {
                Some(hash) => self.key_of_own(value, hash),
                None => Err(Halt::unknown(EITHER)),
            };
        }
        if let Some(key) = Key::of(value) {
            return Ok(key);
        }
        self.settle(value)?;
        if let Some(key) = Key::of(value) {
            return Ok(key);
        }
        if let Some(hash) = self.own_hash(value)? {
            return self.key_of_own(value, hash);
        }
        // Find the part that is to blame.
        match value {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            Value::Array(array) => {
                let hash = self.array_hooks()?.hash(self, array)?;
                Ok(Key::hashed(value.clone(), hash))
            }
            Value::Tuple(items) => {
                // A tuple with an instance that hashes by its own code.
                let mut hash = 17i64;
                for item in items.iter() {
                    hash = hash.wrapping_mul(1_000_003).wrapping_add(self.key(item)?.hash as i64);
                }
                Ok(Key::hashed(value.clone(), hash))
            }
            // What it holds is one of several texts or numbers.
            Value::Instance(instance) if let Some(Value::Unknown(unknown)) = instance.payload() => {
                Err(Halt::Unknown(unknown.why.clone()))
            }
            // A named tuple with such an instance in it hashes as a tuple.
            Value::Instance(instance) if let Some(Value::Tuple(items)) = instance.payload() => {
                let key = self.key(&Value::Tuple(items.clone()))?;
                Ok(Key { value: value.clone(), ..key })
            }
            other => Err(Halt::type_error(format!("unhashable type: '{}'", self.operand_type_name(other)))),
        }
    }
}

/// Why it is not known whether two objects are one.
const EITHER: &str = "which of several objects it is";

fn either_object() -> Value {
    Value::unknown_of(Guess::Bool, EITHER)
}

/// Whether two values may be one object, though they are not the same.
fn may_be(a: &Value, b: &Value) -> bool {
    matches!((a, b), (Value::Instance(x), Value::Instance(y)) if x.may_be(y))
}

fn ordered(op: CompareOp, ordering: Ordering) -> bool {
    match op {
        CompareOp::Eq => ordering.is_eq(),
        CompareOp::NotEq => ordering.is_ne(),
        CompareOp::Lt => ordering.is_lt(),
        CompareOp::LtE => ordering.is_le(),
        CompareOp::Gt => ordering.is_gt(),
        CompareOp::GtE => ordering.is_ge(),
        _ => false,
    }
}

/// How a comparison is written.
pub fn symbol(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::NotEq => "!=",
        CompareOp::Lt => "<",
        CompareOp::LtE => "<=",
        CompareOp::Gt => ">",
        CompareOp::GtE => ">=",
        CompareOp::Is => "is",
        CompareOp::IsNot => "is not",
        CompareOp::In => "in",
        CompareOp::NotIn => "not in",
    }
}

fn names(op: CompareOp) -> (Symbol, Symbol) {
    match op {
        CompareOp::Eq => (sym!("__eq__"), sym!("__eq__")),
        CompareOp::NotEq => (sym!("__ne__"), sym!("__ne__")),
        CompareOp::Lt => (sym!("__lt__"), sym!("__gt__")),
        CompareOp::LtE => (sym!("__le__"), sym!("__ge__")),
        CompareOp::Gt => (sym!("__gt__"), sym!("__lt__")),
        _ => (sym!("__ge__"), sym!("__le__")),
    }
}

/// The name of the method that stands for a comparison; `None` where it is no matter of the left side's class alone.
pub(super) fn method_of_comparison(op: CompareOp) -> Option<Symbol> {
    match op {
        CompareOp::Is | CompareOp::IsNot | CompareOp::In | CompareOp::NotIn => None,
        op => Some(names(op).0),
    }
}

/// Whether a comparison of this value compares items.
fn nests(value: &Value) -> bool {
    matches!(value, Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Slice(_))
}
