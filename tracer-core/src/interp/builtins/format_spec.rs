//! `format(value, spec)`: the format specification mini-language.

use std::fmt::Write;
use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;

use crate::interp::Interp;
use crate::interp::number::Number;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::float as float_repr;

/// Wider text is not made.
const MOST_WIDTH: usize = 1 << 20;

/// A format specification, read.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The character that fills.
    pub fill: Option<char>,
    /// One of `<>=^`.
    pub align: Option<char>,
    /// One of `+- `.
    pub sign: Option<char>,
    /// `z`: no negative zero.
    pub no_negative_zero: bool,
    /// `#`
    pub alternate: bool,
    /// `0` before the width.
    pub zero: bool,
    /// The least width.
    pub width: usize,
    /// `,` or `_`.
    pub grouping: Option<char>,
    /// Digits after the point, or characters.
    pub precision: Option<usize>,
    /// The presentation type.
    pub kind: Option<char>,
}

impl Spec {
    /// Reads a specification; `type_name` is for messages.
    ///
    /// # Errors
    /// `ValueError`.
    pub fn parse(text: &str, type_name: &str) -> Step<Spec> {
        let bad = || Halt::value_error(format!("Invalid format specifier '{text}' for object of type '{type_name}'"));
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        let mut spec = Spec::default();
        let is_align = |c: Option<&char>| matches!(c, Some('<' | '>' | '=' | '^'));
        if is_align(chars.get(1)) {
            spec.fill = Some(chars[0]);
            spec.align = Some(chars[1]);
            at = 2;
        } else if is_align(chars.first()) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if let Some(sign @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = Some(*sign);
            at += 1;
        }
        if chars.get(at) == Some(&'z') {
            spec.no_negative_zero = true;
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') && spec.fill.is_none() {
            spec.zero = true;
            at += 1;
        }
        let number = |at: &mut usize| -> Step<Option<usize>> {
            let start = *at;
            let mut value = 0usize;
            while let Some(digit) = chars.get(*at).and_then(|c| c.to_digit(10)) {
                value = value.saturating_mul(10).saturating_add(digit as usize);
                *at += 1;
            }
            if value > i64::MAX as usize / 2 {
                return Err(Halt::value_error("Too many decimal digits in format string"));
            }
            Ok((*at > start).then_some(value))
        };
        spec.width = number(&mut at)?.unwrap_or(0);
        if let Some(group @ (',' | '_')) = chars.get(at) {
            spec.grouping = Some(*group);
            at += 1;
            if let Some(other @ (',' | '_')) = chars.get(at) {
                return Err(Halt::value_error(match other == group && *group == ',' {
                    true => "Cannot specify ',' with ','.".to_owned(),
                    false if other == group => "Cannot specify '_' with '_'.".to_owned(),
                    false => "Cannot specify both ',' and '_'.".to_owned(),
                }));
            }
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            match number(&mut at)? {
                Some(precision) => spec.precision = Some(precision),
                None => return Err(Halt::value_error("Format specifier missing precision")),
            }
        }
        match chars.len() - at.min(chars.len()) {
            0 => {}
            1 => spec.kind = Some(chars[at]),
            _ => return Err(bad()),
        }
        if let (Some(group), Some(kind)) = (spec.grouping, spec.kind) {
            let fine = matches!(kind, 'd' | 'e' | 'f' | 'g' | 'E' | 'G' | '%' | 'F')
                || group == '_' && matches!(kind, 'b' | 'o' | 'x' | 'X');
            if !fine {
                return Err(Halt::value_error(format!("Cannot specify '{group}' with '{kind}'.")));
            }
        }
        Ok(spec)
    }

    fn unknown_code(&self, type_name: &str) -> Halt {
        let code = self.kind.unwrap_or('?');
        Halt::value_error(format!("Unknown format code '{code}' for object of type '{type_name}'"))
    }

    /// Puts sign, prefix, digits and rest to the width. `digits` are those of the integer part.
    fn number(&self, negative: bool, prefix: &str, digits: &str, rest: &str, group: usize) -> Step<String> {
        if self.width > MOST_WIDTH {
            return Err(Halt::unknown("text past the budget"));
        }
        let sign = match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        };
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        let align = self.align.unwrap_or(if self.zero { '=' } else { '>' });
        let outside = sign.len() + prefix.len() + rest.chars().count();
        let mut grouped = self.grouped(digits, group);
        if self.grouping.is_some() && fill == '0' && align == '=' {
            let mut padded = digits.to_owned();
            while grouped.len() + outside < self.width {
                padded.insert(0, '0');
                grouped = self.grouped(&padded, group);
            }
        }
        let padding = self.width.saturating_sub(outside + grouped.len());
        let fill = |n: usize| std::iter::repeat_n(fill, n).collect::<String>();
        Ok(match align {
            '<' => format!("{sign}{prefix}{grouped}{rest}{}", fill(padding)),
            '^' => format!("{}{sign}{prefix}{grouped}{rest}{}", fill(padding / 2), fill(padding - padding / 2)),
            '=' => format!("{sign}{prefix}{}{grouped}{rest}", fill(padding)),
            _ => format!("{}{sign}{prefix}{grouped}{rest}", fill(padding)),
        })
    }

    fn grouped(&self, digits: &str, group: usize) -> String {
        let Some(separator) = self.grouping else { return digits.to_owned() };
        let mut out = String::new();
        for (i, c) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(group) {
                out.push(separator);
            }
            out.push(c);
        }
        out
    }
}

