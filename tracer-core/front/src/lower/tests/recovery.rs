//! Half-typed lines: neither the function around them nor the lines below are lost.

use super::print::print;
use crate::lower::lower_text;

/// Checks what a broken program is lowered to.
#[track_caller]
fn recovers(text: &str, expected: &str) {
    let module = lower_text(text);
    assert_ne!(module.notes, [], "{text}");
    assert_eq!(print(&module).trim_end(), expected.trim_end(), "{text}");
}

/// Checks a line in a function, between two others.
#[track_caller]
fn line(text: &str, expected: &str) {
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let expected: String = expected.lines().map(|line| format!("    {line}\n")).collect();
    recovers(
        &format!("def f(x):\n    before = x\n{indented}    after = x\n    return after\n\ndef g(): pass\n"),
        &format!("def f'(x)\n    before = x\n{expected}    after = x\n    return after\ndef g'()\n    pass"),
    );
}

#[test]
fn unfinished_expressions() {
    line("y = ", "y = <error>");
    line("y = x.", "y = <error>(x)");
    line("y = x +", "y = (x Add <error>)");
    line("y = x.a.b(", "y = x.a.b()");
    line("y = h(x, ", "y = h'(x)");
    line("y = h(x, a=", "y = h'(x, a=<error>)");
    line("y = h(x.)", "y = h'(<error>(x))");
    line("y = x[0", "y = x[0]");
    line("y = [x, (x, {1: x", "y = [x, Tuple(x, {1: x})]");
    line("y = [a for a in", "y = List<a for a in <error>>");
    line("y = [a for a", "y = List<a for a in <error>>");
    line("y = x if x", "y = (x if x else <error>)");
    line("y = lambda a", "y = (lambda a: <error>)");
    line("y = 'abc", "y = \"abc\"");
    line("y = h('abc, x)", "y = h'(\"abc, x)\")");
    line("y = f'{x", "y = f<{x}>");
    line("y = f'a{x.", "y = f<\"a\" {<error>(x)}>");
    line("y = f'{x'", "y = f<{x}>");
    line("y = not", "y = (Not <error>)");
    line("y = x x", "y = <error>");
    line("y, z = x x", "(y, z) = <error>");
    line("y: int = x x", "y = <error>");
    line("h(x x)", "h'(x, x)");
    line("y += ", "y Add= <error>");
    line("x.", "<error>(x)");
}

#[test]
fn unfinished_statements() {
    line("if x", "if x\n    pass");
    line("if", "if <error>\n    pass");
    line("if x.:", "if <error>(x)\n    pass");
    line("while x:", "while x\n    pass");
    line("for i in x", "for i in x\n    pass");
    line("for i in", "for i in <error>\n    pass");
    line("for i", "for i in <error>\n    pass");
    line("with x as", "with x as <error>\n    pass");
    line("with x as y", "with x as y\n    pass");
    line("def h", "def h()\n    pass");
    line("def h(", "def h()\n    pass");
    line("def h(a, b=", "def h(a, b=<error>)\n    pass");
    line("def h(a) ->", "def h(a) -> <error>\n    pass");
    line("class A", "class A()\n    pass");
    line("class A(x", "class A(x)\n    pass");
    line("try:\n    y = x", "try\n    y = x");
    line("import", "import ");
    line("import a.", "import a. as a");
    line("from a", "from a import ");
    line("from a import", "from a import ");
    line("from a import b,", "from a import b as b");
    line("del", "del <error>");
    line("assert", "assert <error>, -");
    line("raise x from", "raise x from <error>");
    line("@x", "x");
    line("@", "<error>");
    line("else:", "if <error>\n    pass");
    line("global", "pass");
}

#[test]
fn unreadable_lines_keep_what_they_bind() {
    line("y = z = x ? x", "y = z = <error>");
    line("for i, j in x x:\n    i", "for (<error>, i, j) in <error>\n    i");
    line("with x x as y:\n    y", "with <error> as y\n    y");
    line(
        "def h(a, *b, c: int = x ? x, **d):\n    return a, b, c, d",
        "def h(a=<error>, *, c=<error>, *b, **d)\n    return Tuple(a, b, c, d)",
    );
    line("from a import b c", "b = c = <error>");
    line("if x x:\n    y = 1\nelse:\n    y = 2", "if <error>\n    y = 1\nelse\n    y = 2");
    line("? ? ?", "<error>");
}

#[test]
fn brackets_end_with_the_block() {
    recovers("def f(x):\n    y = h(x,\n    z = x\n    return z\n", "def f'(x)\n    y = h'(x)\n    z = x\n    return z");
    recovers("y = [\n    1,\n    2\ndef f(): pass\n", "y' = [1, 2]\ndef f'()\n    pass");
    recovers("def f(a,\n    return a\n", "def f'(a)\n    return a");
    recovers("x = (1\ny = 2\nz = [3]\n", "x' = 1\ny' = 2\nz' = [3]");
    recovers("x = {'a': 1,\n     'b': [2,\n     'c': 3}\ny = 4\n", "x' = <error>\ny' = 4");
}

#[test]
fn strings_end_with_their_line() {
    recovers("x = \"\"\"a\ny = 1\n", "x' = \"a\"\ny' = 1");
    recovers("x = 'a\ny = 1\n", "x' = \"a\"\ny' = 1");
}

#[test]
fn ranges_are_those_of_the_text() {
    let text = "def f(x):\n    y = h(x, \n    z = x.\n    return z\n";
    let module = lower_text(text);
    let texts: Vec<&str> = module.expr_spans.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
    assert_eq!(texts, ["h", "x", "h(x,", "x", "", "x.", "z"]);
}
