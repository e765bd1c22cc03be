//! The order in which CPython goes through a set of numbers: that of its table, where a number stands by its hash.

use super::container::SetItems;
use super::value::Value;

/// So many places are looked at side by side before the search goes on elsewhere.
const SIDE_BY_SIDE: usize = 9;
const SMALLEST: usize = 8;
const MODULUS: u64 = (1 << 61) - 1;
/// From so many items on a table grows by less.
const MANY: usize = 50_000;

/// A place in a table: the hash and which item it is of.
type Place = Option<(u64, u32)>;

/// The places of the items in the order in which they are given; `None` where that is the order in which they came, or not known: texts hash
/// to another number in each run, and objects by where they are.
pub fn order_of(items: &SetItems) -> Option<Vec<u32>> {
    if items.len() < 2 {
        return None;
    }
    let hashes: Vec<u64> = items.iter().map(|key| hash(&key.value)).collect::<Option<_>>()?;
    if hashes.is_sorted() && hashes.last().is_some_and(|last| *last < SMALLEST as u64) {
        return None;
    }
    let mut table: Vec<Place> = vec![None; SMALLEST];
    for (at, hash) in hashes.iter().enumerate() {
        put(&mut table, (*hash, at as u32));
        let used = at + 1;
        if used * 5 >= (table.len() - 1) * 3 {
            let least = if used > MANY { used * 2 } else { used * 4 };
            let mut size = SMALLEST;
            while size <= least {
                size *= 2;
            }
            let old = std::mem::replace(&mut table, vec![None; size]);
            old.into_iter().flatten().for_each(|place| put(&mut table, place));
        }
    }
    let order: Vec<u32> = table.into_iter().flatten().map(|(_, at)| at).collect();
    (!order.is_sorted()).then_some(order)
}

/// The items in this order.
pub fn in_order<'i>(items: &'i SetItems, order: Option<&'i [u32]>) -> impl Iterator<Item = &'i Value> {
    (0..items.len()).filter_map(move |place| {
        let at = order.and_then(|order| order.get(place)).map_or(place, |at| *at as usize);
        items.get_index(at).map(|key| &key.value)
    })
}

fn put(table: &mut [Place], item: (u64, u32)) {
    let mask = table.len() - 1;
    let mut at = item.0 as usize & mask;
    let mut rest = item.0;
    loop {
        let beside = if at + SIDE_BY_SIDE <= mask { SIDE_BY_SIDE } else { 0 };
        if let Some(free) = (at..=at + beside).find(|at| table[*at].is_none()) {
            table[free] = Some(item);
            return;
        }
        rest >>= 5;
        at = (at.wrapping_mul(5).wrapping_add(1).wrapping_add(rest as usize)) & mask;
    }
}

/// The hash of a real number, of Python's or NumPy's: what it is modulo a prime.
fn hash(value: &Value) -> Option<u64> {
    let (is_negative, size) = match value {
        Value::Int(number) => (*number < 0, number.unsigned_abs() % MODULUS),
        Value::Bool(flag) => (false, u64::from(*flag)),
        Value::Float(number) if number.is_finite() => (*number < 0.0, of_float(*number)),
        Value::Object(object) => return hash(&object.plain()?),
        _ => return None,
    };
    let signed = if is_negative { -(size as i64) } else { size as i64 };
    Some(if signed == -1 { -2_i64 } else { signed } as u64)
}

/// The magnitude of a finite float modulo the prime, by which a power of two is one of 61.
fn of_float(number: f64) -> u64 {
    let bits = number.to_bits();
    let (exponent, digits) = (((bits >> 52) & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (digits, exponent) = if exponent == 0 { (digits, -1074) } else { (digits | 1 << 52, exponent - 1075) };
    ((u128::from(digits) << exponent.rem_euclid(61)) % u128::from(MODULUS)) as u64
}
