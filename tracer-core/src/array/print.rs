//! Arrays as text, as NumPy and JAX print them with their default options.

use super::Tensor;
use super::tensor::Data;

/// A string as Python's `repr` prints it, for text without quotes and escapes.
pub fn quote(text: &str) -> String {
    format!("'{text}'")
}

/// An array with more elements is printed in part, which is not done here.
pub const MOST_PRINTED: usize = 1000;

/// NumPy has no arrays with more axes, and so prints none.
const MOST_AXES: usize = 64;

const LINE_WIDTH: usize = 75;
const PRECISION: usize = 8;

/// `str(array)` of NumPy's. None for what is not printed here: long arrays, half and complex numbers, keys.
pub fn text(tensor: &Tensor) -> Option<String> {
    match tensor.shape.is_empty() {
        true => scalar(tensor),
        false => nested(tensor, " ", 0, 0),
    }
}

/// `repr(array)` of a NumPy array.
pub fn numpy_repr(tensor: &Tensor) -> Option<String> {
    let lists = if tensor.is_empty() { "[]".to_owned() } else { nested(tensor, ", ", "array(".len(), ")".len())? };
    let mut extras = Vec::new();
    if tensor.is_empty() && tensor.shape.len() > 1 {
        extras.push(format!("shape={}", shape(tensor)));
    }
    if tensor.is_empty() || !matches!(tensor.data, Data::Bool(_) | Data::I64(_) | Data::F64(_)) {
        extras.push(format!("dtype={}", tensor.dtype.name()));
    }
    if extras.is_empty() {
        return Some(format!("array({lists})"));
    }
    let (start, extras) = (format!("array({lists},"), extras.join(", ") + ")");
    let last_line = start.len() - start.rfind('\n').map_or(0, |at| at + 1);
    let gap = if last_line + extras.len() + 1 > LINE_WIDTH { "\n      " } else { " " };
    Some(start + gap + &extras)
}

/// `repr(array)` of a JAX array.
pub fn jax_repr(tensor: &Tensor, weak: bool) -> Option<String> {
    let lists = match tensor.len() {
        0 => format!("[], shape={}", shape(tensor)),
        _ => nested(tensor, ", ", "Array(".len(), ",".len())?,
    };
    let dtype = format!("dtype={}{}", tensor.dtype.name(), if weak { ", weak_type=True" } else { "" });
    let last_line = lists.len() as i64 - lists.rfind('\n').map_or(-1, |at| at as i64) + 1;
    let gap = if last_line as usize + dtype.len() + 2 > LINE_WIDTH { "      " } else { " " };
    Some(format!("Array({lists},{gap}{dtype})"))
}

fn shape(tensor: &Tensor) -> String {
    let sizes: Vec<String> = tensor.shape.iter().map(usize::to_string).collect();
    format!("({}{})", sizes.join(", "), if sizes.len() == 1 { "," } else { "" })
}

fn scalar(tensor: &Tensor) -> Option<String> {
    fn float<T: std::fmt::Display + std::fmt::LowerExp>(x: T, magnitude: f64, top: f64) -> String {
        match magnitude {
            m if m.is_nan() => "nan".to_owned(),
            m if m.is_infinite() => format!("{x}"),
            m if m != 0.0 && !(1e-4..top).contains(&m) => {
                let (digits, exponent) = scientific(&x);
                format!("{digits}e{}", exponent_text(exponent, 2))
            }
            _ => {
                let text = format!("{x}");
                if text.contains('.') { text } else { text + ".0" }
            }
        }
    }
    Some(match &tensor.data {
        Data::F32(x) => float(x[0], f64::from(x[0].abs()), 1e6),
        Data::F64(x) => float(x[0], x[0].abs(), 1e16),
        _ => words(tensor)?.pop()?,
    })
}

/// The nested lists of an array, broken into lines as NumPy does.
fn nested(tensor: &Tensor, separator: &str, prefix: usize, suffix: usize) -> Option<String> {
    if tensor.shape.len() > MOST_AXES {
        return None;
    }
    if tensor.is_empty() {
        return Some("[]".to_owned());
    }
    let words = words(tensor)?;
    let layout = Layout { shape: &tensor.shape, words: &words, separator };
    Some(layout.part(0, 0, prefix + 1, LINE_WIDTH - suffix))
}

struct Layout<'a> {
    shape: &'a [usize],
    words: &'a [String],
    separator: &'a str,
}

impl Layout<'_> {
    fn part(&self, axis: usize, at: usize, indent: usize, width: usize) -> String {
        let left = self.shape.len() - axis;
        if left == 0 {
            return self.words[at].clone();
        }
        let items = self.shape[axis];
        let stride: usize = self.shape[axis + 1..].iter().product();
        let hanging = " ".repeat(indent);
        let parts = (0..items).map(|i| self.part(axis + 1, at + i * stride, indent + 1, width - 1));
        let text = match left {
            1 => {
                let room = width - self.separator.trim_end().len().max(1);
                let (mut text, mut line) = (String::new(), hanging.clone());
                for (i, word) in parts.enumerate() {
                    if i > 0 {
                        line += self.separator;
                    }
                    if line.len() + word.len() > room && line.len() > hanging.len() {
                        text += line.trim_end();
                        text.push('\n');
                        line = hanging.clone();
                    }
                    line += &word;
                }
                text + &line
            }
            _ => {
                let between = self.separator.trim_end().to_owned() + &"\n".repeat(left - 1);
                parts.map(|part| hanging.clone() + &part).collect::<Vec<_>>().join(&between)
            }
        };
        format!("[{}]", &text[indent.min(text.len())..])
    }
}

