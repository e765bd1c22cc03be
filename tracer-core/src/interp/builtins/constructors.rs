//! Constructors of builtin types: `int(x)`, `list(xs)` and the like, also for the program's subclasses of them.

use std::rc::Rc;

use num_bigint::BigInt;
use num_complex::Complex64;
use num_traits::FromPrimitive;

use super::object::class_argument;
use super::{codecs, define, define_static};
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::python::container::{DictItems, SetItems};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Dict, Guess, Instance, List, NativeFn, Range, Set, Unknown, Value};

/// Adds the constructors.
pub fn install(it: &Rc<Interp>) {
    let t = &it.types;
    define_static(&t.int, "__new__", |it, args| construct(it, args, "int", int));
    define_static(&t.float, "__new__", |it, args| construct(it, args, "float", float));
    define_static(&t.complex, "__new__", |it, args| construct(it, args, "complex", complex));
    define_static(&t.bool_, "__new__", |it, args| construct(it, args, "bool", bool_));
    define_static(&t.str_, "__new__", |it, args| construct(it, args, "str", str_));
    define_static(&t.bytes, "__new__", |it, args| construct(it, args, "bytes", bytes));
    define_static(&t.tuple, "__new__", |it, args| construct(it, args, "tuple", tuple));
    define_static(&t.function, "__new__", function);
    define_static(&t.list, "__new__", |it, args| construct(it, args, "list", list));
    define_static(&t.dict, "__new__", |it, args| construct(it, args, "dict", dict));
    define_static(&t.set, "__new__", |it, args| {
        construct(it, args, "set", |it, args| Ok(Value::Set(set(it, args, "set")?)))
    });
    define_static(&t.frozenset, "__new__", |it, args| {
        construct(it, args, "frozenset", |it, args| Ok(Value::FrozenSet(set(it, args, "frozenset")?)))
    });
    define_static(&t.range, "__new__", |it, args| construct(it, args, "range", range));
    define_static(&t.slice, "__new__", |it, args| construct(it, args, "slice", slice));
    // Constructors of list and dict subclasses run again as `__init__`: `super().__init__(items)`.
    super::define_method(&t.list, "__init__", |it, args| refill(it, args, "list"));
    super::define_method(&t.dict, "__init__", |it, args| refill(it, args, "dict"));
    super::define_method(&t.set, "__init__", |it, args| refill(it, args, "set"));
    let none_type = Value::Class(t.none.clone());
    define(it, "NoneType", none_type);
    t.dict.attrs.write().insert(
        "fromkeys".into(),
        class_method(it, |it, mut args| {
            if !args.positional.is_empty() {
                args.positional.remove(0);
            }
            let [keys, value] = args.bind("fromkeys", ["iterable", "value"], 1)?;
            let value = if value.is_unbound() { Value::None } else { value };
            let mut items = DictItems::default();
            for key in it.to_vec(&keys)? {
                items.insert(it.key(&key)?, value.clone());
            }
            Ok(Value::Dict(Dict::new(items)))
        }),
    );
}

/// A class method of a builtin type.
pub fn class_method(it: &Rc<Interp>, body: fn(&Rc<Interp>, Args) -> Step<Value>) -> Value {
    let method = Instance::new(it.types.classmethod.clone());
    method.set(it.types.names.func, NativeFn::value("classmethod", body));
    Value::Instance(method)
}

/// Makes the builtin value, and wraps it for a subclass.
fn construct(it: &Rc<Interp>, mut args: Args, name: &str, make: fn(&Rc<Interp>, Args) -> Step<Value>) -> Step<Value> {
    let class: Rc<Class> = class_argument(&mut args, name)?;
    if class.is_builtin() {
        return make(it, args);
    }
    // NumPy's scalars of bytes may be made of texts.
    if name == "bytes"
        && class.module.as_str() == "numpy"
        && let [text] = &mut args.positional[..]
        && let Some(bytes) = text.as_str().map(|text| Rc::from(text.as_bytes()))
    {
        *text = Value::Bytes(bytes);
    }
    // A subclass with its own `__init__` may take arguments that the builtin does not.
    let own_init = class.lookup_where(it.types.names.init).is_some_and(|(_, owner)| !owner.is_builtin());
    let payload = match name {
        "list" | "dict" | "set" if own_init => make(it, Args::none())?,
        _ => make(it, args)?,
    };
    match payload {
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        payload => Ok(Value::Instance(Instance::with_payload(class, payload))),
    }
}

