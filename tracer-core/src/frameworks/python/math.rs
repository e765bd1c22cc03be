//! Functions of `math`.

use std::rc::Rc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};

use super::Members;
use crate::interp::Interp;
use crate::interp::number::Number;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Value};

/// Functions of one float that fail where the result is not a number.
const UNARY: &[(&str, fn(f64) -> f64)] = &[
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("tanh", f64::tanh),
    ("asinh", libm::asinh),
    ("acosh", libm::acosh),
    ("atanh", libm::atanh),
    ("sqrt", f64::sqrt),
    ("cbrt", f64::cbrt),
    ("exp", f64::exp),
    ("exp2", f64::exp2),
    ("expm1", f64::exp_m1),
    ("log1p", f64::ln_1p),
    ("erf", libm::erf),
    ("erfc", libm::erfc),
    ("fabs", f64::abs),
    ("gamma", libm::tgamma),
    ("lgamma", libm::lgamma),
    ("degrees", |x| x * (180.0 / std::f64::consts::PI)),
    ("radians", |x| x * (std::f64::consts::PI / 180.0)),
];

/// Functions whose result is infinite only where the argument lies outside of their domain.
const POLES: &[&str] = &["log1p", "atanh", "gamma", "lgamma"];

/// Adds the functions.
pub(super) fn members(members: &mut Members) {
    for (name, value) in [
        ("pi", std::f64::consts::PI),
        ("e", std::f64::consts::E),
        ("tau", std::f64::consts::TAU),
        ("inf", f64::INFINITY),
        ("nan", crate::python::key::fresh_nan()),
    ] {
        members.value(name, Value::Float(value));
    }
    for (name, function) in UNARY {
        real(members, name, move |_, [x]| {
            let y = function(x);
            if y.is_nan() && !x.is_nan() {
                return Err(domain());
            }
            if y.is_infinite() && x.is_finite() {
                let pole = POLES.contains(name) && (*name != "gamma" && *name != "lgamma" || x <= 0.0);
                return Err(if pole { domain() } else { range() });
            }
            if *name == "gamma" && x <= 0.0 && x.fract() == 0.0 {
                return Err(domain());
            }
            Ok(Value::Float(y))
        });
    }
    real(members, "isnan", |_, [x]| Ok(Value::Bool(x.is_nan())));
    real(members, "isinf", |_, [x]| Ok(Value::Bool(x.is_infinite())));
    real(members, "isfinite", |_, [x]| Ok(Value::Bool(x.is_finite())));
    real(members, "atan2", |_, [y, x]| Ok(Value::Float(y.atan2(x))));
    real(members, "copysign", |_, [x, y]| Ok(Value::Float(x.copysign(y))));
    real(members, "fmod", |_, [x, y]| {
        let is_nan = x.is_nan() || y.is_nan();
        if !is_nan && (y == 0.0 || x.is_infinite()) { Err(domain()) } else { Ok(Value::Float(x % y)) }
    });
    real(members, "remainder", |_, [x, y]| {
        let is_nan = x.is_nan() || y.is_nan();
        if !is_nan && (y == 0.0 || x.is_infinite()) { Err(domain()) } else { Ok(Value::Float(libm::remainder(x, y))) }
    });
    real(members, "pow", |_, [x, y]| {
        if x == 0.0 && y < 0.0 || x < 0.0 && x.is_finite() && y.is_finite() && y.fract() != 0.0 {
            return Err(domain());
        }
        let z = x.powf(y);
        if z.is_infinite() && x.is_finite() && y.is_finite() { Err(range()) } else { Ok(Value::Float(z)) }
    });
    real(members, "modf", |_, [x]| {
        let whole = x.trunc();
        let part = if x.is_infinite() { 0f64 } else { x - whole };
        Ok(Value::tuple([Value::Float(part.copysign(x)), Value::Float(whole)]))
    });
    real(members, "frexp", |_, [x]| {
        let (m, e) = libm::frexp(x);
        Ok(Value::tuple([Value::Float(m), Value::Int(e as i64)]))
    });
    real(members, "ulp", |_, [x]| {
        let x = x.abs();
        Ok(Value::Float(if x.is_finite() { f64::from_bits(x.to_bits() + 1) - x } else { x }))
    });
    real(members, "nextafter", |_, [x, y]| Ok(Value::Float(libm::nextafter(x, y))));
    for (name, function) in [("log2", f64::log2 as fn(f64) -> f64), ("log10", f64::log10)] {
        members.function(name, move |it, args| {
            let [value] = args.exactly(&format!("math.{name}"))?;
            logarithm(it, &value, function)
        });
    }
    members.function("log", |it, args| {
        let [value, base] = args.bind("log", ["x", "base"], 1)?;
        let top = logarithm(it, &value, f64::ln)?;
        if base.is_unbound() {
            return Ok(top);
        }
        let bottom = logarithm(it, &base, f64::ln)?;
        it.binary(crate::module::BinaryOp::Div, &top, &bottom)
    });
    members.function("ldexp", |it, args| {
        let [x, n] = args.exactly("ldexp")?;
        let Some(x) = float(it, &x)? else { return Ok(unknown(Guess::Float)) };
        let y = libm::scalbn(x, it.index(&n)?.clamp(-100_000, 100_000) as i32);
        if y.is_infinite() && x.is_finite() { Err(range()) } else { Ok(Value::Float(y)) }
    });
    for (name, special, round) in [
        ("floor", sym!("__floor__"), f64::floor as fn(f64) -> f64),
        ("ceil", sym!("__ceil__"), f64::ceil),
        ("trunc", sym!("__trunc__"), f64::trunc),
    ] {
        let plainly = move |_: &Rc<Interp>, args: &[Value]| match args {
            [Value::Float(x)] if x.abs() < (1i64 << 52) as f64 => Some(Value::Int(round(*x) as i64)),
            [Value::Int(x)] => Some(Value::Int(*x)),
            _ => None,
        };
        let body = move |it: &Rc<Interp>, args: Args| {
            let [value] = args.exactly(&format!("math.{name}"))?;
            if let Some(result) = it.call_special(&value, special, [])? {
                return Ok(result);
            }
            if let Some(Number::Int(_) | Number::Big(_)) = Number::of(&value) {
                return Ok(match value.base() {
                    Value::Bool(b) => Value::Int(*b as i64),
                    base => base.clone(),
                });
            }
            let Some(x) = float(it, &value)? else { return Ok(unknown(Guess::Int)) };
            match BigInt::from_f64(round(x)) {
                Some(n) => Ok(Value::big(n)),
                None if x.is_nan() => Err(Halt::value_error("cannot convert float NaN to integer")),
                None => Err(Halt::raise("OverflowError", "cannot convert float infinity to integer")),
            }
        };
        members.quick_function(name, body, plainly);
    }
    members.function("isclose", |it, mut args| {
        let tolerance = |it: &Rc<Interp>, value: Option<Value>, default: f64| -> Step<f64> {
            match value {
                Some(value) => Ok(float(it, &value)?.unwrap_or(default)),
                None => Ok(default),
            }
        };
        let relative = args.take_keyword("rel_tol");
        let absolute = args.take_keyword("abs_tol");
        let (relative, absolute) = (tolerance(it, relative, 1e-9)?, tolerance(it, absolute, 0.0)?);
        if relative < 0.0 || absolute < 0.0 {
            return Err(Halt::value_error("tolerances must be non-negative"));
        }
        let [a, b] = args.bind("isclose", ["a", "b"], 2)?;
        let (Some(a), Some(b)) = (float(it, &a)?, float(it, &b)?) else { return Ok(unknown(Guess::Bool)) };
        let close =
            a == b || a.is_finite() && b.is_finite() && (a - b).abs() <= absolute.max(relative * a.abs().max(b.abs()));
        Ok(Value::Bool(close))
    });
    members.function("hypot", |it, args| {
        let Some(all) = floats(it, &args.positional)? else { return Ok(unknown(Guess::Float)) };
        Ok(Value::Float(length(&all)))
    });
    members.function("dist", |it, args| {
        let [p, q] = args.exactly("dist")?;
        let (Some(p), Some(q)) = (floats(it, &it.to_vec(&p)?)?, floats(it, &it.to_vec(&q)?)?) else {
            return Ok(unknown(Guess::Float));
        };
        if p.len() != q.len() {
            return Err(Halt::value_error("both points must have the same number of dimensions"));
        }
        Ok(Value::Float(length(&p.iter().zip(&q).map(|(a, b)| a - b).collect::<Vec<_>>())))
    });
    members.function("fsum", |it, args| {
        let [values] = args.exactly("math.fsum")?;
        let Some(all) = floats(it, &it.to_vec(&values)?)? else { return Ok(unknown(Guess::Float)) };
        Ok(Value::Float(exact_sum(&all)))
    });
    members.function("prod", |it, mut args| {
        let start = args.take_keyword("start").unwrap_or(Value::Int(1));
        let [values] = args.exactly("prod")?;
        let mut total = start;
        for value in it.to_vec(&values)? {
            total = it.binary(crate::module::BinaryOp::Mul, &total, &value)?;
        }
        Ok(total)
    });
    members.function("gcd", |it, args| fold(it, args, BigInt::zero(), |a, b| a.gcd(b)));
    members.function("lcm", |it, args| fold(it, args, BigInt::one(), |a, b| a.lcm(b)));
    members.function("isqrt", |it, args| {
        let [n] = args.exactly("math.isqrt")?;
        let n = integer(it, &n)?;
        if n.is_negative() {
            return Err(Halt::value_error("isqrt() argument must be nonnegative"));
        }
        Ok(Value::big(n.sqrt()))
    });
    members.function("factorial", |it, args| {
        let [n] = args.exactly("math.factorial")?;
        let n = integer(it, &n)?;
        if n.is_negative() {
            return Err(Halt::value_error("factorial() not defined for negative values"));
        }
        let n = n.to_u64().filter(|n| *n <= 20_000).ok_or_else(|| Halt::unknown("a huge factorial"))?;
        Ok(Value::big((1..=n).fold(BigInt::one(), |product, i| product * i)))
    });
    members.function("comb", |it, args| {
        let [n, k] = args.exactly("comb")?;
        let (n, k) = (counted(it, &n, "n")?, counted(it, &k, "k")?);
        if k > n {
            return Ok(Value::Int(0));
        }
        let k = k.min(n - k);
        it.spend_many(k as usize)?;
        Ok(Value::big((0..k).fold(BigInt::one(), |value, i| value * (n - i) / (i + 1))))
    });
    members.function("perm", |it, args| {
        let [n, k] = args.bind("perm", ["n", "k"], 1)?;
        let n = counted(it, &n, "n")?;
        let k = if k.is_unbound() || k.is_none() { n } else { counted(it, &k, "k")? };
        if k > n {
            return Ok(Value::Int(0));
        }
        it.spend_many(k as usize)?;
        Ok(Value::big((0..k).fold(BigInt::one(), |value, i| value * (n - i))))
    });
}

