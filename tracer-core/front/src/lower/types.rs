//! Annotations. The grammar has shapes of its own for some of them; they become the expressions that Python reads.

use super::Lowerer;
use super::scope::flag;
use crate::module::{Alias, Arg, BinaryOp, Const, Expr, ExprId, Place, Stmt, StmtId, Symbol, Target};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers an annotation.
    pub(super) fn annotation(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        match self.deeper(span, |this| this.annotation_inside(node)) {
            Some(expr) => expr,
            None => self.error(span),
        }
    }

    fn annotation_inside(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let span = self.span(node);
        let mut parts = tree.named(node);
        let (first, second) = (parts.next(), parts.next());
        let expr = match self.kind(node) {
            Kind::Type => return self.annotation_or_error(first, node),
            Kind::SplatType => Expr::Starred(self.annotation_or_error(first, node)),
            Kind::GenericType => {
                let value = match first {
                    Some(first) if self.kind(first) != Kind::TypeParameter => self.expr(first),
                    _ => self.error(span),
                };
                let index = match tree.child_of_kind(node, Kind::TypeParameter) {
                    Some(parameter) => self.type_index(parameter),
                    None => self.error(span),
                };
                Expr::Subscript(value, index)
            }
            Kind::UnionType => return self.union(node),
            Kind::ConstrainedType => {
                let lower = self.annotation_or_error(first, node);
                let upper = self.annotation_or_error(second, node);
                Expr::Slice(Some(lower), Some(upper), None)
            }
            Kind::MemberType => {
                let value = self.annotation_or_error(first, node);
                match second {
                    Some(name) => Expr::Attribute(value, self.symbol(self.node_text(name))),
                    None => Expr::Error,
                }
            }
            _ => return self.expr(node),
        };
        self.push(expr, span)
    }

    /// `A | B | C`, whose nesting in the tree is not always Python's.
    fn union(&mut self, node: NodeId) -> ExprId {
        let mut operands = Vec::new();
        self.union_operands(node, &mut operands);
        let start = self.span(node).start;
        let mut whole = None;
        for operand in operands {
            let right = self.annotation(operand);
            whole = Some(match whole {
                None => right,
                Some(left) => {
                    let span = Span { start, end: self.span(operand).end };
                    self.push(Expr::Binary(BinaryOp::BitOr, left, right), span)
                }
            });
        }
        match whole {
            Some(whole) => whole,
            None => self.error(self.span(node)),
        }
    }

    fn union_operands(&self, node: NodeId, out: &mut Vec<NodeId>) {
        let tree = self.tree;
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let is_union = match self.kind(node) {
                Kind::Type | Kind::UnionType => true,
                Kind::BinaryOperator => self.child(node, Field::Operator).is_some_and(|op| self.kind(op) == Kind::Bar),
                _ => false,
            };
            if is_union {
                let parts: Vec<NodeId> = tree.named(node).collect();
                open.extend(parts.into_iter().rev());
            } else {
                out.push(node);
            }
        }
    }

    fn annotation_or_error(&mut self, node: Option<NodeId>, parent: NodeId) -> ExprId {
        match node {
            Some(node) => self.annotation(node),
            None => self.expr_or_error(None, parent),
        }
    }

    fn type_index(&mut self, node: NodeId) -> ExprId {
        let tree = self.tree;
        let comma = tree.all_children(node).filter(|child| tree.kind(*child) == Kind::Comma).last();
        let items: Vec<NodeId> = tree.named(node).collect();
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return self.expr_or_error(None, node);
        };
        let lowered: Vec<ExprId> = items.iter().map(|item| self.annotation(*item)).collect();
        let starred = matches!(self.module.expr(lowered[0]), Expr::Starred(_));
        if comma.is_none() && !starred {
            return lowered[0];
        }
        let end = comma.map_or(0, |comma| self.span(comma).end).max(self.span(*last).end);
        let span = Span { start: self.span(*first).start, end };
        self.push(Expr::Tuple(lowered.into()), span)
    }

    /// A hidden variable of the scope, whose name no program can write.
    fn hidden(&mut self, name: Symbol, flags: u8) -> (Place, Symbol) {
        let hidden = Symbol::from(&format!(".{name}"));
        (self.scopes.mention(self.scope, hidden, flags), hidden)
    }

    /// A name of `typing`, imported into a hidden variable.
    pub(super) fn of_typing(&mut self, name: &str, span: Span, out: &mut Vec<StmtId>) -> ExprId {
        let name = Symbol::from(name);
        let (place, hidden) = self.hidden(name, flag::BOUND);
        let names = Box::new([Alias { name, asname: Some(hidden), place, span }]);
        out.push(self.push_stmt(Stmt::ImportFrom { module: Symbol::from("typing"), level: 0, names }, span));
        let (place, hidden) = self.hidden(name, 0);
        self.push(Expr::Name(place, hidden), span)
    }

    /// The type parameters that were opened last, as a tuple of what they are.
    pub(super) fn type_parameters(&mut self, opened: usize, span: Span) -> ExprId {
        let names: Vec<Symbol> = self.type_names.iter().rev().take(opened).rev().map(|(_, hidden)| *hidden).collect();
        let mut values = Vec::new();
        for hidden in names {
            let place = self.scopes.mention(self.scope, hidden, 0);
            values.push(self.push(Expr::Name(place, hidden), span));
        }
        self.push(Expr::Tuple(values.into()), span)
    }

    /// Makes the type parameters of a definition (`[T, *Ts, **P]`) visible, as hidden variables of the enclosing scope. Bounds
    /// and defaults are evaluated when somebody asks for them: nobody does. Returns how many to forget with
    /// [`Lowerer::close_type_parameters`].
    pub(super) fn open_type_parameters(&mut self, node: Option<NodeId>, out: &mut Vec<StmtId>) -> usize {
        let Some(node) = node else { return 0 };
        let tree = self.tree;
        let mut opened = 0;
        for parameter in tree.named(node) {
            let span = self.span(parameter);
            let Some(name) = self.type_parameter_name(parameter) else {
                continue;
            };
            let symbol = self.symbol(self.node_text(name));
            let kind = match self.node_text(parameter).trim_start().as_bytes() {
                [b'*', b'*', ..] => "ParamSpec",
                [b'*', ..] => "TypeVarTuple",
                _ => "TypeVar",
            };
            let class = self.of_typing(kind, span, out);
            let shown = self.push(Expr::Constant(Const::Str(symbol.as_str().into())), span);
            let value = self.push(Expr::Call(class, Box::new([Arg::Positional(shown)])), span);
            let (place, hidden) = self.hidden(symbol, flag::BOUND);
            let target = Target::Name(place, hidden, self.span(name));
            out.push(self.push_stmt(Stmt::Assign(Box::new([target]), value), span));
            self.type_names.push((symbol, hidden));
            opened += 1;
        }
        opened
    }

    fn type_parameter_name(&self, node: NodeId) -> Option<NodeId> {
        let mut at = node;
        while self.kind(at) != Kind::Identifier {
            at = self.tree.named(at).next()?;
        }
        Some(at)
    }

    pub(super) fn close_type_parameters(&mut self, opened: usize) {
        self.type_names.truncate(self.type_names.len() - opened);
    }
}
