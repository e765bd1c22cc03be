//! Promotion of element types: JAX's lattice with weak types, and NumPy's rules.

use std::sync::OnceLock;

use super::{DType, Kind};
use crate::python::{Halt, Step};

/// An element type together with whether it is weak.
pub type Typed = (DType, bool);

/// Which lattice is in force: `jax_numpy_dtype_promotion` and `jax_enable_x64`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Promotion {
    /// `jax_numpy_dtype_promotion="strict"`: only weak types give way.
    pub strict: bool,
    /// `jax_enable_x64`
    pub x64: bool,
    /// NumPy's rules instead of the lattice: weak types are Python's scalars.
    pub numpy: bool,
}

/// A node of the lattice: an element type or one of the three weak types, as a bit.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Node(u8);

const WEAK_INT: Node = Node(28);
const WEAK_FLOAT: Node = Node(29);
const WEAK_COMPLEX: Node = Node(30);
const NODES: usize = 31;

impl Node {
    fn strong(dtype: DType) -> Option<Node> {
        DType::NUMERIC.iter().position(|&d| d == dtype).map(|i| Node(i as u8))
    }
    fn of((dtype, weak): Typed) -> Option<Node> {
        match dtype.kind() {
            _ if !weak => Node::strong(dtype),
            Kind::Bool => Node::strong(dtype),
            Kind::Signed | Kind::Unsigned => Some(WEAK_INT),
            Kind::Float => Some(WEAK_FLOAT),
            Kind::Complex => Some(WEAK_COMPLEX),
            Kind::Float0 | Kind::Key => None,
        }
    }
    fn bit(self) -> u32 {
        1 << self.0
    }
    /// As JAX prints the node in messages.
    fn name(self) -> String {
        match self {
            WEAK_INT => "<class 'int'>".into(),
            WEAK_FLOAT => "<class 'float'>".into(),
            WEAK_COMPLEX => "<class 'complex'>".into(),
            Node(i) => DType::NUMERIC[i as usize].name().into(),
        }
    }
    fn typed(self) -> Typed {
        match self {
            WEAK_INT => (DType::I64, true),
            WEAK_FLOAT => (DType::F64, true),
            WEAK_COMPLEX => (DType::C128, true),
            Node(i) => (DType::NUMERIC[i as usize], false),
        }
    }
}

/// The upper bounds of every node (itself included), as bit sets.
type Bounds = [u32; NODES];

/// The immediately higher nodes of each node of the standard lattice.
fn standard_edges(x64: bool) -> Vec<(Node, Vec<Node>)> {
    use DType::*;
    let s = |dtype| Node::strong(dtype).unwrap_or(WEAK_INT);
    let narrow = super::narrow::Narrow::ALL.into_iter().map(|narrow| s(Narrow(narrow)));
    vec![
        (s(Bool), vec![WEAK_INT]),
        (WEAK_INT, vec![s(U8), s(U4), s(U2), s(I8), s(I4), s(I2)]),
        (s(U8), vec![s(I16), s(U16)]),
        (s(U16), vec![s(I32), s(U32)]),
        // The only step from 32-bit types to a 64-bit one; without x64 it goes to i32 instead.
        (s(U32), vec![if x64 { s(I64) } else { s(I32) }, s(U64)]),
        (s(U64), vec![WEAK_FLOAT]),
        (s(I8), vec![s(I16)]),
        (s(I16), vec![s(I32)]),
        (s(I32), vec![s(I64)]),
        (s(I64), vec![WEAK_FLOAT]),
        (WEAK_FLOAT, narrow.chain([s(BF16), s(F16), WEAK_COMPLEX]).collect()),
        (s(BF16), vec![s(F32)]),
        (s(F16), vec![s(F32)]),
        (s(F32), vec![s(F64), s(C64)]),
        (s(F64), vec![s(C128)]),
        (WEAK_COMPLEX, vec![s(C64)]),
        (s(C64), vec![s(C128)]),
    ]
}

