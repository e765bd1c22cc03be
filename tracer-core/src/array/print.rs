//! Arrays as text, as NumPy and JAX print them.

use super::Tensor;
use super::tensor::Data;

/// A string as Python's `repr` prints it, for text without quotes and escapes.
pub fn quote(text: &str) -> String {
    format!("'{text}'")
}

/// NumPy has no arrays with more axes, and so prints none.
const MOST_AXES: usize = 64;

/// A text has so many elements at most.
const MOST_WORDS: usize = 100_000;

/// How many digits behind the point are shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Digits {
    /// As many as it takes to tell a number from its neighbours, up to the precision; columns are filled up with spaces.
    MostPrecise,
    /// The same, filled up with zeros.
    MostPreciseEqual,
    /// The precision.
    Fixed,
    /// As many as it takes.
    Unique,
}

/// What NumPy calls print options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Digits behind the point.
    pub precision: usize,
    /// Arrays with more elements are shown in part.
    pub threshold: usize,
    /// So many elements are shown at each end of an axis of such an array.
    pub edge: usize,
    /// Characters of a line.
    pub width: usize,
    /// Whether small numbers are shown without an exponent.
    pub suppress: bool,
    /// Which digits are shown.
    pub digits: Digits,
    /// What is shown for what is no number.
    pub nan: String,
    /// What is shown for infinity.
    pub infinity: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            precision: 8,
            threshold: 1000,
            edge: 3,
            width: 75,
            suppress: false,
            digits: Digits::MostPrecise,
            nan: "nan".to_owned(),
            infinity: "inf".to_owned(),
        }
    }
}

impl Options {
    /// Whether an array is shown in part.
    fn in_part(&self, tensor: &Tensor) -> bool {
        tensor.len() > self.threshold
    }
}

/// `str(array)` of NumPy's, and of JAX's.
pub fn text(tensor: &Tensor, options: &Options) -> Option<String> {
    if tensor.dtype.is_key() {
        return keys(tensor, options);
    }
    match tensor.shape.is_empty() {
        true => scalar(tensor),
        false => nested(tensor, " ", 0, 0, options),
    }
}

/// `array2string` of NumPy's: the lists alone, for what stands so many characters before and behind them.
pub fn lists(tensor: &Tensor, separator: &str, prefix: usize, suffix: usize, options: &Options) -> Option<String> {
    nested(tensor, separator, prefix, suffix, options)
}

/// `repr(array)` of a NumPy array.
pub fn numpy_repr(tensor: &Tensor, options: &Options) -> Option<String> {
    let lists = match tensor.is_empty() {
        true => "[]".to_owned(),
        false => nested(tensor, ", ", "array(".len(), ")".len(), options)?,
    };
    let mut extras = Vec::new();
    if tensor.is_empty() && tensor.shape.len() > 1 || options.in_part(tensor) {
        extras.push(format!("shape={}", shape(tensor)));
    }
    if tensor.is_empty() || !matches!(tensor.data, Data::Bool(_) | Data::I64(_) | Data::F64(_) | Data::C128(_)) {
        // The names of narrow floats are strings to NumPy.
        let is_quoted = tensor.dtype.narrow().is_some();
        let name = tensor.dtype.name();
        extras.push(if is_quoted { format!("dtype='{name}'") } else { format!("dtype={name}") });
    }
    if extras.is_empty() {
        return Some(format!("array({lists})"));
    }
    let (start, extras) = (format!("array({lists},"), extras.join(", ") + ")");
    let last_line = start.len() - start.rfind('\n').map_or(0, |at| at + 1);
    let gap = if last_line + extras.len() + 1 > options.width { "\n      " } else { " " };
    Some(start + gap + &extras)
}

/// `repr(array)` of a JAX array.
pub fn jax_repr(tensor: &Tensor, weak: bool, options: &Options) -> Option<String> {
    if tensor.dtype.is_key() {
        return keys(tensor, options);
    }
    let lists = match tensor.len() {
        0 => format!("[], shape={}", shape(tensor)),
        _ => nested(tensor, ", ", "Array(".len(), ",".len(), options)?,
    };
    let dtype = format!("dtype={}{}", tensor.dtype.name(), if weak { ", weak_type=True" } else { "" });
    let last_line = lists.len() as i64 - lists.rfind('\n').map_or(-1, |at| at as i64) + 1;
    let gap = if last_line as usize + dtype.len() + 2 > options.width { "      " } else { " " };
    Some(format!("Array({lists},{gap}{dtype})"))
}