/// `types.FunctionType(code, globals, …)`: of the code of a function, with its variables where there is no `closure`.
fn function(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let names = ["cls", "code", "globals", "name", "argdefs", "closure"];
    let [_, code, _, name, defaults, closure] = args.bind("function", names, 3)?;
    let Value::Function(function) = it.getattr(&code, sym!("_function"))? else {
        return Err(Halt::unknown("code of what is no function"));
    };
    let defaults = match &defaults {
        Value::Tuple(items) => items.iter().cloned().collect(),
        _ => Box::default(),
    };
    let captured = match closure.is_unbound() {
        true => function.captured.clone(),
        false => super::cell::captured(&function, &closure)?,
    };
    let copy = function.copy(defaults, captured);
    if name.as_str().is_some() {
        copy.attrs().write().insert(sym!("__name__"), name);
    }
    Ok(Value::Function(Rc::new(copy)))
}

fn refill(it: &Rc<Interp>, mut args: Args, name: &str) -> Step<Value> {
    let receiver = if args.positional.is_empty() { Value::None } else { args.positional.remove(0) };
    match receiver.base() {
        Value::List(target) if !matches!(receiver, Value::List(_)) || !args.positional.is_empty() => {
            let Value::List(new) = list(it, args)? else { return Ok(Value::None) };
            match new.why_vague() {
                Some(why) => target.forget(why),
                None => target.set(new.read().clone()),
            }
        }
        Value::Dict(target) => {
            let Value::Dict(new) = dict(it, args)? else { return Ok(Value::None) };
            it.update_dict(target, &Value::Dict(new))?;
        }
        Value::Set(target) => {
            let new = set(it, args, name)?;
            let items = new.read().clone();
            target.write().extend(items);
        }
        _ => {}
    }
    Ok(Value::None)
}

fn first(args: Args, name: &str) -> Step<Option<Value>> {
    if !args.keyword.is_empty() {
        return Err(Halt::type_error(format!("{name}() takes no keyword arguments")));
    }
    let given = args.positional.len();
    if given > 1 {
        return Err(Halt::type_error(format!("{name} expected at most 1 argument, got {given}")));
    }
    Ok(args.positional.into_iter().next())
}

fn int(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value, base] = args.bind("int", ["x", "base"], 0)?;
    match &value {
        Value::Unbound => return Ok(Value::Int(0)),
        Value::Unknown(unknown) => return Ok(Value::unknown_of(Guess::Int, unknown.why.0.clone())),
        Value::Array(array) => return or_unknown(it.array_hooks()?.number(it, array, "int"), Guess::Int),
        Value::Object(object) => {
            if let Some(number) = object.clone().number(it, "int")? {
                return Ok(number);
            }
        }
        Value::Instance(_) => {
            for method in [sym!("__int__"), sym!("__index__"), sym!("__trunc__")] {
                if let Some(number) = it.call_special(&value, method, [])? {
                    return Ok(number);
                }
            }
        }
        _ => {}
    }
    if let Some(text) = value.as_str() {
        let radix = if base.is_unbound() { 10 } else { it.index(&base)? };
        return parse_int(text, radix);
    }
    if let Value::Bytes(bytes) = value.base() {
        let radix = if base.is_unbound() { 10 } else { it.index(&base)? };
        let text = std::str::from_utf8(bytes).map_err(|_| Halt::unknown("an integer of bytes that are no text"))?;
        let shown = || it.repr(&value).ok().and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default();
        return parse_int(text, radix).map_err(|halt| match halt {
            Halt::Raise(_) => Halt::value_error(format!("invalid literal for int() with base {radix}: {}", shown())),
            halt => halt,
        });
    }
    if !base.is_unbound() {
        return Err(Halt::type_error("int() can't convert non-string with explicit base"));
    }
    match Number::of(&value) {
        Some(Number::Int(n)) => Ok(Value::Int(n)),
        Some(Number::Big(n)) => Ok(Value::big(n)),
        Some(Number::Float(x)) if x.is_nan() => Err(Halt::value_error("cannot convert float NaN to integer")),
        Some(Number::Float(x)) if x.is_infinite() => {
            Err(Halt::raise("OverflowError", "cannot convert float infinity to integer"))
        }
        Some(Number::Float(x)) => Ok(BigInt::from_f64(x.trunc()).map_or(Value::Int(0), Value::big)),
        _ => Err(Halt::type_error(format!(
            "int() argument must be a string, a bytes-like object or a real number, not '{}'",
            it.operand_type_name(&value)
        ))),
    }
}