fn domain() -> Halt {
    Halt::value_error("math domain error")
}

fn range() -> Halt {
    Halt::raise("OverflowError", "math range error")
}

fn unknown(guess: Guess) -> Value {
    Value::unknown_of(guess, "a function of an unknown number")
}

/// A function of `N` floats.
fn real<const N: usize>(
    members: &mut Members,
    name: &'static str,
    body: impl Fn(&Rc<Interp>, [f64; N]) -> Step<Value> + 'static,
) {
    let body = Rc::new(body);
    let plainly = body.clone();
    members.quick_function(
        name,
        move |it, args| {
            let values = match N {
                1 => args.exactly::<N>(&format!("math.{name}"))?,
                _ => args.exactly::<N>(name)?,
            };
            let mut numbers = [0.0; N];
            for (number, value) in numbers.iter_mut().zip(&values) {
                match float(it, value)? {
                    Some(x) => *number = x,
                    None => return Ok(unknown(if name.starts_with("is") { Guess::Bool } else { Guess::Float })),
                }
            }
            body(it, numbers)
        },
        move |it, args| {
            let numbers = <&[Value; N]>::try_from(args).ok()?;
            let mut plain = [0.0; N];
            for (number, value) in plain.iter_mut().zip(numbers) {
                *number = match value {
                    Value::Float(value) => *value,
                    Value::Int(value) if value.unsigned_abs() < 1 << 53 => *value as f64,
                    _ => return None,
                };
            }
            plainly(it, plain).ok()
        },
    );
}