/// Typed keys, whose text and `repr` are the same: their type, and the words that they lie over.
fn keys(tensor: &Tensor, options: &Options) -> Option<String> {
    let words = nested(&tensor.physical(), " ", 0, 0, options)?;
    Some(format!("Array({}, dtype={}) overlaying:\n{words}", shape(tensor), tensor.dtype.name()))
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
    /// As Python's `complex`: no point behind whole numbers, and no real part that is zero.
    fn complex<T: num_traits::Float + std::fmt::Display + std::fmt::LowerExp>(re: T, im: T, top: f64) -> String {
        let part = |x: T| {
            let text = float(x, x.abs().to_f64().unwrap_or(f64::NAN), top);
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        };
        let imaginary = part(im);
        if re.is_zero() && re.is_sign_positive() {
            return imaginary + "j";
        }
        let sign = if imaginary.starts_with('-') { "" } else { "+" };
        format!("({}{sign}{imaginary}j)", part(re))
    }
    Some(match &tensor.data {
        Data::F32(x) if tensor.dtype.bits() == 32 => float(Single(x[0]), f64::from(x[0].abs()), 1e6),
        Data::F64(x) => float(x[0], x[0].abs(), 1e16),
        Data::F16(x) => float(shortest(x[0]), x[0].to_f64().abs(), 1e3),
        Data::C64(x) => complex(x[0].re, x[0].im, 1e6),
        Data::C128(x) => complex(x[0].re, x[0].im, 1e16),
        _ => words(tensor, &[0], &Options::default())?.pop()?,
    })
}

/// The nested lists of an array, broken into lines as NumPy does.
fn nested(tensor: &Tensor, separator: &str, prefix: usize, suffix: usize, options: &Options) -> Option<String> {
    if tensor.shape.len() > MOST_AXES {
        return None;
    }
    if tensor.is_empty() {
        return Some("[]".to_owned());
    }
    let edge = if options.in_part(tensor) { Some(options.edge).filter(|edge| *edge > 0)? } else { usize::MAX };
    let mut layout = Layout { shape: &tensor.shape, edge, words: Vec::new().into_iter(), separator };
    let mut shown = Vec::new();
    layout.shown(0, 0, &mut shown)?;
    layout.words = words(tensor, &shown, options)?.into_iter();
    Some(layout.part(0, prefix + 1, options.width.saturating_sub(suffix)))
}

struct Layout<'a> {
    shape: &'a [usize],
    /// So many elements of a longer axis are shown at its ends.
    edge: usize,
    /// The elements that are shown, in order.
    words: std::vec::IntoIter<String>,
    separator: &'a str,
}

impl Layout<'_> {
    /// The first elements of an axis that are shown, whether some are left out behind them, and the last.
    fn ends(&self, axis: usize) -> (usize, bool, usize) {
        match self.shape[axis] {
            items if items / 2 >= self.edge && items > 2 * self.edge => (self.edge, true, self.edge),
            items => (0, false, items),
        }
    }

    /// Where the elements are that are shown; `None` where they are too many.
    fn shown(&self, axis: usize, at: usize, all: &mut Vec<usize>) -> Option<()> {
        if axis == self.shape.len() {
            all.push(at);
            return (all.len() <= MOST_WORDS).then_some(());
        }
        let stride: usize = self.shape[axis + 1..].iter().product();
        let (first, _, last) = self.ends(axis);
        let items = self.shape[axis];
        (0..first).chain(items - last..items).try_for_each(|i| self.shown(axis + 1, at + i * stride, all))
    }

    fn part(&mut self, axis: usize, indent: usize, width: usize) -> String {
        let left = self.shape.len() - axis;
        if left == 0 {
            return self.words.next().unwrap_or_default();
        }
        let (first, has_gap, last) = self.ends(axis);
        let hanging = " ".repeat(indent);
        let mut parts = Vec::with_capacity(first + last + 1);
        parts.extend((0..first).map(|_| self.part(axis + 1, indent + 1, width.saturating_sub(1))));
        parts.extend(has_gap.then(|| "...".to_owned()));
        parts.extend((0..last).map(|_| self.part(axis + 1, indent + 1, width.saturating_sub(1))));
        let text = match left {
            1 => {
                let room = width.saturating_sub(self.separator.trim_end().len().max(1));
                let (mut text, mut line) = (String::new(), hanging.clone());
                for (i, word) in parts.iter().enumerate() {
                    if i > 0 {
                        line += self.separator;
                    }
                    if line.len() + word.len() > room && line.len() > hanging.len() {
                        text += line.trim_end();
                        text.push('\n');
                        line = hanging.clone();
                    }
                    line += word;
                }
                text + &line
            }
            _ => {
                let between = self.separator.trim_end().to_owned() + &"\n".repeat(left - 1);
                parts.iter().map(|part| hanging.clone() + part).collect::<Vec<_>>().join(&between)
            }
        };
        format!("[{}]", &text[indent.min(text.len())..])
    }
}

