//! `hash` of numbers, and of tuples of them, as CPython computes it. What else hashes, hashes by texts or places in memory, which are
//! others in each process.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

use crate::interp::number::Number;
use crate::python::Value;

/// Numbers hash as their remainder by this prime, so that equal ones of different types hash alike.
const PRIME: u64 = (1 << 61) - 1;
/// What the hash of an imaginary part is multiplied by.
const IMAGINARY: i64 = 1_000_003;
/// Those of the mixing of a tuple's hashes (xxHash).
const LANES: [u64; 3] = [11_400_714_785_074_694_791, 14_029_467_366_897_019_727, 2_870_177_450_012_600_261];
/// So deep are tuples in tuples looked through.
const DEPTH: u32 = 64;

/// The hash of a value that does not hang on the process.
pub fn certain_hash(value: &Value) -> Option<i64> {
    nested(value, DEPTH)
}

fn nested(value: &Value, depth: u32) -> Option<i64> {
    match (value, Number::of(value)) {
        (_, Some(Number::Int(n))) => Some(signed(n.unsigned_abs() % PRIME, n < 0)),
        (_, Some(Number::Big(n))) => big(&n),
        (_, Some(Number::Float(x))) => of_float(x),
        (_, Some(Number::Complex(z))) => {
            let mixed = of_float(z.re)?.wrapping_add(of_float(z.im)?.wrapping_mul(IMAGINARY));
            Some(settled(mixed))
        }
        (Value::Tuple(items), _) if depth > 0 => {
            let mut mixed = LANES[2];
            for item in items.iter() {
                let lane = nested(item, depth - 1)? as u64;
                mixed = mixed.wrapping_add(lane.wrapping_mul(LANES[1])).rotate_left(31).wrapping_mul(LANES[0]);
            }
            mixed = mixed.wrapping_add(items.len() as u64 ^ (LANES[2] ^ 3_527_539));
            Some(if mixed == u64::MAX { 1_546_275_796 } else { mixed as i64 })
        }
        _ => None,
    }
}

/// A hash is never -1, which tells of an exception.
fn settled(hash: i64) -> i64 {
    if hash == -1 { -2 } else { hash }
}

fn signed(remainder: u64, negative: bool) -> i64 {
    settled(if negative { -(remainder as i64) } else { remainder as i64 })
}

fn big(n: &BigInt) -> Option<i64> {
    Some(signed((n.magnitude() % PRIME).to_u64()?, n.is_negative()))
}

/// Its mantissa times a power of two, modulo the prime. What is no number hashes by where it is.
fn of_float(x: f64) -> Option<i64> {
    if x.is_nan() {
        return None;
    }
    if x.is_infinite() {
        return Some(if x < 0.0 { -314_159 } else { 314_159 });
    }
    let bits = x.abs().to_bits();
    let (mantissa, exponent) = match bits >> 52 {
        0 => (bits, -1074),
        raised => (bits & ((1 << 52) - 1) | 1 << 52, raised as i64 - 1075),
    };
    // Two to the 61st is one.
    let turn = exponent.rem_euclid(61) as u32;
    let remainder = (u128::from(mantissa % PRIME) << turn) % u128::from(PRIME);
    Some(signed(remainder as u64, x < 0.0))
}
