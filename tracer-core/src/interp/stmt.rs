//! Statements.

use std::collections::VecDeque;
use std::rc::Rc;

use super::events::Event;
use super::function::{Flow, Run};
use crate::module::{Body, Expr, ExprId, Handler, Part, Place, Stmt, StmtId, Target, WithItem};
use crate::python::halt::{Halt, Raised, Step, Stopped};
use crate::python::value::Unknown;
use crate::python::{Exception, Function, Guess, Value, Why};

/// How the manager of a `with` is left.
pub(super) struct Exit {
    pub(super) callee: Value,
    pub(super) receiver: Option<Value>,
    /// Whether it is awaited.
    pub(super) is_async: bool,
    /// Whether it may say that an exception is dealt with.
    pub(super) catches: bool,
}

impl Exit {
    pub(super) fn of(callee: Value, receiver: Option<Value>) -> Exit {
        let catches = match &callee {
            Value::Function(function) => answers(function),
            Value::Method(method) if let Value::Function(function) = &method.function => answers(function),
            Value::Native(_) => false,
            _ => true,
        };
        Exit { callee, receiver, is_async: false, catches }
    }
}

/// Whether a function may give something else than `None` or `False`, as far as its text tells.
fn answers(function: &Function) -> bool {
    let (unit, code) = function.body();
    let code = unit.module.code(code);
    code.answers || !matches!(code.body, Body::Block(_))
}

