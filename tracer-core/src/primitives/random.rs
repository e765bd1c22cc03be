//! Random keys and bits: the `threefry2x32` generator, bit for bit, in its partitionable form, or the older one
//! (`jax_threefry_partitionable` turned off), which hashes the first half of all counters with the second half.

use std::rc::Rc;

use jitlens_kernels::{threefry, vector};
use smallvec::{SmallVec, smallvec};

use super::rules::{self, sizes, text};
use super::{Avals, Dims, Param, ParamValue, Params, Primitive, Tangents};
use crate::array::tensor::{Data, Sizes};
use crate::array::{Aval, DType, Dim, KeyImpl, Shape, Tensor, layout, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// The hash of a 64-bit counter.
pub fn threefry_at(key: [u32; 2], counter: u64) -> [u32; 2] {
    threefry::hash(key, [(counter >> 32) as u32, counter as u32])
}

/// What is done with keys.
#[derive(Clone, Debug)]
enum Kind {
    /// Keys from integers.
    Seed(KeyImpl),
    /// Keys from their words.
    Wrap(KeyImpl),
    /// The words of keys.
    Unwrap,
    /// The keys again, marked as used twice on purpose.
    Clone,
    /// More keys from each.
    Split(Shape),
    /// Random bits from each.
    Bits(u32, Shape),
    /// A key from a key and a number.
    FoldIn,
}

/// An operation on typed keys.
#[derive(Clone, Debug)]
pub struct Random {
    name: &'static str,
    kind: Kind,
    /// Whether counters are hashed half with half.
    in_halves: bool,
}

impl Random {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let kind = match params.primitive {
            "random_seed" => Kind::Seed(implementation(params)?),
            "random_wrap" => Kind::Wrap(implementation(params)?),
            "random_unwrap" => Kind::Unwrap,
            "random_split" => Kind::Split(params.shape("shape")?),
            "random_bits" => Kind::Bits(u32::try_from(params.int("bit_width")?).unwrap_or(0), params.shape("shape")?),
            "random_fold_in" => Kind::FoldIn,
            _ => Kind::Clone,
        };
        let in_halves = params.get("in_halves").is_some();
        Ok(Rc::new(Random { name: params.primitive, kind, in_halves }))
    }
}

fn implementation(params: &Params) -> Step<KeyImpl> {
    match params.get("impl") {
        None => Ok(KeyImpl::Threefry),
        Some(ParamValue::DType(DType::Key(key))) => Ok(*key),
        Some(ParamValue::Str(name)) => match &**name {
            "fry" | "threefry2x32" => Ok(KeyImpl::Threefry),
            "rbg" => Ok(KeyImpl::Rbg),
            "urbg" | "unsafe_rbg" => Ok(KeyImpl::UnsafeRbg),
            other => Err(Halt::unknown(format!("the key implementation `{other}` is not modelled"))),
        },
        Some(other) => {
            Err(Halt::unknown(format!("`{}` is called with an unexpected `impl`: {other:?}", params.primitive)))
        }
    }
}

fn tag(key: KeyImpl) -> &'static str {
    match key {
        KeyImpl::Threefry => "fry",
        KeyImpl::Rbg => "rbg",
        KeyImpl::UnsafeRbg => "urbg",
    }
}

/// The key type of an input.
fn key_of(aval: &Aval, name: &str) -> Step<KeyImpl> {
    match aval.dtype {
        DType::Key(key) => Ok(key),
        other => Err(Halt::type_error(format!("{name} takes key array operand, got keys.dtype={}", other.repr()))),
    }
}

