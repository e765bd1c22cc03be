//! Builtin functions.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::{define_direct, define_fn, sorting};
use crate::interp::Interp;
use crate::interp::events::{Effect, Event};
use crate::interp::number::{Number, float_divmod};
use crate::interp::quick::{Plain, arithmetic};
use crate::interp::used_up::Use;
use crate::module::{BinaryOp, Symbol};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Iter, Value};

/// Adds the functions.
pub fn install(it: &Rc<Interp>) {
    define_fn(it, "print", print);
    define_direct(it, "len", (1, 1), |it, args| {
        Ok(match it.len(&args[0]) {
            Ok(len) => Value::size(len),
            Err(Halt::Unknown(why)) => {
                let counted = match &args[0] {
                    Value::List(list) => list.growing().and_then(|growing| growing.len(&why)),
                    _ => None,
                };
                counted.unwrap_or_else(|| Value::unknown_of(Guess::Int, why.0))
            }
            Err(halt) => return Err(halt),
        })
    });
    define_fn(it, "repr", |it, args| {
        let [value] = args.exactly("repr")?;
        it.repr(&value)
    });
    define_fn(it, "ascii", |it, args| {
        let [value] = args.exactly("ascii")?;
        it.repr(&value)
    });
    define_fn(it, "format", |it, args| {
        let [value, spec] = args.bind("format", ["value", "format_spec"], 1)?;
        it.format_with(&value, spec.as_str().unwrap_or_default())
    });
    define_fn(it, "id", |_, args| {
        let [value] = args.exactly("id")?;
        Ok(Value::Int(value.identity() as i64))
    });
    define_fn(it, "hash", |it, args| {
        let [value] = args.exactly("hash")?;
        let value = match &value {
            Value::Object(object) => object.plain().unwrap_or(value),
            _ => value,
        };
        Ok(match (&value, Number::of(&value)) {
            (_, Some(Number::Int(n))) => Value::Int(n),
            // Equal numbers have equal hashes.
            (_, Some(Number::Float(x))) if x.fract() == 0.0 && x.abs() < 9e18 => Value::Int(x as i64),
            // So that an object which hashes as a class does is found under it.
            (Value::Class(_), _) => Value::Int(value.identity() as i64),
            _ => match it.own_hash(&value)? {
                Some(hash) => Value::Int(hash),
                None => Value::Int((it.key(&value)?.hash >> 3) as i64),
            },
        })
    });
    define_fn(it, "callable", |it, args| {
        let [value] = args.exactly("callable")?;
        Ok(match &value {
            Value::Function(_) | Value::Native(_) | Value::Method(_) | Value::Class(_) => Value::Bool(true),
            Value::Instance(instance) => Value::Bool(instance.class().lookup(it.types.names.call).is_some()),
            Value::Object(object) => Value::Bool(object.callable()),
            Value::Unknown(unknown) if unknown.guess == Guess::Any => {
                Value::unknown_of(Guess::Bool, unknown.why.0.clone())
            }
            _ => Value::Bool(false),
        })
    });
    define_direct(it, "isinstance", (2, 2), |it, args| {
        Ok(match it.is_instance(&args[0], &args[1])? {
            Ok(is) => Value::Bool(is),
            Err(why) => Value::unknown_of(Guess::Bool, why.0),
        })
    });
    define_fn(it, "issubclass", |it, args| {
        let [class, of] = args.exactly("issubclass")?;
        issubclass(it, &class, &of)
    });
    define_fn(it, "getattr", |it, args| {
        let [value, name, default] = args.bind("getattr", ["object", "name", "default"], 2)?;
        let name = attribute_name("getattr", &name)?;
        if default.is_unbound() {
            return it.getattr(&value, name);
        }
        match it.while_catching(|| it.find_attr(&value, name)) {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Ok(default),
            Err(Halt::Raise(exception)) if it.is_attribute_error(&exception) => Ok(default),
            Err(halt) => Err(halt),
        }
    });
    define_fn(it, "hasattr", |it, args| {
        let [value, name] = args.exactly("hasattr")?;
        let name = attribute_name("hasattr", &name)?;
        // A scalar of unknown value has the attributes of its type.
        if let Value::Unknown(unknown) = &value
            && let Some(class) = it.class_of_guess(unknown.guess)
        {
            return Ok(Value::Bool(class.lookup(name).is_some()));
        }
        match it.while_catching(|| it.find_attr(&value, name)) {
            Ok(found) => Ok(Value::Bool(found.is_some())),
            Err(Halt::Raise(exception)) if it.is_attribute_error(&exception) => Ok(Value::Bool(false)),
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Bool, why.0)),
            Err(halt) => Err(halt),
        }
    });
    define_fn(it, "setattr", |it, args| {
        let [value, name, new] = args.exactly("setattr")?;
        it.setattr(&value, attribute_name("setattr", &name)?, new)?;
        Ok(Value::None)
    });
    define_fn(it, "delattr", |it, args| {
        let [value, name] = args.exactly("delattr")?;
        it.delattr(&value, attribute_name("delattr", &name)?)?;
        Ok(Value::None)
    });
    define_fn(it, "iter", |it, args| {
        let [value, sentinel] = args.bind("iter", ["object", "sentinel"], 1)?;
        if sentinel.is_unbound() {
            return it.iterate(&value);
        }
        Ok(Iter::native("callable_iterator", move |it| {
            let item = it.call_with(&value, [])?;
            match it.items_equal(&item, &sentinel)? {
                Ok(true) => Ok(None),
                Ok(false) => Ok(Some(item)),
                Err(why) => Err(Halt::Unknown(why)),
            }
        }))
    });
    define_fn(it, "next", |it, args| {
        let [iterator, default] = args.bind("next", ["iterator", "default"], 1)?;
        if it.effects.is_tracing() {
            it.moves_on(&iterator);
        }
        match it.next(&iterator)? {
            Some(item) => Ok(item),
            None if !default.is_unbound() => Ok(default),
            None => Err(it.stop_iteration(&iterator)),
        }
    });
    define_fn(it, "enumerate", |it, args| {
        let [values, start] = args.bind("enumerate", ["iterable", "start"], 1)?;
        let mut at = if start.is_unbound() { 0 } else { it.index(&start)? };
        let inner = it.iterate(&values)?;
        let remaining = remaining(&inner);
        let iterator = Iter::native("enumerate", move |it| {
            Ok(it.next(&inner)?.map(|item| {
                at += 1;
                Value::tuple([Value::Int(at - 1), item])
            }))
        });
        Ok(with_remaining(iterator, remaining))
    });
    define_fn(it, "zip", zip);
    define_fn(it, "map", map);
    define_fn(it, "filter", |it, args| {
        let [function, values] = args.exactly("filter")?;
        let inner = it.iterate(&values)?;
        Ok(Iter::native("filter", move |it| {
            while let Some(item) = it.next(&inner)? {
                let keep = match &function {
                    Value::None => item.clone(),
                    function => it.call_with(function, [item.clone()])?,
                };
                if it.truth(&keep)? {
                    return Ok(Some(item));
                }
            }
            Ok(None)
        }))
    });
    define_fn(it, "reversed", reversed);
    define_fn(it, "sorted", |it, mut args| {
        let key = args.take_keyword("key").filter(|k| !k.is_none());
        let reverse = match args.take_keyword("reverse") {
            Some(reverse) => it.truth(&reverse)?,
            None => false,
        };
        let [values] = args.exactly("sorted")?;
        let items = it.to_vec(&values)?;
        Ok(Value::list(sorting::sort(it, items, key.as_ref(), reverse)?))
    });
    define_fn(it, "sum", |it, args| {
        let [values, start] = args.bind("sum", ["iterable", "start"], 1)?;
        let mut total = if start.is_unbound() { Value::Int(0) } else { start };
        if let Value::Str(_) = total {
            return Err(Halt::type_error("sum() can't sum strings [use ''.join(seq) instead]"));
        }
        let known = match &values {
            Value::List(list) if list.why_vague().is_none() => plain_sum(&total, &list.contents().items),
            Value::Tuple(items) => plain_sum(&total, items),
            _ => None,
        };
        if let Some((count, sum)) = known {
            it.spend_several(count)?;
            return Ok(sum);
        }
        let iterator = it.iterate(&values)?;
        while let Some(item) = it.next(&iterator)? {
            it.spend()?;
            let plain = Plain::of(&total).zip(Plain::of(&item)).and_then(|(x, y)| arithmetic(BinaryOp::Add, x, y));
            total = match plain {
                Some(number) => number.into(),
                None => it.binary(BinaryOp::Add, &total, &item)?,
            };
        }
        Ok(total)
    });
    define_fn(it, "min", |it, args| extreme(it, args, "min"));
    define_fn(it, "max", |it, args| extreme(it, args, "max"));
    define_fn(it, "any", |it, args| quantified(it, args, "any", true));
    define_fn(it, "all", |it, args| quantified(it, args, "all", false));
    define_fn(it, "abs", abs);
    define_fn(it, "round", round);
    define_fn(it, "pow", |it, args| {
        let [base, exponent, modulus] = args.bind("pow", ["base", "exp", "mod"], 2)?;
        if modulus.is_unbound() || modulus.is_none() {
            return it.binary(BinaryOp::Pow, &base, &exponent);
        }
        match (Number::of(&base), Number::of(&exponent), Number::of(&modulus)) {
            (Some(base), Some(exponent), Some(modulus)) => power_modulo(&base, &exponent, &modulus),
            _ => match it.call_special(&base, sym!("__pow__"), [exponent, modulus])? {
                Some(value) => Ok(value),
                None => Err(Halt::unknown("pow with a modulus")),
            },
        }
    });
    define_fn(it, "divmod", |it, args| {
        let [a, b] = args.exactly("divmod")?;
        if let (Some(Number::Float(_)), Some(y)) | (Some(y), Some(Number::Float(_))) = (Number::of(&a), Number::of(&b))
        {
            let _ = y;
            let (x, y) =
                (Number::of(&a).map_or(Ok(0.0), |n| n.float())?, Number::of(&b).map_or(Ok(0.0), |n| n.float())?);
            if y != 0.0 {
                let (q, r) = float_divmod(x, y);
                return Ok(Value::tuple([Value::Float(q), Value::Float(r)]));
            }
        }
        if let Some(value) = it.call_special(&a, sym!("__divmod__"), [b.clone()])? {
            return Ok(value);
        }
        let quotient = it.binary(BinaryOp::FloorDiv, &a, &b)?;
        let rest = it.binary(BinaryOp::Mod, &a, &b)?;
        Ok(Value::tuple([quotient, rest]))
    });
    for (name, prefix, radix) in [("bin", "0b", 2u32), ("oct", "0o", 8), ("hex", "0x", 16)] {
        super::define(
            it,
            name,
            crate::python::NativeFn::value(name, move |it, args| {
                let [value] = args.exactly(name)?;
                let n = match &value {
                    Value::BigInt(n) => (**n).clone(),
                    value => it.index(value)?.into(),
                };
                let digits = n.magnitude().to_str_radix(radix);
                Ok(Value::from(format!("{}{prefix}{digits}", if n.sign() == Sign::Minus { "-" } else { "" })))
            }),
        );
    }
    define_fn(it, "chr", |it, args| {
        let [value] = args.exactly("chr")?;
        let n = it.index(&value)?;
        match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(c) => Ok(Value::from(c.to_string())),
            None => Err(Halt::value_error("chr() arg not in range(0x110000)")),
        }
    });
    define_fn(it, "ord", |_, args| {
        let [value] = args.exactly("ord")?;
        let text = value.as_str().unwrap_or_default();
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Ok(Value::Int(c as i64)),
            _ => Err(Halt::type_error(format!(
                "ord() expected a character, but string of length {} found",
                text.chars().count()
            ))),
        }
    });
    define_fn(it, "vars", |it, args| {
        let [value] = args.exactly("vars")?;
        it.getattr(&value, sym!("__dict__"))
    });
    define_fn(it, "dir", |_, args| {
        let [value] = args.exactly("dir")?;
        let mut names: Vec<Symbol> = Vec::new();
        let of_class = |class: &Rc<crate::python::Class>, names: &mut Vec<Symbol>| {
            for class in class.mro.borrow().iter() {
                names.extend(class.attrs.read().keys().copied());
            }
        };
        match &value {
            Value::Module(module) if !module.unit.ours => names.extend(module.names().into_iter().map(|(n, _)| n)),
            Value::Instance(instance) if instance.payload().is_none() => {
                names.extend(instance.attrs().keys().copied());
                of_class(&instance.class(), &mut names);
            }
            Value::Class(class) if !class.is_builtin() => of_class(class, &mut names),
            _ => return Err(Halt::unknown("`dir` of an object")),
        }
        names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        names.dedup();
        Ok(Value::list(names.iter().map(|n| Value::str(n.as_str())).collect()))
    });
    define_fn(it, "globals", |_, _| Err(Halt::unknown("`globals`")));
    define_fn(it, "locals", |_, _| Err(Halt::unknown("`locals`")));
    define_fn(it, "input", |_, _| Ok(Value::unknown_of(Guess::Str, "what the user types")));
    define_fn(it, "open", |it, _| {
        it.note_effect(Effect::File);
        Err(Halt::unknown("the contents of a file"))
    });
    define_fn(it, "breakpoint", |_, _| Ok(Value::None));
    define_fn(it, "exit", |_, _| Err(Halt::raise("SystemExit", "")));
    define_fn(it, "quit", |_, _| Err(Halt::raise("SystemExit", "")));
    define_fn(it, "__import__", |it, args| match args.positional.first().and_then(Value::as_str) {
        Some(name) => it.import(Symbol::from(name)),
        None => Err(Halt::type_error("__import__() argument 1 must be str")),
    });
    define_fn(it, "bytearray", |_, _| Err(Halt::unknown("bytearray")));
    define_fn(it, "memoryview", |_, _| Err(Halt::unknown("memoryview")));
}

