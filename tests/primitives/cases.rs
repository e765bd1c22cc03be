//! Holds primitives against what real JAX made of the same inputs: types, numbers, errors and printed parameters.
//!
//! The cases lie in `cases/*.json` and are written by the Python programs beside; `record.py` describes them.
//! `CASE=scatter` runs only the primitives whose name starts so.

use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;
use tracer_core::array::{Aval, DType, Number, Tensor};
use tracer_core::primitives::{Param, ParamValue, from_params};
use tracer_core::python::{Halt, Raised};

#[test]
fn agree_with_jax() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("primitives/cases");
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut count, mut failures) = (0, Vec::new());
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
                failures.push(format!("{name}:{} {}\n{message}", i + 2, head(case)));
            }
        }
    }
    let shown: String = failures.iter().take(25).fold(String::new(), |mut all, failure| {
        _ = writeln!(all, "{failure}\n");
        all
    });
    assert!(failures.is_empty(), "{} of {count} cases fail:\n{shown}", failures.len());
}

fn raised(halt: &Halt) -> String {
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

fn check(case: &Value) -> Result<(), String> {
    let params = case["params"].as_object().unwrap();
    let params = params.iter().map(|(name, value)| (Rc::from(name.as_str()), param(value)));
    let avals: Vec<Aval> = list(&case["in"]).iter().map(aval).collect();
    let inputs: Vec<&Aval> = avals.iter().collect();
    let known: Option<Vec<Tensor>> = list(&case["in"]).iter().zip(&avals).map(|(a, aval)| tensor(a, aval)).collect();
    let primitive = from_params(text(&case["p"]), params).map_err(|halt| format!("is not made: {halt:?}"))?;
    let result = primitive.abstract_eval(&inputs);
    if let Some(error) = case.get("error") {
        let expected = format!("{}: {}", text(&error[0]), text(&error[1]));
        return match result {
            Err(halt) if raised(&halt) == expected => Ok(()),
            Err(halt) => Err(format!("expected {expected}\nbut got  {}", raised(&halt))),
            Ok(avals) => Err(format!("expected {expected}\nbut got  {avals:?}")),
        };
    }
    let outputs = result.map_err(|halt| format!("raises {halt:?}"))?;
    let expected: Vec<Aval> = list(&case["out"]).iter().map(aval).collect();
    if outputs[..] != expected[..] {
        return Err(format!("expected {expected:?}\nbut got  {:?}", &outputs[..]));
    }
    if let Some(shown) = case.get("show").and_then(Value::as_object) {
        for (name, value) in primitive.params() {
            let Param::Text(value) = value else { continue };
            if shown.get(name).is_some_and(|expected| text(expected) != value) {
                return Err(format!("prints {name}={value}\ninstead of {}", shown[name]));
            }
        }
        if let Some(missing) = shown.keys().find(|name| primitive.params().iter().all(|(known, _)| known != name)) {
            return Err(format!("does not print {missing}"));
        }
    }
    let Some(known) = known else { return Ok(()) };
    if list(&case["out"]).iter().any(|out| out.get("v").is_none()) {
        return Ok(());
    }
    let results = primitive.eval(&known).map_err(|halt| format!("does not evaluate: {halt:?}"))?;
    for (i, (result, (out, aval))) in results.iter().zip(list(&case["out"]).iter().zip(&expected)).enumerate() {
        if (result.dtype, &result.shape) != (aval.dtype, &aval.known_shape().unwrap()) {
            return Err(format!("evaluates to {}, not {aval}", result.aval()));
        }
        let tolerance = case.get("tol").and_then(Value::as_f64);
        close(result, &tensor(out, aval).unwrap(), tolerance).map_err(|message| format!("result {i}: {message}"))?;
    }
    Ok(())
}

/// Equal up to a tolerance relative to the largest element.
fn close(a: &Tensor, b: &Tensor, tolerance: Option<f64>) -> Result<(), String> {
    let (a, b) = (a.physical(), b.physical());
    let tolerance = tolerance.unwrap_or(match a.dtype {
        DType::F64 | DType::C128 => 1e-12,
        DType::F32 | DType::C64 => 3e-6,
        DType::F16 => 2e-3,
        DType::BF16 => 1e-2,
        DType::F8E4M3FN | DType::F8E5M2 => 0.1,
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn dtype(short: &str) -> DType {
    use tracer_core::array::KeyImpl::{Rbg, Threefry, UnsafeRbg};
    let keys = [Threefry, Rbg, UnsafeRbg].map(DType::Key);
    let mut all = DType::NUMERIC.into_iter().chain(keys).chain([DType::Float0]);
    all.find(|dtype| dtype.short() == short).unwrap_or_else(|| panic!("no dtype {short}"))
}

fn param(value: &Value) -> ParamValue {
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

fn aval(value: &Value) -> Aval {
    let shape = list(&value["s"]).iter().map(|n| n.as_u64().unwrap() as usize);
    Aval { weak: value.get("w").is_some(), ..Aval::new(dtype(text(&value["t"])), shape) }
}

fn tensor(value: &Value, aval: &Aval) -> Option<Tensor> {
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
