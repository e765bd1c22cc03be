//! Hashing and equality of values that are known: what dict keys, set items and `==` on plain values use.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use rustc_hash::FxHasher;

use super::value::Value;
use crate::interp::number::order_of;

/// A hashable value with its hash.
#[derive(Clone, Debug)]
pub struct Key {
    /// The hash; equal values have equal ones.
    pub hash: u64,
    /// The value.
    pub value: Value,
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.hash == other.hash
            && (self.value.is(&other.value)
                || values_equal(&self.value, &other.value)
                || stands_for(&self.value, &other.value)
                || stands_for(&other.value, &self.value))
    }
}
impl Eq for Key {}

/// Whether an object that hashes as a class does stands for it (`jnp.float32` for `np.float32`).
fn stands_for(value: &Value, class: &Value) -> bool {
    matches!((value, class), (Value::Instance(instance), Value::Class(_))
        if matches!(instance.class().equality(), super::class::Equality::Custom))
}

impl Key {
    /// A string key.
    pub fn str(text: &str) -> Key {
        let value = Value::str(text);
        Key { hash: hash_str(text), value }
    }
    /// A key whose hash the program computed itself (`__hash__`).
    pub fn hashed(value: Value, hash: i64) -> Key {
        Key { hash: finish(|h| hash.hash(h)), value }
    }
    /// The key of an object by which it is, whatever its class says.
    pub fn by_identity(value: &Value) -> Key {
        Key { hash: finish(|h| value.identity().hash(h)), value: value.clone() }
    }
    /// The key of a value that hashes without running code; `None` for one that does not (unhashable, unknown, or an
    /// instance with its own `__hash__`).
    pub fn of(value: &Value) -> Option<Key> {
        let hash = match value {
            Value::Str(text) => hash_str(text),
            Value::Int(value) => hash_int(*value),
            Value::Object(object) if let Some(plain) = object.plain() => Key::of(&plain)?.hash,
            _ => {
                let mut hasher = FxHasher::default();
                hash_into(value, &mut hasher, &mut MOST_HASHED.clone())?;
                hasher.finish()
            }
        };
        Some(Key { hash, value: value.clone() })
    }
}

/// A key that is asked for: a plain value where it stands, with its hash.
pub struct Asked<'v> {
    hash: u64,
    value: &'v Value,
}

impl<'v> Asked<'v> {
    /// Of a number, a text or a tuple of such; other values are asked for by [`Key::of`].
    #[inline]
    pub fn of(value: &'v Value) -> Option<Asked<'v>> {
        let hash = match value {
            Value::Int(number) => hash_int(*number),
            Value::Str(text) => hash_str(text),
            Value::Tuple(items) => match Asked::hash_plain(items) {
                Some(hash) => hash,
                None => Asked::hash_other(value)?,
            },
            Value::Float(_) | Value::Bool(_) | Value::None => Asked::hash_other(value)?,
            _ => return None,
        };
        Some(Asked { hash, value })
    }
    /// The hash of a tuple of a few integers and texts.
    #[inline]
    fn hash_plain(items: &[Value]) -> Option<u64> {
        const FEW: usize = 16;
        if items.len() > FEW {
            return None;
        }
        let mut hasher = FxHasher::default();
        items.len().hash(&mut hasher);
        for item in items {
            match item {
                Value::Int(number) => number.hash(&mut hasher),
                Value::Str(text) => text.hash(&mut hasher),
                _ => return None,
            }
        }
        Some(hasher.finish())
    }
    #[inline(never)]
    fn hash_other(value: &Value) -> Option<u64> {
        let mut hasher = FxHasher::default();
        hash_into(value, &mut hasher, &mut MOST_HASHED.clone())?;
        Some(hasher.finish())
    }
    /// The key.
    pub fn key(&self) -> Key {
        Key { hash: self.hash, value: self.value.clone() }
    }
}

/// A tuple that is asked for before it is made: its items, with its hash.
pub struct AskedItems<'v> {
    hash: u64,
    items: &'v [Value],
}

