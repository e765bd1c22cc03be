//! Changes of the element type: `convert_element_type`, `bitcast_convert_type`, `reduce_precision`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::elementwise::kernel::map;
use super::rules::{self, flag_text, text};
use super::{
    Avals, ByElement, Dims, Operand, Param, Params, Primitive, Tangents, build, elementwise::kernel, on_stretches,
};
use crate::array::convert::{int_range, wrap_narrow};
use crate::array::tensor::{Data, Element, Sizes};
use crate::array::{Aval, DType, Dim, Tensor};
use crate::python::{Halt, Step};
use crate::trace::{Array, Engine, Val, Vals};

/// The same numbers in another type.
#[derive(Clone, Debug)]
pub struct ConvertElementType {
    /// The new type.
    pub dtype: DType,
    /// Whether the new type is weak.
    pub weak: bool,
}

impl ConvertElementType {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(ConvertElementType { dtype: params.dtype("new_dtype")?, weak: params.flag("weak_type")? }))
    }
}

impl Primitive for ConvertElementType {
    fn name(&self) -> &'static str {
        "convert_element_type"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("new_dtype", text(self.dtype.name())), ("weak_type", flag_text(self.weak))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![Aval { dtype: self.dtype, shape: inputs[0].shape.clone(), weak: self.weak }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let from = inputs[0].dtype;
        if from != self.dtype && (from.is_key() || self.dtype.is_key()) {
            return Err(Halt::unknown("conversion of keys"));
        }
        Ok(smallvec![inputs[0].convert(self.dtype)])
    }
    fn forwards(&self, inputs: &[&Aval], outputs: &[Aval]) -> Option<usize> {
        (*inputs[0] == outputs[0] && !self.dtype.is_key()).then_some(0)
    }
    fn in_numpy(&self) -> Option<Rc<dyn Primitive>> {
        self.dtype.is_integer().then(|| Rc::new(Truncate(self.clone())) as Rc<dyn Primitive>)
    }
    fn folds(&self) -> bool {
        true
    }
    fn fold(&self, constants: &[Option<Val>]) -> Option<Vals> {
        // Only scalars that the program wrote; arrays stay where they are.
        let constant = constants.first()?.as_ref().filter(|c| c.is_literal() && !self.dtype.is_key())?;
        let tensor = constant.tensor()?.convert(self.dtype);
        Some(smallvec![Array::literal(tensor, self.weak, None)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        let out = cx.bind1(self.clone(), x)?;
        let tangent = match &t[0] {
            Some(t) if self.dtype.is_inexact() => Some(cx.bind1(self.clone(), std::slice::from_ref(t))?),
            _ => None,
        };
        Ok((smallvec![out], smallvec![tangent]))
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        match inputs {
            [Operand::Linear(aval)] if !aval.dtype.is_inexact() => Ok(smallvec![None]),
            _ => rules::transpose_one(ct, inputs, |ct, aval| {
                cx.bind1(ConvertElementType { dtype: aval.dtype, weak: aval.weak }, &[ct.clone()])
            }),
        }
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
}

/// Numbers as NumPy makes integers of them: what a float becomes that the type does not hold is up to the machine.
#[derive(Clone, Debug)]
struct Truncate(ConvertElementType);

impl Primitive for Truncate {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        self.0.params()
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        self.0.abstract_eval(inputs)
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let (least, most) = int_range(self.0.dtype);
        let (least, most) = (least as f64 - 1.0, most as f64 + 1.0);
        // Half a step past the last number is still cut to it; where `f64` has no such steps, its own ends count.
        let fits = |x: f64| x > least && x < most || x == least + 1.0 && least < -1e17;
        let all_fit = match &inputs[0].data {
            Data::BF16(all) => all.iter().all(|x| fits(x.to_f64())),
            Data::F16(all) => all.iter().all(|x| fits(x.to_f64())),
            Data::F32(all) => all.iter().all(|x| fits((*x).into())),
            Data::F64(all) => all.iter().all(|x| fits(*x)),
            _ => true,
        };
        match all_fit {
            true if inputs[0].dtype.narrow().is_some() => {
                Ok(smallvec![inputs[0].convert(DType::F64).convert(self.0.dtype)])
            }
            true => self.0.eval(inputs),
            false => {
                Err(Halt::unknown("a number that its new type does not hold: what it becomes is up to the machine"))
            }
        }
    }
    fn forwards(&self, inputs: &[&Aval], outputs: &[Aval]) -> Option<usize> {
        self.0.forwards(inputs, outputs)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        self.0.batch(cx, inputs, dims)
    }
    fn cost(&self, inputs: &[&Aval], outputs: &[Aval]) -> u64 {
        self.0.cost(inputs, outputs)
    }
}

/// The same bits read as another type.
#[derive(Clone, Debug)]
pub struct BitcastConvertType {
    /// The new type.
    pub dtype: DType,
}

impl BitcastConvertType {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(BitcastConvertType { dtype: params.dtype("new_dtype")? }))
    }
}

