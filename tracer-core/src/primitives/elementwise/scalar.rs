//! Scalar functions of floats and integers with XLA's semantics where Rust's differ.

/// Denormals flushed to zero of the same sign, as XLA sets up the processor.
pub trait Flush: Copy {
    /// The number, or zero for a denormal.
    fn flush(self) -> Self;
}

macro_rules! flush {
    ($($float:ident)*) => {$(
        impl Flush for $float {
            #[inline(always)]
            fn flush(self) -> $float {
                if self.abs() < $float::MIN_POSITIVE { $float::copysign(0.0, self) } else { self }
            }
        }
    )*};
}
flush!(f32 f64);

/// Float functions by one name for both widths.
pub trait Float:
    Flush + PartialOrd + std::ops::Neg<Output = Self> + std::ops::Mul<Output = Self> + std::ops::Div<Output = Self>
{
    /// Whether it is not a number.
    fn nan(self) -> bool;
    /// The larger one; NaN if one is; the positive of two zeros.
    fn larger(self, other: Self) -> Self;
    /// The smaller one; NaN if one is; the negative of two zeros.
    fn smaller(self, other: Self) -> Self;
    /// -1, 0, 1 or NaN, with the sign of zero kept.
    fn sign(self) -> Self;
    /// The next number in the direction of another one.
    fn next_after(self, to: Self) -> Self;
    /// An integer whose order is the total order of floats: -NaN, -inf … -0, 0 … inf, NaN.
    fn order(self) -> i64;
}

macro_rules! float {
    ($($float:ident $bits:ident $signed:ident;)*) => {$(
        impl Float for $float {
            #[inline(always)]
            fn nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                let (x, y) = (self.flush(), other.flush());
                if x.nan() {
                    self
                } else if y.nan() {
                    other
                } else if x == 0.0 && y == 0.0 {
                    if x.is_sign_positive() { x } else { y }
                } else if x > y {
                    x
                } else {
                    y
                }
            }
            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                let (x, y) = (self.flush(), other.flush());
                if x.nan() {
                    self
                } else if y.nan() {
                    other
                } else if x == 0.0 && y == 0.0 {
                    if x.is_sign_negative() { x } else { y }
                } else if x < y {
                    x
                } else {
                    y
                }
            }
            fn sign(self) -> Self {
                let x = self.flush();
                if x.nan() || x == 0.0 { x } else { (1.0 as $float).copysign(x) }
            }
            fn next_after(self, to: Self) -> Self {
                if self.nan() || to.nan() {
                    return $float::NAN;
                }
                if self == to {
                    return to;
                }
                if self == 0.0 {
                    return $float::from_bits(1).copysign(to);
                }
                let away = (to > self) == (self > 0.0);
                $float::from_bits(if away { self.to_bits() + 1 } else { self.to_bits() - 1 })
            }
            fn order(self) -> i64 {
                let bits = self.to_bits() as $signed;
                (if bits < 0 { bits ^ $signed::MAX } else { bits }) as i64
            }
        }
    )*};
}
float! {
    f32 u32 i32;
    f64 u64 i64;
}

/// Integer functions by one name for every width.
pub trait Int: Copy + PartialOrd + Eq {
    /// Division towards zero; all ones for a divisor of zero; wraps.
    fn quotient(self, other: Self) -> Self;
    /// What division leaves: the dividend for a divisor of zero.
    fn remainder(self, other: Self) -> Self;
    /// -1, 0 or 1.
    fn sign(self) -> Self;
    /// The magnitude, wrapping.
    fn magnitude(self) -> Self;
    /// Shifts out of range (also negative ones) give 0.
    fn shift_left(self, by: Self, bits: u32) -> Self;
    /// As [`Int::shift_left`], to the right with zeros.
    fn shift_right(self, by: Self, bits: u32) -> Self;
    /// Shifts out of range give the sign.
    fn shift_right_signed(self, by: Self, bits: u32) -> Self;
    /// Leading zeros among this many bits.
    fn leading(self, bits: u32) -> Self;
    /// Bits that are set among this many bits.
    fn ones(self, bits: u32) -> Self;
    /// What lies above so many bits of the product.
    fn high_product(self, other: Self, bits: u32) -> Self;
}

macro_rules! int {
    ($($int:ident $unsigned:ident $signed:ident $wide:ident;)*) => {$(
        #[allow(unused_comparisons, clippy::unnecessary_cast)]
        impl Int for $int {
            fn quotient(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            fn remainder(self, other: Self) -> Self {
                if other == 0 { self } else { self.wrapping_rem(other) }
            }
            fn sign(self) -> Self {
                if self == 0 { 0 } else if self > 0 { 1 } else { !0 }
            }
            fn magnitude(self) -> Self {
                if self < 0 { (0 as $int).wrapping_sub(self) } else { self }
            }
            fn shift_left(self, by: Self, bits: u32) -> Self {
                let by = by as $unsigned;
                if u64::from(by) >= u64::from(bits) { 0 } else { self << by }
            }
            fn shift_right(self, by: Self, bits: u32) -> Self {
                let by = by as $unsigned;
                let mask = $unsigned::MAX >> ($unsigned::BITS - bits);
                if u64::from(by) >= u64::from(bits) { 0 } else { ((self as $unsigned & mask) >> by) as $int }
            }
            fn shift_right_signed(self, by: Self, bits: u32) -> Self {
                let by = u64::from(by as $unsigned).min(u64::from(bits - 1)) as u32;
                let pad = $unsigned::BITS - bits;
                ((((self as $signed) << pad) >> pad) >> by) as $int
            }
            fn leading(self, bits: u32) -> Self {
                let pad = $unsigned::BITS - bits;
                let mask = $unsigned::MAX >> pad;
                ((self as $unsigned & mask).leading_zeros() - pad) as $int
            }
            fn ones(self, bits: u32) -> Self {
                (self as $unsigned & ($unsigned::MAX >> ($unsigned::BITS - bits))).count_ones() as $int
            }
            fn high_product(self, other: Self, bits: u32) -> Self {
                ((self as $wide * other as $wide) >> bits) as $int
            }
        }
    )*};
}
int! {
    i8 u8 i8 i16;
    i16 u16 i16 i32;
    i32 u32 i32 i64;
    i64 u64 i64 i128;
    u8 u8 i8 u16;
    u16 u16 i16 u32;
    u32 u32 i32 u64;
    u64 u64 i64 u128;
}

/// `x ** y` for a constant `y` that is not negative, by repeated squaring in the order in which JAX multiplies.
#[inline(always)]
pub fn int_pow<T: Copy>(x: T, y: u64, one: T, times: impl Fn(T, T) -> T) -> T {
    let (mut base, mut left, mut product) = (x, y, None);
    while left > 0 {
        if left & 1 == 1 {
            product = Some(product.map_or(base, |p| times(p, base)));
        }
        left >>= 1;
        if left > 0 {
            base = times(base, base);
        }
    }
    product.unwrap_or(one)
}