/// A number that is not known is still a number.
fn or_unknown(result: Step<Value>, guess: Guess) -> Step<Value> {
    match result {
        Err(Halt::Unknown(why)) => Ok(Value::unknown_of(guess, why.0)),
        result => result,
    }
}

/// Python's own limit of the decimal digits of an integer that is read or printed.
pub const MOST_DIGITS: usize = 4300;

fn parse_int(text: &str, radix: i64) -> Step<Value> {
    let bad = || {
        Halt::value_error(format!(
            "invalid literal for int() with base {radix}: {}",
            crate::interp::format::str_repr(text)
        ))
    };
    if !text.is_ascii() {
        // Digits of other scripts are digits, too.
        return Err(Halt::unknown("an integer in another script"));
    }
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    // One sign, and underscores between digits alone.
    if digits.starts_with(['-', '+', '_']) || digits.ends_with('_') || digits.contains("__") {
        return Err(bad());
    }
    let digits = digits.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    let prefixed =
        |p: &str, r: i64| lower.strip_prefix(p).filter(|_| radix == 0 || radix == r).map(|d| (d.to_owned(), r));
    // Without a prefix to tell the base, nothing but zeros begins with one; a sign stands before all of it.
    let octal_of_old = radix == 0 && lower.len() > 1 && lower.starts_with('0') && lower.bytes().any(|b| b != b'0');
    let (digits, radix_used) = prefixed("0x", 16)
        .or_else(|| prefixed("0o", 8))
        .or_else(|| prefixed("0b", 2))
        .unwrap_or((lower.clone(), if radix == 0 { 10 } else { radix }));
    if digits.starts_with(['-', '+']) || octal_of_old && digits == lower {
        return Err(bad());
    }
    if digits.len() > MOST_DIGITS && !u32::try_from(radix_used).is_ok_and(u32::is_power_of_two) {
        return Err(Halt::value_error(format!(
            "Exceeds the limit ({MOST_DIGITS} digits) for integer string conversion: value has {} digits; use \
             sys.set_int_max_str_digits() to increase the limit",
            digits.len()
        )));
    }
    let parsed = u32::try_from(radix_used)
        .ok()
        .filter(|r| (2..=36).contains(r))
        .and_then(|r| BigInt::parse_bytes(digits.as_bytes(), r));
    match parsed {
        Some(n) => Ok(Value::big(if negative { -n } else { n })),
        None => Err(bad()),
    }
}