/// A value as a float; `None` where it is not known.
fn float(it: &Rc<Interp>, value: &Value) -> Step<Option<f64>> {
    let converted = match value {
        Value::Unknown(_) => return Ok(None),
        Value::Array(array) => match it.array_hooks()?.number(it, array, "float") {
            Err(Halt::Unknown(_)) => return Ok(None),
            result => result?,
        },
        Value::Object(object) => match object.clone().number(it, "float")? {
            Some(value) => value,
            None => return Err(must_be_real(it, value)),
        },
        Value::Instance(_) => match it.call_special(value, sym!("__float__"), [])? {
            Some(value) => value,
            None => match it.call_special(value, sym!("__index__"), [])? {
                Some(value) => value,
                None => value.base().clone(),
            },
        },
        other => other.clone(),
    };
    match Number::of(&converted) {
        _ if converted.is_unknown() => Ok(None),
        Some(Number::Complex(_)) | None => Err(must_be_real(it, value)),
        Some(number) => number.float().map(Some),
    }
}

fn must_be_real(it: &Rc<Interp>, value: &Value) -> Halt {
    Halt::type_error(format!("must be real number, not {}", it.type_name(value)))
}

fn floats(it: &Rc<Interp>, values: &[Value]) -> Step<Option<Vec<f64>>> {
    values.iter().map(|v| float(it, v)).collect()
}

