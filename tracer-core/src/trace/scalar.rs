//! Scalars as Python prints them.

use std::fmt;

use crate::array::{DType, Tensor};

/// A scalar of a graph, as `repr` of the Python object prints it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `True`
    Bool(bool),
    /// `3`
    Int(i128),
    /// `0.1`
    Float(f64),
    /// `(1+2j)`
    Complex(f64, f64),
}

impl Scalar {
    /// The scalar that a tensor of rank 0 holds.
    pub fn of(tensor: &Tensor) -> Option<Scalar> {
        use crate::array::tensor::Data;
        Some(match &tensor.data {
            Data::Bool(v) => Scalar::Bool(*v.first()?),
            Data::I8(v) => Scalar::Int((*v.first()?).into()),
            Data::I16(v) => Scalar::Int((*v.first()?).into()),
            Data::I32(v) => Scalar::Int((*v.first()?).into()),
            Data::I64(v) => Scalar::Int((*v.first()?).into()),
            Data::U8(v) => Scalar::Int((*v.first()?).into()),
            Data::U16(v) => Scalar::Int((*v.first()?).into()),
            Data::U32(v) if tensor.dtype == DType::U32 => Scalar::Int((*v.first()?).into()),
            Data::U64(v) => Scalar::Int((*v.first()?).into()),
            Data::BF16(v) => Scalar::Float((*v.first()?).into()),
            Data::F16(v) => Scalar::Float((*v.first()?).into()),
            Data::F32(v) => Scalar::Float((*v.first()?).into()),
            Data::F64(v) => Scalar::Float(*v.first()?),
            Data::C64(v) => Scalar::Complex(v.first()?.re.into(), v.first()?.im.into()),
            Data::C128(v) => Scalar::Complex(v.first()?.re, v.first()?.im),
            Data::None => Scalar::Bool(false),
            Data::U32(_) => return None,
        })
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Scalar::Bool(flag) => f.write_str(if flag { "True" } else { "False" }),
            Scalar::Int(n) => write!(f, "{n}"),
            Scalar::Float(x) => f.write_str(&float(x)),
            Scalar::Complex(re, im) => {
                let im_text = part(im);
                if re == 0.0 && re.is_sign_positive() {
                    return write!(f, "{im_text}j");
                }
                let sign = if im_text.starts_with('-') { "" } else { "+" };
                write!(f, "({}{sign}{im_text}j)", part(re))
            }
        }
    }
}

/// A scalar tensor of this number, if the type has numbers.
pub fn scalar_tensor(dtype: DType, number: f64) -> Option<Tensor> {
    use crate::array::tensor::Sizes;
    use half::{bf16, f16};
    use num_complex::Complex;
    let one = |mut tensor: Tensor| {
        tensor.dtype = dtype;
        Some(tensor)
    };
    match dtype {
        DType::Bool => one(Tensor::scalar(number != 0.0)),
        DType::I2 | DType::I4 | DType::I8 => one(Tensor::scalar(number as i8)),
        DType::I16 => one(Tensor::scalar(number as i16)),
        DType::I32 => one(Tensor::scalar(number as i32)),
        DType::I64 => one(Tensor::scalar(number as i64)),
        DType::U2 | DType::U4 | DType::U8 => one(Tensor::scalar(number as u8)),
        DType::U16 => one(Tensor::scalar(number as u16)),
        DType::U32 => one(Tensor::scalar(number as u32)),
        DType::U64 => one(Tensor::scalar(number as u64)),
        DType::BF16 => one(Tensor::scalar(bf16::from_f64(number))),
        DType::F16 => one(Tensor::scalar(f16::from_f64(number))),
        DType::Narrow(_) | DType::F32 => one(Tensor::scalar(number as f32)),
        DType::F64 => one(Tensor::scalar(number)),
        DType::C64 => one(Tensor::scalar(Complex::new(number as f32, 0.0))),
        DType::C128 => one(Tensor::scalar(Complex::new(number, 0.0))),
        DType::Float0 => Some(Tensor { dtype, shape: Sizes::new(), data: crate::array::tensor::Data::None }),
        DType::Key(_) => None,
    }
}

/// A component of a complex number: like a float, without `.0`.
fn part(x: f64) -> String {
    let text = float(x);
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A float as Python's `repr` prints it: the shortest digits that read back, exponents outside of 1e-4 … 1e16.
pub fn float(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let (text, rounded) = shortest(x);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if x != 0.0 && !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{digits}e{sign}{:02}", exponent.abs());
    }
    // The digits are those of a number with as many decimals.
    let text = match rounded {
        Some(decimals) => format!("{x:.decimals$}"),
        None => format!("{x}"),
    };
    if text.contains('.') { text } else { text + ".0" }
}

/// The shortest digits that read back as a number, in scientific notation. Of two texts that are as near the even one is taken: it has
/// so many decimals.
fn shortest(x: f64) -> (String, Option<usize>) {
    let text = format!("{x:e}");
    let digits = text.split_once('e').map_or(0, |(digits, _)| digits.bytes().filter(u8::is_ascii_digit).count());
    // Only a number whose digits go on with a five behind sixteen or seventeen lies half between two.
    if digits < 16 {
        return (text, None);
    }
    let even = format!("{x:.*e}", digits - 1);
    if even == text || even.parse() != Ok(x) {
        return (text, None);
    }
    let exponent = even.split_once('e').and_then(|(_, exponent)| exponent.parse::<i64>().ok()).unwrap_or(0);
    let decimals = usize::try_from(digits as i64 - 1 - exponent).ok();
    (even, decimals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_in_python() {
        let all = [0.1, 1e-8, 1e20, 123_456.7, 1e16, 1e15, 1e-5, 1e-4, 1.5e300, -2.0, 0.1f32 as f64, f64::NAN];
        let text: Vec<String> = all.iter().map(|x| float(*x)).collect();
        assert_eq!(
            text.join(" "),
            "0.1 1e-08 1e+20 123456.7 1e+16 1000000000000000.0 1e-05 0.0001 1.5e+300 -2.0 0.10000000149011612 nan"
        );
        // Half between two texts of 16 or 17 digits.
        let halves = [f64::from(1.800_666_8_f32), 5e-324, 0.000_123_291_015_625].map(float);
        assert_eq!(halves.join(" "), "1.8006668090820312 5e-324 0.000123291015625");
        assert_eq!(Scalar::Complex(0.0, 1.0).to_string(), "1j");
        assert_eq!(Scalar::Complex(1.0, -2.5).to_string(), "(1-2.5j)");
    }
}