impl<'v> AskedItems<'v> {
    /// Of plain items, as [`Asked::of`] takes them.
    pub fn of(items: &'v [Value]) -> Option<AskedItems<'v>> {
        let plain = items
            .iter()
            .all(|item| matches!(item, Value::Int(_) | Value::Str(_) | Value::Float(_) | Value::Bool(_) | Value::None));
        if !plain {
            return None;
        }
        let mut hasher = FxHasher::default();
        hash_items(items, &mut hasher, &mut MOST_HASHED.clone())?;
        Some(AskedItems { hash: hasher.finish(), items })
    }
    /// The key.
    pub fn key(&self) -> Key {
        Key { hash: self.hash, value: Value::tuple(self.items.iter().cloned()) }
    }
}

impl Hash for AskedItems<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl indexmap::Equivalent<Key> for AskedItems<'_> {
    #[inline]
    fn equivalent(&self, key: &Key) -> bool {
        match &key.value {
            Value::Tuple(items) if self.hash == key.hash => {
                items.len() == self.items.len()
                    && items.iter().zip(self.items).all(|(held, asked)| asked.is(held) || values_equal(asked, held))
            }
            _ => false,
        }
    }
}

impl Hash for Asked<'_> {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl indexmap::Equivalent<Key> for Asked<'_> {
    #[inline]
    fn equivalent(&self, key: &Key) -> bool {
        match (self.value, &key.value) {
            (Value::Int(asked), Value::Int(key)) => asked == key,
            (Value::Str(asked), Value::Str(key)) => asked == key,
            (Value::Tuple(_), Value::Tuple(_)) if self.hash != key.hash => false,
            (Value::Tuple(asked), Value::Tuple(items)) if let Some(equal) = plainly_equal(asked, items) => equal,
            (asked, value) => self.hash == key.hash && (asked.is(value) || values_equal(asked, value)),
        }
    }
}

/// Whether two tuples of integers and texts are equal; `None` where there is more in them than that.
#[inline]
fn plainly_equal(a: &[Value], b: &[Value]) -> Option<bool> {
    if a.len() != b.len() {
        return Some(false);
    }
    for (a, b) in a.iter().zip(b) {
        let equal = match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            _ => return None,
        };
        if !equal {
            return Some(false);
        }
    }
    Some(true)
}

fn finish(write: impl FnOnce(&mut FxHasher)) -> u64 {
    let mut hasher = FxHasher::default();
    write(&mut hasher);
    hasher.finish()
}

fn hash_str(text: &str) -> u64 {
    finish(|h| text.hash(h))
}

fn hash_int(value: i64) -> u64 {
    finish(|h| value.hash(h))
}

/// So many parts of a value are hashed: a tuple of tuples that share their parts may have more than can be counted.
/// Equal values still hash alike.
const MOST_HASHED: u32 = 1 << 17;
/// So many parts of two values are compared; values that are equal so far and go on are held different.
const MOST_COMPARED: u32 = 1 << 24;