fn integer(it: &Rc<Interp>, value: &Value) -> Step<BigInt> {
    match value.base() {
        Value::BigInt(n) => Ok((**n).clone()),
        _ => Ok(BigInt::from(it.index(value)?)),
    }
}

fn counted(it: &Rc<Interp>, value: &Value, name: &str) -> Step<u64> {
    u64::try_from(it.index(value)?).map_err(|_| Halt::value_error(format!("{name} must be a non-negative integer")))
}

fn fold(it: &Rc<Interp>, args: Args, start: BigInt, combine: fn(&BigInt, &BigInt) -> BigInt) -> Step<Value> {
    let mut total = start;
    for value in &args.positional {
        total = combine(&total, &integer(it, value)?);
    }
    Ok(Value::big(total.abs()))
}

/// A logarithm, also of integers too large for a float.
fn logarithm(it: &Rc<Interp>, value: &Value, function: fn(f64) -> f64) -> Step<Value> {
    if let Some(Number::Big(n)) = Number::of(value) {
        if !n.is_positive() {
            return Err(domain());
        }
        let shift = n.bits().saturating_sub(1000);
        let small = (n >> shift).to_f64().unwrap_or(f64::INFINITY);
        return Ok(Value::Float(function(small) + function(2.0) * shift as f64));
    }
    match float(it, value)? {
        None => Ok(unknown(Guess::Float)),
        Some(x) if x <= 0.0 => Err(domain()),
        Some(x) => Ok(Value::Float(function(x))),
    }
}

fn length(parts: &[f64]) -> f64 {
    match parts {
        [x, y] => x.hypot(*y),
        parts => {
            let most = parts.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            if most == 0.0 || !most.is_finite() {
                return most;
            }
            most * parts.iter().map(|x| (x / most).powi(2)).sum::<f64>().sqrt()
        }
    }
}

/// A sum rounded once (Shewchuk's partial sums).
fn exact_sum(values: &[f64]) -> f64 {
    let mut partials: Vec<f64> = Vec::new();
    for &value in values {
        let mut x = value;
        let mut kept = 0;
        for i in 0..partials.len() {
            let mut y = partials[i];
            if x.abs() < y.abs() {
                std::mem::swap(&mut x, &mut y);
            }
            let high = x + y;
            let low = y - (high - x);
            if low != 0.0 {
                partials[kept] = low;
                kept += 1;
            }
            x = high;
        }
        partials.truncate(kept);
        partials.push(x);
    }
    // The parts do not overlap: the first sum that is not exact is rounded, and what is left decides ties alone.
    let mut rest = partials.iter().rev().copied();
    let mut sum = rest.next().unwrap_or(0.0);
    while let Some(part) = rest.next() {
        let rounded = sum + part;
        let lost = part - (rounded - sum);
        sum = rounded;
        if lost != 0.0 {
            let beyond = rest.next().unwrap_or(0.0);
            let other = rounded + 2.0 * lost;
            if lost * beyond > 0.0 && other - rounded == 2.0 * lost {
                sum = other;
            }
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::exact_sum;

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(exact_sum(&[0.001, 0.001, 1.0, 2.5, 2.5, 3.0, 2.5, 2.5]), 14.002);
        assert_eq!(exact_sum(&[0.1; 10]), 1.0);
        assert_eq!(exact_sum(&[1e100, 1.0, -1e100]), 1.0);
        assert_eq!(exact_sum(&[1.0, 2f64.powi(-53), 2f64.powi(-106)]), 1.0 + 2f64.powi(-52));
        assert_eq!(exact_sum(&[1.0, 2f64.powi(-53), -(2f64.powi(-106))]), 1.0);
        assert_eq!(exact_sum(&[]), 0.0);
    }
}