/// Writes a plain value by a format specification of the commonest kinds: a way to align, a width, digits after the point. False,
/// and nothing is written, for any other.
pub fn plainly_formatted(text: &mut String, value: &Value, spec: &str) -> bool {
    const MOST: usize = 100;
    let (align, rest) = match spec.as_bytes() {
        [align @ (b'<' | b'>' | b'^'), ..] => (Some(*align), &spec[1..]),
        _ => (None, spec),
    };
    let number = |text: &str| -> Option<usize> {
        let plain = !text.starts_with('0') && !text.starts_with('+');
        text.parse().ok().filter(|number| plain && *number <= MOST)
    };
    let kind = rest.chars().last().filter(char::is_ascii_alphabetic);
    let rest = &rest[..rest.len() - kind.map_or(0, char::len_utf8)];
    let (width, precision) = match rest.split_once('.') {
        Some((width, digits)) => (width, Some(digits)),
        None => (rest, None),
    };
    let Some(width) = (if width.is_empty() { Some(0) } else { number(width) }) else { return false };
    let precision = match precision {
        None => None,
        Some("0") => Some(0),
        Some(digits) => match number(digits) {
            Some(digits) => Some(digits),
            None => return false,
        },
    };
    let mut piece = String::new();
    let (shown, to_left) = match (value, kind, precision) {
        (Value::Int(value), None | Some('d'), None) => {
            let _ = write!(piece, "{value}");
            (&*piece, false)
        }
        (Value::Float(value), Some('f'), precision) if value.is_finite() => {
            let _ = write!(piece, "{value:.*}", precision.unwrap_or(6));
            (&*piece, false)
        }
        (Value::Str(value), None | Some('s'), None) if value.len() <= MOST && value.is_ascii() => (&**value, true),
        _ => return false,
    };
    let _ = match align {
        Some(b'<') => write!(text, "{shown:<width$}"),
        Some(b'^') => write!(text, "{shown:^width$}"),
        None if to_left => write!(text, "{shown:<width$}"),
        _ => write!(text, "{shown:>width$}"),
    };
    true
}

/// Text by a format specification.
///
/// # Errors
/// `ValueError`, `TypeError`.
pub fn format_spec(it: &Rc<Interp>, value: &Value, spec: &str) -> Step<Value> {
    let type_name = it.type_name(value);
    let text = match (value, Number::of(value)) {
        (_, Some(Number::Int(n))) => integer(&BigInt::from(n), &Spec::parse(spec, &type_name)?, &type_name)?,
        (_, Some(Number::Big(n))) => integer(&n, &Spec::parse(spec, &type_name)?, &type_name)?,
        (_, Some(Number::Float(x))) => float(x, &Spec::parse(spec, &type_name)?, &type_name)?,
        (_, Some(Number::Complex(_))) => return Err(Halt::unknown("a formatted complex number")),
        (Value::Str(text), _) => string(text, &Spec::parse(spec, &type_name)?)?,
        _ => return Err(Halt::type_error(format!("unsupported format string passed to {type_name}.__format__"))),
    };
    Ok(Value::from(text))
}

fn string(text: &str, spec: &Spec) -> Step<String> {
    if !matches!(spec.kind, None | Some('s')) {
        return Err(spec.unknown_code("str"));
    }
    match spec.sign {
        Some(' ') => return Err(Halt::value_error("Space not allowed in string format specifier")),
        Some(_) => return Err(Halt::value_error("Sign not allowed in string format specifier")),
        None => {}
    }
    if spec.no_negative_zero {
        return Err(Halt::value_error("Negative zero coercion (z) not allowed in string format specifier"));
    }
    if spec.alternate {
        return Err(Halt::value_error("Alternate form (#) not allowed in string format specifier"));
    }
    if let Some(group) = spec.grouping {
        return Err(Halt::value_error(format!("Cannot specify '{group}' with 's'.")));
    }
    if spec.align == Some('=') {
        return Err(Halt::value_error("'=' alignment not allowed in string format specifier"));
    }
    let cut: String = match spec.precision {
        Some(most) => text.chars().take(most).collect(),
        None => text.to_owned(),
    };
    if spec.width > MOST_WIDTH {
        return Err(Halt::unknown("text past the budget"));
    }
    let padding = spec.width.saturating_sub(cut.chars().count());
    let fill = spec.fill.unwrap_or(if spec.zero { '0' } else { ' ' });
    let fill = |n: usize| std::iter::repeat_n(fill, n).collect::<String>();
    Ok(match spec.align {
        Some('>') => format!("{}{cut}", fill(padding)),
        Some('^') => format!("{}{cut}{}", fill(padding / 2), fill(padding - padding / 2)),
        _ => format!("{cut}{}", fill(padding)),
    })
}

