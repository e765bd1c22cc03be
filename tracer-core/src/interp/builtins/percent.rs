//! `format % values`.

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::format_spec::{exponent_form, fixed_form, general_form};
use super::texts::decimal_into;
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::python::halt::{Halt, Step};
use crate::python::{Guess, Value};

#[derive(Default)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// `format % values` of integers and texts, where all that is said of each is its kind.
fn plainly_filled(format: &str, values: &Value) -> Option<String> {
    let mut given = match values {
        Value::Tuple(items) => items.iter(),
        Value::Int(_) | Value::Str(_) => std::slice::from_ref(values).iter(),
        _ => return None,
    };
    let mut parts = format.split('%');
    let mut out = String::with_capacity(format.len() + 8 * given.len());
    out.push_str(parts.next()?);
    while let Some(part) = parts.next() {
        match part.as_bytes().first() {
            // Two signs are one.
            None => {
                out.push('%');
                out.push_str(parts.next()?);
                continue;
            }
            Some(b'd') => match given.next()? {
                Value::Int(number) => decimal_into(&mut out, *number),
                _ => return None,
            },
            Some(b's') => match given.next()? {
                Value::Int(number) => decimal_into(&mut out, *number),
                Value::Str(text) => out.push_str(text),
                _ => return None,
            },
            _ => return None,
        }
        out.push_str(&part[1..]);
    }
    given.next().is_none().then_some(out)
}

