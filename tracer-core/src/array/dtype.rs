//! Element types, as JAX and NumPy name them.

use std::fmt;

use super::narrow::Narrow;

/// How a typed PRNG key draws its bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyImpl {
    /// `threefry2x32`, two 32-bit words; `key<fry>`.
    Threefry,
    /// `rbg`, four 32-bit words; `key<rbg>`.
    Rbg,
    /// `unsafe_rbg`, four 32-bit words; `key<urbg>`.
    UnsafeRbg,
}

/// An element type.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum DType {
    Bool,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    U2,
    U4,
    U8,
    U16,
    U32,
    U64,
    /// A float of fewer than 16 bits.
    Narrow(Narrow),
    BF16,
    F16,
    F32,
    F64,
    C64,
    C128,
    /// The tangent type of integers and booleans: no numbers at all.
    Float0,
    /// A typed PRNG key. The key's words are not part of the shape.
    Key(KeyImpl),
}

/// The family of an element type.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    Complex,
    Float0,
    Key,
}

impl DType {
    /// Every type that has numbers.
    pub const NUMERIC: [DType; 28] = [
        DType::Bool,
        DType::I2,
        DType::I4,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U2,
        DType::U4,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::Narrow(Narrow::E2M1FN),
        DType::Narrow(Narrow::E3M4),
        DType::Narrow(Narrow::E4M3),
        DType::Narrow(Narrow::E4M3B11FNUZ),
        DType::Narrow(Narrow::E4M3FN),
        DType::Narrow(Narrow::E4M3FNUZ),
        DType::Narrow(Narrow::E5M2),
        DType::Narrow(Narrow::E5M2FNUZ),
        DType::Narrow(Narrow::E8M0FNU),
        DType::BF16,
        DType::F16,
        DType::F32,
        DType::F64,
        DType::C64,
        DType::C128,
    ];

    /// The full name, such as `float32` or `key<fry>`.
    pub fn name(self) -> &'static str {
        use DType::*;
        match self {
            Bool => "bool",
            I2 => "int2",
            I4 => "int4",
            I8 => "int8",
            I16 => "int16",
            I32 => "int32",
            I64 => "int64",
            U2 => "uint2",
            U4 => "uint4",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            Narrow(narrow) => narrow.format().name,
            BF16 => "bfloat16",
            F16 => "float16",
            F32 => "float32",
            F64 => "float64",
            C64 => "complex64",
            C128 => "complex128",
            Float0 => "float0",
            Key(KeyImpl::Threefry) => "key<fry>",
            Key(KeyImpl::Rbg) => "key<rbg>",
            Key(KeyImpl::UnsafeRbg) => "key<urbg>",
        }
    }

    /// The short name that jaxprs use, such as `f32`.
    pub fn short(self) -> &'static str {
        use DType::*;
        match self {
            I2 => "i2",
            I4 => "i4",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U2 => "u2",
            U4 => "u4",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            Narrow(narrow) => narrow.format().short,
            BF16 => "bf16",
            F16 => "f16",
            F32 => "f32",
            F64 => "f64",
            C64 => "c64",
            C128 => "c128",
            Bool | Float0 | Key(_) => self.name(),
        }
    }

    /// As Python's `repr` prints the dtype object: `dtype('float32')`, `dtype(bfloat16)`, `key<fry>`.
    pub fn repr(self) -> String {
        use DType::*;
        match self {
            _ if self.is_extension() => format!("dtype({})", self.name()),
            Float0 => "dtype([('float0', 'V')])".into(),
            Key(_) => self.name().into(),
            _ => format!("dtype('{}')", self.name()),
        }
    }

    /// The family.
    pub fn kind(self) -> Kind {
        use DType::*;
        match self {
            Bool => Kind::Bool,
            I2 | I4 | I8 | I16 | I32 | I64 => Kind::Signed,
            U2 | U4 | U8 | U16 | U32 | U64 => Kind::Unsigned,
            Narrow(_) | BF16 | F16 | F32 | F64 => Kind::Float,
            C64 | C128 => Kind::Complex,
            Float0 => Kind::Float0,
            Key(_) => Kind::Key,
        }
    }

    /// Bits of one element (8 for `bool`, 0 for `float0` and keys).
    pub fn bits(self) -> u32 {
        use DType::*;
        match self {
            I2 | U2 => 2,
            I4 | U4 => 4,
            Narrow(narrow) => narrow.bits(),
            Bool | I8 | U8 => 8,
            I16 | U16 | BF16 | F16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 | C64 => 64,
            C128 => 128,
            Float0 | Key(_) => 0,
        }
    }

    /// Whether `ml_dtypes` adds it to NumPy's own types.
    pub fn is_extension(self) -> bool {
        self == DType::BF16 || self.is_narrow()
    }
    /// Whether it is a float of fewer than 16 bits, or an integer of fewer than 8.
    pub fn is_narrow(self) -> bool {
        self.narrow().is_some() || self.is_part_of_byte()
    }
    /// Whether it is an integer of fewer than 8 bits.
    pub fn is_part_of_byte(self) -> bool {
        self.is_integer() && self.bits() < 8
    }
    /// Whether it has neither a zero nor an infinity: sums and extremes begin with a NaN, and stay one.
    pub fn lacks_zero(self) -> bool {
        self == DType::Narrow(Narrow::E8M0FNU)
    }
    /// The float of fewer than 16 bits that it is.
    pub fn narrow(self) -> Option<Narrow> {
        match self {
            DType::Narrow(narrow) => Some(narrow),
            _ => None,
        }
    }
    /// Whether it is signed or unsigned (not `bool`).
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }
    /// Whether it is a real floating type.
    pub fn is_float(self) -> bool {
        self.kind() == Kind::Float
    }
    /// Whether it is complex.
    pub fn is_complex(self) -> bool {
        self.kind() == Kind::Complex
    }
    /// Whether it is floating or complex: what can be differentiated.
    pub fn is_inexact(self) -> bool {
        matches!(self.kind(), Kind::Float | Kind::Complex)
    }
    /// Whether it is a typed PRNG key.
    pub fn is_key(self) -> bool {
        self.kind() == Kind::Key
    }
    /// The type of tangents: itself for inexact types, `float0` otherwise.
    pub fn tangent(self) -> DType {
        if self.is_inexact() { self } else { DType::Float0 }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