fn integer(n: &BigInt, spec: &Spec, type_name: &str) -> Step<String> {
    let (radix, prefix, upper) = match spec.kind {
        None | Some('d' | 'n') => (10, "", false),
        Some('b') => (2, "0b", false),
        Some('o') => (8, "0o", false),
        Some('x') => (16, "0x", false),
        Some('X') => (16, "0X", true),
        Some('c') => {
            if spec.sign.is_some() {
                return Err(Halt::value_error("Sign not allowed with integer format specifier 'c'"));
            }
            let c = n.to_u32().and_then(char::from_u32);
            let c = c.ok_or_else(|| Halt::raise("OverflowError", "%c arg not in range(0x110000)"))?;
            let text = Spec { kind: None, align: spec.align.or(Some('<')), ..spec.clone() };
            return string(&c.to_string(), &text);
        }
        Some('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') => {
            let x = Number::Big(n.clone()).float()?;
            return float(x, spec, "int");
        }
        Some(_) => return Err(spec.unknown_code(type_name)),
    };
    if spec.precision.is_some() {
        return Err(Halt::value_error("Precision not allowed in integer format specifier"));
    }
    let mut digits = n.magnitude().to_str_radix(radix);
    if upper {
        digits.make_ascii_uppercase();
    }
    let prefix = if spec.alternate { prefix } else { "" };
    spec.number(n.sign() == Sign::Minus, prefix, &digits, "", if radix == 10 { 3 } else { 4 })
}

fn float(x: f64, spec: &Spec, type_name: &str) -> Step<String> {
    if spec.precision.is_some_and(|p| p > 10_000) {
        return Err(Halt::unknown("text past the budget"));
    }
    let mut negative = x.is_sign_negative() && !x.is_nan();
    let size = x.abs();
    let upper = matches!(spec.kind, Some('E' | 'F' | 'G'));
    let mut text = match spec.kind {
        Some('e' | 'E') => exponent_form(size, spec.precision.unwrap_or(6), spec.alternate),
        Some('f' | 'F') => fixed_form(size, spec.precision.unwrap_or(6), spec.alternate),
        Some('g' | 'G' | 'n') => general_form(size, spec.precision.unwrap_or(6), spec.alternate, false),
        Some('%') => format!("{}%", fixed_form(size * 100.0, spec.precision.unwrap_or(6), spec.alternate)),
        None => match spec.precision {
            None => float_repr(size),
            Some(precision) => general_form(size, precision, spec.alternate, true),
        },
        Some(_) => return Err(spec.unknown_code(type_name)),
    };
    if upper {
        text.make_ascii_uppercase();
    }
    if spec.no_negative_zero && !text.chars().any(|c| ('1'..='9').contains(&c)) {
        negative = false;
    }
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(split);
    spec.number(negative, "", digits, rest, 3)
}

fn special(x: f64) -> Option<String> {
    if x.is_nan() {
        Some("nan".into())
    } else if x.is_infinite() {
        Some("inf".into())
    } else {
        None
    }
}

/// `%f`
pub fn fixed_form(x: f64, precision: usize, alternate: bool) -> String {
    special(x).unwrap_or_else(|| {
        let text = format!("{x:.precision$}");
        if alternate && precision == 0 { text + "." } else { text }
    })
}

/// `%e`
pub fn exponent_form(x: f64, precision: usize, alternate: bool) -> String {
    special(x).unwrap_or_else(|| {
        let text = format!("{x:.precision$e}");
        let (digits, exponent) = text.split_once('e').expect("scientific notation has an exponent");
        let exponent: i32 = exponent.parse().expect("an exponent is an integer");
        let point = if alternate && precision == 0 { "." } else { "" };
        format!("{digits}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
    })
}

/// `%g`; `as_float` keeps a digit after the point, as `str` does.
pub fn general_form(x: f64, precision: usize, alternate: bool, as_float: bool) -> String {
    special(x).unwrap_or_else(|| {
        let precision = precision.max(1);
        let scientific = format!("{x:.*e}", precision - 1);
        let (_, exponent) = scientific.split_once('e').expect("scientific notation has an exponent");
        let exponent: i64 = exponent.parse().expect("an exponent is an integer");
        let limit = precision as i64 - i64::from(as_float);
        if exponent < -4 || exponent >= limit.max(i64::from(!as_float)) {
            let text = exponent_form(x, precision - 1, alternate);
            if alternate {
                return text;
            }
            let (digits, exponent) = text.split_once('e').expect("scientific notation has an exponent");
            return format!("{}e{exponent}", without_zeros(digits));
        }
        let text = format!("{x:.*}", (precision as i64 - 1 - exponent).max(0) as usize);
        match (alternate, as_float) {
            (true, _) => {
                if text.contains('.') {
                    text
                } else {
                    text + "."
                }
            }
            (false, true) => {
                let short = without_zeros(&text);
                if short.contains('.') { short.to_owned() } else { format!("{short}.0") }
            }
            (false, false) => without_zeros(&text).to_owned(),
        }
    })
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}