/// `format % values` of bytes: numbers, and bytes where texts fill a text.
///
/// # Errors
/// Those of texts; not knowing what else fills bytes.
pub fn percent_format_bytes(it: &Rc<Interp>, format: &[u8], values: &Value) -> Step<Value> {
    let other = || Halt::unknown("what fills bytes");
    let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
    let given: Vec<Value> = match values.base() {
        Value::Tuple(items) => items.to_vec(),
        _ => vec![values.clone()],
    };
    let (mut rest, mut filled, mut next) = (format.iter(), String::new(), given.iter());
    while let Some(byte) = rest.next() {
        filled.push(char::from(*byte));
        if *byte != b'%' {
            continue;
        }
        let kind = loop {
            match rest.next() {
                Some(flag @ (b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9')) => filled.push(char::from(*flag)),
                found => break found.copied().ok_or_else(other)?,
            }
        };
        let is_bytes = matches!(kind, b's' | b'b');
        filled.push(if is_bytes { 's' } else { char::from(kind) });
        if kind != b'%' {
            match next.next() {
                Some(Value::Bytes(_)) if is_bytes => {}
                Some(Value::Int(_) | Value::Float(_) | Value::Bool(_)) if b"dioxXeEfFgGu".contains(&kind) => {}
                None => {}
                _ => return Err(other()),
            }
        }
    }
    let given = given.iter().map(|value| match value {
        Value::Bytes(bytes) => Value::from(text(bytes)),
        value => value.clone(),
    });
    match percent_format(it, &filled, &Value::tuple(given))? {
        Value::Str(found) => {
            let bytes: Option<Vec<u8>> = found.chars().map(|c| u8::try_from(c).ok()).collect();
            Ok(Value::Bytes(bytes.ok_or_else(other)?.into()))
        }
        found => Ok(found),
    }
}

/// `format % values`
///
/// # Errors
/// `TypeError`, `ValueError`.
pub fn percent_format(it: &Rc<Interp>, format: &str, values: &Value) -> Step<Value> {
    if let Some(text) = plainly_filled(format, values) {
        return Ok(Value::from(text));
    }
    let chars: Vec<char> = format.chars().collect();
    let given: Vec<Value> = match values.base() {
        Value::Tuple(items) => items.to_vec(),
        _ => vec![values.clone()],
    };
    let mut next = given.iter();
    let mut take = || next.next().cloned().ok_or_else(|| Halt::type_error("not enough arguments for format string"));
    let mut used_mapping = false;
    let mut unknown = false;
    let mut out = String::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        at += 1;
        if c != '%' {
            out.push(c);
            continue;
        }
        let incomplete = || Halt::value_error("incomplete format");
        let mut keyed = None;
        if chars.get(at) == Some(&'(') {
            let mut depth = 0;
            let start = at + 1;
            loop {
                match chars.get(at) {
                    Some('(') => depth += 1,
                    Some(')') => depth -= 1,
                    Some(_) => {}
                    None => return Err(Halt::value_error("incomplete format key")),
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            let key: String = chars[start..at - 1].iter().collect();
            if !is_mapping(values) {
                return Err(Halt::type_error("format requires a mapping"));
            }
            used_mapping = true;
            keyed = Some(it.getitem(values, &Value::str(key))?);
        }
        let mut flags = Flags::default();
        while let Some(flag) = chars.get(at) {
            match flag {
                '-' => flags.left = true,
                '+' => flags.plus = true,
                ' ' => flags.space = true,
                '#' => flags.alternate = true,
                '0' => flags.zero = true,
                _ => break,
            }
            at += 1;
        }
        let number = |at: &mut usize, take: &mut dyn FnMut() -> Step<Value>| -> Step<Option<i64>> {
            if chars.get(*at) == Some(&'*') {
                *at += 1;
                let value = take()?;
                return match value {
                    Value::Int(n) => Ok(Some(n)),
                    Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                    _ => Err(Halt::type_error("* wants int")),
                };
            }
            let mut value = None;
            while let Some(digit) = chars.get(*at).and_then(|c| c.to_digit(10)) {
                value = Some(value.unwrap_or(0i64).saturating_mul(10).saturating_add(digit as i64));
                *at += 1;
            }
            Ok(value)
        };
        if let Some(width) = number(&mut at, &mut take)? {
            flags.left |= width < 0;
            flags.width = width.unsigned_abs() as usize;
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            flags.precision = Some(number(&mut at, &mut take)?.unwrap_or(0).max(0) as usize);
        }
        if flags.width > 1 << 20 || flags.precision.is_some_and(|p| p > 10_000) {
            return Err(Halt::unknown("text past the budget"));
        }
        while matches!(chars.get(at), Some('h' | 'l' | 'L')) {
            at += 1;
        }
        let kind = *chars.get(at).ok_or_else(incomplete)?;
        at += 1;
        if kind == '%' {
            out.push('%');
            continue;
        }
        if !"diuoxXeEfFgGcrsa".contains(kind) {
            return Err(Halt::value_error(format!(
                "unsupported format character '{kind}' ({:#x}) at index {}",
                kind as u32,
                at - 1
            )));
        }
        let value = match keyed {
            Some(value) => value,
            None => take()?,
        };
        match one(it, kind, &flags, &value)? {
            Some(text) => out.push_str(&text),
            None => unknown = true,
        }
    }
    if next.next().is_some() && !used_mapping && !is_mapping(values) {
        return Err(Halt::type_error("not all arguments converted during string formatting"));
    }
    if unknown {
        return Ok(Value::unknown_of(Guess::Str, "the text of an unknown value"));
    }
    Ok(Value::from(out))
}

fn is_mapping(values: &Value) -> bool {
    match values {
        Value::Instance(instance) => match instance.payload() {
            Some(payload) => is_mapping(payload),
            None => instance.class().lookup(sym!("__getitem__")).is_some(),
        },
        Value::Dict(_) | Value::List(_) | Value::Range(_) | Value::Bytes(_) | Value::Array(_) => true,
        Value::Object(_) | Value::Unknown(_) => true,
        _ => false,
    }
}

/// One value's text; `None` where it is not known.
fn one(it: &Rc<Interp>, kind: char, flags: &Flags, value: &Value) -> Step<Option<String>> {
    match kind {
        's' | 'r' | 'a' => {
            let text = if kind == 's' { it.str_of(value)? } else { it.repr(value)? };
            let Some(text) = text.as_str() else { return Ok(None) };
            let text: String = match flags.precision {
                Some(most) => text.chars().take(most).collect(),
                None => text.to_owned(),
            };
            Ok(Some(padded(flags, "", &text, false)))
        }
        'c' => match value.base() {
            Value::Str(text) if text.chars().count() == 1 => Ok(Some(padded(flags, "", text, false))),
            Value::Int(n) => match u32::try_from(*n).ok().and_then(char::from_u32) {
                Some(c) => Ok(Some(padded(flags, "", &c.to_string(), false))),
                None => Err(Halt::raise("OverflowError", "%c arg not in range(0x110000)")),
            },
            Value::Unknown(_) => Ok(None),
            other => {
                Err(Halt::type_error(format!("%c requires an int or a unicode character, not {}", it.type_name(other))))
            }
        },
        'd' | 'i' | 'u' | 'o' | 'x' | 'X' => {
            let Some(number) = number(it, value, "int")? else { return Ok(None) };
            let n = match number {
                Some(Number::Int(n)) => BigInt::from(n),
                Some(Number::Big(n)) => n,
                Some(Number::Float(x)) if matches!(kind, 'd' | 'i' | 'u') => {
                    if x.is_nan() {
                        return Err(Halt::value_error("cannot convert float NaN to integer"));
                    }
                    BigInt::from_f64(x.trunc())
                        .ok_or_else(|| Halt::raise("OverflowError", "cannot convert float infinity to integer"))?
                }
                _ if matches!(kind, 'd' | 'i' | 'u') => {
                    return Err(Halt::type_error(format!(
                        "%{kind} format: a real number is required, not {}",
                        it.type_name(value)
                    )));
                }
                _ => {
                    return Err(Halt::type_error(format!(
                        "%{kind} format: an integer is required, not {}",
                        it.type_name(value)
                    )));
                }
            };
            let (radix, prefix) = match kind {
                'o' => (8, "0o"),
                'x' => (16, "0x"),
                'X' => (16, "0X"),
                _ => (10, ""),
            };
            let mut digits = n.magnitude().to_str_radix(radix);
            if kind == 'X' {
                digits.make_ascii_uppercase();
            }
            if let Some(least) = flags.precision {
                digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
            }
            let sign = sign(flags, n.sign() == num_bigint::Sign::Minus);
            let prefix = if flags.alternate { prefix } else { "" };
            Ok(Some(padded(flags, &format!("{sign}{prefix}"), &digits, true)))
        }
        _ => {
            let Some(number) = number(it, value, "float")? else { return Ok(None) };
            let x = match number {
                Some(Number::Complex(_)) | None => {
                    return Err(Halt::type_error(format!("must be real number, not {}", it.type_name(value))));
                }
                Some(number) => number.float()?,
            };
            let precision = flags.precision.unwrap_or(6);
            let mut text = match kind {
                'e' | 'E' => exponent_form(x.abs(), precision, flags.alternate),
                'f' | 'F' => fixed_form(x.abs(), precision, flags.alternate),
                _ => general_form(x.abs(), precision, flags.alternate, false),
            };
            if kind.is_ascii_uppercase() {
                text.make_ascii_uppercase();
            }
            let sign = sign(flags, x.is_sign_negative() && !x.is_nan());
            Ok(Some(padded(flags, sign, &text, x.is_finite())))
        }
    }
}

/// The number in a value: the outer `None` is not known, the inner one is no number.
fn number(it: &Rc<Interp>, value: &Value, kind: &str) -> Step<Option<Option<Number>>> {
    let converted = match value {
        Value::Unknown(_) => return Ok(None),
        Value::Array(array) => match it.array_hooks()?.number(it, array, kind) {
            Err(Halt::Unknown(_)) => return Ok(None),
            // A `TypeError` of `__int__` means that it is no number.
            Err(Halt::Raise(exception)) if kind == "int" && it.is_exception(&exception, "TypeError") => {
                return Ok(Some(None));
            }
            result => result?,
        },
        Value::Object(object) => match object.clone().number(it, kind)? {
            Some(value) => value,
            None => return Ok(Some(None)),
        },
        Value::Instance(instance) if instance.payload().is_none() => {
            match it.call_special(value, if kind == "int" { sym!("__int__") } else { sym!("__float__") }, [])? {
                Some(value) => value,
                None => return Ok(Some(None)),
            }
        }
        other => other.clone(),
    };
    if converted.is_unknown() {
        return Ok(None);
    }
    Ok(Some(Number::of(&converted)))
}

fn sign(flags: &Flags, negative: bool) -> &'static str {
    match (negative, flags.plus, flags.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn padded(flags: &Flags, sign: &str, text: &str, numeric: bool) -> String {
    let fill = flags.width.saturating_sub(sign.chars().count() + text.chars().count());
    if flags.left {
        format!("{sign}{text}{}", " ".repeat(fill))
    } else if flags.zero && numeric {
        format!("{sign}{}{text}", "0".repeat(fill))
    } else {
        format!("{}{sign}{text}", " ".repeat(fill))
    }
}
