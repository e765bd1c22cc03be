//! Floats of fewer than 16 bits: one row for each, and one routine that rounds to all of them.
//!
//! Their numbers are held as `f32`, which has every one of them; only where bits are asked for do they have any.

use half::f16;

use super::DType;

/// A float type of fewer than 16 bits, by its bits of exponent and mantissa. `FN` types have no infinities, `UZ` ones no negative zero.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Narrow {
    E2M1FN,
    E3M4,
    E4M3,
    E4M3B11FNUZ,
    E4M3FN,
    E4M3FNUZ,
    E5M2,
    E5M2FNUZ,
    E8M0FNU,
}

/// What a type has beside its finite numbers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Special {
    /// Infinities, and NaN under the same exponent.
    Infinities,
    /// NaN alone, whose bits all are ones.
    Nan,
    /// NaN alone, which has the bits of a negative zero.
    NanForNegativeZero,
    /// Nothing: what is too large becomes the largest number, and NaN a negative zero.
    Nothing,
    /// Powers of two alone, and NaN: no zero, and no sign.
    Powers,
}

/// A row of the table.
pub struct Format {
    /// `float8_e4m3fn`
    pub name: &'static str,
    /// `f8_e4m3fn`, as jaxprs have it.
    pub short: &'static str,
    /// The letter that `ml_dtypes` gives to NumPy.
    pub char: &'static str,
    /// Bits of the exponent.
    pub exponent: i32,
    /// Bits of the mantissa.
    pub mantissa: i32,
    /// What is taken from the bits of an exponent.
    pub bias: i32,
    /// The largest number.
    pub max: f32,
    /// What it has beside finite numbers.
    pub special: Special,
    /// The type that XLA computes in on CPU: every step is rounded to that, and then to this one.
    pub wide: DType,
}

macro_rules! formats {
    ($($narrow:ident $name:literal $short:literal $char:literal $exponent:literal $mantissa:literal $bias:literal $max:literal $special:ident $wide:ident;)*) => {
        impl Narrow {
            /// Every type, in the order of their names.
            pub const ALL: [Narrow; 9] = [$(Narrow::$narrow),*];
            /// Its row.
            #[inline]
            pub const fn format(self) -> &'static Format {
                match self {
                    $(Narrow::$narrow => &Format {
                        name: $name, short: $short, char: $char, exponent: $exponent, mantissa: $mantissa, bias: $bias, max: $max,
                        special: Special::$special, wide: DType::$wide,
                    },)*
                }
            }
        }
    };
}

formats! {
    E2M1FN      "float4_e2m1fn"      "f4_e2m1fn"      "0" 2 1 1   6.0           Nothing            F16;
    E3M4        "float8_e3m4"        "f8_e3m4"        "3" 3 4 3   15.5          Infinities         F16;
    E4M3        "float8_e4m3"        "f8_e4m3"        "7" 4 3 7   240.0         Infinities         F16;
    E4M3B11FNUZ "float8_e4m3b11fnuz" "f8_e4m3b11fnuz" "L" 4 3 11  30.0          NanForNegativeZero F16;
    E4M3FN      "float8_e4m3fn"      "f8_e4m3fn"      "4" 4 3 7   448.0         Nan                F16;
    E4M3FNUZ    "float8_e4m3fnuz"    "f8_e4m3fnuz"    "G" 4 3 8   240.0         NanForNegativeZero F16;
    E5M2        "float8_e5m2"        "f8_e5m2"        "5" 5 2 15  57344.0       Infinities         F16;
    E5M2FNUZ    "float8_e5m2fnuz"    "f8_e5m2fnuz"    "C" 5 2 16  57344.0       NanForNegativeZero F16;
    E8M0FNU     "float8_e8m0fnu"     "f8_e8m0fnu"     "W" 8 0 127 1.701_411_8e38 Powers            F32;
}

impl Narrow {
    /// The bits of an element.
    pub const fn bits(self) -> u32 {
        match self {
            Narrow::E2M1FN => 4,
            _ => 8,
        }
    }

    /// The least exponent of a normal number.
    pub const fn least_exponent(self) -> i32 {
        match self.format().special {
            Special::Powers => -self.format().bias,
            _ => 1 - self.format().bias,
        }
    }