fn to_bytes(tensor: &Tensor) -> Option<Vec<u8>> {
    fn collect<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        values.iter().flat_map(|&v| bytes(v)).collect()
    }
    let dtype = tensor.dtype;
    let codes = match (&tensor.data, dtype.narrow()) {
        (Data::F32(v), Some(narrow)) => Some(v.iter().map(|&x| narrow.to_bits(x)).collect()),
        (Data::I8(v), None) if dtype.is_part_of_byte() => Some(v.iter().map(|&x| x as u8).collect()),
        (Data::U8(v), None) if dtype.is_part_of_byte() => Some(v.to_vec()),
        _ => None,
    };
    if let Some(codes) = codes {
        return Some(packed(codes, dtype.bits()));
    }
    Some(match &tensor.data {
        Data::I8(v) => collect(v, i8::to_le_bytes),
        Data::I16(v) => collect(v, i16::to_le_bytes),
        Data::I32(v) => collect(v, i32::to_le_bytes),
        Data::I64(v) => collect(v, i64::to_le_bytes),
        Data::U8(v) => v.to_vec(),
        Data::U16(v) => collect(v, u16::to_le_bytes),
        Data::U32(v) => collect(v, u32::to_le_bytes),
        Data::U64(v) => collect(v, u64::to_le_bytes),
        Data::BF16(v) => collect(v, half::bf16::to_le_bytes),
        Data::F16(v) => collect(v, half::f16::to_le_bytes),
        Data::F32(v) => collect(v, f32::to_le_bytes),
        Data::F64(v) => collect(v, f64::to_le_bytes),
        _ => return None,
    })
}

/// Elements of so many bits each, in bytes: the first one has the lowest bits.
fn packed(codes: Vec<u8>, bits: u32) -> Vec<u8> {
    if bits >= 8 {
        return codes;
    }
    let mask = (1u8 << bits) - 1;
    let byte = |codes: &[u8]| codes.iter().rev().fold(0u8, |byte, code| byte << bits | code & mask);
    codes.chunks((8 / bits) as usize).map(byte).collect()
}

/// So many elements of so many bits each, out of bytes.
fn unpacked(bytes: &[u8], bits: u32, count: usize) -> impl Iterator<Item = u8> {
    let mask = (1u16 << bits.min(8)) as u8;
    let each = move |byte: &u8| {
        (0..8 / bits.min(8)).map({
            let byte = *byte;
            move |i| byte >> (i * bits) & mask.wrapping_sub(1)
        })
    };
    bytes.iter().flat_map(each).take(count)
}

