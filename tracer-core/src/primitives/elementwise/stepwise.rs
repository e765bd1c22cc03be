//! Inverse trigonometric and hyperbolic functions by the steps that XLA takes, each rounded to the type.
//!
//! The compiler writes them as a few operations, and in fewer than 32 bits it rounds what each of them gives: the last bits of the results are those of
//! the steps, not of the function.

use half::f16;
use jitlens_kernels::single;

use super::kernel::map;
use super::scalar::{Float, Flush};
use crate::array::convert::to_bf16;
use crate::array::narrow::Narrow;
use crate::array::tensor::Data;
use crate::array::{DType, Tensor};

/// A float type whose numbers are held as `f32`.
pub trait Steps {
    /// The largest number.
    const MAX: f32;
    /// Rounds what a step gives to the type.
    fn round(x: f32) -> f32;
    /// Rounds a constant to the type.
    fn nearest(x: f32) -> f32 {
        Self::round(x)
    }
}

macro_rules! steps {
    ($($name:ident $max:expr, $x:ident => $round:expr;)*) => {$(
        #[doc = concat!("Steps of type ", stringify!($name), ".")]
        pub struct $name;
        impl Steps for $name {
            const MAX: f32 = $max;
            #[inline(always)]
            fn round($x: f32) -> f32 { $round }
        }
    )*};
}

steps! {
    F32 f32::MAX, x => x.flush();
    BF16 3.389_531_4e38, x => to_bf16(x.flush()).to_f32();
    F16 65504.0, x => f16::from_f32(x).to_f32();
}

/// Steps of the narrow type at this place among [`Narrow::ALL`].
pub struct At<const AT: usize>;

impl<const AT: usize> Steps for At<AT> {
    const MAX: f32 = Narrow::ALL[AT].format().max;
    #[inline(always)]
    fn round(x: f32) -> f32 {
        const { Narrow::ALL[AT] }.step(x)
    }
    fn nearest(x: f32) -> f32 {
        const { Narrow::ALL[AT] }.round(x)
    }
}

/// A function by its steps for floats of up to 32 bits, at once for those of 64.
macro_rules! stepwise {
    ($t:expr, $steps:ident, $double:expr) => {
        $crate::primitives::elementwise::stepwise::apply(
            $t,
            [
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::F32>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::BF16>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::F16>,
            ],
            [
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<0>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<1>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<2>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<3>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<4>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<5>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<6>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<7>>,
                $crate::primitives::elementwise::stepwise::$steps::<$crate::primitives::elementwise::stepwise::At<8>>,
            ],
            $double,
        )
    };
}
pub(super) use stepwise;

/// The function of the type: of `f32`, `bf16`, `f16`, of the narrow ones, or of `f64`.
pub fn apply(
    t: &Tensor,
    floats: [fn(f32) -> f32; 3],
    narrow: [fn(f32) -> f32; 9],
    double: fn(f64) -> f64,
) -> Option<Data> {
    let [single, brain, half] = floats;
    Some(match &t.data {
        Data::F32(v) => match t.dtype {
            DType::Narrow(at) => map(v, narrow[at as usize]),
            _ => map(v, single),
        },
        Data::F64(v) => map(v, double),
        Data::BF16(v) => map(v, |x: half::bf16| to_bf16(brain(x.to_f32()))),
        Data::F16(v) => map(v, |x: f16| f16::from_f32(half(x.to_f32()))),
        _ => return None,
    })
}

fn log1p<S: Steps>(x: f32) -> f32 {
    S::round(f64::from(x.flush()).ln_1p() as f32)
}

fn atan2<S: Steps>(y: f32, x: f32) -> f32 {
    if y.is_subnormal() { angle(y, x) } else { S::round(f64::from(y).atan2(f64::from(x.flush())) as f32) }
}

/// `atan2(y, x)`. Of a denormal `y` the quotient is flushed only once it is taken.
pub fn angle(y: f32, x: f32) -> f32 {
    match (y.is_subnormal(), x) {
        (true, 0.0) => std::f32::consts::FRAC_PI_2.copysign(y),
        (true, 1.0) => y,
        (true, x) if x.is_subnormal() => f32::NAN,
        _ => (f64::from(y.flush()).atan2(f64::from(x.flush())) as f32).flush(),
    }
}

/// The same of doubles: a denormal `y` is no zero beside an `x` that is one.
pub fn double_angle(y: f64, x: f64) -> f64 {
    match x.flush() {
        0.0 if y.is_subnormal() => std::f64::consts::FRAC_PI_2.copysign(y),
        x => y.flush().atan2(x),
    }
}

/// `√((1 - x) (1 + x))`
pub fn leg<S: Steps>(x: f32) -> f32 {
    let product = S::round(S::round(1.0 - x) * S::round(x + 1.0));
    S::round(product.sqrt())
}

/// `2 atan2(x, 1 + √(1 - x²))`
pub fn asin<S: Steps>(x: f32) -> f32 {
    let half = atan2::<S>(x, S::round(leg::<S>(x) + 1.0));
    S::round(half + half)
}

/// `atan2(√(1 - x²), x)`
pub fn acos<S: Steps>(x: f32) -> f32 {
    atan2::<S>(leg::<S>(x), x)
}

/// `log1p(√(x - 1) (√(x + 1) + √(x - 1)))`; of large numbers `log x + log 2`.
pub fn acosh<S: Steps>(x: f32) -> f32 {
    if x >= S::MAX / 2.0 {
        return S::round(S::round(single::log(x)) + S::nearest(std::f32::consts::LN_2));
    }
    let (below, above) = (S::round(S::round(x - 1.0).sqrt()), S::round(S::round(x + 1.0).sqrt()));
    log1p::<S>(S::round(below * S::round(above + below)))
}

/// `log1p(|x| + x² / (1 + √(x² + 1)))` with the sign of `x`; of large numbers `log |x| + log 2`.
pub fn asinh<S: Steps>(x: f32) -> f32 {
    let size = x.flush().abs();
    let positive = if size >= S::nearest(S::MAX.sqrt()) {
        S::round(S::round(single::log(size)) + S::nearest(std::f32::consts::LN_2))
    } else {
        let square = S::round(size * size);
        let root = S::round(S::round(square + 1.0).sqrt());
        log1p::<S>(S::round(size + S::round(square / S::round(root + 1.0))))
    };
    S::round(x.sign() * positive)
}

/// `(log1p(x) - log1p(-x)) / 2`, not a number beyond ±1.
pub fn atanh<S: Steps>(x: f32) -> f32 {
    if x.abs() > 1.0 {
        // A type without NaN has a zero for it.
        return S::nearest(f32::NAN).abs();
    }
    S::round(S::round(log1p::<S>(x) - log1p::<S>(-x)) * 0.5)
}

/// `e^x - 1` of `float16` and what is computed in it, which the compiler expands in that type; nothing of others.
pub fn expm1(t: &Tensor) -> Option<Data> {
    let at = |x: f32| {
        let (power, half) = (F16::round(single::exp(x)), F16::round(x * 0.5));
        if half == 0.0 {
            x
        } else if x.abs() < 0.5 {
            F16::round(single::tanh(half)) * F16::round(power + 1.0)
        } else {
            power - 1.0
        }
    };
    Some(match (&t.data, t.dtype.narrow()) {
        (Data::F16(v), _) => map(v, |x: f16| f16::from_f32(at(x.to_f32()))),
        (Data::F32(v), Some(narrow)) if narrow.format().wide == DType::F16 => map(v, |x| narrow.step(at(x))),
        _ => return None,
    })
}