/// Elements, as wide as each other.
fn words(tensor: &Tensor, shown: &[usize], options: &Options) -> Option<Vec<String>> {
    fn integers<T: std::fmt::Display>(items: &[T], shown: &[usize]) -> Vec<String> {
        let texts: Vec<String> = shown.iter().map(|i| items[*i].to_string()).collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0);
        texts.iter().map(|text| format!("{text:>width$}")).collect()
    }
    fn chosen<T: Copy>(items: &[T], shown: &[usize]) -> Vec<T> {
        shown.iter().map(|i| items[*i]).collect()
    }
    Some(match &tensor.data {
        // NumPy does not know integers of a few bits, and asks them for their texts.
        Data::I8(x) if tensor.dtype.bits() < 8 => shown.iter().map(|i| x[*i].to_string()).collect(),
        Data::U8(x) if tensor.dtype.bits() < 8 => shown.iter().map(|i| x[*i].to_string()).collect(),
        Data::Bool(x) => {
            let yes = if tensor.shape.is_empty() { "True" } else { " True" };
            shown.iter().map(|i| if x[*i] { yes.to_owned() } else { "False".to_owned() }).collect()
        }
        Data::I8(x) => integers(x, shown),
        Data::I16(x) => integers(x, shown),
        Data::I32(x) => integers(x, shown),
        Data::I64(x) => integers(x, shown),
        Data::U8(x) => integers(x, shown),
        Data::U16(x) => integers(x, shown),
        Data::U32(x) => integers(x, shown),
        Data::U64(x) => integers(x, shown),
        Data::F32(x) if tensor.dtype.bits() == 32 => {
            let all: Vec<Single> = shown.iter().map(|i| Single(x[*i])).collect();
            floats(&all, 1e6, |x| f64::from(x.0), options, false)
        }
        // NumPy does not know these types, and asks them for their texts.
        Data::F32(x) => shown.iter().map(|i| general(x[*i])).collect(),
        Data::BF16(x) => shown.iter().map(|i| general(x[*i].to_f32())).collect(),
        Data::F64(x) => floats(&chosen(x, shown), 1e8, |x| *x, options, false),
        Data::F16(x) => {
            let all: Vec<f64> = shown.iter().map(|i| shortest(x[*i])).collect();
            floats(&all, 1e3, |x| *x, options, false)
        }
        Data::C64(x) => complexes(&chosen(x, shown), 1e6, |x| f64::from(*x), options),
        Data::C128(x) => complexes(&chosen(x, shown), 1e8, |x| *x, options),
        Data::None => return None,
    })
}

/// Both parts of complex numbers, each as wide as the others.
fn complexes<T: Copy + std::fmt::Display + std::fmt::LowerExp>(
    items: &[num_complex::Complex<T>],
    top: f64,
    wide: impl Fn(&T) -> f64,
    options: &Options,
) -> Vec<String> {
    let part = |which: fn(&num_complex::Complex<T>) -> T, plus| {
        floats(&items.iter().map(which).collect::<Vec<T>>(), top, &wide, options, plus)
    };
    let both = part(|z| z.re, false).into_iter().zip(part(|z| z.im, true));
    // The letter stands before what fills the column.
    let join = |(re, im): (String, String)| {
        let end = im.trim_end().len();
        format!("{re}{}j{}", &im[..end], &im[end..])
    };
    both.map(join).collect()
}