impl Primitive for Random {
    fn name(&self) -> &'static str {
        self.name
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        match &self.kind {
            Kind::Seed(key) | Kind::Wrap(key) => vec![("impl", text(tag(*key)))],
            Kind::Split(shape) => vec![("shape", text(shape_tuple(shape)))],
            Kind::Bits(width, shape) => {
                vec![("bit_width", text(width.to_string())), ("shape", text(shape_tuple(shape)))]
            }
            Kind::Unwrap | Kind::Clone | Kind::FoldIn => Vec::new(),
        }
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        let more = |shape: &Shape| x.shape.iter().chain(shape).copied().collect::<Shape>();
        Ok(smallvec![match &self.kind {
            Kind::Seed(key) => Aval::with_shape(DType::Key(*key), x.shape.clone()),
            Kind::Wrap(key) => {
                let (words, mut shape) = (key.words(), x.shape.clone());
                if shape.pop() != Some(Dim::from(words)) {
                    return Err(Halt::type_error(format!(
                        "JAX encountered invalid PRNG key data: expected key_data.shape to end with ({words},); got shape={} \
                         for impl={}",
                        x.shape_tuple(),
                        tag(*key)
                    )));
                }
                Aval::with_shape(DType::Key(*key), shape)
            }
            Kind::Unwrap => {
                let words = Dim::from(key_of(x, self.name)?.words());
                Aval::with_shape(DType::U32, more(&smallvec![words]))
            }
            Kind::Clone => x.clone(),
            Kind::Split(shape) => Aval::with_shape(DType::Key(key_of(x, self.name)?), more(shape)),
            Kind::Bits(width, shape) => {
                key_of(x, self.name)?;
                let dtype = match width {
                    8 => DType::U8,
                    16 => DType::U16,
                    32 => DType::U32,
                    64 => DType::U64,
                    other => return Err(Halt::type_error(format!("data type 'uint{other}' not understood"))),
                };
                Aval::with_shape(dtype, more(shape))
            }
            Kind::FoldIn =>
                Aval::with_shape(DType::Key(key_of(x, self.name)?), rules::broadcast_shape(self.name, inputs)?),
        }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        Ok(smallvec![match &self.kind {
            Kind::Seed(key) => {
                // Longer keys are one threefry key twice.
                let words = (0..x.len()).flat_map(|i| seed_words(x, i).repeat(key.words() / 2)).collect();
                Tensor::wrapped::<u32>(DType::Key(*key), x.shape.clone(), words)
            }
            Kind::Wrap(key) =>
                Tensor { dtype: DType::Key(*key), shape: x.shape[..x.shape.len() - 1].into(), data: x.data.clone() },
            Kind::Unwrap => x.physical(),
            Kind::Clone => x.clone(),
            Kind::Split(shape) => {
                let (keys, each) = halves(x)?;
                let shape = sizes(shape)?;
                let count = shape.iter().product::<usize>();
                if self.in_halves {
                    let new = split_in_halves(&keys, each, count);
                    return Ok(smallvec![Tensor::wrapped::<u32>(x.dtype, joined(&x.shape, &shape), new)]);
                }
                let more = vector::count(keys.len() * count, |i| {
                    let (key, half) = (i / each / count, i % each);
                    threefry_at(keys[key * each + half], (i / each % count) as u64)
                });
                let words = more.into_flattened();
                Tensor::wrapped::<u32>(x.dtype, joined(&x.shape, &shape), words)
            }
            Kind::Bits(width, shape) => {
                let keys = keys(x)?;
                let shape = sizes(shape)?;
                let (count, shape) = (shape.iter().product(), joined(&x.shape, &shape));
                match self.in_halves {
                    true => bits_in_halves(&keys, *width, count, shape),
                    false => bits(&keys, *width, count, shape),
                }
            }
            Kind::FoldIn => {
                let shape = layout::broadcast_shapes([&x.shape[..], &inputs[1].shape[..]]);
                let shape = shape.ok_or_else(|| Halt::unknown("shapes that do not fit"))?;
                let (keys, each) = halves(&x.broadcast_to(&shape))?;
                let numbers = inputs[1].broadcast_to(&shape).convert(DType::U32);
                let numbers = numbers.expect::<u32>()?;
                let words = vector::count(keys.len(), |i| threefry::hash(keys[i], [0, numbers[i / each]]));
                let words = words.into_flattened();
                Tensor::wrapped::<u32>(x.dtype, shape, words)
            }
        }])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        if matches!(self.kind, Kind::Clone) && t.iter().any(Option::is_some) {
            return Err(super::missing::jvp(self.name));
        }
        rules::zero_jvp(cx, self, x)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        match self.kind {
            Kind::Wrap(_) => {
                let x = rules::move_to_front(cx, &inputs[0], rules::only_dim(dims)?)?;
                Ok(rules::batched(cx.bind1(self.clone(), &[x])?, 0))
            }
            Kind::FoldIn => {
                let (inputs, dim) = rules::batch_broadcasting(cx, inputs, dims)?;
                Ok(rules::batched(cx.bind1(self.clone(), &inputs)?, dim))
            }
            _ => Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?)),
        }
    }
    fn cost(&self, _inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        outputs.iter().filter_map(Aval::size).map(|n| 80 * n as u64).sum()
    }
}