fn attribute_name(function: &str, name: &Value) -> Step<Symbol> {
    match name {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        name => match name.as_str() {
            Some(name) => Ok(Symbol::from(name)),
            None => Err(Halt::type_error(format!("{function}(): attribute name must be string"))),
        },
    }
}

fn print(it: &Rc<Interp>, args: Args) -> Step<Value> {
    if let Some((name, _)) = args.keyword.iter().find(|(n, _)| !matches!(n.as_str(), "sep" | "end" | "file" | "flush"))
    {
        return Err(Halt::type_error(format!("'{name}' is an invalid keyword argument for print()")));
    }
    for value in &args.positional {
        // What is printed may fail, but its text is of no interest.
        match value {
            Value::Array(_) | Value::Object(_) => match it.engine.without_computing(|| it.str_of(value)) {
                Ok(_) | Err(Halt::Unknown(_)) => {}
                Err(halt) => return Err(halt),
            },
            Value::Str(_) => {}
            value => drop(it.str_of(value)?),
        }
    }
    // Under eager `grad` and `vmap` it prints at every call.
    if it.engine.is_staging()
        && let Some((site, _)) = it.user_stack.borrow().last()
    {
        it.events.note(Event::SideEffect { site: *site, effect: Effect::Print });
    }
    Ok(Value::None)
}

