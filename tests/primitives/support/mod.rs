//! Reading of cases, shared by the tests of this folder.

#![allow(dead_code)]

pub mod phases;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use tracer_core::array::{Aval, DType, Number, Tensor};
use tracer_core::primitives::ParamValue;
use tracer_core::python::{Halt, Raised};

/// Runs all cases of a folder, of which so many fail today, and reports those that fail. `CASE` selects primitives by the
/// start of their name.
pub fn run(folder: &str, faults_today: usize, check: fn(&Value) -> Result<(), String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("primitives").join(folder);
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut count, mut failures) = (0, Vec::new());
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for (i, case) in cases.iter().enumerate() {
            if !text(&case["p"]).starts_with(&only) {
                continue;
            }
            count += 1;
            if let Err(message) = check(case) {
                let name = file.file_name().unwrap().to_string_lossy();
                *by_name.entry(text(&case["p"]).to_owned()).or_default() += 1;
                failures.push(format!("{name}:{} {}\n{message}", i + 2, head(case)));
            }
        }
    }
    let shown: String = failures.iter().take(60).fold(String::new(), |mut all, failure| {
        _ = writeln!(all, "{failure}\n");
        all
    });
    assert!(failures.len() <= faults_today, "{} of {count} cases fail: {by_name:?}\n{shown}", failures.len());
    assert!(count > 0, "no such cases");
}