/// A number of 32 bits that prints as the decimal number with the fewest digits that is rounded to it; of two that are as near, the one with an
/// even last digit.
#[derive(Copy, Clone)]
struct Single(f32);

impl Single {
    /// The decimal number.
    fn decimal(self) -> f64 {
        let exact = f64::from(self.0);
        let text = format!("{:e}", self.0);
        let digits = text.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
        let even = format!("{exact:.*e}", digits.saturating_sub(1));
        match even.parse::<f32>() {
            Ok(found) if found == self.0 => even.parse().unwrap_or(exact),
            _ => text.parse().unwrap_or(exact),
        }
    }
}

impl std::fmt::Display for Single {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0.is_finite(), f.precision()) {
            (true, None) => self.decimal().fmt(f),
            _ => self.0.fmt(f),
        }
    }
}

impl std::fmt::LowerExp for Single {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.0.is_finite(), f.precision()) {
            (true, None) => std::fmt::LowerExp::fmt(&self.decimal(), f),
            _ => std::fmt::LowerExp::fmt(&self.0, f),
        }
    }
}

/// The decimal number with the fewest digits that is rounded to this one.
fn shortest(x: half::f16) -> f64 {
    let wide = x.to_f64();
    let digits = |count: usize| format!("{wide:.count$e}").parse::<f64>().ok();
    let same = |found: &f64| half::f16::from_f64(*found) == x;
    if wide.is_finite() { (0..6).filter_map(digits).find(same).unwrap_or(wide) } else { wide }
}

/// A number with six digits, without zeros behind them, as `%g` of C.
fn general(x: f32) -> String {
    const DIGITS: i32 = 6;
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return format!("{x}");
    }
    let (digits, exponent) = scientific_at(f64::from(x), DIGITS as usize - 1);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if (-4..DIGITS).contains(&exponent) {
        return trimmed(&format!("{:.*}", (DIGITS - 1 - exponent) as usize, f64::from(x)));
    }
    format!("{}e{}", trimmed(&digits), exponent_text(exponent, 2))
}

fn floats<T: std::fmt::Display + std::fmt::LowerExp>(
    items: &[T],
    top: f64,
    wide: impl Fn(&T) -> f64,
    options: &Options,
    plus: bool,
) -> Vec<String> {
    let finite: Vec<&T> = items.iter().filter(|x| wide(x).is_finite()).collect();
    let sizes = || finite.iter().map(|x| wide(x).abs()).filter(|x| *x != 0.0);
    let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
    let is_wide = !options.suppress && (least < 1e-4 || most / least > 1000.0);
    let by_exponent = most > 0.0 && (most >= top || is_wide);
    let precision = if options.digits == Digits::Unique { usize::MAX } else { options.precision };
    let is_fixed = options.digits == Digits::Fixed;
    // Whether a number has more digits than are shown.
    let is_long = |text: &str| is_fixed || text.split_once('.').is_some_and(|(_, behind)| behind.len() > precision);
    // What stands before and behind the point.
    let split = |x: &T| -> (String, String, i32) {
        let (text, exponent) = if by_exponent {
            let (digits, exponent) = scientific(x);
            if is_long(&digits) { scientific_at(wide(x), precision) } else { (digits, exponent) }
        } else {
            let text = format!("{x}");
            if is_long(&text) { (format!("{:.precision$}", wide(x)), 0) } else { (text, 0) }
        };
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let part = if is_fixed { part } else { part.trim_end_matches('0') };
        let sign = if plus && !whole.starts_with('-') { "+" } else { "" };
        (format!("{sign}{whole}"), part.to_owned(), exponent)
    };
    let parts: Vec<(String, String, i32)> = finite.iter().map(|x| split(x)).collect();
    let mut left = parts.iter().map(|p| p.0.len()).max().unwrap_or(0);
    let behind = parts.iter().map(|p| p.1.len()).max().unwrap_or(0);
    let digits = parts.iter().map(|p| p.2.unsigned_abs().to_string().len().max(2)).max().unwrap_or(2);
    let right = if by_exponent { digits + 2 + behind } else { behind };
    let sign = if plus { "+" } else { "" };
    let strange = |x: f64| match x {
        x if x.is_nan() => format!("{sign}{}", options.nan),
        x if x > 0.0 => format!("{sign}{}", options.infinity),
        _ => format!("-{}", options.infinity),
    };
    for x in items.iter().map(&wide).filter(|x| !x.is_finite()) {
        // With signs there is room for that of an infinity.
        let room = if plus { options.infinity.len() + 1 } else { 0 };
        left = left.max(strange(x).len().max(room).saturating_sub(right + 1));
    }
    let fills = by_exponent || options.digits == Digits::MostPreciseEqual;
    items
        .iter()
        .map(|x| {
            let value = wide(x);
            if !value.is_finite() {
                let width = left + right + 1;
                return format!("{:>width$}", strange(value));
            }
            let (whole, part, exponent) = split(x);
            let number = match fills {
                true => format!("{whole:>left$}.{part:0<behind$}"),
                false => format!("{whole:>left$}.{part:<behind$}"),
            };
            if by_exponent { format!("{number}e{}", exponent_text(exponent, digits)) } else { number }
        })
        .collect()
}