fn issubclass(it: &Rc<Interp>, class: &Value, of: &Value) -> Step<Value> {
    match (class, of) {
        (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) => {
            Ok(Value::unknown_of(Guess::Bool, unknown.why.0.clone()))
        }
        (Value::Class(class), Value::Class(of)) => {
            if let Some(meta) = &of.metaclass
                && let Some((check, owner)) = meta.lookup_where(sym!("__subclasscheck__"))
                && !owner.is_builtin()
            {
                let (check, first) = it.bind_found(check, &Value::Class(of.clone()), meta)?;
                return it.call_with(&check, first.into_iter().chain([Value::Class(class.clone())]));
            }
            if !class.derives(of) && class.unknown_base {
                return Ok(Value::unknown_of(Guess::Bool, "an unknown base class"));
            }
            Ok(Value::Bool(class.derives(of)))
        }
        (Value::Class(_), Value::Tuple(all)) => {
            for of in all.iter() {
                match issubclass(it, class, of)? {
                    Value::Bool(false) => {}
                    other => return Ok(other),
                }
            }
            Ok(Value::Bool(false))
        }
        (Value::Class(_), _) => {
            Err(Halt::type_error("issubclass() arg 2 must be a class, a tuple of classes, or a union"))
        }
        _ => Err(Halt::type_error("issubclass() arg 1 must be a class")),
    }
}

