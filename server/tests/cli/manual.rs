//! `jitlens completions` and `jitlens man`: they know what `--help` knows.

use std::process::Command;

fn jitlens(arguments: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_jitlens")).args(arguments).output().expect("jitlens runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The subcommands, as `--help` lists them.
fn subcommands() -> Vec<String> {
    let (help, _) = jitlens(&["--help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| line.starts_with("  "));
    let words = listed.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    let names: Vec<String> = words.filter(|name| *name != "help").map(str::to_owned).collect();
    assert!(names.len() >= 8, "{names:?}");
    names
}

#[test]
fn every_shell_completes_every_command_and_option() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (text, code) = jitlens(&["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        for name in subcommands() {
            assert!(text.contains(&name), "{shell} does not know {name}");
        }
        assert!(text.contains("write-baseline"), "{shell}");
    }
    assert_eq!(jitlens(&["completions", "command.com"]).1, Some(2));
}

#[test]
#[cfg(unix)]
fn bash_completes() {
    let (script, _) = jitlens(&["completions", "bash"]);
    let asked =
        "COMP_WORDS=(jitlens check --for); COMP_CWORD=2; _jitlens jitlens --for check; echo \"${COMPREPLY[*]}\"";
    let Ok(output) = Command::new("bash").arg("-c").arg(format!("{script}\n{asked}")).output() else { return };
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "--format",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_manual_has_a_section_for_every_command() {
    let (page, code) = jitlens(&["man"]);
    assert_eq!(code, Some(0));
    assert!(page.contains(".TH jitlens 1"));
    for name in subcommands() {
        assert!(page.contains(&format!(".SH \"JITLENS {}\"", name.to_uppercase())), "{name}");
    }
    assert!(page.contains("\\-\\-write\\-baseline") && !page.contains("(1)\n"));
}
