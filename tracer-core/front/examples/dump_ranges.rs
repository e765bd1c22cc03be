//! Prints what the front end makes of files, one line of JSON each, for comparison with CPython's own modules.
//!
//! `dump_ranges FILE...`, or file names on standard input. Lines count from 1, columns are UTF-8 bytes, as in `ast`.

use std::io::{BufRead, Write};

use jitlens_front::lower::lower_text;
use jitlens_front::module::{
    BinaryOp, Body, CodeId, CodeKind, CompareOp, Const, Expr, MODULE_CODE, Module, Part, Place, Symbol, Target, UnaryOp,
};
use jitlens_front::text::{LineIndex, Span};
use serde_json::{Value, json};

fn main() {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let files: Vec<String> =
        if named.is_empty() { std::io::stdin().lock().lines().map_while(Result::ok).collect() } else { named };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let mut dump = Dump::of(&text);
        dump["file"] = json!(file);
        if writeln!(out, "{dump}").is_err() {
            return;
        }
    }
}

struct Dump<'a> {
    module: &'a Module,
    lines: LineIndex,
    exprs: Vec<Value>,
    scopes: Vec<Value>,
}

impl Dump<'_> {
    fn of(text: &str) -> Value {
        let module = lower_text(text);
        let mut dump = Dump { module: &module, lines: LineIndex::new(text), exprs: Vec::new(), scopes: Vec::new() };
        dump.code(MODULE_CODE);
        let notes: Vec<Value> = module.notes.iter().map(|note| json!([dump.range(note.span), note.message])).collect();
        let stmts: Vec<Value> = module.stmt_spans.iter().map(|span| dump.range(*span)).collect();
        json!({ "exprs": dump.exprs, "stmts": stmts, "scopes": dump.scopes, "notes": notes })
    }

    fn range(&self, span: Span) -> Value {
        let (start, end) = (self.lines.utf8(span.start), self.lines.utf8(span.end));
        json!([start.line + 1, start.column, end.line + 1, end.column])
    }

    fn row(&mut self, kind: &str, span: Span, detail: impl Into<Value>) {
        let mut row = self.range(span);
        if let Value::Array(row) = &mut row {
            row.insert(0, json!(kind));
            row.push(detail.into());
        }
        self.exprs.push(row);
    }

    fn code(&mut self, id: CodeId) {
        let code = self.module.code(id);
        let mut names = Names::default();
        code.parts(&mut |part| self.part(part, &mut names));
        let strings = |symbols: &[Symbol]| symbols.iter().map(|name| name.as_str()).collect::<Vec<_>>();
        self.scopes.push(json!({
            "kind": format!("{:?}", code.kind),
            "name": code.name.as_str(),
            "qualname": code.qualname.as_str(),
            "line": self.lines.utf8(code.span.start).line + 1,
            "name_range": self.range(code.name_span),
            "params": code.params.names.iter().map(|param| param.name.as_str()).collect::<Vec<_>>(),
            "counts": [code.params.positional_only, code.params.positional, code.params.keyword_only],
            "locals": strings(&code.locals),
            "cells": strings(&code.cells),
            "frees": code.frees.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            "globals": names.globals,
            "class_names": names.class_names,
            "is_generator": code.is_generator,
            "is_async": code.is_async,
            "docstring": code.docstring,
        }));
        for (place, name) in names.all {
            self.check(id, place, name);
        }
    }

    /// Every place has to lead to a slot of the right name.
    fn check(&self, id: CodeId, place: Place, name: Symbol) {
        let code = self.module.code(id);
        let cell = |cell: u32| {
            let cell = cell as usize;
            code.cells.get(cell).copied().unwrap_or_else(|| code.frees[cell - code.cells.len()].0)
        };
        let found = match place {
            Place::Local(slot) => code.locals[slot as usize],
            Place::Cell(slot) => cell(slot),
            Place::Global(slot) => self.module.globals[slot as usize],
            Place::ClassOrGlobal(symbol, slot) => {
                assert_eq!(symbol, self.module.globals[slot as usize]);
                symbol
            }
            Place::ClassOrCell(symbol, slot) => {
                assert_eq!(symbol, cell(slot));
                symbol
            }
        };
        // Definitions and imports carry the name as written, not as mangled.
        let written = name.as_str().split('.').next().unwrap_or("");
        assert!(found == name || found.as_str().ends_with(written), "{found} is not {name}");
    }

    fn part(&mut self, part: Part<'_>, names: &mut Names) {
        match part {
            Part::Expr(id) => {
                let span = self.module.span(id);
                let expr = self.module.expr(id);
                let (kind, detail) = self.describe(expr);
                self.row(kind, span, detail);
                if let Expr::Name(place, name) | Expr::Walrus(place, name, _) = expr {
                    names.saw(*place, *name);
                }
                expr.parts(&mut |part| self.part(part, names));
            }
            Part::Stmt(id) => self.module.stmt(id).parts(&mut |part| self.part(part, names)),
            Part::Code(id) => {
                for annotation in self.module.code(id).annotations() {
                    self.part(Part::Expr(annotation), names);
                }
                self.code(id);
            }
            Part::Target(target) => {
                match target {
                    Target::Name(place, name, span) => {
                        names.saw(*place, *name);
                        self.row("Name", *span, name.as_str());
                    }
                    Target::Attribute(_, name, span) => self.row("Attribute", *span, name.as_str()),
                    Target::Subscript(_, _, span) => self.row("Subscript", *span, ""),
                    Target::Tuple(_, span) => self.row("Tuple", *span, ""),
                    Target::Starred(_, span) => self.row("Starred", *span, ""),
                    Target::Error(span) => self.row("Error", *span, ""),
                }
                target.parts(&mut |part| self.part(part, names));
            }
            Part::Pattern(pattern) => pattern.parts(&mut |part| self.part(part, names)),
            Part::Bound(place, name) => names.saw(place, name),
        }
    }

    fn describe(&self, expr: &Expr) -> (&'static str, String) {
        let text = |text: &str| text.to_string();
        match expr {
            Expr::Constant(value) => ("Constant", constant(value)),
            Expr::Name(_, name) => ("Name", text(name)),
            Expr::Attribute(_, name) => ("Attribute", text(name)),
            Expr::Subscript(..) => ("Subscript", text("")),
            Expr::Slice(lower, upper, step) => {
                ("Slice", [lower, upper, step].map(|part| if part.is_some() { "1" } else { "0" }).concat())
            }
            Expr::Call(_, args) => ("Call", args.len().to_string()),
            Expr::Unary(op, _) => ("UnaryOp", text(unary(*op))),
            Expr::Binary(op, ..) => ("BinOp", text(binary(*op))),
            Expr::And(items) => ("BoolOp", format!("And{}", items.len())),
            Expr::Or(items) => ("BoolOp", format!("Or{}", items.len())),
            Expr::Compare(_, rest) => {
                ("Compare", rest.iter().map(|(op, _)| compare(*op)).collect::<Vec<_>>().join(" "))
            }
            Expr::IfExp { .. } => ("IfExp", text("")),
            Expr::Lambda(code, _) => ("Lambda", self.module.code(*code).params.names.len().to_string()),
            Expr::Tuple(items) => ("Tuple", items.len().to_string()),
            Expr::List(items) => ("List", items.len().to_string()),
            Expr::Set(items) => ("Set", items.len().to_string()),
            Expr::Dict(items) => ("Dict", items.len().to_string()),
            Expr::Comprehension(code, _) => {
                let code = self.module.code(*code);
                let clauses = match &code.body {
                    Body::Comprehension(comprehension) => comprehension.clauses.len(),
                    _ => 0,
                };
                let kind = match (code.kind, code.name.as_str()) {
                    (CodeKind::GeneratorExp, _) => "GeneratorExp",
                    (_, "<listcomp>") => "ListComp",
                    (_, "<setcomp>") => "SetComp",
                    _ => "DictComp",
                };
                (kind, clauses.to_string())
            }
            Expr::Walrus(_, name, _) => ("NamedExpr", text(name)),
            Expr::Starred(_) => ("Starred", text("")),
            Expr::FString(_) => ("JoinedStr", text("")),
            Expr::Yield(_) => ("Yield", text("")),
            Expr::YieldFrom(_) => ("YieldFrom", text("")),
            Expr::Await(_) => ("Await", text("")),
            Expr::Error => ("Error", text("")),
        }
    }
}