fn strict_edges() -> Vec<(Node, Vec<Node>)> {
    fn of_kind(kinds: &'static [Kind]) -> impl Iterator<Item = Node> {
        DType::NUMERIC.iter().filter(|d| kinds.contains(&d.kind())).filter_map(|&d| Node::strong(d))
    }
    vec![
        (WEAK_INT, std::iter::once(WEAK_FLOAT).chain(of_kind(&[Kind::Signed, Kind::Unsigned])).collect()),
        (WEAK_FLOAT, std::iter::once(WEAK_COMPLEX).chain(of_kind(&[Kind::Float])).collect()),
        (WEAK_COMPLEX, of_kind(&[Kind::Complex]).collect()),
    ]
}

fn bounds(promotion: Promotion) -> &'static Bounds {
    static STANDARD32: OnceLock<Bounds> = OnceLock::new();
    static STANDARD64: OnceLock<Bounds> = OnceLock::new();
    static STRICT: OnceLock<Bounds> = OnceLock::new();
    let close = |edges: Vec<(Node, Vec<Node>)>| {
        let mut bounds: Bounds = std::array::from_fn(|i| 1 << i);
        loop {
            let before = bounds;
            for (node, higher) in &edges {
                for up in higher {
                    bounds[node.0 as usize] |= bounds[up.0 as usize];
                }
            }
            if bounds == before {
                return bounds;
            }
        }
    };
    match (promotion.strict, promotion.x64) {
        (true, _) => STRICT.get_or_init(|| close(strict_edges())),
        (false, false) => STANDARD32.get_or_init(|| close(standard_edges(false))),
        (false, true) => STANDARD64.get_or_init(|| close(standard_edges(true))),
    }
}

fn least_upper_bound(nodes: &[Node], promotion: Promotion) -> Step<Node> {
    let bounds = bounds(promotion);
    let common = nodes.iter().fold(u32::MAX, |set, node| set & bounds[node.0 as usize]);
    let least = |node: &Node| common & node.bit() != 0 && common & !bounds[node.0 as usize] == 0;
    match nodes.iter().copied().find(least).or_else(|| (0..NODES as u8).map(Node).find(least)) {
        Some(node) => Ok(node),
        None => Err(no_path(nodes, promotion)),
    }
}

/// As `repr` writes a text that may have quotes in it.
fn quoted(name: &str) -> String {
    if name.contains('\'') { format!("\"{name}\"") } else { super::print::quote(name) }
}

fn no_path(nodes: &[Node], promotion: Promotion) -> Halt {
    let names = nodes.iter().map(|n| quoted(&n.name())).collect::<Vec<_>>();
    let names = if let [one] = &names[..] { format!("({one},)") } else { format!("({})", names.join(", ")) };
    let has =
        |bits: u32| nodes.iter().any(|n| n.0 < WEAK_INT.0 && n.typed().0.narrow().is_some_and(|d| d.bits() == bits));
    let start = format!("Input dtypes {names} have no available implicit dtype promotion path");
    let message = if promotion.strict {
        format!(
            "{start} when jax_numpy_dtype_promotion=strict. Try explicitly casting inputs to the desired output type, or \
             set jax_numpy_dtype_promotion=standard."
        )
    } else if let Some(bits) = [4, 8].into_iter().find(|bits| has(*bits)) {
        format!(
            "{start}. To avoid unintended promotion, {bits}-bit floats do not support implicit promotion. If you'd like your \
             inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('float32')"
        )
    } else if nodes.iter().any(|n| n.0 < WEAK_INT.0 && n.typed().0.is_part_of_byte()) {
        format!(
            "{start}. To avoid unintended promotion, 1-bit, 2-bit and 4-bit integers do not support implicit promotion. \
             If you'd like your inputs to be promoted to another type, you can do so explicitly using e.g. x.astype('int32')"
        )
    } else {
        format!("{start}. Try explicitly casting inputs to the desired output type.")
    };
    Halt::raise("jax.dtypes.TypePromotionError", message)
}

