//! What NumPy drew (`record.py`), drawn again.

use jitlens_random::seed::words;
use jitlens_random::{Bits, Bound, Draw, Era, Mt19937, Numbers, Pcg64, SeedSequence};
use serde_json::Value;

fn generator(case: &Value) -> Bits {
    let seed: Vec<u32> = match &case["seed"] {
        Value::Array(items) => items.iter().flat_map(|s| words(s.as_str().unwrap().parse().unwrap())).collect(),
        one => words(one.as_str().unwrap().parse().unwrap()),
    };
    let list = case["seed"].is_array();
    if case["kind"] == "legacy" {
        return Bits::Mt19937(Box::new(if list { Mt19937::of_array(&seed) } else { Mt19937::of_int(seed[0]) }));
    }
    let mut sequence = SeedSequence::new(seed);
    for child in case["path"].as_array().unwrap() {
        for _ in 0..child.as_u64().unwrap() {
            sequence.spawn();
        }
        sequence = sequence.spawn();
    }
    match case["kind"].as_str().unwrap() {
        "twister" => Bits::Mt19937(Box::new(Mt19937::of_sequence(&sequence))),
        _ => Bits::Pcg64(Pcg64::new(&sequence)),
    }
}

fn draw(call: &Value, era: Era) -> Draw {
    let (name, options) = (call["name"].as_str().unwrap(), &call["options"]);
    let number = |key: &str| options[key].as_f64().unwrap_or(0.0);
    let n = options["size"].as_u64().or(options["n"].as_u64()).unwrap_or(0) as usize;
    let single = options["dtype"] == "float32";
    let bound = if era == Era::New { Bound::Lemire } else { Bound::Masked };
    let (name, keys): (&str, &[&str]) = match name {
        "random" if single => ("float", &[]),
        "random" | "random_sample" => ("double", &[]),
        "standard_normal" if single => ("normal32", &[]),
        "normal" | "standard_normal" => ("normal", &[]),
        "standard_exponential" if single => ("exponential32", &[]),
        "standard_exponential" => ("exponential", &[]),
        "standard_gamma" => ("gamma", &["shape"]),
        "beta" => ("beta", &["a", "b"]),
        "laplace" | "logistic" | "gumbel" => (name, &["loc", "scale"]),
        "power" | "pareto" | "weibull" => (name, &["a"]),
        "rayleigh" => (name, &["scale"]),
        "standard_cauchy" => ("cauchy", &[]),
        "standard_t" => ("t", &["df"]),
        "poisson" => (name, &["lam"]),
        "binomial" => (name, &["n", "p"]),
        "integers" | "randint" => {
            let low = options["low"].as_i64().unwrap();
            let high = options["high"].as_i64().unwrap() - i64::from(options["endpoint"] != true);
            let width = match options["dtype"].as_str() {
                Some("bool") => 1,
                Some("int8" | "uint8") => 8,
                Some("int16") => 16,
                Some("int32") => 32,
                _ => 64,
            };
            return Draw::Integers { low, max: (high - low) as u64, width, bound, n };
        }
        "permutation" => return Draw::Shuffle { n: options["x"].as_u64().unwrap() as usize },
        "sample" => {
            let population = options["population"].as_u64().unwrap() as usize;
            return Draw::Sample { population, n, shuffled: true };
        }
        "weighted" => {
            let p = options["p"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
            return Draw::Weighted { p, n, replace: options["replace"] == true };
        }
        other => panic!("{other}"),
    };
    let n = if name == "binomial" { options["size"].as_u64().unwrap() as usize } else { n };
    Draw::Reals { name: name.into(), parameters: keys.iter().map(|k| vec![number(k)]).collect(), era, n }
}

#[test]
fn streams_are_numpys() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("draws.json")).unwrap();
    assert!(cases.len() >= 9);
    let mut wrong = Vec::new();
    for case in &cases {
        let mut bits = generator(case);
        let era = if case["kind"] == "legacy" { Era::Legacy } else { Era::New };
        for call in case["draws"].as_array().unwrap() {
            let expected: Vec<f64> = call["numbers"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
            let numbers: Vec<f64> = match draw(call, era).take(&mut bits).expect("modelled") {
                Numbers::Doubles(x) => x,
                Numbers::Floats(x) => x.into_iter().map(f64::from).collect(),
                Numbers::Integers(x) => x.into_iter().map(|x| x as f64).collect(),
            };
            let last = &numbers[numbers.len() - expected.len()..];
            if last != expected {
                wrong.push(format!("{} {}: {}\n  {last:?}\n  {expected:?}", case["kind"], case["seed"], call["name"]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
}
