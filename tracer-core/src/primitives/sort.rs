//! `sort`: arrays put in order along one axis, by the first of them or by several.

use std::rc::Rc;

use jitlens_kernels::order;
use jitlens_kernels::vector::{count, map};
use jitlens_kernels::work::{PART, Stop};
use smallvec::{SmallVec, smallvec};

use super::arithmetic::each_type;
use super::elementwise::scalar::Float;
use super::gather::Gather;
use super::indexing::{Ints, Mode, WindowDims};
use super::{Avals, Dims, Param, Params, Primitive, Tangents, build, repr};
use crate::array::narrow::{Narrow, Special};
use crate::array::tensor::{Data, Element};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `sort`
#[derive(Copy, Clone, Debug)]
pub struct Sort {
    /// The axis.
    pub dimension: usize,
    /// Whether equal elements keep their order. Here they always do.
    pub is_stable: bool,
    /// How many operands decide the order.
    pub num_keys: usize,
}

/// From keyword parameters.
pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
    Ok(Rc::new(Sort {
        dimension: params.index("dimension")?,
        is_stable: params.flag("is_stable")?,
        num_keys: params.index("num_keys")?,
    }))
}

impl Primitive for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension", Param::Text(self.dimension.to_string())),
            ("is_stable", Param::Text(repr::flag(self.is_stable).into())),
            ("num_keys", Param::Text(self.num_keys.to_string())),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        for other in inputs.iter().skip(1) {
            if !super::rules::same_shape(&other.shape, &inputs[0].shape)? {
                let shapes: Vec<String> = inputs.iter().map(|aval| aval.shape_tuple()).collect();
                return Err(Halt::type_error(format!(
                    "Arguments to sort must have equal shapes, got: {}",
                    shapes.join(" ")
                )));
            }
        }
        Ok(inputs.iter().map(|&aval| aval.clone()).collect())
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let shape = &inputs[0].shape;
        let lanes = Lanes::new(shape, self.dimension);
        known_order(inputs, self.num_keys)?;
        if let ([x], 1, 1) = (inputs, self.num_keys, lanes.stride)
            && let Some(data) = by_value(x, lanes.length)
        {
            return Ok(smallvec![Tensor::with_data(x.dtype, shape.clone(), data)]);
        }
        let block = lanes.length * lanes.stride;
        // Keys and orders are made of some lines at a time: they take more room than what is sorted.
        let each = (TOGETHER / block.max(1)).max(1);
        if block == 0 || each >= lanes.outer {
            return self.sorted(inputs);
        }
        let rows = |outer: usize| [outer, lanes.length, lanes.stride];
        let whole: Vec<Tensor> = inputs.iter().map(|tensor| tensor.reshaped(rows(lanes.outer).as_slice())).collect();
        let mut out: Vec<Tensor> = whole.iter().map(|x| Tensor::zeros(x.dtype, x.shape.clone())).collect();
        let (sort, stop) = (Sort { dimension: 1, ..*self }, Stop::here());
        for from in (0..lanes.outer).step_by(each) {
            if stop.asked() {
                break;
            }
            let count = each.min(lanes.outer - from);
            let part = |x: &Tensor| x.window(&[from, 0, 0], &rows(count), &[1; 3]);
            let parts: Vec<Tensor> = whole.iter().map(part).collect();
            for (out, sorted) in out.iter_mut().zip(sort.sorted(&parts)?) {
                out.put_rows(from, &sorted)?;
            }
        }
        Ok(out.into_iter().map(|out| out.reshaped(shape.clone())).collect())
    }

    fn jvp(&self, cx: &Engine, primals: &[Val], tangents: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let shape = &primals[0].aval.shape;
        let mut inputs = primals.to_vec();
        inputs.push(build::iota(cx, DType::U32, shape, self.dimension)?);
        let mut out = cx.bind(Rc::new(*self), &inputs)?;
        let Some(order) = out.pop() else { return Err(Halt::unknown("a sort without results")) };
        let indices = build::expand_dims(cx, &order, &[shape.len()])?;
        let along = along_axis(shape, self.dimension, true);
        let moved = |t: &Option<Val>| -> Step<Option<Val>> {
            t.as_ref().map(|t| cx.bind1(along.clone(), &[t.clone(), indices.clone()])).transpose()
        };
        let tangents = tangents.iter().map(moved).collect::<Step<Tangents>>()?;
        Ok((out, tangents))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let Some((shape, dim)) = inputs.iter().zip(dims).find_map(|(x, d)| d.map(|d| (&x.aval.shape, d))) else {
            return Err(Halt::unknown("nothing is batched"));
        };
        let others: Vec<usize> = (0..shape.len()).filter(|&axis| axis != dim).collect();
        let one = |(x, d): (&Val, &Option<usize>)| match d {
            Some(d) => build::move_axis(cx, x, *d, dim),
            None => build::broadcast_in_dim(cx, x, shape, &others),
        };
        let inputs = inputs.iter().zip(dims).map(one).collect::<Step<Vec<_>>>()?;
        let sort = Sort { dimension: self.dimension + usize::from(dim <= self.dimension), ..*self };
        Ok((cx.bind(Rc::new(sort), &inputs)?, inputs.iter().map(|_| Some(dim)).collect()))
    }

    fn cost(&self, inputs: &[&Aval], _: &[Aval]) -> u64 {
        let size = inputs[0].size().unwrap_or(0) as u64;
        size.saturating_mul(u64::from(size.max(2).ilog2()))
    }
}

