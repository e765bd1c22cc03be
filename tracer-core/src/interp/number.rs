//! Arithmetic of Python's own numbers.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;
use num_complex::Complex64;
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use crate::module::BinaryOp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};

/// A number of Python's.
#[derive(Clone, Debug)]
pub enum Number {
    /// Fits.
    Int(i64),
    /// Does not.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// A complex number.
    Complex(Complex64),
}

/// The order of an integer and a float, neither of which is rounded for it; `None` beside NaN.
pub fn order_of(integer: &BigInt, float: f64) -> Option<Ordering> {
    match BigInt::from_f64(float) {
        Some(whole) => Some(integer.cmp(&whole).then(0.0f64.partial_cmp(&float.fract())?)),
        // An integer past all floats is less than infinity, too.
        None => 0.0f64.partial_cmp(&float),
    }
}

impl Number {
    /// The number in a value.
    pub fn of(value: &Value) -> Option<Number> {
        Some(match value.base() {
            Value::Bool(value) => Number::Int(*value as i64),
            Value::Int(value) => Number::Int(*value),
            Value::BigInt(value) => Number::Big((**value).clone()),
            Value::Float(value) => Number::Float(*value),
            Value::Complex(value) => Number::Complex(**value),
            _ => return None,
        })
    }
    /// An integer of any size; 0 for what is no integer.
    pub fn big(&self) -> BigInt {
        match self {
            Number::Int(value) => BigInt::from(*value),
            Number::Big(value) => value.clone(),
            _ => BigInt::zero(),
        }
    }
    /// As a float, if it is real.
    pub fn float(&self) -> Step<f64> {
        match self {
            Number::Int(value) => Ok(*value as f64),
            Number::Big(value) => match value.to_f64() {
                Some(float) if float.is_finite() => Ok(float),
                _ => Err(Halt::raise("OverflowError", "int too large to convert to float")),
            },
            Number::Float(value) => Ok(*value),
            Number::Complex(_) => {
                Err(Halt::type_error("float() argument must be a string or a real number, not 'complex'"))
            }
        }
    }
    fn complex(&self) -> Step<Complex64> {
        match self {
            Number::Complex(value) => Ok(*value),
            other => Ok(Complex64::new(other.float()?, 0.0)),
        }
    }
}

/// `a op b` on numbers; `None` where Python's numbers have no such operation.
///
/// # Errors
/// `ZeroDivisionError`, `OverflowError`, `ValueError`.
pub fn binary(op: BinaryOp, a: &Number, b: &Number) -> Step<Option<Value>> {
    use Number::*;
    Ok(Some(match (a, b) {
        (Int(x), Int(y)) => return small(op, *x, *y),
        (Complex(_), _) | (_, Complex(_)) => return complex(op, a.complex()?, b.complex()?),
        (Float(_), _) | (_, Float(_)) => return float(op, a.float()?, b.float()?),
        _ => match big(op, &a.big(), &b.big())? {
            Some(value) => value,
            None => return Ok(None),
        },
    }))
}

/// `x op y` of integers one of which does not fit; `None` where there is more to do than that.
pub fn of_big(op: BinaryOp, x: &Value, y: &Value) -> Option<Value> {
    use num_integer::Integer;
    let held;
    let (x, y) = match (x, y) {
        (Value::BigInt(x), Value::BigInt(y)) => (&**x, &**y),
        (Value::BigInt(x), Value::Int(y)) => match op {
            BinaryOp::Add => return Some(Value::big(&**x + *y)),
            BinaryOp::Sub => return Some(Value::big(&**x - *y)),
            BinaryOp::RShift if (0..1 << 20).contains(y) => return Some(Value::big(&**x >> *y)),
            BinaryOp::BitAnd if *y >= 0 && !x.is_negative() => {
                let low = x.iter_u64_digits().next().unwrap_or(0);
                return Some(Value::Int((low & *y as u64) as i64));
            }
            _ => {
                held = BigInt::from(*y);
                (&**x, &held)
            }
        },
        (Value::Int(x), Value::BigInt(y)) => {
            held = BigInt::from(*x);
            (&held, &**y)
        }
        _ => return None,
    };
    Some(Value::big(match op {
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Mul if x.bits() + y.bits() <= MOST_BITS => x * y,
        BinaryOp::Mod if !y.is_zero() => x.mod_floor(y),
        BinaryOp::FloorDiv if !y.is_zero() => x.div_floor(y),
        _ => return None,
    }))
}