fn from_bytes(dtype: DType, bytes: &[u8], count: usize) -> Option<Data> {
    fn read<T: Element, const N: usize>(bytes: &[u8], value: impl Fn([u8; N]) -> T) -> Data {
        T::wrap(bytes.as_chunks::<N>().0.iter().map(|&chunk| value(chunk)).collect())
    }
    Some(match dtype {
        DType::Narrow(narrow) => {
            f32::wrap(unpacked(bytes, narrow.bits(), count).map(|code| narrow.from_bits(code)).collect())
        }
        DType::I2 | DType::I4 => {
            i8::wrap(unpacked(bytes, dtype.bits(), count).map(|code| wrap_narrow(code as i8, dtype)).collect())
        }
        DType::U2 | DType::U4 => u8::wrap(unpacked(bytes, dtype.bits(), count).collect()),
        DType::I8 => read(bytes, i8::from_le_bytes),
        DType::I16 => read(bytes, i16::from_le_bytes),
        DType::I32 => read(bytes, i32::from_le_bytes),
        DType::I64 => read(bytes, i64::from_le_bytes),
        DType::U8 => read(bytes, u8::from_le_bytes),
        DType::U16 => read(bytes, u16::from_le_bytes),
        DType::U32 => read(bytes, u32::from_le_bytes),
        DType::U64 => read(bytes, u64::from_le_bytes),
        DType::BF16 => read(bytes, half::bf16::from_le_bytes),
        DType::F16 => read(bytes, half::f16::from_le_bytes),
        DType::F32 => read(bytes, f32::from_le_bytes),
        DType::F64 => read(bytes, f64::from_le_bytes),
        _ => return None,
    })
}

