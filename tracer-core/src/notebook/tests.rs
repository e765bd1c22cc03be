use super::*;

fn masked(cell: &str) -> String {
    let masked = mask(cell);
    assert_eq!(masked.len(), cell.len(), "{cell:?} became {masked:?}");
    masked.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

#[test]
fn python_stays_as_it_is() {
    let cells = [
        "",
        "\n\n",
        "x = a % b\ny = (a\n  % b)\n",
        "text = '''\n%time\n!ls\n'''\nprint(f'{x!r} %s' % 1)\n",
        "a = b \\\n  % c\nif a != b: pass\nd = {'a':\n  '''?'''}\n",
        "# %matplotlib inline\r\nx = 1\r\n",
        "s = 'it''s' + \"\\\"%\"\n%",
    ];
    for cell in cells {
        if !cell.ends_with('%') {
            assert_eq!(mask(cell), cell);
        }
    }
}

#[test]
fn magics_become_python_that_does_as_much() {
    assert_eq!(masked("%matplotlib inline\nx = 1"), "0#\nx = 1");
    assert_eq!(masked("!pip install \\\n  jax é\nx = 1"), "0#\n#\nx = 1");
    assert_eq!(masked("if a:\n    !ls\n    %cd x\n"), "if a:\n    0#\n    0#");
    assert_eq!(masked("%time y = f(x)\n%timeit -n 10 -r3 f(x)"), "if 1: y = f(x)\nif 1:             f(x)");
    assert_eq!(masked("%timeit\n!"), "0#\n0");
    assert_eq!(masked("%time ! cp -r a b\n%time %run a.py\n"), "if 1: 0#\nif 1: exec(_)#");
    assert_eq!(masked("%run a.py"), "exec(_)#");
    assert_eq!(masked("files = !ls\nz = %env A\nx = 1"), "files = _#\nz = _#\nx = 1");
    assert_eq!(masked("jnp.sum?\n?jnp\nf??"), "0#\n0#\n0#");
}

#[test]
fn blanks_before_the_first_line_are_none() {
    assert_eq!(masked("  if a:\n    b\n\n  c\n d"), "\u{c}\u{c}if a:\n\u{c}\u{c}  b\n\n\u{c}\u{c}c\n d");
    assert_eq!(masked("\n\t%time x"), "\n\u{c}if 1: x");
    let program = program([(1, " x = 1\n for y in x:\n   z = 3\n")]);
    assert!(crate::lower::lower_text(&program).notes.is_empty());
}

#[test]
fn magics_need_no_sign_in_a_cell_of_one_line() {
    assert_eq!(masked("pip install -q jax\n"), "0#");
    assert_eq!(masked("\nload_ext autoreload"), "\n0#");
    assert_eq!(masked("time y = f(x)"), "if 1:y = f(x)");
    for python in ["ls = 3", "time(x)", "cat in x", "pip install\nx = 1", "env.reset()", "more += 1", "rm[0]"] {
        assert_eq!(masked(python), python);
    }
}

#[test]
fn cells_of_other_languages_are_no_python() {
    assert_eq!(masked("%%bash\nls -l\n\nécho 'x"), "#\n#\n\n#");
    assert_eq!(masked("\n%%time\nx = 1\n!ls"), "\n#\nx = 1\n0#");
    assert_eq!(masked("%%capture out\r\nx = 1\r\n"), "#\nx = 1");
}

#[test]
fn a_program_knows_its_cells() {
    let text = program([(1, "x = 1"), (3, ""), (4, "y = 'é'\n")]);
    let all = cells(&text);
    let seen: Vec<(u32, &str)> =
        all.iter().map(|c| (c.number, &text[c.span.start as usize..c.span.end as usize])).collect();
    assert_eq!(seen, [(1, "x = 1\n"), (3, ""), (4, "y = 'é'\n")]);
    assert_eq!(cells("x = 1\n"), []);
    let forged = program([(1, "#\u{1e} 7\nx = 1")]);
    assert_eq!(cells(&forged).len(), 1);
}

#[test]
fn files_of_both_formats_are_read() {
    let new = r##"{"cells": [{"cell_type": "markdown", "source": ["# a"]},
        {"cell_type": "code", "source": ["x = 1\n", "y = 2"], "outputs": []}, {"cell_type": "code", "source": "z = 3"}],
        "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}"##;
    let text = parse(new).unwrap();
    assert_eq!(cells(&text).iter().map(|c| c.number).collect::<Vec<_>>(), [2, 3]);
    assert!(text.contains("x = 1\ny = 2\n") && text.ends_with("z = 3\n"));
    let old = r#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = 1"], "language": "python"}]}], "nbformat": 3}"#;
    assert!(parse(old).unwrap().contains("x = 1\n"));
    let julia = r#"{"cells": [], "metadata": {"kernelspec": {"language": "julia"}}}"#;
    assert_eq!(parse(julia).unwrap_err(), "a notebook of julia, not of Python");
    assert!(parse("x = 1").unwrap_err().starts_with("not a notebook: "));
    assert_eq!(parse("{}").unwrap_err(), "not a notebook: it has no cells");
}

#[test]
fn a_fault_is_of_its_cell_alone() {
    let text =
        program([(1, "x = 1"), (2, "y = f(\n"), (3, "z = x\nfrom __future__ import division\nawait z"), (4, "return")]);
    let module = isolate(&text, crate::lower::lower_text(&text));
    let said: Vec<(&str, u32)> = module
        .notes
        .iter()
        .map(|note| (&*note.message, cells(&text).iter().find(|c| c.span.touches(note.span.start)).unwrap().number))
        .collect();
    assert_eq!(said, [("'(' was never closed", 2), ("'return' outside function", 4)]);
    let has = |name: &str| module.globals.iter().any(|global| global.as_str() == name);
    assert!(has("x") && has("z") && !has("y"));
}