    /// The exponent above that of the largest number.
    pub fn range(self) -> i32 {
        self.format().max.log2().floor() as i32 + 1
    }

    /// Rounds what an operation gives: to the type that it is computed in, and then to this one.
    #[inline]
    pub fn step(self, x: f32) -> f32 {
        match self.format().wide {
            DType::F16 => self.round(f16::from_f32(x).to_f32()),
            // What is a denormal there is flushed.
            _ if x.is_subnormal() => self.round(0.0),
            _ => self.round(x),
        }
    }

    /// Whether it has a NaN.
    pub fn has_nan(self) -> bool {
        self.format().special != Special::Nothing
    }

    /// Whether it has infinities.
    pub fn has_infinity(self) -> bool {
        self.format().special == Special::Infinities
    }

    /// Rounds to the numbers of the type, to nearest even.
    pub fn round(self, x: f32) -> f32 {
        let format = self.format();
        if format.special == Special::Powers {
            return power_of_two(x);
        }
        if x.is_nan() {
            return if format.special == Special::Nothing { -0.0 } else { x };
        }
        let rounded = round_mantissa(x, format.mantissa, self.least_exponent());
        match format.special {
            _ if rounded.abs() <= format.max => {
                // An addition takes the sign of a zero away.
                if format.special == Special::NanForNegativeZero { rounded + 0.0 } else { rounded }
            }
            Special::Infinities => f32::INFINITY.copysign(x),
            Special::Nothing => format.max.copysign(x),
            Special::Nan => f32::NAN.copysign(x),
            Special::NanForNegativeZero | Special::Powers => f32::NAN,
        }
    }

    /// The bits of a number of the type.
    pub fn to_bits(self, x: f32) -> u8 {
        let format = self.format();
        let (e, m) = (format.exponent, format.mantissa);
        let sign = u8::from(x.is_sign_negative()) << (e + m).min(7);
        let ones = (1u8 << (e + m).min(7)) - 1;
        let infinite = ones >> m << m;
        match format.special {
            Special::Powers if x.is_nan() => return 0xff,
            Special::Powers if x.is_subnormal() => return 0,
            Special::Powers => return (x.to_bits() >> 23) as u8,
            Special::NanForNegativeZero if x.is_nan() => return 0x80,
            Special::Nan if x.is_nan() => return sign | ones,
            Special::Infinities if x.is_nan() => return sign | infinite | 1 << (m - 1),
            Special::Infinities if x.is_infinite() => return sign | infinite,
            _ => {}
        }
        let size = f64::from(x.abs());
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(self.least_exponent());
        // The number as a whole count of the steps at its exponent: a normal one has a bit above its mantissa.
        let count = (size * 2f64.powi(m - exponent)) as i32;
        let field = exponent + format.bias - i32::from(count < 1 << m);
        sign | ((field << m) + (count & ((1 << m) - 1))) as u8
    }

    /// The number that these bits are.
    pub fn from_bits(self, bits: u8) -> f32 {
        let format = self.format();
        let (e, m) = (format.exponent, format.mantissa);
        if format.special == Special::Powers {
            return if bits == 0xff { f32::NAN } else { 2f64.powi(i32::from(bits) - format.bias) as f32 };
        }
        let ones = (1u8 << (e + m)) - 1;
        let (sign, size) = (if bits >> (e + m) & 1 == 1 { -1.0 } else { 1.0 }, bits & ones);
        let infinite = ones >> m << m;
        match format.special {
            Special::NanForNegativeZero if sign < 0.0 && size == 0 => return f32::NAN,
            Special::Nan if size == ones => return f32::NAN.copysign(sign),
            Special::Infinities if size > infinite => return f32::NAN.copysign(sign),
            Special::Infinities if size == infinite => return f32::INFINITY.copysign(sign),
            _ => {}
        }
        let (field, mantissa) = (i32::from(size >> m), i32::from(size) & ((1 << m) - 1));
        let count = if field == 0 { mantissa } else { mantissa + (1 << m) };
        (f64::from(count) * 2f64.powi(field.max(1) - format.bias - m)) as f32 * sign
    }