impl Primitive for BitcastConvertType {
    fn name(&self) -> &'static str {
        "bitcast_convert_type"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("new_dtype", text(self.dtype.name()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (x, new, old) = (inputs[0], self.dtype, inputs[0].dtype);
        let mut shape = x.shape.clone();
        let (old_bits, new_bits) = (old.bits(), new.bits());
        if old_bits > new_bits {
            shape.push(Dim::from((old_bits / new_bits.max(1)) as usize));
        } else if old_bits < new_bits {
            let last = shape.pop().unwrap_or(Dim::from(1usize));
            if (last * old_bits as usize).equal(Dim::from(new_bits as usize)) != Some(true) {
                return Err(Halt::value_error(format!(
                    "Attempting to convert array of shape {} from {old} of size {old_bits} bits to {new} of size {new_bits}, \
                     bits but {last} * {old_bits} != {new_bits}",
                    x.shape_tuple()
                )));
            }
        }
        let odd = |d: DType| d == DType::Bool || d.is_complex();
        if (odd(old) || odd(new)) && old != new {
            return Err(Halt::type_error(format!(
                "lax.bitcast_convert_type does not support bool or complex values unless the operand and destination types \
                 match. Got operand dtype={old}, new_dtype={}. Consider using the arr.view() method instead.",
                new.repr()
            )));
        }
        Ok(smallvec![Aval { dtype: new, shape, weak: false }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let (old, new) = (x.dtype, self.dtype);
        if old == new {
            return Ok(smallvec![x.clone()]);
        }
        let mut shape: Sizes = x.shape.clone();
        match old.bits().cmp(&new.bits()) {
            std::cmp::Ordering::Greater => shape.push((old.bits() / new.bits()) as usize),
            std::cmp::Ordering::Less => drop(shape.pop()),
            std::cmp::Ordering::Equal => {}
        }
        let data = match (&x.data, new) {
            (Data::U32(words), DType::F32) => Some(map(words, f32::from_bits)),
            (Data::F32(all), DType::U32) if old == DType::F32 => Some(map(all, f32::to_bits)),
            (Data::F32(all), DType::I32) if old == DType::F32 => Some(map(all, |x: f32| x.to_bits() as i32)),
            _ => to_bytes(x).and_then(|bytes| from_bytes(new, &bytes, shape.iter().product())),
        };
        let data = data.ok_or_else(|| Halt::unknown(format!("no bitcast from {old} to {new} yet")))?;
        Ok(smallvec![Tensor::with_data(new, shape, data)])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], _t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::zero_jvp(cx, self, x)
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// Numbers rounded as a float type with so many bits would hold them.
#[derive(Clone, Debug)]
pub struct ReducePrecision {
    /// Bits of the exponent.
    pub exponent_bits: i64,
    /// Bits of the mantissa.
    pub mantissa_bits: i64,
}

impl ReducePrecision {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let (exponent_bits, mantissa_bits) = (params.int("exponent_bits")?, params.int("mantissa_bits")?);
        Ok(Rc::new(ReducePrecision { exponent_bits, mantissa_bits }))
    }
}

/// A float rounded on its bits, as XLA does: half of the last place that stays is added, less one where that place is even (the lowest
/// of the exponent, where no mantissa stays), and exponents out of reach become infinities and zeros.
macro_rules! narrowed {
    ($name:ident, $float:ty, $bits:ty, $exponent:expr, $mantissa:expr) => {
        fn $name(x: $float, exponent_bits: i64, mantissa_bits: i64) -> $float {
            if x.is_nan() {
                return x;
            }
            let sign = x.to_bits() & 1 << ($exponent + $mantissa);
            let mut bits = x.to_bits() ^ sign;
            if mantissa_bits < $mantissa {
                let dropped = $mantissa - mantissa_bits.max(0);
                let is_odd = bits >> dropped & 1;
                bits = (bits + (1 << (dropped - 1)) - 1 + is_odd) >> dropped << dropped;
            }
            let infinite = <$float>::INFINITY.to_bits();
            if exponent_bits < $exponent {
                let (bias, least): ($bits, $bits) = ((1 << ($exponent - 1)) - 1, (1 << (exponent_bits.max(1) - 1)) - 1);
                let exponent = bits >> $mantissa;
                if exponent > bias + least {
                    bits = infinite;
                } else if exponent <= bias - least {
                    bits = 0;
                }
            }
            <$float>::from_bits(bits.min(infinite) | sign)
        }
    };
}

narrowed!(narrowed_32, f32, u32, 8, 23);
narrowed!(narrowed_64, f64, u64, 11, 52);

impl Primitive for ReducePrecision {
    fn name(&self) -> &'static str {
        "reduce_precision"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("exponent_bits", text(self.exponent_bits.to_string())),
            ("mantissa_bits", text(self.mantissa_bits.to_string())),
        ]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (exponent, mantissa) = (self.exponent_bits, self.mantissa_bits);
        if exponent < 1 {
            return Err(Halt::value_error(format!("reduce_precision: exponent_bits must be positive; got {exponent}")));
        }
        if mantissa < 0 {
            return Err(Halt::value_error(format!(
                "reduce_precision: mantissa_bits must be non-negative; got {mantissa}"
            )));
        }
        rules::check_unary("reduce_precision", rules::FLOAT, inputs[0])?;
        Ok(smallvec![inputs[0].clone()])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let (exponent, mantissa) = (self.exponent_bits, self.mantissa_bits);
        let data = kernel::float(x, |v| narrowed_32(v, exponent, mantissa), |v| narrowed_64(v, exponent, mantissa));
        let data = data.ok_or_else(|| Halt::unknown("not a float"))?;
        Ok(smallvec![Tensor::with_data(x.dtype, x.shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| cx.bind1(self.clone(), &[ct.clone()]))
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
}

/// The complex conjugate; a real input becomes complex.
#[derive(Clone, Debug)]
pub struct Conj {
    /// The type of the input.
    pub input: DType,
}

impl Conj {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Conj { input: params.dtype("input_dtype")? }))
    }
}

impl Primitive for Conj {
    fn name(&self) -> &'static str {
        "conj"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("input_dtype", text(self.input.name()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        rules::check_unary("conj", &[rules::Class::Complex, rules::Class::F32, rules::Class::F64], x)?;
        let dtype = if matches!(x.dtype, DType::F64 | DType::C128) { DType::C128 } else { DType::C64 };
        Ok(smallvec![Aval { dtype, ..x.clone() }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let to = if matches!(x.dtype, DType::F64 | DType::C128) { DType::C128 } else { DType::C64 };
        let whole = x.convert(to);
        if !x.dtype.is_complex() {
            return Ok(smallvec![whole]);
        }
        let data = kernel::complex(&whole, |c| c.conj()).ok_or_else(|| Halt::unknown("not a complex number"))?;
        Ok(smallvec![Tensor::with_data(to, x.shape.clone(), data)])
    }
    fn by_element(&self) -> Option<ByElement> {
        on_stretches(self.clone())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        rules::transpose_one(ct, inputs, |ct, _| {
            if self.input.is_complex() {
                cx.bind1(Conj { input: ct.aval.dtype }, &[ct.clone()])
            } else {
                build::real(cx, ct)
            }
        })
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Ok(rules::batched(cx.bind1(self.clone(), inputs)?, rules::only_dim(dims)?))
    }
}
