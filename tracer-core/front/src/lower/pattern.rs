//! The patterns of `match`.

use super::{Lowerer, literal};
use crate::module::{BinaryOp, Const, Expr, ExprId, Pattern, Place, Symbol, UnaryOp};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// The pattern of a `case`: several without parentheses are a sequence.
    pub(super) fn case_patterns(&mut self, case: NodeId) -> Pattern {
        let tree = self.tree;
        let patterns: Vec<NodeId> = tree.named(case).filter(|child| tree.kind(*child) == Kind::CasePattern).collect();
        let comma = self.has_token(case, Kind::Comma);
        match patterns.as_slice() {
            [] => Pattern::Capture(None),
            [only] if !comma && !self.is_star_pattern(*only) => self.pattern(*only),
            all => Pattern::Sequence(all.iter().map(|pattern| self.pattern(*pattern)).collect()),
        }
    }

    fn is_star_pattern(&self, node: NodeId) -> bool {
        self.tree.named(node).next().is_some_and(|inner| self.kind(inner) == Kind::SplatPattern)
    }

    pub(super) fn pattern(&mut self, node: NodeId) -> Pattern {
        let span = self.span(node);
        self.deeper(span, |this| this.pattern_inside(node)).unwrap_or(Pattern::Capture(None))
    }

    fn pattern_inside(&mut self, node: NodeId) -> Pattern {
        let tree = self.tree;
        let span = self.span(node);
        match self.kind(node) {
            Kind::CasePattern => {
                let mut children = tree.children(node);
                let Some(first) = children.next() else {
                    return Pattern::Capture(None);
                };
                if self.kind(first) == Kind::Minus {
                    return match children.next() {
                        Some(number) => Pattern::Value(self.signed(number, Some(span.start))),
                        None => Pattern::Capture(None),
                    };
                }
                self.pattern(first)
            }
            Kind::AsPattern => {
                let mut parts = tree.named(node);
                let (Some(inner), Some(name)) = (parts.next(), parts.next()) else {
                    return Pattern::Capture(None);
                };
                let inner = self.pattern(inner);
                match self.capture(name) {
                    Some(bound) => Pattern::As(Box::new(inner), bound),
                    None => inner,
                }
            }
            Kind::Underscore => Pattern::Capture(None),
            Kind::Identifier => Pattern::Capture(self.capture(node)),
            Kind::DottedName => {
                let mut names = tree.named(node);
                match (names.next(), names.next()) {
                    (Some(only), None) => Pattern::Capture(self.capture(only)),
                    _ => Pattern::Value(self.dotted(node)),
                }
            }
            Kind::True => Pattern::Singleton(Const::Bool(true)),
            Kind::False => Pattern::Singleton(Const::Bool(false)),
            Kind::None => Pattern::Singleton(Const::None),
            Kind::Integer | Kind::Float | Kind::String | Kind::ConcatenatedString => Pattern::Value(self.expr(node)),
            Kind::ComplexPattern => Pattern::Value(self.complex(node)),
            Kind::UnionPattern => Pattern::Or(self.alternatives(node)),
            Kind::ListPattern => Pattern::Sequence(tree.named(node).map(|item| self.pattern(item)).collect()),
            Kind::TuplePattern => {
                let items: Vec<NodeId> = tree.named(node).collect();
                if let [only] = items.as_slice()
                    && !self.has_token(node, Kind::Comma)
                    && !self.is_star_pattern(*only)
                {
                    return self.pattern(*only);
                }
                Pattern::Sequence(items.into_iter().map(|item| self.pattern(item)).collect())
            }
            Kind::SplatPattern => Pattern::Star(tree.named(node).next().and_then(|name| self.capture(name))),
            Kind::DictPattern => self.mapping(node),
            Kind::ClassPattern => self.class_pattern(node),
            _ => {
                self.note(span, "invalid syntax");
                Pattern::Capture(None)
            }
        }
    }

    fn alternatives(&mut self, node: NodeId) -> Vec<Pattern> {
        let tree = self.tree;
        let mut minus = None;
        let mut patterns = Vec::new();
        for child in tree.children(node) {
            match self.kind(child) {
                Kind::Bar => {}
                Kind::Minus => minus = Some(self.span(child).start),
                Kind::Integer | Kind::Float if minus.is_some() => {
                    patterns.push(Pattern::Value(self.signed(child, minus.take())));
                }
                _ => patterns.push(self.pattern(child)),
            }
        }
        patterns
    }

    pub(super) fn capture(&mut self, node: NodeId) -> Option<(Place, Symbol)> {
        let text = self.node_text(node);
        (text != "_" && !text.is_empty()).then(|| self.bind(node))
    }

    /// `a.b.c`, read.
    fn dotted(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let start = self.span(node).start;
        let mut value = None;
        for name in tree.named(node) {
            let end = self.span(name).end;
            value = Some(match value {
                None => self.expr(name),
                Some(value) => {
                    let symbol = self.symbol(self.node_text(name));
                    self.push(Expr::Attribute(value, symbol), Span { start, end })
                }
            });
        }
        match value {
            Some(value) => value,
            None => self.error(self.span(node)),
        }
    }

    /// A number, negated if a minus sign stands at `minus`.
    fn signed(&mut self, number: NodeId, minus: Option<u32>) -> ExprId {
        let span = self.span(number);
        let value = match literal::number(self.slice(span)) {
            Ok(value) => self.push(Expr::Constant(value), span),
            Err(complaint) => {
                self.note(span, complaint);
                self.error(span)
            }
        };
        match minus {
            Some(start) => self.push(Expr::Unary(UnaryOp::Neg, value), Span { start, end: span.end }),
            None => value,
        }
    }

    fn complex(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let mut minus = None;
        let mut real = None;
        let mut op = BinaryOp::Add;
        for child in tree.children(node) {
            match (self.kind(child), real) {
                (Kind::Minus, None) => minus = Some(self.span(child).start),
                (Kind::Minus, Some(_)) => op = BinaryOp::Sub,
                (Kind::Integer | Kind::Float, None) => real = Some(self.signed(child, minus)),
                (Kind::Integer | Kind::Float, Some(real)) => {
                    let imaginary = self.signed(child, None);
                    return self.push(Expr::Binary(op, real, imaginary), self.span(node));
                }
                _ => {}
            }
        }
        self.error(self.span(node))
    }

    fn mapping(&mut self, node: NodeId) -> Pattern {
        let tree = self.tree;
        let mut items = Vec::new();
        let mut rest = None;
        let mut key = None;
        let mut minus = None;
        for child in tree.children(node) {
            match (self.kind(child), tree.node(child).field) {
                (Kind::SplatPattern, _) => {
                    if !self.has_token(child, Kind::StarStar) {
                        self.note(self.span(child), "invalid syntax");
                    }
                    rest = tree.named(child).next().and_then(|name| self.capture(name));
                }
                (Kind::Minus, _) => minus = Some(self.span(child).start),
                (Kind::Integer | Kind::Float, Field::Key) => key = Some(self.signed(child, minus.take())),
                (_, Field::Key) => {
                    key = Some(match self.kind(child) {
                        Kind::DottedName => self.dotted(child),
                        Kind::ComplexPattern => self.complex(child),
                        _ => self.expr(child),
                    });
                }
                (_, Field::Value) => {
                    let value = self.pattern(child);
                    if let Some(key) = key.take() {
                        items.push((key, value));
                    }
                }
                _ => {}
            }
        }
        Pattern::Mapping { items, rest }
    }

    fn class_pattern(&mut self, node: NodeId) -> Pattern {
        let tree = self.tree;
        let mut parts = tree.named(node);
        let class = match parts.next() {
            Some(name) => self.dotted(name),
            None => self.error(self.span(node)),
        };
        let mut positional = Vec::new();
        let mut keyword = Vec::new();
        for part in parts {
            let (keyword_pattern, alias) = self.keyword_part(part);
            let Some(keyword_pattern) = keyword_pattern else {
                if !keyword.is_empty() {
                    self.note(self.span(part), "positional patterns follow keyword patterns");
                }
                positional.push(self.pattern(part));
                continue;
            };
            let (symbol, pattern) = self.keyword_pattern(keyword_pattern);
            let pattern = match alias.and_then(|name| self.capture(name)) {
                Some(bound) => Pattern::As(Box::new(pattern), bound),
                None => pattern,
            };
            keyword.push((symbol, pattern));
        }
        Pattern::Class { class, positional, keyword }
    }

    /// The `name=pattern` that a part is, and its `as` name, which the grammar puts around the whole.
    fn keyword_part(&self, part: NodeId) -> (Option<NodeId>, Option<NodeId>) {
        let tree = self.tree;
        let Some(inner) = tree.named(part).next() else {
            return (None, None);
        };
        match self.kind(inner) {
            Kind::KeywordPattern => (Some(inner), None),
            Kind::AsPattern => {
                let mut parts = tree.named(inner);
                let (pattern, name) = (parts.next(), parts.next());
                let keyword = pattern
                    .and_then(|pattern| tree.named(pattern).next())
                    .filter(|inner| self.kind(*inner) == Kind::KeywordPattern);
                (keyword, name)
            }
            _ => (None, None),
        }
    }

    fn keyword_pattern(&mut self, node: NodeId) -> (Symbol, Pattern) {
        let tree = self.tree;
        let mut children = tree.children(node).filter(|child| tree.kind(*child) != Kind::Equal);
        let name = children.next().map_or("", |name| self.node_text(name));
        let symbol = self.plain_symbol(name);
        let mut minus = None;
        for child in children {
            match self.kind(child) {
                Kind::Minus => minus = Some(self.span(child).start),
                Kind::Integer | Kind::Float => {
                    return (symbol, Pattern::Value(self.signed(child, minus)));
                }
                _ => return (symbol, self.pattern(child)),
            }
        }
        (symbol, Pattern::Capture(None))
    }
}
