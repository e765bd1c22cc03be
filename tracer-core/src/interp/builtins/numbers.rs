//! Methods of `int`, `float` and `complex`.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, ToPrimitive};

use super::{constructors, define_method, direct_method};
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Instance, NativeFn, Value};

/// Adds the methods.
pub fn install(it: &Rc<Interp>) {
    let t = &it.types;
    for class in [&t.int, &t.float, &t.complex] {
        define_method(class, "__format__", |it, args| {
            let [a, spec] = args.exactly("__format__")?;
            it.format_with(a.base(), spec.as_str().unwrap_or_default())
        });
        property(it, class, "real", |it, n| match n {
            Number::Complex(z) => Ok(Value::Float(z.re)),
            other => plain(it, other),
        });
        property(it, class, "imag", |_, n| {
            Ok(match n {
                Number::Complex(z) => Value::Float(z.im),
                Number::Float(_) => Value::Float(0.0),
                _ => Value::Int(0),
            })
        });
        define_method(class, "conjugate", |it, args| match number(&args)? {
            Number::Complex(z) => Ok(Value::Complex(Rc::new(z.conj()))),
            other => plain(it, other),
        });
    }
    property(it, &t.int, "numerator", plain);
    property(it, &t.int, "denominator", |_, _| Ok(Value::Int(1)));
    direct_method(&t.int, "bit_length", (1, 1), |_, args| {
        Ok(Value::Int(match args {
            [Value::Int(number)] => i64::from(i64::BITS - number.unsigned_abs().leading_zeros()),
            [Value::BigInt(number)] => number.bits() as i64,
            args => big(&Args::of(args.iter().cloned()))?.bits() as i64,
        }))
    });
    define_method(&t.int, "bit_count", |_, args| {
        Ok(Value::Int(big(&args)?.magnitude().iter_u64_digits().map(|d| d.count_ones() as i64).sum()))
    });
    define_method(&t.int, "is_integer", |_, _| Ok(Value::Bool(true)));
    define_method(&t.int, "as_integer_ratio", |_, args| Ok(Value::tuple([Value::big(big(&args)?), Value::Int(1)])));
    for name in ["__int__", "__index__", "__trunc__", "__floor__", "__ceil__"] {
        define_method(&t.int, name, |_, args| Ok(Value::big(big(&args)?)));
    }
    for class in [&t.int, &t.float] {
        define_method(class, "__float__", |_, args| Ok(Value::Float(number(&args)?.float()?)));
    }
    define_method(&t.int, "to_bytes", to_bytes);
    t.int.attrs.write().insert(sym!("from_bytes"), constructors::class_method(it, from_bytes));

    define_method(&t.float, "is_integer", |_, args| {
        let x = number(&args)?.float()?;
        Ok(Value::Bool(x.is_finite() && x.fract() == 0.0))
    });
    define_method(&t.float, "as_integer_ratio", |_, args| {
        let x = number(&args)?.float()?;
        if x.is_nan() {
            return Err(Halt::value_error("cannot convert NaN to integer ratio"));
        }
        match num_rational::BigRational::from_f64(x) {
            Some(ratio) => Ok(Value::tuple([Value::big(ratio.numer().clone()), Value::big(ratio.denom().clone())])),
            None => Err(Halt::raise("OverflowError", "cannot convert Infinity to integer ratio")),
        }
    });
    define_method(&t.float, "hex", |_, args| Ok(Value::from(float_hex(number(&args)?.float()?))));
    t.float.attrs.write().insert(
        sym!("fromhex"),
        constructors::class_method(it, |_, args| {
            let text = args.positional.last().and_then(Value::as_str).unwrap_or_default().to_owned();
            match from_hex(&text) {
                Some(x) => Ok(Value::Float(x)),
                None => Err(Halt::value_error("invalid hexadecimal floating-point string")),
            }
        }),
    );
    for (name, round) in [
        ("__trunc__", f64::trunc as fn(f64) -> f64),
        ("__int__", f64::trunc),
        ("__floor__", f64::floor),
        ("__ceil__", f64::ceil),
    ] {
        let method = NativeFn::method(name, move |_, args| {
            let x = number(&args)?.float()?;
            match BigInt::from_f64(round(x)) {
                Some(n) => Ok(Value::big(n)),
                None if x.is_nan() => Err(Halt::value_error("cannot convert float NaN to integer")),
                None => Err(Halt::raise("OverflowError", "cannot convert float infinity to integer")),
            }
        });
        t.float.attrs.write().insert(Symbol::from(name), method);
    }
}

