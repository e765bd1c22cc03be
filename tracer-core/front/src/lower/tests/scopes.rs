use super::check;
use crate::lower::lower_text;
use crate::module::{CodeKind, Module, Place, Symbol};

fn names(symbols: &[Symbol]) -> Vec<&str> {
    symbols.iter().map(|name| name.as_str()).collect()
}

fn code<'m>(module: &'m Module, qualname: &str) -> &'m crate::module::Code {
    module.codes.iter().find(|code| code.qualname == qualname).unwrap()
}

#[test]
fn closures() {
    let module = lower_text("def f(a, b):\n    c = a\n    def g():\n        return b + c + d\n    return g\n");
    let f = code(&module, "f");
    assert_eq!(names(&f.locals), ["a", "b", "g"]);
    assert_eq!(names(&f.cells), ["b", "c"]);
    assert_eq!(f.cell_params, [(1, 0)]);
    let g = code(&module, "f.<locals>.g");
    assert_eq!(g.frees, [(Symbol::from("b"), 0), (Symbol::from("c"), 1)]);
    assert_eq!(names(&module.globals), ["f", "d"]);
}

#[test]
fn captures_pass_through() {
    let module = lower_text("def f(x):\n  class A:\n    x = x\n    def g(self): return lambda: x\n");
    check(
        "def f(x):\n  class A:\n    x = x\n    def g(self): return lambda: x\n",
        "def f'(x)\n    class A()\n        x@ = x@\n        def g@(self)\n            return (lambda : x^)",
    );
    assert_eq!(code(&module, "f.<locals>.A").frees, [(Symbol::from("x"), 0)]);
    assert_eq!(code(&module, "f.<locals>.A.g").frees, [(Symbol::from("x"), 0)]);
}

#[test]
fn globals_and_nonlocals() {
    check(
        "def f():\n  global a\n  a = b = 1\n  def g():\n    nonlocal b\n    b += a\n",
        "def f'()\n    pass\n    a' = b^ = 1\n    def g()\n        pass\n        b^ Add= a'",
    );
    // A global of an outer function stays one inside.
    check(
        "def f():\n  x = 1\n  def g():\n    global x\n    def h(): return x\n",
        "def f'()\n    x = 1\n    def g()\n        pass\n        def h()\n            return x'",
    );
    let module = lower_text("def f():\n  global g\n  def g(): pass\n");
    assert!(module.codes.iter().any(|code| code.qualname == "g"));
}

#[test]
fn class_bodies() {
    // Names of a class body are not seen in its functions, and its comprehensions are functions.
    check(
        "class A:\n  x = 1\n  y = [x for _ in x]\n  def f(self): return x\n",
        "class A'()\n    x@ = 1\n    y@ = List<x' for _ in x@>\n    def f@(self)\n        return x'",
    );
    check("def f(x):\n  class A:\n    print(x)\n", "def f'(x)\n    class A()\n        print@(x@^)");
    check(
        "def f(x):\n  class A:\n    nonlocal x\n    x = 1\n",
        "def f'(x)\n    class A()\n        pass\n        x^ = 1",
    );
    check("class A:\n  global x\n  x = 1\n", "class A'()\n    pass\n    x' = 1");
}

#[test]
fn the_class_cell() {
    let module = lower_text("class A:\n  def f(self): super().f()\n  def g(self): return __class__\n");
    let a = code(&module, "A");
    assert_eq!((names(&a.cells), a.class_cell), (vec!["__class__"], Some(0)));
    assert_eq!(code(&module, "A.f").frees, [(Symbol::from("__class__"), 0)]);
    assert_eq!(lower_text("class A:\n  def f(self): pass\n").codes[1].class_cell, None);
    assert_eq!(names(&lower_text("def f(): super()").globals), ["f", "super"]);
}

#[test]
fn private_names() {
    check(
        "class _A:\n  __x = 1\n  def __f(self, __y): return self.__x + __y + __z__ + self.__a.b(__k=1)\n",
        "class _A'()\n    _A__x@ = 1\n    def __f@(self, _A__y)\n        return (((self._A__x Add _A__y) Add __z__') Add self._A__a.b(__k=1))",
    );
    assert_eq!(names(&lower_text("class A:\n  import __m\n  __x = 1").globals), ["A", "_A__m", "_A__x"]);
    check("class __:\n  __x = 1", "class __'()\n    __x@ = 1");
}

#[test]
fn comprehensions() {
    check(
        "def f(a):\n  return [(x, a, y) for x in a for y in a if (z := y)]\n",
        "def f'(a)\n    return List<Tuple(x, a^, y) for x in a^ for y in a^ if (z^ := y)>",
    );
    check("[y := x for x in z]\ny", "List<(y' := x) for x in z'>\ny'");
    check("def f():\n  global y\n  [y := x for x in z]\n", "def f'()\n    pass\n    List<(y' := x) for x in z'>");
    let module = lower_text("[[x for x in y] for y in z]");
    let inner = &module.codes[2];
    assert_eq!((inner.kind, inner.qualname.as_str()), (CodeKind::Comprehension, "<listcomp>.<listcomp>"));
    assert_eq!(names(&inner.locals), [".0", "x"]);
    assert_eq!(inner.params.positional_only, 1);
}

#[test]
fn what_runs_outside() {
    // Defaults, annotations, decorators and bases belong to the enclosing scope.
    check(
        "def f(a):\n  @a\n  def g(a: a = a) -> a: pass\n  class a(a): pass\n  return lambda a=a: a\n",
        "def f'(a)\n    @a def g(a: a=a) -> a\n        pass\n    class a(a)\n        pass\n    return (lambda a=a: a)",
    );
}

#[test]
fn everything_that_binds() {
    let module = lower_text(
        "def f():\n  import a.x, b as c\n  from d import e\n  for g, [h] in z: pass\n  with z as i: pass\n  \
         try: pass\n  except z as j: pass\n  match z:\n    case {'k': k, **l}: pass\n    case [m, *n] as o: pass\n  \
         p: int\n  q += 1\n  del r\n  (s := 1)\n  def t(): pass\n  class u: pass\n",
    );
    assert_eq!(
        names(&code(&module, "f").locals),
        ["a", "c", "e", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u"]
    );
}

#[test]
fn identifiers_are_normalized() {
    let module = lower_text("ﬁ = 1\nfi");
    assert_eq!(names(&module.globals), ["fi"]);
}

#[test]
fn unused_globals_have_no_slot() {
    let module = lower_text("def f():\n  x = 1\n");
    assert_eq!(names(&module.globals), ["f"]);
    assert!(matches!(
        module.stmts.iter().find_map(|stmt| match stmt {
            crate::module::Stmt::FunctionDef(def) => Some(def.place),
            _ => None,
        }),
        Some(Place::Global(0))
    ));
}