/// The names that one code mentions, by where they live.
#[derive(Default)]
struct Names {
    globals: Vec<String>,
    class_names: Vec<String>,
    all: Vec<(Place, Symbol)>,
}

impl Names {
    fn saw(&mut self, place: Place, name: Symbol) {
        self.all.push((place, name));
        let (into, name) = match place {
            Place::Global(_) => (&mut self.globals, name),
            Place::ClassOrGlobal(name, _) | Place::ClassOrCell(name, _) => (&mut self.class_names, name),
            _ => return,
        };
        if !into.iter().any(|known| known == name.as_str()) {
            into.push(name.to_string());
        }
    }
}

fn constant(value: &Const) -> String {
    match value {
        Const::None => "None".into(),
        Const::Ellipsis => "Ellipsis".into(),
        Const::Bool(true) => "True".into(),
        Const::Bool(false) => "False".into(),
        Const::Int(value) => format!("int {value:#x}"),
        Const::BigInt(value) => format!("int {value:#x}"),
        Const::Float(value) => format!("float {:016x}", value.to_bits()),
        Const::Imaginary(value) => format!("imag {:016x}", value.to_bits()),
        Const::Str(text) => format!("str {text}"),
        Const::Bytes(bytes) => format!("bytes {}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()),
    }
}

fn unary(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Not => "Not",
        UnaryOp::Neg => "USub",
        UnaryOp::Pos => "UAdd",
        UnaryOp::Invert => "Invert",
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "Add",
        BinaryOp::Sub => "Sub",
        BinaryOp::Mul => "Mult",
        BinaryOp::MatMul => "MatMult",
        BinaryOp::Div => "Div",
        BinaryOp::FloorDiv => "FloorDiv",
        BinaryOp::Mod => "Mod",
        BinaryOp::Pow => "Pow",
        BinaryOp::LShift => "LShift",
        BinaryOp::RShift => "RShift",
        BinaryOp::BitAnd => "BitAnd",
        BinaryOp::BitOr => "BitOr",
        BinaryOp::BitXor => "BitXor",
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "Eq",
        CompareOp::NotEq => "NotEq",
        CompareOp::Lt => "Lt",
        CompareOp::LtE => "LtE",
        CompareOp::Gt => "Gt",
        CompareOp::GtE => "GtE",
        CompareOp::Is => "Is",
        CompareOp::IsNot => "IsNot",
        CompareOp::In => "In",
        CompareOp::NotIn => "NotIn",
    }
}
