//! Arrays summed up.

use jitlens_kernels::work::Stop;

use crate::array::{Aval, DType, Kind, Number, Tensor};

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
    /// Both of them where all elements are integers, with every digit.
    pub whole: Option<(i128, i128)>,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, of the population.
    pub std: f64,
    /// How many there are in each part of the range from the least to the greatest.
    pub histogram: [usize; BARS],
}

/// So many numbers of an array are shown.
const FIRST: usize = 6;

/// Elements that are looked at between two looks at whether the work is to be stopped.
const BETWEEN: usize = 1 << 16;

impl Summary {
    /// Sums an array up. Of work that was stopped only some elements are looked at: nobody asks for that any more.
    pub fn of(tensor: &Tensor) -> Summary {
        let is_double = matches!(tensor.dtype, DType::F64 | DType::C128);
        let first = tensor.numbers().take(FIRST).map(|number| text(number, is_double)).collect();
        let value = |number: Number| match number {
            Number::Complex(z) => z.norm(),
            other => other.as_float(),
        };
        let (mut nan, mut infinite, mut count) = (0, 0, 0usize);
        let (mut min, mut max, mut sum) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
        let stop = Stop::here();
        // Elements with their values, some at a time.
        let each = |visit: &mut dyn FnMut(f64)| {
            for from in (0..tensor.len()).step_by(BETWEEN).take_while(|_| !stop.asked()) {
                let some = from..tensor.len().min(from + BETWEEN);
                some.filter_map(|i| tensor.number(i)).map(value).for_each(&mut *visit);
            }
        };
        each(&mut |x| match x {
            x if x.is_nan() => nan += 1,
            x if x.is_infinite() => infinite += 1,
            x => {
                (min, max) = (min.min(x), max.max(x));
                sum += x;
                count += 1;
            }
        });
        let integers = || (0..tensor.len()).take_while(|_| !stop.asked()).filter_map(|i| tensor.number(i));
        let is_wide = matches!(tensor.dtype.kind(), Kind::Signed | Kind::Unsigned) && tensor.dtype.bits() > 16;
        let whole = is_wide.then(|| {
            integers().fold(None, |range, number| match (range, number) {
                (None, Number::Int(x)) => Some((x, x)),
                (Some((min, max)), Number::Int(x)) => Some((x.min(min), x.max(max))),
                (range, _) => range,
            })
        });
        let whole = whole.flatten();
        let mean = sum / count as f64;
        let range = (count > 0).then(|| {
            let mut squares = 0.0;
            let mut histogram = [0; BARS];
            each(&mut |x| {
                if x.is_finite() {
                    squares += (x - mean).powi(2);
                    let part = if max > min { ((x - min) / (max - min) * BARS as f64) as usize } else { 0 };
                    histogram[part.min(BARS - 1)] += 1;
                }
            });
            Statistics { min, max, whole, mean, std: (squares / count as f64).sqrt(), histogram }
        });
        Summary { aval: tensor.aval(), first, range, nan, infinite }
    }
}

/// A number with the digits that its type has.
fn text(number: Number, is_double: bool) -> String {
    // Large and small ones with an exponent, whole ones without a point.
    let digits = |x: f64| {
        let shown = if is_double { format!("{x:?}") } else { format!("{:?}", x as f32) };
        match shown.strip_suffix(".0") {
            Some(whole) => whole.to_owned(),
            None => shown,
        }
    };
    match number {
        Number::Bool(value) => if value { "True" } else { "False" }.to_owned(),
        Number::Int(value) => value.to_string(),
        Number::Float(value) => digits(value),
        Number::Complex(z) => {
            let sign = if z.im.is_sign_negative() { "" } else { "+" };
            format!("{}{sign}{}j", digits(z.re), digits(z.im))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use jitlens_kernels::work::set_cancel;

    use super::*;

    #[test]
    fn many_elements_are_summed_up_whole() {
        let many: Vec<f32> = (0..3 * BETWEEN + 5).map(|i| (i % 16) as f32).chain([f32::NAN, f32::INFINITY]).collect();
        let summary = Summary::of(&Tensor::new([many.len()].as_slice(), many.clone()));
        let range = summary.range.expect("finite elements");
        assert_eq!((summary.nan, summary.infinite, range.min, range.max), (1, 1, 0.0, 15.0));
        assert_eq!(range.histogram.iter().sum::<usize>(), many.len() - 2);
        assert!((range.mean - 7.5).abs() < 1e-3 && (range.std - (255.0f64 / 12.0).sqrt()).abs() < 1e-3);
    }

    #[test]
    fn numbers_have_the_digits_of_their_type() {
        let texts = |tensor: Tensor| Summary::of(&tensor).first.join(" ");
        assert_eq!(texts(Tensor::new([4].as_slice(), vec![3.4e38f32, 1e-40, 2.0, 0.1])), "3.4e38 1e-40 2 0.1");
        assert_eq!(texts(Tensor::new([3].as_slice(), vec![1e300f64, 0.1 + 0.2, -0.0])), "1e300 0.30000000000000004 -0");
        let summary = Summary::of(&Tensor::new([2].as_slice(), vec![i64::MIN, i64::MAX]));
        let range = summary.range.expect("integers");
        assert_eq!(range.whole, Some((i64::MIN.into(), i64::MAX.into())));
    }

    #[test]
    fn what_is_stopped_is_not_summed_up() {
        let before = set_cancel(Some(Arc::new(AtomicBool::new(true))));
        let summary = Summary::of(&Tensor::new([4].as_slice(), vec![1.0f32, f32::NAN, 2.0, 3.0]));
        set_cancel(before);
        assert_eq!((summary.range, summary.nan), (None, 0));
    }
}