/// What an outcome raises, as class and message.
pub fn raised(halt: &Halt) -> String {
    match halt {
        Halt::Raise(exception) => match &exception.what {
            Raised::Native(class, message) => format!("{class}: {message}"),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}

fn head(case: &Value) -> String {
    let types: Vec<String> = list(&case["in"]).iter().map(|a| format!("{:?}", aval(a))).collect();
    format!("{} {} of {}", text(&case["p"]), case["params"], types.join(" "))
}

/// Equal up to a tolerance relative to the largest element.
pub fn close(a: &Tensor, b: &Tensor, tolerance: Option<f64>) -> Result<(), String> {
    let (a, b) = (a.physical(), b.physical());
    let tolerance = tolerance.unwrap_or(match a.dtype {
        DType::F64 | DType::C128 => 1e-12,
        DType::F32 | DType::C64 => 3e-6,
        DType::F16 => 2e-3,
        DType::BF16 => 1e-2,
        DType::Narrow(_) => 0.1,
        _ => 0.0,
    });
    let size = |n: Number| n.as_complex().norm();
    let largest = b.numbers().map(size).filter(|x| x.is_finite()).fold(1e-30, f64::max);
    for (i, (x, y)) in a.numbers().zip(b.numbers()).enumerate() {
        let (u, v) = (x.as_complex(), y.as_complex());
        let part = |u: f64, v: f64| u == v || (u.is_nan() && v.is_nan()) || (u - v).abs() <= tolerance * largest;
        if !part(u.re, v.re) || !part(u.im, v.im) {
            return Err(format!("element {i} is {x:?}, not {y:?}\nof  {:?}\nnot {:?}", a.data, b.data));
        }
    }
    Ok(())
}

/// Equal element by element, up to a relative tolerance; zeros have to have the same sign.
pub fn near(a: &Tensor, b: &Tensor, relative: f64, absolute: f64) -> Result<(), String> {
    let (a, b) = (a.physical(), b.physical());
    // What lies below the least normal number of the type may be flushed.
    let tiny =
        if matches!(a.dtype, DType::F64 | DType::C128) { f64::MIN_POSITIVE } else { f64::from(f32::MIN_POSITIVE) };
    let part = |u: f64, v: f64, size: f64| {
        if u == 0.0 && v == 0.0 {
            return relative > 0.0 || u.is_sign_negative() == v.is_sign_negative();
        }
        let difference = (u - v).abs();
        (u.is_nan() && v.is_nan())
            || u == v
            || difference <= relative * size
            || difference <= absolute
            || (relative > 0.0 && u.abs() <= 1.1 * tiny && v.abs() <= 1.1 * tiny)
    };
    let mut wrong = Vec::new();
    for (i, (x, y)) in a.numbers().zip(b.numbers()).enumerate() {
        let (u, v) = (x.as_complex(), y.as_complex());
        let size = if a.dtype.is_complex() { v.norm() } else { v.re.abs() };
        if !part(u.re, v.re, size) || !part(u.im, v.im, size) {
            wrong.push(format!("element {i} is {x:?}, not {y:?}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong[..wrong.len().min(6)].join("\n")) }
}

/// A string.
pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

/// The items of a list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// An element type by its short name.
pub fn dtype(short: &str) -> DType {
    use tracer_core::array::KeyImpl::{Rbg, Threefry, UnsafeRbg};
    let keys = [Threefry, Rbg, UnsafeRbg].map(DType::Key);
    let mut all = DType::NUMERIC.into_iter().chain(keys).chain([DType::Float0]);
    all.find(|dtype| dtype.short() == short).unwrap_or_else(|| panic!("no dtype {short}"))
}

/// A parameter.
pub fn param(value: &Value) -> ParamValue {
    match value {
        Value::Null => ParamValue::None,
        Value::Bool(flag) => ParamValue::Bool(*flag),
        Value::Number(n) => n.as_i64().map_or_else(|| ParamValue::Float(n.as_f64().unwrap()), ParamValue::Int),
        Value::String(text) => ParamValue::Str(text.as_str().into()),
        Value::Array(items) => ParamValue::Tuple(items.iter().map(param).collect()),
        Value::Object(object) => match (object.get("dtype"), object.get("float")) {
            (Some(name), _) => ParamValue::DType(dtype(text(name))),
            (_, Some(float)) => ParamValue::Float(text(float).parse().unwrap()),
            _ => ParamValue::None,
        },
    }
}

/// A type.
pub fn aval(value: &Value) -> Aval {
    let shape = list(&value["s"]).iter().map(|n| n.as_u64().unwrap() as usize);
    Aval { weak: value.get("w").is_some(), ..Aval::new(dtype(text(&value["t"])), shape) }
}

/// The numbers, if the case has them.
pub fn tensor(value: &Value, aval: &Aval) -> Option<Tensor> {
    let values = value.get("v")?.as_array()?;
    let shape = aval.known_shape()?;
    let int = |v: &Value| v.as_i64().map_or_else(|| v.as_u64().unwrap().into(), i128::from);
    let float = |v: &Value| v.as_f64().unwrap_or_else(|| v.as_str().unwrap().parse().unwrap());
    let number = |v: &Value| if v.is_i64() || v.is_u64() { Number::Int(int(v)) } else { Number::Float(float(v)) };
    let (dtype, physical) = match aval.dtype {
        DType::Key(_) => (DType::U32, Tensor::zeros(aval.dtype, shape).physical().shape),
        dtype => (dtype, shape),
    };
    let elements: Vec<Tensor> = if dtype.is_complex() {
        let pair = |p: &[Value]| Number::Complex(num_complex::Complex::new(float(&p[0]), float(&p[1])));
        values.chunks(2).map(|p| Tensor::scalar_of(dtype, pair(p))).collect()
    } else {
        values.iter().map(|v| Tensor::scalar_of(dtype, number(v))).collect()
    };
    let mut all = Tensor::zeros(dtype, physical);
    macro_rules! fill {
        ($($variant:ident)*) => {
            match &mut all.data {
                $(tracer_core::array::tensor::Data::$variant(v) => {
                    for (to, from) in std::sync::Arc::make_mut(v).iter_mut().zip(&elements) {
                        let tracer_core::array::tensor::Data::$variant(from) = &from.data else { unreachable!() };
                        *to = from[0];
                    }
                })*
                tracer_core::array::tensor::Data::None => {}
            }
        };
    }
    fill!(Bool I8 I16 I32 I64 U8 U16 U32 U64 BF16 F16 F32 F64 C64 C128);
    Some(if aval.dtype.is_key() { all.logical(aval.dtype) } else { all })
}
