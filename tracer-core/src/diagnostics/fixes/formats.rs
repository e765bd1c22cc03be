//! The formats of `"{} {:.3f}".format(…)` and `"%s %.3f" % (…)`, in pieces.

use crate::module::{Arg, ExprId};

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text as it is printed.
    Text(String),
    /// A value, formatted like this.
    Value(Which, How),
}

/// The value that a piece formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The one behind the last.
    Next,
    At(usize),
    Named(String),
}

/// How a value is formatted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct How {
    /// `r`, `s` or `a`.
    pub(super) conversion: Option<char>,
    /// What stands behind the colon.
    pub(super) spec: String,
    /// Whether the value has to be an integer.
    pub(super) whole: bool,
}

impl How {
    /// The braces that say so.
    pub(super) fn braces(&self) -> String {
        let conversion = self.conversion.map(|c| format!("!{c}")).unwrap_or_default();
        match &self.spec[..] {
            "" => format!("{{{conversion}}}"),
            spec => format!("{{{conversion}:{spec}}}"),
        }
    }
}

/// The values that a format is given.
#[derive(Default)]
pub(super) struct Given {
    by_place: Vec<ExprId>,
    by_name: Vec<(String, ExprId)>,
    /// How many of those by place were the next one.
    next: usize,
    used: Vec<ExprId>,
}

impl Given {
    /// Values that are given by place.
    pub(super) fn by_place(values: Vec<ExprId>) -> Given {
        Given { by_place: values, ..Given::default() }
    }
    /// The arguments of a call, if none is starred.
    pub(super) fn of(args: &[Arg]) -> Option<Given> {
        let mut given = Given::default();
        for arg in args {
            match arg {
                Arg::Positional(value) => given.by_place.push(*value),
                Arg::Keyword(name, value) => given.by_name.push((name.to_string(), *value)),
                _ => return None,
            }
        }
        Some(given)
    }
    /// The value of a piece.
    pub(super) fn take(&mut self, which: &Which) -> Option<ExprId> {
        let value = match which {
            Which::Next => {
                self.next += 1;
                *self.by_place.get(self.next - 1)?
            }
            Which::At(at) => *self.by_place.get(*at)?,
            Which::Named(name) => self.by_name.iter().find(|(own, _)| own == name)?.1,
        };
        self.used.push(value);
        Some(value)
    }
    /// Whether each value was asked for once: in their order, if they are given by place.
    pub(super) fn is_plain(&self) -> bool {
        self.used.len() == self.by_place.len() + self.by_name.len() && self.is_all_used()
    }
    /// Whether each value was asked for.
    pub(super) fn is_all_used(&self) -> bool {
        let mut all = self.by_place.iter().chain(self.by_name.iter().map(|(_, value)| value));
        all.all(|value| self.used.contains(value))
    }
}

/// A format in braces.
pub(super) fn of_braces(format: &str) -> Option<Vec<Piece>> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), format);
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            text.push_str(&tail[..1]);
            rest = &tail[2..];
            continue;
        }
        let (inner, behind) = tail.strip_prefix('{')?.split_once('}')?;
        let (field, spec) = inner.split_once(':').unwrap_or((inner, ""));
        let (name, conversion) = match field.split_once('!') {
            Some((name, conversion)) => (name, Some(conversion.parse().ok().filter(|c| "rsa".contains(*c))?)),
            None => (field, None),
        };
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let which = match name {
            "" => Which::Next,
            _ if name.bytes().all(|c| c.is_ascii_digit()) => Which::At(name.parse().ok()?),
            _ if is_name(name) => Which::Named(name.to_owned()),
            _ => return None,
        };
        if spec.contains(['{', '"', '\\']) {
            return None;
        }
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Value(which, How { conversion, spec: spec.to_owned(), whole: false }));
        rest = behind;
    }
    text.push_str(rest);
    pieces.push(Piece::Text(text));
    Some(pieces)
}

