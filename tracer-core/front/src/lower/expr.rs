//! Expressions.

use smallvec::SmallVec;

use super::{Lowerer, literal};
use crate::module::{BinaryOp, Body, CodeKind, CompareOp, Const, Expr, ExprId, UnaryOp};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, node: NodeId) -> ExprId {
        if self.begins_with(node, b'*') && !matches!(self.kind(node), Kind::ExpressionList | Kind::PatternList) {
            return self.starred(node);
        }
        self.expr_unstarred(node)
    }

    /// Whether the text of a node begins with a byte. It may differ from what the grammar was given.
    pub(super) fn begins_with(&self, node: NodeId, byte: u8) -> bool {
        self.text.as_bytes().get(self.span(node).start as usize) == Some(&byte)
    }

    /// The grammar reads `*a.b` as `(*a).b`: the star is taken off the leftmost leaf and put around
    /// the whole. In subscripts the star is given to the grammar as a plus.
    fn starred(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let span = self.span(node);
        let mut star = node;
        while !matches!(self.kind(star), Kind::ListSplat | Kind::ListSplatPattern | Kind::UnaryOperator) {
            match tree.children(star).next() {
                Some(first) if self.span(first).start == span.start => star = first,
                _ => return self.expr_unstarred(node),
            }
        }
        let Some(inner) = tree.named(star).next() else {
            return self.error(span);
        };
        let value = if star == node {
            self.expr(inner)
        } else {
            let start = self.span(inner).start;
            let outer = self.shift.replace((span.start, start));
            let value = self.expr_unstarred(node);
            self.shift = outer;
            value
        };
        self.push(Expr::Starred(value), span)
    }

    fn expr_unstarred(&mut self, node: NodeId) -> ExprId {
        match self.kind(node) {
            Kind::Identifier => self.name(node),
            Kind::Attribute | Kind::Call | Kind::Subscript | Kind::BinaryOperator => self.chain(node),
            _ => self.nested(node),
        }
    }

    fn nested(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        match self.deeper(span, |this| this.expr_inside(node)) {
            Some(expr) => expr,
            None => self.error(span),
        }
    }

    /// The expression, or an error of no width at the end of `parent`.
    pub(super) fn expr_or_error(&mut self, node: Option<NodeId>, parent: NodeId) -> ExprId {
        match node {
            Some(node) => self.expr(node),
            None => {
                let end = self.span(parent).end;
                self.error(Span { start: end, end })
            }
        }
    }

    pub(super) fn exprs(&mut self, nodes: impl Iterator<Item = NodeId>) -> Box<[ExprId]> {
        nodes.map(|node| self.expr(node)).collect()
    }

    fn name(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        if span.start == span.end {
            return self.error(span);
        }
        let text = self.slice(span);
        if matches!(text, "async" | "await") {
            self.note(span, "invalid syntax");
        }
        let symbol = self.symbol(text);
        let place = self.use_name(symbol);
        self.push(Expr::Name(place, symbol), span)
    }

    fn expr_inside(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let span = self.span(node);
        let expr = match self.kind(node) {
            Kind::Identifier | Kind::Attribute | Kind::Call | Kind::Subscript | Kind::BinaryOperator => {
                return self.expr(node);
            }
            Kind::ParenthesizedExpression | Kind::AsPatternTarget => {
                return match tree.named(node).next() {
                    Some(inner) => self.expr(inner),
                    None => self.error(span),
                };
            }
            Kind::Type
            | Kind::GenericType
            | Kind::UnionType
            | Kind::ConstrainedType
            | Kind::MemberType
            | Kind::SplatType => return self.annotation(node),
            Kind::Integer | Kind::Float => match literal::number(self.slice(span)) {
                Ok(value) => Expr::Constant(value),
                Err(complaint) => {
                    self.note(span, complaint);
                    Expr::Error
                }
            },
            Kind::String | Kind::ConcatenatedString => return self.string(node),
            Kind::True => Expr::Constant(Const::Bool(true)),
            Kind::False => Expr::Constant(Const::Bool(false)),
            Kind::None => Expr::Constant(Const::None),
            Kind::Ellipsis => Expr::Constant(Const::Ellipsis),
            // A star that belongs to an expression around it, or a decorator without a definition.
            Kind::UnaryOperator
                if matches!(self.text.as_bytes().get(tree.span(node).start as usize), Some(b'*' | b'@')) =>
            {
                let argument = self.child(node, Field::Argument);
                return self.expr_or_error(argument, node);
            }
            Kind::UnaryOperator => {
                let op = self.child(node, Field::Operator).map(|op| self.kind(op));
                let argument = self.child(node, Field::Argument);
                let argument = self.expr_or_error(argument, node);
                match op {
                    Some(Kind::Minus) => Expr::Unary(UnaryOp::Neg, argument),
                    Some(Kind::Plus) => Expr::Unary(UnaryOp::Pos, argument),
                    Some(Kind::Tilde) => Expr::Unary(UnaryOp::Invert, argument),
                    _ => Expr::Error,
                }
            }
            Kind::NotOperator => {
                let argument = self.child(node, Field::Argument);
                Expr::Unary(UnaryOp::Not, self.expr_or_error(argument, node))
            }
            Kind::BooleanOperator => return self.boolean(node),
            Kind::ComparisonOperator => self.comparison(node),
            Kind::ConditionalExpression => {
                let parts: SmallVec<[NodeId; 3]> = tree.named(node).collect();
                let body = self.expr_or_error(parts.first().copied(), node);
                let test = self.expr_or_error(parts.get(1).copied(), node);
                let orelse = self.expr_or_error(parts.get(2).copied(), node);
                Expr::IfExp { test, body, orelse }
            }
            Kind::Lambda => return self.lambda(node),
            Kind::NamedExpression => return self.walrus(node),
            Kind::Tuple | Kind::TuplePattern | Kind::ExpressionList | Kind::PatternList => {
                if self.kind(node) == Kind::TuplePattern
                    && !self.has_token(node, Kind::Comma)
                    && tree.named(node).count() == 1
                {
                    return self.expr_or_error(tree.named(node).next(), node);
                }
                Expr::Tuple(self.exprs(tree.named(node)))
            }
            Kind::List | Kind::ListPattern => Expr::List(self.exprs(tree.named(node))),
            Kind::Set => Expr::Set(self.exprs(tree.named(node))),
            Kind::Dictionary => self.dictionary(node),
            // Its star belongs to an expression around it, see `starred`.
            Kind::ListSplat | Kind::ListSplatPattern => {
                return self.expr_or_error(tree.named(node).next(), node);
            }
            Kind::ListComprehension
            | Kind::SetComprehension
            | Kind::DictionaryComprehension
            | Kind::GeneratorExpression => return self.comprehension(node),
            Kind::Slice => self.slice_expr(node),
            Kind::Yield => self.yield_expr(node),
            Kind::Await => return self.await_expr(node),
            Kind::KeywordArgument => {
                let value = self.child(node, Field::Value);
                return self.expr_or_error(value, node);
            }
            _ => {
                if !tree.node(node).has_error {
                    self.note(span, "invalid syntax");
                }
                Expr::Error
            }
        };
        self.push(expr, span)
    }

    fn boolean(&mut self, node: NodeId) -> ExprId {
        let operator = |node: NodeId| self.child(node, Field::Operator).map(|op| self.kind(op));
        let op = operator(node);
        // `a and b and c` is one expression; parentheses make a node of their own in between.
        let mut operands: SmallVec<[NodeId; 8]> = SmallVec::new();
        let mut at = node;
        loop {
            operands.extend(self.child(at, Field::Right));
            match self.child(at, Field::Left) {
                Some(left) if self.kind(left) == Kind::BooleanOperator && operator(left) == op => at = left,
                Some(left) => {
                    operands.push(left);
                    break;
                }
                None => break,
            }
        }
        let operands = self.exprs(operands.iter().rev().copied());
        let expr = if op == Some(Kind::And) { Expr::And(operands) } else { Expr::Or(operands) };
        self.push(expr, self.span(node))
    }

    fn comparison(&mut self, node: NodeId) -> Expr {
        let tree = self.tree;
        let mut first = None;
        let mut op = None;
        let mut rest: SmallVec<[(CompareOp, ExprId); 2]> = SmallVec::new();
        for child in tree.children(node) {
            if tree.node(child).field == Field::Operators {
                op = compare_op(self.kind(child));
                if op.is_none() {
                    self.note(self.span(child), "invalid syntax");
                }
            } else if self.kind(child).is_named() {
                let value = self.expr(child);
                match (first, op.take()) {
                    (None, _) => first = Some(value),
                    (_, Some(op)) => rest.push((op, value)),
                    _ => {}
                }
            }
        }
        match first {
            Some(first) if !rest.is_empty() => Expr::Compare(first, rest.into_vec().into()),
            _ => Expr::Error,
        }
    }

    fn dictionary(&mut self, node: NodeId) -> Expr {
        let tree = self.tree;
        let mut items = Vec::new();
        for child in tree.named(node) {
            match self.kind(child) {
                Kind::Pair => {
                    let key = self.child(child, Field::Key);
                    let key = self.expr_or_error(key, child);
                    let value = self.child(child, Field::Value);
                    items.push((Some(key), self.expr_or_error(value, child)));
                }
                Kind::DictionarySplat | Kind::DictionarySplatPattern => {
                    items.push((None, self.expr_or_error(tree.named(child).next(), child)));
                }
                _ => {
                    self.expr(child);
                }
            }
        }
        Expr::Dict(items.into())
    }

    fn slice_expr(&mut self, node: NodeId) -> Expr {
        let tree = self.tree;
        let mut parts = [None; 3];
        let mut position = 0;
        for child in tree.children(node) {
            match self.kind(child) {
                Kind::Colon => position += 1,
                _ if position < 3 => parts[position] = Some(self.expr(child)),
                _ => {}
            }
        }
        Expr::Slice(parts[0], parts[1], parts[2])
    }

    fn lambda(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        let written = self.parameters(self.child(node, Field::Parameters));
        let name_span = Span { start: span.start, end: span.start + "lambda".len() as u32 };
        let code = self.open_code(CodeKind::Lambda, "<lambda>", span, name_span);
        self.enter_params(written.params);
        let body = self.child(node, Field::Body);
        let body = self.expr_or_error(body, node);
        self.close_body(Body::Expr(body));
        self.push(Expr::Lambda(code, Box::new(written.defaults)), span)
    }

    fn walrus(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        let value = self.child(node, Field::Value);
        let value = self.expr_or_error(value, node);
        let Some(name) = self.child(node, Field::Name) else {
            return self.error(span);
        };
        let symbol = self.symbol(self.node_text(name));
        let place = self.bind_walrus(symbol, self.span(name));
        self.push(Expr::Walrus(place, symbol, value), span)
    }

    fn yield_expr(&mut self, node: NodeId) -> Expr {
        let span = self.span(node);
        match self.scopes.kind(self.scope) {
            CodeKind::Module | CodeKind::Class => self.note(span, "'yield' outside function"),
            CodeKind::Comprehension | CodeKind::GeneratorExp => {
                self.note(span, "'yield' inside a comprehension or generator expression");
            }
            CodeKind::Function | CodeKind::Lambda => self.code().is_generator = true,
        }
        let value = self.tree.named(node).next();
        if self.has_token(node, Kind::KwFrom) {
            self.code().handles = true;
            return Expr::YieldFrom(self.expr_or_error(value, node));
        }
        Expr::Yield(value.map(|value| self.expr(value)))
    }

    fn await_expr(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        let Some(operand) = self.tree.named(node).next() else {
            return self.error(span);
        };
        self.note_await(span);
        // The grammar reads `await x ** y` as `await (x ** y)`; Python awaits first.
        if self.kind(operand) == Kind::BinaryOperator
            && let (Some(base), Some(exponent)) = (self.child(operand, Field::Left), self.child(operand, Field::Right))
        {
            let value = self.expr(base);
            let awaited = self.push(Expr::Await(value), Span { start: span.start, end: self.span(base).end });
            let exponent = self.expr(exponent);
            return self.push(Expr::Binary(BinaryOp::Pow, awaited, exponent), span);
        }
        let value = self.expr(operand);
        self.push(Expr::Await(value), span)
    }

    pub(super) fn note_await(&mut self, span: Span) {
        match self.scopes.kind(self.scope) {
            CodeKind::Module | CodeKind::Class => self.note(span, "'await' outside function"),
            CodeKind::Comprehension | CodeKind::GeneratorExp => self.code().is_async = true,
            CodeKind::Function | CodeKind::Lambda => {
                if !self.code().is_async {
                    self.note(span, "'await' outside async function");
                }
            }
        }
    }
}