fn joined(a: &[usize], b: &[usize]) -> Sizes {
    a.iter().chain(b).copied().collect()
}

/// The words of a threefry key that an integer seeds: its high half (zero for 32 bits) and its low half.
fn seed_words(seeds: &Tensor, i: usize) -> [u32; 2] {
    let seed = seeds.number(i).map_or(0, |n| if let crate::array::Number::Int(n) = n { n } else { 0 });
    let high = if seeds.dtype.bits() == 64 { (seed >> 32) as u32 } else { 0 };
    [high, seed as u32]
}

/// Threefry keys as pairs of words.
fn keys(tensor: &Tensor) -> Step<Vec<[u32; 2]>> {
    match (tensor.dtype, &tensor.data) {
        (DType::Key(KeyImpl::Threefry), Data::U32(words)) => Ok(words.as_chunks::<2>().0.to_vec()),
        _ => Err(Halt::unknown(format!("random bits of {} are not modelled yet", tensor.dtype))),
    }
}

/// The threefry keys that keys are made of, and how many make up one: new keys of `rbg` are made of halves.
fn halves(tensor: &Tensor) -> Step<(Vec<[u32; 2]>, usize)> {
    match (tensor.dtype, &tensor.data) {
        (DType::Key(KeyImpl::Rbg), Data::U32(words)) => Ok((words.as_chunks::<2>().0.to_vec(), 2)),
        _ => Ok((keys(tensor)?, 1)),
    }
}

/// `count` numbers of so many random bits from each key.
fn bits(keys: &[[u32; 2]], width: u32, count: usize, shape: Sizes) -> Tensor {
    let all = keys.len() * count;
    let at = |i: usize| threefry_at(keys[i / count], (i % count) as u64);
    let short = |i: usize| at(i)[0] ^ at(i)[1];
    match width {
        8 => Tensor::new(shape, vector::count(all, |i| short(i) as u8)),
        16 => Tensor::new(shape, vector::count(all, |i| short(i) as u16)),
        64 => Tensor::new(shape, vector::count(all, |i| u64::from(at(i)[0]) << 32 | u64::from(at(i)[1]))),
        _ => match keys {
            [key] if u32::try_from(count).is_ok() => Tensor::new(shape, threefry::words(*key, count)),
            _ => Tensor::new(shape, vector::count(all, short)),
        },
    }
}

/// The words that a key makes of the counters `0..count`: the first half of them hashed with the second half.
fn words_in_halves(key: [u32; 2], count: usize) -> Vec<u32> {
    let half = count.div_ceil(2);
    let second = |i: usize| if half + i < count { (half + i) as u32 } else { 0 };
    let pairs: Vec<[u32; 2]> = vector::count(half, |i| threefry::hash(key, [i as u32, second(i)]));
    let mut words: Vec<u32> = pairs.iter().map(|pair| pair[0]).chain(pairs.iter().map(|pair| pair[1])).collect();
    words.truncate(count);
    words
}

/// New keys, `count` from each, which is made of so many pairs of words.
fn split_in_halves(keys: &[[u32; 2]], each: usize, count: usize) -> Vec<u32> {
    let words: Vec<Vec<u32>> = keys.iter().map(|key| words_in_halves(*key, 2 * count)).collect();
    let new = words
        .chunks(each)
        .flat_map(|key| (0..count).flat_map(|i| key.iter().flat_map(move |words| &words[2 * i..2 * i + 2])));
    new.copied().collect()
}

