//! Builtin functions of numbers: `abs`, `round`, `pow`, `divmod`, and integers as text of another radix.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::define_fn;
use crate::interp::Interp;
use crate::interp::number::{Number, float_divmod};
use crate::module::BinaryOp;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Value};

/// Adds the functions.
pub fn install(it: &Rc<Interp>) {
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
        if let (Some(x), Some(y)) = (Number::of(&a), Number::of(&b))
            && (matches!(x, Number::Float(_)) || matches!(y, Number::Float(_)))
        {
            let (x, y) = (x.float()?, y.float()?);
            if y == 0.0 {
                return Err(Halt::raise("ZeroDivisionError", "float divmod()"));
            }
            let (q, r) = float_divmod(x, y);
            return Ok(Value::tuple([Value::Float(q), Value::Float(r)]));
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
