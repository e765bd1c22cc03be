//! Syntax tree to [`Module`]. Never fails: what cannot be understood becomes `Error` nodes and [`Note`]s.
//!
//! One walk over the tree fills the arenas (`stmt`, `expr`, `pattern`, `params`, `literal`); names are
//! collected on the way and resolved at the end (`scope`, `patch`).

mod chain;
mod compound;
mod comprehension;
mod definition;
mod expr;
mod import;
mod literal;
mod params;
mod patch;
mod pattern;
mod scope;
mod stmt;
mod target;
mod types;

use std::sync::Arc;

use crate::module::{
    Arg, Body, Code, CodeId, CodeKind, Const, Expr, ExprId, Globals, Later, LaterBody, LaterPart, Module, Note, Place,
    Stmt, StmtId, Symbol,
};
use crate::syntax::{Field, Kind, NodeId, Refusal, SyntaxTree};
use crate::text::Span;
use scope::{Scopes, flag};

/// Nesting of brackets, operators and blocks beyond which nodes become errors. CPython's parser gives up at 200 open
/// parentheses and 100 levels of indentation.
const MAX_DEPTH: u32 = 200;

/// Links of one chain (`a.b().c + d + …`) beyond which it becomes an error; CPython's compiler stops near 3000.
const MAX_CHAIN: usize = 2500;

/// Parses and lowers a text.
pub fn lower_text(text: &str) -> Module {
    lower(&SyntaxTree::parse_once(text), text)
}

/// Parses and lowers a text of which few functions will be called: the bodies of most come later ([`Body::Later`]).
pub fn lower_outline(text: &Arc<str>) -> Module {
    let (tree, parts) = SyntaxTree::parse_outline(text);
    let mut lowerer = Lowerer::new(&tree, text);
    lowerer.later = parts;
    lowerer.file();
    let later = Later::of_text(text, std::mem::take(&mut lowerer.later));
    let mut module = lowerer.finish_file();
    module.later = later;
    module
}

/// Lowers the tree of `text`.
pub fn lower(tree: &SyntaxTree, text: &str) -> Module {
    let mut lowerer = Lowerer::new(tree, text);
    lowerer.file();
    lowerer.finish_file()
}

/// Lowers a function of a text alone.
pub(crate) fn lower_part(text: &str, part: &LaterPart, globals: &mut Globals) -> LaterBody {
    let tree = SyntaxTree::parse_part(text, part.start as usize..part.end as usize);
    let mut lowerer = Lowerer::new(&tree, text);
    lowerer.class_name = part.class.as_deref();
    lowerer.outer = part.outer;
    let code = lowerer.part();
    LaterBody { module: Arc::new(lowerer.finish(globals)), code }
}

struct Lowerer<'a> {
    tree: &'a SyntaxTree,
    text: &'a str,
    module: Module,
    codes: Vec<Code>,
    scopes: Scopes,
    /// The scope that is being filled.
    scope: CodeId,
    /// The innermost class around, for the mangling of private names.
    class_name: Option<&'a str>,
    /// Type parameters (`def f[T]`) that are visible, innermost last, and the hidden variables that hold them.
    type_names: Vec<(Symbol, Symbol)>,
    /// Expressions that begin at the first offset really begin at the second: see `starred`.
    shift: Option<(u32, u32)>,
    /// What is done to the targets that are being lowered.
    verb: &'static str,
    /// How many loops of the current code are open.
    loops: u32,
    /// Where names are declared `nonlocal`.
    nonlocals: Vec<(CodeId, Symbol, Span)>,
    /// Whether imports from `__future__` may still come.
    future_allowed: bool,
    depth: u32,
    /// Functions whose bodies come later, in the order of the text.
    later: Vec<LaterPart>,
    /// The `__qualname__` of the class that is around all of it.
    outer: Option<Symbol>,
}