/// Lines sorted by their elements alone, without a list of where these come from; nothing where words with their places are sorted
/// sooner.
fn by_value(x: &Tensor, length: usize) -> Option<Data> {
    fn plain<T: Element + order::Key + Default>(all: &[T], length: usize) -> Option<Data> {
        order::pays::<T>(length).then(|| T::wrap(order::sort_lines(all, length, |x| x, |x| x)))
    }
    const I32: u32 = 1 << 31;
    const I64: u64 = 1 << 63;
    let signed32 = |all| order::sorted(all, length, |x: i32| x.cast_unsigned() ^ I32, |x| (x ^ I32).cast_signed());
    let signed64 = |all| order::sorted(all, length, |x: i64| x.cast_unsigned() ^ I64, |x| (x ^ I64).cast_signed());
    match &x.data {
        Data::Bool(v) => plain(v, length),
        Data::I8(v) => plain(v, length),
        Data::I16(v) => plain(v, length),
        Data::I32(v) => signed32(v).map(i32::wrap),
        Data::I64(v) => signed64(v).map(i64::wrap),
        Data::U8(v) => plain(v, length),
        Data::U16(v) => plain(v, length),
        Data::U32(v) if x.dtype == DType::U32 => order::sorted(v, length, |x| x, |x| x).map(u32::wrap),
        Data::U64(v) => order::sorted(v, length, |x| x, |x| x).map(u64::wrap),
        Data::F32(v) if !nan_first(x.dtype) => {
            floats(v, length, |x| float32(x, false, false) as u32, of_word32, |x| x.abs() < f32::MIN_POSITIVE)
        }
        Data::F64(v) => floats(v, length, |x| float64(x, false), of_word64, |x| x.abs() < f64::MIN_POSITIVE),
        _ => None,
    }
}

/// Lines of floats, sorted by their bits, then those that count as equal in the order in which they came.
fn floats<T: Element + Float + order::Pod, K: order::Key + Default + order::Pod>(
    all: &[T],
    length: usize,
    key: impl Fn(T) -> K + Sync,
    back: impl Fn(K) -> T + Sync,
    small: impl Fn(T) -> bool + Copy,
) -> Option<Data> {
    let mut out = order::sorted(all, length, &key, back)?;
    let stop = Stop::here();
    // Writes those of a line that something holds of, in their order.
    let again = |line: &[T], out: &mut [T], of: &dyn Fn(T) -> bool| {
        let mut out = out.iter_mut();
        for some in line.chunks(TOGETHER).take_while(|_| !stop.asked()) {
            some.iter().filter(|&&x| of(x)).zip(&mut out).for_each(|(&x, out)| *out = x);
        }
    };
    for (line, out) in all.chunks(length.max(1)).zip(out.chunks_mut(length.max(1))) {
        if stop.asked() {
            break;
        }
        // NaNs with a sign stand in front.
        let signed = out.iter().take_while(|x| x.nan()).count();
        out.rotate_left(signed);
        let nans = out.iter().rev().take_while(|x| x.nan()).count();
        let numbers = out.len() - nans;
        if nans > 0 {
            again(line, &mut out[numbers..], &|x| x.nan());
        }
        let zero = T::default();
        let from = out[..numbers].partition_point(|&x| !small(x) && key(x) < key(zero));
        let to = from + out[from..numbers].partition_point(|&x| small(x));
        if to - from > 1 && key(out[from]) != key(out[to - 1]) {
            again(line, &mut out[from..to], &small);
        }
    }
    Some(T::wrap(out))
}

/// So many elements are sorted together, where they lie in several lines.
const TOGETHER: usize = 1 << 18;