fn scientific<T: std::fmt::LowerExp>(x: &T) -> (String, i32) {
    apart(&format!("{x:e}"))
}

fn scientific_at(x: f64, precision: usize) -> (String, i32) {
    apart(&format!("{x:.precision$e}"))
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
    use crate::array::narrow::Narrow;

    #[test]
    fn numbers_of_every_type() {
        let shown = |tensor: Tensor| text(&tensor, &Options::default()).unwrap();
        let of = |values: &[f32], dtype| Tensor::new(&[values.len()][..], values.to_vec()).convert(dtype);
        use super::super::DType;
        // As NumPy 2.4 and ml_dtypes print them.
        assert_eq!(shown(of(&[0.1, 1000.0, 1e10, -0.0], DType::BF16)), "[0.100098 1000 9.99922e+09 -0]");
        assert_eq!(shown(of(&[1.5, -2.25, 1e3], DType::F16)), "[ 1.50e+00 -2.25e+00  1.00e+03]");
        assert_eq!(shown(of(&[0.1, 2.0], DType::F16)), "[0.1 2. ]");
        assert_eq!(shown(of(&[1.5, 500.0], DType::Narrow(Narrow::E4M3FN))), "[1.5 nan]");
        assert_eq!(
            numpy_repr(&of(&[1.0], DType::Narrow(Narrow::E5M2)), &Options::default()).unwrap(),
            "array([1], dtype='float8_e5m2')"
        );
        let complex = |values: &[(f64, f64)]| {
            let all = values.iter().map(|(re, im)| num_complex::Complex::new(*re, *im)).collect();
            Tensor::new(&[values.len()][..], all)
        };
        assert_eq!(
            shown(complex(&[(1.0, 2.0), (-0.001, -0.5), (3.0, 0.0)])),
            "[ 1.e+00+2.j  -1.e-03-0.5j  3.e+00+0.j ]"
        );
        let odd = [(1.0, 2.0), (f64::NAN, 0.0), (f64::INFINITY, -0.0)];
        assert_eq!(shown(complex(&odd)), "[ 1.+2.j nan+0.j inf-0.j]");
        let one = |re, im| shown(Tensor::scalar(num_complex::Complex::<f64>::new(re, im)));
        assert_eq!(
            (one(1.0, 2.5), one(0.0, 1.0), one(1.0, 1e20)),
            ("(1+2.5j)".into(), "1j".into(), "(1+1e+20j)".into())
        );
    }

    #[test]
    fn as_many_axes_as_numpy_has_are_printed() {
        let ones = |axes: usize| Tensor::new(vec![1; axes], vec![1.0f32]);
        let options = Options::default();
        assert_eq!(text(&ones(3), &options).as_deref(), Some("[[[1.]]]"));
        assert_eq!(text(&ones(64), &options).map(|text| text.len()), Some(130));
        let reprs = [jax_repr(&ones(90), false, &options), numpy_repr(&ones(90), &options)];
        assert_eq!([text(&ones(65), &options)].into_iter().chain(reprs).collect::<Vec<_>>(), [None, None, None]);
    }
}