/// The elements, as wide as each other.
fn words(tensor: &Tensor) -> Option<Vec<String>> {
    fn integers<T: std::fmt::Display>(items: &[T]) -> Vec<String> {
        let texts: Vec<String> = items.iter().map(T::to_string).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        texts.iter().map(|text| format!("{text:>width$}")).collect()
    }
    if tensor.len() > MOST_PRINTED || tensor.dtype.is_key() {
        return None;
    }
    Some(match &tensor.data {
        Data::Bool(x) => {
            let yes = if tensor.shape.is_empty() { "True" } else { " True" };
            x.iter().map(|x| if *x { yes.to_owned() } else { "False".to_owned() }).collect()
        }
        Data::I8(x) => integers(x),
        Data::I16(x) => integers(x),
        Data::I32(x) => integers(x),
        Data::I64(x) => integers(x),
        Data::U8(x) => integers(x),
        Data::U16(x) => integers(x),
        Data::U32(x) => integers(x),
        Data::U64(x) => integers(x),
        Data::F32(x) if tensor.dtype.bits() == 32 => floats(x, 1e6, |x| f64::from(*x)),
        Data::F64(x) => floats(x, 1e8, |x| *x),
        _ => return None,
    })
}

fn floats<T: std::fmt::Display + std::fmt::LowerExp>(items: &[T], top: f64, wide: impl Fn(&T) -> f64) -> Vec<String> {
    let finite: Vec<&T> = items.iter().filter(|x| wide(x).is_finite()).collect();
    let sizes = || finite.iter().map(|x| wide(x).abs()).filter(|x| *x != 0.0);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let by_exponent = most > 0.0 && (most >= top || least < 1e-4 || most / least > 1000.0);
    // What stands before and behind the point.
    let split = |x: &T| -> (String, String, i32) {
        let (text, exponent) = if by_exponent {
            let (digits, exponent) = scientific(x);
            match digits.split_once('.').is_some_and(|(_, behind)| behind.len() > PRECISION) {
                true => scientific_at(wide(x)),
                false => (digits, exponent),
            }
        } else {
            let text = format!("{x}");
            match text.split_once('.').is_some_and(|(_, behind)| behind.len() > PRECISION) {
                true => (format!("{:.*}", PRECISION, wide(x)), 0),
                false => (text, 0),
            }
        };
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        (whole.to_owned(), part.trim_end_matches('0').to_owned(), exponent)
    };
    let parts: Vec<(String, String, i32)> = finite.iter().map(|x| split(x)).collect();
    let mut left = parts.iter().map(|p| p.0.len()).max().unwrap_or(0);
    let behind = parts.iter().map(|p| p.1.len()).max().unwrap_or(0);
    let digits = parts.iter().map(|p| p.2.unsigned_abs().to_string().len().max(2)).max().unwrap_or(2);
    let right = if by_exponent { digits + 2 + behind } else { behind };
    let strange = |x: f64| match x {
        x if x.is_nan() => "nan",
        x if x > 0.0 => "inf",
        _ => "-inf",
    };
    for x in items.iter().map(&wide).filter(|x| !x.is_finite()) {
        left = left.max(strange(x).len().saturating_sub(right + 1));
    }
    items
        .iter()
        .map(|x| {
            let value = wide(x);
            if !value.is_finite() {
                let width = left + right + 1;
                return format!("{:>width$}", strange(value));
            }
            let (whole, part, exponent) = split(x);
            match by_exponent {
                true => format!("{whole:>left$}.{part:0<behind$}e{}", exponent_text(exponent, digits)),
                false => format!("{whole:>left$}.{part:<behind$}"),
            }
        })
        .collect()
}

fn scientific<T: std::fmt::LowerExp>(x: &T) -> (String, i32) {
    apart(&format!("{x:e}"))
}

fn scientific_at(x: f64) -> (String, i32) {
    apart(&format!("{x:.*e}", PRECISION))
}

fn apart(text: &str) -> (String, i32) {
    let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

fn exponent_text(exponent: i32, digits: usize) -> String {
    format!("{}{:0>digits$}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_axes_as_numpy_has_are_printed() {
        let ones = |axes: usize| Tensor::new(vec![1; axes], vec![1.0f32]);
        assert_eq!(text(&ones(3)).as_deref(), Some("[[[1.]]]"));
        assert_eq!(text(&ones(64)).map(|text| text.len()), Some(130));
        assert_eq!([text(&ones(65)), jax_repr(&ones(90), false), numpy_repr(&ones(90))], [None, None, None]);
    }
}