impl Run<'_> {
    /// Runs statements until one of them leaves.
    pub fn block(&mut self, statements: &[StmtId]) -> Step<Flow> {
        for statement in statements {
            match self.statement(*statement) {
                Ok(Flow::Next) => {}
                Ok(flow) => return Ok(flow),
                Err(halt) => match self.recover(*statement, halt)? {
                    Flow::Next => {}
                    flow => return Ok(flow),
                },
            }
        }
        Ok(Flow::Next)
    }

    /// Runs the statements of the program's own module: behind one that failed begins what the program would do next.
    pub fn program(&mut self, statements: &[StmtId]) -> Step<()> {
        for statement in statements {
            if let Flow::Return(_) = self.block(std::slice::from_ref(statement))? {
                break;
            }
            self.it.recorder.is_beside.set(false);
        }
        Ok(())
    }

    /// An exception that nothing on the stack may catch would end the program: it is reported, what the statement
    /// would have bound is unknown, and the run goes on behind it, beside what the program itself would do.
    #[cold]
    pub(super) fn recover(&mut self, statement: StmtId, halt: Halt) -> Step<Flow> {
        if !self.user {
            return self.recover_in_library(statement, halt);
        }
        match halt {
            Halt::Raise(mut exception) => {
                self.place(&mut exception, self.module.stmt_spans[statement.index()]);
                // What a function raises on purpose that is called behind a doubtful exit is as doubtful as a `raise` in its place.
                if exception.by_program && self.it.catching.get() == 0 && self.frame.may_have_left() {
                    exception.explicit = true;
                    exception.own = true;
                }
                // A handler around it may see it, and then the program goes on.
                if self.it.catching.get() == 0 && self.it.is_exit(&exception) {
                    return Err(Halt::Stop(Stopped::Exit));
                }
                if exception.origin == Some(crate::python::halt::Origin::Library)
                    && self.constructs_wrongly(statement, &exception)
                {
                    exception.origin = Some(crate::python::halt::Origin::User);
                }
                // What a library that is installed and works gets wrong by itself is what we do not model.
                let gap = exception.origin == Some(crate::python::halt::Origin::Library)
                    && (matches!(exception.what, Raised::Native(..)) || exception.native)
                    && !self.it.is_sure_in_library(&exception);
                if gap {
                    self.may_have_raised();
                    let (class, message) = self.it.describe_exception(&exception);
                    self.it.losses.set(self.it.losses.get() + 1);
                    return Ok(self.unbind_lost(statement, &format!("inside of a library: {class}: {message}")));
                }
                if exception.by_library && self.it.losses.get() > 0 {
                    self.may_have_raised();
                    let (class, _) = self.it.describe_exception(&exception);
                    let why = format!("a library raised {class} after something was not known");
                    return Ok(self.unbind_lost(statement, &why));
                }
                let explicit = exception.explicit;
                // Rounds before this one went well: that it raises, with numbers that are not known, need not be so.
                if self.round_at == Some(self.branches) && !explicit {
                    self.may_have_raised();
                    return Ok(self.unbind_lost(statement, "raised in a round of which numbers are not known"));
                }
                // What comes up as deep as nobody knows that it goes says nothing about the first call.
                if !explicit && self.it.recorder.doubt.is_recursion(self.side()) {
                    self.may_have_raised();
                    return Ok(self.unbind_lost(statement, "raised in recursion that need not go so deep"));
                }
                // That something is there, or is `None`, often hangs on the same as the condition that nobody knows.
                if (self.it.recorder.doubt.is_any() || self.frame.may_have_left()) && self.it.is_about_none(&exception)
                {
                    self.may_have_raised();
                    return Ok(self.unbind_lost(statement, "`None` behind a condition that is not known"));
                }
                // A function that the program does not call finds what another one of those leaves to it.
                if self.it.recorder.is_beside.get()
                    && self.it.is_about_none(&exception)
                    && self.reads_what_others_bind(statement)
                {
                    return Ok(self.unbind_lost(statement, "`None` that a function binds which has not run"));
                }
                // It may have returned before, or left the loop or the round: then nothing is raised, and what goes on goes on from there.
                if explicit && self.it.catching.get() == 0 {
                    if let Some(returned) = self.frame.take_maybe_returned() {
                        return Ok(Flow::Return(returned));
                    }
                    if self.frame.open_loops() > 0 {
                        return Ok(Flow::Break);
                    }
                }
                exception.frames.push((self.site(self.module.stmt_spans[statement.index()]), self.code.name));
                let in_function = !matches!(self.code.kind, crate::module::CodeKind::Module);
                if self.it.catching.get() > 0
                    || self.speculating()
                    || self.is_generators()
                    || in_function && explicit
                    // A caller may have returned before.
                    || in_function && exception.by_program && self.it.recorder.doubt.is_any()
                    // Frames of an endless recursion that went on would each call it again.
                    || in_function && self.it.is_exception(&exception, "RecursionError")
                {
                    exception.explicit = false;
                    return Err(Halt::Raise(exception));
                }
                if self.it.library_lost.get()
                    && self.it.may_follow_from_loss(&exception)
                    && !self.calls_wrongly(statement, &exception)
                {
                    let (class, message) = self.it.describe_exception(&exception);
                    let why = format!("{class} after a library's function was not known to its end: {message}");
                    return Ok(self.unbind_lost(statement, &why));
                }
                self.it.spend_more(super::COST_OF_REPORT)?;
                self.it.report(&exception);
                self.note_undone(statement);
                self.it.recorder.end_program();
                Ok(self.unbind(statement, "an exception ended this statement"))
            }
            Halt::Unknown(why) => {
                self.it.note_loss();
                Ok(self.unbind_lost(statement, &why.0))
            }
            stop => Err(stop),
        }
    }

    /// A library's module that we cannot run to its end imports well where it is installed: the statement that stopped it
    /// leaves unknown names behind, and the module goes on.
    fn recover_in_library(&mut self, statement: StmtId, halt: Halt) -> Step<Flow> {
        use crate::module::CodeKind;
        let at_top = matches!(self.code.kind, CodeKind::Module | CodeKind::Class) && !self.home.unit.ours;
        match halt {
            Halt::Unknown(why) if at_top => {
                // A module's own statements: what is not bound is unknown.
                self.it.leaving_library.set(false);
                Ok(self.unbind(statement, &why.0))
            }
            Halt::Raise(exception)
                if at_top && self.it.catching.get() == 0 && !self.it.is_exception(&exception, "ImportError") =>
            {
                let (class, message) = self.it.describe_exception(&exception);
                Ok(self.unbind(statement, &format!("a library's statement raised {class}: {message}")))
            }
            halt => Err(halt),
        }
    }

    /// A statement is taken to have ended without an exception, and may have raised one: handlers around it are told.
    fn may_have_raised(&self) {
        if self.it.catching.get() > 0 {
            self.it.unsure.set(self.it.unsure.get() + 1);
        }
    }

    /// The same of a statement that the program may well have run to its end: what is called in it may have run.
    fn unbind_lost(&mut self, statement: StmtId, why: &str) -> Flow {
        self.lose_runs_in(statement);
        self.unbind(statement, why)
    }

    /// What a statement would have bound or returned becomes unknown.
    fn unbind(&mut self, statement: StmtId, why: &str) -> Flow {
        let module = self.module;
        let mut targets: Vec<&Target> = Vec::new();
        match module.stmt(statement) {
            Stmt::Assign(all, _) => targets.extend(all.iter()),
            Stmt::AugAssign { target, .. } | Stmt::AnnAssign { target, .. } | Stmt::For { target, .. } => {
                targets.push(target)
            }
            Stmt::With { items, .. } => targets.extend(items.iter().filter_map(|i| i.target.as_ref())),
            Stmt::FunctionDef(def) => self.store(def.place, Value::unknown(why)),
            Stmt::ClassDef(def) => self.store(def.place, Value::unknown(why)),
            Stmt::Import(names) | Stmt::ImportFrom { names, .. } => {
                for alias in names {
                    self.store(alias.place, Value::unknown(why));
                }
            }
            _ => {}
        }
        for target in targets {
            self.unbind_target(target, why);
        }
        self.skip_blocks(statement, why);
        match module.stmt(statement) {
            Stmt::Return(_) => Flow::Return(Value::unknown(why)),
            // Nothing but what its block returns, which nobody knows, leads out of it well.
            Stmt::Try { body, .. } if body.last().is_some_and(|last| matches!(module.stmt(*last), Stmt::Return(_))) => {
                Flow::Return(Value::unknown(why))
            }
            _ => Flow::Next,
        }
    }

    fn unbind_target(&mut self, target: &Target, why: &str) {
        match target {
            Target::Name(place, ..) => self.store(*place, Value::unknown(why)),
            Target::Tuple(items, _) => items.iter().for_each(|t| self.unbind_target(t, why)),
            Target::Starred(inner, _) => self.unbind_target(inner, why),
            Target::Attribute(..) | Target::Subscript(..) | Target::Error(_) => {
                let _ = self.it.while_catching(|| self.assign(target, Value::unknown(why)));
            }
        }
    }

    pub(super) fn statement(&mut self, id: StmtId) -> Step<Flow> {
        let module = self.module;
        match module.stmt(id) {
            Stmt::Expr(value) => {
                let given = self.eval(*value);
                if self.user && matches!(module.expr(*value), Expr::Call(..)) {
                    let why = match &given {
                        Ok(Value::Unknown(unknown)) => Some(&unknown.why),
                        Err(Halt::Unknown(why)) => Some(why),
                        _ => None,
                    };
                    if why.is_some_and(|why| self.it.may_write(why)) {
                        self.it.foreign_call.set(true);
                    }
                }
                given?;
            }
            Stmt::Assign(targets, value) => {
                // `a, b = b, a` makes no tuple.
                if let ([Target::Tuple(targets, _)], Expr::Tuple(items)) = (&targets[..], module.expr(*value))
                    && self.assign_items(targets, items)?
                {
                    return Ok(Flow::Next);
                }
                if !self.user && self.alias_waits(targets, *value) {
                    return Ok(Flow::Next);
                }
                let value = self.eval(*value)?;
                if let [target] = &targets[..] {
                    match target {
                        Target::Name(Place::Local(slot), name, span) => {
                            if self.it.repro.on.get() && !self.home.unit.ours {
                                self.it.recorded_name(*name, &value, *span);
                            }
                            Value::put(&mut self.frame.locals[*slot as usize], value)
                        }
                        target => self.assign(target, value)?,
                    }
                    return Ok(Flow::Next);
                }
                for target in targets {
                    self.assign(target, value.clone())?;
                }
            }
            Stmt::AugAssign { target, op, value } => self.augmented(target, *op, *value)?,
            Stmt::AnnAssign { target, annotation, value } => self.annotated(target, *annotation, *value)?,
            Stmt::If { test, body, orelse } => return self.if_statement(*test, body, orelse),
            Stmt::For { .. } => return self.for_statement(id),
            Stmt::While { .. } => return self.while_statement(id),
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(*value)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            Stmt::FunctionDef(def) => {
                let mut decorators = Vec::with_capacity(def.decorators.len());
                for decorator in &def.decorators {
                    decorators.push((*decorator, self.eval(*decorator)?));
                }
                let mut value = self.make_function(def.code, &def.defaults, Some(def))?;
                self.read_annotations(def)?;
                self.keep_annotations(def, &value);
                for (expr, decorator) in decorators.into_iter().rev() {
                    value = self.decorate(expr, &decorator, value)?;
                }
                self.store(def.place, value);
            }
            Stmt::ClassDef(def) => {
                let value = self.class_statement(def)?;
                self.store(def.place, value);
            }
            Stmt::Import(names) => self.import_statement(names)?,
            Stmt::ImportFrom { module, level, names } => self.import_from(*module, *level, names)?,
            Stmt::ImportStar { module, level } => self.import_star(*module, *level)?,
            Stmt::With { items, body, is_async } => return self.with_statement(items, body, *is_async),
            Stmt::Try { body, handlers, orelse, finalbody, is_star } => {
                let before = self.it.reported.borrow().len();
                let flow = self.try_statement(body, handlers, orelse, finalbody, *is_star)?;
                // A handler raised again what ended the body, and the run went on behind it.
                if matches!(flow, Flow::Next) && self.it.reported.borrow().len() > before {
                    self.skip_blocks(id, "an exception ended this statement");
                }
                return Ok(flow);
            }
            Stmt::Raise(exception, cause) => return self.raise_statement(*exception, *cause),
            Stmt::Assert(test, message) => self.assert_statement(*test, *message)?,
            Stmt::Delete(targets) => {
                for target in targets {
                    self.delete(target)?;
                }
            }
            Stmt::Match(subject, cases) => return self.match_statement(*subject, cases),
            Stmt::Pass | Stmt::Error => {}
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    /// Applies a decorator; its failure stands at the decorator's line.
    fn decorate(&mut self, expr: crate::module::ExprId, decorator: &Value, value: Value) -> Step<Value> {
        self.stand_at(expr);
        let decorated = value.clone();
        match self.it.call_with(decorator, [value]) {
            Err(Halt::Unknown(why)) if self.user => {
                self.it.lose_runs_of(&decorated);
                // Calling what came of it may call the function each time.
                let any_of = Some(Rc::from([decorated]));
                Ok(Value::Unknown(Rc::new(Unknown { any_of, ..Unknown::new(why, Guess::Any) })))
            }
            Err(Halt::Raise(mut exception)) if self.user => {
                self.place(&mut exception, self.module.span(expr));
                Err(Halt::Raise(exception))
            }
            result => result,
        }
    }

    fn with_statement(&mut self, items: &[WithItem], body: &[StmtId], is_async: bool) -> Step<Flow> {
        let Some((item, rest)) = items.split_first() else { return self.hot_block(body) };
        let manager = self.eval(item.context)?;
        let (entered, exit) = self.enter_block(item.context, &manager, is_async)?;
        if let Some(target) = &item.target {
            self.assign(target, entered)?;
        }
        let Some(exit) = exit else { return self.with_statement(rest, body, is_async) };
        let it = self.it;
        let recorded = it.repro.on.get() && it.recorded_context(&manager);
        let result = match exit.catches {
            true => it.while_catching(|| self.with_statement(rest, body, is_async)),
            false => self.with_statement(rest, body, is_async),
        };
        if recorded {
            it.recorded_context_end();
        }
        self.leave_block(&exit, result)
    }

    /// Enters a manager: what it gives, and how it is left, where it is.
    pub(super) fn enter_block(
        &mut self,
        context: ExprId,
        manager: &Value,
        is_async: bool,
    ) -> Step<(Value, Option<Exit>)> {
        let it = self.it;
        if is_async {
            match it.enter_async_context(manager) {
                Ok(Some((entered, callee))) => {
                    let exit = Exit { is_async, catches: true, ..Exit::of(callee, None) };
                    return Ok((entered, Some(exit)));
                }
                // Models have one pair of methods for both.
                Ok(None) => {}
                Err(halt) => return self.not_entered(context, halt),
            }
        }
        if let Value::Instance(instance) = manager
            && let Some(exit) = it.method_of(instance, sym!("__exit__"))
            && let Some(enter) = it.method_of(instance, sym!("__enter__"))
        {
            let exit = Exit::of(exit, Some(manager.clone()));
            return match it.call_with(&enter, [manager.clone()]) {
                Ok(entered) => Ok((entered, Some(exit))),
                Err(halt) => self.not_entered(context, halt),
            };
        }
        match it.enter_context(manager) {
            Ok((entered, exit)) => Ok((entered, exit.map(|callee| Exit::of(callee, None)))),
            Err(halt) => self.not_entered(context, halt),
        }
    }

    pub(super) fn not_entered(&mut self, context: ExprId, halt: Halt) -> Step<(Value, Option<Exit>)> {
        match halt {
            Halt::Unknown(why) if self.user => Ok((Value::unknown(why.0), None)),
            Halt::Raise(mut exception) if self.user => {
                self.place(&mut exception, self.module.span(context));
                Err(Halt::Raise(exception))
            }
            halt => Err(halt),
        }
    }

    /// Leaves a block that ended so: how the statement ends.
    pub(super) fn leave_block(&mut self, exit: &Exit, result: Step<Flow>) -> Step<Flow> {
        let it = self.it;
        let call = |parts: [Value; 3]| {
            let result = it.call_with(&exit.callee, exit.receiver.iter().cloned().chain(parts))?;
            if exit.is_async { it.awaited(&result) } else { Ok(result) }
        };
        match result {
            Err(Halt::Raise(exception)) => {
                let (class, instance) = it.exception_parts(&exception)?;
                let suppressed = call([class, instance, Value::None])?;
                match it.truth_or_unknown(&suppressed)? {
                    Ok(true) => Ok(Flow::Next),
                    _ => Err(Halt::Raise(exception)),
                }
            }
            Err(Halt::Stop(stop)) => {
                // Whatever state the exit restores has to be restored for what follows, if anything does.
                let _ = call([Value::None, Value::None, Value::None]);
                Err(Halt::Stop(stop))
            }
            other => {
                call([Value::None, Value::None, Value::None])?;
                other
            }
        }
    }

    fn try_statement(
        &mut self,
        body: &[StmtId],
        handlers: &[Handler],
        orelse: &[StmtId],
        finalbody: &[StmtId],
        is_star: bool,
    ) -> Step<Flow> {
        let it = self.it;
        let guarded = |run: &mut Self| -> Step<Flow> {
            if handlers.is_empty() {
                return run.hot_block(body);
            }
            let (before, raised_before) = (it.unsure.get(), it.perhaps_raised.borrow().len());
            // What is raised in this block is for these handlers, not for the round of a loop around them.
            let round = run.round_at.take();
            let result = it.while_catching(|| run.hot_block(body));
            run.round_at = round;
            let goes_past = !matches!(result, Ok(Flow::Next)) || !orelse.is_empty();
            let raised = run.perhaps_raised(raised_before, goes_past || run.does_something(handlers));
            let unsure = run.user && it.unsure.get() != before && run.does_something(handlers);
            match result {
                Ok(flow) if unsure => {
                    let why = Why("what a guarded block does is not known: it may have raised".into());
                    let went_well = |run: &mut Self| match flow {
                        Flow::Next => run.hot_block(orelse),
                        flow => Ok(flow),
                    };
                    run.either(&why, went_well, |run| run.may_handle(&why, handlers))
                }
                Ok(flow) if !raised.is_empty() => {
                    let why = Why("what a guarded block does is not known: it may have raised".into());
                    let went_well = |run: &mut Self| match flow {
                        Flow::Next => run.hot_block(orelse),
                        flow => Ok(flow),
                    };
                    run.either(&why, went_well, |run| run.perhaps_handle(&why, raised, handlers))
                }
                Ok(Flow::Next) => run.hot_block(orelse),
                Err(Halt::Raise(_)) if is_star => Err(Halt::unknown("which parts of a group `except*` takes")),
                Err(Halt::Raise(exception)) => run.handle(exception, handlers),
                other => other,
            }
        };
        if finalbody.is_empty() {
            return guarded(self);
        }
        // The exception, if any, is raised again behind the final block; meanwhile it is not reported.
        let result = it.while_catching(|| guarded(self));
        match self.hot_block(finalbody)? {
            Flow::Next => result,
            flow => Ok(flow),
        }
    }

    /// What sides of branches in a guarded block have raised, each class once, where it matters whether handlers run.
    pub(in crate::interp) fn perhaps_raised(&mut self, before: usize, matters: bool) -> VecDeque<Box<Exception>> {
        let mut all = self.it.perhaps_raised.borrow_mut();
        if all.len() <= before {
            return VecDeque::new();
        }
        let raised = all.split_off(before);
        drop(all);
        if !self.user || !matters {
            return VecDeque::new();
        }
        let mut seen: Vec<String> = Vec::new();
        let mut is_new = |exception: &Exception| {
            let (class, _) = self.it.describe_exception(exception);
            let is_new = !seen.contains(&class);
            seen.push(class);
            is_new
        };
        raised.into_iter().filter(|exception| is_new(exception)).collect()
    }

    /// Runs handlers for one of these, and goes on; what they do not take is for those around.
    pub(in crate::interp) fn perhaps_handle(
        &mut self,
        why: &Why,
        mut raised: VecDeque<Box<Exception>>,
        handlers: &[Handler],
    ) -> Step<Flow> {
        let Some(first) = raised.pop_front() else { return Ok(Flow::Next) };
        if raised.is_empty() {
            return self.handle(first, handlers);
        }
        self.either(why, |run| run.handle(first, handlers), |run| run.perhaps_handle(why, raised, handlers))
    }

    /// Whether handlers do more than nothing, or than to raise.
    pub(in crate::interp) fn does_something(&self, handlers: &[Handler]) -> bool {
        let statements = handlers.iter().flat_map(|handler| &handler.body);
        statements.into_iter().any(|statement| match self.module.stmt(*statement) {
            Stmt::Pass | Stmt::Raise(..) => false,
            Stmt::Expr(value) => !matches!(self.module.expr(*value), Expr::Constant(_)),
            _ => true,
        })
    }

    /// Runs handlers, each from the same start, for an exception that may have been raised.
    pub(in crate::interp) fn may_handle(&mut self, why: &Why, handlers: &[Handler]) -> Step<Flow> {
        match handlers {
            [] => Ok(Flow::Next),
            [handler] => self.handle_unknown(why, handler),
            [handler, rest @ ..] => {
                self.either(why, |run| run.handle_unknown(why, handler), |run| run.may_handle(why, rest))
            }
        }
    }

    fn handle_unknown(&mut self, why: &Why, handler: &Handler) -> Step<Flow> {
        if let Some((place, _)) = handler.name {
            self.store(place, Value::unknown(why.0.clone()));
        }
        let mut exception = Exception::new(Raised::Native(sym!("Exception"), Rc::from("")));
        exception.explicit = true;
        self.it.handled.borrow_mut().push(Box::new(exception));
        let result = self.hot_block(&handler.body);
        self.it.handled.borrow_mut().pop();
        if let Some((place, _)) = handler.name {
            self.store(place, Value::Unbound);
        }
        result
    }

    pub(super) fn handle(&mut self, exception: Box<Exception>, handlers: &[Handler]) -> Step<Flow> {
        self.it.spend_more(super::COST_OF_EXCEPTION)?;
        for handler in handlers {
            let matches = match handler.class {
                None => Ok(true),
                Some(class) => {
                    let class = self.eval(class)?;
                    self.it.exception_matches(&exception, &class)?
                }
            };
            match matches {
                Ok(false) => continue,
                Ok(true) => {}
                // A class that is not known may or may not catch it: the handler is taken to.
                Err(_) => {}
            }
            let mut exception = exception;
            if let Some((place, _)) = handler.name {
                let instance = self.it.exception_instance(&exception)?;
                if let Value::Instance(instance) = &instance {
                    exception.native |= matches!(exception.what, Raised::Native(..));
                    exception.what = Raised::Instance(instance.clone());
                }
                self.store(place, instance);
            }
            self.it.handled.borrow_mut().push(exception);
            let result = self.hot_block(&handler.body);
            self.it.handled.borrow_mut().pop();
            if let Some((place, _)) = handler.name {
                self.store(place, Value::Unbound);
            }
            return result;
        }
        Err(Halt::Raise(exception))
    }

    fn raise_statement(
        &mut self,
        exception: Option<crate::module::ExprId>,
        cause: Option<crate::module::ExprId>,
    ) -> Step<Flow> {
        let raised = match exception {
            None => match self.it.handled.borrow().last() {
                Some(handled) => {
                    let mut again = handled.clone();
                    again.explicit = true;
                    again.own = true;
                    return Err(Halt::Raise(again));
                }
                None => return Err(Halt::raise("RuntimeError", "No active exception to reraise")),
            },
            Some(exception) => {
                let vague = self.it.vague_text.replace(self.home.unit.ours);
                let raised = self.eval(exception);
                self.it.vague_text.set(vague);
                raised?
            }
        };
        let cause = cause.map(|cause| self.eval(cause)).transpose()?;
        self.raised(&raised, cause).and_then(|exception| Err(Halt::Raise(exception)))
    }

    /// The exception that `raise value from cause` raises.
    pub(super) fn raised(&self, value: &Value, cause: Option<Value>) -> Step<Box<Exception>> {
        let mut exception = Box::new(self.it.exception_from(value)?);
        if let Raised::Instance(instance) = &exception.what {
            if let Some(cause) = cause {
                let cause = match &cause {
                    Value::Class(_) => self.it.call(&cause, crate::python::Args::none())?,
                    _ => cause,
                };
                instance.set(sym!("__cause__"), cause);
                instance.set(sym!("__suppress_context__"), Value::Bool(true));
            }
            if !self.home.unit.ours
                && let Ok(Some(context)) = self.it.handled_instance()
                && !context.is(&Value::Instance(instance.clone()))
            {
                instance.set(sym!("__context__"), context);
            }
        }
        exception.explicit = true;
        exception.own = true;
        exception.by_program = self.user;
        exception.by_library = !self.user && !self.home.unit.ours;
        // What is raised again is whose it was.
        if let Some(handled) = self.it.handled.borrow().last()
            && matches!((&handled.what, &exception.what), (Raised::Instance(a), Raised::Instance(b)) if Rc::ptr_eq(a, b))
        {
            exception.by_program = handled.by_program;
            exception.by_library = handled.by_library;
            exception.origin = handled.origin;
            exception.native = handled.native;
        }
        Ok(exception)
    }

    fn is_of_math(&self, function: crate::module::ExprId) -> bool {
        let Expr::Attribute(of, _) = self.module.expr(function) else { return false };
        matches!(self.module.expr(*of), Expr::Name(_, name) if name.as_str() == "math")
    }

    /// Whether a condition asks how close arrays are.
    fn compares_closely(&self, test: crate::module::ExprId) -> bool {
        let mut waiting = vec![test];
        while let Some(id) = waiting.pop() {
            let expr = self.module.expr(id);
            if let Expr::Call(function, _) = expr
                && let Expr::Name(_, name) | Expr::Attribute(_, name) = self.module.expr(*function)
                // Python's own numbers are computed as Python does.
                && (name.as_str() == "allclose" || name.as_str() == "isclose" && !self.is_of_math(*function))
            {
                return true;
            }
            expr.parts(&mut |part| {
                if let Part::Expr(inner) = part {
                    waiting.push(inner);
                }
            });
        }
        false
    }

    fn assert_statement(&mut self, test: crate::module::ExprId, message: Option<crate::module::ExprId>) -> Step<()> {
        let value = self.eval(test)?;
        let failed = match self.it.truth_or_unknown(&value) {
            // Numbers that are compared within a tolerance differ in their last bits from those of XLA.
            Ok(Ok(false)) if self.compares_closely(test) => {
                if self.user {
                    let why = "how close numbers are depends on how they are rounded".into();
                    self.it.events.note(Event::UnknownAssert { site: self.site(self.module.span(test)), why });
                }
                false
            }
            Ok(Ok(truth)) => !truth,
            Ok(Err(why)) => {
                if self.user {
                    self.it
                        .events
                        .note(Event::UnknownAssert { site: self.site(self.module.span(test)), why: why.0.to_string() });
                }
                false
            }
            Err(Halt::Raise(mut exception)) => {
                self.place(&mut exception, self.module.span(test));
                return Err(Halt::Raise(exception));
            }
            Err(halt) => return Err(halt),
        };
        if !failed {
            return Ok(());
        }
        let text = match message {
            Some(message) => {
                let value = self.eval(message)?;
                match self.it.str_of(&value)? {
                    Value::Str(text) => text,
                    _ => Rc::from(""),
                }
            }
            None => Rc::from(""),
        };
        let mut exception = Exception::new(Raised::Native(sym!("AssertionError"), text));
        exception.explicit = true;
        exception.own = true;
        exception.by_program = self.user;
        exception.origin = self.user.then_some(crate::python::halt::Origin::User);
        // What a library asks of sizes that are all known does not hang on how it is interpreted.
        let sure = !self.user && self.it.losses.get() == 0 && self.compares_sizes(test);
        Err(Halt::Raise(Box::new(exception)).certain_if(sure))
    }
}
