//! Builtin functions.

use std::rc::Rc;

use super::texts::character;
use super::{define_direct, define_fn, sorting};
use crate::frameworks::python::files;
use crate::interp::Interp;
use crate::interp::clauses::MOST_BEHIND;
use crate::interp::events::Effect;
use crate::interp::quick::{Plain, arithmetic, comparison};
use crate::interp::used_up::Use;
use crate::module::{BinaryOp, CompareOp, Symbol};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Dict, Guess, Iter, Value};

/// Adds the functions.
pub fn install(it: &Rc<Interp>) {
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
        let text = it.repr(&value)?;
        let Some(shown) = text.as_str().filter(|shown| !shown.is_ascii()) else { return Ok(text) };
        let escaped = |c: char| match c as u32 {
            0..0x80 => c.to_string(),
            code @ 0x80..0x100 => format!("\\x{code:02x}"),
            code @ 0x100..0x1_0000 => format!("\\u{code:04x}"),
            code => format!("\\U{code:08x}"),
        };
        Ok(Value::from(shown.chars().map(escaped).collect::<String>()))
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
        if let Some(hash) = super::hashes::certain_hash(value.base()) {
            return Ok(Value::Int(hash));
        }
        Ok(match &value {
            // So that an object which hashes as a class does is found under it.
            Value::Class(_) => Value::Int(value.identity() as i64),
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
        if let Value::Unknown(unknown) = &value
            && unknown.or_none.is_some()
        {
            return Err(Halt::Unknown(unknown.why.clone()));
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
        match it.while_catching(|| it.find_attr(&value.without_or_none(), name)) {
            Ok(found) => Ok(Value::Bool(found.is_some())),
            Err(Halt::Raise(exception)) if it.is_attribute_error(&exception) => Ok(Value::Bool(false)),
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Bool, why.0)),
            Err(halt) => Err(halt),
        }
    });
    define_fn(it, "setattr", |it, args| {
        let [value, name, new] = args.exactly("setattr")?;
        it.setattr(&value, changed_attribute("setattr", &value, &name)?, new)?;
        Ok(Value::None)
    });
    define_fn(it, "delattr", |it, args| {
        let [value, name] = args.exactly("delattr")?;
        it.delattr(&value, changed_attribute("delattr", &value, &name)?)?;
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
    define_direct(it, "next", (1, 2), |it, args| {
        let iterator = &args[0];
        if it.effects.is_tracing() {
            it.moves_on(iterator);
        }
        match it.next(iterator)? {
            Some(item) => Ok(item),
            None => args.get(1).cloned().ok_or_else(|| it.stop_iteration(iterator)),
        }
    });
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
    define_fn(it, "chr", |it, args| {
        let [value] = args.exactly("chr")?;
        let n = it.index(&value)?;
        match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(c) => Ok(character(c)),
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
    define_fn(it, "dir", |it, args| {
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
            Value::Class(class) if !class.is_builtin() && !it.is_of_ours(class) => of_class(class, &mut names),
            _ => return Err(Halt::unknown("`dir` of an object")),
        }
        names.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        names.dedup();
        Ok(Value::list(names.iter().map(|n| Value::str(n.as_str())).collect()))
    });
    define_fn(it, "globals", |_, _| Err(Halt::unknown("`globals`")));
    define_fn(it, "locals", |_, _| Err(Halt::unknown("`locals`")));
    define_fn(it, "input", |_, _| Ok(Value::unknown_of(Guess::Str, "what the user types")));
    define_fn(it, "open", |it, args| {
        it.note_effect(Effect::File);
        files::open(it, &args)
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

/// The name of an attribute that is set or deleted; where it is not known, any attribute may be.
fn changed_attribute(function: &str, value: &Value, name: &Value) -> Step<Symbol> {
    if let Value::Unknown(unknown) = name {
        match value {
            Value::Instance(instance) => Dict::view_of(instance.attrs_cell()).forget(unknown.why.clone()),
            Value::Module(module) => Dict::globals_of(module).forget(unknown.why.clone()),
            Value::Class(class) => class.is_open.set(true),
            _ => {}
        }
    }
    attribute_name(function, name)
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

fn issubclass(it: &Rc<Interp>, class: &Value, of: &Value) -> Step<Value> {
    match (class, of) {
        (Value::Unknown(unknown), _) | (_, Value::Unknown(unknown)) => {
            Ok(Value::unknown_of(Guess::Bool, unknown.why.0.clone()))
        }
        // Classes of Python's that are functions here.
        (Value::Native(_), Value::Native(_)) if it.is_native_class(class) && it.is_native_class(of) => {
            Ok(Value::Bool(of.is(class)))
        }
        (Value::Native(native), Value::Class(_)) if it.is_native_class(class) => {
            issubclass(it, &Value::Class(it.class_of_native(native)), of)
        }
        // A class of the program's that derives from one does not say so.
        (Value::Class(class), Value::Native(_)) if it.is_native_class(of) => Ok(match class.is_builtin() {
            true => Value::Bool(Value::Class(class.clone()).is(of)),
            false => Value::unknown_of(Guess::Bool, "whether a class derives from a builtin one"),
        }),
        (Value::Class(class), Value::Class(of)) => {
            if let Some(meta) = &of.metaclass
                && let Some((check, owner)) = meta.lookup_where(sym!("__subclasscheck__"))
                && !owner.is_builtin()
            {
                let (check, first) = it.bind_found(check, &Value::Class(of.clone()), meta)?;
                return it.call_with(&check, first.into_iter().chain([Value::Class(class.clone())]));
            }
            if !class.derives(of) && class.may_have_more() {
                return Ok(Value::unknown_of(Guess::Bool, "an unknown base class"));
            }
            Ok(Value::Bool(class.derives(of)))
        }
        (Value::Class(_) | Value::Native(_), Value::Tuple(all)) => {
            for of in all.iter() {
                match issubclass(it, class, of)? {
                    Value::Bool(false) => {}
                    other => return Ok(other),
                }
            }
            Ok(Value::Bool(false))
        }
        (Value::Class(_), Value::Instance(_)) if let Some(check) = it.find_attr(of, sym!("__subclasscheck__"))? => {
            it.call_with(&check, [class.clone()])
        }
        (Value::Class(_), _) => {
            Err(Halt::type_error("issubclass() arg 2 must be a class, a tuple of classes, or a union"))
        }
        // A framework's type that is an object here (`jnp.float32`).
        (Value::Instance(_), Value::Class(of))
            if it.is_instance(class, &Value::Class(it.types.type_.clone()))? == Ok(true) =>
        {
            Ok(Value::Bool(Rc::ptr_eq(of, &it.types.object)))
        }
        _ => Err(Halt::type_error("issubclass() arg 1 must be a class")),
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
                let op = if name == "min" { CompareOp::Lt } else { CompareOp::Gt };
                let is_better = match (Plain::of(&rank), Plain::of(&best_rank)) {
                    (Some(rank), Some(best)) => comparison(op, rank, best),
                    _ => None,
                };
                let is_better = match is_better {
                    Some(is_better) => Ok(is_better),
                    None => it.truth_or_unknown(&it.compare(op, &rank, &best_rank)?)?,
                };
                match is_better {
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
    drop(values);
    let mut taker = Use::Quantified { wanted, found: false, maybe: None };
    let take = |taker: &mut Use, most: usize| {
        for _ in 0..most {
            it.spend()?;
            let Some(item) = it.next(&iterator)? else { break };
            if taker.take(it, item)? {
                break;
            }
        }
        Ok(())
    };
    take(&mut taker, usize::MAX)?;
    if taker.why_maybe().is_some() {
        it.perhaps_on(&iterator, || take(&mut taker, MOST_BEHIND))?;
    }
    Ok(taker.result())
}

/// The sum of plain numbers, and how many there are; `None` where others are among them.
pub(super) fn plain_sum(start: &Value, items: &[Value]) -> Option<(u32, Value)> {
    let count = u32::try_from(items.len()).ok()?;
    let mut rest = items.iter();
    let mut total = Plain::of(start)?;
    // Integers and truths, mostly.
    if let (Value::Int(start), false) = (start, items.is_empty()) {
        let mut sum = *start;
        loop {
            let number = match rest.as_slice().first() {
                Some(Value::Int(number)) => *number,
                Some(Value::Bool(truth)) => i64::from(*truth),
                _ => break,
            };
            sum = sum.checked_add(number)?;
            rest.next();
        }
        total = Plain::int(sum);
    }
    for item in rest {
        total = arithmetic(BinaryOp::Add, total, Plain::of(item)?)?;
    }
    Some((count, total.into()))
}
