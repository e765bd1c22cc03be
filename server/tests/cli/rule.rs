//! `jitlens rule`.

use crate::support::Project;

#[test]
fn a_rule_has_a_page() {
    let project = Project::new("rule", &[]);
    let ran = project.run(&["rule", "key-reuse"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("# key-reuse\n\nWarning. A random key is used for a second time.\n"), "{}", ran.out);
    let ran = project.run(&["rule", "scan-body"]);
    assert!(ran.out.starts_with("# scan-body\n\nError. The body of `jax.lax.scan` returns no pair.\n"), "{}", ran.out);
    let ran = project.run(&["rule", "syntax"]);
    assert_eq!(ran.out, "# syntax\n\nError. Python cannot parse the text.\n");
}

#[test]
fn rules_are_listed() {
    let project = Project::new("rules", &[]);
    let ran = project.run(&["rule"]);
    let line = |name: &str| ran.out.lines().find(|line| line.split_whitespace().next() == Some(name));
    assert!(line("retrace").is_some_and(|line| line.contains(" information  A traced function is traced again")));
    assert!(line("exception").is_some_and(|line| line.contains(" error ")));
    let json = project.run(&["rule", "--format", "json"]).json();
    assert_eq!(json["rules"].as_array().map(Vec::len), Some(ran.out.lines().count()));
    let url = |name: &str| json["rules"].as_array()?.iter().find(|rule| rule["name"] == name)?["url"].as_str();
    assert!(url("axis").is_some_and(|url| url.ends_with("/docs/rules/axis.md")), "{json}");
    assert!(url("syntax").is_some_and(|url| url.ends_with("/docs/errors.md#syntax")), "{json}");
}

#[test]
fn a_name_that_no_rule_has() {
    let ran = Project::new("rule_misspelt", &[]).run(&["rule", "shape-mismach"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.err, "jitlens: there is no rule `shape-mismach`; did you mean `shape-mismatch`?\n");
}