impl Sort {
    /// All lines at once.
    fn sorted(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let lanes = Lanes::new(&inputs[0].shape, self.dimension);
        let keys = inputs.iter().take(self.num_keys).flat_map(|tensor| keys(tensor, true)).collect::<Vec<_>>();
        if keys.is_empty() && self.num_keys > 0 {
            return Err(Halt::unknown("sorting by something that has no order"));
        }
        let order = lanes.order(keys);
        inputs.iter().map(|tensor| lanes.apply(tensor, &order, lanes.length)).collect()
    }
}

/// The gather that reads an array along one axis at an array of positions of the same rank; `numpy`: its batch axes print
/// as NumPy's integers.
pub(in crate::primitives) fn along_axis(shape: &[Dim], axis: usize, numpy: bool) -> Gather {
    let others: Ints = (0..shape.len() as i64).filter(|&i| i != axis as i64).collect();
    let dims = WindowDims {
        collapsed: Ints::from_elem(axis as i64, 1),
        start_map: Ints::from_elem(axis as i64, 1),
        operand_batch: others.clone(),
        indices_batch: others,
        numpy: if numpy { [0, 0, 0, u64::MAX, u64::MAX] } else { [0; 5] },
        ..WindowDims::default()
    };
    Gather::new(dims, shape.iter().map(|_| Dim::from(1usize)).collect(), Mode::PromiseInBounds)
}

/// The lower halves of words, which are in order, in the order of the words.
fn ordered(words: Vec<u64>) -> Vec<u32> {
    let words = order::sort_placed(words);
    let order = map(&words, |word| word as u32);
    jitlens_kernels::pool::give(words);
    order
}

/// The lines of an array along one axis.
pub(super) struct Lanes {
    /// Elements of a line.
    pub length: usize,
    /// Distance of neighbours on a line.
    stride: usize,
    /// Steps of the axes in front.
    outer: usize,
    axis: usize,
}

impl Lanes {
    pub fn new(shape: &[usize], axis: usize) -> Lanes {
        let length = shape.get(axis).copied().unwrap_or(1);
        let stride = shape.iter().skip(axis + 1).product();
        Lanes { length, stride, outer: shape.iter().take(axis).product(), axis }
    }

    fn starts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.outer).flat_map(move |i| (0..self.stride).map(move |j| i * self.length * self.stride + j))
    }

    /// For every line, where its elements come from: `keys` decide, the first most; equal elements keep their order.
    pub fn order(&self, mut keys: Vec<Vec<u64>>) -> Vec<Vec<u32>> {
        let short = matches!(&keys[..], [key] if key.iter().all(|&k| k <= u32::MAX.into()));
        if short && self.outer * self.stride == 1 {
            // Of one line the keys themselves become words: a list less.
            let mut words = keys.pop().unwrap_or_default();
            jitlens_kernels::work::parts(&mut words, PART, |part, words| {
                words.iter_mut().zip(part as u64 * PART as u64..).for_each(|(word, i)| *word = *word << 32 | i);
            });
            return vec![ordered(words)];
        }
        let one = |start: usize| match &keys[..] {
            [] => (0..self.length as u32).collect(),
            [key] if short => {
                // Short keys and positions fit one machine word.
                ordered(count(self.length, |i| key[start + i * self.stride] << 32 | i as u64))
            }
            [key] => {
                let packed = count(self.length, |i| u128::from(key[start + i * self.stride]) << 64 | i as u128);
                let packed = order::sort(packed);
                let order = map(&packed, |word| word as u32);
                jitlens_kernels::pool::give(packed);
                order
            }
            _ => {
                let mut order: Vec<u32> = (0..self.length as u32).collect();
                let at = |key: &Vec<u64>, i: u32| key[start + i as usize * self.stride];
                order.sort_by(|&i, &j| {
                    let compare = |key| at(key, i).cmp(&at(key, j));
                    keys.iter().map(compare).find(|ordering| ordering.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
                });
                order
            }
        };
        self.starts().map(one).collect()
    }

    /// The first `length` elements of every line in this order.
    pub fn apply(&self, tensor: &Tensor, order: &[Vec<u32>], length: usize) -> Step<Tensor> {
        let mut shape = tensor.shape.clone();
        let data = each_type!(tensor, T => {
            let values = tensor.expect::<T>()?;
            let mut out = jitlens_kernels::pool::filled(self.outer * self.stride * length);
            let stop = Stop::here();
            for ((start, order), lane) in self.starts().zip(order).zip(0..) {
                let to = lane / self.stride.max(1) * length * self.stride + lane % self.stride.max(1);
                for (i, &from) in order.iter().take(length).enumerate() {
                    if i.is_multiple_of(TOGETHER) && stop.asked() {
                        break;
                    }
                    out[to + i * self.stride] = values[start + from as usize * self.stride];
                }
            }
            Ok(T::wrap(out))
        })?;
        if let Some(size) = shape.get_mut(self.axis) {
            *size = length;
        }
        Ok(Tensor { dtype: tensor.dtype, shape, data })
    }
}