fn hash_into(value: &Value, hasher: &mut FxHasher, left: &mut u32) -> Option<()> {
    if *left == 0 {
        return Some(());
    }
    *left -= 1;
    match value {
        Value::Unbound | Value::None => 0u8.hash(hasher),
        Value::Ellipsis => 1u8.hash(hasher),
        Value::NotImplemented => 2u8.hash(hasher),
        Value::Bool(value) => (*value as i64).hash(hasher),
        Value::Int(value) => value.hash(hasher),
        Value::BigInt(value) => value.hash(hasher),
        // Numbers that are equal hash alike: 1 == 1.0 == True.
        Value::Float(value) => match value.to_i64().filter(|i| *i as f64 == *value) {
            Some(int) => int.hash(hasher),
            None => match BigInt::from_f64(*value).filter(|_| value.fract() == 0.0) {
                Some(int) => int.hash(hasher),
                None => value.to_bits().hash(hasher),
            },
        },
        Value::Complex(value) if value.im == 0.0 => hash_into(&Value::Float(value.re), hasher, left)?,
        Value::Complex(value) => (value.re.to_bits(), value.im.to_bits()).hash(hasher),
        Value::Str(text) => text.hash(hasher),
        Value::Bytes(bytes) => bytes.hash(hasher),
        Value::Tuple(items) => hash_items(items, hasher, left)?,
        Value::FrozenSet(set) => {
            let mut sum = 0u64;
            for key in set.read().iter() {
                sum = sum.wrapping_add(key.hash);
            }
            sum.hash(hasher);
        }
        Value::Range(range) => range.hash(hasher),
        Value::Method(method) => {
            method.receiver.identity().hash(hasher);
            method.function.identity().hash(hasher);
        }
        Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) | Value::Iter(_) => {
            value.identity().hash(hasher);
        }
        Value::Instance(instance) => instance.hash_structure(hasher, left)?,
        Value::Object(object) => match object.plain() {
            Some(plain) => hash_into(&plain, hasher, left)?,
            None => object.hash()?.hash(hasher),
        },
        Value::Array(_) | Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::Slice(_) | Value::Unknown(_) => {
            return None;
        }
    }
    Some(())
}

/// Hashes a tuple of these.
fn hash_items(items: &[Value], hasher: &mut FxHasher, left: &mut u32) -> Option<()> {
    items.len().hash(hasher);
    for item in items {
        hash_into(item, hasher, left)?;
    }
    Some(())
}

impl super::instance::Instance {
    /// Hashes an instance whose class lets it: by identity, by its fields (dataclass), or by the builtin value inside.
    fn hash_structure(self: &std::rc::Rc<Self>, hasher: &mut FxHasher, left: &mut u32) -> Option<()> {
        use super::class::Equality;
        match self.class().equality() {
            Equality::Identity => (std::rc::Rc::as_ptr(self) as usize).hash(hasher),
            Equality::Fields(fields) => {
                for field in fields.iter() {
                    hash_into(&self.attrs().get(field)?.clone(), hasher, left)?;
                }
            }
            Equality::Payload => hash_into(self.payload()?, hasher, left)?,
            Equality::Unhashable | Equality::Custom => return None,
        }
        Some(())
    }
}

/// Whether two plain values are equal, without running code: numbers, text, containers, identity otherwise.
/// Instances with their own `__eq__` and the same hash are held equal when their classes are the same.
pub fn values_equal(a: &Value, b: &Value) -> bool {
    equal_within(a, b, &mut MOST_COMPARED.clone())
}