fn number(args: &Args) -> Step<Number> {
    args.positional.first().and_then(Number::of).ok_or_else(|| Halt::type_error("a number is needed"))
}

fn big(args: &Args) -> Step<BigInt> {
    match number(args)? {
        Number::Int(n) => Ok(BigInt::from(n)),
        Number::Big(n) => Ok(n),
        _ => Err(Halt::type_error("an integer is needed")),
    }
}

fn plain(_: &Rc<Interp>, number: Number) -> Step<Value> {
    Ok(match number {
        Number::Int(n) => Value::Int(n),
        Number::Big(n) => Value::big(n),
        Number::Float(x) => Value::Float(x),
        Number::Complex(z) => Value::Complex(Rc::new(z)),
    })
}

fn property(it: &Rc<Interp>, class: &Rc<Class>, name: &'static str, body: fn(&Rc<Interp>, Number) -> Step<Value>) {
    let property = Instance::new(it.types.property.clone());
    let getter = NativeFn::value(name, move |it, args| body(it, number(&args)?));
    property.set(it.types.names.fget, getter);
    class.attrs.write().insert(Symbol::from(name), Value::Instance(property));
}

fn to_bytes(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [value, length, order, signed] = args.bind("to_bytes", ["self", "length", "byteorder", "signed"], 1)?;
    let Some(n) = Number::of(&value) else { return Err(Halt::type_error("an integer is needed")) };
    let n = match n {
        Number::Int(n) => BigInt::from(n),
        Number::Big(n) => n,
        _ => return Err(Halt::type_error("an integer is needed")),
    };
    let length = if length.is_unbound() { 1 } else { it.index(&length)?.clamp(0, 1 << 16) as usize };
    let signed = !signed.is_unbound() && it.truth(&signed)?;
    if n.sign() == Sign::Minus && !signed {
        return Err(Halt::raise("OverflowError", "can't convert negative int to unsigned"));
    }
    let mut bytes = if signed { n.to_signed_bytes_le() } else { n.magnitude().to_bytes_le() };
    let fill = if n.sign() == Sign::Minus { 0xff } else { 0 };
    while bytes.len() > length && bytes.last() == Some(&fill) && !signed {
        bytes.pop();
    }
    if bytes.len() > length {
        return Err(Halt::raise("OverflowError", "int too big to convert"));
    }
    bytes.resize(length, fill);
    if order.as_str() != Some("little") {
        bytes.reverse();
    }
    Ok(Value::Bytes(bytes.into()))
}

fn from_bytes(it: &Rc<Interp>, mut args: Args) -> Step<Value> {
    if !args.positional.is_empty() {
        args.positional.remove(0);
    }
    let [bytes, order, signed] = args.bind("from_bytes", ["bytes", "byteorder", "signed"], 1)?;
    let Value::Bytes(bytes) = &bytes else { return Err(Halt::unknown("bytes")) };
    let signed = !signed.is_unbound() && it.truth(&signed)?;
    Ok(Value::big(match (order.as_str() == Some("little"), signed) {
        (true, true) => BigInt::from_signed_bytes_le(bytes),
        (true, false) => BigInt::from_bytes_le(Sign::Plus, bytes),
        (false, true) => BigInt::from_signed_bytes_be(bytes),
        (false, false) => BigInt::from_bytes_be(Sign::Plus, bytes),
    }))
}

fn float_hex(x: f64) -> String {
    if !x.is_finite() {
        return crate::trace::float(x);
    }
    let bits = x.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    match (exponent, fraction) {
        (0, 0) => format!("{sign}0x0.0p+0"),
        (0, _) => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent - 1023),
    }
}

fn from_hex(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    match rest {
        "inf" | "infinity" => return Some(sign * f64::INFINITY),
        "nan" => return Some(crate::python::key::fresh_nan()),
        _ => {}
    }
    let rest = rest.strip_prefix("0x").unwrap_or(rest);
    let (digits, exponent) = rest.split_once('p').unwrap_or((rest, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 16)?;
    // Exact for what a float can hold; longer mantissas round twice at worst.
    Some(sign * all.to_f64()? * 2f64.powi(exponent - 4 * fraction.len() as i32))
}