impl DType {
    /// The type that JAX uses in place of this one: 64-bit types become 32-bit ones unless x64 is enabled.
    pub fn canonical(self, x64: bool) -> DType {
        use DType::*;
        match self {
            I64 if !x64 => I32,
            U64 if !x64 => U32,
            F64 if !x64 => F32,
            C128 if !x64 => C64,
            other => other,
        }
    }
    /// The default type of Python scalars of this kind: `int32`, `float32`, `complex64`, or their 64-bit siblings.
    pub fn default_of(self, x64: bool) -> DType {
        match self.kind() {
            Kind::Signed | Kind::Unsigned => DType::I64.canonical(x64),
            Kind::Float => DType::F64.canonical(x64),
            Kind::Complex => DType::C128.canonical(x64),
            Kind::Bool | Kind::Float0 | Kind::Key => self,
        }
    }
    /// Integers and bool go to `float32` (64-bit ones to `float64` under x64); inexact types stay.
    pub fn to_inexact(self, x64: bool) -> DType {
        match self {
            DType::I64 | DType::U64 => DType::F64.canonical(x64),
            // Integers of two bits are left as they are, and no function of floats takes them.
            DType::I2 | DType::U2 => self,
            _ if self.is_integer() || self == DType::Bool => DType::F32,
            _ => self,
        }
    }
    /// What NumPy computes means and quotients of this type in.
    pub fn numpy_inexact(self) -> DType {
        match self {
            _ if self.is_part_of_byte() => DType::F16,
            _ if self.is_integer() || self == DType::Bool => DType::F64,
            _ => self,
        }
    }
    /// What NumPy's functions of one number compute this type in: `np.sqrt` of `int8` gives `float16`.
    pub fn numpy_unary_inexact(self) -> DType {
        match (self.is_integer() || self == DType::Bool, self.bits()) {
            (true, ..=8) => DType::F16,
            (true, 16) => DType::F32,
            _ => self.numpy_inexact(),
        }
    }
    /// `bool` goes to `int32`; others stay.
    pub fn to_numeric(self) -> DType {
        if self == DType::Bool { DType::I32 } else { self }
    }
    /// `complex64`, or `complex128` for 64-bit inexact types and integers under x64.
    pub fn to_complex(self, x64: bool) -> DType {
        match self.to_inexact(x64) {
            DType::F64 | DType::C128 => DType::C128,
            _ => DType::C64,
        }
    }
    /// The type of the real part of a complex type; itself otherwise.
    pub fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }
}

/// `jnp.promote_types`: the least upper bound of two types.
///
/// # Errors
/// `TypePromotionError` where there is no path.
pub fn promote_types(a: Typed, b: Typed, promotion: Promotion) -> Step<Typed> {
    match (Node::of(a), Node::of(b)) {
        (Some(_), Some(_)) if promotion.numpy => lattice_result_type(&[a, b], promotion),
        (Some(x), Some(y)) => Ok(least_upper_bound(&[x, y], promotion)?.typed()),
        _ if a.0 == b.0 => Ok((a.0, false)),
        (x, _) => {
            let odd = if x.is_none() { a.0 } else { b.0 };
            Err(Halt::value_error(format!("dtype={odd} is not a valid dtype for JAX type promotion.")))
        }
    }
}

