//! Calls.

use super::Emitter;
use crate::interp::constant_value;
use crate::interp::flat::builtin::Builtin;
use crate::interp::flat::op::{At, NONE, Op, Reg};
use crate::module::{Arg, CodeKind, Expr, ExprId, Part, Place, Symbol};

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
        let generator = match &args[..] {
            [only] if names.is_empty() => self.first_of_generator(*only),
            _ => None,
        };
        let texts = args.iter().any(|arg| match module.expr(*arg) {
            Expr::FString(_) => true,
            Expr::Call(callee, args) => args.len() == 1 && is_name(*callee),
            _ => false,
        });
        let plain = match function {
            Expr::Attribute(object, _) => is_name(*object),
            _ => is_name(callee),
        };
        if texts && !plain {
            self.walked(expr, dst);
            return;
        }
        let method = matches!(function, Expr::Attribute(..));
        let base = self.temporaries(1 + method as usize + args.len());
        let builtin = match function {
            Expr::Attribute(_, name) if names.is_empty() => Builtin::of(*name, args.len()),
            _ => None,
        };
        let mut probe = None;
        match function {
            Expr::Attribute(object, _) if self.is_super(*object) => {
                let site = self.method_site();
                self.emit(Op::SuperMethod { base, site, expr: callee });
            }
            Expr::Attribute(object, _) => {
                let object = self.operand(*object);
                probe = builtin.and_then(|builtin| self.quick_method(builtin, dst, object, &args));
                let site = self.method_site();
                self.emit(Op::Method { builtin, base, object, site, expr: callee });
            }
            _ => self.into(callee, base),
        }
        let unread = texts.then(|| {
            self.hides(Part::Expr(expr));
            self.emit(Op::Unread { base, dst, expr, end: 0 })
        });
        let first = base + 1 + method as Reg;
        if let Some(iterable) = generator {
            let iterable = self.operand(iterable);
            let elements = self.emit(Op::Elements { base, method, dst, iterable, expr, end: 0 });
            let site = self.site();
            self.emit(Op::Call { builtin, dst, base, count: 1, method, site, expr });
            self.land(elements);
            return;
        }
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
        if let Some(probe) = probe {
            self.skips(probe);
        }
    }

    /// The shorter way through a call of a builtin method whose arguments are at hand: variables and constants.
    fn quick_method(&mut self, builtin: Builtin, dst: Reg, object: Reg, args: &[ExprId]) -> Option<At> {
        let module = self.module;
        let held = |arg: &ExprId| match module.expr(*arg) {
            Expr::Name(Place::Local(slot), _) if !self.binds => Some(*slot as Reg),
            _ => None,
        };
        let constant = |arg: &ExprId| match module.expr(*arg) {
            Expr::Constant(constant) => Some(constant_value(constant)),
            _ => None,
        };
        let (first, second) = match args {
            [only] => match held(only) {
                Some(first) => (first, None),
                None => (NONE, Some(constant(only)?)),
            },
            [first, second] => (held(first)?, Some(constant(second)?)),
            _ => return None,
        };
        let constant = match second {
            Some(_) if self.flat.constants.len() >= usize::from(NONE) => return None,
            Some(value) => {
                self.flat.constants.push(value);
                (self.flat.constants.len() - 1) as u16
            }
            None => NONE,
        };
        Some(self.emit(Op::QuickMethod { builtin, skip: 0, dst, object, first, constant }))
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

    /// What the first clause of a generator expression goes through.
    fn first_of_generator(&self, expr: ExprId) -> Option<ExprId> {
        match self.module.expr(expr) {
            Expr::Comprehension(code, first) => {
                let code = self.module.code(*code);
                (code.kind == CodeKind::GeneratorExp && !code.is_async).then_some(*first)
            }
            _ => None,
        }
    }
}