/// Items left of an iterator, if known.
pub fn remaining(iterator: &Value) -> Option<usize> {
    match iterator {
        Value::Iter(iter) => iter.remaining(),
        _ => None,
    }
}

/// Notes how many items an iterator has.
pub fn with_remaining(iterator: Value, remaining: Option<usize>) -> Value {
    if let (Value::Iter(iter), Some(n)) = (&iterator, remaining) {
        iter.set_remaining(n);
    }
    iterator
}

fn zip(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    let strict = match args.take_keyword("strict") {
        Some(strict) => it.truth(&strict)?,
        None => false,
    };
    let mut inner = Vec::new();
    for (i, values) in args.positional.iter().enumerate() {
        inner.push(match it.iterate(values) {
            Err(Halt::Raise(mut exception)) if exception.is_native("TypeError") => {
                let name = it.type_name(values);
                exception.edit_message(|_| format!("zip argument #{} must support iteration", i + 1));
                let _ = name;
                return Err(Halt::Raise(exception));
            }
            iterator => iterator?,
        });
    }
    let left = inner.iter().map(remaining).try_fold(usize::MAX, |least, n| n.map(|n| n.min(least)));
    let iterator = Iter::native("zip", move |it| {
        if inner.is_empty() {
            return Ok(None);
        }
        let mut items = Vec::with_capacity(inner.len());
        for (i, iterator) in inner.iter().enumerate() {
            match it.next(iterator)? {
                Some(item) => items.push(item),
                None if strict && i > 0 => {
                    let s = if i == 1 { " " } else { "s 1-" };
                    return Err(Halt::value_error(format!("zip() argument {} is shorter than argument{s}{i}", i + 1)));
                }
                None => {
                    if strict {
                        for (j, other) in inner.iter().enumerate().skip(1) {
                            if it.next(other)?.is_some() {
                                let s = if j == 1 { " " } else { "s 1-" };
                                return Err(Halt::value_error(format!(
                                    "zip() argument {} is longer than argument{s}{j}",
                                    j + 1
                                )));
                            }
                        }
                    }
                    return Ok(None);
                }
            }
        }
        Ok(Some(Value::tuple(items)))
    });
    Ok(with_remaining(iterator, left.filter(|n| *n != usize::MAX)))
}

