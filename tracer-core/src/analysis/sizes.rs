//! Sizes as texts say them: numbers, symbols, and what `+`, `-`, `*`, `//`, `%` and the functions that sizes print make of them.

use crate::array::Dim;

/// Parentheses in parentheses, at most.
const DEEPEST: usize = 32;

/// The size that a text says: `3*k`, `floordiv(n, 2) + 1`.
pub fn size(text: &str) -> Option<Dim> {
    size_in(text, &|name| Some(Dim::symbol(name)))
}

/// The size that a text says where names stand for these sizes.
pub fn size_in(text: &str, of_name: &dyn Fn(&str) -> Option<Dim>) -> Option<Dim> {
    let mut left = Left { text: text.trim(), depth: 0, of_name };
    let found = left.sum()?;
    let is_size = found.known().is_some() || !found.symbols().is_empty();
    (left.text.is_empty() && is_size).then_some(found)
}

/// Whether a text is a name.
pub fn is_name(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What is left of a text.
struct Left<'t> {
    text: &'t str,
    depth: usize,
    of_name: &'t dyn Fn(&str) -> Option<Dim>,
}

impl<'t> Left<'t> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.text.strip_prefix(token);
        if let Some(rest) = rest {
            self.text = rest.trim_start();
        }
        rest.is_some()
    }
    /// The longest start whose characters are all of a kind.
    fn word(&mut self, of: impl Fn(char) -> bool) -> &'t str {
        let end = self.text.find(|c| !of(c)).unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest.trim_start();
        word
    }
    fn sum(&mut self) -> Option<Dim> {
        let negative = self.takes("-");
        let mut total = self.product()?;
        if negative {
            total = Dim::from(0_usize) - total;
        }
        loop {
            if self.takes("+") {
                total = total + self.product()?;
            } else if self.takes("-") {
                total = total - self.product()?;
            } else {
                return Some(total);
            }
        }
    }
    fn product(&mut self) -> Option<Dim> {
        let mut product = self.factor()?;
        loop {
            if self.text.starts_with("**") {
                return None;
            }
            if self.takes("*") {
                product = product * self.factor()?;
            } else if self.takes("//") {
                product = product.floor_div(self.factor()?).ok()?;
            } else if self.takes("%") {
                product = product.modulo(self.factor()?).ok()?;
            } else {
                return Some(product);
            }
        }
    }
    /// A number, a symbol, a function of two sizes, or something in parentheses, to a power that may stand behind it (`n^2`).
    fn factor(&mut self) -> Option<Dim> {
        let base = self.atom()?;
        if !self.takes("^") {
            return Some(base);
        }
        let power = self.word(|c| c.is_ascii_digit()).parse::<u8>().ok().filter(|power| *power <= 8)?;
        Some((0..power).fold(Dim::from(1_usize), |all, _| all * base))
    }
    fn atom(&mut self) -> Option<Dim> {
        if self.takes("(") {
            return self.inside(|it| it.sum());
        }
        if self.text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.word(|c| c.is_ascii_digit()).parse::<u32>().ok().map(|size| Dim::from(size as usize));
        }
        let name = self.word(|c| c.is_alphanumeric() || c == '_');
        if !is_name(name) {
            return None;
        }
        if !self.takes("(") {
            return (self.of_name)(name);
        }
        let (a, b) = self.inside(|it| Some((it.sum()?, it.takes(",").then(|| it.sum())??)))?;
        match name {
            "floordiv" => a.floor_div(b).ok(),
            "mod" => a.modulo(b).ok(),
            "max" => Some(a.max(b)),
            "min" => Some(a.min(b)),
            _ => None,
        }
    }
    /// What stands between parentheses, the first of which is taken.
    fn inside<R>(&mut self, read: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let found = read(self)?;
        self.depth -= 1;
        self.takes(")").then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Option<String> {
        size(text).map(|size| size.to_string())
    }

    #[test]
    fn sizes_are_sums_products_and_quotients() {
        assert_eq!(shown("12").as_deref(), Some("12"));
        assert_eq!(shown(" 3 * k").as_deref(), Some("3*k"));
        assert_eq!(shown("2*(n+1) - 2").as_deref(), Some("2*n"));
        assert_eq!(shown("n//2"), shown("floordiv(n, 2)"));
        assert_eq!(shown("n % 4"), shown("mod(n,4)"));
        assert_eq!(shown("n*n"), shown("n^2"));
        assert_eq!(shown("4*k//2").as_deref(), Some("2*k"));
        assert_eq!(shown("min(n, 3) + max(n, 2)"), shown("max(n, 2) + min(n, 3)"));
    }

    #[test]
    fn what_is_no_size_is_none() {
        for text in
            ["", "3*", "n n", "n/2", "n**2", "n//0", "(n", "f(n)", "n + $", "-1", "1 - 3", "99999999999999", "n^99"]
        {
            assert_eq!(size(text), None, "{text}");
        }
        assert_eq!(size(&"(".repeat(100_000)), None);
    }
}
