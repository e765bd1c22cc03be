//! Statements.

use super::Lowerer;
use super::expr::augmented_op;
use super::scope::flag;
use crate::module::{CodeKind, Const, Expr, ExprId, Stmt, StmtId, Target};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

impl<'a> Lowerer<'a> {
    /// Lowers the statements of a block (or of the file).
    pub(super) fn block(&mut self, node: NodeId) -> Vec<StmtId> {
        let tree = self.tree;
        let mut out = Vec::new();
        for child in tree.all_children(node) {
            let kind = self.kind(child);
            if kind.is_named() {
                let docstring = out.is_empty()
                    && kind == Kind::ExpressionStatement
                    && tree
                        .named(child)
                        .all(|value| matches!(tree.kind(value), Kind::String | Kind::ConcatenatedString));
                self.future_allowed &= docstring || kind == Kind::FutureImportStatement;
                self.stmt(child, &mut out);
            }
        }
        out
    }

    /// The block that a clause ends in.
    pub(super) fn suite(&mut self, node: NodeId, field: Field) -> Vec<StmtId> {
        let body = self.child(node, field).or_else(|| self.tree.child_of_kind(node, Kind::Block));
        match body {
            Some(body) => self.block(body),
            None => Vec::new(),
        }
    }

    /// A range that starts where `node` does and ends where the last of its statements does, with
    /// the semicolon behind it.
    pub(super) fn until(&self, node: NodeId, last: Option<&StmtId>) -> Span {
        let span = self.span(node);
        let end = last.map_or(span.end, |last| self.module.stmt_spans[last.index()].end);
        let rest = self.text.as_bytes().get(end as usize..).unwrap_or(&[]);
        let blanks = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let semicolon = rest.get(blanks) == Some(&b';');
        Span { start: span.start, end: if semicolon { end + blanks as u32 + 1 } else { end } }
    }

    fn stmt(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let span = self.span(node);
        if self.deeper(span, |this| this.stmt_inside(node, out)).is_none() {
            let error = self.push_stmt(Stmt::Error, span);
            out.push(error);
        }
    }