fn map(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let mut values = args.positional.into_iter();
    let (Some(function), rest) = (values.next(), values) else {
        return Err(Halt::type_error("map() must have at least two arguments."));
    };
    let inner: Vec<Value> = rest.map(|v| it.iterate(&v)).collect::<Step<_>>()?;
    if inner.is_empty() {
        return Err(Halt::type_error("map() must have at least two arguments."));
    }
    Ok(Iter::native("map", move |it| {
        let mut items = Vec::with_capacity(inner.len());
        for iterator in &inner {
            match it.next(iterator)? {
                Some(item) => items.push(item),
                None => return Ok(None),
            }
        }
        it.call_with(&function, items).map(Some)
    }))
}

fn reversed(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value] = args.exactly("reversed")?;
    if let Some(iterator) = it.call_special(&value, sym!("__reversed__"), [])? {
        return Ok(iterator);
    }
    match value.base() {
        Value::Range(range) => {
            let n = range.len();
            let back = crate::python::Range {
                start: range.at(n - 1),
                stop: range.start - range.step.signum(),
                step: -range.step,
            };
            let back = if n == 0 { crate::python::Range { start: 0, stop: 0, step: 1 } } else { back };
            it.iterate(&Value::Range(Rc::new(back)))
        }
        Value::Iter(_) | Value::Set(_) | Value::FrozenSet(_) => {
            Err(Halt::type_error(format!("'{}' object is not reversible", it.type_name(&value))))
        }
        Value::Instance(_) if it.find_attr(&value, sym!("__getitem__"))?.is_some() => {
            let n = it.len(&value)? as i64;
            let items: Vec<Value> = (0..n).rev().map(|i| it.getitem(&value, &Value::Int(i))).collect::<Step<_>>()?;
            Ok(Iter::items("reversed", items))
        }
        _ => {
            let mut items = it.to_vec(&value)?;
            items.reverse();
            Ok(Iter::items("list_reverseiterator", items))
        }
    }
}

