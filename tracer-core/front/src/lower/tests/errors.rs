use crate::lower::lower_text;

/// Checks that a text gets exactly this complaint.
#[track_caller]
fn error(text: &str, message: &str) {
    let notes = lower_text(text).notes;
    let messages: Vec<&str> = notes.iter().map(|note| note.message.as_str()).collect();
    assert_eq!(messages, [message], "{text}");
}

#[test]
fn unfinished_text() {
    error("f(a", "'(' was never closed");
    error("a)", "unmatched ')'");
    error("(a]", "closing parenthesis ']' does not match opening parenthesis '('");
    error("'abc", "unterminated string literal (detected at line 1)");
    error("x = '''abc\n\n", "unterminated triple-quoted string literal (detected at line 3)");
    error("f'{a'", "f-string: expecting '}'");
    error("if a\n  b", "expected ':'");
    error("if a:\nb", "expected an indented block after 'if' statement on line 1");
    error("def f():\n", "expected an indented block after function definition on line 1");
    error("class A:\n", "expected an indented block after class definition on line 1");
    error("a\n  b", "unexpected indent");
    error("if a:\n    b\n  c", "unindent does not match any outer indentation level");
    error("f(a b)", "invalid syntax. Perhaps you forgot a comma?");
    error("a.", "invalid syntax");
    error("a =", "invalid syntax");
    error("a b", "invalid syntax");
    error("a $ b", "invalid syntax");
    error("else: a", "invalid syntax");
    error("try: a\nb", "expected 'except' or 'finally' block");
    error("a \\ b", "unexpected character after line continuation character");
    error("a\0b", "source code cannot contain null bytes");
    error("print a", "Missing parentheses in call to 'print'. Did you mean print(...)?");
}

#[test]
fn literals() {
    error("012", "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers");
    error("b'é'", "bytes can only contain ASCII literal characters");
    error("'a' b'c'", "cannot mix bytes and nonbytes literals");
}

#[test]
fn misplaced_statements() {
    error("return", "'return' outside function");
    error("class A:\n  return", "'return' outside function");
    error("yield", "'yield' outside function");
    error("await a", "'await' outside function");
    error("def f(): await a", "'await' outside async function");
    error("def f():\n  async with a: pass", "'async with' outside async function");
    error("break", "'break' outside loop");
    error("for a in b:\n  def f(): continue", "'continue' not properly in loop");
    error("def f(): from a import *", "import * only allowed at module level");
    error("a\nfrom __future__ import annotations", "from __future__ imports must occur at the beginning of the file");
    error("from __future__ import a", "future feature a is not defined");
    error("from a import b,", "trailing comma not allowed without surrounding parentheses");
    error("import a,", "trailing comma not allowed without surrounding parentheses");
}

#[test]
fn names() {
    error("def f(a, a): pass", "duplicate argument 'a' in function definition");
    error("lambda a=1, b: a", "non-default argument follows default argument");
    error("def f(a):\n  global a", "name 'a' is parameter and global");
    error("def f():\n  a = 1\n  global a", "name 'a' is assigned to before global declaration");
    error("def f():\n  a\n  global a", "name 'a' is used prior to global declaration");
    error("def f():\n  a: int\n  global a", "annotated name 'a' can't be global");
    error("def f():\n  global a\n  nonlocal a", "name 'a' is nonlocal and global");
    error("def f():\n  nonlocal a", "no binding for nonlocal 'a' found");
    error("nonlocal a", "nonlocal declaration not allowed at module level");
    error("[a := 1 for a in b]", "assignment expression cannot rebind comprehension iteration variable 'a'");
    error(
        "class A: [a := 1 for b in c]",
        "assignment expression within a comprehension cannot be used in a class body",
    );
}

#[test]
fn calls() {
    error("f(a=1, a=2)", "keyword argument repeated: a");
    error("f(a=1, b)", "positional argument follows keyword argument");
    error("f(**a, b)", "positional argument follows keyword argument unpacking");
    error("f(**a, *b)", "iterable argument unpacking follows keyword argument unpacking");
}

#[test]
fn targets() {
    error("with a as f(): pass", "cannot assign to function call");
    error("del f()", "cannot delete function call");
    error("*a = b", "starred assignment target must be in a list or tuple");
    error("*a, *b = c", "multiple starred expressions in assignment");
    error("a = *b", "can't use starred expression here");
    error("a, b += c", "'tuple' is an illegal expression for augmented assignment");
    error("try: a\nexcept: b\nexcept c: d", "default 'except:' must be last");
}
