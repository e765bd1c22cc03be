//! Calls.

use super::Emitter;
use crate::interp::flat::builtin::Builtin;
use crate::interp::flat::op::{Op, Reg};
use crate::module::{Arg, CodeKind, Expr, ExprId, Part, Symbol};

impl Emitter<'_> {
    pub(super) fn call(&mut self, expr: ExprId, callee: ExprId, args: &[Arg], dst: Reg) {
        let module = self.module;
        let mut names: Vec<Symbol> = Vec::new();
        let positional: Option<Vec<ExprId>> = args
            .iter()
            .map(|arg| match arg {
                Arg::Positional(value) if names.is_empty() => Some(*value),
                Arg::Keyword(name, value) if !names.contains(name) => {
                    names.push(*name);
                    Some(*value)
                }
                _ => None,
            })
            .collect();
        let is_name = |expr: ExprId| matches!(module.expr(expr), Expr::Name(..));
        let function = module.expr(callee);
        // These look at the frame around them, do not read what they are given, or write an attribute.
        let special = match function {
            Expr::Name(_, name) => matches!(
                name.as_str(),
                "super" | "exec" | "eval" | "locals" | "globals" | "vars" | "dir" | "print" | "setattr"
            ),
            Expr::Attribute(_, name) => name.as_str() == "__setattr__",
            _ => false,
        };
        let Some(args) = positional.filter(|args| !special && args.len() < 64) else {
            self.walked(expr, dst);
            return;
        };
        let generator = matches!(&args[..], [only] if names.is_empty() && self.is_generator(*only));
        let texts = args.iter().any(|arg| match module.expr(*arg) {
            Expr::FString(_) => true,
            Expr::Call(callee, args) => args.len() == 1 && is_name(*callee),
            _ => false,
        });
        let plain = match function {
            Expr::Attribute(object, _) => is_name(*object),
            _ => is_name(callee),
        };
        if generator || texts && !plain {
            self.walked(expr, dst);
            return;
        }
        let method = matches!(function, Expr::Attribute(..));
        let base = self.temporaries(1 + method as usize + args.len());
        let builtin = match function {
            Expr::Attribute(_, name) if names.is_empty() => Builtin::of(*name, args.len()),
            _ => None,
        };
        match function {
            Expr::Attribute(object, _) if self.is_super(*object) => {
                self.emit(Op::SuperMethod { base, expr: callee });
            }
            Expr::Attribute(object, _) => {
                let object = self.operand(*object);
                self.emit(Op::Method { builtin, base, object, expr: callee });
            }
            _ => self.into(callee, base),
        }
        let unread = texts.then(|| {
            self.hides(Part::Expr(expr));
            self.emit(Op::Unread { base, dst, expr, end: 0 })
        });
        let first = base + 1 + method as Reg;
        for (i, arg) in args.iter().enumerate() {
            self.into(*arg, first + i as Reg);
        }
        if !names.is_empty() {
            let count = (args.len() - names.len()) as u8;
            self.flat.keywords.push(names.into());
            let names = (self.flat.keywords.len() - 1) as u16;
            self.emit(Op::CallNamed { dst, base, count, method, names, expr });
            unread.into_iter().for_each(|jump| self.land(jump));
            return;
        }
        let site = self.site();
        self.emit(Op::Call { builtin, dst, base, count: args.len() as u8, method, site, expr });
        if let Some(jump) = unread {
            self.land(jump);
        }
    }

    /// Whether it is `super()`.
    fn is_super(&self, expr: ExprId) -> bool {
        match self.module.expr(expr) {
            Expr::Call(callee, args) => {
                args.is_empty() && matches!(self.module.expr(*callee), Expr::Name(_, name) if name.as_str() == "super")
            }
            _ => false,
        }
    }

    fn is_generator(&self, expr: ExprId) -> bool {
        match self.module.expr(expr) {
            Expr::Comprehension(code, _) => self.module.code(*code).kind == CodeKind::GeneratorExp,
            _ => false,
        }
    }
}