/// The compiler mixes up integers of two bits, and numbers of `float8_e5m2fnuz` that are denormals where they are compared.
///
/// # Errors
/// Unknown for these.
fn known_order(inputs: &[Tensor], num_keys: usize) -> Step<()> {
    let small = |x: f32| x != 0.0 && x.abs() < f32::from_bits((127 - 14) << 23) * 1.5;
    let is_mixed_up = |x: &Tensor| match &x.data {
        Data::F32(v) => x.dtype == DType::Narrow(Narrow::E5M2FNUZ) && v.iter().any(|&x| small(x)),
        _ => false,
    };
    let two_bits = |x: &Tensor| x.dtype.bits() == 2;
    match inputs.iter().any(two_bits) || inputs.iter().take(num_keys).any(is_mixed_up) {
        true => Err(Halt::unknown(format!("an order that the compiler mixes up, of {}", inputs[0].dtype))),
        false => Ok(()),
    }
}

/// Whether NaN has the bits of a negative zero, before which no number comes.
fn nan_first(dtype: DType) -> bool {
    dtype.narrow().is_some_and(|narrow| narrow.format().special == Special::NanForNegativeZero)
}

/// Integers in the order of the elements, one list for each component. Floats are ordered as by their bits; `loosely` takes
/// zeros and denormals for one number, and so all NaNs, which come last but where their bits are those of a negative zero.
pub(super) fn keys(tensor: &Tensor, loosely: bool) -> Vec<Vec<u64>> {
    let nan_first = nan_first(tensor.dtype);
    let single = |x: f32| match nan_first && x.is_nan() {
        true => 0,
        false => float32(x, loosely, tensor.dtype == DType::BF16),
    };
    match &tensor.data {
        Data::Bool(v) => vec![map(v, |x| x.into())],
        Data::I8(v) => vec![map(v, |x| u64::from(x as u8 ^ 1 << 7))],
        Data::I16(v) => vec![map(v, |x| u64::from(x as u16 ^ 1 << 15))],
        Data::I32(v) => vec![map(v, |x| u64::from(x as u32 ^ 1 << 31))],
        Data::I64(v) => vec![map(v, |x| x as u64 ^ 1 << 63)],
        Data::U8(v) => vec![map(v, |x| x.into())],
        Data::U16(v) => vec![map(v, |x| x.into())],
        Data::U32(v) if tensor.dtype == DType::U32 => vec![map(v, |x| x.into())],
        Data::U64(v) => vec![v.to_vec()],
        Data::BF16(v) => vec![map(v, |x| single(x.to_f32()))],
        Data::F16(v) => vec![map(v, |x| single(x.to_f32()))],
        Data::F32(v) => vec![map(v, single)],
        Data::F64(v) => vec![map(v, |x| float64(x, loosely))],
        Data::C64(v) => {
            vec![map(v, |z| single(z.re)), map(v, |z| single(z.im))]
        }
        Data::C128(v) => {
            vec![map(v, |z| float64(z.re, loosely)), map(v, |z| float64(z.im, loosely))]
        }
        Data::U32(_) | Data::None => Vec::new(),
    }
}

fn float32(x: f32, loosely: bool, flush: bool) -> u64 {
    let mut bits = x.to_bits();
    if loosely && x.is_nan() {
        bits = f32::NAN.to_bits();
    }
    if (loosely || flush) && x.abs() < f32::MIN_POSITIVE {
        bits = if loosely { 0 } else { bits & 1 << 31 };
    }
    u64::from(if bits >> 31 == 1 { !bits } else { bits | 1 << 31 })
}

/// The float of such a word, which was made strictly.
fn of_word32(word: u32) -> f32 {
    f32::from_bits(if word >> 31 == 1 { word ^ 1 << 31 } else { !word })
}

/// As [`of_word32`].
fn of_word64(word: u64) -> f64 {
    f64::from_bits(if word >> 63 == 1 { word ^ 1 << 63 } else { !word })
}

fn float64(x: f64, loosely: bool) -> u64 {
    let mut bits = x.to_bits();
    if loosely && x.is_nan() {
        bits = f64::NAN.to_bits();
    }
    if loosely && x.abs() < f64::MIN_POSITIVE {
        bits = 0;
    }
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}
