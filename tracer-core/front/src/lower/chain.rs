//! Attributes, calls, subscripts and binary operators: what nests on the left, to any length.

use smallvec::SmallVec;

use super::expr::binary_op;
use super::{Lowerer, MAX_CHAIN};
use crate::module::{Arg, BinaryOp, Expr, ExprId};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers a chain of links that each begin with the one before, without recursion down the left side.
    pub(super) fn chain(&mut self, node: NodeId) -> ExprId {
        let mut links: SmallVec<[NodeId; 8]> = SmallVec::new();
        let mut at = node;
        loop {
            let field = match self.kind(at) {
                Kind::BinaryOperator if self.is_mixed(at) => break,
                Kind::Attribute => Field::Object,
                Kind::Call => Field::Function,
                Kind::Subscript => Field::Value,
                Kind::BinaryOperator => Field::Left,
                _ => break,
            };
            if links.len() >= MAX_CHAIN {
                let span = self.span(node);
                self.note(span, "too many nested parentheses");
                return self.error(span);
            }
            links.push(at);
            match self.child(at, field) {
                Some(next) => at = next,
                None => break,
            }
        }
        let mut value = if self.kind(at) == Kind::BinaryOperator && links.last() != Some(&at) {
            self.bitwise(at)
        } else if links.last() == Some(&at) {
            // The first link has lost its beginning.
            let start = self.span(at).start;
            self.error(Span { start, end: start })
        } else {
            self.expr(at)
        };
        let span = self.span(node);
        let whole = self.deeper(span, |this| {
            for link in links.iter().rev() {
                value = this.link(*link, value);
            }
            value
        });
        match whole {
            Some(expr) => expr,
            None => self.error(span),
        }
    }

    fn operator(&self, node: NodeId) -> Option<Kind> {
        self.child(node, Field::Operator).map(|op| self.kind(op))
    }

    /// Whether an operation has both `&` and `^`: the grammar has their precedences the wrong way round.
    fn is_mixed(&self, node: NodeId) -> bool {
        if !matches!(self.operator(node), Some(Kind::Amp | Kind::Caret)) {
            return false;
        }
        let mut items = Vec::new();
        self.bitwise_items(node, &mut items);
        let has = |op| items.iter().any(|(before, _)| *before == Some(op));
        has(Kind::Amp) && has(Kind::Caret)
    }

    /// The operands of nested `&` and `^`, each with the operator before it.
    fn bitwise_items(&self, node: NodeId, items: &mut Vec<(Option<Kind>, NodeId)>) {
        let mut open = vec![(None, node)];
        while let Some((before, node)) = open.pop() {
            let op = match self.kind(node) {
                Kind::BinaryOperator => self.operator(node),
                _ => None,
            };
            let sides = (self.child(node, Field::Left), self.child(node, Field::Right));
            match (op, sides) {
                (Some(Kind::Amp | Kind::Caret), (Some(left), Some(right))) => {
                    open.push((op, right));
                    open.push((before, left));
                }
                _ => items.push((before, node)),
            }
        }
    }

    fn bitwise(&mut self, node: NodeId) -> ExprId {
        let mut items = Vec::new();
        self.bitwise_items(node, &mut items);
        // Each run of `&` is an operand of `^`.
        let mut whole: Option<(ExprId, u32)> = None;
        let mut run: Option<(ExprId, u32)> = None;
        let mut end = 0;
        for (before, item) in items {
            let span = self.span(item);
            let value = self.expr(item);
            run = Some(match (run, before) {
                (Some((left, start)), Some(Kind::Amp)) => {
                    let span = Span { start, end: span.end };
                    (self.push(Expr::Binary(BinaryOp::BitAnd, left, value), span), start)
                }
                (Some(run), _) => {
                    whole = Some(self.exclusive_or(whole, run, end));
                    (value, span.start)
                }
                (None, _) => (value, span.start),
            });
            end = span.end;
        }
        match run {
            Some(run) => self.exclusive_or(whole, run, end).0,
            None => self.error(self.span(node)),
        }
    }

    fn exclusive_or(
        &mut self,
        left: Option<(ExprId, u32)>,
        (right, right_start): (ExprId, u32),
        end: u32,
    ) -> (ExprId, u32) {
        match left {
            Some((left, start)) => (self.push(Expr::Binary(BinaryOp::BitXor, left, right), Span { start, end }), start),
            None => (right, right_start),
        }
    }

    fn link(&mut self, node: NodeId, value: ExprId) -> ExprId {
        let span = self.span(node);
        let expr = match self.kind(node) {
            Kind::Attribute => match self.child(node, Field::Attribute) {
                Some(name) if !self.is_missing(name) => Expr::Attribute(value, self.symbol(self.node_text(name))),
                _ => return self.unknown(vec![value], span),
            },
            Kind::Call => Expr::Call(value, self.call_arguments(node)),
            Kind::Subscript => {
                let index = self.index(node);
                Expr::Subscript(value, index)
            }
            _ => {
                let op = self.child(node, Field::Operator).and_then(|op| binary_op(self.kind(op)));
                let right = self.child(node, Field::Right);
                let right = self.expr_or_error(right, node);
                if matches!(self.module.expr(right), Expr::Starred(_)) {
                    self.note(span, "invalid syntax");
                }
                match op {
                    Some(op) => Expr::Binary(op, value, right),
                    None => return self.unknown(vec![value, right], span),
                }
            }
        };
        self.push(expr, span)
    }

    fn call_arguments(&mut self, node: NodeId) -> Box<[Arg]> {
        match self.child(node, Field::Arguments) {
            None => Box::default(),
            Some(arguments) if self.kind(arguments) == Kind::GeneratorExpression => {
                Box::new([Arg::Positional(self.expr(arguments))])
            }
            Some(arguments) => self.arguments(arguments),
        }
    }

    /// The arguments in the parentheses of a call or class statement.
    pub(super) fn arguments(&mut self, node: NodeId) -> Box<[Arg]> {
        let tree = self.tree;
        let mut keyword_seen = false;
        let mut unpacking_seen = false;
        let mut names: SmallVec<[&str; 8]> = SmallVec::new();
        let mut args: SmallVec<[Arg; 8]> = SmallVec::new();
        for child in tree.named(node) {
            let inner = || tree.named(child).next();
            args.push(match self.kind(child) {
                Kind::KeywordArgument => {
                    keyword_seen = true;
                    let name = self.child(child, Field::Name).map_or("", |name| self.node_text(name));
                    if names.contains(&name) {
                        self.note(self.span(child), format!("keyword argument repeated: {name}"));
                    }
                    names.push(name);
                    let value = self.child(child, Field::Value);
                    let symbol = self.plain_symbol(name);
                    Arg::Keyword(symbol, self.expr_or_error(value, child))
                }
                Kind::ListSplat | Kind::ListSplatPattern => {
                    if unpacking_seen {
                        self.note(self.span(child), "iterable argument unpacking follows keyword argument unpacking");
                    }
                    Arg::Star(self.expr_or_error(inner(), child))
                }
                Kind::DictionarySplat | Kind::DictionarySplatPattern => {
                    unpacking_seen = true;
                    Arg::DoubleStar(self.expr_or_error(inner(), child))
                }
                _ => {
                    if unpacking_seen {
                        self.note(self.span(child), "positional argument follows keyword argument unpacking");
                    } else if keyword_seen {
                        self.note(self.span(child), "positional argument follows keyword argument");
                    }
                    let value = self.expr(child);
                    match *self.module.expr(value) {
                        Expr::Starred(iterable) => Arg::Star(iterable),
                        _ => Arg::Positional(value),
                    }
                }
            });
        }
        args.into_vec().into()
    }

    /// The index of a subscript: one expression, or the tuple of those between the brackets.
    pub(super) fn index(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let items: SmallVec<[NodeId; 4]> = tree.children_in(node, Field::Subscript).collect();
        let comma = tree.all_children(node).filter(|child| tree.kind(*child) == Kind::Comma).last();
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return self.expr_or_error(None, node);
        };
        if comma.is_none() && !self.begins_with(*first, b'*') {
            return self.expr(*first);
        }
        let end = comma.map_or(0, |comma| self.span(comma).end).max(self.span(*last).end);
        let span = Span { start: self.span(*first).start, end };
        let items = self.exprs(items.iter().copied());
        self.push(Expr::Tuple(items), span)
    }
}