fn float(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let Some(value) = first(args, "float")? else { return Ok(Value::Float(0.0)) };
    match &value {
        Value::Unknown(unknown) => return Ok(Value::unknown_of(Guess::Float, unknown.why.0.clone())),
        Value::Array(array) => return or_unknown(it.array_hooks()?.number(it, array, "float"), Guess::Float),
        Value::Object(object) => {
            if let Some(number) = object.clone().number(it, "float")? {
                return Ok(number);
            }
        }
        Value::Instance(_) => {
            for method in [sym!("__float__"), sym!("__index__")] {
                if let Some(number) = it.call_special(&value, method, [])? {
                    return Ok(number);
                }
            }
        }
        _ => {}
    }
    if let Some(text) = value.as_str() {
        let clean = text.trim().replace('_', "").to_ascii_lowercase();
        let parsed = match clean.trim_start_matches(['+', '-']) {
            "inf" | "infinity" => Ok(f64::INFINITY),
            "nan" => Ok(crate::python::key::fresh_nan()),
            _ => clean.parse::<f64>(),
        };
        return match parsed {
            Ok(x) if clean.starts_with('-') && x > 0.0 => Ok(Value::Float(-x)),
            Ok(x) => Ok(Value::Float(x)),
            Err(_) => Err(Halt::value_error(format!(
                "could not convert string to float: {}",
                crate::interp::format::str_repr(text)
            ))),
        };
    }
    match Number::of(&value) {
        Some(number) => Ok(Value::Float(number.float()?)),
        None => Err(Halt::type_error(format!(
            "float() argument must be a string or a real number, not '{}'",
            it.operand_type_name(&value)
        ))),
    }
}

fn complex(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [re, im] = args.bind("complex", ["real", "imag"], 0)?;
    if let Some(text) = re.as_str() {
        return match im.is_unbound() {
            true => parse_complex(text),
            false => Err(Halt::type_error("complex() can't take second arg if first is a string")),
        };
    }
    if im.as_str().is_some() {
        return Err(Halt::type_error("complex() second arg can't be a string"));
    }
    if let Value::Array(array) = &re {
        return or_unknown(it.array_hooks()?.number(it, array, "complex"), Guess::Complex);
    }
    let part = |value: &Value| -> Step<Complex64> {
        match value {
            Value::Unbound => Ok(Complex64::new(0.0, 0.0)),
            // Each part is asked for its number.
            Value::Array(array) => match it.array_hooks()?.number(it, array, "float")? {
                Value::Float(number) => Ok(Complex64::new(number, 0.0)),
                _ => Err(Halt::unknown("a complex number of this")),
            },
            value => match Number::of(value) {
                Some(Number::Complex(z)) => Ok(z),
                Some(number) => Ok(Complex64::new(number.float()?, 0.0)),
                None => Err(Halt::unknown("a complex number of this")),
            },
        }
    };
    // What is no complex number adds nothing to the other part, not even the sign of a zero.
    let is_complex = |value: &Value| matches!(Number::of(value), Some(Number::Complex(_)));
    if !is_complex(&re) && !is_complex(&im) {
        return Ok(Value::Complex(Rc::new(Complex64::new(part(&re)?.re, part(&im)?.re))));
    }
    let (re, im) = (part(&re)?, part(&im)?);
    Ok(Value::Complex(Rc::new(re + Complex64::new(0.0, 1.0) * im)))
}

/// A complex number as a text has it: a part or both, the second with its sign, in parentheses or not.
fn parse_complex(text: &str) -> Step<Value> {
    let bad = || Halt::value_error("complex() arg is a malformed string");
    let trimmed = text.trim();
    let inner = match trimmed.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')').ok_or_else(bad)?.trim(),
        None => trimmed,
    };
    if inner.is_empty() || !inner.is_ascii() || inner.contains('_') {
        return Err(if inner.is_ascii() && !inner.contains('_') {
            bad()
        } else {
            Halt::unknown("a complex number in such letters")
        });
    }
    let number = |text: &str| text.parse::<f64>().map_err(|_| bad());
    let Some(inner) = inner.strip_suffix(['j', 'J']) else {
        return Ok(Value::Complex(Rc::new(Complex64::new(number(inner)?, 0.0))));
    };
    // The sign of the imaginary part is the last one that belongs to no exponent.
    let bytes = inner.as_bytes();
    let sign = (0..bytes.len())
        .rev()
        .find(|at| matches!(bytes[*at], b'+' | b'-') && !(*at > 0 && matches!(bytes[at - 1], b'e' | b'E')));
    let (re, im) = inner.split_at(sign.unwrap_or(0));
    let re = if re.is_empty() { 0.0 } else { number(re)? };
    let im = match im {
        "" | "+" => 1.0,
        "-" => -1.0,
        im => number(im)?,
    };
    Ok(Value::Complex(Rc::new(Complex64::new(re, im))))
}