fn extreme(it: &Rc<Interp>, mut args: Args, name: &str) -> Step<Value> {
    let key = args.take_keyword("key").filter(|k| !k.is_none());
    let default = args.take_keyword("default");
    let single = args.positional.len() == 1;
    let items = match args.positional.len() {
        0 => return Err(Halt::type_error(format!("{name} expected at least 1 argument, got 0"))),
        1 => {
            let iterator = it.iterate(&args.positional[0])?;
            it.to_vec(&iterator)?
        }
        _ => args.positional.into_vec(),
    };
    let mut best: Option<(Value, Value)> = None;
    for item in items {
        it.spend()?;
        let rank = match &key {
            Some(key) => it.call_with(key, [item.clone()])?,
            None => item.clone(),
        };
        best = Some(match best {
            None => (rank, item),
            Some((best_rank, best_item)) => {
                let result = match name {
                    "min" => it.compare(crate::module::CompareOp::Lt, &rank, &best_rank)?,
                    _ => it.compare(crate::module::CompareOp::Gt, &rank, &best_rank)?,
                };
                match it.truth_or_unknown(&result)? {
                    Ok(true) => (rank, item),
                    Ok(false) => (best_rank, best_item),
                    Err(_) => {
                        let joined = crate::python::join_values(&best_item, &item);
                        (crate::python::join_values(&best_rank, &rank), joined)
                    }
                }
            }
        });
    }
    match (best, default) {
        (Some((_, item)), _) => Ok(item),
        (None, Some(default)) => Ok(default),
        (None, None) if single => Err(Halt::value_error(format!("{name}() arg is an empty sequence"))),
        (None, None) => unreachable!("several arguments are not empty"),
    }
}

fn quantified(it: &Rc<Interp>, args: Args, name: &str, wanted: bool) -> Step<Value> {
    let [values] = args.exactly(name)?;
    let iterator = it.iterate(&values)?;
    let mut taker = Use::Quantified { wanted, found: false, maybe: None };
    while let Some(item) = it.next(&iterator)? {
        it.spend()?;
        if taker.take(it, item)? {
            break;
        }
    }
    Ok(taker.result())
}

fn abs(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value] = args.exactly("abs")?;
    match &value {
        Value::Array(_) | Value::Object(_) => {
            if let Some(method) = it.find_attr(&value, sym!("__abs__"))? {
                return it.call_with(&method, []);
            }
        }
        Value::Unknown(unknown) => return Ok(Value::unknown_of(unknown.guess, unknown.why.0.clone())),
        Value::Instance(_) => {
            if let Some(result) = it.call_special(&value, sym!("__abs__"), [])? {
                return Ok(result);
            }
        }
        _ => {}
    }
    match Number::of(&value) {
        Some(Number::Int(n)) => {
            Ok(n.checked_abs().map_or_else(|| Value::big(num_bigint::BigInt::from(n) * -1), Value::Int))
        }
        Some(Number::Big(n)) => Ok(Value::big(num_traits::Signed::abs(&n))),
        Some(Number::Float(x)) => Ok(Value::Float(x.abs())),
        Some(Number::Complex(z)) => Ok(Value::Float(z.norm())),
        None => Err(Halt::type_error(format!("bad operand type for abs(): '{}'", it.operand_type_name(&value)))),
    }
}