/// The type that JAX promotes these to, and whether it is weak: what binary operations convert their inputs to. The
/// type of a weak result may be narrower than the default of its kind.
///
/// # Errors
/// `TypePromotionError` where there is no path.
pub fn lattice_result_type(inputs: &[Typed], promotion: Promotion) -> Step<Typed> {
    let Some(&first) = inputs.first() else {
        return Err(Halt::value_error("at least one array or dtype is required"));
    };
    if promotion.numpy {
        let operand = |&(dtype, weak): &Typed| {
            if weak { NumpyOperand::Python(dtype.kind()) } else { NumpyOperand::Typed(dtype) }
        };
        let dtype = numpy_result_type(&inputs.iter().map(operand).collect::<Vec<_>>())?;
        return Ok((dtype, dtype != DType::Bool && inputs.iter().all(|t| t.1)));
    }
    let all_weak = inputs.iter().all(|t| t.1);
    if inputs.len() == 1 {
        return Ok((first.0, first.1 && first.0 != DType::Bool));
    }
    if !all_weak && inputs.iter().all(|t| t.0 == first.0) {
        return Ok((first.0, false));
    }
    let weak_alone = all_weak && !promotion.strict;
    let mut nodes: Vec<Node> = Vec::with_capacity(inputs.len());
    for &(dtype, weak) in inputs {
        let node = Node::of((dtype, weak && !weak_alone))
            .ok_or_else(|| Halt::value_error(format!("dtype={dtype} is not a valid dtype for JAX type promotion.")))?;
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    let (dtype, weak) = least_upper_bound(&nodes, promotion)?.typed();
    let dtype = if weak { dtype.canonical(promotion.x64) } else { dtype };
    Ok((dtype, (weak || weak_alone) && dtype != DType::Bool))
}

/// `jnp.result_type`: as [`lattice_result_type`], but a weak result takes the default type of its kind.
///
/// # Errors
/// `TypePromotionError` where there is no path.
pub fn result_type(inputs: &[Typed], promotion: Promotion) -> Step<Typed> {
    let (dtype, weak) = lattice_result_type(inputs, promotion)?;
    Ok((if weak { dtype.default_of(promotion.x64) } else { dtype }, weak))
}

/// `np.promote_types` for element types of NumPy itself (not `bfloat16` and other extensions).
///
/// # Errors
/// Unknown for a type that NumPy has no rule for.
pub fn numpy_promote_types(a: DType, b: DType) -> Step<DType> {
    use DType::*;
    if a == b {
        return Ok(a);
    }
    let unknown = || Halt::unknown(format!("NumPy's promotion of {a} and {b} is not modelled"));
    if [a, b].iter().any(|d| matches!(d, Float0 | Key(_))) {
        return Err(unknown());
    }
    if a.is_narrow() || b.is_narrow() {
        let (narrow, other) = if a.is_narrow() { (a, b) } else { (b, a) };
        return match (narrow.kind(), other.kind()) {
            _ if other.is_extension() => Err(unknown()),
            (_, Kind::Bool) => Ok(narrow),
            (Kind::Signed, Kind::Unsigned) => Err(unknown()),
            (Kind::Signed | Kind::Unsigned, _) => Ok(other),
            (_, Kind::Signed | Kind::Unsigned) if other.bits() == 8 => Ok(narrow),
            (_, Kind::Complex) => Ok(other),
            (_, Kind::Float) if other.bits() >= 32 => Ok(other),
            _ => Err(unknown()),
        };
    }
    let signed = |bits: u32| match bits {
        8 => I8,
        16 => I16,
        32 => I32,
        64 => I64,
        _ => F64,
    };
    // The narrowest float that an integer type of so many bits is cast to.
    let float_of = |d: DType| match (d.kind(), d.bits()) {
        (Kind::Bool, _) | (Kind::Signed | Kind::Unsigned, 8) => 16,
        (Kind::Signed | Kind::Unsigned, 16) => 32,
        (Kind::Signed | Kind::Unsigned, _) => 64,
        (Kind::Complex, bits) => bits / 2,
        (_, bits) => bits,
    };
    let float = |bits: u32| match bits {
        16 => F16,
        32 => F32,
        _ => F64,
    };
    if a == BF16 || b == BF16 {
        let other = if a == BF16 { b } else { a };
        return match other.kind() {
            Kind::Bool | Kind::Signed | Kind::Unsigned if other.bits() <= 8 => Ok(BF16),
            Kind::Complex => Ok(other),
            Kind::Float if other == F16 => Ok(F32),
            Kind::Float => Ok(other),
            _ => Err(unknown()),
        };
    }
    Ok(match (a.kind(), b.kind()) {
        (Kind::Bool, _) => b,
        (_, Kind::Bool) => a,
        (Kind::Complex, _) | (_, Kind::Complex) => {
            if float_of(a).max(float_of(b)) > 32 {
                C128
            } else {
                C64
            }
        }
        (Kind::Float, _) | (_, Kind::Float) => float(float_of(a).max(float_of(b))),
        (x, y) if x == y => {
            if a.bits() > b.bits() {
                a
            } else {
                b
            }
        }
        _ => {
            let (s, u) = if a.kind() == Kind::Signed { (a, b) } else { (b, a) };
            if s.bits() > u.bits() { s } else { signed(u.bits() * 2) }
        }
    })
}

/// An operand of a NumPy operation: an array or NumPy scalar, or a Python scalar, whose type gives way (NEP 50).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NumpyOperand {
    /// An array or a NumPy scalar.
    Typed(DType),
    /// A Python bool, int, float or complex, named by the dtype that it has alone (`bool`, `int64`, `float64`, `complex128`).
    Python(Kind),
}

