//! Prints a module as text: everything in brackets, and names marked by where they live.
//!
//! A local is plain, a cell ends in `^`, a global in `'`, a name of a class body in `@` (`@^` with a cell behind it).

use crate::module::*;

pub(super) fn print(module: &Module) -> String {
    let mut out = String::new();
    Printer { module }.code(&mut out, MODULE_CODE, 0);
    out
}

struct Printer<'a> {
    module: &'a Module,
}

fn name(place: Place, symbol: Symbol) -> String {
    let mark = match place {
        Place::Local(_) => "",
        Place::Cell(_) => "^",
        Place::Global(_) => "'",
        Place::ClassOrGlobal(..) => "@",
        Place::ClassOrCell(..) => "@^",
    };
    format!("{symbol}{mark}")
}

impl Printer<'_> {
    fn code(&self, out: &mut String, id: CodeId, depth: usize) {
        match &self.module.code(id).body {
            Body::Block(block) => self.block(out, block, depth),
            Body::Expr(value) => out.push_str(&self.expr(*value)),
            Body::Comprehension(_) | Body::Later(_) => {}
        }
    }

    fn block(&self, out: &mut String, block: &[StmtId], depth: usize) {
        for stmt in block {
            self.stmt(out, *stmt, depth);
        }
    }

    fn stmt(&self, out: &mut String, id: StmtId, depth: usize) {
        let mut inner: Vec<(String, &[StmtId])> = Vec::new();
        let mut later = None;
        let line = match self.module.stmt(id) {
            Stmt::Expr(value) => self.expr(*value),
            Stmt::Assign(targets, value) => {
                let targets: String = targets.iter().map(|t| self.target(t) + " = ").collect();
                targets + &self.expr(*value)
            }
            Stmt::AugAssign { target, op, value } => {
                format!("{} {op:?}= {}", self.target(target), self.expr(*value))
            }
            Stmt::AnnAssign { target, annotation, value } => {
                let value = value.map(|value| format!(" = {}", self.expr(value)));
                let annotation = self.expr(*annotation);
                format!("{}: {annotation}{}", self.target(target), value.unwrap_or_default())
            }
            Stmt::For { target, iter, body, orelse, is_async } => {
                inner.extend([(String::new(), &body[..]), ("else".into(), orelse)]);
                let word = if *is_async { "async for" } else { "for" };
                format!("{word} {} in {}", self.target(target), self.expr(*iter))
            }
            Stmt::While { test, body, orelse } => {
                inner.extend([(String::new(), &body[..]), ("else".into(), orelse)]);
                format!("while {}", self.expr(*test))
            }
            Stmt::If { test, body, orelse } => {
                inner.extend([(String::new(), &body[..]), ("else".into(), orelse)]);
                format!("if {}", self.expr(*test))
            }
            Stmt::With { items, body, .. } => {
                inner.push((String::new(), body));
                let items = items.iter().map(|item| {
                    let target = item.target.as_ref().map(|t| format!(" as {}", self.target(t)));
                    self.expr(item.context) + &target.unwrap_or_default()
                });
                format!("with {}", items.collect::<Vec<_>>().join(", "))
            }
            Stmt::Try { body, handlers, orelse, finalbody, is_star } => {
                inner.push((String::new(), body));
                for handler in handlers {
                    let class = handler.class.map(|class| format!(" {}", self.expr(class)));
                    let bound = handler.name.map(|(p, s)| format!(" as {}", name(p, s)));
                    let star = if *is_star { "*" } else { "" };
                    let (class, bound) = (class.unwrap_or_default(), bound.unwrap_or_default());
                    inner.push((format!("except{star}{class}{bound}"), &handler.body));
                }
                inner.extend([("else".into(), &orelse[..]), ("finally".into(), finalbody)]);
                "try".into()
            }
            Stmt::Raise(exception, cause) => {
                format!("raise {} from {}", self.option(*exception), self.option(*cause))
            }
            Stmt::Return(value) => format!("return {}", self.option(*value)),
            Stmt::Assert(test, message) => {
                format!("assert {}, {}", self.expr(*test), self.option(*message))
            }
            Stmt::Delete(targets) => format!("del {}", self.targets(targets)),
            Stmt::Import(names) => format!("import {}", aliases(names)),
            Stmt::ImportFrom { module, level, names } => {
                format!("from {}{module} import {}", ".".repeat(*level as usize), aliases(names))
            }
            Stmt::ImportStar { module, level } => {
                format!("from {}{module} import *", ".".repeat(*level as usize))
            }
            Stmt::FunctionDef(def) => {
                let code = self.module.code(def.code);
                let decorators: String = def.decorators.iter().map(|d| format!("@{} ", self.expr(*d))).collect();
                let returns = def.returns.map(|r| format!(" -> {}", self.expr(r)));
                let (params, returns) = (self.params(code, &def.defaults), returns.unwrap_or_default());
                let head = format!("{decorators}def {}({params}){returns}", name(def.place, def.name));
                match &code.body {
                    Body::Block(body) => inner.push((String::new(), body)),
                    Body::Later(at) => later = Some(self.module.later_body(*at)),
                    _ => {}
                }
                head
            }
            Stmt::ClassDef(def) => {
                if let Body::Block(body) = &self.module.code(def.code).body {
                    inner.push((String::new(), body));
                }
                let decorators: String = def.decorators.iter().map(|d| format!("@{} ", self.expr(*d))).collect();
                format!("{decorators}class {}({})", name(def.place, def.name), self.args(&def.args))
            }
            Stmt::Match(subject, cases) => {
                for case in cases {
                    let guard = case.guard.map(|guard| format!(" if {}", self.expr(guard)));
                    let pattern = self.pattern(&case.pattern);
                    inner.push((format!("case {pattern}{}", guard.unwrap_or_default()), &case.body));
                }
                format!("match {}", self.expr(*subject))
            }
            Stmt::Pass => "pass".into(),
            Stmt::Break => "break".into(),
            Stmt::Continue => "continue".into(),
            Stmt::Error => "<error>".into(),
        };
        let indent = "    ".repeat(depth);
        out.push_str(&format!("{indent}{line}\n"));
        for (word, block) in inner {
            if !word.is_empty() && (!block.is_empty() || !matches!(&word[..], "else" | "finally")) {
                out.push_str(&format!("{indent}{word}\n"));
            }
            self.block(out, block, depth + 1);
        }
        if let Some(later) = later {
            Printer { module: &later.module }.code(out, later.code, depth + 1);
        }
    }

    fn option(&self, value: Option<ExprId>) -> String {
        value.map_or("-".into(), |value| self.expr(value))
    }

    fn list(&self, values: &[ExprId]) -> String {
        values.iter().map(|value| self.expr(*value)).collect::<Vec<_>>().join(", ")
    }

    fn targets(&self, targets: &[Target]) -> String {
        targets.iter().map(|target| self.target(target)).collect::<Vec<_>>().join(", ")
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Name(place, symbol, _) => name(*place, *symbol),
            Target::Attribute(value, attribute, _) => format!("{}.{attribute}", self.expr(*value)),
            Target::Subscript(value, index, _) => {
                format!("{}[{}]", self.expr(*value), self.expr(*index))
            }
            Target::Tuple(items, _) => format!("({})", self.targets(items)),
            Target::Starred(item, _) => format!("*{}", self.target(item)),
            Target::Error(_) => "<error>".into(),
        }
    }

    fn params(&self, code: &Code, defaults: &Defaults) -> String {
        let params = &code.params;
        let (positional, keyword_only) = (params.positional as usize, params.keyword_only as usize);
        let first_default = positional - defaults.positional.len();
        let mut shown = Vec::new();
        for (slot, param) in params.names.iter().enumerate() {
            let default = if slot < positional {
                slot.checked_sub(first_default).map(|at| defaults.positional[at])
            } else {
                slot.checked_sub(positional).filter(|at| *at < keyword_only).and_then(|at| defaults.keyword_only[at])
            };
            let slot = Some(slot as u32);
            let stars = match slot {
                _ if slot == params.var_positional => "*",
                _ if slot == params.var_keyword => "**",
                _ => "",
            };
            let annotation = param.annotation.map(|a| format!(": {}", self.expr(a)));
            let default = default.map(|default| format!("={}", self.expr(default)));
            let (annotation, default) = (annotation.unwrap_or_default(), default.unwrap_or_default());
            shown.push(format!("{stars}{}{annotation}{default}", param.name));
            if params.positional_only > 0 && slot == Some(params.positional_only - 1) {
                shown.push("/".into());
            }
            if keyword_only > 0 && params.positional > 0 && slot == Some(params.positional - 1) {
                shown.push("*".into());
            }
        }
        shown.join(", ")
    }

    fn args(&self, args: &[Arg]) -> String {
        let args = args.iter().map(|arg| match arg {
            Arg::Positional(value) => self.expr(*value),
            Arg::Star(value) => format!("*{}", self.expr(*value)),
            Arg::Keyword(name, value) => format!("{name}={}", self.expr(*value)),
            Arg::DoubleStar(value) => format!("**{}", self.expr(*value)),
        });
        args.collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, id: ExprId) -> String {
        match self.module.expr(id) {
            Expr::Constant(value) => constant(value),
            Expr::Name(place, symbol) => name(*place, *symbol),
            Expr::Attribute(value, attribute) => format!("{}.{attribute}", self.expr(*value)),
            Expr::Subscript(value, index) => {
                format!("{}[{}]", self.expr(*value), self.expr(*index))
            }
            Expr::Slice(lower, upper, step) => {
                format!("{}:{}:{}", self.option(*lower), self.option(*upper), self.option(*step))
            }
            Expr::Call(function, args) => format!("{}({})", self.expr(*function), self.args(args)),
            Expr::Unary(op, value) => format!("({op:?} {})", self.expr(*value)),
            Expr::Binary(op, left, right) => {
                format!("({} {op:?} {})", self.expr(*left), self.expr(*right))
            }
            Expr::And(items) => format!("And({})", self.list(items)),
            Expr::Or(items) => format!("Or({})", self.list(items)),
            Expr::Compare(first, rest) => {
                let rest: String = rest.iter().map(|(op, value)| format!(" {op:?} {}", self.expr(*value))).collect();
                format!("({}{rest})", self.expr(*first))
            }
            Expr::IfExp { test, body, orelse } => {
                format!("({} if {} else {})", self.expr(*body), self.expr(*test), self.expr(*orelse))
            }
            Expr::Lambda(code, defaults) => {
                let code = self.module.code(*code);
                let body = match code.body {
                    Body::Expr(body) => self.expr(body),
                    _ => String::new(),
                };
                format!("(lambda {}: {body})", self.params(code, defaults))
            }
            Expr::Tuple(items) => format!("Tuple({})", self.list(items)),
            Expr::List(items) => format!("[{}]", self.list(items)),
            Expr::Set(items) => format!("Set({})", self.list(items)),
            Expr::Dict(items) => {
                let items = items.iter().map(|(key, value)| match key {
                    Some(key) => format!("{}: {}", self.expr(*key), self.expr(*value)),
                    None => format!("**{}", self.expr(*value)),
                });
                format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
            }
            Expr::Comprehension(code, iter) => self.comprehension(*code, *iter),
            Expr::Walrus(place, symbol, value) => {
                format!("({} := {})", name(*place, *symbol), self.expr(*value))
            }
            Expr::Starred(value) => format!("*{}", self.expr(*value)),
            Expr::FString(parts) => format!("f{}", self.format(parts)),
            Expr::Yield(value) => format!("(yield {})", self.option(*value)),
            Expr::YieldFrom(value) => format!("(yield from {})", self.expr(*value)),
            Expr::Await(value) => format!("(await {})", self.expr(*value)),
            Expr::Error => "<error>".into(),
        }
    }

    fn comprehension(&self, code: CodeId, first: ExprId) -> String {
        let Body::Comprehension(comprehension) = &self.module.code(code).body else {
            return String::new();
        };
        let (kind, element) = match comprehension.collect {
            Collect::List(value) => ("List", self.expr(value)),
            Collect::Set(value) => ("Set", self.expr(value)),
            Collect::Generator(value) => ("Gen", self.expr(value)),
            Collect::Dict(key, value) => ("Dict", format!("{}: {}", self.expr(key), self.expr(value))),
        };
        let clauses = comprehension.clauses.iter().map(|clause| {
            let iter = clause.iter.unwrap_or(first);
            let conditions: String = clause.conditions.iter().map(|test| format!(" if {}", self.expr(*test))).collect();
            format!(" for {} in {}{conditions}", self.target(&clause.target), self.expr(iter))
        });
        format!("{kind}<{element}{}>", clauses.collect::<String>())
    }

    fn format(&self, parts: &[FStringPart]) -> String {
        let parts = parts.iter().map(|part| match part {
            FStringPart::Text(text) => format!("{text:?}"),
            FStringPart::Value { value, conversion, spec } => {
                let conversion = conversion.map(|c| format!("!{c}")).unwrap_or_default();
                let spec = if spec.is_empty() { String::new() } else { format!(":{}", self.format(spec)) };
                format!("{{{}{conversion}{spec}}}", self.expr(*value))
            }
        });
        format!("<{}>", parts.collect::<Vec<_>>().join(" "))
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        let bound = |bound: &Option<(Place, Symbol)>| match bound {
            Some((place, symbol)) => name(*place, *symbol),
            None => "_".into(),
        };
        let list = |items: &[Pattern]| items.iter().map(|item| self.pattern(item)).collect::<Vec<_>>();
        match pattern {
            Pattern::Value(value) => self.expr(*value),
            Pattern::Singleton(value) => constant(value),
            Pattern::Capture(to) => bound(to),
            Pattern::Star(to) => format!("*{}", bound(to)),
            Pattern::Sequence(items) => format!("[{}]", list(items).join(", ")),
            Pattern::Mapping { items, rest } => {
                let mut shown: Vec<String> =
                    items.iter().map(|(key, value)| format!("{}: {}", self.expr(*key), self.pattern(value))).collect();
                shown.extend(rest.as_ref().map(|rest| format!("**{}", bound(&Some(*rest)))));
                format!("{{{}}}", shown.join(", "))
            }
            Pattern::Class { class, positional, keyword } => {
                let mut shown = list(positional);
                let keyword = keyword.iter();
                shown.extend(keyword.map(|(name, value)| format!("{name}={}", self.pattern(value))));
                format!("{}({})", self.expr(*class), shown.join(", "))
            }
            Pattern::Or(items) => format!("({})", list(items).join(" | ")),
            Pattern::As(item, to) => format!("({} as {})", self.pattern(item), bound(&Some(*to))),
        }
    }
}

fn aliases(aliases: &[Alias]) -> String {
    let aliases = aliases.iter().map(|alias| {
        let bound = alias.asname.unwrap_or_else(|| Symbol::from(alias.name.split('.').next().unwrap_or("")));
        format!("{} as {}", alias.name, name(alias.place, bound))
    });
    aliases.collect::<Vec<_>>().join(", ")
}

fn constant(value: &Const) -> String {
    match value {
        Const::None => "None".into(),
        Const::Ellipsis => "...".into(),
        Const::Bool(true) => "True".into(),
        Const::Bool(false) => "False".into(),
        Const::Int(value) => value.to_string(),
        Const::BigInt(value) => format!("{value}n"),
        Const::Float(value) => format!("{value:?}"),
        Const::Imaginary(value) => format!("{value:?}j"),
        Const::Str(text) => format!("{text:?}"),
        Const::Bytes(bytes) => format!("b\"{}\"", bytes.escape_ascii()),
    }
}