fn round(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value, digits] = args.bind("round", ["number", "ndigits"], 1)?;
    if let Value::Array(_) | Value::Object(_) = &value
        && let Some(method) = it.find_attr(&value, sym!("__round__"))?
    {
        return it.call_with(&method, if digits.is_unbound() { vec![] } else { vec![digits] });
    }
    let whole = digits.is_unbound() || digits.is_none();
    match Number::of(&value) {
        Some(Number::Float(x)) if whole => {
            if x.is_nan() {
                return Err(Halt::value_error("cannot convert float NaN to integer"));
            }
            if x.is_infinite() {
                return Err(Halt::raise("OverflowError", "cannot convert float infinity to integer"));
            }
            use num_traits::FromPrimitive;
            let rounded = x.round_ties_even();
            Ok(num_bigint::BigInt::from_f64(rounded).map_or(Value::Int(0), Value::big))
        }
        Some(Number::Float(x)) => {
            let n = it.index(&digits)?;
            // Correct rounding through decimal text, as CPython does.
            if !x.is_finite() || n > 300 {
                return Ok(Value::Float(x));
            }
            if n >= 0 {
                let text = format!("{x:.*}", n as usize);
                return Ok(Value::Float(text.parse().unwrap_or(x)));
            }
            let scale = 10f64.powi((-n).min(308) as i32);
            Ok(Value::Float((x / scale).round_ties_even() * scale))
        }
        Some(n @ (Number::Int(_) | Number::Big(_))) => match if whole { 0 } else { it.index(&digits)? } {
            0.. => plain_number(n),
            digits => Ok(Value::big(round_integer(&n.big(), digits))),
        },
        _ => match it.call_special(&value, sym!("__round__"), if whole { vec![] } else { vec![digits] })? {
            Some(result) => Ok(result),
            None => match &value {
                Value::Unknown(unknown) => {
                    Ok(Value::unknown_of(if whole { Guess::Int } else { unknown.guess }, unknown.why.0.clone()))
                }
                _ => Err(Halt::type_error(format!(
                    "type {} doesn't define __round__ method",
                    it.operand_type_name(&value)
                ))),
            },
        },
    }
}

fn plain_number(n: Number) -> Step<Value> {
    Ok(match n {
        Number::Big(n) => Value::big(n),
        Number::Int(n) => Value::Int(n),
        _ => Value::None,
    })
}

/// An integer rounded to a multiple of a power of ten (`digits` is negative), halves to the even one.
fn round_integer(n: &BigInt, digits: i64) -> BigInt {
    let places = u32::try_from(-digits).unwrap_or(u32::MAX);
    // A number with fewer digits than half of that is rounded to nothing.
    if u64::from(places) > n.bits() / 3 + 2 {
        return BigInt::ZERO;
    }
    let scale = BigInt::from(10).pow(places);
    let quotient = n.div_floor(&scale);
    let twice = (n - &quotient * &scale) * 2;
    let up = twice > scale || twice == scale && quotient.bit(0);
    (quotient + i32::from(up)) * scale
}

/// `pow(base, exponent, modulus)` of integers.
fn power_modulo(base: &Number, exponent: &Number, modulus: &Number) -> Step<Value> {
    let integer = |n: &Number| matches!(n, Number::Int(_) | Number::Big(_)).then(|| n.big());
    let (Some(base), Some(exponent), Some(modulus)) = (integer(base), integer(exponent), integer(modulus)) else {
        return Err(Halt::type_error("pow() 3rd argument not allowed unless all arguments are integers"));
    };
    if modulus.sign() == Sign::NoSign {
        return Err(Halt::value_error("pow() 3rd argument cannot be 0"));
    }
    if exponent.sign() != Sign::Minus {
        return Ok(Value::big(base.modpow(&exponent, &modulus)));
    }
    match base.modinv(&modulus) {
        Some(inverse) => Ok(Value::big(inverse.modpow(&-exponent, &modulus))),
        None => Err(Halt::value_error("base is not invertible for the given modulus")),
    }
}

/// The sum of plain numbers, and how many there are; `None` where others are among them.
fn plain_sum(start: &Value, items: &[Value]) -> Option<(u32, Value)> {
    let mut total = Plain::of(start)?;
    for item in items {
        total = arithmetic(BinaryOp::Add, total, Plain::of(item)?)?;
    }
    Some((u32::try_from(items.len()).ok()?, total.into()))
}