/// `x op y` where the result is an integer that fits.
#[inline]
pub fn fitting(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    use BinaryOp::*;
    match op {
        Add => x.checked_add(y),
        Sub => x.checked_sub(y),
        Mul => x.checked_mul(y),
        FloorDiv if y != 0 => {
            let quotient = x.checked_div(y)?;
            Some(if quotient * y != x && (x < 0) != (y < 0) { quotient - 1 } else { quotient })
        }
        Mod if y != 0 => {
            let rest = x.checked_rem(y)?;
            Some(if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
        }
        BitAnd => Some(x & y),
        BitOr => Some(x | y),
        BitXor => Some(x ^ y),
        RShift if y >= 0 => Some(if y > 63 { x >> 63 } else { x >> y }),
        LShift if (0..63).contains(&y) && x.unsigned_abs().leading_zeros() as i64 > y + 1 => Some(x << y),
        Pow if (0..64).contains(&y) => x.checked_pow(y as u32),
        _ => None,
    }
}

fn small(op: BinaryOp, x: i64, y: i64) -> Step<Option<Value>> {
    if op == BinaryOp::Div && y != 0 && x.unsigned_abs() < 1 << 53 && y.unsigned_abs() < 1 << 53 {
        return Ok(Some(Value::Float(x as f64 / y as f64)));
    }
    match fitting(op, x, y) {
        Some(value) => Ok(Some(Value::Int(value))),
        None => big(op, &BigInt::from(x), &BigInt::from(y)),
    }
}

/// Integers have at most so many bits.
const MOST_BITS: u64 = 1 << 22;

fn big(op: BinaryOp, x: &BigInt, y: &BigInt) -> Step<Option<Value>> {
    use BinaryOp::*;
    use num_integer::Integer;
    let too_big = || Halt::unknown("an integer past the budget");
    let zero = |what: &str| Halt::raise("ZeroDivisionError", what);
    Ok(Some(match op {
        Add => Value::big(x + y),
        Sub => Value::big(x - y),
        Mul if x.bits() + y.bits() > MOST_BITS => return Err(too_big()),
        Mul => Value::big(x * y),
        FloorDiv if y.is_zero() => return Err(zero("integer division or modulo by zero")),
        FloorDiv => Value::big(x.div_floor(y)),
        Mod if y.is_zero() => return Err(zero("integer modulo by zero")),
        Mod => Value::big(x.mod_floor(y)),
        Div if y.is_zero() => return Err(zero("division by zero")),
        Div if x.is_zero() => Value::Float(if y.is_negative() { -0.0 } else { 0.0 }),
        Div => {
            let ratio = num_rational::BigRational::new(x.clone(), y.clone());
            match ratio.to_f64() {
                Some(value) if value.is_finite() => Value::Float(value),
                _ => return Err(Halt::raise("OverflowError", "integer division result too large for a float")),
            }
        }
        BitAnd => Value::big(x & y),
        BitOr => Value::big(x | y),
        BitXor => Value::big(x ^ y),
        LShift | RShift if y.is_negative() => return Err(Halt::value_error("negative shift count")),
        LShift => {
            if x.is_zero() {
                return Ok(Some(Value::Int(0)));
            }
            let by = y.to_u64().filter(|by| by + x.bits() < MOST_BITS).ok_or_else(too_big)?;
            Value::big(x << by)
        }
        RShift => match y.to_u64() {
            Some(by) => Value::big(x >> by),
            None => Value::Int(if x.is_negative() { -1 } else { 0 }),
        },
        Pow if y.is_negative() => {
            let base = Number::Big(x.clone()).float()?;
            if base == 0.0 {
                return Err(zero("0.0 cannot be raised to a negative power"));
            }
            Value::Float(base.powf(Number::Big(y.clone()).float()?))
        }
        Pow => {
            let exponent = y.to_u32().filter(|e| x.bits().saturating_mul(*e as u64) < MOST_BITS || x.bits() <= 1);
            Value::big(x.pow(exponent.ok_or_else(too_big)?))
        }
        MatMul => return Ok(None),
    }))
}

fn float(op: BinaryOp, x: f64, y: f64) -> Step<Option<Value>> {
    use BinaryOp::*;
    let zero = |what: &str| Halt::raise("ZeroDivisionError", what);
    Ok(Some(Value::Float(match op {
        Add => x + y,
        Sub => x - y,
        Mul => x * y,
        Div if y == 0.0 => return Err(zero("float division by zero")),
        Div => x / y,
        FloorDiv if y == 0.0 => return Err(zero("float floor division by zero")),
        FloorDiv => float_divmod(x, y).0,
        Mod if y == 0.0 => return Err(zero("float modulo")),
        Mod => float_divmod(x, y).1,
        Pow if x == 0.0 && y < 0.0 => return Err(zero("0.0 cannot be raised to a negative power")),
        Pow if x < 0.0 && y.fract() != 0.0 && y.is_finite() && x.is_finite() => {
            return complex(op, Complex64::new(x, 0.0), Complex64::new(y, 0.0));
        }
        Pow => {
            let value = x.powf(y);
            if value.is_infinite() && x.is_finite() && y.is_finite() {
                return Err(Halt::raise("OverflowError", "(34, 'Numerical result out of range')"));
            }
            value
        }
        _ => return Ok(None),
    })))
}

/// `divmod(x, y)` of floats; `y` is not zero.
pub fn float_divmod(x: f64, y: f64) -> (f64, f64) {
    let mut rest = x % y;
    let mut quotient = (x - rest) / y;
    if rest != 0.0 {
        if (y < 0.0) != (rest < 0.0) {
            rest += y;
            quotient -= 1.0;
        }
    } else {
        rest = 0f64.copysign(y);
    }
    let quotient = if quotient != 0.0 {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    } else {
        0f64.copysign(x / y)
    };
    (quotient, rest)
}

fn complex(op: BinaryOp, x: Complex64, y: Complex64) -> Step<Option<Value>> {
    use BinaryOp::*;
    let value = match op {
        Add => x + y,
        Sub => x - y,
        Mul => x * y,
        Div if y.is_zero() => return Err(Halt::raise("ZeroDivisionError", "complex division by zero")),
        Div => x / y,
        Pow if y.is_zero() => Complex64::new(1.0, 0.0),
        Pow if x.is_zero() => {
            if y.im != 0.0 || y.re < 0.0 {
                return Err(Halt::raise("ZeroDivisionError", "0.0 to a negative or complex power"));
            }
            Complex64::zero()
        }
        Pow if y.im == 0.0 && y.re.fract() == 0.0 && y.re.abs() < 100.0 => x.powi(y.re as i32),
        Pow => x.powc(y),
        _ => return Ok(None),
    };
    Ok(Some(Value::Complex(Rc::new(value))))
}