    /// The next number in the direction of another: the next bits, as integers count them.
    pub fn next_after(self, x: f32, to: f32) -> f32 {
        if x.is_nan() || to.is_nan() {
            return self.round(f32::NAN);
        }
        if x == to {
            return to;
        }
        let powers = self.format().special == Special::Powers;
        if x == 0.0 {
            return self.from_bits(1).copysign(to);
        }
        let bits = self.to_bits(x);
        let away = match powers {
            // The compiler takes the highest bit for a sign, which this type has not.
            true => bits >> 7 == self.to_bits(to) >> 7 && bits & 0x7f <= self.to_bits(to) & 0x7f,
            false => (to > x) == (x > 0.0),
        };
        self.from_bits(if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) })
    }
}

/// The nearest power of two, the larger one of two that are as near; NaN for what has none.
fn power_of_two(x: f32) -> f32 {
    if x.is_nan() || x.is_sign_negative() || x == 0.0 {
        return f32::NAN;
    }
    let least = f32::from_bits(1 << 22);
    // Between the least power and the next one there are no others to round to.
    if x < f32::MIN_POSITIVE {
        return if x <= least { least } else { f32::MIN_POSITIVE };
    }
    match (x.to_bits() + (1 << 22)) >> 23 {
        255.. => f32::NAN,
        exponent => f32::from_bits(exponent << 23),
    }
}

/// Rounds to so many mantissa bits, with denormals below the least normal exponent.
fn round_mantissa(x: f32, bits: i32, least_exponent: i32) -> f32 {
    if !x.is_finite() || x == 0.0 {
        return x;
    }
    let wide = f64::from(x);
    let exponent = (((wide.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(least_exponent);
    let quantum = 2f64.powi(exponent - bits);
    ((wide / quantum).round_ties_even() * quantum) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bits_are_numbers_and_back() {
        for narrow in Narrow::ALL {
            for bits in 0..1u16 << narrow.bits() {
                let (bits, x) = (bits as u8, narrow.from_bits(bits as u8));
                let rounded = narrow.round(x);
                if x.is_nan() {
                    assert!(rounded.is_nan() && narrow.from_bits(narrow.to_bits(x)).is_nan(), "{narrow:?} {bits:#x}");
                } else {
                    assert_eq!(rounded.to_bits(), x.to_bits(), "{narrow:?} {bits:#x}");
                    assert_eq!(narrow.to_bits(x), bits, "{narrow:?} {x}");
                }
            }
        }
    }

    #[test]
    fn the_largest_numbers_are_those_of_the_bits() {
        for narrow in Narrow::ALL {
            let all = (0..=255).map(|bits| narrow.from_bits(bits)).filter(|x| x.is_finite());
            assert_eq!(all.fold(0.0, f32::max), narrow.format().max, "{narrow:?}");
        }
    }

    #[test]
    fn too_large_numbers() {
        let round = |narrow: Narrow| narrow.round(-1e6);
        assert_eq!(round(Narrow::E3M4), f32::NEG_INFINITY);
        assert_eq!(round(Narrow::E2M1FN), -6.0);
        assert!(round(Narrow::E4M3FN).is_nan() && round(Narrow::E5M2FNUZ).is_nan() && round(Narrow::E8M0FNU).is_nan());
        assert_eq!(Narrow::E4M3FN.round(464.0), 448.0);
        assert!(Narrow::E4M3FN.round(464.1).is_nan());
    }

    #[test]
    fn powers_of_two() {
        let round = |x: f32| Narrow::E8M0FNU.round(x);
        assert_eq!([round(1.49), round(1.5), round(3.0), round(6.0), round(0.75)], [1.0, 2.0, 4.0, 8.0, 1.0]);
        assert!(round(0.0).is_nan() && round(-1.0).is_nan() && round(f32::INFINITY).is_nan());
        assert_eq!(Narrow::E8M0FNU.to_bits(round(1e-45)), 0);
    }

    #[test]
    fn zeros_of_types_without_negative_ones() {
        assert!(Narrow::E4M3FNUZ.round(-0.0).is_sign_positive());
        assert!(Narrow::E4M3FNUZ.round(-1e-9).is_sign_positive());
        assert!(Narrow::E4M3.round(-1e-9).is_sign_negative());
        assert!(Narrow::E2M1FN.round(f32::NAN).is_sign_negative());
    }
}