fn bool_(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let Some(value) = first(args, "bool")? else { return Ok(Value::Bool(false)) };
    Ok(match it.truth_or_unknown(&value)? {
        Ok(truth) => Value::Bool(truth),
        Err(why) => Value::unknown_of(Guess::Bool, why.0),
    })
}

fn str_(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value, encoding, errors] = args.bind("str", ["object", "encoding", "errors"], 0)?;
    if encoding.is_unbound() && errors.is_unbound() {
        return match &value {
            Value::Unbound => Ok(Value::str("")),
            Value::Unknown(unknown) => Ok(Value::unknown_of(Guess::Str, unknown.why.0.clone())),
            value => it.str_of(value),
        };
    }
    let encoding = text_argument(it, encoding, "str", "encoding", "utf-8")?;
    let errors = text_argument(it, errors, "str", "errors", "strict")?;
    match &value {
        Value::Bytes(bytes) => match codecs::decode(bytes, &encoding, &errors) {
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Str, why.0)),
            text => text.map(Value::from),
        },
        Value::Str(_) => Err(Halt::type_error("decoding str is not supported")),
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Dict(_) => {
            let name = it.operand_type_name(&value);
            Err(Halt::type_error(format!("decoding to str: need a bytes-like object, {name} found")))
        }
        _ => Ok(Value::unknown_of(Guess::Str, "a text of what may hold bytes")),
    }
}

/// How bytes are read or written: an argument of `str` or `bytes`.
fn text_argument(it: &Rc<Interp>, value: Value, of: &str, name: &str, default: &str) -> Step<Rc<str>> {
    match &value {
        Value::Unbound => Ok(default.into()),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        value => match value.as_str() {
            Some(text) => Ok(text.into()),
            None => Err(Halt::type_error(format!(
                "{of}() argument '{name}' must be str, not {}",
                it.operand_type_name(value)
            ))),
        },
    }
}

fn bytes(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [source, encoding, errors] = args.bind("bytes", ["source", "encoding", "errors"], 0)?;
    if !encoding.is_unbound() || !errors.is_unbound() {
        let given = if encoding.is_unbound() { "errors" } else { "encoding" };
        let encoding = text_argument(it, encoding, "bytes", "encoding", "utf-8")?;
        let errors = text_argument(it, errors, "bytes", "errors", "strict")?;
        return match source.as_str() {
            Some(text) => Ok(Value::Bytes(codecs::encode(text, &encoding, &errors)?.into())),
            None if matches!(source, Value::Unknown(_)) => Err(Halt::unknown("the bytes of what is not known")),
            None => Err(Halt::type_error(format!("{given} without a string argument"))),
        };
    }
    match Some(&source).filter(|source| !source.is_unbound()) {
        None => Ok(Value::Bytes(Rc::from([]))),
        Some(Value::Bytes(bytes)) => Ok(Value::Bytes(bytes.clone())),
        Some(source) if source.as_str().is_some() => Err(Halt::type_error("string argument without an encoding")),
        Some(Value::Int(n)) => {
            let n = usize::try_from(*n).map_err(|_| Halt::value_error("negative count"))?;
            it.spend_many(n / 16)?;
            Ok(Value::Bytes(vec![0; n].into()))
        }
        // An array shows its memory.
        Some(Value::Array(_) | Value::Object(_)) => Err(Halt::unknown("the bytes of an array's memory")),
        Some(value) => {
            let mut bytes = Vec::new();
            for item in it.to_vec(value)? {
                bytes.push(
                    u8::try_from(it.index(&item)?).map_err(|_| Halt::value_error("bytes must be in range(0, 256)"))?,
                );
            }
            Ok(Value::Bytes(bytes.into()))
        }
    }
}