fn equal_within(a: &Value, b: &Value, left: &mut u32) -> bool {
    use Value::*;
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match (a, b) {
        (
            Bool(_) | Int(_) | BigInt(_) | Float(_) | Complex(_),
            Bool(_) | Int(_) | BigInt(_) | Float(_) | Complex(_),
        ) => numbers_equal(a, b),
        (Str(a), Str(b)) => a == b,
        (Bytes(a), Bytes(b)) => a == b,
        (Tuple(a), Tuple(b)) => {
            std::rc::Rc::ptr_eq(a, b)
                || a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is(b) || equal_within(a, b, left))
        }
        (List(a), List(b)) => {
            a.same(b) || {
                let (a, b) = (a.read(), b.read());
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is(b) || equal_within(a, b, left))
            }
        }
        (Dict(a), Dict(b)) => {
            a.same(b) || {
                let (a, b) = (a.read(), b.read());
                a.len() == b.len()
                    && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| v.is(w) || equal_within(v, w, left)))
            }
        }
        (Set(a) | FrozenSet(a), Set(b) | FrozenSet(b)) => a.same(b) || *a.read() == *b.read(),
        (Range(a), Range(b)) => {
            let n = a.len();
            n == b.len() && (n == 0 || a.start == b.start && (n == 1 || a.step == b.step))
        }
        (Slice(a), Slice(b)) => a.iter().zip(b.iter()).all(|(a, b)| equal_within(a, b, left)),
        (Method(a), Method(b)) => a.function.is(&b.function) && a.receiver.is(&b.receiver),
        (Instance(x), Instance(y)) => {
            use super::class::Equality;
            std::rc::Rc::ptr_eq(x, y)
                || std::rc::Rc::ptr_eq(&x.class(), &y.class())
                    && match x.class().equality() {
                        Equality::Fields(fields) => {
                            let (x, y) = (x.attrs(), y.attrs());
                            fields.iter().all(|f| match (x.get(f), y.get(f)) {
                                (Some(x), Some(y)) => x.is(y) || equal_within(x, y, left),
                                _ => false,
                            })
                        }
                        Equality::Payload => match (x.payload(), y.payload()) {
                            (Some(x), Some(y)) => equal_within(x, y, left),
                            _ => false,
                        },
                        // The keys of those that are not equal have other hashes (`interp/equal_keys.rs`).
                        Equality::Custom => true,
                        Equality::Identity | Equality::Unhashable => false,
                    }
        }
        (Instance(x), other) | (other, Instance(x)) => x.payload().is_some_and(|p| equal_within(p, other, left)),
        (Object(x), _) => x.equals(b).unwrap_or_else(|| a.is(b)),
        (_, Object(y)) => y.equals(a).unwrap_or(false),
        _ => a.is(b),
    }
}

/// A NaN of its own. Floats have no identity here, but Python's containers and JAX's caches take one NaN object for
/// equal to itself and for unlike every other: what makes a new object (`float("nan")`, `math.nan`) makes a NaN whose
/// payload no other has. NaNs that arithmetic makes have none, and are unlike all.
pub fn fresh_nan() -> f64 {
    thread_local!(static MADE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let number = MADE.get().wrapping_add(1).max(2);
    MADE.set(number);
    f64::from_bits(f64::NAN.to_bits() | u64::from(number))
}

/// `numpy.nan`, which is `jax.numpy.nan` too.
pub fn numpy_nan() -> f64 {
    f64::from_bits(f64::NAN.to_bits() | 1)
}

/// The same NaN without what tells it from others, as arrays hold it.
pub fn plain_nan(number: f64) -> f64 {
    if number.is_nan() { f64::NAN.copysign(number) } else { number }
}

/// Whether both are the same NaN object ([`fresh_nan`]).
pub fn same_nan(a: &Value, b: &Value) -> bool {
    const UNTOLD: u64 = f64::NAN.to_bits();
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => {
            x.is_nan() && x.to_bits() == y.to_bits() && x.to_bits() & !(1 << 63) != UNTOLD
        }
        _ => false,
    }
}

/// Whether two numbers are equal.
pub fn numbers_equal(a: &Value, b: &Value) -> bool {
    use Value::*;
    match (a, b) {
        (Bool(x), y) if !matches!(y, Bool(_)) => numbers_equal(&Int(*x as i64), y),
        (x, Bool(y)) if !matches!(x, Bool(_)) => numbers_equal(x, &Int(*y as i64)),
        (Bool(x), Bool(y)) => x == y,
        (Int(x), Int(y)) => x == y,
        (BigInt(x), BigInt(y)) => x == y,
        (Float(x), Float(y)) => x == y,
        (Int(x), Float(y)) | (Float(y), Int(x)) => *x as f64 == *y && (*y as i128) == *x as i128,
        (BigInt(x), Float(y)) | (Float(y), BigInt(x)) => order_of(x, *y) == Some(Ordering::Equal),
        (Complex(x), Complex(y)) => x == y,
        (Complex(x), y) | (y, Complex(x)) => x.im == 0.0 && numbers_equal(&Float(x.re), y),
        _ => false,
    }
}
