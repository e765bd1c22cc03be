//! Arrays summed up.

use crate::array::{Aval, Number, Tensor};

/// Bars of a histogram.
pub const BARS: usize = 16;

/// An array, summed up.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its type.
    pub aval: Aval,
    /// Its first numbers, in row-major order.
    pub first: Vec<String>,
    /// What its finite elements are, if there are any; complex ones by their absolute values.
    pub range: Option<Statistics>,
    /// Elements that are no number.
    pub nan: usize,
    /// Elements that are infinite.
    pub infinite: usize,
}

/// Statistics of the finite elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The least one.
    pub min: f64,
    /// The greatest one.
    pub max: f64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, of the population.
    pub std: f64,
    /// How many there are in each part of the range from the least to the greatest.
    pub histogram: [usize; BARS],
}

/// So many numbers of an array are shown.
const FIRST: usize = 6;

impl Summary {
    /// Sums an array up.
    pub fn of(tensor: &Tensor) -> Summary {
        let first = tensor.numbers().take(FIRST).map(text).collect();
        let value = |number: Number| match number {
            Number::Complex(z) => z.norm(),
            other => other.as_float(),
        };
        let (mut nan, mut infinite, mut count) = (0, 0, 0usize);
        let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        for x in tensor.numbers().map(value) {
            match x {
                x if x.is_nan() => nan += 1,
                x if x.is_infinite() => infinite += 1,
                x => {
                    (min, max) = (min.min(x), max.max(x));
                    sum += x;
                    count += 1;
                }
            }
        }
        let mean = sum / count as f64;
        let range = (count > 0).then(|| {
            let mut squares = 0.0;
            let mut histogram = [0; BARS];
            for x in tensor.numbers().map(value).filter(|x| x.is_finite()) {
                squares += (x - mean).powi(2);
                let part = if max > min { ((x - min) / (max - min) * BARS as f64) as usize } else { 0 };
                histogram[part.min(BARS - 1)] += 1;
            }
            Statistics { min, max, mean, std: (squares / count as f64).sqrt(), histogram }
        });
        Summary { aval: tensor.aval(), first, range, nan, infinite }
    }
}

fn text(number: Number) -> String {
    match number {
        Number::Bool(value) => if value { "True" } else { "False" }.to_owned(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) => format!("{}", value as f32),
        Number::Complex(z) => format!("{}{:+}j", z.re as f32, z.im as f32),
    }
}
