//! `rng_uniform` and `rng_bit_generator`: random numbers of the platform.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::{Avals, Dims, DynamicUpdateSlice, Param, Params, Primitive, Tangents, build, missing, repr, rules};
use crate::array::{Aval, DType, Dim, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// `rng_uniform`: not the same numbers twice.
#[derive(Clone, Debug)]
pub struct RngUniform {
    /// The shape of the result.
    pub shape: Shape,
}

impl RngUniform {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(RngUniform { shape: params.shape("shape")? }))
    }
}

impl Primitive for RngUniform {
    fn name(&self) -> &'static str {
        "rng_uniform"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("shape", Param::Text(repr::tuple(&self.shape)))]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let (a, b) = (inputs[0], inputs[1]);
        if a.dtype != b.dtype {
            return Err(Halt::value_error(format!(
                "Arguments to rng_uniform must have identical dtypes, got {} and {}.",
                a.dtype, b.dtype
            )));
        }
        if a.rank() + b.rank() > 0 {
            return Err(Halt::value_error(format!(
                "Arguments to rng_uniform must be scalars; got shapes {} and {}.",
                shape_tuple(&a.shape),
                shape_tuple(&b.shape)
            )));
        }
        Ok(smallvec![Aval { dtype: a.dtype, shape: self.shape.clone(), weak: a.weak && b.weak }])
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(missing::jvp(self.name()))
    }

    fn batch(&self, _: &Engine, _: &[Val], _: &[Option<usize>]) -> Step<(Vals, Dims)> {
        Err(missing::batch(self.name()))
    }
}

/// `rng_bit_generator`
#[derive(Clone, Debug)]
pub struct RngBitGenerator {
    /// The algorithm, as it prints.
    pub algorithm: Rc<str>,
    /// The type of the bits.
    pub dtype: DType,
    /// How many.
    pub shape: Shape,
}

impl RngBitGenerator {
    /// From keyword parameters.
    ///
    /// # Errors
    /// Unknown for odd ones.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let algorithm = match params.need("algorithm")? {
            super::ParamValue::Str(name) => name.rsplit('.').next().unwrap_or(name).into(),
            value => match value.as_int() {
                Some(0) => "RNG_DEFAULT".into(),
                Some(1) => "RNG_THREE_FRY".into(),
                Some(2) => "RNG_PHILOX".into(),
                _ => return Err(Halt::unknown("an odd `algorithm` of `rng_bit_generator`")),
            },
        };
        Ok(Rc::new(RngBitGenerator { algorithm, dtype: params.dtype("dtype")?, shape: params.shape("shape")? }))
    }
}

impl Primitive for RngBitGenerator {
    fn name(&self) -> &'static str {
        "rng_bit_generator"
    }

    fn multiple_results(&self) -> bool {
        true
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("algorithm", Param::Text(self.algorithm.to_string())),
            ("dtype", Param::Text(self.dtype.name().into())),
            ("out_sharding", Param::Text("None".into())),
            ("shape", Param::Text(repr::tuple(&self.shape))),
        ]
    }

    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        Ok(smallvec![inputs[0].clone(), Aval::with_shape(self.dtype, self.shape.clone())])
    }

    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let key = &inputs[0];
        if &*self.algorithm == "RNG_THREE_FRY" || key.dtype != DType::U32 || key.len() != 4 {
            return Err(Halt::unknown("no evaluation of this random bit generator"));
        }
        let words = key.expect::<u32>()?;
        let shape = rules::sizes(&self.shape)?;
        let count = shape.iter().product::<usize>();
        let (bits, next) = philox([words[0], words[1], words[2], words[3]], count, self.dtype)?;
        Ok(smallvec![Tensor::new([4].as_slice(), next.to_vec()), bits.reshaped(shape)])
    }

    fn jvp(&self, _: &Engine, _: &[Val], _: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        Err(missing::jvp(self.name()))
    }

    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        // All bits come from the first key, which alone moves on.
        let keys = rules::move_to_front(cx, &inputs[0], rules::only_dim(dims)?)?;
        let size = keys.aval.shape[0];
        let one = Dim::from(1usize);
        let first = build::slice_in_dim(cx, &keys, 0, one, 1, 0)?;
        let first = build::squeeze(cx, &first, &[0])?;
        let mut all = self.clone();
        all.shape.insert(0, size);
        let out = cx.bind(Rc::new(all), &[first])?;
        let next = build::expand_dims(cx, &out[0], &[0])?;
        let zero = cx.constant(Tensor::scalar(0i32));
        let mut update = vec![keys.clone(), next];
        update.extend((0..keys.aval.rank()).map(|_| zero.clone()));
        let keys = cx.bind1(DynamicUpdateSlice, &update)?;
        Ok((smallvec![keys, out[1].clone()], smallvec![Some(0), Some(0)]))
    }
}

/// Bits of the Philox 4×32 generator from a key of 64 bits and a counter of 64 bits, and the state after them.
fn philox(state: [u32; 4], count: usize, dtype: DType) -> Step<(Tensor, [u32; 4])> {
    let key = [state[0], state[1]];
    let mut counter = u64::from(state[2]) | u64::from(state[3]) << 32;
    let words = match dtype {
        DType::U64 => 2 * count,
        _ => count,
    };
    let mut all = Vec::with_capacity(words + 4);
    while all.len() < words {
        // The upper half of the counter is the key once more.
        all.extend(philox_block([counter as u32, (counter >> 32) as u32, key[0], key[1]], key));
        counter = counter.wrapping_add(1);
    }
    all.truncate(words);
    let next = [key[0], key[1], counter as u32, (counter >> 32) as u32];
    let sizes = [count];
    let bits = match dtype {
        DType::U8 => Tensor::new(&sizes[..], all.iter().map(|&w| w as u8).collect()),
        DType::U16 => Tensor::new(&sizes[..], all.iter().map(|&w| w as u16).collect()),
        DType::U32 => Tensor::new(&sizes[..], all),
        DType::U64 => {
            let pair = |w: &[u32]| u64::from(w[0]) | u64::from(w[1]) << 32;
            Tensor::new(&sizes[..], all.chunks_exact(2).map(pair).collect())
        }
        other => return Err(Halt::unknown(format!("no random bits of {other}"))),
    };
    Ok((bits, next))
}

fn philox_block(mut x: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
        }
        let a = u64::from(x[0]) * 0xD251_1F53;
        let b = u64::from(x[2]) * 0xCD9E_8D57;
        x = [(b >> 32) as u32 ^ x[1] ^ key[0], b as u32, (a >> 32) as u32 ^ x[3] ^ key[1], a as u32];
    }
    x
}