fn tuple(it: &Rc<Interp>, args: Args) -> Step<Value> {
    match first(args, "tuple")? {
        None => Ok(Value::tuple([])),
        Some(value @ Value::Tuple(_)) => Ok(value),
        Some(value) => Ok(Value::tuple(it.to_vec(&value)?)),
    }
}

fn list(it: &Rc<Interp>, args: Args) -> Step<Value> {
    match first(args, "list")? {
        None => Ok(Value::list(Vec::new())),
        Some(value) => match it.to_vec(&value) {
            Ok(items) => Ok(Value::list(items)),
            Err(Halt::Unknown(why)) => Ok(Value::List(List::vague(why))),
            Err(halt) => Err(halt),
        },
    }
}

fn dict(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let dict = Dict::new(DictItems::default());
    if args.positional.len() > 1 {
        return Err(Halt::type_error(format!("dict expected at most 1 argument, got {}", args.positional.len())));
    }
    if let Some(value) = args.positional.first() {
        it.update_dict(&dict, value)?;
    }
    for (name, value) in args.keyword {
        dict.write().insert(crate::python::Key::str(&name), value);
    }
    Ok(Value::Dict(dict))
}

fn set(it: &Rc<Interp>, args: Args, name: &str) -> Step<Set> {
    let Some(value) = first(args, name)? else { return Ok(Set::new(SetItems::default())) };
    let items = match it.to_vec(&value) {
        Ok(items) => items,
        Err(Halt::Unknown(why)) => return Ok(Set::vague(why)),
        Err(halt) => return Err(halt),
    };
    let mut set = SetItems::default();
    for item in items {
        match it.key(&item) {
            Ok(key) => {
                set.insert(key);
            }
            Err(Halt::Unknown(why)) => return Ok(Set::vague(why)),
            Err(halt) => return Err(halt),
        }
    }
    Ok(Set::new(set))
}

fn range(it: &Rc<Interp>, args: Args) -> Step<Value> {
    if args.positional.iter().any(|part| matches!(part, Value::BigInt(_))) {
        return Err(Halt::unknown("a range of integers past 64 bits"));
    }
    let parts: Vec<i64> = match args.positional.iter().map(|a| it.index(a)).collect::<Step<_>>() {
        Err(Halt::Unknown(why)) => {
            let range = Unknown { items: Guess::Int, ..Unknown::new(why, Guess::Any) };
            return Ok(Value::Unknown(Rc::new(range)));
        }
        parts => parts?,
    };
    let (start, stop, step) = match parts[..] {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, step] => (start, stop, step),
        [] => return Err(Halt::type_error("range expected at least 1 argument, got 0")),
        _ => return Err(Halt::type_error(format!("range expected at most 3 arguments, got {}", parts.len()))),
    };
    if step == 0 {
        return Err(Halt::value_error("range() arg 3 must not be zero"));
    }
    Ok(Value::Range(Rc::new(Range { start, stop, step })))
}

fn slice(_: &Rc<Interp>, args: Args) -> Step<Value> {
    let mut parts = args.positional.into_iter();
    let parts = match (parts.next(), parts.next(), parts.next()) {
        (Some(stop), None, _) => [Value::None, stop, Value::None],
        (Some(start), Some(stop), None) => [start, stop, Value::None],
        (Some(start), Some(stop), Some(step)) if parts.len() == 0 => [start, stop, step],
        (Some(_), ..) => {
            let given = 3 + parts.len();
            return Err(Halt::type_error(format!("slice expected at most 3 arguments, got {given}")));
        }
        _ => return Err(Halt::type_error("slice expected at least 1 argument, got 0")),
    };
    Ok(Value::Slice(Rc::new(parts)))
}
