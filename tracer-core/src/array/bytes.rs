//! Tensors as bytes, as files of NumPy hold them.

use super::tensor::{Data, Tensor};

impl Tensor {
    /// The type as NumPy's files name it, and the elements as bytes, least first; `None` for what NumPy alone has no type for.
    pub fn little_endian(&self) -> Option<(&'static str, Vec<u8>)> {
        macro_rules! bytes {
            ($name:literal, $values:expr) => {
                ($name, $values.iter().flat_map(|value| value.to_le_bytes()).collect())
            };
            ($name:literal, $values:expr, complex) => {
                ($name, $values.iter().flat_map(|v| [v.re.to_le_bytes(), v.im.to_le_bytes()].concat()).collect())
            };
        }
        Some(match &self.data {
            Data::Bool(values) => ("|b1", values.iter().map(|value| u8::from(*value)).collect()),
            Data::I8(values) => bytes!("|i1", values),
            Data::I16(values) => bytes!("<i2", values),
            Data::I32(values) => bytes!("<i4", values),
            Data::I64(values) => bytes!("<i8", values),
            Data::U8(values) => ("|u1", values.to_vec()),
            Data::U16(values) => bytes!("<u2", values),
            Data::U32(values) => bytes!("<u4", values),
            Data::U64(values) => bytes!("<u8", values),
            Data::F16(values) => bytes!("<f2", values),
            Data::F32(values) => bytes!("<f4", values),
            Data::F64(values) => bytes!("<f8", values),
            Data::C64(values) => bytes!("<c8", values, complex),
            Data::C128(values) => bytes!("<c16", values, complex),
            Data::BF16(_) | Data::None => return None,
        })
    }
}
