//! What programs give at the edges of numbers, of integers, of indices and of short floats, against the bytes that JAX gave: see
//! `traps.py`.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tracer_core::analysis::{Disk, Entry, Evaluation, Limits, Tap, Vfs, Wanted, analyze_for};
use tracer_core::array::tensor::Data;
use tracer_core::array::{DType, Number, Tensor};

/// Functions whose results differ today: to be lowered, never raised. The logarithm of a denormal is minus infinity here; under JAX it is that or -104
/// by where in the array the number stands.
const FAULTS_TODAY: usize = 1;

/// How far numbers of functions may be apart whose last bits are not JAX's, relative to their size.
const CLOSE: f64 = 3e-5;

#[test]
fn edges_are_those_of_jax() {
    let programs: Vec<Value> = serde_json::from_str(include_str!("traps.json")).expect("the record is JSON");
    let (mut count, mut wrong) = (0, Vec::new());
    for (i, program) in programs.iter().enumerate() {
        let given = results(&format!("traps_{i}.py"), program["text"].as_str().unwrap());
        for case in program["cases"].as_array().unwrap() {
            count += 1;
            let name = case["name"].as_str().unwrap();
            let close = case["close"].as_bool().unwrap();
            let fits = |record: &Value| fault(given.get(name), record.as_array().unwrap(), close);
            let Some(fault) = fits(&case["out"]) else { continue };
            // What XLA makes of a whole function may differ from what its operations give one by one.
            if case.get("compiled").is_none_or(|compiled| fits(compiled).is_some()) {
                wrong.push(format!("{name} {}: {fault}", case["what"]));
            }
        }
    }
    assert!(count > 300, "{count} cases");
    assert!(wrong.len() <= FAULTS_TODAY, "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The results of the functions of a program.
fn results(file: &str, program: &str) -> BTreeMap<String, Vec<Tensor>> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file);
    std::fs::write(&path, program).expect("the program is written");
    let entry = Entry { script: path, roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let found: Arc<Mutex<BTreeMap<String, Vec<Tensor>>>> = Arc::default();
    let kept = found.clone();
    let tap = Tap(Arc::new(move |array| {
        if array.primitive.is_none() {
            kept.lock().unwrap().entry(array.function.to_owned()).or_default().push(array.tensor.clone());
        }
    }));
    let evaluation = Some(Evaluation { tap: Some(tap), ..Evaluation::default() });
    let wanted = Wanted { graphs: true, evaluation, ..Wanted::default() };
    let cancel = Arc::new(AtomicBool::new(false));
    analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), wanted, cancel);
    std::mem::take(&mut *found.lock().unwrap())
}

/// What is not the same, if something is.
fn fault(given: Option<&Vec<Tensor>>, record: &[Value], close: bool) -> Option<String> {
    let Some(given) = given else { return Some("is not evaluated".to_owned()) };
    if given.len() != record.len() {
        return Some(format!("{} results instead of {}", given.len(), record.len()));
    }
    given.iter().zip(record).enumerate().find_map(|(i, (tensor, record))| {
        let shape: Vec<usize> = record["s"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect();
        if tensor.dtype.name() != record["t"].as_str().unwrap() || tensor.shape[..] != shape[..] {
            return Some(format!("result {i} is {}", tensor.aval()));
        }
        let theirs = decoded(tensor.dtype, record["hex"].as_str().unwrap());
        let mut pairs = tensor.numbers().zip(theirs).enumerate();
        let (at, (ours, theirs)) = pairs.find(|(_, (ours, theirs))| !same(*ours, *theirs, close))?;
        Some(format!("element {at} of result {i} is {ours:?}, not {theirs:?}"))
    })
}

/// NaN is NaN, whatever its bits; zeros have their signs.
fn same(ours: Number, theirs: Number, close: bool) -> bool {
    let part = |a: f64, b: f64| {
        let exact = a.is_nan() && b.is_nan() || a.to_bits() == b.to_bits();
        exact || close && (a - b).abs() <= CLOSE * b.abs().max(1e-30)
    };
    match (ours, theirs) {
        (Number::Float(a), Number::Float(b)) => part(a, b),
        (Number::Complex(a), Number::Complex(b)) => part(a.re, b.re) && part(a.im, b.im),
        (ours, theirs) => ours == theirs,
    }
}

/// Numbers of little-endian bytes.
fn decoded(dtype: DType, hex: &str) -> Vec<Number> {
    let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
    macro_rules! read {
        ($ty:ty, $variant:ident) => {{
            let size = size_of::<$ty>();
            let values = bytes.chunks_exact(size).map(|b| <$ty>::from_le_bytes(b.try_into().unwrap())).collect();
            Data::$variant(Arc::new(values))
        }};
    }
    let data = match dtype {
        DType::Bool => Data::Bool(Arc::new(bytes.iter().map(|b| *b != 0).collect())),
        DType::I8 => read!(i8, I8),
        DType::I16 => read!(i16, I16),
        DType::I32 => read!(i32, I32),
        DType::I64 => read!(i64, I64),
        DType::U8 => read!(u8, U8),
        DType::U16 => read!(u16, U16),
        DType::U32 => read!(u32, U32),
        DType::U64 => read!(u64, U64),
        DType::F32 => read!(f32, F32),
        DType::F64 => read!(f64, F64),
        DType::BF16 => {
            let wide = bytes.chunks_exact(2).map(|b| f32::from_bits(u32::from(u16::from_le_bytes([b[0], b[1]])) << 16));
            return wide.map(|x| Number::Float(x.into())).collect();
        }
        DType::F16 => {
            let wide = bytes.chunks_exact(2).map(|b| half(u16::from_le_bytes([b[0], b[1]])));
            return wide.map(Number::Float).collect();
        }
        DType::C64 => {
            let float = |b: &[u8]| f64::from(f32::from_le_bytes(b.try_into().unwrap()));
            let pair = |b: &[u8]| Number::Complex(num_complex::Complex::new(float(&b[..4]), float(&b[4..])));
            return bytes.chunks_exact(8).map(pair).collect();
        }
        other => panic!("no numbers of {other} are recorded"),
    };
    let len = bytes.len() / (dtype.bits() as usize / 8).max(1);
    Tensor::with_data(dtype, &[len][..], data).numbers().collect()
}

/// The number of a `float16`.
fn half(bits: u16) -> f64 {
    let (sign, exponent, rest) = (bits >> 15, i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        31 if rest != 0.0 => f64::NAN,
        31 => f64::INFINITY,
        0 => rest * 2f64.powi(-24),
        _ => (1.0 + rest / 1024.0) * 2f64.powi(exponent - 15),
    };
    if sign == 1 { -size } else { size }
}