/// A format with percent signs whose values come in their order.
pub(super) fn of_percent(format: &str) -> Option<Vec<Piece>> {
    let (mut pieces, mut text, mut rest) = (Vec::new(), String::new(), format);
    while let Some((before, tail)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(behind) = tail.strip_prefix('%') {
            text.push('%');
            rest = behind;
            continue;
        }
        let (flags, tail) = tail.split_at(tail.find(|c| !"-+0 ".contains(c))?);
        let (number, behind) = tail.split_at(tail.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let kind = behind.chars().next()?;
        let (left, zeros) = (flags.contains('-'), flags.contains('0'));
        let sign = ['+', ' '].into_iter().find(|sign| flags.contains(*sign)).map(String::from).unwrap_or_default();
        let zero = if zeros && !left { "0" } else { "" };
        let how = match kind {
            // Texts are put to the right there, and to the left here.
            's' | 'r' | 'a' if sign.is_empty() && !zeros => How {
                conversion: (kind != 's' || !number.is_empty()).then_some(kind),
                spec: match number.starts_with('.') || number.is_empty() {
                    true => number.to_owned(),
                    false => format!("{}{number}", if left { '<' } else { '>' }),
                },
                whole: false,
            },
            'd' | 'i' if !number.contains('.') => How {
                conversion: None,
                spec: match format!("{sign}{zero}{number}") {
                    spec if spec.is_empty() => spec,
                    spec => format!("{}{spec}d", if left { "<" } else { "" }),
                },
                whole: true,
            },
            'e' | 'f' | 'g' | 'E' | 'F' | 'G' => How {
                conversion: None,
                spec: format!("{}{sign}{zero}{number}{kind}", if left { "<" } else { "" }),
                whole: false,
            },
            'x' | 'X' | 'o' if !number.contains('.') => How {
                conversion: None,
                spec: format!("{}{sign}{zero}{number}{kind}", if left { "<" } else { "" }),
                whole: true,
            },
            _ => return None,
        };
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Value(Which::Next, how));
        rest = &behind[1..];
    }
    text.push_str(rest);
    pieces.push(Piece::Text(text));
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: Option<Vec<Piece>>) -> Option<String> {
        let one = |piece: Piece| match piece {
            Piece::Text(text) => text,
            Piece::Value(which, how) => {
                let which = match which {
                    Which::Next => String::new(),
                    Which::At(at) => at.to_string(),
                    Which::Named(name) => name,
                };
                let braces = how.braces();
                format!("<{which}{}{}>", &braces[1..braces.len() - 1], if how.whole { "#" } else { "" })
            }
        };
        Some(pieces?.into_iter().map(one).collect())
    }

    #[test]
    fn braces() {
        assert_eq!(shown(of_braces("a {} {{b}} {:.3f}.")).as_deref(), Some("a <> {b} <:.3f>."));
        assert_eq!(shown(of_braces("{0} {name} {1!r:>5}")).as_deref(), Some("<0> <name> <1!r:>5>"));
        assert_eq!(of_braces("{:{}}"), None);
        assert_eq!(of_braces("{0[1]} {x.shape}"), None);
        assert_eq!(of_braces("}"), None);
    }

    #[test]
    fn percent_signs_in_their_order() {
        assert_eq!(shown(of_percent("%s: 5 %% of %8.3f, %d")).as_deref(), Some("<>: 5 % of <:8.3f>, <#>"));
        assert_eq!(shown(of_percent("%-8s|%8s|%r|%.3s")).as_deref(), Some("<!s:<8>|<!s:>8>|<!r>|<!s:.3>"));
        assert_eq!(shown(of_percent("%05d %-5d %+.2e")).as_deref(), Some("<:05d#> <:<5d#> <:+.2e>"));
        assert_eq!(of_percent("%(name)s"), None);
        assert_eq!(of_percent("50%"), None);
    }
}