pub(super) fn binary_op(token: Kind) -> Option<BinaryOp> {
    Some(match token {
        Kind::Plus => BinaryOp::Add,
        Kind::Minus => BinaryOp::Sub,
        Kind::Star => BinaryOp::Mul,
        Kind::At => BinaryOp::MatMul,
        Kind::Slash => BinaryOp::Div,
        Kind::SlashSlash => BinaryOp::FloorDiv,
        Kind::Percent => BinaryOp::Mod,
        Kind::StarStar => BinaryOp::Pow,
        Kind::LtLt => BinaryOp::LShift,
        Kind::GtGt => BinaryOp::RShift,
        Kind::Amp => BinaryOp::BitAnd,
        Kind::Bar => BinaryOp::BitOr,
        Kind::Caret => BinaryOp::BitXor,
        _ => return None,
    })
}

/// The operator of an augmented assignment.
pub(super) fn augmented_op(token: Kind) -> Option<BinaryOp> {
    Some(match token {
        Kind::PlusEq => BinaryOp::Add,
        Kind::MinusEq => BinaryOp::Sub,
        Kind::StarEq => BinaryOp::Mul,
        Kind::AtEq => BinaryOp::MatMul,
        Kind::SlashEq => BinaryOp::Div,
        Kind::SlashSlashEq => BinaryOp::FloorDiv,
        Kind::PercentEq => BinaryOp::Mod,
        Kind::StarStarEq => BinaryOp::Pow,
        Kind::LtLtEq => BinaryOp::LShift,
        Kind::GtGtEq => BinaryOp::RShift,
        Kind::AmpEq => BinaryOp::BitAnd,
        Kind::BarEq => BinaryOp::BitOr,
        Kind::CaretEq => BinaryOp::BitXor,
        _ => return None,
    })
}

fn compare_op(token: Kind) -> Option<CompareOp> {
    Some(match token {
        Kind::EqEq => CompareOp::Eq,
        Kind::NotEq => CompareOp::NotEq,
        Kind::Lt => CompareOp::Lt,
        Kind::LtEq => CompareOp::LtE,
        Kind::Gt => CompareOp::Gt,
        Kind::GtEq => CompareOp::GtE,
        Kind::Is => CompareOp::Is,
        Kind::IsNot => CompareOp::IsNot,
        Kind::In => CompareOp::In,
        Kind::NotIn => CompareOp::NotIn,
        _ => return None,
    })
}
