//! The formats of `"{} {:.3f}".format(…)` and `"%s %.3f" % (…)`, in pieces.

use crate::module::{Arg, ExprId};

/// A piece of a format.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text as it is printed.
    Text(String),
    /// The next value, formatted like this; `whole` where it has to be an integer.
    Value { spec: String, whole: bool },
}

/// Arguments that are given by place.
pub(super) fn plain(args: &[Arg]) -> Option<Vec<ExprId>> {
    let by_place = |arg: &Arg| match arg {
        Arg::Positional(value) => Some(*value),
        _ => None,
    };
    args.iter().map(by_place).collect()
}

/// A format in braces whose values come in their order.
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
        let spec = match inner {
            "" => "",
            _ => inner.strip_prefix(':').filter(|spec| !spec.contains(['{', '"', '\\']))?,
        };
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Value { spec: spec.to_owned(), whole: false });
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
        let width = tail.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, behind) = tail.split_at(width);
        let kind = behind.chars().next()?;
        let spec = match kind {
            // Texts are put to the left there, and to the right here.
            's' if number.is_empty() => String::new(),
            'd' | 'i' if !number.contains('.') => {
                if number.is_empty() {
                    String::new()
                } else {
                    format!("{number}d")
                }
            }
            'e' | 'f' | 'g' => format!("{number}{kind}"),
            _ => return None,
        };
        pieces.push(Piece::Text(std::mem::take(&mut text)));
        pieces.push(Piece::Value { spec, whole: matches!(kind, 'd' | 'i') });
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
            Piece::Value { spec, whole } => format!("<{spec}{}>", if whole { "!" } else { "" }),
        };
        Some(pieces?.into_iter().map(one).collect())
    }

    #[test]
    fn braces_in_their_order() {
        assert_eq!(shown(of_braces("a {} {{b}} {:.3f}.")).as_deref(), Some("a <> {b} <.3f>."));
        assert_eq!(of_braces("{0} {name}"), None);
        assert_eq!(of_braces("{:{}}"), None);
        assert_eq!(of_braces("}"), None);
    }

    #[test]
    fn percent_signs_in_their_order() {
        assert_eq!(shown(of_percent("%s: 5 %% of %8.3f, %d")).as_deref(), Some("<>: 5 % of <8.3f>, <!>"));
        assert_eq!(of_percent("%(name)s"), None);
        assert_eq!(of_percent("%-8s"), None);
        assert_eq!(of_percent("50%"), None);
    }
}