/// [`bits`] with counters that are hashed half with half.
fn bits_in_halves(keys: &[[u32; 2]], width: u32, count: usize, shape: Sizes) -> Tensor {
    let needed = (count as u64 * u64::from(width)).div_ceil(32) as usize;
    let words = keys.iter().map(|key| words_in_halves(*key, needed));
    // Short numbers are the parts of one word after the other.
    let parts = |words: Vec<u32>| {
        let all = words.into_iter().flat_map(|word| (0..32 / width).map(move |part| word >> (part * width)));
        all.take(count).collect::<Vec<u32>>()
    };
    match width {
        8 => Tensor::new(shape, words.flat_map(parts).map(|word| word as u8).collect::<Vec<u8>>()),
        16 => Tensor::new(shape, words.flat_map(parts).map(|word| word as u16).collect::<Vec<u16>>()),
        64 => {
            let long = |words: Vec<u32>| {
                let (high, low) = words.split_at(count);
                high.iter().zip(low).map(|(high, low)| u64::from(*high) << 32 | u64::from(*low)).collect::<Vec<u64>>()
            };
            Tensor::new(shape, words.flat_map(long).collect::<Vec<u64>>())
        }
        _ => Tensor::new(shape, words.flatten().collect::<Vec<u32>>()),
    }
}

/// The hash itself: key words, count words.
#[derive(Clone, Debug)]
pub struct Threefry2x32;

impl Threefry2x32 {
    /// From keyword parameters.
    pub fn make(_params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Threefry2x32))
    }
}

impl Primitive for Threefry2x32 {
    fn name(&self) -> &'static str {
        "threefry2x32"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        if inputs.iter().any(|a| a.dtype != DType::U32) {
            let all = inputs.iter().map(|a| format!("ShapedArray({})", a.long()));
            let all = rules::tuple_text(all);
            return Err(Halt::type_error(format!("Arguments to threefry2x32 must have uint32 type, got {all}")));
        }
        let out = Aval::with_shape(DType::U32, rules::broadcast_shape("threefry2x32", inputs)?);
        Ok(smallvec![out.clone(), out])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = layout::broadcast_shapes(inputs.iter().map(|t| &t.shape[..]));
        let shape = shape.ok_or_else(|| Halt::unknown("shapes that do not fit"))?;
        let all: Vec<Tensor> = inputs.iter().map(|t| t.broadcast_to(&shape)).collect();
        let words: Vec<&[u32]> = all.iter().map(|t| t.expect::<u32>()).collect::<Step<_>>()?;
        let hash = |i: usize| threefry::hash([words[0][i], words[1][i]], [words[2][i], words[3][i]]);
        let hashes: Vec<[u32; 2]> = vector::count(all[0].len(), hash);
        let half = |k: usize| Tensor::new(shape.clone(), vector::map(&hashes, |h| h[k]));
        Ok(smallvec![half(0), half(1)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let (inputs, dim) = rules::batch_broadcasting(cx, inputs, dims)?;
        Ok((cx.bind(Rc::new(Threefry2x32), &inputs)?, smallvec![Some(dim), Some(dim)]))
    }
    fn cost(&self, _inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        outputs.iter().filter_map(Aval::size).map(|n| 40 * n as u64).sum()
    }
}

/// A 64-bit count over a shape, as its high and low words.
#[derive(Clone, Debug)]
pub struct Iota2x32 {
    shape: Shape,
}

impl Iota2x32 {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Iota2x32 { shape: params.shape("shape")? }))
    }
}

impl Primitive for Iota2x32 {
    fn name(&self) -> &'static str {
        "iota_2x32_shape"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("shape", text(shape_tuple(&self.shape)))]
    }
    fn abstract_eval(&self, _inputs: &[&Aval]) -> Step<Avals> {
        let out = Aval::with_shape(DType::U32, self.shape.clone());
        Ok(smallvec![out.clone(), out])
    }
    fn eval(&self, _inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = sizes(&self.shape)?;
        let count = shape.iter().product::<usize>();
        let high = Tensor::new(shape.clone(), vector::count(count, |i| (i as u64 >> 32) as u32));
        Ok(smallvec![high, Tensor::new(shape, vector::count(count, |i| i as u32))])
    }
}