impl<'a> Lowerer<'a> {
    fn new(tree: &'a SyntaxTree, text: &'a str) -> Lowerer<'a> {
        Lowerer {
            tree,
            text,
            module: Module::default(),
            codes: Vec::new(),
            scopes: Scopes::default(),
            scope: CodeId(0),
            class_name: None,
            type_names: Vec::new(),
            shift: None,
            verb: "assign to",
            loops: 0,
            nonlocals: Vec::new(),
            future_allowed: true,
            depth: 0,
            later: Vec::new(),
            outer: None,
        }
    }

    fn finish_file(self) -> Module {
        let mut globals = Globals::default();
        let mut module = self.finish(&mut globals);
        module.globals = globals.names;
        module
    }

    /// Decides where every name lives.
    fn finish(self, globals: &mut Globals) -> Module {
        let Lowerer { mut module, mut codes, scopes, nonlocals, .. } = self;
        let places = scopes.finish(&mut codes, &mut module.notes, &nonlocals, globals);
        patch::patch(&mut module, &mut codes, &places);
        module.codes = codes.into();
        module.notes.sort_by_key(|note| (note.span.start, note.span.end));
        module
    }

    /// Lowers the only function of the tree.
    fn part(&mut self) -> CodeId {
        let root = self.tree.root();
        self.open_code(CodeKind::Module, "<module>", self.span(root), Span::default());
        self.future_allowed = false;
        let body = self.block(root);
        let code = body.iter().find_map(|stmt| match self.module.stmt(*stmt) {
            Stmt::FunctionDef(def) => Some(def.code),
            _ => None,
        });
        self.close_body(Body::Block(body));
        code.unwrap_or(crate::module::MODULE_CODE)
    }

    fn file(&mut self) {
        let root = self.tree.root();
        self.open_code(CodeKind::Module, "<module>", Span::new(0, self.text.len()), Span::default());
        if let Some(refusal) = self.tree.refusal().filter(|_| self.tree.notes().is_empty()) {
            let message = match refusal {
                Refusal::TooLong => "the file is too long to be analyzed",
                Refusal::Unusual => "the file is too long for the parser that reads what is not right or unusual",
                Refusal::TooComplex => "the file is too complex to be analyzed",
            };
            self.note(Span::default(), message);
        }
        self.module.notes.extend_from_slice(self.tree.notes());
        if self.tree.node(root).has_error {
            self.note_errors();
        }
        let body = self.block(root);
        self.close_body(Body::Block(body));
    }

    fn note_errors(&mut self) {
        let mut past = 0;
        for node in self.tree.nodes() {
            if (node.kind == Kind::Error || node.missing) && node.span.start >= past {
                past = node.span.end;
                self.note(node.span, "invalid syntax");
            }
        }
    }

    fn note(&mut self, span: Span, message: impl Into<String>) {
        self.module.notes.push(Note { span, message: message.into() });
    }

    // ---- reading the tree ----

    fn kind(&self, node: NodeId) -> Kind {
        self.tree.kind(node)
    }

    #[inline]
    fn span(&self, node: NodeId) -> Span {
        let span = self.tree.span(node);
        match self.shift {
            Some((from, start)) if from == span.start => Span { start, end: span.end },
            _ => span,
        }
    }

    /// Whether a node was made up, here or by the parser.
    fn is_missing(&self, node: NodeId) -> bool {
        let span = self.tree.span(node);
        span.start == span.end
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    fn node_text(&self, node: NodeId) -> &'a str {
        self.slice(self.span(node))
    }

    /// The child with a role, if it is there.
    fn child(&self, node: NodeId, field: Field) -> Option<NodeId> {
        self.tree.child(node, field)
    }

    fn has_token(&self, node: NodeId, token: Kind) -> bool {
        self.tree.child_of_kind(node, token).is_some()
    }

    // ---- filling the module ----

    fn push(&mut self, expr: Expr, span: Span) -> ExprId {
        let id = ExprId(self.module.exprs.len() as u32);
        self.module.exprs.push(expr);
        self.module.expr_spans.push(span);
        id
    }

    fn push_stmt(&mut self, stmt: Stmt, span: Span) -> StmtId {
        let id = StmtId(self.module.stmts.len() as u32);
        self.module.stmts.push(stmt);
        self.module.stmt_spans.push(span);
        id
    }

    fn error(&mut self, span: Span) -> ExprId {
        self.push(Expr::Error, span)
    }

    /// Something unknown that is made of known parts: a call of an error.
    fn unknown(&mut self, parts: Vec<ExprId>, span: Span) -> ExprId {
        let error = self.error(Span { start: span.start, end: span.start });
        let args = parts.into_iter().map(Arg::Positional).collect();
        self.push(Expr::Call(error, args), span)
    }

    /// Runs `inside` one level deeper, or notes that the limit is reached.
    fn deeper<T>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.note(span, "too many nested parentheses");
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        Some(result)
    }

    // ---- codes ----

    /// Makes a code inside the current one and goes into it.
    fn open_code(&mut self, kind: CodeKind, name: &str, span: Span, name_span: Span) -> CodeId {
        let parent = (!self.codes.is_empty()).then_some(self.scope);
        let id = self.scopes.open(kind, parent);
        let symbol = Symbol::from(name);
        let qualname = match parent.map(|parent| &self.codes[parent.index()]) {
            None => symbol,
            Some(outer) if outer.kind == CodeKind::Module => match self.outer {
                Some(class) => Symbol::from(&format!("{class}.{name}")),
                None => symbol,
            },
            Some(outer) => {
                let bound = Symbol::from(self.mangle(name).as_ref());
                if self.scopes.flags(self.scope, bound) & flag::GLOBAL != 0 {
                    symbol
                } else if matches!(outer.kind, CodeKind::Function | CodeKind::Lambda) {
                    Symbol::from(&format!("{}.<locals>.{name}", outer.qualname))
                } else {
                    Symbol::from(&format!("{}.{name}", outer.qualname))
                }
            }
        };
        self.codes.push(Code::new(kind, symbol, qualname, span, name_span));
        self.scope = id;
        id
    }

    fn code(&mut self) -> &mut Code {
        &mut self.codes[self.scope.index()]
    }

    /// Sets the body of the current code and leaves it.
    fn close_body(&mut self, body: Body) {
        if let Body::Block(block) = &body {
            let docstring = block.first().and_then(|first| match self.module.stmt(*first) {
                Stmt::Expr(value) => match self.module.expr(*value) {
                    Expr::Constant(Const::Str(text)) => Some(text.clone()),
                    _ => None,
                },
                _ => None,
            });
            self.code().docstring = docstring;
        }
        self.code().body = body;
        if let Some(parent) = self.scopes.parent(self.scope) {
            self.scope = parent;
        }
    }

    // ---- names ----

    /// The name as the innermost class spells it: `__x` becomes `_Class__x`.
    fn mangle<'n>(&self, name: &'n str) -> std::borrow::Cow<'n, str> {
        if let Some(class) = self.class_name
            && name.starts_with("__")
            && !name.ends_with("__")
            && !name.contains('.')
        {
            let class = class.trim_start_matches('_');
            if !class.is_empty() {
                return format!("_{class}{name}").into();
            }
        }
        name.into()
    }

    /// The symbol of an identifier's text, normalized and mangled.
    fn symbol(&self, text: &str) -> Symbol {
        if text.is_ascii() {
            return Symbol::from(self.mangle(text).as_ref());
        }
        Symbol::from(self.mangle(&literal::nfkc(text)).as_ref())
    }

    /// The symbol of an identifier's text, normalized but not mangled.
    fn plain_symbol(&self, text: &str) -> Symbol {
        if text.is_ascii() { Symbol::from(text) } else { Symbol::from(&literal::nfkc(text)) }
    }

    fn use_name(&mut self, name: Symbol) -> Place {
        if let Some((_, hidden)) = self.type_names.iter().rev().find(|(known, _)| *known == name) {
            let hidden = *hidden;
            return self.scopes.mention(self.scope, hidden, flag::USED);
        }
        if name.as_str() == "super" && !matches!(self.scopes.kind(self.scope), CodeKind::Module | CodeKind::Class) {
            self.scopes.mention(self.scope, scope::class_symbol(), flag::IMPLICIT);
        }
        self.scopes.mention(self.scope, name, flag::USED)
    }

    fn bind_name(&mut self, name: Symbol) -> Place {
        self.scopes.mention(self.scope, name, flag::BOUND)
    }

    /// The symbol and place of an identifier that is bound.
    fn bind(&mut self, node: NodeId) -> (Place, Symbol) {
        let symbol = self.symbol(self.node_text(node));
        (self.bind_name(symbol), symbol)
    }
}

#[cfg(test)]
mod tests;