/// `np.result_type` under NEP 50: what a NumPy operation computes in.
///
/// # Errors
/// Unknown for a type that NumPy has no rule for.
pub fn numpy_result_type(operands: &[NumpyOperand]) -> Step<DType> {
    let mut result: Option<DType> = None;
    for operand in operands {
        if let NumpyOperand::Typed(dtype) = operand {
            result = Some(match result {
                Some(before) => numpy_promote_types(before, *dtype)?,
                None => *dtype,
            });
        }
    }
    let python = operands
        .iter()
        .filter_map(|o| if let NumpyOperand::Python(kind) = o { Some(*kind) } else { None })
        .max_by_key(|kind| match kind {
            Kind::Bool => 0,
            Kind::Signed | Kind::Unsigned => 1,
            Kind::Float => 2,
            _ => 3,
        });
    Ok(match (result, python) {
        (None, None) => return Err(Halt::value_error("at least one array or dtype is required")),
        (Some(dtype), None) => dtype,
        (None, Some(kind)) => match kind {
            Kind::Bool => DType::Bool,
            Kind::Signed | Kind::Unsigned => DType::I64,
            Kind::Float => DType::F64,
            _ => DType::C128,
        },
        (Some(dtype), Some(kind)) => match (dtype.kind(), kind) {
            (_, Kind::Bool) => dtype,
            (Kind::Bool, Kind::Signed | Kind::Unsigned) => DType::I64,
            // Python's numbers have the narrowest type of NumPy's own kinds beside types that are not NumPy's own.
            (Kind::Signed | Kind::Unsigned, Kind::Signed | Kind::Unsigned) if dtype.bits() < 8 => DType::I8,
            (Kind::Signed | Kind::Unsigned, Kind::Float) if dtype.bits() < 8 => DType::F16,
            (Kind::Signed | Kind::Unsigned, Kind::Complex) if dtype.bits() < 8 => DType::C64,
            (Kind::Float, Kind::Float) if dtype.is_extension() => DType::F32,
            (Kind::Bool | Kind::Signed | Kind::Unsigned, Kind::Float) => DType::F64,
            (Kind::Bool | Kind::Signed | Kind::Unsigned, Kind::Complex) => DType::C128,
            (Kind::Float, Kind::Complex) => {
                if dtype.bits() > 32 {
                    DType::C128
                } else {
                    DType::C64
                }
            }
            _ => dtype,
        },
    })
}