    fn stmt_inside(&mut self, node: NodeId, out: &mut Vec<StmtId>) {
        let tree = self.tree;
        let span = self.span(node);
        let first = || tree.named(node).next();
        let stmt = match self.kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::ReturnStatement => {
                match self.scopes.kind(self.scope) {
                    CodeKind::Function => {}
                    _ => self.note(span, "'return' outside function"),
                }
                let value = first().map(|value| self.value(value));
                let is_no =
                    |value: ExprId| matches!(self.module.expr(value), Expr::Constant(Const::None | Const::Bool(false)));
                if value.is_some_and(|value| !is_no(value)) {
                    self.code().answers = true;
                }
                Stmt::Return(value)
            }
            Kind::IfStatement => {
                let id = self.if_statement(node);
                out.push(id);
                return;
            }
            Kind::ForStatement => {
                let iter = self.child(node, Field::Right);
                let iter = self.expr_or_error(iter, node);
                let target = match self.child(node, Field::Left) {
                    Some(left) => self.target(left),
                    None => Target::Error(span),
                };
                let is_async = self.has_token(node, Kind::KwAsync);
                if is_async {
                    self.note_async(span, "async for");
                }
                self.loops += 1;
                let body = self.suite(node, Field::Body);
                self.loops -= 1;
                let orelse = self.else_body(node);
                let span = self.until(node, orelse.last().or(body.last()));
                out.push(self.push_stmt(Stmt::For { target, iter, body, orelse, is_async }, span));
                return;
            }
            Kind::WhileStatement => {
                let test = self.child(node, Field::Condition);
                let test = self.expr_or_error(test, node);
                self.loops += 1;
                let body = self.suite(node, Field::Body);
                self.loops -= 1;
                let orelse = self.else_body(node);
                let span = self.until(node, orelse.last().or(body.last()));
                out.push(self.push_stmt(Stmt::While { test, body, orelse }, span));
                return;
            }
            Kind::WithStatement => {
                let is_async = self.has_token(node, Kind::KwAsync);
                if is_async {
                    self.note_async(span, "async with");
                }
                let items = self.with_items(node);
                let body = self.suite(node, Field::Body);
                let span = self.until(node, body.last());
                self.code().handles = true;
                out.push(self.push_stmt(Stmt::With { items, body, is_async }, span));
                return;
            }
            Kind::TryStatement => {
                let id = self.try_statement(node);
                out.push(id);
                return;
            }
            Kind::MatchStatement => {
                let id = self.match_statement(node);
                out.push(id);
                return;
            }
            Kind::FunctionDefinition => {
                self.function(node, Box::default(), out);
                return;
            }
            Kind::ClassDefinition => {
                self.class(node, Box::default(), out);
                return;
            }
            Kind::DecoratedDefinition => {
                self.decorated(node, out);
                return;
            }
            Kind::ImportStatement => {
                self.note_trailing_comma(node);
                let names = tree
                    .children_in(node, Field::Name)
                    .filter(|name| !self.is_missing(*name))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .filter(|name| !self.is_missing(*name))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|name| self.import_alias(name))
                    .collect();
                Stmt::Import(names)
            }
            Kind::ImportFromStatement => self.import_from(node),
            Kind::FutureImportStatement => self.future_import(node),
            Kind::AssertStatement => {
                let mut parts = tree.named(node);
                let (test, message) = (parts.next(), parts.next());
                let test = self.expr_or_error(test, node);
                Stmt::Assert(test, message.map(|message| self.expr(message)))
            }
            Kind::DeleteStatement => self.delete(node),
            Kind::RaiseStatement => {
                let cause = self.child(node, Field::Cause);
                let exception = first().filter(|exception| Some(*exception) != cause);
                let exception = exception.map(|exception| self.expr(exception));
                Stmt::Raise(exception, cause.map(|cause| self.expr(cause)))
            }
            Kind::PassStatement => Stmt::Pass,
            Kind::BreakStatement => {
                if self.loops == 0 {
                    self.note(span, "'break' outside loop");
                }
                Stmt::Break
            }
            Kind::ContinueStatement => {
                if self.loops == 0 {
                    self.note(span, "'continue' not properly in loop");
                }
                Stmt::Continue
            }
            Kind::GlobalStatement | Kind::NonlocalStatement => {
                self.global(node);
                Stmt::Pass
            }
            Kind::TypeAliasStatement => self.type_alias(node, out),
            Kind::PrintStatement => {
                let message = "Missing parentheses in call to 'print'. Did you mean print(...)?";
                self.note(span, message);
                let parts = tree.named(node).map(|part| self.expr(part)).collect();
                Stmt::Expr(self.unknown(parts, span))
            }
            Kind::ExecStatement => {
                self.note(span, "Missing parentheses in call to 'exec'. Did you mean exec(...)?");
                Stmt::Error
            }
            _ => Stmt::Error,
        };
        out.push(self.push_stmt(stmt, span));
    }

    fn expression_statement(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let Some(first) = tree.named(node).next() else {
            return Stmt::Error;
        };
        match self.kind(first) {
            Kind::Assignment => self.assignment(first),
            Kind::AugmentedAssignment => self.augmented(first),
            _ if self.has_token(node, Kind::Comma) => {
                let items = tree.named(node).map(|item| self.expr(item)).collect();
                let tuple = self.push(Expr::Tuple(items), self.span(node));
                Stmt::Expr(tuple)
            }
            _ => Stmt::Expr(self.value(first)),
        }
    }

    /// An expression that cannot be starred.
    fn value(&mut self, node: NodeId) -> ExprId {
        let value = self.expr(node);
        if matches!(self.module.expr(value), Expr::Starred(_)) {
            self.note(self.span(node), "can't use starred expression here");
        } else if self.kind(node) == Kind::NamedExpression {
            // It takes parentheses here.
            self.note(self.span(node), "invalid syntax");
        }
        value
    }

    fn note_async(&mut self, span: Span, what: &str) {
        if !self.code().is_async {
            self.note(span, format!("'{what}' outside async function"));
        }
    }

    pub(super) fn note_trailing_comma(&mut self, node: NodeId) {
        let last = self.tree.children(node).last();
        if let Some(comma) = last.filter(|last| self.kind(*last) == Kind::Comma) {
            let message = "trailing comma not allowed without surrounding parentheses";
            self.note(self.span(comma), message);
        }
    }

    fn assignment(&mut self, node: NodeId) -> Stmt {
        if let Some(annotation) = self.child(node, Field::Type) {
            let left = self.child(node, Field::Left);
            let simple = left.is_some_and(|left| self.kind(left) == Kind::Identifier);
            let value = self.child(node, Field::Right).map(|right| self.expr(right));
            let annotation = self.annotation(annotation);
            let target = match left {
                // `(x): int` declares nothing.
                Some(left) if !simple && value.is_none() => self.unbound_target(left),
                Some(left) => self.target(left),
                None => Target::Error(self.span(node)),
            };
            if simple {
                self.mark_annotated(&target);
            }
            return Stmt::AnnAssign { target, annotation, value };
        }
        let mut lefts: Vec<NodeId> = Vec::new();
        let mut at = node;
        let value = loop {
            lefts.extend(self.child(at, Field::Left));
            match self.child(at, Field::Right) {
                Some(right) if self.kind(right) == Kind::Assignment && self.child(right, Field::Type).is_none() => {
                    at = right;
                }
                Some(right) if matches!(self.kind(right), Kind::Assignment | Kind::AugmentedAssignment) => {
                    let span = self.span(right);
                    self.note(span, "invalid syntax");
                    break self.error(span);
                }
                Some(right) => break self.value(right),
                None => break self.expr_or_error(None, node),
            }
        };
        let targets: Box<[Target]> = lefts.into_iter().map(|left| self.target(left)).collect();
        for target in &targets {
            if let Target::Starred(_, span) = target {
                self.note(*span, "starred assignment target must be in a list or tuple");
            }
        }
        Stmt::Assign(targets, value)
    }

    fn augmented(&mut self, node: NodeId) -> Stmt {
        let value = self.child(node, Field::Right);
        let value = self.expr_or_error(value, node);
        let op = self.child(node, Field::Operator).and_then(|op| augmented_op(self.kind(op)));
        let (Some(left), Some(op)) = (self.child(node, Field::Left), op) else {
            return Stmt::Error;
        };
        let target = self.target(left);
        match &target {
            Target::Tuple(_, span) | Target::Starred(_, span) => {
                self.note(*span, "'tuple' is an illegal expression for augmented assignment");
            }
            _ => self.mark_read(&target),
        }
        Stmt::AugAssign { target, op, value }
    }

    fn delete(&mut self, node: NodeId) -> Stmt {
        let tree = self.tree;
        let Some(first) = tree.named(node).next() else {
            return Stmt::Error;
        };
        let outer = std::mem::replace(&mut self.verb, "delete");
        let targets = if self.kind(first) == Kind::ExpressionList {
            tree.named(first).map(|item| self.target(item)).collect()
        } else {
            Box::new([self.target(first)]) as Box<[Target]>
        };
        self.verb = outer;
        Stmt::Delete(targets)
    }

    fn global(&mut self, node: NodeId) {
        let tree = self.tree;
        let (how, word) = match self.kind(node) {
            Kind::GlobalStatement => (flag::GLOBAL, "global"),
            _ => (flag::NONLOCAL, "nonlocal"),
        };
        for name in tree.named(node) {
            if self.is_missing(name) {
                continue;
            }
            let span = self.span(name);
            let symbol = self.symbol(self.node_text(name));
            let flags = self.scopes.flags(self.scope, symbol);
            let complaint = if flags & flag::PARAM != 0 {
                Some(format!("name '{symbol}' is parameter and {word}"))
            } else if flags & flag::ANNOTATED != 0 {
                Some(format!("annotated name '{symbol}' can't be {word}"))
            } else if flags & flag::BOUND != 0 {
                Some(format!("name '{symbol}' is assigned to before {word} declaration"))
            } else if flags & flag::USED != 0 {
                Some(format!("name '{symbol}' is used prior to {word} declaration"))
            } else if (flags | how) & (flag::GLOBAL | flag::NONLOCAL) == flag::GLOBAL | flag::NONLOCAL {
                Some(format!("name '{symbol}' is nonlocal and global"))
            } else {
                None
            };
            if let Some(complaint) = complaint {
                self.note(span, complaint);
            }
            if how == flag::NONLOCAL && self.scopes.kind(self.scope) == CodeKind::Module {
                self.note(span, "nonlocal declaration not allowed at module level");
                continue;
            }
            self.scopes.mention(self.scope, symbol, how);
            if how == flag::NONLOCAL {
                self.nonlocals.push((self.scope, symbol, span));
            }
        }
    }
}
