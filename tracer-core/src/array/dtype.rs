//! Element types, as JAX and NumPy name them.

use std::fmt;

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
    I4,
    I8,
    I16,
    I32,
    I64,
    U4,
    U8,
    U16,
    U32,
    U64,
    F8E4M3FN,
    F8E5M2,
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
    pub const NUMERIC: [DType; 19] = [
        DType::Bool,
        DType::I4,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U4,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::F8E4M3FN,
        DType::F8E5M2,
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
            I4 => "int4",
            I8 => "int8",
            I16 => "int16",
            I32 => "int32",
            I64 => "int64",
            U4 => "uint4",
            U8 => "uint8",
            U16 => "uint16",
            U32 => "uint32",
            U64 => "uint64",
            F8E4M3FN => "float8_e4m3fn",
            F8E5M2 => "float8_e5m2",
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
            I4 => "i4",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U4 => "u4",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F8E4M3FN => "f8_e4m3fn",
            F8E5M2 => "f8_e5m2",
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
            I4 | U4 | F8E4M3FN | F8E5M2 | BF16 => format!("dtype({})", self.name()),
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
            I4 | I8 | I16 | I32 | I64 => Kind::Signed,
            U4 | U8 | U16 | U32 | U64 => Kind::Unsigned,
            F8E4M3FN | F8E5M2 | BF16 | F16 | F32 | F64 => Kind::Float,
            C64 | C128 => Kind::Complex,
            Float0 => Kind::Float0,
            Key(_) => Kind::Key,
        }
    }

    /// Bits of one element (8 for `bool`, 0 for `float0` and keys).
    pub fn bits(self) -> u32 {
        use DType::*;
        match self {
            I4 | U4 => 4,
            Bool | I8 | U8 | F8E4M3FN | F8E5M2 => 8,
            I16 | U16 | BF16 | F16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 | C64 => 64,
            C128 => 128,
            Float0 | Key(_) => 0,
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
