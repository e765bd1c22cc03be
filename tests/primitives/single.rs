//! Functions of `f32`, bit for bit as JAX computes them: checksums that `single.py` wrote of 131,072 inputs each.

use std::path::Path;

use tracer_core::array::Tensor;
use tracer_core::primitives::from_params;

const COUNT: usize = 1 << 17;
const RUN: usize = 256;

fn inputs() -> Vec<f32> {
    let input = |i: u64| {
        let spread = (i * 2_654_435_761 % (1 << 32)) as u32;
        let unit = (f64::from(spread) / 2f64.powi(31) - 1.0) as f32;
        match i % 3 {
            0 => f32::from_bits(spread),
            1 => unit * 100.0,
            _ => unit,
        }
    };
    (0..COUNT as u64).map(input).collect()
}

fn checksum(results: &[f32]) -> String {
    let bits = |x: &f32| if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() };
    let step = |sum: u64, x: &f32| (sum ^ u64::from(bits(x))).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", results.iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[test]
fn bits_agree_with_jax() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("primitives/single.json");
    let recorded: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let all = inputs();
    let x = Tensor::new([COUNT].as_slice(), all.clone());
    for (name, sums) in recorded.as_object().unwrap() {
        let result = from_params(name.as_str().to_owned().leak(), []).unwrap().eval(std::slice::from_ref(&x)).unwrap();
        let result = result[0].view::<f32>().unwrap();
        let own: Vec<String> = result.chunks(RUN).map(checksum).collect();
        let sums = sums.as_array().unwrap();
        assert_eq!(own.len(), sums.len());
        let wrong: Vec<usize> = (0..own.len()).filter(|&i| sums[i] != own[i]).collect();
        assert!(
            wrong.is_empty(),
            "{name}: {} of {} runs differ, first that of {}",
            wrong.len(),
            own.len(),
            all[wrong[0] * RUN]
        );
        // A few elements take another way than many.
        let few: Vec<f32> = all[..RUN].to_vec();
        let one_by_one = few.iter().flat_map(|&x| {
            let x = Tensor::new([1].as_slice(), vec![x]);
            from_params(name.as_str().to_owned().leak(), []).unwrap().eval(&[x]).unwrap()[0]
                .view::<f32>()
                .unwrap()
                .to_vec()
        });
        assert_eq!(checksum(&one_by_one.collect::<Vec<_>>()), own[0], "{name}, one by one");
    }
}
